# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing and linear blend skinning of built hands in numpy: the twin of what Blender does with them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from addon.core.arrays import FloatArray
from addon.shapes.hand import HandBuild


def turn(angles_deg: tuple[float, float, float]) -> FloatArray:
    """Rotation about x, then y, then z."""
    result = np.eye(3)
    for axis, angle in enumerate(np.radians(angles_deg)):
        c, s = np.cos(angle), np.sin(angle)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        step = np.eye(3)
        step[i, i], step[i, j], step[j, i], step[j, j] = c, -s, s, c
        result = step @ result
    return result


def pose_transforms(build: HandBuild, pose: Mapping[str, tuple[float, float, float]]) -> FloatArray:
    """What moves rest points with each bone when bones are turned by `pose` in [deg]. Shape (bones, 4, 4)."""
    skeleton = build.skeleton
    transforms = np.tile(np.eye(4), (len(skeleton.names), 1, 1))
    for k, name in enumerate(skeleton.names):
        frame, head = skeleton.rotations[k], skeleton.heads[k]
        spin = frame @ turn(pose.get(name, (0.0, 0.0, 0.0))) @ frame.T
        local = np.eye(4)
        local[:3, :3], local[:3, 3] = spin, head - spin @ head
        parent = int(skeleton.parents[k])
        transforms[k] = local if parent < 0 else transforms[parent] @ local
    return transforms


def posed_head(build: HandBuild, bone: str, pose: Mapping[str, tuple[float, float, float]]) -> FloatArray:
    """Where a bone's head goes."""
    k = build.skeleton.index(bone)
    return (pose_transforms(build, pose)[k] @ np.append(build.skeleton.heads[k], 1.0))[:3]


def skinned(build: HandBuild, pose: Mapping[str, tuple[float, float, float]]) -> FloatArray:
    """Vertices of the posed skin. Shape (n, 3)."""
    blended = np.einsum("nb,bij->nij", build.weights, pose_transforms(build, pose))
    return np.einsum("nij,nj->ni", blended[:, :3, :3], build.mesh.vertices) + blended[:, :3, 3]
