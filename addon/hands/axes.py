# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The axes that each joint of a hand turns about, found from where its joints are at rest.

A joint's frame has z along its bone, x the flexion axis (a positive turn closes) and y out of the finger's back. Turned
from its zero frame it is `zero Rx(flexion) Ry(abduction) Rz(twist)`: flexion about an axis of the bone before,
abduction about the moved y axis, twist about the bone itself. It is singular at 90 degrees of abduction, which no
joint reaches; with abduction before flexion it would be at 90 degrees of flexion, in the midst of a fist.

Fingers flex about an axis across the palm. The thumb's saddle joint is measured as in clinics: flexion within the
palm's plane, abduction out of it, both zero where its metacarpal lies in that plane 35 degrees from the fingers, so
that a thumb's angles mean the same on every rig. As rigs place that joint freely, its frame's z axis and the zero of
the next joint follow the thumb as a whole, from the saddle to the far joint, not its first bone. Its other joints flex
about the axis its pad looks along.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, frozen_floats
from ..core.rotations import (
    angles_from_rotation,
    frame_from_zx,
    matrix_from_axis_angle,
    perpendicular,
    rotation_from_angles,
    unit,
)
from .chains import Chains
from .palm import Palm

BEND_PRIOR = 0.35
"""Bend in [rad] at which a finger's own plane counts as much as the palm's axes."""
LEAST_AGREEMENT = 0.5
"""Cosine between a finger's bending axis and the expected one below which the bend is sideways and tells nothing."""

# The thumb's zero: its metacarpal in the palm's plane, this far from the fingers, half-way in its range of radial
# abduction (10 degrees beyond them to 63 degrees away; Barakat et al. 2013).
THUMB_ZERO = np.radians(35.0)
# How far the axis of its far joints is turned about it from the fingers' axes: the thumb's nail looks 60 to 80
# degrees away from the fingers' nails.
THUMB_TURN = np.radians(65.0)
THUMB_LARGEST = np.radians(75.0)
"""A thumb that stands further than this from its zero is no human one."""


@dataclass(frozen=True, eq=False)
class Axes:
    """Frames of all joints at rest and at zero, in the skeleton's coordinates."""

    rest: FloatArray
    """Joint frames at rest. Shape (m, 3, 3)."""
    zero: FloatArray
    """Frames that angles count from, with the joints before at rest. Shape (m, 3, 3)."""
    angles: FloatArray
    """Flexion, turn about y and twist at rest in [rad]. Shape (m, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m = len(self.rest)
        set_field = object.__setattr__
        set_field(self, "rest", frozen_floats(self.rest, (m, 3, 3), "rest"))
        set_field(self, "zero", frozen_floats(self.zero, (m, 3, 3), "zero"))
        set_field(self, "angles", frozen_floats(self.angles, (m, 3), "angles"))


def find_axes(chains: Chains, palm: Palm) -> Axes:
    """Rest and zero frames of all joints."""
    directions = chains.directions
    m = len(chains.names)
    rest, zero = np.empty((m, 3, 3)), np.empty((m, 3, 3))
    for f, name in enumerate(chains.fingers):
        joints = chains.of(f)
        bending = chains.of(f, metacarpal=False)
        human_thumb = name == "thumb" and not palm.radial
        thumb = _thumb_direction(chains, bending)
        root = _thumb_frames(thumb, palm) if human_thumb else None
        if name == "thumb" and root is not None:
            expected = _thumb_axis(chains, palm, bending, root[1])
        elif name == "thumb" or palm.radial:
            expected = _inward_axis(chains, palm, f)
        else:
            expected = _row_axis(chains, palm, f)
        axis = _blend_with_bend(directions[bending], expected)
        for j in joints:
            rest[j] = frame_from_zx(directions[j], axis)
            parent = int(chains.parents[j])
            if chains.kinds[j] == "metacarpal":
                zero[j] = rest[j]
            elif j == bending[0] and root is not None:
                zero[j], rest[j] = root
            elif j == bending[0]:
                straight = palm.rotation[:, 2] if palm.radial else np.cross(rest[j][:, 0], palm.rotation[:, 1])
                zero[j] = _straightened(rest[j], straight if np.dot(straight, palm.rotation[:, 2]) > 0 else -straight)
            else:
                zero[j] = _straightened(rest[j], rest[parent][:, 2])
    return Axes(rest=rest, zero=zero, angles=angles_from_rotation(np.swapaxes(zero, -1, -2) @ rest))


def thumb_zero(side: str) -> FloatArray:
    """Zero frame of the thumb's first joint in the hand's frame. Shape (3, 3)."""
    mirror = -1.0 if side == "L" else 1.0
    z = np.array([mirror * np.sin(THUMB_ZERO), 0.0, np.cos(THUMB_ZERO)])
    return frame_from_zx(z, np.array([0.0, -mirror, 0.0]))


def _straightened(rest: FloatArray, before: FloatArray) -> FloatArray:
    """`rest` turned back about its own x axis until it runs on as the bone `before`."""
    x, z = rest[:, 0], rest[:, 2]
    straight = unit(perpendicular(before, x))
    if not np.any(straight):
        return rest
    flexion = float(np.arctan2(np.dot(np.cross(straight, z), x), np.dot(straight, z)))
    return matrix_from_axis_angle(x, -flexion) @ rest


def _blend_with_bend(directions: FloatArray, expected: FloatArray) -> FloatArray:
    """The flexion axis: the expected one, drawn towards the axis the finger is bent about at rest."""
    bend = np.sum(np.cross(directions[:-1], directions[1:]), axis=0)
    size = float(np.linalg.norm(bend))
    agreement = float(np.dot(unit(bend), unit(expected)))
    if size < 1e-6 or abs(agreement) < LEAST_AGREEMENT:
        return unit(expected)
    return unit(unit(expected) * BEND_PRIOR + bend * np.sign(agreement))


def _row_axis(chains: Chains, palm: Palm, finger: int) -> FloatArray:
    """Expected flexion axis of a finger in a row: half the palm's x axis, half the line through its neighbours."""
    x = palm.rotation[:, 0]
    row = [f for f, name in enumerate(chains.fingers) if name != "thumb"]
    k = row.index(finger)
    first, last = row[max(k - 1, 0)], row[min(k + 1, len(row) - 1)]
    heads = [chains.heads[chains.of(f, metacarpal=False)[0]] for f in (first, last)]
    # Along the finger the knuckles' row slants; only its arch, seen from the fingertips, tilts the axis.
    line = unit(perpendicular(heads[1] - heads[0], palm.rotation[:, 2]))
    line = line if np.dot(line, x) >= 0.0 else -line
    return unit(x + line)


