# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of a linkage with its surroundings, and how fast its joints can leave them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from .kinematics import Frames, point_jacobian
from .model import Linkage


@dataclass(frozen=True, eq=False)
class Contacts:
    """Points of the linkage that lie inside an obstacle."""

    joints: IntArray
    """The last joint that moves each point. Shape (c,)."""
    points: FloatArray
    """Each point in its joint's frame in [m]. Shape (c, 3)."""
    found_at: FloatArray
    """Each point in the base frame when it was found, in [m]. Shape (c, 3)."""
    normals: FloatArray
    """Unit vector along which each point leaves the obstacle. Shape (c, 3)."""
    depths: FloatArray
    """Depth of each point when it was found, in [m]. Shape (c,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        c = len(self.joints)
        set_field = object.__setattr__
        set_field(self, "joints", frozen_ints(self.joints, (c,), "joints"))
        set_field(self, "points", frozen_floats(self.points, (c, 3), "points"))
        set_field(self, "found_at", frozen_floats(self.found_at, (c, 3), "found_at"))
        set_field(self, "normals", frozen_floats(self.normals, (c, 3), "normals"))
        set_field(self, "depths", frozen_floats(self.depths, (c,), "depths"))

    @property
    def count(self) -> int:
        """Number of contacts."""
        return len(self.joints)


Detector = Callable[[Frames], Contacts]
"""From joint frames to the contacts there are; called at every iteration."""


def contacts_at(
    frames: Frames, joints: IntArray, points: FloatArray, normals: FloatArray, depths: FloatArray
) -> Contacts:
    """Contacts from what a collision test gives.

    Args:
        frames: Joint frames at which they were found.
        joints: The last joint that moves each point. Shape (c,).
        points: Position of each point in the base frame in [m]. Shape (c, 3).
        normals: Unit exit directions. Shape (c, 3).
        depths: Depths in [m]. Shape (c,).
    """
    world = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    arms = world - frames.positions[joints]
    # p^R = q* (p^W - t) q: constant while the joints move.
    local = np.einsum("cji,cj->ci", frames.rotations[joints], arms)
    return Contacts(joints=joints, points=local, found_at=world, normals=normals, depths=depths)


def world_points(frames: Frames, contacts: Contacts) -> FloatArray:
    """Contact points in the base frame as the linkage now is, in [m]. Shape (c, 3)."""
    turned = np.einsum("cij,cj->ci", frames.rotations[contacts.joints], contacts.points)
    return frames.positions[contacts.joints] + turned


def tracked_depths(frames: Frames, contacts: Contacts) -> FloatArray:
    """Depths in [m] as the linkage now is, `d0 - (p - p0) m`, negative once outside. Shape (c,)."""
    moved = world_points(frames, contacts) - contacts.found_at
    return contacts.depths - np.einsum("ci,ci->c", moved, contacts.normals)


def escape_jacobian(linkage: Linkage, frames: Frames, contacts: Contacts) -> FloatArray:
    """How fast the contact points leave along their normals, by all half-angle vectors (algorithms 14 and 15).

    This is the derivative of `p m`, minus that of the depth; the thesis calls it that of the depth and asks for the
    opposite change, so that its two signs cancel. Shape (c, 3n).
    """
    out = np.zeros((contacts.count, 3 * linkage.size))
    places = world_points(frames, contacts)
    for k, joint in enumerate(contacts.joints.tolist()):
        out[k] = contacts.normals[k] @ point_jacobian(linkage, frames, joint, places[k])
    return out
