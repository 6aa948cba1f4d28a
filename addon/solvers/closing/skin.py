# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand's probes for closing: all of its skin for the end, and a few balls for trying things out."""

from __future__ import annotations

from dataclasses import dataclass

from .hand import ClosingHand, Probes, capsule_probes
from .motion import Skinned

FEW_SPACING = 0.06
"""Distance of the balls that stand for a bone while ways of closing are compared, over the hand's reach."""
MANY_SPACING = 0.011
"""The same where there is no skin and balls are what touches: 2 mm for a human hand."""


@dataclass(frozen=True, eq=False)
class ClosingSkin:
    """A hand's probes, all of them and a few."""

    fine: Skinned
    """All."""
    coarse: Skinned
    """A few balls for every bone."""

    @property
    def hand(self) -> ClosingHand:
        """Whose they are."""
        return self.fine.hand


def build_skin(hand: ClosingHand, probes: Probes | None) -> ClosingSkin:
    """A hand's probes; None takes its capsules for skin."""
    few = capsule_probes(hand.volumes, hand.rest, spacing=FEW_SPACING * hand.reach)
    if probes is None:
        probes = capsule_probes(hand.volumes, hand.rest, spacing=MANY_SPACING * hand.reach)
    return ClosingSkin(Skinned(hand, probes), Skinned(hand, few))
