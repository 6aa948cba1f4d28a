# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions to write keys into: a new one above what there was, or the present one, until committed or rolled back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bpy

from ..compat import action_fcurves, action_slot_of, strip_fcurves, use_action_slot

NEW, LAYER = "NEW", "LAYER"
OWN_KEY = "prehend_grasp"
"""Custom property of actions that were made for grasps."""


@dataclass(eq=False)
class Draft:
    """Changes to one object's animation that can still be taken back; lives no longer than the call that made it."""

    obj: Any
    had_data: bool
    """Whether there was any animation data before."""
    original: Any
    """The action before, or None."""
    slot: str
    """Its slot."""
    track: Any
    """NLA track that it was pushed down to, or None."""
    backup: Any
    """A copy of the action before, where it is written to itself, else None."""
    extrapolation: str = "HOLD"
    """What it did beyond its keys."""
    shared: bool = False
    """Whether another draft takes care of the same action."""
    underlay: Any = None
    """NLA track that gives channels of ours a value before our first key, or None."""

    @property
    def pushed(self) -> str:
        """Name of the action that plays below now; empty for none."""
        return self.original.name if self.track is not None else ""

    def lay_under(self, keys: Mapping[str, Sequence[int]], scene: Any) -> None:
        """Keep our first values for the time before our keys, where nothing below animates a channel.

        A channel that only an action above animates falls back to its default before that action begins.

        Args:
            keys: Frames of our keys by data path.
            scene: Scene whose frame is changed to see the values.
        """
        data = self.obj.animation_data
        strips = [strip for track in data.nla_tracks if not _is_underlay(track) for strip in track.strips]
        if not strips or (self.backup is None and self.track is None):
            return
        below = {curve.data_path for strip in strips for curve in strip_fcurves(strip)}
        bare = {path: min(frames) for path, frames in keys.items() if path not in below}
        if not bare:
            return
        mine, slot = data.action, action_slot_of(data)
        base, base_slot = bpy.data.actions.new(f"{mine.name} Base"), ""
        base[OWN_KEY] = True
        for frame in sorted(set(bare.values())):
            scene.frame_set(frame)
            data.action = base
            use_action_slot(data, base_slot)
            for path in (each for each, first in bare.items() if first == frame):
                self.obj.keyframe_insert(path, frame=min(bare.values()))
            base_slot = action_slot_of(data)
            data.action = mine
            use_action_slot(data, slot)
        self.underlay = data.nla_tracks.new()
        self.underlay.name = base.name
        strip = self.underlay.strips.new(base.name, min(bare.values()), base)
        use_action_slot(strip, base_slot)

    def commit(self) -> None:
        """Keep what was written."""
        if self.track is not None:
            self.original.use_fake_user = True
        if self.backup is not None:
            bpy.data.actions.remove(self.backup)
        if self.underlay is not None:
            remove_underlays(self.obj, keep=self.underlay)

    def rollback(self) -> None:
        """Leave everything as it was."""
        data, original = self.obj.animation_data, self.original
        if self.underlay is not None:
            _remove_track(data, self.underlay)
        if self.shared:
            use_action_slot(data, self.slot)
            return
        if self.backup is not None:
            # The copy takes the original's place everywhere, name included.
            name, self.backup.use_fake_user = original.name, original.use_fake_user
            original.user_remap(self.backup)
            bpy.data.actions.remove(original)
            self.backup.name = name
            use_action_slot(data, self.slot)
            return
        made = data.action
        if self.track is not None:
            data.nla_tracks.remove(self.track)
            data.action_extrapolation = self.extrapolation
        data.action = original
        use_action_slot(data, self.slot)
        if not self.had_data:
            self.obj.animation_data_clear()
        bpy.data.actions.remove(made)


def begin_draft(obj: Any, name: str, *, existing: str, frames: tuple[int, int], others: Iterable[Draft] = ()) -> Draft:
    """Give an object an action to write to.

    Args:
        obj: The object.
        name: Name of a new action.
        existing: `NEW` pushes a present action down to a track of the NLA editor, where it goes on playing below;
            `LAYER` writes into it. An action that was made for grasps is always written into.
        frames: First and last frame that a pushed action has to cover.
        others: Drafts of other objects, which may have the same action.
    """
    had_data = obj.animation_data is not None
    data = obj.animation_data or obj.animation_data_create()
    original, slot, track = data.action, action_slot_of(data), None
    if original is not None and (existing == LAYER or is_own(original)):
        if any(each.original == original for each in others):
            return Draft(obj, had_data, original, slot, None, None, shared=True)
        return Draft(obj, had_data, original, slot, None, original.copy())
    extrapolation = data.action_extrapolation
    if original is not None:
        track = _push_down(data, original, slot, frames)
        # Before its first key the new action leaves the one below alone.
        data.action_extrapolation = "HOLD_FORWARD"
    made = bpy.data.actions.new(name)
    made[OWN_KEY] = True
    data.action = made
    return Draft(obj, had_data, original, slot, track, None, extrapolation)


def clear_own(obj: Any) -> None:
    """Take away what was made for grasps and holds no keys any more: the action, and the values laid under it."""
    data = obj.animation_data
    if data is None or data.action is None or not is_own(data.action) or action_fcurves(data.action, obj):
        return
    action = data.action
    data.action, data.action_extrapolation = None, "HOLD"
    if not action.users:
        bpy.data.actions.remove(action)
    remove_underlays(obj)


def remove_underlays(obj: Any, *, keep: Any = None) -> None:
    """Remove NLA tracks that only give values to the time before our keys."""
    data = obj.animation_data
    for track in [each for each in data.nla_tracks if _is_underlay(each) and each != keep]:
        _remove_track(data, track)


def _is_underlay(track: Any) -> bool:
    return bool(len(track.strips)) and all(strip.action is not None and is_own(strip.action) for strip in track.strips)


def _remove_track(data: Any, track: Any) -> None:
    bases = [strip.action for strip in track.strips]
    data.nla_tracks.remove(track)
    for base in bases:
        if not base.users:
            bpy.data.actions.remove(base)


def is_own(action: Any) -> bool:
    """Whether an action was made for grasps."""
    return bool(action.get(OWN_KEY, False))


def _push_down(data: Any, action: Any, slot: str, frames: tuple[int, int]) -> Any:
    """What Blender's own Push Down does, for a strip long enough for curves that go on beyond their keys."""
    first = min(frames[0], int(action.frame_range[0]))
    last = max(frames[1], int(action.frame_range[1]) + 1)
    track = data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, first, action)
    use_action_slot(strip, slot)
    strip.action_frame_start, strip.action_frame_end = first, last
    strip.frame_start, strip.frame_end = first, last
    data.action = None
    return track
