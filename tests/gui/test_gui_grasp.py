# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasp through Blender's window: seen running, cancelled without a trace, taken, another chosen, undone."""

from __future__ import annotations

import pytest
from gui_host.blender import GuiBlender


def test_button_searches_cancels_takes_and_is_one_undo_step(gui: GuiBlender) -> None:
    states = gui.run("grasp").records
    assert states["running"], "the search runs while the window stays alive"
    assert states["offered"] == [], "nothing else may move the hand meanwhile"
    assert states["before"]["mode"] == "POSE"
    assert states["cancelled"] == states["before"], "Esc puts everything back to the bit"
    assert len(states["taken"]["touching"]) >= 3
    assert states["taken"]["place"] != states["before"]["place"], "the hand went to the mug"
    assert states["taken"]["listed"] >= 2, "there is something to choose from"
    assert states["second"]["chosen"] == 1
    assert states["second"]["place"] != states["taken"]["place"], "a click in the list takes that grasp"
    assert states["first again"] == states["taken"], "which is one step of undo"
    assert states["undone"] == states["before"]


@pytest.mark.long
def test_hooks_are_picked_with_a_click_and_a_search_follows_what_is_moved(gui: GuiBlender) -> None:
    states = gui.run("hooks").records
    assert "Handle or Stem" in states["found"]
    assert len(states["picked"]) == 1
    assert states["picked"][0] < 0.06, "the hook is in the mug, behind the click"
    assert states["unpicked"] == 0, "a picked hook is one step of undo"
    assert states["running"]
    assert states["mug"] == states["asked"], "the mug stays where it was put"
    assert states["away"] < 0.3, "and the hand took it there"
    assert states["moved"] > 0.05
