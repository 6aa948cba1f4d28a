# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands of rods, for pictures of rigs that have no skin near their hands."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from addon.core.rotations import frame_from_zx
from addon.hands.forward import forward
from addon.hands.model import HandModel


class Capsules:
    """A hand of rods for rigs that have no skin, as thick as the model says, where the rig shows its bones."""

    def __init__(self, scene: Any) -> None:
        """Add the object to a scene."""
        self.mesh = bpy.data.meshes.new("Capsules")
        self.object = bpy.data.objects.new("Capsules", self.mesh)
        scene.collection.objects.link(self.object)

    def follow(self, model: HandModel, angles: np.ndarray, frame: np.ndarray) -> None:
        """Put every rod where its joint is."""
        frames, capsules = forward(model, angles), model.capsules
        points, faces = [], []
        for joint, start, end, radii in zip(
            capsules.joints, capsules.starts, capsules.ends, capsules.radii, strict=True
        ):
            turn = frames.rotations[joint] if joint >= 0 else np.eye(3)
            origin = frames.origins[joint] if joint >= 0 else np.zeros(3)
            rod, sides = _rod(origin + turn @ start, origin + turn @ end, radii)
            faces += (sides + sum(map(len, points))).tolist()
            points.append(rod @ frame[:3, :3].T + frame[:3, 3])
        self.mesh.clear_geometry()
        self.mesh.from_pydata(np.concatenate(points).tolist(), [], faces)
        self.mesh.shade_smooth()

    def remove(self) -> None:
        """Take the object away."""
        bpy.data.meshes.remove(self.mesh)


def _rod(start: np.ndarray, end: np.ndarray, radii: np.ndarray, rows: int = 9, columns: int = 20) -> Any:
    """Points (n, 3) and quads (m, 4) of a tapered capsule."""
    axis = end - start if np.linalg.norm(end - start) > 1e-9 else np.array([0.0, 0.0, 1e-6])
    axes = frame_from_zx(axis, np.array([0.9, 0.3, 0.31]))
    lift = np.concatenate([np.linspace(-np.pi / 2, 0.0, rows), np.linspace(0.0, np.pi / 2, rows)])
    upper = np.repeat([0, 1], rows)
    round_ = 2.0 * np.pi * np.arange(columns) / columns
    across = (radii[upper] * np.cos(lift))[:, None] * np.stack([np.cos(round_), np.sin(round_)])[:, None]
    along = (radii[upper] * np.sin(lift))[:, None] + np.zeros(columns)
    local = np.stack([across[0], across[1], along], axis=-1)
    places = np.stack([start, end])[upper][:, None] + local @ axes.T
    index = np.arange(2 * rows * columns).reshape(2 * rows, columns)
    beside = np.roll(index, -1, axis=1)
    quads = np.stack([index[:-1], beside[:-1], beside[1:], index[1:]], axis=-1).reshape(-1, 4)
    return places.reshape(-1, 3), quads
