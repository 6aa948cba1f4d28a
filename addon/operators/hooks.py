# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for the places where a prop is taken, and for the hand's grasp centre."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d

from ..core.errors import PrehendError
from ..properties.choices import USUAL_MOVEMENT
from ..services.grasp_centres import edit_centre, reset_centres
from ..services.grasp_hooks import add_hook, find_prop_hooks, hook_under_ray, hooks_of, remove_hook
from .grasp_targets import OnHandAndProp, show_hooks
from .reporting import run_service


class OnProp:
    """Mix-in of operators on the prop that is picked in the panel, or else active."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether there is a prop."""
        if the_prop(context) is None:
            cls.poll_message_set("Pick the prop in the Grasp panel, or select it")  # pyright: ignore
            return False
        return True


def the_prop(context: Any) -> Any:
    """The prop that is picked in the panel, or else the active object where it may be one."""
    picked = context.scene.prehend.prop
    if picked is not None:
        return picked
    active = context.object
    return active if active is not None and active.type in {"MESH", "CURVE", "SURFACE", "FONT", "META"} else None


def _collection(context: Any, prop: Any) -> Any:
    """Where an empty for a prop belongs: beside it, where that is shown."""
    mine = [each for each in prop.users_collection if each.library is None]
    return mine[0] if mine else context.scene.collection


class PREHEND_OT_find_hooks(OnHandAndProp, bpy.types.Operator):
    """Find the places of the prop that this hand can take it by, best first"""

    bl_idname = "prehend.find_hooks"
    bl_label = "Find Hooks"
    bl_options = {"REGISTER", "UNDO"}
    shown = ("prop", "side")

    def execute(self, context: Any) -> set[str]:
        """Fill the list."""

        def find() -> str:
            meant = self.meant(context)
            found = find_prop_hooks(meant.armature, meant.hand, meant.prop, view_layer=context.view_layer)
            show_hooks(meant.prop, found)
            return f"{len(found)} places where {meant.hand.wrist} can take {meant.prop.name}"

        return run_service(self, find)


class PREHEND_OT_add_hook(OnProp, bpy.types.Operator):
    """Have the prop taken where the 3D cursor is: adds an empty that hangs on the prop and can be moved"""

    bl_idname = "prehend.add_hook"
    bl_label = "Add Hook"

    def execute(self, context: Any) -> set[str]:
        """Add the empty."""

        def add() -> str:
            prop = the_prop(context)
            point = np.array(context.scene.cursor.location, dtype=np.float64)
            name = add_hook(prop, point, view_layer=context.view_layer, collection=_collection(context, prop))
            return f"Added {name}"

        return run_service(self, add)


class PREHEND_OT_pick_hook(OnProp, bpy.types.Operator):
    """Click on the prop where it is to be taken; the hook goes to the middle of the part there"""

    bl_idname = "prehend.pick_hook"
    bl_label = "Pick Hook"

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Wait for a click."""
        if context.area is None or context.area.type != "VIEW_3D":
            self.report({"ERROR"}, "Pick hooks in a 3D viewport.")
            return {"CANCELLED"}
        context.window.cursor_modal_set("EYEDROPPER")
        context.workspace.status_text_set("Prehend: click on the prop where it is to be taken. Esc cancels")
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """Take the click, let the view be turned meanwhile."""
        if event.type in {"ESC", "RIGHTMOUSE"}:
            return self._leave(context, {"CANCELLED"})
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            ray = _ray(context, event)
            if ray is None:
                return {"PASS_THROUGH"}
            return self._leave(context, run_service(self, lambda: self._add(context, *ray)))
        turns = {"MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "MOUSEMOVE", "TRACKPADPAN", "TRACKPADZOOM"}
        return {"PASS_THROUGH"} if event.type in turns or event.type.startswith("NUMPAD") else {"RUNNING_MODAL"}

    def _add(self, context: Any, origin: np.ndarray, direction: np.ndarray) -> str:
        prop = the_prop(context)
        if prop is None:
            raise MissedError("The prop is gone: pick another one in the Grasp panel.")
        point = hook_under_ray(prop, origin, direction, depsgraph=context.view_layer.depsgraph)
        if point is None:
            raise MissedError(f"That was beside '{prop.name}': press Pick Hook and click on it.")
        return f"Added {add_hook(prop, point, view_layer=context.view_layer, collection=_collection(context, prop))}"

    def _leave(self, context: Any, result: set[str]) -> set[str]:
        context.window.cursor_modal_restore()
        context.workspace.status_text_set(None)
        return result


class MissedError(PrehendError):
    """A click that hit nothing."""


def _ray(context: Any, event: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Where the mouse points to, from where; None outside the 3D view that the operator was started in."""
    region = next((each for each in context.area.regions if each.type == "WINDOW"), None)
    if region is None:
        return None
    place = event.mouse_x - region.x, event.mouse_y - region.y
    if not (0 <= place[0] < region.width and 0 <= place[1] < region.height):
        return None
    # The sidebar lies over the view.
    for other in context.area.regions:
        inside = 0 <= event.mouse_x - other.x < other.width and 0 <= event.mouse_y - other.y < other.height
        if other.type != "WINDOW" and inside and other.width > 1:
            return None
    view = context.area.spaces.active.region_3d
    return (
        np.array(region_2d_to_origin_3d(region, view, place), dtype=np.float64),
        np.array(region_2d_to_vector_3d(region, view, place), dtype=np.float64),
    )


