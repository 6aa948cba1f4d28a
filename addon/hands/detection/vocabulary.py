# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The words by which bone names tell sides, fingers and joints."""

from __future__ import annotations

SIDES = {"left": "L", "l": "L", "lft": "L", "左": "L", "right": "R", "r": "R", "rgt": "R", "右": "R"}
FINGERS = {
    **dict.fromkeys(("thumb", "thumbs", "pollex", "親指"), "thumb"),
    **dict.fromkeys(("index", "pointer", "forefinger", "idx", "人指", "人差指", "人差し指"), "index"),
    **dict.fromkeys(("middle", "mid", "midfinger", "中指"), "middle"),
    **dict.fromkeys(("ring", "薬指"), "ring"),
    **dict.fromkeys(("pinky", "pinkie", "little", "small", "小指"), "pinky"),
}
GENERIC_FINGERS = frozenset({"finger", "fingers", "fng", "digit"})
HANDS = frozenset({"hand", "wrist", "手首"})
JOINTS = {
    **dict.fromkeys(("metacarpal", "carpal", "meta", "metacarpus", "palm", "base"), 0),
    **dict.fromkeys(("proximal", "prox"), 1),
    **dict.fromkeys(("intermediate", "intermedial", "inter", "int", "medial"), 2),
    **dict.fromkeys(("distal", "dist"), 3),
}
PALMS = frozenset({"metacarpal", "carpal", "meta", "metacarpus", "palm", "base"})
TIPS = frozenset({"tip", "end", "nub", "null", "effector", "leaf", "先"})
CONTROLS = frozenset({"ctrl", "control", "con", "ctl", "c", "fk"})
MECHANISMS = frozenset({"org", "mch", "mech"})

_MECHANICS = (
    "ik",
    "pole",
    "target",
    "twist",
    "roll",
    "mch",
    "vis",
    "drv",
    "driver",
    "tweak",
    "master",
    "helper",
    "muscle",
    "corrective",
    "marker",
    "ignore",
    "ref",
    "goal",
)
_HELD = (
    "weapon",
    "prop",
    "item",
    "holder",
    "grip",
    "sword",
    "gun",
    "knife",
    "shield",
    "tool",
    "slot",
    "snap",
    "socket",
    "attach",
    "attachment",
)
_LEGS = ("toe", "toes", "foot", "feet", "ball", "heel", "leg", "knee")
_FACE = (
    "head",
    "face",
    "hair",
    "eye",
    "eyes",
    "eyelid",
    "lid",
    "brow",
    "lip",
    "lips",
    "mouth",
    "cheek",
    "jaw",
    "nose",
    "tongue",
    "teeth",
    "ear",
)
_TRUNK = ("spine", "chest", "neck", "tail", "skirt", "cloth", "wing", "feather", "dress", "belt", "breast", "rib")
DECOYS = frozenset((*_MECHANICS, *_HELD, *_LEGS, *_FACE, *_TRUNK))
"""Helpers on or beside a hand, and body parts that share words with fingers ("brow_mid"): no bones of a hand."""

_RIG_NOISE = ("f", "b", "bn", "bone", "j", "jnt", "joint", "rig", "bip", "bind", "skel", "skeleton", "seg", "armature")
NOISE = frozenset((*_RIG_NOISE, "phalanx", "phalange", "phalanges", "knuckle"))
"""Words that say nothing about a bone's place."""

WORDS = tuple(
    sorted(
        {
            *(word for table in (SIDES, FINGERS, JOINTS) for word in table if len(word) > 2),
            *GENERIC_FINGERS,
            *HANDS,
            *TIPS,
            "phalanx",
        },
        key=lambda word: (-len(word), word),
    )
)
"""Words that are found even inside names without separators and capitals, longest first."""
