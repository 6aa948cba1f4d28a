# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that writes a hand and what it holds to a file, with Blender's file dialog."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy_extras.io_utils import ExportHelper

from ..properties.exporting import ENDING_ITEMS, ENGINE_ITEMS, RANGE_ITEMS, TAKES_ITEMS
from ..services.export import ExportRequest, export_grasp
from ..services.export_subjects import props_of
from ..services.export_takes import requested_takes
from ..services.targets import PROP_TYPES, choose_armature
from .reporting import run_service


class PREHEND_OT_export_grasp(ExportHelper, bpy.types.Operator):
    """Write the hand, its skin, the prop and their animation to a file for a game engine or another program"""

    bl_idname = "prehend.export_grasp"
    bl_label = "Export Grasp"
    # It changes nothing in the file that is open, so that there is nothing to undo.
    bl_options = {"REGISTER", "PRESET"}

    ending: bpy.props.EnumProperty(name="Format", description="Kind of file", items=ENDING_ITEMS)
    preset: bpy.props.EnumProperty(name="For", description="Axes, units and skeleton that suit", items=ENGINE_ITEMS)
    takes: bpy.props.EnumProperty(name="Takes", description="What becomes an animation in the file", items=TAKES_ITEMS)
    frames: bpy.props.EnumProperty(name="Frames", description="Which frames are exported", items=RANGE_ITEMS)
    frame_start: bpy.props.IntProperty(name="Start", description="First frame", default=1)
    frame_end: bpy.props.IntProperty(name="End", description="Last frame", default=250)
    deform_only: bpy.props.BoolProperty(
        name="Deform Bones", description="Leave control bones out and bake onto those that deform", default=True
    )
    hidden: bpy.props.BoolProperty(name="Include Hidden", description="Export meshes of the hand that are hidden too")
    overwrite: bpy.props.BoolProperty(
        name="Overwrite",
        description="Replace a file that exists; the file dialog asks by itself",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    filter_glob: bpy.props.StringProperty(default="*.fbx;*.glb;*.gltf;*.usd;*.usda;*.usdc;*.usdz", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether anything is selected that may be a hand."""
        if context.object is None:
            cls.poll_message_set("Select the armature of a hand first")
            return False
        if context.mode not in {"OBJECT", "POSE"}:
            cls.poll_message_set("Switch to Object or Pose Mode first")
            return False
        return True

    @property
    def filename_ext(self) -> str:
        """What the file dialog lets names end in."""
        return f".{self.ending}"

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Ask for a file; what stands in the way there is asked about there."""
        self.overwrite = True
        return ExportHelper.invoke(self, context, event)  # type: ignore[return-value]

    def check(self, context: Any) -> bool:
        """Have the name end in what was chosen."""
        path = Path(self.filepath)
        if path.suffix == self.filename_ext or not path.name:
            return False
        known = {f".{key}" for key, *_ in ENDING_ITEMS}
        self.filepath = str(path.with_suffix(self.filename_ext) if path.suffix in known else f"{path}.{self.ending}")
        return True

    def draw(self, context: Any) -> None:
        """Options at the side of the file dialog."""
        layout = self.layout
        layout.use_property_split = True
        for name in ("ending", "preset", "takes"):
            layout.prop(self, name)
        if self.takes == "timeline":
            layout.prop(self, "frames")
            if self.frames == "custom":
                layout.prop(self, "frame_start")
                layout.prop(self, "frame_end")
        layout.prop(self, "deform_only")
        layout.prop(self, "hidden")

    def execute(self, context: Any) -> set[str]:
        """Write the file."""
        manager = context.window_manager

        def export() -> str:
            armature = choose_armature(context.object, context.selected_objects)
            takes = requested_takes(
                context.scene, armature, self.takes, self.frames, (self.frame_start, self.frame_end)
            )
            request = ExportRequest(
                Path(bpy.path.abspath(self.filepath)),
                preset=self.preset,
                takes=tuple(takes),
                deform_only=self.deform_only,
                hidden=self.hidden,
                overwrite=self.overwrite,
            )
            manager.progress_begin(0.0, 1.0)
            try:
                report = export_grasp(
                    context, armature, _props(context, armature), request, progress=manager.progress_update
                )
            finally:
                manager.progress_end()
            return report.sentence()

        return run_service(self, export)


def _props(context: Any, armature: Any) -> list[Any]:
    """Props that go with the hand: those of its grasps, the picked one, and what is selected with it."""
    found = props_of(armature, list(context.view_layer.objects))
    picked = context.scene.prehend.prop
    for obj in (picked, *context.selected_objects):
        if obj is not None and obj.type in PROP_TYPES and obj not in found:
            found.append(obj)
    return found


CLASSES = (PREHEND_OT_export_grasp,)
