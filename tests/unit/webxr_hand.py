# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The flat hands of WebXR: every joint a bone without a parent, names without a side.

Joint names, order and rest positions, rounded to millimetres, are those of the files generic-hand/left.glb and
right.glb in the npm package @webxr-input-profiles/assets 1.0.20, MIT License, Copyright (c) 2019 Amazon.
"""

from __future__ import annotations

import numpy as np

from addon.core.arrays import FloatArray
from addon.core.handmap import FingerMap
from addon.core.skeleton import Skeleton
from tests.unit.detection_rigs import RigBuilder, with_nonsense_tails

# Left and right, x, y (up) and z in millimetres, as glTF has its axes.
_JOINTS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "wrist": ((-37, 56, 8), (39, 56, 9)),
    "thumb-metacarpal": ((-18, 20, -20), (20, 20, -19)),
    "thumb-phalanx-proximal": ((-3, -3, -37), (5, -3, -36)),
    "thumb-phalanx-distal": ((6, -27, -59), (-5, -27, -58)),
    "thumb-tip": ((12, -36, -70), (-10, -36, -69)),
    "index-finger-metacarpal": ((-32, 20, -1), (32, 27, -1)),
    "index-finger-phalanx-proximal": ((-30, -36, -15), (32, -33, -14)),
    "index-finger-phalanx-intermediate": ((-27, -78, -14), (29, -78, -13)),
    "index-finger-phalanx-distal": ((-25, -102, -13), (26, -102, -12)),
    "index-finger-tip": ((-25, -113, -11), (27, -114, -10)),
    "middle-finger-metacarpal": ((-32, 27, 5), (33, 27, 6)),
    "middle-finger-phalanx-proximal": ((-35, -36, 6), (37, -36, 7)),
    "middle-finger-phalanx-intermediate": ((-30, -82, 11), (32, -82, 12)),
    "middle-finger-phalanx-distal": ((-28, -109, 14), (29, -110, 15)),
    "middle-finger-tip": ((-29, -121, 15), (30, -122, 16)),
    "ring-finger-metacarpal": ((-32, 29, 16), (33, 29, 17)),
    "ring-finger-phalanx-proximal": ((-31, -29, 26), (33, -29, 27)),
    "ring-finger-phalanx-intermediate": ((-26, -70, 35), (28, -71, 36)),
    "ring-finger-phalanx-distal": ((-23, -96, 41), (25, -96, 42)),
    "ring-finger-tip": ((-22, -108, 44), (24, -108, 45)),
    "pinky-finger-metacarpal": ((-28, 22, 31), (30, 22, 32)),
    "pinky-finger-phalanx-proximal": ((-24, -18, 43), (25, -18, 44)),
    "pinky-finger-phalanx-intermediate": ((-19, -51, 50), (21, -52, 52)),
    "pinky-finger-phalanx-distal": ((-16, -70, 57), (18, -71, 58)),
    "pinky-finger-tip": ((-16, -82, 60), (17, -82, 61)),
}


def webxr_joints(side: str) -> dict[str, FloatArray]:
    """Rest positions in metres with z up, in the order of the file: the left one ends with the wrist."""
    names = list(_JOINTS) if side == "R" else list(reversed(_JOINTS))
    column = {"L": 0, "R": 1}[side]
    found = {name: np.array(_JOINTS[name][column]) * 0.001 for name in names}
    return {name: np.array([x, -z, y]) for name, (x, y, z) in found.items()}


def webxr_hand(side: str) -> Skeleton:
    """The hand as glTF importers leave it: no parents, and tails that say nothing."""
    rig = RigBuilder()
    for name, head in webxr_joints(side).items():
        rig.add(name, None, head, head + np.array([0.0, 0.0, 0.01]))
    return with_nonsense_tails(rig.build())


def webxr_fingers() -> tuple[FingerMap, ...]:
    """The fingers that detection has to find."""
    bones = ("metacarpal", "phalanx-proximal", "phalanx-distal")
    thumb = FingerMap("thumb", tuple(f"thumb-{bone}" for bone in bones), tip="thumb-tip")
    bones = ("phalanx-proximal", "phalanx-intermediate", "phalanx-distal")
    others = (
        FingerMap(
            finger,
            tuple(f"{finger}-finger-{bone}" for bone in bones),
            metacarpal=f"{finger}-finger-metacarpal",
            tip=f"{finger}-finger-tip",
        )
        for finger in ("index", "middle", "ring", "pinky")
    )
    return (thumb, *others)
