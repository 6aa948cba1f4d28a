# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Closing of real hands on real objects, where fingers move skin of the palm that is counted to others."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from addon.rig.shown_skin import shown_vertices
from addon.rig.skin import skin_objects
from addon.services.closing import CloseRequest, close_fingers, without
from addon.services.facing import face_palm
from addon.services.files import add_prop, open_character
from addon.services.poses import hands_of
from addon.services.surfaces import surface_of
from tests.real_files import HANDS, WHY

pytestmark = pytest.mark.long

KNOB = HANDS.parent / "objects" / "doorknob.stl"


@pytest.mark.skipif(not KNOB.exists(), reason=WHY)
@pytest.mark.parametrize("side", ["L", "R"])
def test_the_thumb_does_not_press_its_base_into_a_door_knob(side: str) -> None:
    open_character(HANDS / f"Hand_Nails_{side}.gltf")
    scene, layer = bpy.context.scene, bpy.context.view_layer
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    prop = add_prop(KNOB, scene)
    layer.update()
    hand, request = hands_of(armature, side=side)[0], CloseRequest()
    face_palm(armature, hand, prop, request, view_layer=layer)
    report = close_fingers(armature, hand, prop, request, view_layer=layer)
    skins = skin_objects(armature, without(prop, layer.objects))
    points = shown_vertices(skins, layer.depsgraph, centre=np.array(prop.location), radius=0.5)
    assert -1e3 * surface_of(prop, layer.depsgraph).exact_distance(points).min() <= 0.5
    assert sum(finger.touching for finger in report.fingers) == 5, report.sentence()
