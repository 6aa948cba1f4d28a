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


def all_fcurves(action: Any) -> list[Any]:
    """The F-curves an action holds for whatever ID; since Blender 4.4 in the channel bags of its slots."""
    if not has_slotted_actions():
        return list(action.fcurves)
    return [
        curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags for curve in bag.fcurves
    ]


def new_fcurve(action: Any, animated: Any, path: str, index: int) -> Any:
    """A new F-curve of an action that is assigned to `animated`.

    Since Blender 4.4 it lives in a slot, which is made and assigned when it is first needed.
    """
    if not has_slotted_actions():
        return action.fcurves.new(path, index=index)
    return action.fcurve_ensure_for_datablock(animated, path, index=index)


def add_strip(track: Any, name: str, action: Any, animated: Any, frames: tuple[int, int]) -> Any:
    """A new NLA strip that shows the frames of an action where the action has them; since 4.4 it needs a slot."""
    strip = track.strips.new(name, frames[0], action)
    if has_slotted_actions():
        strip.action_slot = next(slot for slot in action.slots if slot.target_id_type in {"OBJECT", "UNSPECIFIED"})
    strip.action_frame_start, strip.action_frame_end = frames
    strip.frame_start, strip.frame_end = frames
    strip.name = name
    return strip


class _Curves:
    """New F-curves of one ID, in groups, whatever holds them."""

    def __init__(self, owner: Any, slotted: bool) -> None:
        self._owner = owner
        self._slotted = slotted

    def new(self, path: str, index: int, group: str) -> Any:
        """A new F-curve."""
        if not self._slotted:
            return self._owner.fcurves.new(path, index=index, action_group=group)
        curve = self._owner.fcurves.new(path, index=index)
        curve.group = self._owner.groups.get(group) or self._owner.groups.new(group)
        return curve


def new_pose_action(name: str, slot: str) -> tuple[Any, Any]:
    """A new action that is assigned to nothing, and what makes F-curves of an object in it.

    Since Blender 4.4 these live in a slot, which is named after the object and has to be made.
    """
    action = bpy.data.actions.new(name)
    if not has_slotted_actions():
        action.id_root = "OBJECT"
        return action, _Curves(action, slotted=False)
    made = action.slots.new(id_type="OBJECT", name=slot)
    bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(made, ensure=True)
    return action, _Curves(bag, slotted=True)
