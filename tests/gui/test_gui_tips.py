# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingertip targets through Blender's window."""

from __future__ import annotations

import pytest
from gui_host.blender import GuiBlender

pytestmark = pytest.mark.long


def changed(before: dict[str, list[float]], after: dict[str, list[float]]) -> set[str]:
    """Fingers whose bones turned."""
    return {name.split(".")[0] for name in before if before[name] != after[name]}


def test_targets_are_added_solved_undone_and_followed(gui: GuiBlender) -> None:
    result = gui.run("tips")
    records = result.records
    targets = [name for name, facts in records["added"]["objects"].items() if facts["type"] == "EMPTY"]
    assert len(targets) == 5
    assert all(name.startswith("Tip ") for name in targets)
    assert {"index", "ring"} <= changed(records["moved"], records["solved"])
    assert records["gap"] > 1.0, "a target beyond the finger's reach has its distance noted"
    assert records["undone"] == records["moved"]
    assert records["redone"] == records["solved"]
    assert records["following"] is True
    assert changed(records["solved"], records["followed"]) >= {"index"}
    assert 0.0 < records["solver_ms"] < records["update_ms"]
    moved, solved = result.pictures["61-tips-moved"], result.pictures["62-tips-solved"]
    assert solved.changed(moved, result.viewport) > 0.002, "the finger is not to be seen to move"
