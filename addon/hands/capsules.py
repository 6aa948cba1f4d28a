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
EDGE = 0.93
"""Where between the innermost and the outermost skin points of a side its surface is taken to be."""
BORROWED = 15
"""Skin points as which the whole palm counts in the thickness at one of its rays."""
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
    """One capsule to each knuckle but the thumb's and one across the heel: joint, segment (2, 3) and radii (2,)."""
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
    across = np.array([float(segment[:, 0].mean()) for _, segment in rays])
    out: list[tuple[int, FloatArray, FloatArray]] = []
    starts: list[FloatArray] = []
    # What lies behind a ray's start or before its end belongs to the palm's heel or to the fingers.
    beside = (along > 0.0) & (along < 1.0)
    whole = _thickness(along[beside], flesh[beside, 1])
    for k, (joint, segment) in enumerate(rays):
        radii = np.full(2, PALM_RADIUS * length)
        segment = segment.copy()
        own = beside & (owner == k)
        found = _thickness(along[own], flesh[own, 1]) or whole
        if found is not None and whole is not None:
            # The fewer points a ray has, the more it is like the whole palm.
            trust = np.sum(own) / (np.sum(own) + BORROWED)
            segment[:, 1], radii = (
                trust * mine + (1.0 - trust) * all_ for mine, all_ in zip(found, whole, strict=True)
            )
            segment[:, 0] = _to_edge(segment[:, 0], radii, along[own], flesh[own, 0], across, k)
        starts.append(segment[0])
        if joint >= 0:
            segment = (segment - bones.origins[joint]) @ bones.rotations[joint]
        out.append((joint, segment, radii))
    if len(flesh) < LEAST_POINTS:
        return out
    # Between the wrist and the rays, where few points make no shape, it is as thick as where the rays start.
    heel = _fit_heel(flesh[(along == 0.0) & (flesh[:, 2] > 0.0)], np.array(starts))
    if heel is None:
        first, last = int(np.argmin(across)), int(np.argmax(across))
        ends = np.array([starts[first], starts[last]]) * np.array([1.0, 1.0, 0.5])
        heel = ends, np.array([out[first][2][0], out[last][2][0]])
    return [*out, (-1, heel[0], heel[1])]


def _to_edge(
    x: FloatArray, radii: FloatArray, places: FloatArray, widths: FloatArray, across: FloatArray, ray: int
) -> FloatArray:
    """Ends of a ray along x, moved so that an outer ray's capsule ends at the palm's edge. Shape (2,).

    Args:
        x: The ends in [m]. Shape (2,).
        radii: The capsule's radii in [m]. Shape (2,).
        places: Where along the ray its skin points lie, 0 to 1. Shape (p,).
        widths: Their x in [m]. Shape (p,).
        across: Where all rays lie along x in [m]. Shape (r,).
        ray: Which of them this is.
    """
    out = x.copy()
    for sign in (-1.0, 1.0):
        if np.any(sign * across > sign * across[ray]):
            continue
        beyond = sign * widths > sign * np.interp(places, [0.0, 1.0], x)
        if np.sum(beyond) >= LEAST_POINTS:
            line = _line(places[beyond], sign * widths[beyond], EDGE)
            edge = np.array([line[0], line[0] + line[1]])
            out = sign * np.clip(edge - radii, sign * out - radii, sign * out + radii)
    return out


def _fit_heel(flesh: FloatArray, starts: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Segment (2, 3) and radii (2,) of a capsule across the palm between the wrist and the rays; None without shape.

    Args:
        flesh: Skin points behind the rays, in front of the wrist. Shape (p, 3).
        starts: Where the rays start. Shape (r, 3).
    """
    if len(flesh) < 2 * LEAST_POINTS:
        return None
    low, high = float(share_of(flesh[:, 0], 0.02)), float(share_of(flesh[:, 0], 0.98))
    if high - low < 1e-9:
        return None
    found = _thickness((flesh[:, 0] - low) / (high - low), flesh[:, 1])
    if found is None:
        return None
    centres, radii = found
    # The round ends stop where the skin does.
    ends = np.array([low + radii[0], high - radii[1]])
    if ends[0] > ends[1]:
        ends[:] = 0.5 * (low + high)
    across = (ends - low) / (high - low)
    middle = 0.5 * float(starts[:, 2].mean())
    return (
        np.stack([ends, np.interp(across, [0.0, 1.0], centres), np.full(2, middle)], axis=1),
        np.interp(across, [0.0, 1.0], radii),
    )


def _thickness(places: FloatArray, heights: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Middle and half thickness of flesh at both ends, each of shape (2,); None when there are too few points.

    Back and front of the flesh are straight lines fitted to all points of that side, so that an end with few points is
    told by the others, not by those few.

    Args:
        places: Where along the flesh each skin point lies, 0 to 1. Shape (p,).
        heights: How far out of its back, in [m]. Shape (p,).
    """
    if len(places) < LEAST_POINTS:
        return None
    middle = _line(places, heights, 0.5)
    back = heights > middle[0] + middle[1] * places
    if min(np.sum(back), np.sum(~back)) < LEAST_POINTS // 2:
        return None
    sides = [_line(places[side], heights[side], share) for side, share in ((~back, 1.0 - EDGE), (back, EDGE))]
    ends = np.array([[line[0], line[0] + line[1]] for line in sides])
    radii = 0.5 * (ends[1] - ends[0])
    least = 0.25 * float(np.ptp(heights))
    return 0.5 * (ends[0] + ends[1]), np.clip(radii, least, 2.0 * least)


def _line(x: FloatArray, y: FloatArray, share: float) -> FloatArray:
    """Value at 0 and slope of the line whose squared distances weigh `share` above it, the rest below. Shape (2,)."""
    centre = float(x.mean())
    spread = float(np.sum((x - centre) ** 2))
    weights = np.ones(len(x))
    line = np.array([float(y.mean()), 0.0])
    for _ in range(8):
        total = weights.sum()
        mean_x, mean_y = float(weights @ x / total), float(weights @ y / total)
        # Points in one place say nothing of a slope: a little stiffness keeps it flat.
        stiff = float(weights @ (x - mean_x) ** 2) + 0.02 * spread + 1e-6
        slope = float(weights @ ((x - mean_x) * (y - mean_y))) / stiff
        line = np.array([mean_y - slope * mean_x, slope])
        weights = np.where(y > line[0] + line[1] * x, share, 1.0 - share)
    return line


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
