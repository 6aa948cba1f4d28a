# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand map, found or picked by hand, turned into a naming convention for other rigs of the same kind."""

from __future__ import annotations

import re

from ...core.handmap import HandMap
from ...presets.conventions import Convention, FingerTemplate

# Placeholder -> what it stands for on the left and on the right; longer words first.
_PAIRS = {
    "word": ("Left", "Right"),
    "lower_word": ("left", "right"),
    "upper_word": ("LEFT", "RIGHT"),
    "sign": ("左", "右"),
    "side": ("L", "R"),
    "lower_side": ("l", "r"),
}
_EDGE = {
    "side": (r"(?<![^\W\d_])", r"(?![a-z])"),
    "lower_side": (r"(?<![^\W\d_])", r"(?![a-z])"),
}
"""Single letters count only where a word could start and end: "L_Hand", "hand.l", "lThumb"."""


def convention_from_hand(hand: HandMap, *, key: str, title: str) -> Convention:
    """A convention with the names of one hand, with a placeholder wherever a name tells the side."""
    used: set[str] = set()

    def template(name: str) -> str:
        return _template(name, hand.side, used)

    wrist = template(hand.wrist)
    fingers = {
        finger.name: FingerTemplate(
            chain=tuple(template(bone) for bone in finger.chain),
            metacarpal=None if finger.metacarpal is None else template(finger.metacarpal),
            tip=None if finger.tip is None else template(finger.tip),
        )
        for finger in hand.fingers
    }
    if not used:
        return Convention(key=key, title=title, hand=wrist, fingers=fingers)
    sides = {
        side: {placeholder: _PAIRS[placeholder][number] for placeholder in sorted(used)}
        for number, side in enumerate(("L", "R"))
    }
    return Convention(key=key, title=title, hand=wrist, fingers=fingers, sides=sides)


def _template(name: str, side: str, used: set[str]) -> str:
    """A name with its side replaced by a placeholder, which is added to `used`."""
    if side not in ("L", "R"):
        return name
    for placeholder, pair in _PAIRS.items():
        before, after = _EDGE.get(placeholder, ("", ""))
        found = list(re.finditer(before + pair[side == "R"] + after, name))
        if found:
            used.add(placeholder)
            # A side stands first or last in a name, so the outermost match is it.
            place = found[-1] if found[-1].end() == len(name) else found[0]
            return name[: place.start()] + "{" + placeholder + "}" + name[place.end() :]
    return name
