# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether thumb and fingers press against each other through the object."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import frozen_bools, frozen_floats
from ...core.rotations import unit

_COINCIDENT = 1e-9
"""Contacts closer than this in [m] have no line between them."""


@dataclass(frozen=True)
class Opposition:
    """The pair of contacts that oppose each other best."""

    value: float
    """Cosine of the larger angle between the line through both contacts and the directions in which they press: 1 is
    straight against each other, 0 square, negative away from each other; -1 where thumb or fingers do not touch."""
    thumb: int
    """Index of the thumb's contact, -1 for none."""
    finger: int
    """Index of the finger's contact, -1 for none."""

    def holds(self, friction: float) -> bool:
        """Whether the two alone can squeeze the object without slipping: the line lies within both friction cones."""
        return self.value >= 1.0 / float(np.hypot(1.0, friction))


def measure_opposition(points: ArrayLike, normals: ArrayLike, thumb: ArrayLike) -> Opposition:
    """How well the thumb (or the palm) and the other fingers press against each other.

    Args:
        points: Contacts in [m]. Shape (c, 3).
        normals: Unit normals of the object there, outwards. Shape (c, 3).
        thumb: Which contacts are the thumb's. Shape (c,).
    """
    places = frozen_floats(points, (-1, 3), "points")
    out = frozen_floats(normals, (len(places), 3), "normals")
    ours = frozen_bools(thumb, (len(places),), "thumb")
    one, other = np.flatnonzero(ours), np.flatnonzero(~ours)
    if not len(one) or not len(other):
        return Opposition(-1.0, -1, -1)
    lines = places[other][None, :] - places[one][:, None]
    ways = unit(lines)
    # A contact presses against the outward normal.
    from_thumb = -np.einsum("tfk,tk->tf", ways, out[one])
    from_finger = np.einsum("tfk,fk->tf", ways, out[other])
    values = np.minimum(from_thumb, from_finger)
    touching = np.linalg.norm(lines, axis=2) < _COINCIDENT
    values = np.where(touching, -(out[one] @ out[other].T), values)
    t, f = np.unravel_index(int(np.argmax(values)), values.shape)
    return Opposition(float(values[t, f]), int(one[t]), int(other[f]))
