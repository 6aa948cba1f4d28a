# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties that operators and settings have in common: the same range and default in both, and the service's own."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from addon.properties import shared
from addon.services import closing, finger_ik

PAIRS = [
    ("close_fingers", "depth", "depth"),
    ("grasp", "depth", "depth"),
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
    assert (shared.DEFAULT_DEPTH, shared.DEEPEST) == (closing.DEFAULT_DEPTH, closing.DEEPEST)
    assert pytest.approx(finger_ik.TipOptions().theta_u, abs=1e-6) == shared.DEFAULT_BEND
