# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions to write keys into: a new one above what there was, or the present one, until committed or rolled back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ..compat import action_slot_of, use_action_slot

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

    @property
    def pushed(self) -> str:
        """Name of the action that plays below now; empty for none."""
        return self.original.name if self.track is not None else ""

    def commit(self) -> None:
        """Keep what was written."""
        if self.track is not None:
            self.original.use_fake_user = True
        if self.backup is not None:
            bpy.data.actions.remove(self.backup)

    def rollback(self) -> None:
        """Leave everything as it was."""
        data, original = self.obj.animation_data, self.original
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
        data.action = original
        use_action_slot(data, self.slot)
        if not self.had_data:
            self.obj.animation_data_clear()
        bpy.data.actions.remove(made)


def begin_draft(obj: Any, name: str, *, existing: str, frames: tuple[int, int]) -> Draft:
    """Give an object an action to write to.

    Args:
        obj: The object.
        name: Name of a new action.
        existing: `NEW` pushes a present action down to a track of the NLA editor, where it goes on playing below;
            `LAYER` writes into it. An action that was made for grasps is always written into.
        frames: First and last frame that a pushed action has to cover.
    """
    had_data = obj.animation_data is not None
    data = obj.animation_data or obj.animation_data_create()
    original, slot, track = data.action, action_slot_of(data), None
    if original is not None and (existing == LAYER or is_own(original)):
        return Draft(obj, had_data, original, slot, None, original.copy())
    if original is not None:
        track = _push_down(data, original, slot, frames)
    made = bpy.data.actions.new(name)
    made[OWN_KEY] = True
    data.action = made
    return Draft(obj, had_data, original, slot, track, None)


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
