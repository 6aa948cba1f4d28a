# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How closely contacts are sought while fingers close."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Care:
    """How closely contacts are sought."""

    touch: float = 2e-5
    """How near to the wanted depth a contact is brought, in [m]."""
    fold: float = 1e-4
    """How much deeper in [m] skin may go where it folds: on a stopped bone, over a joint that turns on."""
    dare: float = 4e-4
    """How far in [m] the fastest point goes at least in a step that is not narrowing; thinner things may be missed."""
    dare_most: float = 8e-4
    """What that grows to, in [m], while nothing is met: skin that slides along a surface is not near a contact."""
    look_ahead: float = 0.12
    """Points that may be met within this share of the movement are measured anew."""
    coupling_give: float = 0.35
    """How much more in [rad] than a joint that has stopped tells them to do those that follow it may bend."""


CLOSE_CARE = Care()
ROUGH_CARE = Care(touch=1e-3, fold=1e-3, dare=4e-3, dare_most=1e-2)
"""For balls that are thicker than what is dared, so that nothing thin slips between two steps."""
