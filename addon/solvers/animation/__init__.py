# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animating grasps: coming, closing, holding, carrying, opening and going, clear of everything at every frame."""

from .approach import Approach
from .carry import Carry
from .clearance import COARSE, Surroundings
from .path import PathCarry
from .plan import plan_grasp
from .task import End, GraspPlan, GraspTask
from .timing import Durations, Frames, TimingError, plan_frames

__all__ = [
    "COARSE",
    "Approach",
    "Carry",
    "Durations",
    "End",
    "Frames",
    "GraspPlan",
    "GraspTask",
    "PathCarry",
    "Surroundings",
    "TimingError",
    "plan_frames",
    "plan_grasp",
]
