# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Pose section: sliders, the library of poses, mirroring and keys for the active armature's hands."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties.library import MINE, OFFER
from .section import Section, fold

PICTURE_SCALE = 5.0
"""Height of the chosen pose's picture in buttons."""


class PREHEND_PT_pose(Section, bpy.types.Panel):
    """Poses for the active armature's hands"""

    bl_idname = "PREHEND_PT_pose"
    bl_label = "Pose"

    def draw(self, context: Any) -> None:
        """Offer sliders, poses, mirroring and copying; details are folded away."""
        settings = context.scene.prehend
        self.layout.row().prop(settings, "side", expand=True)
        _draw_library(self.layout, settings)
        _draw_sliders(self.layout, settings.sliders, settings.side, context.window_manager.prehend.slider_message)
        row = self.layout.row(align=True)
        row.operator("prehend.mirror_pose", text="Left to Right", icon="MOD_MIRROR").source = "L"
        row.operator("prehend.mirror_pose", text="Right to Left", icon="MOD_MIRROR").source = "R"
        row = self.layout.row(align=True)
        row.operator("prehend.copy_pose", icon="PASTEDOWN").side = settings.side
        row.operator("prehend.random_pose", text="Random", icon="SHADERFX").side = settings.side


def _draw_library(layout: Any, settings: Any) -> None:
    library = settings.library
    if OFFER.wanted is not None:
        OFFER.wanted()
    column = layout.column(align=True)
    row = column.row(align=True)
    row.prop(library, "search", text="", icon="VIEWZOOM")
    row.prop(library, "group", text="")
    offered = [item[0] for item in OFFER.items(library.search, library.group)]
    if not offered:
        column.label(text="No pose has these words", icon="INFO")
    else:
        chosen = library.pose if library.pose in offered else offered[0]
        if OFFER.icons:
            column.template_icon_view(library, "choice", show_labels=True, scale=PICTURE_SCALE, scale_popup=4.0)
        column.prop(library, "choice", text="")
        apply = column.operator("prehend.apply_pose", icon="POSE_HLT")
        apply.pose, apply.side, apply.factor, apply.flip = chosen, settings.side, library.factor, library.flip
        apply.fingers = library.fingers
    if fold(layout, library, "show_options"):
        _draw_options(layout, settings)


def _draw_options(layout: Any, settings: Any) -> None:
    library = settings.library
    column = layout.column()
    column.prop(library, "factor", slider=True)
    column.row(align=True).prop(library, "fingers", expand=True)
    column.prop(library, "flip")
    row = column.row(align=True)
    row.operator("prehend.save_pose", icon="ADD").side = settings.side
    delete = row.row(align=True)
    delete.enabled = library.pose.startswith(f"{MINE}:")
    delete.operator("prehend.delete_pose", text="", icon="TRASH").pose = library.pose
    row = column.row(align=True)
    row.operator("prehend.import_poses", text="Import", icon="IMPORT")
    export = row.operator("prehend.export_poses", text="Export", icon="EXPORT")
    export.words, export.group = library.search, library.group
    column.operator("prehend.save_pose_asset", icon="ASSET_MANAGER").side = settings.side


def _draw_sliders(layout: Any, sliders: Any, side: str, message: str) -> None:
    useful = sliders.useful.split()
    if message:
        layout.label(text=message, icon="ERROR")
    column = layout.column(align=True)
    column.enabled = bool(sliders.armature)
    for name in ("curl", "spread", "relax", "cup"):
        _draw_slider(column, sliders, name, name in useful)
    if "thumb_curl" in useful:
        column = layout.column(align=True)
        column.enabled = bool(sliders.armature)
        for name in ("thumb_opposition", "thumb_abduction", "thumb_curl"):
            column.prop(sliders, name, text=f"Thumb {name.removeprefix('thumb_').title()}", slider=True)
    row = layout.row(align=True)
    row.operator("prehend.key_hands", text="Key", icon="KEY_HLT").side = side
    row.operator("prehend.read_sliders", text="", icon="FILE_REFRESH")
    if fold(layout, sliders, "show_fingers"):
        layout.prop(sliders, "coupled")
        for finger in sliders.fingers:
            column = layout.column(align=True)
            column.label(text=finger.name.replace("_", " ").title())
            for name in ("curl", "spread", "tip_curl"):
                column.prop(finger, name, slider=True)
    if fold(layout, sliders, "show_synergies"):
        column = layout.column(align=True)
        for number in (1, 2, 3):
            column.prop(sliders, f"synergy_{number}", slider=True)


def _draw_slider(layout: Any, sliders: Any, name: str, useful: bool) -> None:
    row = layout.row(align=True)
    row.enabled = useful
    row.prop(sliders, name, slider=True)
