# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliders through Blender's window: a drag is seen, is one undo step, and sliders show what else was posed."""

from __future__ import annotations

from gui_host.blender import GuiBlender


def test_a_dragged_slider_closes_the_hand_and_one_undo_restores_it(gui: GuiBlender) -> None:
    result = gui.run("sliders")
    records = result.records
    before, dragged = records["before"], records["dragged"]
    assert dragged["curl"] > before["curl"] + 0.15
    bent = {name.split(".")[0] for name in before["turns"] if before["turns"][name] != dragged["turns"][name]}
    assert {"index", "middle", "ring", "pinky"} <= bent
    assert "thumb" not in bent
    assert records["undone"] == before, "one undo takes the whole drag back, slider and hand"
    assert records["redone"] == dragged
    assert records["posed"]["curl"] > 0.7
    first, second, third = (
        result.pictures[f"8{k}-sliders-{name}"] for k, name in enumerate(("before", "dragged", "undone"))
    )
    assert second.changed(first, result.viewport) > 0.002, "the hand is seen to close"
    assert third.changed(second, result.viewport) > 0.002, "and to open again"
