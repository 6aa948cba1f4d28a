# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The only place that asks which Blender this is: one function per difference between versions."""

from __future__ import annotations

from typing import Any

import bpy


def has_slotted_actions() -> bool:
    """Whether actions hold slots, layers and strips (Blender 4.4 and newer)."""
    return bpy.app.version >= (4, 4, 0)


def action_fcurves(action: Any, animated: Any) -> list[Any]:
    """The F-curves an action holds for one animated ID.

    `Action.fcurves` was removed in Blender 5.0; since 4.4 the curves live in the channel bag of the ID's slot.
    """
    if not has_slotted_actions():
        return list(action.fcurves)
    slot = animated.animation_data.action_slot
    return [
        curve
        for layer in action.layers
        for strip in layer.strips
        for bag in [strip.channelbag(slot)]
        if bag is not None
        for curve in bag.fcurves
    ]


def use_shader_nodes(owner: Any) -> Any:
    """The node tree of a material or world; since Blender 5.0 it is always there and asking for it is deprecated."""
    if bpy.app.version < (5, 0, 0):
        owner.use_nodes = True
    return owner.node_tree


def select_pose_bone(pose_bone: Any, state: bool) -> None:
    """Select a pose bone: the flag moved from `Bone` to `PoseBone` in Blender 5.0."""
    owner = pose_bone if bpy.app.version >= (5, 0, 0) else pose_bone.bone
    owner.select = state
