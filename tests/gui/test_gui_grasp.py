# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasp through Blender's window: seen running, cancelled without a trace, taken, undone."""

from __future__ import annotations

from gui_host.blender import GuiBlender


def test_button_searches_cancels_takes_and_is_one_undo_step(gui: GuiBlender) -> None:
    states = gui.run("grasp").records
    assert states["running"], "the search runs while the window stays alive"
    assert states["cancelled"] == states["before"], "Esc puts everything back to the bit"
    assert len(states["taken"]["touching"]) >= 3
    assert states["taken"]["place"] != states["before"]["place"], "the hand went to the ball"
    assert states["undone"] == states["before"]
