# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties that operators and settings have in common: the same range and default in both, and the service's own."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from addon.properties import shared
from addon.services import closing, finger_ik, grasping

PAIRS = [
    ("close_fingers", "depth_mm", "depth_mm"),
    ("grasp", "depth_mm", "depth_mm"),
    ("grasp", "attempts", "attempts"),
    ("grasp", "seconds", "seconds"),
    ("grasp", "seed", "seed"),
    ("grasp", "place", "place"),
    ("close_fingers", "use_obstacles", "use_obstacles"),
    ("solve_tips", "method", "tip_method"),
    ("bake_tips", "bend", "tip_bend"),
    ("apply_pose", "factor", "library.factor"),
    ("apply_pose", "fingers", "library.fingers"),
    ("apply_pose", "flip", "library.flip"),
]


def facts(prop: Any) -> dict[str, Any]:
    keys = ("type", "subtype", "description", "default", "hard_min", "hard_max", "default_flag")
    told = {key: getattr(prop, key) for key in keys if hasattr(prop, key)}
    return {**told, "items": [item.identifier for item in getattr(prop, "enum_items", ())]}


@pytest.mark.parametrize(("operator", "name", "setting"), PAIRS)
def test_an_operator_and_the_panel_mean_the_same(operator: str, name: str, setting: str) -> None:
    rna = getattr(bpy.ops.prehend, operator).get_rna_type()
    group, _, last = setting.rpartition(".")
    settings = bpy.context.scene.prehend
    owner = getattr(settings, group) if group else settings
    assert facts(rna.properties[name]) == facts(owner.bl_rna.properties[last])


def test_defaults_are_those_of_the_services() -> None:
    depths = [1e-3 * shared.DEFAULT_DEPTH_MM, 1e-3 * shared.DEEPEST_MM]
    assert depths == pytest.approx([closing.DEFAULT_DEPTH, closing.DEEPEST])
    assert shared.DEFAULT_ATTEMPTS == grasping.DEFAULT_ATTEMPTS
    assert pytest.approx(finger_ik.TipOptions().theta_u, abs=1e-6) == shared.DEFAULT_BEND
