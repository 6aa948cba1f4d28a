# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that find a grasp of a prop, step through those that were found, and give them to other hands."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import bpy

from ..core.errors import PrehendError
from ..preferences import conventions_folder
from ..properties.choices import AUTO_MOVEMENT_ITEMS, PLACE_ITEMS, SIDES_ITEMS
from ..services.closing import DEEPEST, DEFAULT_DEPTH
from ..services.grasp_records import load_candidates, store_candidates
from ..services.grasping import DEFAULT_ATTEMPTS, GraspProgress, GraspRequest, GraspSearch, apply_record
from ..services.targets import choose_armature, choose_hand, choose_prop, obstacles_round
from .closing import show_contacts
from .reporting import run_service


class PREHEND_OT_grasp(bpy.types.Operator):
    """Find where and how the hand takes the prop; Enter accepts what is shown, Esc puts everything back"""

    bl_idname = "prehend.grasp"
    bl_label = "Grasp"
    bl_options = {"REGISTER", "UNDO"}

    movement: bpy.props.EnumProperty(
        name="Movement", description="How the hand closes; Auto tries those that suit", items=AUTO_MOVEMENT_ITEMS
    )
    side: bpy.props.EnumProperty(
        name="Side", description="Which hand; of both the one nearer to the prop", items=SIDES_ITEMS
    )
    prop: bpy.props.StringProperty(
        name="Prop", description="Object to hold; empty takes the one picked in the panel or selected"
    )
    place: bpy.props.EnumProperty(name="Move", description="What is moved to the other", items=PLACE_ITEMS)
    use_cursor: bpy.props.BoolProperty(
        name="At 3D Cursor", description="Take the prop where the 3D cursor is instead of looking for places"
    )
    attempts: bpy.props.IntProperty(
        name="Attempts",
        description="How many pairs of a place and a movement are tried",
        default=DEFAULT_ATTEMPTS,
        min=1,
        soft_max=24,
    )
    seed: bpy.props.IntProperty(name="Seed", description="The same seed finds the same grasps", min=0)
    depth: bpy.props.FloatProperty(
        name="Soft Pads",
        description="How far the skin gives where it touches",
        default=DEFAULT_DEPTH,
        min=0.0,
        max=DEEPEST,
        subtype="DISTANCE",
        precision=4,
    )
    use_obstacles: bpy.props.BoolProperty(
        name="Obstacles", description="Keep clear of the other visible objects", default=True
    )

    _search: GraspSearch | None = None
    _steps: Generator[GraspProgress, None, None] | None = None
    _timer: Any = None

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether anything is selected that may be a hand."""
        if context.object is None and not context.selected_objects:
            cls.poll_message_set("Select the armature of a hand and a prop")
            return False
        if context.mode not in {"OBJECT", "POSE"}:
            cls.poll_message_set("Switch to Object or Pose Mode first")
            return False
        return True

    def execute(self, context: Any) -> set[str]:
        """Search to the end and take the best: scripts, and the redo panel."""

        def take() -> str:
            search = self._prepare(context)
            try:
                for _ in search.run():
                    pass
                return self._accept(search)
            except PrehendError:
                search.restore()
                raise

        return run_service(self, take)

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Search step by step, with what is found shown as it gets better."""
        if bpy.app.background:
            return self.execute(context)
        try:
            self._search = self._prepare(context)
        except PrehendError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._steps = self._search.run()
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        context.workspace.status_text_set("Prehend: searching. Enter accepts, Esc cancels")
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """One attempt for each tick of the timer."""
        search = self._search
        assert search is not None
        assert self._steps is not None
        if event.type == "ESC":
            search.restore()
            return self._leave(context, {"CANCELLED"})
        if event.type in {"RET", "NUMPAD_ENTER"} and event.value == "PRESS" and search.candidates:
            return self._finish(context)
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        try:
            progress = next(self._steps)
        except StopIteration:
            return self._finish(context)
        context.window_manager.progress_update(progress.share)
        context.workspace.status_text_set(f"Prehend: {progress.text}. Enter accepts, Esc cancels")
        if progress.improved:
            search.show()
        return {"RUNNING_MODAL"}

    def cancel(self, context: Any) -> None:
        """Put everything back when Blender itself ends the operator, as on closing the window."""
        if self._search is not None:
            self._search.restore()

    def _prepare(self, context: Any) -> GraspSearch:
        armature = choose_armature(context.object, context.selected_objects)
        picked = bpy.data.objects.get(self.prop) if self.prop else context.scene.prehend.prop
        prop = choose_prop(armature, context.selected_objects, picked)
        hand = choose_hand(armature, prop, side=self.side, convention_folders=[conventions_folder()])
        cursor = tuple(context.scene.cursor.location)
        request = GraspRequest(
            movement=self.movement,
            hooks=((cursor[0], cursor[1], cursor[2]),) if self.use_cursor else (),
            depth=self.depth,
            seed=self.seed,
            attempts=self.attempts,
            place=self.place,
        )
        obstacles = obstacles_round(armature, prop, context.view_layer) if self.use_obstacles else []
        return GraspSearch(armature, hand, prop, request, view_layer=context.view_layer, obstacles=obstacles)

    def _accept(self, search: GraspSearch) -> str:
        report = search.accept()
        show_contacts(search.armature, report)
        return f"{report.sentence()}; {len(search.candidates)} grasps to choose from"

    def _finish(self, context: Any) -> set[str]:
        search = self._search
        assert search is not None

        def accept() -> str:
            try:
                return self._accept(search)
            except PrehendError:
                search.restore()
                raise

        return self._leave(context, run_service(self, accept))

    def _leave(self, context: Any, result: set[str]) -> set[str]:
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        self._search, self._steps, self._timer = None, None, None
        return result


