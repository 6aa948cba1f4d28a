# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sections of the Prehend tab, in the order of the work."""

from __future__ import annotations

from .animate import PREHEND_PT_animate
from .export import PREHEND_PT_export
from .grasp import PREHEND_PT_candidates, PREHEND_PT_grasp, PREHEND_PT_hooks
from .grasp_lists import PREHEND_UL_grasps, PREHEND_UL_hooks
from .hand import PREHEND_PT_hand
from .limits import PREHEND_PT_joint_limits
from .pose import PREHEND_PT_pose
from .tips import PREHEND_PT_tips

PANELS = (
    PREHEND_UL_hooks,
    PREHEND_UL_grasps,
    PREHEND_PT_hand,
    PREHEND_PT_joint_limits,
    PREHEND_PT_pose,
    PREHEND_PT_tips,
    PREHEND_PT_grasp,
    PREHEND_PT_candidates,
    PREHEND_PT_hooks,
    PREHEND_PT_animate,
    PREHEND_PT_export,
)
