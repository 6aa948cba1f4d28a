# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliders through Blender's window: a drag is seen, is one undo step, and sliders show what else was posed."""

from __future__ import annotations

import pytest
from gui_host.blender import GuiBlender

pytestmark = pytest.mark.long


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
    left, top, right, bottom = result.viewport
    # Below is where Blender shows the last operation, which undo takes away.
    seen = (left, top, right, bottom - 60)
    moved = second.changed(first, seen)
    assert moved > 0.01, "the hand is seen to close"
    assert third.changed(second, seen) > 0.9 * moved, "and to open again"
    assert third.changed(first, seen) == 0.0, "to the very picture that there was"
