# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What moving one slider does to a posture, and what all sliders show for one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import UnknownChoiceError
from .poser import FINGER_SLIDERS, HAND_SLIDERS, SYNERGY_SLIDERS, THUMB_SLIDERS, Poser
from .sliders import Sliders, couple, read_sliders, shift_together, write_sliders
from .synergies import synergy_values

TENSE = 0.6
"""Root mean square of the joints' shares off the relaxed posture at which a hand is not relaxed at all."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What the sliders show for a posture."""

    hand: dict[str, float]
    """By name of `HAND_SLIDERS`."""
    fingers: Sliders
    """The fingers' own."""


def read_posture_sliders(poser: Poser, angles: FloatArray) -> Reading:
    """What all sliders show for a posture in [rad]. Shape (m, 3)."""
    hand = poser.hand
    sliders, _ = read_sliders(hand, angles)
    fingers, spreadable = hand.fingers, hand.spreadable
    values = synergy_values(poser.synergies, angles, len(SYNERGY_SLIDERS))
    shown = {
        "curl": float(sliders.curl[fingers].mean()) if fingers.any() else 0.0,
        "spread": float(sliders.spread[spreadable].mean()) if spreadable.any() else 0.0,
        "relax": max(1.0 - _tension(poser, angles) / TENSE, 0.0),
        "cup": sliders.cup,
        **{name: float(getattr(sliders, name)) for name in THUMB_SLIDERS},
        **dict(zip(SYNERGY_SLIDERS, values.tolist(), strict=True)),
    }
    return Reading(hand=shown, fingers=sliders)


def slide(
    poser: Poser, start: FloatArray, slider: str, value: float, *, finger: str = "", coupled: bool = True
) -> FloatArray:
    """A posture (m, 3) in [rad] after one slider was moved, within the limits.

    As every posture of a drag follows from the one that it began with, dragging back leads back.

    Args:
        poser: The hand.
        start: The posture in which the slider was taken. Shape (m, 3).
        slider: One of `HAND_SLIDERS` or `FINGER_SLIDERS`.
        value: What it was moved to.
        finger: Whose slider it is, for `FINGER_SLIDERS`.
        coupled: Whether a finger that is moved pulls its neighbours along.

    Raises:
        UnknownChoiceError: There is no such slider or finger.
    """
    if slider == "relax":
        return _relax(poser, start, value)
    if slider in SYNERGY_SLIDERS:
        return _along_synergy(poser, start, SYNERGY_SLIDERS.index(slider), value)
    hand = poser.hand
    sliders, left_out = read_sliders(hand, start)
    if slider in FINGER_SLIDERS:
        names = hand.model.fingers
        if finger not in names:
            raise UnknownChoiceError("finger", finger, names)
        moved = _move_finger(sliders, slider, names.index(finger), value)
        if coupled and slider == "finger_curl":
            moved = couple(hand, moved, names.index(finger))
    elif slider in ("curl", "spread"):
        chosen = hand.fingers if slider == "curl" else hand.spreadable
        values = shift_together(getattr(sliders, slider), chosen, value, lowest=0.0 if slider == "curl" else -1.0)
        moved = replace(sliders, **{slider: values})
    elif slider in ("cup", *THUMB_SLIDERS):
        moved = replace(sliders, **{slider: value})
    else:
        raise UnknownChoiceError("slider", slider, (*HAND_SLIDERS, *FINGER_SLIDERS))
    return write_sliders(hand, moved, left_out)


def _move_finger(sliders: Sliders, slider: str, number: int, value: float) -> Sliders:
    name = slider.removeprefix("finger_")
    values = np.array(getattr(sliders, name))
    values[number] = value
    return replace(sliders, **{name: values})


def _relax(poser: Poser, start: FloatArray, value: float) -> FloatArray:
    """On the straight way from the start to the relaxed posture, or on beyond the start where it gets tenser."""
    now = max(1.0 - _tension(poser, start) / TENSE, 0.0)
    if now > 1.0 - 1e-9:
        return np.array(start)
    angles = start + (value - now) / (1.0 - now) * (poser.relaxed - start)
    return np.clip(angles, poser.hand.ranges[..., 0], poser.hand.ranges[..., 1])


def _tension(poser: Poser, angles: FloatArray) -> float:
    spans: FloatArray = poser.hand.ranges[..., 1] - poser.hand.ranges[..., 0]
    moving = spans > 1e-6
    off: FloatArray = (angles - poser.relaxed)[moving] / spans[moving]
    return float(np.sqrt(np.mean(off**2))) if off.size else 0.0


def _along_synergy(poser: Poser, start: FloatArray, number: int, value: float) -> FloatArray:
    now = synergy_values(poser.synergies, start, len(SYNERGY_SLIDERS))[number]
    angles = start + (value - now) * poser.synergies.directions[number]
    return np.clip(angles, poser.hand.ranges[..., 0], poser.hand.ranges[..., 1])
