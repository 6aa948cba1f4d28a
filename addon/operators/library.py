# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that save, delete, import and export poses of the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from ..preferences import conventions_folder, poses_folder
from ..properties.choices import SIDES_ITEMS
from ..properties.library import GROUP_ITEMS
from ..services.pose_library import MINE, delete_pose, export_pack, import_pack, load_library, save_pose, search_library
from ..services.poses import hands_of
from .previews import offer_library
from .reporting import OnArmature, run_service


class PREHEND_OT_save_pose(OnArmature, bpy.types.Operator):
    """Keep the pose of the active armature's hands in your library"""

    bl_idname = "prehend.save_pose"
    bl_label = "Save Pose"
    bl_options = {"REGISTER", "INTERNAL"}

    name: bpy.props.StringProperty(name="Name", description="Name of the pose; one that is taken gets a number")
    description: bpy.props.StringProperty(name="Description", description="One line about the pose, to search for")
    side: bpy.props.EnumProperty(name="Side", description="Which hands to save", items=SIDES_ITEMS)

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Ask for the name."""
        self.name = self.name or "My Pose"
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: Any) -> set[str]:
        """Write the file and offer the pose."""

        def save() -> str:
            hands = hands_of(context.object, side=self.side, convention_folders=[conventions_folder()])
            saved = save_pose(poses_folder(), context.object, hands, self.name, description=self.description)
            offer_library()
            chosen = context.scene.prehend.library
            chosen.group, chosen.search, chosen.pose = MINE, "", saved.key
            return f"Saved '{saved.pose.name}'"

        return run_service(self, save)


class PREHEND_OT_delete_pose(bpy.types.Operator):
    """Delete this pose of yours from your library; this cannot be undone"""

    bl_idname = "prehend.delete_pose"
    bl_label = "Delete Pose"
    bl_options = {"REGISTER", "INTERNAL"}

    pose: bpy.props.StringProperty(name="Pose", description="Key of the pose")

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Ask first, as the file is gone then."""
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context: Any) -> set[str]:
        """Remove it from its file."""

        def delete() -> str:
            delete_pose(poses_folder(), self.pose)
            offer_library()
            return f"Deleted '{self.pose.removeprefix(f'{MINE}:')}'"

        return run_service(self, delete)


class PREHEND_OT_import_poses(bpy.types.Operator):
    """Add the poses of a pack to your library"""

    bl_idname = "prehend.import_poses"
    bl_label = "Import Poses"
    bl_options = {"REGISTER", "INTERNAL"}

    filepath: bpy.props.StringProperty(name="File", description="Pack of poses", subtype="FILE_PATH")
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Ask for the file."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: Any) -> set[str]:
        """Check the pack and keep all of it."""

        def add() -> str:
            added = import_pack(poses_folder(), Path(bpy.path.abspath(self.filepath)))
            offer_library()
            return f"Imported {', '.join(each.pose.name for each in added)}"

        return run_service(self, add)


class PREHEND_OT_export_poses(bpy.types.Operator):
    """Write the poses that are offered now into one file, to give away"""

    bl_idname = "prehend.export_poses"
    bl_label = "Export Poses"
    bl_options = {"REGISTER", "INTERNAL"}

    filepath: bpy.props.StringProperty(name="File", description="File to write", subtype="FILE_PATH")
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})
    check_existing: bpy.props.BoolProperty(default=True, options={"HIDDEN"})
    words: bpy.props.StringProperty(name="Search", description="Export the poses that have these words")
    group: bpy.props.EnumProperty(name="Group", description="Export the poses of this group", items=GROUP_ITEMS)

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Ask for the file; one that is there shows in red and needs a second click."""
        self.filepath = self.filepath or "poses.json"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: Any) -> set[str]:
        """Write the pack."""

        def export() -> str:
            library = load_library(poses_folder())
            found = search_library(library, words=self.words, group="" if self.group == "all" else self.group)
            path = Path(bpy.path.abspath(self.filepath)).with_suffix(".json")
            return f"Exported {export_pack(library, [each.key for each in found], path)} poses to {path.name}"

        return run_service(self, export)


CLASSES = (PREHEND_OT_save_pose, PREHEND_OT_delete_pose, PREHEND_OT_import_poses, PREHEND_OT_export_poses)
