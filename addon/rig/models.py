# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand models of armature objects, built once and kept until their rest pose, scale, limits or skin change."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.handmap import HandMap
from ..core.limits import LimitSet
from ..hands.build import build_model
from ..hands.model import HandModel
from ..hands.skin_offset import off_by, skin_offset
from .own_limits import read_own_limits
from .read import read_placement
from .skeletons import read_skeleton
from .skin import fingerprint, read_skin, skin_objects
from .skin_place import read_skin_offset

MOST_MODELS = 16
"""Models that are kept."""
SKIN_REACH = 1.7
"""Radius in which skin is read, over the distance from the wrist to the farthest joint."""
SKIN_SPACING = 0.026
"""Distance of the skin's points, over the same: about 4 mm on an adult's hand, half of a pencil."""

_models: OrderedDict[tuple[Any, ...], HandModel] = OrderedDict()


def hand_model(armature: Any, hand: HandMap, limits: LimitSet, *, objects: Iterable[Any] = ()) -> HandModel:
    """The model of one hand of an armature object.

    Args:
        armature: The armature object.
        hand: Which of its bones make up the hand.
        limits: Where joint limits come from.
        objects: Objects among which its skin is looked for; none for a bare armature.

    Raises:
        ScaleError: The object is scaled unevenly.
        HandShapeError: The map does not make a hand on this armature.
    """
    placement = read_placement(armature)
    own = read_own_limits(armature, hand.bones())
    skins = skin_objects(armature, objects)
    rest = np.empty(16 * len(armature.data.bones), dtype=np.float32)
    armature.data.bones.foreach_get("matrix_local", rest)
    deforming = np.empty(len(armature.data.bones), dtype=np.bool_)
    armature.data.bones.foreach_get("use_deform", deforming)
    key = (
        armature.name_full,
        hand,
        limits.key,
        tuple((name, ranges.tobytes()) for name, ranges in own.items()),
        # A turned object's scale differs in its sixth digit from turn to turn.
        f"{placement.scale:.5g}",
        placement.mirrored,
        zlib.crc32(rest.tobytes()),
        tuple(bone.name for bone in armature.data.bones),
        deforming.tobytes(),
        tuple(fingerprint(obj, armature) for obj in skins),
    )
    if key not in _models:
        _models[key] = _build(armature, hand, limits, skins, own, mirrored=placement.mirrored)
    _models.move_to_end(key)
    while len(_models) > MOST_MODELS:
        _models.popitem(last=False)
    return _models[key]


def forget_models() -> None:
    """Have all models built anew."""
    _models.clear()


def _build(
    armature: Any, hand: HandMap, limits: LimitSet, skins: list[Any], own: dict[str, FloatArray], *, mirrored: bool
) -> HandModel:
    skeleton = read_skeleton(armature)
    if mirrored:
        # In the world a mirrored left hand is a right one.
        hand = replace(hand, side={"L": "R", "R": "L"}.get(hand.side, hand.side))
    skin = None
    if skins:
        bones = [skeleton.index(name) for name in hand.bones() if name in skeleton.names]
        wrist = skeleton.heads[bones[0]]
        reach = float(np.max(np.linalg.norm(skeleton.heads[bones] - wrist, axis=1)))
        skin = read_skin(
            armature, skeleton, skins, centre=wrist, radius=SKIN_REACH * reach, spacing=SKIN_SPACING * reach
        )
    model = build_model(skeleton, hand, limits, skin=skin, own_limits=own)
    # What lies round the wrist is looked at first, as reading a whole body takes longer than building a hand.
    if skins and (model.skin is None or (skin is not None and skin_offset(skeleton, skin) is not None)):
        note = _skin_note(read_skin_offset(armature, skins), skins, bare=model.skin is None)
        model = replace(model, notes=(*model.notes, *note))
    return model


def _skin_note(offset: FloatArray | None, skins: list[Any], *, bare: bool) -> tuple[str, ...]:
    names = ", ".join(obj.name for obj in skins)
    if offset is not None:
        return (f"The skin of {names} lies {off_by(offset)} off its bones: press Align Skin (Hand panel).",)
    if bare:
        return (f"No skin of {names} is round this hand's bones, so they touch as plain rods: bind it where they are.",)
    return ()
