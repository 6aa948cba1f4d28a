# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand ready for sliders: its ranges and the postures that they refer to."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.arrays import FloatArray
from ..presets.limits import load_limits
from ..presets.poses import load_poses
from ..presets.synergies import load_synergies
from .model import HandModel
from .poses import pose_angles
from .sliders import SlidingHand, sliding_hand
from .synergies import HandSynergies, hand_synergies

FINGER_SLIDERS = ("finger_curl", "finger_spread", "finger_tip_curl")
"""Sliders of one finger."""
THUMB_SLIDERS = ("thumb_opposition", "thumb_abduction", "thumb_curl")
"""Sliders of the thumb."""
SYNERGY_SLIDERS = ("synergy_1", "synergy_2", "synergy_3")
"""Sliders of the whole hand, in standard deviations."""
HAND_SLIDERS = ("curl", "spread", "relax", "cup", *THUMB_SLIDERS, *SYNERGY_SLIDERS)
"""Sliders of the whole hand and its thumb."""
PALM_LIMITS = "anatomical"
"""Limits that say how far a palm arches; the default ones hold it flat, as grasps want it."""


@dataclass(frozen=True, eq=False)
class Poser:
    """A hand with the postures that its sliders refer to."""

    hand: SlidingHand
    """The hand."""
    relaxed: FloatArray
    """Where Relax leads, in [rad]. Shape (m, 3)."""
    synergies: HandSynergies
    """What the synergies' sliders move along."""


def make_poser(model: HandModel) -> Poser:
    """A hand with the postures that its sliders refer to."""
    limits = load_limits(PALM_LIMITS)
    palm = {name: limits.ranges(name, "metacarpal")[0] for name in model.fingers}
    return Poser(
        hand=sliding_hand(model, palm),
        relaxed=pose_angles(model, load_poses()["relaxed"]),
        synergies=hand_synergies(model, load_synergies()),
    )


def useful_sliders(poser: Poser) -> set[str]:
    """Sliders of the whole hand that can move something on this one."""
    hand = poser.hand
    names: set[str] = set(HAND_SLIDERS)
    if not hand.arched:
        names.discard("cup")
    if not hand.spreadable.any():
        names.discard("spread")
    if "thumb" not in hand.model.fingers:
        names -= set(THUMB_SLIDERS)
    return names
