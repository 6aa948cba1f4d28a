# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures that files bring along in the midst of an animation, brought to a standstill."""

from __future__ import annotations

from typing import Any

from mathutils import Matrix


def stop_animation(armature: Any, *, rest: bool, view_layer: Any) -> bool:
    """Have an armature object play no action any more, and give whether it did; drivers and constraints stay.

    The actions themselves stay in the file.

    Args:
        armature: The armature object.
        rest: Whether it takes its rest pose; else it stays as it is shown.
        view_layer: View layer that shows it.
    """
    data = armature.animation_data
    if data is None:
        return False
    tracks = [track for track in data.nla_tracks if not track.mute and len(track.strips)]
    if data.action is None and not tracks:
        return False
    if data.action is not None:
        data.action.use_fake_user = True
        data.action = None
    for track in tracks:
        track.mute = True
    if rest:
        for bone in armature.pose.bones:
            bone.matrix_basis = Matrix.Identity(4)
    view_layer.update()
    return True
