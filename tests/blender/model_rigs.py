# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Armature objects of the tiny test hands."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from addon.core.handmap import HandMap
from addon.core.rotations import matrix_from_euler
from addon.hands.model import HandModel
from addon.rig.armatures import create_armature_object
from tests.unit.model_hands import HandShape, make_hand


def add_hand(shape: HandShape = HandShape(), *, matrix: Matrix | None = None) -> tuple[Any, HandMap]:
    """An armature object of a test hand in the scene, and its map."""
    skeleton, hand = make_hand(shape)
    armature = create_armature_object("Hand", skeleton, bpy.context.scene.collection)
    if matrix is not None:
        armature.matrix_world = matrix
    bpy.context.view_layer.update()
    return armature, hand


def placed(scale: float = 1.0, mirror: bool = False) -> Matrix:
    """An object's matrix with a turn, a place and a scale, mirrored if asked."""
    turn = Matrix(matrix_from_euler([0.3, -0.8, 1.9], "XYZ").tolist()).to_4x4()
    factors = (-scale if mirror else scale, scale, scale, 1.0)
    return Matrix.Translation((0.4, -0.3, 1.2)) @ turn @ Matrix.Diagonal(factors)


def random_posture(model: HandModel, seed: int) -> np.ndarray:
    """Angles within the limits, twist and sideways turns of a few degrees included."""
    rng = np.random.default_rng(seed)
    low, high = model.limits.ranges[..., 0], model.limits.ranges[..., 1]
    return low + rng.random(low.shape) * (high - low) + rng.uniform(-0.05, 0.05, low.shape)


def deform_state(armature: Any) -> list[tuple[float, ...]]:
    """All channels of all pose bones."""
    return [
        (*b.location, *b.rotation_quaternion, *b.rotation_euler, *b.rotation_axis_angle, *b.scale)
        for b in armature.pose.bones
    ]
