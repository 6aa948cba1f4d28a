# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints, bone frames and joint limits of a hand of flesh, from its plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from ...core.skeleton import Skeleton
from .plan import FingerPlan, HandPlan, JointPlan, ThumbPlan

TIP_MARKER_MM = 3.0
"""Length of the bones that only mark a fingertip."""


@dataclass(frozen=True, eq=False)
class FingerLayout:
    """One finger of a right hand at rest, in [mm]."""

    plan: FingerPlan
    """Its proportions."""
    joints: FloatArray
    """Start of each bone and the fingertip. Shape (bones + 1, 3)."""
    frames: FloatArray
    """Columns: flexion axis, along the bone, towards the pad. Shape (bones, 3, 3)."""

    @property
    def chain(self) -> FloatArray:
        """Joints from the knuckle to the fingertip. Shape (bones, 3)."""
        return self.joints[1:]


@dataclass(frozen=True, eq=False)
class HandLayout:
    """A right hand of flesh at rest."""

    plan: HandPlan
    """Its proportions."""
    thumb: FingerLayout
    """The thumb."""
    fingers: tuple[FingerLayout, ...]
    """The other fingers from the thumb's neighbour on."""

    @property
    def all_fingers(self) -> tuple[FingerLayout, ...]:
        """Thumb first."""
        return (self.thumb, *self.fingers)


def lay_out(plan: HandPlan) -> HandLayout:
    """Place all joints of a right hand."""
    return HandLayout(
        plan=plan,
        thumb=_lay_out_thumb(plan.thumb, plan.girth),
        fingers=tuple(_lay_out_finger(finger, plan.girth) for finger in plan.fingers),
    )


def turn_about(axis: int, angle_deg: float) -> FloatArray:
    """Rotation about a coordinate axis. Shape (3, 3)."""
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    matrix = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
    return matrix


def frame_along(direction: FloatArray, pad: FloatArray) -> FloatArray:
    """Frame with y along `direction` and z as near to `pad` as can be. Shape (3, 3)."""
    y = direction / np.linalg.norm(direction)
    z = pad - y * (pad @ y)
    z = z / np.linalg.norm(z)
    return np.stack([np.cross(y, z), y, z], axis=1)


def _lay_out_finger(plan: FingerPlan, girth: float) -> FingerLayout:
    base = np.array(plan.base_mm) * girth
    across = np.array([*plan.knuckle_mm]) * girth - base[:2]
    knuckle = base + np.array([*across, np.sqrt(plan.lengths_mm[0] ** 2 - across @ across)])
    roll, spread = np.radians(plan.roll_deg), np.radians(plan.spread_deg)
    pad = np.array([-np.sin(roll), -np.cos(roll), 0.0])
    straight = frame_along(np.array([np.sin(spread), 0.0, np.cos(spread)]), pad)
    metacarpal = frame_along(knuckle - base, pad)
    return _bend(plan, base, knuckle, metacarpal, straight)


def _lay_out_thumb(plan: ThumbPlan, girth: float) -> FingerLayout:
    finger = plan.finger
    base = np.array(finger.base_mm) * girth
    abduction, lift, nail = (np.radians(a) for a in (plan.abduction_deg, plan.lift_deg, plan.nail_deg))
    direction = np.array([np.sin(abduction) * np.cos(lift), -np.sin(lift), np.cos(abduction) * np.cos(lift)])
    frame = frame_along(direction, np.array([-np.sin(nail), -np.cos(nail), 0.0]))
    return _bend(finger, base, base + frame[:, 1] * finger.lengths_mm[0], frame, frame)


def _bend(
    plan: FingerPlan, base: FloatArray, knuckle: FloatArray, metacarpal: FloatArray, straight: FloatArray
) -> FingerLayout:
    joints, frames = [base, knuckle], [metacarpal]
    frame = straight
    for length, joint in zip(plan.lengths_mm[1:], plan.joints[1:], strict=True):
        frame = frame @ turn_about(0, joint.rest_deg)
        frames.append(frame)
        joints.append(joints[-1] + frame[:, 1] * length)
    return FingerLayout(plan=plan, joints=np.array(joints), frames=np.array(frames))


def make_skeleton(layout: HandLayout, side: str) -> Skeleton:
    """Bones of the right hand in [mm], named for `side`."""
    carpus = np.mean([finger.joints[0] for finger in layout.fingers], axis=0)
    names, parents, heads = [f"hand.{side}"], [-1], [np.zeros(3)]
    tails = [np.array([0.0, 0.0, carpus[2]])]
    frames = [frame_along(np.array([0.0, 0.0, 1.0]), np.array([0.0, -1.0, 0.0]))]
    deform = [True]
    for finger in layout.all_fingers:
        parent = 0
        marker = finger.joints[-1] + finger.frames[-1][:, 1] * TIP_MARKER_MM * layout.plan.girth
        ends = [*finger.joints[1:], marker]
        for k, bone in enumerate((*finger.plan.bones, "tip")):
            names.append(f"{finger.plan.name}.{bone}.{side}")
            parents.append(parent)
            parent = len(names) - 1
            heads.append(finger.joints[k])
            tails.append(ends[k])
            frames.append(finger.frames[min(k, len(finger.frames) - 1)])
            deform.append(bone != "tip")
    return Skeleton(
        names=tuple(names),
        parents=np.array(parents),
        heads=np.array(heads),
        tails=np.array(tails),
        rotations=np.array(frames),
        deform=np.array(deform),
    )


WRIST = JointPlan(flexion_deg=(-70.0, 80.0), spread_deg=(-20.0, 35.0))
"""Extension to flexion, and radial to ulnar deviation, of the wrist."""


def make_limits(layout: HandLayout) -> FloatArray:
    """Turns from rest in [rad] of all bones of the right hand. Shape (bones, 3, 2)."""
    rows = [_limits_of(WRIST)]
    for finger in layout.all_fingers:
        rows += [_limits_of(joint) for joint in finger.plan.joints]
        rows.append(np.zeros((3, 2)))
    return np.radians(np.array(rows))


def _limits_of(joint: JointPlan) -> FloatArray:
    low, high = joint.flexion_deg
    flexion = (0.0, 0.0) if low == high else (low - joint.rest_deg, high - joint.rest_deg)
    return np.array([flexion, joint.twist_deg, joint.spread_deg])
