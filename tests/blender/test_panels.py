# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every panel and menu draws in every context a user may be in."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import pytest

from addon.shapes.props import PROPS
from tests.blender.recording import RecordingLayout, draw


def _nothing() -> None:
    pass


def _hand() -> None:
    bpy.ops.prehend.add_demo_hand()


def _hand_in_pose_mode() -> None:
    bpy.ops.prehend.add_demo_hand()
    bpy.ops.object.mode_set(mode="POSE")


def _prop() -> None:
    bpy.ops.prehend.add_demo_prop(prop="mug")


def _hand_and_prop() -> None:
    _prop()
    _hand()
    for obj in bpy.context.scene.objects:
        obj.select_set(True)


def _bare_armature() -> None:
    bpy.ops.object.armature_add()


def _camera() -> None:
    bpy.ops.object.camera_add()


def _hidden_active() -> None:
    _prop()
    bpy.context.object.hide_set(True)


SITUATIONS = [_nothing, _hand, _hand_in_pose_mode, _prop, _hand_and_prop, _bare_armature, _camera, _hidden_active]


def _drawables() -> list[type]:
    return [
        cls
        for base in (bpy.types.Panel, bpy.types.Menu)
        for cls in base.__subclasses__()
        if cls.__module__.startswith("addon.")
    ]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_panel_draws(situation: Callable[[], None]) -> None:
    situation()
    for cls in _drawables():
        if not hasattr(cls, "poll") or cls.poll(bpy.context):
            assert draw(cls, bpy.context), f"{cls.__name__} draws nothing"


def test_hand_panel_offers_the_demo_hand() -> None:
    drawn = draw(bpy.types.PREHEND_PT_hand, bpy.context)
    assert ("operator", ("prehend.add_demo_hand",)) in drawn


def test_hand_panel_calls_conventions_by_their_title() -> None:
    _hand()
    for step in ("detect_hands", "apply_hand_bones", "refresh_hand_bones"):
        getattr(bpy.ops.prehend, step)()
        labels = [args["text"] for name, args in draw(bpy.types.PREHEND_PT_hand, bpy.context) if name == "label"]
        assert any(text.startswith("Prehend demo hand, 5 fingers") for text in labels), (step, labels)


def test_prop_menu_lists_every_prop() -> None:
    drawn = draw(bpy.types.PREHEND_MT_add_demo_prop, bpy.context)
    assert [name for name, _ in drawn].count("operator") == len(PROPS)


def test_the_recording_layout_refuses_what_blender_refuses() -> None:
    layout = RecordingLayout()
    with pytest.raises(AssertionError, match="no icon"):
        layout.label(text="x", icon="NO_SUCH_ICON")
    with pytest.raises(AssertionError, match="has no property"):
        layout.prop(bpy.context.scene, "no_such_property")
    with pytest.raises(AssertionError, match="no function"):
        layout.no_such_function()
    with pytest.raises(AssertionError, match="has no property"):
        layout.operator("prehend.add_demo_hand").no_such_option = 1
