# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that keeps the pose of a hand for Blender's asset browser."""

from __future__ import annotations

from typing import Any

import bpy

from ..preferences import conventions_folder
from ..properties.choices import SIDES_ITEMS
from ..services.export_subjects import props_of
from ..services.pose_asset import save_pose_asset
from ..services.poses import hands_of
from .reporting import OnArmature, run_service


class PREHEND_OT_save_pose_asset(OnArmature, bpy.types.Operator):
    """Keep the pose of the hand as an asset with a picture of it, for the pose library"""

    bl_idname = "prehend.save_pose_asset"
    bl_label = "Save Pose Asset"
    bl_options = {"REGISTER", "UNDO"}

    name: bpy.props.StringProperty(name="Name", description="Name of the pose", default="Hand Pose")
    side: bpy.props.EnumProperty(name="Side", description="Which hands", items=SIDES_ITEMS)
    description: bpy.props.StringProperty(name="Description", description="Shown in the asset browser")
    tags: bpy.props.StringProperty(name="Tags", description="Words to find it by, with commas between", default="hand")
    catalog_id: bpy.props.StringProperty(
        name="Catalog", description="UUID of the catalog that it belongs to; empty for none"
    )

    def execute(self, context: Any) -> set[str]:
        """Make the asset."""

        def save() -> str:
            armature = context.object
            report = save_pose_asset(
                armature,
                hands_of(armature, side=self.side, convention_folders=[conventions_folder()]),
                self.name,
                view_layer=context.view_layer,
                frame=context.scene.frame_current,
                description=self.description,
                tags=[word.strip() for word in self.tags.split(",") if word.strip()],
                catalog_id=self.catalog_id.strip(),
                props=props_of(armature, list(context.visible_objects)),
            )
            return f"Kept {report.action} with {len(report.bones)} bones; find it in the asset browser"

        return run_service(self, save)


CLASSES = (PREHEND_OT_save_pose_asset,)
