# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that close a hand on a prop and open it again."""

from __future__ import annotations

from typing import Any

import bpy

from ..preferences import conventions_folder
from ..properties.choices import FINGER_ITEMS, MOVEMENT_ITEMS, SIDES_ITEMS
from ..properties.shared import obstacles, soft_pads
from ..services.closing import DEFAULT_MOVEMENT, CloseRequest, close_fingers, open_hand
from ..services.closing_report import CloseReport
from ..services.poses import key_hands
from ..services.targets import choose_armature, choose_hand, choose_prop, named_object, obstacles_round
from .redo import draw_in_order
from .reporting import SEARCHING, is_searching, run_service

ORDER = ("prop", "movement", "side", "fingers", "depth_mm", "use_obstacles", "adapt", "key")
"""Properties as the redo panel shows them, where an operator has them."""


class _OnHand:
    """What closing and opening have in common."""

    bl_options = {"REGISTER", "UNDO"}

    movement: bpy.props.EnumProperty(
        name="Movement", description="How the hand opens and closes", items=MOVEMENT_ITEMS, default=DEFAULT_MOVEMENT
    )
    side: bpy.props.EnumProperty(
        name="Side", description="Which hand; of both the one nearer to the prop", items=SIDES_ITEMS
    )
    fingers: bpy.props.EnumProperty(
        name="Fingers",
        description="Fingers to move; none chosen means those that the movement takes",
        items=FINGER_ITEMS,
        options={"ENUM_FLAG"},
    )
    key: bpy.props.BoolProperty(name="Key", description="Insert keyframes for the finger bones at the current frame")

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether anything is selected that may be a hand."""
        if context.object is None and not context.selected_objects:
            cls.poll_message_set("Select the armature of a hand")  # pyright: ignore
            return False
        if is_searching(context):
            cls.poll_message_set(SEARCHING)  # pyright: ignore
            return False
        if context.mode not in {"OBJECT", "POSE"}:
            cls.poll_message_set("Switch to Object or Pose Mode first")  # pyright: ignore
            return False
        return True

    def draw(self, context: Any) -> None:
        """Everything in the order in which it is thought of."""
        draw_in_order(self, context, ORDER)

    def request(self, **more: Any) -> CloseRequest:
        """What was asked for."""
        fingers = frozenset(self.fingers) if self.fingers else None
        return CloseRequest(movement=self.movement, fingers=fingers, **more)


class PREHEND_OT_close_fingers(_OnHand, bpy.types.Operator):
    """Close the fingers on the prop until their skin touches it; the wrist stays"""

    bl_idname = "prehend.close_fingers"
    bl_label = "Close Fingers"

    prop: bpy.props.StringProperty(
        name="Prop", description="Object to close on; empty takes the one picked in the panel or selected"
    )
    depth_mm: soft_pads()
    use_obstacles: obstacles()
    adapt: bpy.props.BoolProperty(
        name="Adapt",
        description="Let each finger close knuckle first or last and go aside, to lie better on the prop",
        default=True,
    )

    def execute(self, context: Any) -> set[str]:
        """Close, and key if asked to."""

        def close() -> str:
            armature = choose_armature(context.object, context.selected_objects)
            picked = named_object(self.prop) or context.scene.prehend.prop
            prop = choose_prop(armature, context.selected_objects, picked)
            hand = choose_hand(armature, prop, side=self.side, convention_folders=[conventions_folder()])
            obstacles = obstacles_round(armature, prop, context.view_layer) if self.use_obstacles else []
            request = self.request(depth=1e-3 * self.depth_mm, adapt=self.adapt)
            report = close_fingers(armature, hand, prop, request, view_layer=context.view_layer, obstacles=obstacles)
            if self.key:
                key_hands(armature, [hand], context.scene.frame_current)
            show_contacts(armature, report)
            return report.sentence()

        return run_service(self, close)


class PREHEND_OT_open_hand(_OnHand, bpy.types.Operator):
    """Give the hand the open posture that the movement starts from"""

    bl_idname = "prehend.open_hand"
    bl_label = "Open Hand"

    def execute(self, context: Any) -> set[str]:
        """Open, and key if asked to."""

        def open_() -> str:
            armature = choose_armature(context.object, context.selected_objects)
            hand = choose_hand(
                armature, context.scene.prehend.prop, side=self.side, convention_folders=[conventions_folder()]
            )
            open_hand(armature, hand, self.request(), view_layer=context.view_layer)
            if self.key:
                key_hands(armature, [hand], context.scene.frame_current)
            armature.data.prehend.contacts.fingers.clear()
            return f"Opened {hand.wrist}"

        return run_service(self, open_)


def show_contacts(armature: Any, report: CloseReport) -> None:
    """Have the panel tell what became of it."""
    contacts = armature.data.prehend.contacts
    contacts.prop, contacts.hand, contacts.note = report.prop, report.hand, " ".join(report.notes)
    contacts.fingers.clear()
    for finger in report.fingers:
        row = contacts.fingers.add()
        row.finger, row.touching, row.closed = finger.name, finger.touching, finger.closed
        row.gap_mm = min(finger.gap_mm, 1e6)


CLASSES = (PREHEND_OT_close_fingers, PREHEND_OT_open_hand)
