# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that take one of the grasps kept with a prop: the next, a chosen one, mirrored, or on another character."""

from __future__ import annotations

from typing import Any

import bpy

from ..core.errors import PrehendError
from ..preferences import conventions_folder
from ..services.grasp_apply import apply_record, obstacles_without
from ..services.grasp_records import has_grasps, load_candidates, store_candidates
from ..services.targets import choose_armature, choose_hand
from .closing import show_contacts
from .grasp_targets import Meant, OnHandAndProp, likely_prop, show_grasps
from .reporting import run_service


class NoOtherHandError(PrehendError):
    """There is no other hand to give a grasp to."""


class _Taking(OnHandAndProp):
    """Mix-in: applies one of the kept grasps."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether there may be grasps to take."""
        if not super().poll(context):
            return False
        prop = likely_prop(context)
        if prop is not None and not has_grasps(prop):
            cls.poll_message_set(f"'{prop.name}' has no kept grasps: press Grasp first")  # pyright: ignore
            return False
        return True

    def take(self, context: Any, meant: Meant, number: int) -> str:
        """Apply a grasp to a hand and note that it is the one that is shown."""
        records, _ = load_candidates(meant.prop)
        number %= len(records)
        layer = context.view_layer
        report = apply_record(
            meant.armature,
            meant.hand,
            meant.prop,
            records[number],
            view_layer=layer,
            depth=1e-3 * self.depth_mm,
            place=self.way(),
            obstacles=self._obstacles(meant, layer) if self.use_obstacles else [],
        )
        store_candidates(meant.prop, records, number)
        show_grasps(meant.prop)
        show_contacts(meant.armature, report)
        return f"Grasp {number + 1} of {len(records)}: {report.sentence()}"

    def _obstacles(self, meant: Meant, layer: Any) -> list[Any]:
        """What is in the way; hands that hold the prop now are not, as it is they that it is taken from."""
        holding = [
            each
            for each in layer.objects
            if each.type == "ARMATURE" and each.data.prehend.contacts.prop == meant.prop.name
        ]
        return obstacles_without(holding, meant.armature, meant.prop, layer)


class PREHEND_OT_step_grasp(_Taking, bpy.types.Operator):
    """Take the next or the previous of the grasps that are kept with the prop, closed anew on this hand's skin"""

    bl_idname = "prehend.step_grasp"
    bl_label = "Next Grasp"

    step: bpy.props.IntProperty(name="Step", description="1 for the next, -1 for the one before, 0 for the same again")

    @classmethod
    def description(cls, context: Any, properties: Any) -> str:
        """What a button with this step does."""
        which = {0: "the shown one again", -1: "the previous one"}.get(properties.step, "the next one")
        return f"Take {which} of the grasps that are kept with the prop, closed anew on this hand's skin"

    def execute(self, context: Any) -> set[str]:
        """Apply the grasp that many steps on."""

        def take() -> str:
            meant = self.meant(context)
            return self.take(context, meant, load_candidates(meant.prop)[1] + self.step)

        return run_service(self, take)


class PREHEND_OT_apply_grasp(_Taking, bpy.types.Operator):
    """Take this grasp, closed anew on this hand's skin"""

    bl_idname = "prehend.apply_grasp"
    bl_label = "Apply Grasp"

    number: bpy.props.IntProperty(name="Number", description="Which of the kept grasps, from 0", min=0)

    def execute(self, context: Any) -> set[str]:
        """Apply the grasp."""
        return run_service(self, lambda: self.take(context, self.meant(context), self.number))


class PREHEND_OT_mirror_grasp(_Taking, bpy.types.Operator):
    """Take the shown grasp with the character's other hand, as if the prop were seen in a mirror"""

    bl_idname = "prehend.mirror_grasp"
    bl_label = "Mirror Grasp"

    def execute(self, context: Any) -> set[str]:
        """Apply the grasp to the other hand."""

        def take() -> str:
            armature = choose_armature(context.object, context.selected_objects)
            prop = self.meant_prop(context, armature)
            records, chosen = load_candidates(prop)
            other = {"L": "R", "R": "L"}.get(records[chosen].side)
            if other is None:
                raise NoOtherHandError(f"The grasp of '{prop.name}' is a gripper's, which has no other hand.")
            hand = choose_hand(armature, prop, side=other, convention_folders=[conventions_folder()])
            return self.take(context, Meant(armature, hand, prop), chosen)

        return run_service(self, take)


class PREHEND_OT_copy_grasp(_Taking, bpy.types.Operator):
    """Give the shown grasp to a hand of another character, closed anew on its own skin"""

    bl_idname = "prehend.copy_grasp"
    bl_label = "Copy Grasp"

    armature: bpy.props.StringProperty(name="Character", description="Armature that takes the grasp")

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Ask for the character, with another selected one as the first guess."""
        others = [each for each in context.selected_objects if each.type == "ARMATURE" and each != context.object]
        shown = [each for each in context.view_layer.objects if each.type == "ARMATURE" and each != context.object]
        guess = (others or shown or [None])[0]
        self.armature = guess.name if guess is not None else ""
        return context.window_manager.invoke_props_dialog(self, title="Copy Grasp to Character")

    def draw(self, context: Any) -> None:
        """The character and its side."""
        self.layout.use_property_split = True
        self.layout.prop_search(self, "armature", context.scene, "objects", icon="ARMATURE_DATA")
        for name in ("side", "place"):
            self.layout.prop(self, name)

    def execute(self, context: Any) -> set[str]:
        """Apply the grasp to the other character."""

        def take() -> str:
            other = bpy.data.objects.get(self.armature)
            if other is None or other.type != "ARMATURE":
                raise NoOtherHandError("Choose the armature of the other character.")
            prop = self.meant_prop(context, other)
            hand = choose_hand(other, prop, side=self.side, convention_folders=[conventions_folder()])
            return self.take(context, Meant(other, hand, prop), load_candidates(prop)[1])

        return run_service(self, take)


CLASSES = (PREHEND_OT_step_grasp, PREHEND_OT_apply_grasp, PREHEND_OT_mirror_grasp, PREHEND_OT_copy_grasp)
