# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that are saved with the user's file, attached under one name, `prehend`."""

from __future__ import annotations

from contextlib import ExitStack

import bpy

from ..registration import attach_property, register_classes
from . import (
    animation,
    bones,
    contacts,
    exporting,
    grasps,
    hands,
    library,
    pictures,
    search_method,
    sliders,
    weights,
    window,
)
from .scene import PrehendSceneSettings


def register(undo: ExitStack) -> None:
    """Register the property groups and attach them."""
    register_classes(undo, (*bones.CLASSES, *contacts.CLASSES, *hands.CLASSES, *window.CLASSES))
    register_classes(undo, (*grasps.CLASSES, *search_method.CLASSES, *weights.CLASSES))
    register_classes(undo, (*exporting.CLASSES, *animation.CLASSES, *sliders.CLASSES, *library.CLASSES))
    register_classes(undo, (PrehendSceneSettings,))
    attach_property(undo, bpy.types.Scene, "prehend", bpy.props.PointerProperty(type=PrehendSceneSettings))
    armature = bpy.props.PointerProperty(type=hands.PrehendArmatureSettings)
    attach_property(undo, bpy.types.Armature, "prehend", armature)
    bone = bpy.props.PointerProperty(type=bones.PrehendBoneSettings)
    attach_property(undo, bpy.types.Bone, "prehend", bone)
    shown = bpy.props.PointerProperty(type=window.PrehendWindowSettings)
    attach_property(undo, bpy.types.WindowManager, "prehend", shown)
    held = bpy.props.PointerProperty(type=grasps.PrehendObjectSettings)
    attach_property(undo, bpy.types.Object, "prehend", held)
    pictures.register(undo)
