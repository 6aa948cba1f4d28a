# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Take an animated grasp away again, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.handmap import HandMap
from ..rig.actions import clear_own
from ..rig.channels import place_object
from ..rig.keyframes import insert_again, remove_keys
from ..rig.state import why_read_only
from ..rig.write import check_writable
from .animation_prop import detach
from .animation_records import AnimationRecord, load_animations, store_animations
from .animation_request import AnimationError


def remove_animation(armature: Any, hand: HandMap, prop: Any, *, scene: Any, view_layer: Any) -> AnimationRecord:
    """Take away the last animation of a hand and a prop; both are left as they were while it was held.

    Raises:
        PrehendError: There is none, or it cannot be changed. Nothing was changed.
    """
    check_writable(armature)
    records = load_animations(armature)
    mine = [each for each in records if each.hand == hand.wrist and prop is not None and each.prop == prop.name]
    if not mine:
        name = f"'{prop.name}'" if prop is not None else "anything"
        raise AnimationError(f"{hand.wrist} is not animated with {name}: press Animate first.")
    record = mine[-1]
    for obj in (armature, prop):
        action = obj.animation_data.action if obj.animation_data is not None else None
        reason = why_read_only(action) if action is not None else None
        if reason is not None:
            raise AnimationError(f"Action '{action.name}' {reason}.")
    detach(prop, constraint=record.constraint, parented=record.parented)
    for obj, keys, taken in ((armature, record.keys, record.taken), (prop, record.prop_keys, record.prop_taken)):
        remove_keys(obj, keys)
        insert_again(obj, taken)
        clear_own(obj)
    store_animations(armature, [each for each in records if each is not record])
    bare = not any(each.prop == prop.name for each in records if each is not record)
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
    if bare and not record.prop_taken:
        place_object(prop, np.array(record.place))
    view_layer.update()
    return record
