# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a moved slider does, and how sliders come to show the pose that there is.

Handlers only note that something has changed. A timer reads the pose a few times a second, so that playing, moving and
undoing cost nothing, and writes the sliders without setting them off.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..preferences import conventions_folder
from ..properties.sliders import listeners
from ..services.poses import key_hands
from ..services.sliders import SliderReading, SliderSession
from .reporting import OnArmature, run_service

EVERY = 0.2
"""Seconds between two looks at the pose."""
SMALLEST = 5e-3
"""Values up to this are shown as 0."""

SESSION = SliderSession()


class _State:
    """What the handlers know; nothing of Blender's data is kept."""

    def __init__(self) -> None:
        self.changed = True
        self.writing = False

    def forget(self) -> None:
        """Look at everything anew."""
        self.changed = True
        SESSION.reset()


STATE = _State()


class PREHEND_OT_read_sliders(OnArmature, bpy.types.Operator):
    """Set the sliders to the pose that the hands have now"""

    bl_idname = "prehend.read_sliders"
    bl_label = "Read Pose"
    bl_options = {"REGISTER", "INTERNAL"}

    def execute(self, context: Any) -> set[str]:
        """Read and show."""

        def read() -> str:
            STATE.forget()
            hands = _hands(context.object, context.scene.prehend.side)
            _show(context.scene, context.object, SESSION.read(context.object, hands))
            return f"Read {', '.join(hand.wrist for hand in hands)}"

        return run_service(self, read)


def slider_moved(context: Any, slider: str, finger: str, value: float) -> None:
    """A user has moved a slider: pose the hands of the active armature."""
    armature = context.object
    if STATE.writing or armature is None or armature.type != "ARMATURE":
        return
    settings = context.scene.prehend
    shown = context.window_manager.prehend
    try:
        hands = _hands(armature, settings.side)
        reading = SESSION.move(armature, hands, slider, value, finger=finger, coupled=settings.sliders.coupled)
        if context.scene.tool_settings.use_keyframe_insert_auto:
            key_hands(armature, hands, context.scene.frame_current)
        _show(context.scene, armature, reading, moved=(slider, finger))
        shown.slider_message = ""
    except PrehendError as error:
        # There is no operator that could report it.
        shown.slider_message = str(error)


def refresh(scene: Any, view_layer: Any) -> bool:
    """Have the sliders show the active armature's pose, if it has changed; give whether they were written."""
    armature = view_layer.objects.active
    if armature is None or armature.type != "ARMATURE" or armature.mode == "EDIT" or scene.library is not None:
        return False
    sliders = scene.prehend.sliders
    try:
        hands = _hands(armature, scene.prehend.side)
        if SESSION.is_current(armature, hands) and sliders.armature == _shown_key(armature, scene):
            return False
        reading = SESSION.read(armature, hands)
    except PrehendError:
        # Armatures without hands are no error: the sliders are then those of no hand.
        if not sliders.armature:
            return False
        reading = None
    _show(scene, armature, reading)
    return True


def _show(scene: Any, armature: Any, reading: SliderReading | None, *, moved: tuple[str, str] | None = None) -> None:
    """Have the sliders show a reading; the one that a user is moving keeps what the user gave it."""
    sliders = scene.prehend.sliders
    STATE.writing = True
    try:
        sliders.armature = _shown_key(armature, scene) if reading is not None else ""
        if reading is None:
            sliders.fingers.clear()
            return
        for name, value in reading.hand.items():
            if moved != (name, ""):
                setattr(sliders, name, _tidy(value))
        sliders.useful = " ".join(sorted(reading.useful))
        if [row.name for row in sliders.fingers] != [row.name for row in reading.fingers]:
            sliders.fingers.clear()
            for each in reading.fingers:
                sliders.fingers.add().name = each.name
        for row, each in zip(sliders.fingers, reading.fingers, strict=True):
            for name in ("curl", "spread", "tip_curl"):
                if moved != (f"finger_{name}", each.name):
                    setattr(row, name, _tidy(getattr(each, name)))
    finally:
        STATE.writing = False


def _tidy(value: float) -> float:
    """The value, or 0 where it is too small to be meant: Blender would show it in six digits."""
    return value if abs(value) > SMALLEST else 0.0


def _shown_key(armature: Any, scene: Any) -> str:
    return f"{armature.name_full} {scene.prehend.side}"


def _hands(armature: Any, side: str) -> list[HandMap]:
    return SESSION.hands(armature, side, convention_folders=[conventions_folder()])


@persistent
def note_change(scene: Any, depsgraph: Any = None) -> None:
    """After every change and every frame: the timer looks at it."""
    STATE.changed = True


@persistent
def forget(*_: Any) -> None:
    """After undo, redo and with another file nothing that was seen holds."""
    STATE.forget()


def look() -> float:
    """Timer: show the pose of the active armature of the first window, unless it is playing."""
    manager = bpy.context.window_manager  # noqa: TID251 (a timer has no other way to the windows)
    windows = manager.windows if manager is not None else ()
    if not STATE.changed or not len(windows) or any(window.screen.is_animation_playing for window in windows):
        return EVERY
    STATE.changed = False
    for window in windows[:1]:
        if getattr(window.scene, "prehend", None) is not None and refresh(window.scene, window.view_layer):
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    area.tag_redraw()
    return EVERY


def register_handlers(undo: ExitStack) -> None:
    """Listen to the sliders and to what changes the pose, each with its own removal."""
    STATE.forget()
    listeners.append(slider_moved)
    undo.callback(listeners.remove, slider_moved)
    handlers: Any = bpy.app.handlers
    for found, function in (
        (handlers.depsgraph_update_post, note_change),
        (handlers.frame_change_post, note_change),
        (handlers.undo_post, forget),
        (handlers.redo_post, forget),
        (handlers.load_post, forget),
    ):
        found.append(function)
        undo.callback(found.remove, function)
    bpy.app.timers.register(look, first_interval=EVERY, persistent=True)
    undo.callback(_stop_looking)
    undo.callback(STATE.forget)


def _stop_looking() -> None:
    if bpy.app.timers.is_registered(look):
        bpy.app.timers.unregister(look)


CLASSES = (PREHEND_OT_read_sliders,)