class PREHEND_OT_step_grasp(bpy.types.Operator):
    """Take the next or the previous of the grasps that are kept with the prop, closed anew on this hand's skin"""

    bl_idname = "prehend.step_grasp"
    bl_label = "Next Grasp"
    bl_options = {"REGISTER", "UNDO"}

    step: bpy.props.IntProperty(name="Step", description="1 for the next, -1 for the one before, 0 for the same again")
    side: bpy.props.EnumProperty(
        name="Side", description="Which hand; the other one takes the mirrored grasp", items=SIDES_ITEMS
    )
    prop: bpy.props.StringProperty(
        name="Prop", description="Object to hold; empty takes the one picked in the panel or selected"
    )
    place: bpy.props.EnumProperty(name="Move", description="What is moved to the other", items=PLACE_ITEMS)
    depth: bpy.props.FloatProperty(
        name="Soft Pads",
        description="How far the skin gives where it touches",
        default=DEFAULT_DEPTH,
        min=0.0,
        max=DEEPEST,
        subtype="DISTANCE",
        precision=4,
    )

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether anything is selected that may be a hand."""
        return PREHEND_OT_grasp.poll.__func__(cls, context)

    def execute(self, context: Any) -> set[str]:
        """Apply the grasp that many steps on."""

        def take() -> str:
            armature = choose_armature(context.object, context.selected_objects)
            picked = bpy.data.objects.get(self.prop) if self.prop else context.scene.prehend.prop
            prop = choose_prop(armature, context.selected_objects, picked)
            records, chosen = load_candidates(prop)
            number = (chosen + self.step) % len(records)
            hand = choose_hand(armature, prop, side=self.side, convention_folders=[conventions_folder()])
            report = apply_record(
                armature,
                hand,
                prop,
                records[number],
                view_layer=context.view_layer,
                depth=self.depth,
                place=self.place,
            )
            store_candidates(prop, records, number)
            show_contacts(armature, report)
            return f"Grasp {number + 1} of {len(records)}: {report.sentence()}"

        return run_service(self, take)


CLASSES = (PREHEND_OT_grasp, PREHEND_OT_step_grasp)
