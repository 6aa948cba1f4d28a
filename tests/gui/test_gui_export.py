# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Export through Blender's window: the scene that is open stays as it is, and poses are one undo step."""

from __future__ import annotations

from gui_host.blender import GuiBlender


def test_exports_leave_the_open_scene_alone_and_assets_are_one_undo_step(gui: GuiBlender) -> None:
    records = gui.run("export").records
    assert set(records["written"]) >= {"fbx", "glb"}
    for size, state in records["written"].values():
        assert size > 10_000
        assert state == records["before"]
    assert records["kept"] == ["Hand Pose"]
    assert records["asset"] == "Hand Pose"
    assert records["applied"] == ["FINISHED"]
    assert records["apart"] < 1e-5, "Blender's pose library gives the pose back"
    assert records["undone"] == []
    assert records["dialogs"] == ["PREHEND_OT_export_grasp"], "the button asks for a file"
    assert records["running"], "Esc comes while frames are read"
    assert records["stopped"] == [4, ["hand.fbx"]], "what was there stays"
    assert records["after_stop"]
    assert not records["ended"]
    size, names = records["replaced"]
    assert size > 10_000
    assert names == ["hand.fbx"]
    assert records["after"]
