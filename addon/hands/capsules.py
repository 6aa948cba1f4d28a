# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand's volume as tapered capsules: one for each bone, several for the palm, fitted to the skin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from ..core.rotations import frame_from_zx, unit
from .skinning import SkinPoints, share_of

LEAST_POINTS = 6
"""Skin points that a cross-section needs."""
REACH = 0.3
"""How far a cross-section's points may lie from a bone's end, as a share of the bone."""

# Radii over the length of finger and thumb (from the knuckle, or the thumb's saddle joint, to the tip), at the first
# joint and at the tip. An index finger of 82 mm is about 20 mm thick at its knuckle and 14 mm near its tip.
FINGER_RADII = (0.125, 0.085)
THUMB_RADII = (0.14, 0.085)
PALM_RADIUS = 0.14
"""Half the palm's thickness over its length."""


@dataclass(frozen=True, eq=False)
class Capsules:
    """Tapered capsules: all points within the radius, which changes evenly from end to end, of a segment."""

    joints: IntArray
    """Joint that carries each, -1 for the wrist. Shape (k,)."""
    starts: FloatArray
    """First ends in the joint's frame (the hand's for the wrist) in [m]. Shape (k, 3)."""
    ends: FloatArray
    """Second ends in [m]. Shape (k, 3)."""
    radii: FloatArray
    """Radii at both ends in [m]. Shape (k, 2)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        k = len(self.joints)
        set_field = object.__setattr__
        set_field(self, "joints", frozen_ints(self.joints, (k,), "joints"))
        set_field(self, "starts", frozen_floats(self.starts, (k, 3), "starts"))
        set_field(self, "ends", frozen_floats(self.ends, (k, 3), "ends"))
        set_field(self, "radii", frozen_floats(self.radii, (k, 2), "radii"))


@dataclass(frozen=True, eq=False)
class Bones:
    """What capsules are fitted to, at rest in the hand's frame."""

    rotations: FloatArray
    """Joint frames. Shape (m, 3, 3)."""
    origins: FloatArray
    """Joint positions in [m]. Shape (m, 3)."""
    lengths: FloatArray
    """To the next joint or the tip in [m]. Shape (m,)."""
    directions: FloatArray
    """Towards the next joint or the tip: the frames' z axes but for a thumb's first joint. Shape (m, 3)."""
    finger_of: IntArray
    """Finger of each joint. Shape (m,)."""
    metacarpal: tuple[bool, ...]
    """Whether the joint is a metacarpal's. Length m."""
    thumb: int
    """Index of the thumb, -1 for none."""


def fit_capsules(bones: Bones, skin: SkinPoints | None) -> Capsules:
    """Capsules of all phalanges and of the palm.

    Args:
        bones: The hand at rest.
        skin: Points in the hand's frame; None for a bare armature, which gets fingers of usual thickness.
    """
    usual = _usual_radii(bones)
    owners = skin.owners if skin is not None else np.empty(0, dtype=np.int64)
    points = skin.points if skin is not None else np.empty((0, 3))
    joints: list[int] = []
    segments: list[FloatArray] = []
    radii: list[FloatArray] = []
    for j in range(len(bones.lengths)):
        if bones.metacarpal[j]:
            continue
        along = frame_from_zx(bones.directions[j], bones.rotations[j][:, 0])
        own = (points[owners == j] - bones.origins[j]) @ along
        last = j + 1 == len(bones.lengths) or bones.finger_of[j + 1] != bones.finger_of[j]
        segment, radius = _fit_bone(own, float(bones.lengths[j]), usual[j], last=last)
        joints.append(j)
        segments.append(segment @ along.T @ bones.rotations[j])
        radii.append(radius)
    inside = np.array([-1, *(j for j, inner in enumerate(bones.metacarpal) if inner)])
    flesh = points[np.isin(owners, inside)]
    for joint, segment, radius in _fit_palm(bones, flesh):
        joints.append(joint)
        segments.append(segment)
        radii.append(radius)
    stacked = np.array(segments)
    return Capsules(joints=np.array(joints), starts=stacked[:, 0], ends=stacked[:, 1], radii=np.array(radii))


