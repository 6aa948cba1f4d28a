# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is shown while Blender runs and is not saved."""

from __future__ import annotations

import bpy


class PrehendWindowSettings(bpy.types.PropertyGroup):
    """State of what goes on by itself."""

    follow_solve_ms: bpy.props.FloatProperty(name="Solver", description="Time of the solvers in the last update")
    follow_ms: bpy.props.FloatProperty(name="Update", description="Time of the last update, rig included")
    follow_rate: bpy.props.FloatProperty(
        name="Rate", description="Updates a second of late, the viewport's work included"
    )
    slider_message: bpy.props.StringProperty(name="Message", description="Why a slider does not move the hand")
    follow_message: bpy.props.StringProperty(name="Message", description="Why a hand does not follow")
    grasp_share: bpy.props.FloatProperty(
        name="Progress", description="How much of the running search is done; negative while none runs", default=-1.0
    )
    grasp_text: bpy.props.StringProperty(name="Search", description="What the running search has found")


CLASSES = (PrehendWindowSettings,)
