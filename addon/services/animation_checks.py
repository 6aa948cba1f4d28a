# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be wrong before a grasp is animated, each as one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import OutputError
from ..core.handmap import HandMap
from ..rig.actions import LAYER, is_own
from ..rig.placement import ArmatureMover, WristMover
from ..rig.read import read_pose
from ..rig.state import why_read_only
from ..rig.write import check_writable
from ..solvers.animation import Frames, GraspPlan
from .animation_check import wrist_off
from .animation_hand import HandKeys
from .animation_prop import locked_channels
from .animation_records import AnimationRecord
from .animation_request import KEYS, PARENT, AnimationError, AnimationRequest
from .closing_checks import check_object

NOT_REACHED = 5e-3
"""A hand that stays this far in [m] from where it puts the prop does not reach it."""
NOT_TURNED = 0.1
"""The same for its turn in [rad]."""


def check_animated(armature: Any, hand: HandMap, prop: Any, request: AnimationRequest) -> None:
    """See that hand and prop can be keyed.

    Raises:
        PrehendError: One of them cannot; the sentence says why.
    """
    check_writable(armature)
    if prop is None:
        raise AnimationError("Choose the prop that the hand holds: pick it in the Grasp panel, or select it too.")
    check_object(prop, armature, hand)
    if armature.data.pose_position == "REST":
        raise AnimationError(f"Armature '{armature.name}' shows its rest position: switch it to Pose Position first.")
    reason = why_read_only(prop)
    if reason is not None:
        raise OutputError(f"Object '{prop.name}' {reason}.")
    for obj in (armature, prop):
        _check_action(obj, request.existing)


def check_prop(
    prop: Any, request: AnimationRequest, frames: Frames, others: Sequence[AnimationRecord], *, own_parent: bool
) -> None:
    """See that a prop can follow in the way that was asked for.

    Args:
        prop: The prop.
        request: How it is to follow.
        frames: When what happens.
        others: Other animations of the same prop.
        own_parent: Whether its present parent is there because of the animation that is made anew.

    Raises:
        AnimationError: It cannot.
    """
    if (frames.carries or request.attach != KEYS) and locked_channels(prop):
        raise AnimationError(f"Channels of '{prop.name}' are locked: unlock its location and rotation first.")
    if request.attach == PARENT and prop.parent is not None and not own_parent:
        raise AnimationError(
            f"'{prop.name}' has a parent already: clear it first, or attach it by Keys or Child Of instead."
        )
    if others and (request.attach == PARENT or any(each.parented for each in others)):
        raise AnimationError(
            f"'{prop.name}' is held in several animations, and it can have one parent only: attach it by Keys or "
            "Child Of in all of them."
        )
    ours = {each.constraint for each in others}
    moved = [each.name for each in prop.constraints if not each.mute and each.name not in ours and each.influence > 0.0]
    if frames.carries and moved and not own_parent:
        raise AnimationError(
            f"'{prop.name}' is moved by its constraint '{moved[0]}': mute or apply it before it is carried."
        )


def check_range(frames: Frames, scene: Any) -> None:
    """See that an animation lies within its scene.

    Raises:
        AnimationError: It does not.
    """
    if frames.approach < scene.frame_start or frames.away > scene.frame_end:
        raise AnimationError(
            f"The animation takes frames {frames.approach} to {frames.away}, but the scene goes from "
            f"{scene.frame_start} to {scene.frame_end}: change the start, the durations or the scene's range."
        )


def check_apart(
    hand: str, frames: Frames, others: Sequence[AnimationRecord], same_prop: Sequence[AnimationRecord]
) -> None:
    """See that animations of one hand do not overlap, and that no hand carries a prop that another one holds.

    Args:
        hand: Wrist bone.
        frames: When what happens.
        others: Other animations of the same armature.
        same_prop: Other animations of the same prop, whoever holds it.

    Raises:
        AnimationError: They do.
    """
    for each in others:
        span = each.span
        if each.hand == hand and frames.approach < span.away and span.approach < frames.away:
            raise AnimationError(
                f"The frames {frames.approach} to {frames.away} overlap with another animation of {hand}, "
                f"{span.approach} to {span.away}: start after it, or before it."
            )
    for each in same_prop:
        span = each.span
        if frames.carries and frames.lift < span.hold and span.contact < frames.put:
            raise AnimationError(
                f"{each.hand} holds '{each.prop}' until frame {span.hold}, and {hand} would carry it from frame "
                f"{frames.lift}: start later."
            )


def check_movable(armature: Any, mover: WristMover | None) -> None:
    """See that an armature object that has to move may.

    Raises:
        AnimationError: Channels of it are locked.
    """
    if isinstance(mover, ArmatureMover) and locked_channels(armature):
        raise AnimationError(f"Channels of '{armature.name}' are locked: unlock its location and rotation first.")


def check_reached(plan: GraspPlan, keys: HandKeys, prop: Any, target: Any, path: Any = None) -> str:
    """See that a hand gets to where it carries the prop, as arms are as long as they are; the frame is changed.

    Returns:
        What a user should know; empty where the hand gets everywhere.

    Raises:
        AnimationError: It does not get to where the prop is put, or leaves the path on its way.
    """
    f = plan.frames
    if not f.carries:
        return ""
    worst, there = 0.0, f.put
    for frame in range(f.lift, f.put + 1):
        keys.scene.frame_set(frame)
        gap, turn = wrist_off(plan, frame, read_pose(keys.armature, keys.model))
        if max(gap / NOT_REACHED, turn / NOT_TURNED) > max(worst, 1.0):
            worst, there = max(gap / NOT_REACHED, turn / NOT_TURNED), frame
        if frame == there and worst > 0.0 and (frame == f.put or path is not None):
            way = f"along '{path.name}'" if path is not None else f"to '{target.name}'" if target else "so high"
            raise AnimationError(
                f"The arm cannot carry '{prop.name}' {way}: {1e3 * gap:.0f} mm and {np.degrees(turn):.0f} degrees are "
                f"missing at frame {frame}; choose one within reach."
            )
    if worst == 0.0:
        return ""
    return f"The arm cannot lift '{prop.name}' as high as asked: it is short of that most at frame {there}."


def _check_action(obj: Any, existing: str) -> None:
    data = obj.animation_data
    if data is None:
        return
    if data.use_tweak_mode:
        raise AnimationError(f"An NLA strip of '{obj.name}' is being edited: leave tweak mode first.")
    action = data.action
    if action is None or not (existing == LAYER or is_own(action)):
        return
    reason = why_read_only(action)
    if reason is not None:
        raise AnimationError(
            f"Action '{action.name}' of '{obj.name}' is linked from another file: choose New Action, or make it local."
        )
