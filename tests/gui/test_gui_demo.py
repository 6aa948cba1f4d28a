# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Demo hands and props through Blender's window: the button, the menu, undo and redo."""

from __future__ import annotations

from typing import Any

import pytest
from gui_host.blender import GuiBlender

# A picture counts as changed when more of the 3D view differs than a cursor, a text or a gizmo would cover.
VISIBLE_CHANGE = 0.01


def only_hand(scene: dict[str, Any]) -> tuple[str, str]:
    """Names of the armature and the skin of a scene that holds one hand and nothing else."""
    rigs = [name for name, facts in scene["objects"].items() if facts["type"] == "ARMATURE"]
    skins = [name for name, facts in scene["objects"].items() if facts["type"] == "MESH"]
    assert len(rigs) == len(skins) == 1
    assert len(scene["objects"]) == 2
    return rigs[0], skins[0]


def assert_hand_added(scene: dict[str, Any]) -> None:
    rig, skin = only_hand(scene)
    assert scene["active"] == rig
    assert rig in scene["selected"]
    assert scene["objects"][rig]["bones"] >= 6, "a hand has at least two fingers"
    assert scene["objects"][skin]["parent"] == rig
    assert scene["objects"][skin]["deformed_by"] == [rig]
    assert scene["objects"][skin]["faces"] > 100
    assert scene["objects"][skin]["unskinned_vertices"] == 0


def test_button_adds_a_hand_in_one_undo_step(gui: GuiBlender) -> None:
    result = gui.run("demo_hand")
    scenes = result.records
    assert scenes["before"]["objects"] == {}
    assert_hand_added(scenes["added"])
    assert len(scenes["added_twice"]["objects"]) == 4
    assert scenes["undone_once"] == scenes["added"]
    assert scenes["undone_twice"] == scenes["before"]
    assert scenes["redone_once"] == scenes["added"]
    assert scenes["redone_twice"] == scenes["added_twice"]

    empty, hand = result.pictures["14-demo_hand-undone-twice"], result.pictures["15-demo_hand-redone-once"]
    assert hand.changed(empty, result.viewport) > VISIBLE_CHANGE, "the hand is not to be seen"


@pytest.mark.long
def test_panel_adds_the_chosen_prop_in_one_undo_step(gui: GuiBlender) -> None:
    result = gui.run("demo_prop")
    scenes = result.records
    assert scenes["choice"] != scenes["choice_before"]
    assert scenes["before"]["objects"] == {}
    (name,) = scenes["added"]["objects"]
    assert name == scenes["choice"]
    prop = scenes["added"]["objects"][name]
    assert prop["type"] == "MESH"
    assert prop["faces"] > 0
    assert scenes["added"]["active"] == name
    assert scenes["added"]["selected"] == [name]
    assert scenes["undone"] == scenes["before"]
    assert scenes["redone"] == scenes["added"]

    empty, added = result.pictures["22-demo_prop-undone"], result.pictures["23-demo_prop-redone"]
    assert added.changed(empty, result.viewport) > VISIBLE_CHANGE, "the prop is not to be seen"


@pytest.mark.long
def test_add_menu_adds_a_hand_by_mouse_and_by_name(gui: GuiBlender) -> None:
    scenes = gui.run("add_menu").records
    assert scenes["before"]["objects"] == {}
    assert_hand_added(scenes["added"])
    assert scenes["undone"] == scenes["before"]
    assert_hand_added(scenes["found"])


@pytest.mark.long
def test_all_sections_are_drawn(gui: GuiBlender) -> None:
    records = gui.run("sections").records
    for state in ("empty", "with_hand"):
        panels = records[state]["panels"]
        assert "Hand" in [panel["label"] for panel in panels.values()]
        assert [name for name, panel in panels.items() if panel["offered"] and not panel["drawn"]] == []
        buttons = records[state]["buttons"]
        assert any(button.startswith("bpy.ops.prehend.add_demo_hand(") for button in buttons)
        assert any(button.startswith("bpy.ops.prehend.add_demo_prop(") for button in buttons)
