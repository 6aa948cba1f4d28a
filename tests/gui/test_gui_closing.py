# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Close Fingers through Blender's window: the button, what the panel tells, undo and redo."""

from __future__ import annotations

from gui_host.blender import GuiBlender

VISIBLE_CHANGE = 0.005


def test_button_closes_the_hand_in_one_undo_step(gui: GuiBlender) -> None:
    result = gui.run("close_fingers")
    states = result.records
    assert states["before"]["fingers"] == []
    touching = [finger for finger, touches, _ in states["closed"]["fingers"] if touches]
    assert len(touching) >= 3, states["closed"]["fingers"]
    assert all(-0.5 <= gap <= 0.2 for _, touches, gap in states["closed"]["fingers"] if touches)
    assert states["closed"]["prop"] == "Ball"
    before, closed = states["before"]["pose"], states["closed"]["pose"]
    assert closed["hand.R"] == before["hand.R"], "the wrist stays"
    assert all(closed[f"{finger}.distal.R"] != before[f"{finger}.distal.R"] for finger in touching)
    assert states["undone"] == states["before"]
    assert states["redone"] == states["closed"]

    opened, shut = result.pictures["62-close_fingers-undone"], result.pictures["63-close_fingers-redone"]
    assert shut.changed(opened, result.viewport) > VISIBLE_CHANGE, "the closed hand is not to be seen"
