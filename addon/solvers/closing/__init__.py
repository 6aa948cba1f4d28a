# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Closing fingers on surfaces."""

from .clearance import ITSELF, OBJECT, OBSTACLE, Distance, NearDistance, Scene, place_volumes
from .contacts import touching
from .hand import ClosingHand, Probes, Volumes, capsule_probes
from .measure import Nearness, measure_all, measure_moved, measure_near, near_gaps
from .motion import Skinned
from .motions import Motions
from .movement import Movement
from .skin import ClosingSkin, build_skin
from .solve import Closing, close, close_again
from .variations import EVERY_WAY, USUAL

__all__ = [
    "EVERY_WAY",
    "ITSELF",
    "OBJECT",
    "OBSTACLE",
    "USUAL",
    "Closing",
    "ClosingHand",
    "ClosingSkin",
    "Distance",
    "Motions",
    "Movement",
    "NearDistance",
    "Nearness",
    "Probes",
    "Scene",
    "Skinned",
    "Volumes",
    "build_skin",
    "capsule_probes",
    "close",
    "close_again",
    "measure_all",
    "measure_moved",
    "measure_near",
    "near_gaps",
    "place_volumes",
    "touching",
]
