# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How closely contacts are sought while fingers close."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Care:
    """How closely contacts are sought."""

    touch: float = 2e-5
    """How near to the wanted depth a contact is brought, in [m]."""
    fold: float = 1e-4
    """How much deeper in [m] skin may go where it folds: on a stopped bone, over a joint that turns on."""
    dip: float = 4e-4
    """How deep in [m] a point may go and come out again between two looks without being noticed."""
    look_ahead: float = 0.12
    """Points that may be met within this share of the movement are measured anew."""
    coupling_give: float = 0.35
    """How much more in [rad] than a joint that has stopped tells them to do those that follow it may bend."""


CLOSE_CARE = Care()
ROUGH_CARE = Care(touch=1e-3, fold=1e-3, dip=4e-3)
"""For balls that are thicker than what may go unnoticed, so that nothing thin slips between two steps."""
TRYING_CARE = replace(ROUGH_CARE, touch=2e-3)
"""For comparing ways of closing, which is followed by closing on the skin."""
