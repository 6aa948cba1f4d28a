# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames of the timeline are exported, and under which names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..compat import action_fcurves
from ..core.errors import PrehendError
from ..rig.export_writers import Take
from .animation_records import load_animations

TIMELINE = "timeline"
GRASPS = "grasps"
USUAL_NAME = "Grasp"
"""What a take of the whole timeline is called in the file."""


class FrameRangeError(PrehendError):
    """Frames were asked for that there are not."""


def whole_timeline(scene: Any, frames: tuple[int, int] | None = None) -> Take:
    """One take of the scene's frames, or of some of them.

    Raises:
        FrameRangeError: The frames run backwards or lie outside the scene.
    """
    first, last = frames if frames is not None else (scene.frame_start, scene.frame_end)
    if last < first:
        raise FrameRangeError(f"Frames {first} to {last} run backwards: give the first frame first.")
    check_inside(scene, first, last)
    return Take(USUAL_NAME, first, last, keeps_frames=True)


def check_inside(scene: Any, first: int, last: int) -> None:
    """See that frames lie in the scene's range.

    Raises:
        FrameRangeError: They do not.
    """
    if first < scene.frame_start or last > scene.frame_end:
        raise FrameRangeError(
            f"Frames {first} to {last} lie outside the scene's {scene.frame_start} to {scene.frame_end}: choose frames "
            f"within it or make the scene longer."
        )


def check_takes(scene: Any, takes: Sequence[Take]) -> None:
    """See that takes have names of their own and frames of the scene.

    Raises:
        FrameRangeError: They do not.
    """
    if not takes:
        raise FrameRangeError("There is no take to export: give at least one.")
    names = [take.name for take in takes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FrameRangeError(f"Two takes are called '{twice}': give each a name of its own.")
    for take in takes:
        if not take.name.strip():
            raise FrameRangeError("A take has no name: give it one.")
        if take.end < take.start:
            raise FrameRangeError(f"Take '{take.name}' runs backwards: give the first frame first.")
        check_inside(scene, take.start, take.end)


def grasp_takes(scene: Any, armature: Any) -> list[Take]:
    """One take for each animation of an armature: its animated grasps, else its NLA strips, else what is keyed.

    Raises:
        FrameRangeError: Nothing is keyed, or keys lie outside the scene.
        AnimationError: The animated grasps cannot be read.
    """
    data = armature.animation_data
    takes = _recorded(armature)
    if data is not None and not takes:
        for track in data.nla_tracks:
            for strip in track.strips:
                if not track.mute and not strip.mute:
                    takes.append(Take(strip.name, round(strip.frame_start), round(strip.frame_end)))
        if not takes and data.action is not None:
            keyed = [key.co[0] for curve in action_fcurves(data.action, armature) for key in curve.keyframe_points]
            if keyed:
                takes.append(Take(data.action.name, round(min(keyed)), round(max(keyed))))
    if not takes:
        raise FrameRangeError(f"Armature '{armature.name}' has no animation: animate a grasp or export the timeline.")
    takes = _with_own_names(sorted(takes, key=lambda take: take.start))
    check_takes(scene, takes)
    return takes


def requested_takes(
    scene: Any, armature: Any, takes: str, frames: str = "scene", custom: tuple[int, int] = (1, 1)
) -> list[Take]:
    """The takes that a choice means.

    Args:
        scene: The scene.
        armature: The armature object.
        takes: "timeline" for one, "grasps" for one per animation.
        frames: Of one take: "scene", "grasp" for the hand's animation or "custom".
        custom: First and last frame of "custom".

    Raises:
        FrameRangeError: There are no such frames.
    """
    if takes == GRASPS:
        return grasp_takes(scene, armature)
    if frames == "grasp":
        found = grasp_takes(scene, armature)
        return [whole_timeline(scene, (min(each.start for each in found), max(each.end for each in found)))]
    return [whole_timeline(scene, custom if frames == "custom" else None)]


def _recorded(armature: Any) -> list[Take]:
    """Takes of the animated grasps that are kept with an armature, each called after what is taken."""
    return [Take(each.prop, each.span.approach, each.span.away) for each in load_animations(armature)]


def _with_own_names(takes: Sequence[Take]) -> list[Take]:
    result: list[Take] = []
    for take in takes:
        name, number = take.name, 1
        while any(each.name == name for each in result):
            number += 1
            name = f"{take.name} {number}"
        result.append(replace(take, name=name))
    return result


def parse_range(text: str) -> tuple[int, int]:
    """Frames given as A:B.

    Raises:
        FrameRangeError: They are not.
    """
    try:
        first, last = (int(part) for part in text.split(":"))
    except ValueError as error:
        raise FrameRangeError(f"'{text}' is no range of frames: give it as FIRST:LAST, such as 1:64.") from error
    return first, last


def parse_take(text: str) -> Take:
    """A take given as NAME=A:B.

    Raises:
        FrameRangeError: It is not.
    """
    name, equals, frames = text.rpartition("=")
    if not equals:
        raise FrameRangeError(f"'{text}' is no take: give it as NAME=FIRST:LAST, such as lift=1:64.")
    first, last = parse_range(frames)
    return Take(name, first, last)
