# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooks: the places of an object that a hand can take it by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.arrays import FloatArray, frozen_floats

if TYPE_CHECKING:
    from .loops import Loop

REFERENCE_HAND = 0.084
"""Palm width in [m] of the hand that the lengths below are for; they grow with the hand."""
KINDS = ("compact", "tube", "thin", "rim", "edge", "slab")
"""A small whole thing; a handle, neck, stem or bar; a flat thing; a wall near its rim; a thick slab near its edge; a
flat thing that lies on the palm, held by its two long sides."""

DistanceField = Callable[[FloatArray], FloatArray]
"""Signed distances in [m], negative inside, of points: shape (k, 3) to (k,)."""


@dataclass(frozen=True)
class HookSizes:
    """What fits a hand, in [m]."""

    thinnest: float = 0.0003
    """Thinner things are not felt."""
    thickest: float = 0.095
    """Thicker things cannot be closed round."""
    finger: float = 0.016
    """Thickness of a finger: the room that is needed on both sides."""
    reach: float = 0.045
    """How far from an edge thumb and fingers can still press a slab."""
    grip: float = 0.070
    """Length along a handle that all fingers cover."""
    pad: float = 0.014
    """Width of a fingertip's pad."""
    plate: float = 0.014
    """Flat parts up to this thickness are pinched, thicker ones held at an edge."""
    step: float = 0.00035
    """Shortest step through the object: thinner walls may be overlooked."""

    def of_hand(self, hand: float) -> HookSizes:
        """The sizes for a hand of that palm width in [m]."""
        scale = hand / REFERENCE_HAND
        return HookSizes(**{name: scale * value for name, value in vars(self).items()})


@dataclass(frozen=True, eq=False)
class Hook:
    """One place to take an object by."""

    point: FloatArray
    """Middle of the part in [m]. Shape (3,)."""
    axis: FloatArray | None
    """Unit vector along a handle, neck, stem or edge, or through a disk, either way round; None for compact parts.
    Shape (3,)."""
    across: FloatArray | None
    """Unit vector in which flat parts are thin; None for round ones, that can be pressed from any side. Shape (3,)."""
    kind: str
    """One of `KINDS`."""
    thickness: float
    """What fingers and thumb close to, in [m]."""
    length: float
    """How far the part goes on along its axis in [m]; of compact parts, their largest extent."""
    offset: float
    """How far the object's middle lies beside the axis, or from the point where there is none, in [m]."""
    score: float
    """0 to 1: how well it can be taken, compared with the object's other hooks."""
    opening: Loop | None = None
    """What fingers can be put through beside a handle; None for anything else."""
    flat: float = 0.0
    """How thick slabs are in [m], which are as wide as `thickness`; 0 for anything else."""
    main: bool = False
    """Whether it is what the object was given to be held by: by far its longest bar, or a handle beside it."""
    eye: bool = False
    """Whether it is a handle with an opening too small for a finger, such as a teacup's: it is held between pads."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        set_field = object.__setattr__
        set_field(self, "point", frozen_floats(self.point, (3,), "point"))
        for name in ("axis", "across"):
            value = getattr(self, name)
            if value is not None:
                set_field(self, name, frozen_floats(np.asarray(value), (3,), name))
