# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A skeleton at rest as arrays: the form in which armatures reach and leave the pure packages."""

from __future__ import annotations

from dataclasses import dataclass

from .arrays import BoolArray, FloatArray, IntArray, frozen_bools, frozen_floats, frozen_ints


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Bones at rest, parents before children."""

    names: tuple[str, ...]
    """Bone names. Length n."""
    parents: IntArray
    """Index of each bone's parent, -1 for a root. Shape (n,)."""
    heads: FloatArray
    """Joint positions at rest in [m]. Shape (n, 3)."""
    tails: FloatArray
    """Far ends of the bones in [m]; not to be trusted on imported rigs. Shape (n, 3)."""
    rotations: FloatArray
    """Rest orientation of each bone's own frame, columns x, y (along the bone), z. Shape (n, 3, 3)."""
    deform: BoolArray
    """Whether the bone deforms a skin. Shape (n,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        n = len(self.names)
        set_field = object.__setattr__
        set_field(self, "parents", frozen_ints(self.parents, (n,), "parents"))
        set_field(self, "heads", frozen_floats(self.heads, (n, 3), "heads"))
        set_field(self, "tails", frozen_floats(self.tails, (n, 3), "tails"))
        set_field(self, "rotations", frozen_floats(self.rotations, (n, 3, 3), "rotations"))
        set_field(self, "deform", frozen_bools(self.deform, (n,), "deform"))

    def index(self, name: str) -> int:
        """Position of a bone by name."""
        return self.names.index(name)
