# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A skeleton with its hierarchy and the candidates that detection passes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ...core.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Tree:
    """A skeleton, its children by bone, and which way its left and up are."""

    skeleton: Skeleton
    """The bones."""
    children: tuple[tuple[int, ...], ...]
    """Children of each bone."""
    height: tuple[int, ...]
    """Longest way from each bone down to a leaf, in bones; 0 for a leaf."""
    left: FloatArray
    """Unit vector to the character's left. Shape (3,)."""
    up: FloatArray
    """Unit vector upwards. Shape (3,)."""

    @property
    def names(self) -> tuple[str, ...]:
        """Bone names."""
        return self.skeleton.names

    def head(self, bone: int) -> FloatArray:
        """Joint position of a bone in [m]. Shape (3,)."""
        return self.skeleton.heads[bone]

    def ancestors(self, bone: int) -> Iterator[int]:
        """Bones above a bone, nearest first."""
        parent = int(self.skeleton.parents[bone])
        while parent >= 0:
            yield parent
            parent = int(self.skeleton.parents[parent])

    def is_below(self, bone: int, ancestor: int) -> bool:
        """Whether `ancestor` is above `bone`."""
        return any(above == ancestor for above in self.ancestors(bone))

    def subtree(self, bone: int) -> list[int]:
        """A bone and all bones below it."""
        found = [bone]
        for member in found:
            found += self.children[member]
        return found


def build_tree(skeleton: Skeleton, *, left: FloatArray, up: FloatArray) -> Tree:
    """A skeleton with children and heights worked out."""
    children: list[list[int]] = [[] for _ in skeleton.names]
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            children[int(parent)].append(bone)
    height = [0] * len(children)
    for bone in reversed(range(len(children))):
        height[bone] = max((height[child] + 1 for child in children[bone]), default=0)
    return Tree(
        skeleton=skeleton,
        children=tuple(tuple(below) for below in children),
        height=tuple(height),
        left=np.asarray(left, dtype=np.float64) / np.linalg.norm(left),
        up=np.asarray(up, dtype=np.float64) / np.linalg.norm(up),
    )


def reduce_tree(tree: Tree, kept: list[int], *, parents: IntArray | None = None) -> Tree:
    """The tree of some of the bones, each below the nearest kept one above it unless `parents` says otherwise."""
    place = {bone: number for number, bone in enumerate(kept)}
    whole = tree.skeleton
    if parents is None:
        parents = np.array(
            [next((place[above] for above in tree.ancestors(bone) if above in place), -1) for bone in kept]
        )
    skeleton = Skeleton(
        names=tuple(whole.names[bone] for bone in kept),
        parents=parents,
        heads=whole.heads[kept],
        tails=whole.tails[kept],
        rotations=whole.rotations[kept],
        deform=whole.deform[kept],
    )
    return build_tree(skeleton, left=tree.left, up=tree.up)


@dataclass
class Finger:
    """A finger under construction, bones by index."""

    name: str
    """Finger name as in the hand map."""
    chain: list[int]
    """Bones that bend, root first."""
    metacarpal: int | None = None
    """Bone inside the palm."""
    tip: int | None = None
    """Bone at the fingertip."""

    def bones(self) -> list[int]:
        """All bones of the finger, root first."""
        return [bone for bone in (self.metacarpal, *self.chain, self.tip) if bone is not None]


@dataclass
class Candidate:
    """A hand under construction, bones by index."""

    side: str
    """"L", "R" or ""."""
    wrist: int
    """Root bone."""
    fingers: list[Finger]
    """Fingers found."""
    convention: str
    """Key of the convention, "names" for words, "structure" for shape."""
    confidence: float = 1.0
    """0 to 1."""
    notes: list[str] = field(default_factory=lambda: [])
    """Why the map is unsure."""
    rank: tuple[int, ...] = ()
    """Sorts candidates for the same hand, best highest."""

    def bones(self) -> list[int]:
        """All bones of the hand, wrist first."""
        return [self.wrist, *(bone for finger in self.fingers for bone in finger.bones())]

    def solid_fingers(self) -> int:
        """How many fingers have two and more bones that bend."""
        return sum(len(finger.chain) > 1 for finger in self.fingers)

    def chain_bones(self) -> set[int]:
        """The bones that bend."""
        return {bone for finger in self.fingers for bone in finger.chain}