class PREHEND_OT_remove_hook(OnProp, bpy.types.Operator):
    """Take this hook away"""

    bl_idname = "prehend.remove_hook"
    bl_label = "Remove Hook"

    name: bpy.props.StringProperty(name="Name", description="Name of the empty; empty takes the last one")

    def execute(self, context: Any) -> set[str]:
        """Remove the empty."""

        def remove() -> str:
            prop = the_prop(context)
            mine = hooks_of(prop)
            name = self.name or (mine[-1].name if mine else "")
            remove_hook(prop, name, objects=bpy.data.objects)
            return f"Removed {name}"

        return run_service(self, remove)


class PREHEND_OT_edit_grasp_centre(OnHandAndProp, bpy.types.Operator):
    """Show the point of the hand that goes to the hook as an empty; move it, and grasps go by it"""

    bl_idname = "prehend.edit_grasp_centre"
    bl_label = "Edit Grasp Centre"
    bl_options = {"REGISTER", "UNDO"}
    shown = ("prop", "side")

    movement: bpy.props.StringProperty(name="Movement", description="Key of the movement whose centre is meant")

    def execute(self, context: Any) -> set[str]:
        """Add the empty, or find the one that is there, and select it alone."""

        def edit() -> str:
            meant = self.meant(context)
            movement = self.movement if self.movement not in {"", "auto"} else USUAL_MOVEMENT
            layer = context.view_layer
            collection = _collection(context, meant.armature)
            name = edit_centre(meant.armature, meant.hand, movement, view_layer=layer, collection=collection)
            if context.mode == "OBJECT":
                bpy.data.objects[name].select_set(True, view_layer=layer)
            return f"Move {name}; grasps by this movement go by it"

        return run_service(self, edit)


class PREHEND_OT_reset_grasp_centres(OnHandAndProp, bpy.types.Operator):
    """Go back to the computed grasp centres of this hand"""

    bl_idname = "prehend.reset_grasp_centres"
    bl_label = "Reset Grasp Centres"
    bl_options = {"REGISTER", "UNDO"}
    shown = ("prop", "side")

    def execute(self, context: Any) -> set[str]:
        """Remove the empties."""

        def reset() -> str:
            meant = self.meant(context)
            count = reset_centres(meant.armature, meant.hand, view_layer=context.view_layer, objects=bpy.data.objects)
            return f"{count} grasp centres are as computed again"

        return run_service(self, reset)


CLASSES = (
    PREHEND_OT_find_hooks,
    PREHEND_OT_add_hook,
    PREHEND_OT_pick_hook,
    PREHEND_OT_remove_hook,
    PREHEND_OT_edit_grasp_centre,
    PREHEND_OT_reset_grasp_centres,
)
