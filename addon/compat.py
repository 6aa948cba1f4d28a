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
    if slot is None:
        return []
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


def action_slot_of(animated: Any) -> str:
    """Identifier of the slot that an animated ID or NLA strip uses; empty before Blender 4.4 or for none."""
    slot = getattr(animated, "action_slot", None)
    return slot.identifier if slot is not None else ""


def use_action_slot(animated: Any, identifier: str) -> None:
    """Have animation data or an NLA strip use a slot of its action; nothing to do before Blender 4.4."""
    if has_slotted_actions() and identifier and animated.action is not None:
        slot = animated.action.slots.get(identifier)
        if slot is not None:
            animated.action_slot = slot


def remove_fcurve(action: Any, animated: Any, curve: Any) -> None:
    """Remove an F-curve that an action holds for one ID; since Blender 4.4 it is in a channel bag."""
    if not has_slotted_actions():
        action.fcurves.remove(curve)
        return
    slot = animated.animation_data.action_slot
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(slot)
            if bag is not None and any(each == curve for each in bag.fcurves):
                bag.fcurves.remove(curve)
                return


def use_movie_format(settings: Any) -> bool:
    """Have images written as a film; False in builds without FFmpeg. Since Blender 5.0 films are a media type."""
    try:
        if hasattr(settings, "media_type"):
            settings.media_type = "VIDEO"
        settings.file_format = "FFMPEG"
    except TypeError:
        if hasattr(settings, "media_type"):
            settings.media_type = "IMAGE"
        return False
    return True


def strip_fcurves(strip: Any) -> list[Any]:
    """The F-curves that an NLA strip plays; since Blender 4.4 those of its slot."""
    action = strip.action
    if action is None:
        return []
    if not has_slotted_actions():
        return list(action.fcurves)
    if strip.action_slot is None:
        return []
    bags = [each.channelbag(strip.action_slot) for layer in action.layers for each in layer.strips]
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]
