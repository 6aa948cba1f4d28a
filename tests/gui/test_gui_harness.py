# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The GUI tests' own tools: that the helpers do what they say, and that a scenario can fail."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from gui_host import display as display_module
from gui_host.blender import GuiBlender, GuiRunError

pytestmark = pytest.mark.long


@pytest.fixture
def gui(gui: GuiBlender, tmp_path: Path) -> GuiBlender:
    """A Blender whose wanted failures do not lie among the screenshots that people look at."""
    return dataclasses.replace(gui, out=tmp_path / "out")


def test_helpers_drag_scroll_open_and_escape(gui: GuiBlender) -> None:
    records = gui.run("practice").records
    assert 0.1 < records["slider"] < 1.0
    middle, right = records["row"]
    assert middle < right
    assert records["closed_drawn_at_first"] == 0
    assert records["modal"] == ["started", "left with Esc"]


def test_traceback_of_a_panel_fails_the_run(gui: GuiBlender) -> None:
    with pytest.raises(GuiRunError, match=r"(?s)Python errors in Blender's log.*broken on purpose"):
        gui.run("broken_panel")


def test_missing_button_fails_with_what_is_there(gui: GuiBlender) -> None:
    with pytest.raises(GuiRunError, match=r"(?s)No button for 'prehend.does_not_exist'. Buttons: .*lens") as failure:
        gui.run("missing_button")
    assert "click_button" in str(failure.value), "the driver's traceback is missing"
    assert (gui.out / "99-missing_button-failed.png").exists()


def test_hanging_blender_is_ended_with_its_group(gui: GuiBlender) -> None:
    with pytest.raises(GuiRunError, match="no end after 15 s"):
        dataclasses.replace(gui, timeout=15.0).run("hang")
    assert not _processes_mentioning(str(gui.work))


def test_private_display_ends_with_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mss")
    monkeypatch.delenv("DISPLAY", raising=False)
    try:
        with display_module.open_display() as display:
            picture = display.picture()
    except display_module.NoDisplayError as error:
        pytest.skip(str(error))
    assert (picture.width, picture.height) == (1600, 1000)
    assert not Path(f"/tmp/.X11-unix/X{display.name[1:]}").exists()


def test_no_display_and_no_server_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("PATH", os.devnull)
    with (
        pytest.raises(display_module.NoDisplayError, match="no display and no Xvfb: install xvfb"),
        display_module.open_display(),
    ):
        pass


def _processes_mentioning(text: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in command:
            found.append(command)
    return found
