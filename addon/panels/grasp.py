# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Grasp section: the prop, how to hold it, what was found and what touches."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties.choices import PROP_TYPES, USUAL_MOVEMENT
from ..properties.pictures import icon_of
from ..properties.weights import NAMES
from .section import Section, fold

_REQUEST = ("side", "place", "depth_mm", "use_obstacles")
"""What every operator that brings hand and prop together is given from the scene's settings."""


class PREHEND_PT_grasp(Section, bpy.types.Panel):
    """Grasps of a prop"""

    bl_idname = "PREHEND_PT_grasp"
    bl_label = "Grasp"

    def draw(self, context: Any) -> None:
        """Offer to find a grasp and to close the hand where it is, and tell what touches."""
        settings = context.scene.prehend
        column = self.layout.column(align=True)
        column.prop(settings, "prop", text="")
        for name, label in (("side", "Hand"), ("movement", "Movement"), ("place", "What Moves")):
            row = column.row(align=True)
            split = row.split(factor=0.38, align=True)
            split.label(text=label)
            split.prop(settings, name, text="")
        _draw_grasp(self.layout, settings)
        running = context.window_manager.prehend
        if running.grasp_share >= 0.0:
            self.layout.progress(factor=running.grasp_share, text=running.grasp_text)
            self.layout.label(text="Enter accepts, Esc cancels")
        row = self.layout.row(align=True)
        close = row.operator("prehend.close_fingers", icon="FULLSCREEN_EXIT")
        close.side, close.depth_mm, close.use_obstacles = settings.side, settings.depth_mm, settings.use_obstacles
        open_ = row.operator("prehend.open_hand", text="Open", icon="LOOP_BACK")
        open_.side = settings.side
        # Closing where the hand is needs one movement.
        movement = settings.movement if settings.movement != "auto" else USUAL_MOVEMENT
        close.movement = open_.movement = movement
        _draw_options(self.layout, settings)
        armature = context.object
        if armature is not None and armature.type == "ARMATURE" and len(armature.data.prehend.contacts.fingers):
            _draw_contacts(self.layout.box(), armature.data.prehend.contacts)


class PREHEND_PT_candidates(Section, bpy.types.Panel):
    """Grasps that were found"""

    bl_idname = "PREHEND_PT_candidates"
    bl_label = "Grasps Found"
    bl_parent_id = "PREHEND_PT_grasp"

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether there are any."""
        prop = shown_prop(context)
        return prop is not None and len(prop.prehend.grasps) > 0

    def draw(self, context: Any) -> None:
        """The list, the shown one's numbers, and who else may take it."""
        prop, settings = shown_prop(context), context.scene.prehend
        self.layout.template_list("PREHEND_UL_grasps", "", prop.prehend, "grasps", prop.prehend, "grasp_index", rows=3)
        if 0 <= prop.prehend.grasp_index < len(prop.prehend.grasps):
            _draw_candidate(self.layout.box(), prop.prehend.grasps[prop.prehend.grasp_index])
        column = self.layout.column(align=True)
        _given(column.operator("prehend.mirror_grasp", text="Mirror to Other Hand", icon="MOD_MIRROR"), settings)
        column.operator_context = "INVOKE_DEFAULT"
        copy = _given(column.operator("prehend.copy_grasp", text="Copy to Character", icon="COMMUNITY"), settings)
        copy.side = "BOTH"


class PREHEND_PT_hooks(Section, bpy.types.Panel):
    """Places where the prop is taken"""

    bl_idname = "PREHEND_PT_hooks"
    bl_label = "Hooks"
    bl_parent_id = "PREHEND_PT_grasp"

    def draw(self, context: Any) -> None:
        """The prop's own hooks and those found on its mesh."""
        prop, settings = shown_prop(context), context.scene.prehend
        row = self.layout.row(align=True)
        row.operator("prehend.pick_hook", text="Pick", icon="EYEDROPPER")
        row.operator("prehend.add_hook", text="At Cursor", icon="PIVOT_CURSOR")
        if prop is not None:
            _draw_own_hooks(self.layout, prop)
        row = self.layout.row(align=True)
        row.operator("prehend.find_hooks", icon="VIEWZOOM").side = settings.side
        row.prop(settings, "show_hooks", text="", icon="HIDE_OFF" if settings.show_hooks else "HIDE_ON")
        if prop is not None and len(prop.prehend.hooks):
            self.layout.template_list("PREHEND_UL_hooks", "", prop.prehend, "hooks", prop.prehend, "hook_index", rows=3)
        column = self.layout.column(align=True)
        centre = column.operator("prehend.edit_grasp_centre", icon="EMPTY_ARROWS")
        centre.movement, centre.side = settings.movement, settings.side
        column.operator("prehend.reset_grasp_centres", icon="LOOP_BACK").side = settings.side


