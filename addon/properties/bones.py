# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user may set for one bone: joint limits of its own."""

from __future__ import annotations

from typing import Any

import bpy


def _angle(name: str, description: str) -> Any:
    return bpy.props.FloatProperty(name=name, description=description, subtype="ANGLE", min=-3.1416, max=3.1416)


class PrehendBoneSettings(bpy.types.PropertyGroup):
    """Joint limits of one bone."""

    use_own_limits: bpy.props.BoolProperty(
        name="Own Limits", description="Use the limits below for this joint instead of the anatomical ones"
    )
    flexion_min: _angle("Flexion Min", "Farthest the joint may stretch; 0 is straight")
    flexion_max: _angle("Max", "Farthest the joint may close")
    abduction_min: _angle("Spread Min", "Farthest towards the middle finger")
    abduction_max: _angle("Max", "Farthest away from the middle finger")
    twist_min: _angle("Twist Min", "Farthest turn about the bone, one way")
    twist_max: _angle("Max", "Farthest turn about the bone, the other way")


CLASSES = (PrehendBoneSettings,)
