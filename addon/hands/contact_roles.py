# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a hand has to touch in a movement: pads, sides or palm, on any hand.

A movement says it in words of a human hand (`presets.movements.Touch`). Here they become bones and directions of one
hand, which `core.contact_regions` compares with where its skin touches, and `core.contact_faces` with what the object
looks like there. Fingers that a hand lacks are not asked for; a gripper is asked for all its fingers, with any face.
"""

from __future__ import annotations

import numpy as np

from ..core.arrays import BoolArray, FloatArray
from ..core.contact_faces import FaceWishes
from ..core.contact_regions import PAD_FROM, REGIONS, TIP_FROM, RegionWishes
from ..presets.movements import PALM, Movement, Touch
from .model import HandModel
from .movements import fingers_of

_TIP = np.array([0.0, -1.0, 1.0]) / np.sqrt(2.0)
"""Fingertips touch between their pad and their end."""
_REGIONS_OF = {
    "pad": ("palmar",),
    "palmar": ("palmar",),
    "tip": ("palmar", "end"),
    "side": ("side",),
    "outer": ("outer",),
    "any": REGIONS,
}


def wanted_touches(model: HandModel, movement: Movement) -> tuple[Touch, ...]:
    """Those of a movement's touches that a hand has the fingers for; all its own fingers for a gripper."""
    if model.radial:
        return tuple(Touch(finger, "any") for finger in model.fingers)
    known = tuple(each for each in movement.touch if each.finger in (*model.fingers, PALM))
    named = {each.finger for each in known}
    if named - {"thumb", PALM}:
        return known
    # None of the fingers that should press against the thumb is there: those that stand in for them do.
    face = next((each.face for each in movement.touch if each.finger not in ("thumb", PALM)), "any")
    part = fingers_of(model, movement)
    row = [name for name, takes in zip(model.fingers, part, strict=True) if takes and name != "thumb"]
    return (*known, *(Touch(name, face) for name in row))


def face_wishes(model: HandModel, movement: Movement) -> FaceWishes:
    """The bones of a hand that have to touch in a movement, and with which face."""
    touches = wanted_touches(model, movement)
    return FaceWishes(
        bones=np.array([_bones(model, each) for each in touches]).reshape(len(touches), len(model.names) + 1),
        directions=np.array([_direction(model, each.face) for each in touches]).reshape(len(touches), 3),
    )


def region_wishes(model: HandModel, movement: Movement) -> RegionWishes:
    """The bones of a hand that have to touch in a movement, and with which region of their skin."""
    touches = wanted_touches(model, movement)
    return RegionWishes(
        bones=np.array([_bones(model, each) for each in touches]).reshape(len(touches), len(model.names) + 1),
        regions=np.array([[name in _REGIONS_OF[each.face] for name in REGIONS] for each in touches]).reshape(-1, 5),
        shares=np.array([{"pad": PAD_FROM, "tip": TIP_FROM}.get(each.face, 0.0) for each in touches]),
        thumb_sign=thumb_sign(model),
    )


def thumb_sign(model: HandModel) -> float:
    """Where the thumb stands along x: 1 for right hands and -1 for left ones."""
    return -1.0 if model.side == "L" else 1.0


def bone_axes(model: HandModel) -> FloatArray:
    """Both ends of every bone's middle line in its own frame in [m], of the palm in the hand's. Shape (m + 1, 2, 3)."""
    out = np.zeros((len(model.names) + 1, 2, 3))
    out[-1, 1, 2] = model.palm_length
    out[:-1, 1] = model.directions * model.lengths[:, None]
    capsules = model.capsules
    for k, joint in enumerate(capsules.joints.tolist()):
        if joint >= 0:
            # The skin may lie off the bone; its middle line is what tells its faces apart.
            out[joint] = capsules.starts[k], capsules.ends[k]
    return out


def _bones(model: HandModel, touch: Touch) -> BoolArray:
    out = np.zeros(len(model.names) + 1, dtype=np.bool_)
    if touch.finger == PALM:
        # The ball of the thumb is part of the palm.
        palm = ("metacarpal", "carpometacarpal")
        out[[*(j for j, kind in enumerate(model.kinds) if kind in palm), -1]] = True
        return out
    joints = model.joints(touch.finger)
    out[joints[-1:] if touch.face in ("pad", "tip") else joints] = True
    if touch.finger == "thumb" and touch.face != "any" and len(joints) > 2:
        # A thumb's first bone is inside the palm's flesh.
        out[joints[0]] = False
    return out


def _direction(model: HandModel, face: str) -> FloatArray:
    """Where a face looks in the frame of its bone; nothing for any. Shape (3,)."""
    if face in ("pad", "palmar"):
        return np.array([0.0, -1.0, 0.0])
    if face == "tip":
        return _TIP
    thumb = np.array([thumb_sign(model), 0.0, 0.0])
    return {"side": thumb, "outer": -thumb}.get(face, np.zeros(3))