def _inward_axis(chains: Chains, palm: Palm, finger: int) -> FloatArray:
    """Expected flexion axis of a gripper's finger: it closes towards the others."""
    root = chains.of(finger, metacarpal=False)[0]
    others = [chains.heads[chains.of(f, metacarpal=False)[0]] for f in range(len(chains.fingers)) if f != finger]
    inward = perpendicular(np.mean(others, axis=0) - chains.heads[root], palm.rotation[:, 2])
    return np.cross(palm.rotation[:, 2], inward)


def _thumb_direction(chains: Chains, bending: list[int]) -> FloatArray:
    """From a thumb's first joint over the next one to the third, or to the end of what bones it has."""
    return unit(chains.ends[bending[min(1, len(bending) - 1)]] - chains.heads[bending[0]])


def _thumb_frames(direction: FloatArray, palm: Palm) -> tuple[FloatArray, FloatArray] | None:
    """Zero and rest frame of a human thumb's first joint; None when it stands unlike one."""
    zero = palm.rotation @ thumb_zero(palm.side)
    x, y, z = direction @ zero
    if z < np.cos(THUMB_LARGEST):
        return None
    return zero, zero @ rotation_from_angles([np.arctan2(-y, z), np.arcsin(np.clip(x, -1.0, 1.0)), 0.0])


def _thumb_axis(chains: Chains, palm: Palm, bending: list[int], root: FloatArray) -> FloatArray:
    """Expected flexion axis of the thumb's far joints: its pad looks at the little finger's knuckle, past the palm."""
    row = [f for f, name in enumerate(chains.fingers) if name != "thumb"]
    knuckle = chains.heads[chains.of(row[-1], metacarpal=False)[0]]
    target = knuckle - palm.rotation[:, 1] * 0.5 * palm.width
    far = bending[min(1, len(bending) - 1)]
    direction = chains.directions[far]
    towards = np.cross(direction, target - chains.heads[far])
    back = (np.pi / 2.0 - THUMB_TURN) * (-1.0 if palm.side == "L" else 1.0)
    carried = matrix_from_axis_angle(root[:, 2], float(back)) @ root[:, 0]
    return 2.0 * unit(perpendicular(carried, direction)) + unit(towards)