def shown_prop(context: Any) -> Any:
    """The prop that the lists are about: the one picked, or else a selected object that may be one."""
    picked = context.scene.prehend.prop
    if picked is not None:
        return picked
    others = [each for each in context.selected_objects if each.type in PROP_TYPES]
    return others[0] if len(others) == 1 else None


def _given(operator: Any, settings: Any) -> Any:
    for name in _REQUEST:
        setattr(operator, name, getattr(settings, name))
    return operator


def _draw_own_hooks(layout: Any, prop: Any) -> None:
    # Empties that hang on the prop; a prop has few children.
    own = [each for each in prop.children if each.type == "EMPTY" and each.get("prehend_hook")]
    if not own:
        return
    column = layout.column(align=True)
    for hook in own:
        row = column.row(align=True)
        row.prop(hook.prehend, "use_hook", text="")
        row.prop(hook, "name", text="")
        row.operator("prehend.remove_hook", text="", icon="X").name = hook.name


def _draw_candidate(layout: Any, grasp: Any) -> None:
    row = layout.row()
    number = icon_of(grasp.picture)
    if number:
        row.template_icon(icon_value=number, scale=5.0)
    column = row.column(align=True)
    column.label(text=f"Contacts {grasp.contacts}")
    column.label(text=f"Depth {grasp.depth_mm:.2f} mm")
    column.label(text=f"Opposition {100.0 * grasp.opposition:.0f} %")
    column.label(text=f"Arm effort {100.0 * grasp.reach:.0f} %")
    column.label(text=f"Score {grasp.score:.2f}")


def _draw_options(layout: Any, settings: Any) -> None:
    if not fold(layout, settings, "show_grasp_options"):
        return
    column = layout.column()
    for name in ("attempts", "seconds", "seed", "depth_mm", "use_obstacles"):
        column.prop(settings, name)
    if fold(layout, settings, "show_weights"):
        _draw_method(layout.column(), settings.search)
        column = layout.column(align=True)
        for name in NAMES:
            column.prop(settings.weights, name)


def _draw_method(layout: Any, search: Any) -> None:
    layout.prop(search, "method")
    if search.method != "HOOK":
        return
    layout.prop(search, "step")
    row = layout.row(align=True)
    angle = row.row(align=True)
    angle.active = not search.random_angle
    angle.prop(search, "angle")
    row.prop(search, "random_angle", text="", icon="MOD_NOISE")
    for name in ("first_guess", "wrist_range"):
        layout.prop(search, name)


def _draw_grasp(layout: Any, settings: Any) -> None:
    column = layout.column(align=True)
    row = column.row(align=True)
    row.scale_y = 1.4
    # Invoked, so that the hand is seen improving and Esc cancels.
    row.operator_context = "INVOKE_DEFAULT"
    grasp = _given(row.operator("prehend.grasp", icon="VIEW_PAN"), settings)
    for name in ("movement", "attempts", "seconds", "seed"):
        setattr(grasp, name, getattr(settings, name))
    row = column.row(align=True)
    for step, text, icon in ((-1, "Previous", "TRIA_LEFT"), (0, "Again", "FILE_REFRESH"), (1, "Next", "TRIA_RIGHT")):
        _given(row.operator("prehend.step_grasp", text=text, icon=icon), settings).step = step


def _draw_contacts(layout: Any, contacts: Any) -> None:
    layout.label(text=f"{contacts.hand} on {contacts.prop}")
    column = layout.column(align=True)
    for finger in contacts.fingers:
        row = column.row(align=True)
        row.label(text=finger.finger.title(), icon="CHECKMARK" if finger.touching else "RADIOBUT_OFF")
        row.label(text=_gap(finger))
    if not any(finger.touching for finger in contacts.fingers):
        layout.label(text="Bring the palm nearer", icon="INFO")
    if contacts.note:
        layout.label(text=contacts.note, icon="INFO")


def _gap(finger: Any) -> str:
    if finger.gap_mm <= 0.0:
        return f"{-finger.gap_mm:.2f} mm deep"
    if finger.gap_mm > 2.0:
        return "away"
    return f"{finger.gap_mm:.2f} mm off"
