# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animate through Blender's window: grasped, cancelled without a trace, animated, played, undone."""

from __future__ import annotations

import pytest
from gui_host.blender import GuiBlender


@pytest.mark.long
def test_buttons_grasp_animate_play_and_undo(gui: GuiBlender) -> None:
    states = gui.run("animate").records
    assert states["running"], "it runs while the window stays alive"
    assert states["cancelled"] == states["taken"], "Esc puts everything back to the bit"
    assert states["animated"]["kept"]
    assert states["animated"]["action"] is not None
    assert states["carried"] < 1e-4, "along the curve that was picked in the panel, to its end"
    assert states["frames_went_on"]
    assert states["played"] >= 4, "the hand moves"
    assert states["undone"] == states["taken"], "one undo step"
