# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How firmly contacts hold an object against pushes and turns from anywhere.

C. Ferrari, J. Canny, "Planning Optimal Grasps", 1992: the largest wrench that contacts resist in every direction when
their normal forces sum to 1 (the L1 measure), which is the smallest distance of a facet of the hull of the contacts'
wrenches from the origin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray, frozen_floats
from ...core.errors import PrehendError
from ...core.rotations import unit
from .polytope import inner_ball

FRICTION = 0.6
"""Skin on most things."""
EDGES = 8
"""Sides of the pyramids that friction cones are taken for."""

LEAST = 1e-6
"""What epsilon must exceed to count: less is rounding."""


class BadContactError(PrehendError):
    """Contacts that cannot be measured."""


@dataclass(frozen=True)
class ForceClosure:
    """How firmly an object is held."""

    epsilon: float
    """Smallest wrench that breaks the grasp, per unit of the normal forces' sum; 0 without force closure."""
    bound: float
    """Upper bound of it, equal but for rounding."""

    @property
    def closed(self) -> bool:
        """Whether every wrench can be resisted."""
        return self.epsilon > LEAST


def force_closure(
    points: ArrayLike,
    normals: ArrayLike,
    *,
    centre: ArrayLike,
    radius: float,
    friction: float = FRICTION,
    edges: int = EDGES,
) -> ForceClosure:
    """The epsilon of a grasp with hard point contacts.

    Args:
        points: Contacts in [m]. Shape (c, 3).
        normals: Unit normals of the object there, outwards. Shape (c, 3).
        centre: Where torques are taken about, the object's centre of mass, in [m]. Shape (3,).
        radius: What torques are divided by, the object's radius in [m].
        friction: Coefficient of friction.
        edges: Sides of the friction pyramids.

    Raises:
        BadContactError: Something is not finite, the radius or the friction not positive, or the edges fewer than 3.
    """
    wrenches = contact_wrenches(points, normals, centre=centre, radius=radius, friction=friction, edges=edges)
    ball = inner_ball(wrenches)
    return ForceClosure(ball.radius, ball.bound)


def contact_wrenches(
    points: ArrayLike,
    normals: ArrayLike,
    *,
    centre: ArrayLike,
    radius: float,
    friction: float = FRICTION,
    edges: int = EDGES,
) -> FloatArray:
    """Forces along the edges of the friction pyramids, with a normal part of 1, and their torques over the radius.

    Arguments as of `force_closure`. Shape (c * edges, 6).
    """
    places = frozen_floats(points, (-1, 3), "points")
    out = frozen_floats(normals, (len(places), 3), "normals")
    middle = frozen_floats(centre, (3,), "centre")
    finite = np.isfinite(places).all() and np.isfinite(out).all() and np.isfinite(middle).all()
    if not (finite and np.isfinite(radius) and radius > 0.0 and np.isfinite(friction) and friction > 0.0 and edges > 2):
        raise BadContactError("Contacts need finite places and normals, a positive radius and friction, and 3 edges.")
    first = unit(np.cross(out, np.eye(3)[np.argmin(np.abs(out), axis=1)]))
    second = np.cross(out, first)
    angles = np.arange(edges) * (2.0 * np.pi / edges)
    sideways = np.cos(angles)[:, None] * first[:, None] + np.sin(angles)[:, None] * second[:, None]
    forces = friction * sideways - out[:, None]
    torques = np.cross((places - middle)[:, None], forces) / radius
    return np.concatenate([forces, torques], axis=2).reshape(-1, 6)