def _usual_radii(bones: Bones) -> FloatArray:
    """Radii at both ends of each bone of a finger of usual thickness, in [m]. Shape (m, 2)."""
    out = np.empty((len(bones.lengths), 2))
    for f in np.unique(bones.finger_of):
        joints = [j for j in np.flatnonzero(bones.finger_of == f).tolist() if not bones.metacarpal[j]]
        total = float(bones.lengths[joints].sum())
        root, tip = THUMB_RADII if f == bones.thumb else FINGER_RADII
        passed = np.concatenate([[0.0], np.cumsum(bones.lengths[joints])]) / total
        along = total * (root + (tip - root) * passed)
        out[joints] = np.stack([along[:-1], along[1:]], axis=1)
    out[list(bones.metacarpal)] = 0.0
    return out


def _fit_bone(own: FloatArray, length: float, usual: FloatArray, *, last: bool) -> tuple[FloatArray, FloatArray]:
    """Segment (2, 3) and radii (2,) in the joint's frame from the skin points of one bone."""
    segment = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, length]])
    radii = usual.copy()
    found = [_cross_section(own, at=end * length, reach=REACH * length) for end in (0.0, 1.0)]
    for end, section in enumerate(found):
        known = section if section is not None else found[1 - end]
        if known is not None:
            centre, radii[end] = known
            segment[end, :2] = centre
    if last:
        # The round end stops where the skin does, or at the tip itself.
        far = float(share_of(own[:, 2], 0.995)) if len(own) >= LEAST_POINTS else length
        radii[1] = min(radii[1], 0.45 * far)
        segment[1, 2] = far - radii[1]
    return segment, radii


def _cross_section(own: FloatArray, *, at: float, reach: float) -> tuple[FloatArray, float] | None:
    """Centre (2,) and radius of the points near a place along z; None when there are too few."""
    near = own[np.abs(own[:, 2] - at) <= reach][:, :2]
    if len(near) < LEAST_POINTS:
        return None
    centre = 0.5 * (share_of(near, 0.05) + share_of(near, 0.95))
    return centre, float(share_of(np.linalg.norm(near - centre, axis=1), 0.6))


def _fit_palm(bones: Bones, flesh: FloatArray) -> list[tuple[int, FloatArray, FloatArray]]:
    """One capsule to each knuckle but the thumb's: joint, segment (2, 3) and radii (2,)."""
    fingers = [int(f) for f in np.unique(bones.finger_of) if f != bones.thumb]
    rays: list[tuple[int, FloatArray]] = []
    for f in fingers:
        joints = np.flatnonzero(bones.finger_of == f).tolist()
        inner = bones.metacarpal[joints[0]]
        knuckle = bones.origins[joints[1 if inner and len(joints) > 1 else 0]]
        start = bones.origins[joints[0]] if inner else 0.3 * knuckle
        rays.append((joints[0] if inner else -1, np.array([start, knuckle])))
    length = float(np.mean([np.linalg.norm(segment[1]) for _, segment in rays]))
    owner, along = _nearest_ray(flesh, [segment for _, segment in rays])
    out: list[tuple[int, FloatArray, FloatArray]] = []
    for k, (joint, segment) in enumerate(rays):
        radii = np.full(2, PALM_RADIUS * length)
        segment = segment.copy()
        for end in (0, 1):
            near = flesh[(owner == k) & (np.abs(along - end) <= 0.5)]
            if len(near) >= LEAST_POINTS:
                low, high = float(share_of(near[:, 1], 0.05)), float(share_of(near[:, 1], 0.95))
                radii[end] = 0.5 * (high - low)
                segment[end, 1] = 0.5 * (low + high)
        if joint >= 0:
            segment = (segment - bones.origins[joint]) @ bones.rotations[joint]
        out.append((joint, segment, radii))
    return out


def _nearest_ray(points: FloatArray, rays: list[FloatArray]) -> tuple[IntArray, FloatArray]:
    """Index of the segment nearest to each point, and where along it, 0 to 1, the point lies."""
    gaps = np.empty((len(points), len(rays)))
    places = np.empty((len(points), len(rays)))
    for k, (start, end) in enumerate(rays):
        span = float(np.linalg.norm(end - start))
        direction = unit(end - start)
        place = np.clip((points - start) @ direction, 0.0, span)
        gaps[:, k] = np.linalg.norm(points - start - place[:, None] * direction, axis=1)
        places[:, k] = place / max(span, 1e-9)
    owner = np.argmin(gaps, axis=1) if len(points) else np.empty(0, dtype=np.int64)
    return owner, places[np.arange(len(points)), owner]
