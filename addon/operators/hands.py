# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that find the hands of an armature and keep the user's corrections."""

from __future__ import annotations

from typing import Any

import bpy

from ..preferences import conventions_folder
from ..services.hand_slots import align_and_show, apply_slots, detect_and_show, refresh_slots, save_shown_convention
from ..services.limits import start_own_limits
from .reporting import OnArmature, run_service


class PREHEND_OT_detect_hands(OnArmature, bpy.types.Operator):
    """Find the hands of the active armature by its bones' names and shape"""

    bl_idname = "prehend.detect_hands"
    bl_label = "Detect Hands"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Any) -> set[str]:
        """Detect, keep and show."""

        def detect() -> str:
            hands = detect_and_show(context.object, convention_folders=[conventions_folder()])
            for note in (note for hand in hands for note in hand.notes):
                self.report({"WARNING"}, note)
            off = context.object.data.prehend.skin_off
            if off:
                self.report({"WARNING"}, f"The skin lies {off} off its bones: press Align Skin.")
            return "Found " + ", ".join(f"{hand.wrist} ({len(hand.fingers)} fingers)" for hand in hands)

        return run_service(self, detect)


class PREHEND_OT_align_skin(OnArmature, bpy.types.Operator):
    """Move the bones into the skin that lies beside them; what is seen stays where it is"""

    bl_idname = "prehend.align_skin"
    bl_label = "Align Skin"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Any) -> set[str]:
        """Align and tell how far."""
        return run_service(self, lambda: align_and_show(context.object, view_layer=context.view_layer).sentence)


class PREHEND_OT_apply_hand_bones(OnArmature, bpy.types.Operator):
    """Keep the hands as they are filled in below"""

    bl_idname = "prehend.apply_hand_bones"
    bl_label = "Apply Bones"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Any) -> set[str]:
        """Check and keep the slots."""
        folders = [conventions_folder()]

        def keep() -> str:
            return f"Kept {', '.join(hand.wrist for hand in apply_slots(context.object, convention_folders=folders))}"

        return run_service(self, keep)


class PREHEND_OT_refresh_hand_bones(OnArmature, bpy.types.Operator):
    """Show the kept hands again, with the names their bones have now"""

    bl_idname = "prehend.refresh_hand_bones"
    bl_label = "Refresh Bones"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Any) -> set[str]:
        """Fill the slots from what is kept."""

        def show() -> str:
            return f"Showing {len(refresh_slots(context.object, convention_folders=[conventions_folder()]))} hands"

        return run_service(self, show)


class PREHEND_OT_add_bone_slot(OnArmature, bpy.types.Operator):
    """Add an empty slot at the end of this finger"""

    bl_idname = "prehend.add_bone_slot"
    bl_label = "Add Bone Slot"
    bl_options = {"REGISTER", "UNDO"}

    hand: bpy.props.IntProperty(min=0)
    finger: bpy.props.IntProperty(min=0)

    def execute(self, context: Any) -> set[str]:
        """Add the slot."""
        hands = context.object.data.prehend.hands
        if self.hand >= len(hands) or self.finger >= len(hands[self.hand].fingers):
            self.report({"ERROR"}, "There is no such finger: detect the hands first.")
            return {"CANCELLED"}
        hands[self.hand].fingers[self.finger].chain.add()
        return {"FINISHED"}


class PREHEND_OT_save_convention(OnArmature, bpy.types.Operator):
    """Keep this hand's bone names, so that rigs of the same kind are recognised from now on"""

    bl_idname = "prehend.save_convention"
    bl_label = "Save Convention"
    bl_options = {"REGISTER", "UNDO"}

    hand: bpy.props.IntProperty(min=0, options={"HIDDEN"})
    title: bpy.props.StringProperty(name="Name", description="Name of the rig's convention", default="My Rig")

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Ask for the name."""
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: Any) -> set[str]:
        """Write the file."""

        def save() -> str:
            folder = conventions_folder()
            return f"Saved {save_shown_convention(context.object, folder, number=self.hand, title=self.title)}"

        return run_service(self, save)


class PREHEND_OT_start_own_limits(OnArmature, bpy.types.Operator):
    """Give this joint limits of its own, beginning with the present ones"""

    bl_idname = "prehend.start_own_limits"
    bl_label = "Set Own Limits"
    bl_options = {"REGISTER", "UNDO"}

    bone: bpy.props.StringProperty(name="Bone", description="Finger bone whose joint is meant")

    def execute(self, context: Any) -> set[str]:
        """Fill in the present limits."""

        def start() -> str:
            start_own_limits(context.object, self.bone, convention_folders=[conventions_folder()])
            return f"{self.bone} has its own limits"

        return run_service(self, start)


CLASSES = (
    PREHEND_OT_detect_hands,
    PREHEND_OT_align_skin,
    PREHEND_OT_apply_hand_bones,
    PREHEND_OT_refresh_hand_bones,
    PREHEND_OT_add_bone_slot,
    PREHEND_OT_save_convention,
    PREHEND_OT_start_own_limits,
)
