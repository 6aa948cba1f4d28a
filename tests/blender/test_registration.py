# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Registration adds what it says, rolls back when a part fails and leaves no trace."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from bpy_extras.io_utils import ExportHelper

from tests.blender.processes import CHECKOUT, run_blender_code

# What Blender holds before and after: classes, attached properties, menu entries, handlers, timers, keymaps.
_SNAPSHOT = """
import bpy, sys
sys.path.insert(0, {checkout!r})

MENUS = [name for name in dir(bpy.types) if "_MT_" in name or "_PT_" in name or "_HT_" in name]

def snapshot():
    classes = {{name for name in dir(bpy.types)}}
    owners = ("Scene", "Object", "Armature", "Bone", "PoseBone", "WindowManager", "Mesh", "Collection", "Action")
    attached = {{(owner, key) for owner in owners for key in vars(getattr(bpy.types, owner))}}
    operators = {{f"{{module}}.{{name}}" for module in dir(bpy.ops) for name in dir(getattr(bpy.ops, module))}}
    drawn = set()
    for name in MENUS:
        draw = getattr(getattr(bpy.types, name, None), "draw", None)
        for function in getattr(draw, "_draw_funcs", ()):
            if function.__module__.startswith("bl_ui"):
                continue  # the menu's own drawing: Blender makes a list of it at the first append and keeps that
            drawn.add((name, function.__module__, function.__qualname__))
    lists = {{name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}}
    handlers = {{(name, repr(each)) for name, found in lists.items() if isinstance(found, list) for each in found}}
    return {{"classes": classes, "attached": attached, "operators": operators, "drawn": drawn, "handlers": handlers}}

def difference(a, b):
    return {{key: sorted(map(str, a[key] ^ b[key])) for key in a if a[key] ^ b[key]}}

import addon
before = snapshot()
{body}
"""

_LEAK = """
addon.register()
during = snapshot()
addon.unregister()
after = snapshot()
addon.register(); addon.unregister()
again = snapshot()
result([len(difference(before, during)), difference(before, after), difference(before, again)])
"""

_ROLLBACK = """
from addon import registration
from addon.operators import add_demo
# An id without a dot is refused, after all other operators were registered.
broken = type("PREHEND_OT_broken", (bpy.types.Operator,), {"bl_idname": "broken", "bl_label": "Broken"})
add_demo.CLASSES = (*add_demo.CLASSES, broken)
try:
    addon.register()
    failed = False
except Exception:
    failed = True
result([failed, difference(before, snapshot())])
"""


def _in_fresh_blender(body: str) -> Any:
    return run_blender_code(_SNAPSHOT.format(checkout=str(CHECKOUT), body=body))


def test_unregister_leaves_no_trace_in_a_fresh_process() -> None:
    added, left, left_again = _in_fresh_blender(_LEAK)
    assert added >= 3  # classes, attached properties, menu entries
    assert left == {}
    assert left_again == {}


def test_a_part_that_fails_rolls_everything_back() -> None:
    failed, left = _in_fresh_blender(_ROLLBACK)
    assert failed
    assert left == {}


def _prehend_classes() -> list[type]:
    return [
        cls
        for base in (bpy.types.Operator, bpy.types.Panel, bpy.types.Menu, bpy.types.UIList)
        for cls in base.__subclasses__()
        if cls.__module__.startswith("addon.")
    ]


KINDS = {"Operator": "OT", "Panel": "PT", "Menu": "MT", "UIList": "UL"}


def test_there_are_classes_to_name() -> None:
    assert {"PREHEND_OT_add_demo_hand", "PREHEND_PT_hand"} <= {cls.__name__ for cls in _prehend_classes()}


def test_ids_follow_the_naming() -> None:
    for cls in _prehend_classes():
        kind = next(infix for base, infix in KINDS.items() if issubclass(cls, getattr(bpy.types, base)))
        assert cls.__name__.startswith(f"PREHEND_{kind}_"), cls
        tail = cls.__name__.removeprefix(f"PREHEND_{kind}_")
        assert cls.bl_idname == (f"prehend.{tail}" if kind == "OT" else cls.__name__)
        assert tail == tail.lower()


def test_operators_explain_themselves() -> None:
    for cls in _prehend_classes():
        if issubclass(cls, bpy.types.Operator):
            # What only writes files leaves nothing to undo.
            writes_files = issubclass(cls, ExportHelper)
            assert "UNDO" in cls.bl_options or "INTERNAL" in cls.bl_options or writes_files, cls
            text = cls.__doc__ or ""
            assert text, cls
            assert not text.rstrip().endswith("."), cls
            assert cls.bl_label == cls.bl_label.title(), cls


def test_all_panels_stand_in_the_prehend_tab() -> None:
    for cls in _prehend_classes():
        if issubclass(cls, bpy.types.Panel):
            assert (cls.bl_space_type, cls.bl_region_type, cls.bl_category) == ("VIEW_3D", "UI", "Prehend")


@pytest.mark.parametrize(
    "name", ["PREHEND_PT_hand", "PREHEND_PT_pose", "PREHEND_PT_grasp", "PREHEND_PT_animate", "PREHEND_PT_export"]
)
def test_every_section_of_the_tab_is_there(name: str) -> None:
    assert hasattr(bpy.types, name)
