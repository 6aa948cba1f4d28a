# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects and bones of every rotation mode go exactly where they are wanted, near gimbal lock as elsewhere."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from addon.core.rotations import EULER_ORDERS, angle_between, matrix_from_euler
from addon.rig.channels import get_rotation, place_object, set_rotation
from tests.blender.closing_scenes import demo, update
from tests.blender.test_animating import SHORT, animate, assert_clean, held, show

NEAR = (0.0, 1e-7, 1e-5, 3e-4, -2e-3, 0.05)
"""How far in [rad] from gimbal lock."""
EXACT = 1e-6
"""Angle in [rad] that single precision leaves; a decimetre away that is a ten-thousandth of a millimetre."""


def turned(order: str, off: float, sign: float = 1.0) -> np.ndarray:
    """A turn whose middle angle in an order of Euler angles is near a quarter turn. Shape (3, 3)."""
    angles = np.array([0.7, 0.7, 0.7])
    angles["XYZ".index(order[1])] = sign * np.pi / 2.0 + off
    angles["XYZ".index(order[2])] = -1.1
    return matrix_from_euler(angles, order)


def add_cube(mode: str, *, parented: bool) -> Any:
    cube = bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube"))
    bpy.context.scene.collection.objects.link(cube)
    cube.rotation_mode, cube.scale = mode, (1.0, 2.0, 0.5)
    if parented:
        parent = bpy.data.objects.new("Parent", None)
        bpy.context.scene.collection.objects.link(parent)
        parent.matrix_world = Matrix.LocRotScale((0.1, 0.2, 0.3), Euler((0.4, 0.5, 0.6)), (2.0, 2.0, 2.0))
        cube.parent = parent
    update()
    return cube


@pytest.mark.parametrize("parented", [False, True])
@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", *EULER_ORDERS])
def test_objects_are_placed_exactly_near_gimbal_lock(mode: str, parented: bool) -> None:
    cube = add_cube(mode, parented=parented)
    order = mode if mode in EULER_ORDERS else "XYZ"
    if mode == "ZXY":
        cube.delta_rotation_euler = (0.3, -0.2, 0.1)
    for sign in (1.0, -1.0):
        for off in NEAR:
            wanted = np.eye(4)
            wanted[:3, :3] = turned(order, off, sign) * 1.7
            wanted[:3, 3] = 0.3, -0.2, 0.1
            place_object(cube, wanted)
            update()
            shown = np.array(cube.matrix_world, dtype=np.float64)
            assert cube.rotation_mode == mode
            assert float(angle_between(shown[:3, :3] / 1.7, wanted[:3, :3] / 1.7)) < EXACT, off
            assert np.allclose(shown, wanted, atol=2e-6)


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_bones_are_turned_exactly_near_gimbal_lock(order: str) -> None:
    bone = demo("gripper_2", prop=None).armature.pose.bones[0]
    bone.rotation_mode = order
    for off in NEAR:
        wanted = turned(order, off)
        set_rotation(bone, wanted)
        update()
        assert float(angle_between(get_rotation(bone), wanted)) < EXACT
        shown = np.array(bone.matrix_basis.to_3x3(), dtype=np.float64)
        assert float(angle_between(shown, wanted)) < EXACT, off


@pytest.mark.long
@pytest.mark.parametrize("order", ["XYZ", "ZXY", "YZX"])
def test_hands_and_props_near_gimbal_lock_are_animated_as_cleanly(order: str) -> None:
    scene = held("gripper_2")
    # Both where their Euler angles are singular, and through it on the way.
    motion = np.eye(4)
    motion[:3, :3] = turned(order, 1e-4) @ np.array(scene.armature.matrix_world.to_3x3()).T
    place = np.array(scene.prop.matrix_world, dtype=np.float64)
    for obj in (scene.armature, scene.prop):
        obj.rotation_mode = order
        place_object(obj, motion @ np.array(obj.matrix_world, dtype=np.float64))
    update()
    target = bpy.data.objects.new("Put Down", None)
    bpy.context.scene.collection.objects.link(target)
    target.rotation_mode = "QUATERNION"
    target.matrix_world = Matrix((motion @ place).tolist()) @ Matrix.Rotation(0.4, 4, "X")
    target.location[0] += 0.1
    update()
    report = animate(scene, target=target, durations=SHORT)
    assert report.drift_mm <= 2e-3
    assert report.jump_mm <= 1e-3
    assert_clean(scene, report)
    show(report.frames.put)
    middle = np.array(target.matrix_world) @ np.linalg.inv(np.array(scene.prop.matrix_world))
    assert np.abs(middle - np.eye(4)).max() < 1e-4
