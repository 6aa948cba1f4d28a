# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pin fingertips to the surface of an object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..core.handmap import HandMap
from ..rig.read import read_pose
from ..rig.tips import create_target, move_target, nearest_on_surface, read_targets, tips_collection
from .finger_ik import TipError
from .posture import model_of
from .tips import choose_fingers, fingertips


def pin_tips(
    armature: Any,
    hands: Sequence[HandMap],
    surface: Any,
    *,
    scene: Any,
    depsgraph: Any,
    fingers: Sequence[str] = (),
    selected: Iterable[str] = (),
) -> list[str]:
    """Put the targets of fingers on the nearest points of a surface, where they stay while hand and wrist move.

    A target that a finger has already is moved there; all go along with the object from then on.

    Args:
        armature: The armature object.
        hands: Which of its hands.
        surface: Mesh object to pin to.
        scene: Scene that new targets go to.
        depsgraph: Evaluated scene, for the surface as it is shown.
        fingers: Names of the fingers; those with selected bones, or all, if none are named.
        selected: Names of selected bones.

    Returns:
        Names of the targets.

    Raises:
        TipError: The object has no surface, or there is no such finger. Nothing was changed.
        PrehendError: The hand cannot be measured. Nothing was changed.
    """
    chosen = set(selected)
    wanted = []
    for hand in hands:
        model = model_of(armature, hand, objects=scene.objects)
        tips = fingertips(model, read_pose(armature, model))
        for name in choose_fingers(hand, fingers, chosen):
            tip = tips[model.fingers.index(name)]
            point = nearest_on_surface(surface, tip, depsgraph) if np.isfinite(tip).all() else None
            if point is None:
                raise TipError(f"'{surface.name}' has no surface to pin to: choose a mesh with faces.")
            wanted.append((hand, name, point, 0.05 * model.palm_length))
    present = {(each.wrist, each.finger): each.name for each in read_targets(armature, scene.objects)}
    pinned = []
    for hand, name, point, size in wanted:
        if (hand.wrist, name) in present:
            target = scene.objects[present[hand.wrist, name]]
            move_target(target, point, parent=surface)
        else:
            target = create_target(armature, hand, name, point, size=size, parent=surface)
            tips_collection(scene).objects.link(target)
        pinned.append(target.name)
    return pinned
