# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the bones of closed hands press on an object: the skin that lies deepest and what is near it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.arrays import FloatArray
from ..core.articulation import joint_frames
from ..core.contact_regions import TOUCHING, Patches
from .closing import Distance, Skinned

SOFT = TOUCHING
"""Skin this much farther away in [m] than the deepest of its bone is part of where that presses."""


def measure_patches(
    skinned: Skinned,
    angles: FloatArray,
    wrists: FloatArray,
    distance: Distance,
    *,
    axes: FloatArray,
    within: float,
    normals: Callable[[FloatArray], FloatArray],
) -> Patches:
    """Where every bone presses; distances above `within` in [m] may be told too short.

    Args:
        skinned: The skin.
        angles: Postures in [rad]. Shape (a, m, 3).
        wrists: The hand's frames in the world in [m]. Shape (a, 3, 4).
        distance: Distance to the object.
        axes: Both ends of every bone's middle line in its own frame in [m], the palm last. Shape (m + 1, 2, 3).
        within: Up to where distances are measured exactly.
        normals: Directions in which the distance grows: points (n, 3) to unit vectors (n, 3). Asked only where balls
            stand for skin.
    """
    places = skinned.all_positions(skinned.motions(angles, wrists))
    gaps = _gaps(skinned, places, distance, within)
    balls = (gaps < within) & (skinned.probes.radii > 0.0)
    if balls.any():
        # A ball touches on the side that looks to the object.
        radii = np.broadcast_to(skinned.probes.radii, gaps.shape)[balls]
        places[balls] -= radii[:, None] * normals(places[balls])
    frames = joint_frames(skinned.hand.articulation, angles)
    in_hand = np.einsum("aji,apj->api", wrists[:, :, :3], places - wrists[:, None, :, 3])
    count, m = len(angles), len(skinned.hand.finger_of)
    directions, shares = np.zeros((count, m + 1, 3)), np.zeros((count, m + 1))
    lowest = np.full((count, m + 1), np.inf)
    owners = skinned.probes.owners
    for owner in np.unique(owners).tolist():
        mine = np.flatnonzero(owners == owner)
        local = in_hand[:, mine]
        if owner >= 0:
            turn, origin = frames.rotations[:, owner], frames.origins[:, owner]
            local = np.einsum("aji,apj->api", turn, local - origin[:, None])
        off, share = off_axis(axes[owner], local)
        near = gaps[:, mine]
        lowest[:, owner] = near.min(axis=1)
        weights = np.maximum(lowest[:, owner, None] + SOFT - near, 0.0)
        weights /= weights.sum(axis=1, keepdims=True)
        mean = np.einsum("ap,api->ai", weights, off)
        directions[:, owner] = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
        shares[:, owner] = np.einsum("ap,ap->a", weights, share)
    return Patches(directions, shares, lowest)


def off_axis(axis: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Unit directions (..., 3) of points off a line with two ends (2, 3), and where along it (...), 0 to 1 between."""
    along = axis[1] - axis[0]
    share = (points - axis[0]) @ along / max(float(along @ along), 1e-18)
    off = points - axis[0] - np.clip(share, 0.0, 1.0)[..., None] * along
    return off / np.maximum(np.linalg.norm(off, axis=-1, keepdims=True), 1e-12), share


def _gaps(skinned: Skinned, places: FloatArray, distance: Distance, within: float) -> FloatArray:
    """Distances of all skin in [m], exact under `within`, a lower bound else. Shape (a, p)."""
    leads, lead_of = skinned.speakers
    spoken = places[:, leads]
    asked = distance(spoken.reshape(-1, 3)).reshape(spoken.shape[:2])[:, lead_of]
    gaps = asked - np.linalg.norm(places - spoken[:, lead_of], axis=2) - skinned.probes.radii
    posture, probe = np.nonzero(gaps < within)
    gaps[posture, probe] = distance(places[posture, probe]) - skinned.probes.radii[probe]
    return gaps
