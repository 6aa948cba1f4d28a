# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and menus that add the demo hands and props."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import bpy

from ..preferences import preferences
from ..properties.choices import HAND_VARIANT_ITEMS, PROP_ITEMS, SIDE_ITEMS
from ..registration import append_to_menu
from ..services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
from .reporting import run_service


def _placement(context: Any) -> Placement:
    return Placement(context.collection, context.view_layer, tuple(context.scene.cursor.location))


def _poll_object_mode(cls: type, context: Any) -> bool:
    if context.mode != "OBJECT":
        cls.poll_message_set("Switch to Object Mode first")
        return False
    return True


class PREHEND_OT_add_demo_hand(bpy.types.Operator):
    """Add a rigged, skinned demo hand of real size at the 3D cursor"""

    bl_idname = "prehend.add_demo_hand"
    bl_label = "Add Demo Hand"
    bl_options = {"REGISTER", "UNDO"}

    variant: bpy.props.EnumProperty(name="Hand", description="Kind of hand", items=HAND_VARIANT_ITEMS)
    side: bpy.props.EnumProperty(name="Side", description="Left or right", items=SIDE_ITEMS, default="R")
    size_sd: bpy.props.FloatProperty(
        name="Size",
        description="Bone lengths in standard deviations from the mean adult hand; 0 is the mean",
        default=0.0,
        min=-3.0,
        max=3.0,
    )
    scale: bpy.props.FloatProperty(
        name="Scale", description="Overall scale; 1 is real size", default=1.0, min=0.01, soft_max=10.0
    )

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether objects can be added now."""
        return _poll_object_mode(cls, context)

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Start from the preferences' side and size where the caller gave none."""
        defaults = preferences(context)
        if not self.properties.is_property_set("side"):
            self.side = defaults.default_side
        if not self.properties.is_property_set("size_sd"):
            self.size_sd = defaults.default_size_sd
        return self.execute(context)

    def execute(self, context: Any) -> set[str]:
        """Add the hand and make its armature active."""
        spec = HandSpec(variant=self.variant, side=self.side, size_sd=self.size_sd, scale=self.scale)
        return run_service(self, lambda: f"Added {add_demo_hand(_placement(context), spec).armature}")


class PREHEND_OT_add_demo_prop(bpy.types.Operator):
    """Add a prop of real size at the 3D cursor, to try grasps on"""

    bl_idname = "prehend.add_demo_prop"
    bl_label = "Add Demo Prop"
    bl_options = {"REGISTER", "UNDO"}

    prop: bpy.props.EnumProperty(name="Prop", description="Prop to add", items=PROP_ITEMS)
    scale: bpy.props.FloatProperty(
        name="Scale", description="Overall scale; 1 is real size", default=1.0, min=0.01, soft_max=10.0
    )

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether objects can be added now."""
        return _poll_object_mode(cls, context)

    def execute(self, context: Any) -> set[str]:
        """Add the prop and make it active."""
        return run_service(self, lambda: f"Added {add_demo_prop(_placement(context), self.prop, scale=self.scale)}")


class PREHEND_MT_add_demo_prop(bpy.types.Menu):
    """All demo props"""

    bl_idname = "PREHEND_MT_add_demo_prop"
    bl_label = "Demo Prop"

    def draw(self, context: Any) -> None:
        """One entry per prop."""
        for key, label, _ in PROP_ITEMS:
            self.layout.operator(PREHEND_OT_add_demo_prop.bl_idname, text=label).prop = key


class PREHEND_MT_add_demo_hand(bpy.types.Menu):
    """All demo hands"""

    bl_idname = "PREHEND_MT_add_demo_hand"
    bl_label = "Demo Hand"

    def draw(self, context: Any) -> None:
        """One entry per kind of hand."""
        # In the Add menu operators run without asking; here the preferences' defaults are wanted.
        self.layout.operator_context = "INVOKE_REGION_WIN"
        for key, label, _ in HAND_VARIANT_ITEMS:
            self.layout.operator(PREHEND_OT_add_demo_hand.bl_idname, text=label).variant = key


CLASSES = (
    PREHEND_OT_add_demo_hand,
    PREHEND_OT_add_demo_prop,
    PREHEND_MT_add_demo_prop,
    PREHEND_MT_add_demo_hand,
)


def _draw_hands(self: Any, context: Any) -> None:
    self.layout.menu(PREHEND_MT_add_demo_hand.bl_idname, icon="VIEW_PAN")


def _draw_props(self: Any, context: Any) -> None:
    self.layout.menu(PREHEND_MT_add_demo_prop.bl_idname, icon="MESH_MONKEY")


def register_menus(undo: ExitStack) -> None:
    """List the hands under Add > Armature and the props under Add > Mesh."""
    append_to_menu(undo, bpy.types.VIEW3D_MT_armature_add, _draw_hands)
    append_to_menu(undo, bpy.types.VIEW3D_MT_mesh_add, _draw_props)
