# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that animate a held grasp and take the animation away again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import bpy

from ..core.errors import PrehendError
from ..preferences import conventions_folder
from ..properties.animation import ATTACH_ITEMS, BEGIN_ITEMS, EXISTING_ITEMS, MOST_FINGERS, PARTS
from ..properties.choices import SIDES_ITEMS
from ..services.animating import GraspAnimation
from ..services.animation_removal import remove_animation
from ..services.animation_request import AnimationRequest, Durations, to_frames
from ..services.targets import choose_armature, choose_hand, choose_prop, named_object, obstacles_round
from .follow_tips import FOLLOWER
from .reporting import run_service

SETTINGS = (
    "start",
    "overlap",
    "delays",
    "smooth",
    "lift",
    "lifts",
    "path_here",
    "releases",
    "attach",
    "existing",
    "begin",
    "bake",
)
"""Settings of the panel that the operator has too."""
TICK = 0.1
"""How long in [s] to work between two redraws of the window."""


class _OnGrasp:
    """What both operators need."""

    bl_options = {"REGISTER", "UNDO"}

    side: bpy.props.EnumProperty(name="Side", description="Which hand", items=SIDES_ITEMS)
    prop: bpy.props.StringProperty(
        name="Prop", description="Object that is held; empty takes the one picked in the panel or selected"
    )

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether anything is selected that may be a hand."""
        if context.object is None and not context.selected_objects:
            cls.poll_message_set("Select the armature of a hand that holds a prop")  # pyright: ignore
            return False
        if context.mode not in {"OBJECT", "POSE"}:
            cls.poll_message_set("Switch to Object or Pose Mode first")  # pyright: ignore
            return False
        return True

    def chosen(self, context: Any) -> tuple[Any, Any, Any]:
        """Armature, hand and prop."""
        armature = choose_armature(context.object, context.selected_objects)
        picked = bpy.data.objects.get(self.prop) if self.prop else context.scene.prehend.prop
        prop = choose_prop(armature, context.selected_objects, picked)
        return armature, choose_hand(armature, prop, side=self.side, convention_folders=[conventions_folder()]), prop


class PREHEND_OT_animate_grasp(_OnGrasp, bpy.types.Operator):
    """Key how the hand comes to the prop it holds, closes, holds, opens and goes; once more makes it anew"""

    bl_idname = "prehend.animate_grasp"
    bl_label = "Animate"

    start: bpy.props.IntProperty(name="Start", description="First frame", default=1)
    approach: bpy.props.IntProperty(name="Approach", description="Frames in which the hand comes", default=18, min=1)
    close: bpy.props.IntProperty(name="Close", description="Frames in which the fingers close", default=8, min=1)
    hold: bpy.props.IntProperty(name="Hold", description="Frames in which they hold", default=14, min=0)
    carry: bpy.props.IntProperty(name="Carry", description="Frames in which the prop is carried", default=24, min=1)
    release: bpy.props.IntProperty(name="Release", description="Frames in which the fingers open", default=8, min=1)
    retreat: bpy.props.IntProperty(name="Retreat", description="Frames in which the hand goes", default=16, min=1)
    target: bpy.props.StringProperty(name="Carry To", description="Object to whose place the prop is carried")
    path: bpy.props.StringProperty(name="Along", description="Curve along which the prop is carried")
    path_here: bpy.props.BoolProperty(
        name="Start Here",
        description="Shift the path so that it begins where the prop is; else the prop goes to the path's start first",
    )
    lift: bpy.props.FloatProperty(
        name="Lift", description="How far the prop is lifted", default=0.05, min=0.0, subtype="DISTANCE"
    )
    lifts: bpy.props.BoolProperty(name="Lift and Put Down", description="Lift the prop even if it is carried nowhere")
    releases: bpy.props.BoolProperty(name="Let Go", description="Let go of the prop at last", default=True)
    attach: bpy.props.EnumProperty(name="Attach", description="How the prop follows the hand", items=ATTACH_ITEMS)
    existing: bpy.props.EnumProperty(
        name="Existing", description="What becomes of animation that is there already", items=EXISTING_ITEMS
    )
    begin: bpy.props.EnumProperty(name="From", description="Where the hand comes from and goes to", items=BEGIN_ITEMS)
    overlap: bpy.props.FloatProperty(
        name="Overlap", description="How much later the last finger closes", default=0.2, min=-0.6, max=0.6
    )
    delays: bpy.props.IntVectorProperty(
        name="Delays",
        description="Frames by which each finger, thumb first, closes later; all zero leaves it to Overlap",
        size=MOST_FINGERS,
        min=0,
    )
    smooth: bpy.props.BoolProperty(name="Ease", description="Begin and end motions slowly", default=True)
    bake: bpy.props.BoolProperty(name="Bake Every Frame", description="Set keys at every frame")
    add: bpy.props.BoolProperty(
        name="Add Another", description="Add an animation of the same hand and prop instead of making the last one anew"
    )
    use_obstacles: bpy.props.BoolProperty(
        name="Obstacles", description="Keep clear of the other visible objects", default=True
    )
    use_panel: bpy.props.BoolProperty(
        name="Use Panel", description="Take all of this from the panel's settings", options={"SKIP_SAVE", "HIDDEN"}
    )

    _work: GraspAnimation | None = None
    _steps: Iterator[tuple[float, str]]
    _timer: Any = None

    def execute(self, context: Any) -> set[str]:
        """All of it in one go: scripts, and the redo panel."""

        def animate() -> str:
            work = self._prepare(context)
            try:
                with FOLLOWER.paused():
                    for _ in work.steps():
                        pass
                    return work.finish().sentence()
            except BaseException:
                # Whatever it was, nothing half done is left.
                work.cancel()
                raise

        return run_service(self, animate)

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Step by step, with progress and a way out."""
        if bpy.app.background:
            return self.execute(context)
        try:
            self._work = self._prepare(context)
        except PrehendError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._steps = self._work.steps()
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        self._timer = manager.event_timer_add(0.0, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """A few steps for each tick of the timer; Esc puts everything back."""
        work = self._work
        assert work is not None
        if event.type == "ESC":
            with FOLLOWER.paused():
                work.cancel()
            self.report({"INFO"}, "Cancelled; nothing was keyed")
            return self._leave(context, {"CANCELLED"})
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            share, doing = 0.0, ""
            with FOLLOWER.paused():
                until = time.monotonic() + TICK
                while time.monotonic() < until:
                    step = next(self._steps, None)
                    if step is None:
                        self.report({"INFO"}, work.finish().sentence())
                        return self._leave(context, {"FINISHED"})
                    share, doing = step
        except PrehendError as error:
            with FOLLOWER.paused():
                work.cancel()
            self.report({"ERROR"}, str(error))
            return self._leave(context, {"CANCELLED"})
        context.window_manager.progress_update(share)
        context.workspace.status_text_set(f"Prehend: {doing}, {100 * share:.0f} %. Esc cancels")
        return {"RUNNING_MODAL"}

    def cancel(self, context: Any) -> None:
        """Put everything back when Blender itself ends the operator, as on closing the window."""
        if self._work is not None:
            self._work.cancel()

    def _take_settings(self, scene: Any) -> None:
        settings = scene.prehend.animation
        for name in SETTINGS:
            setattr(self, name, getattr(settings, name))
        for name in PARTS:
            frames = getattr(settings, name)
            if settings.unit == "SECONDS":
                frames = to_frames(getattr(settings, f"{name}_s"), scene)
            setattr(self, name, frames)
        if settings.at_playhead:
            self.start = scene.frame_current
        self.target = settings.target.name if settings.target is not None else ""
        self.path = settings.path.name if settings.path is not None else ""
        self.side, self.use_obstacles = scene.prehend.side, scene.prehend.use_obstacles

    def _prepare(self, context: Any) -> GraspAnimation:
        if self.use_panel:
            # Once: what the redo panel changes afterwards counts.
            self._take_settings(context.scene)
            self.use_panel = False
        armature, hand, prop = self.chosen(context)
        durations = Durations(**{name: getattr(self, name) for name in PARTS})
        settings: dict[str, Any] = {name: getattr(self, name) for name in SETTINGS}
        settings["delays"] = tuple(self.delays)
        request = AnimationRequest(durations=durations, add=self.add, **settings)
        target, path = named_object(self.target), named_object(self.path)
        obstacles = obstacles_round(armature, prop, context.view_layer) if self.use_obstacles else []
        return GraspAnimation(
            armature,
            hand,
            prop,
            request,
            scene=context.scene,
            view_layer=context.view_layer,
            target=target,
            path=path,
            obstacles=[each for each in obstacles if each not in (target, path)],
        )

    def _leave(self, context: Any, result: set[str]) -> set[str]:
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        self._work, self._timer = None, None
        return result


class PREHEND_OT_remove_animation(_OnGrasp, bpy.types.Operator):
    """Take away the keys of the hand's last animation with this prop; keys that gave way come back"""

    bl_idname = "prehend.remove_animation"
    bl_label = "Remove Animation"

    def execute(self, context: Any) -> set[str]:
        """Remove it."""

        def remove() -> str:
            armature, hand, prop = self.chosen(context)
            with FOLLOWER.paused():
                record = remove_animation(armature, hand, prop, scene=context.scene, view_layer=context.view_layer)
            span = record.span
            return f"Removed the animation of {record.hand} and {record.prop}, frames {span.approach} to {span.away}"

        return run_service(self, remove)


CLASSES = (PREHEND_OT_animate_grasp, PREHEND_OT_remove_animation)
