# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and fixtures of the GUI tests. They run in a plain Python; the Blender they drive is an option."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from gui_host.blender import GuiBlender
    from gui_host.display import Display

NO_BLENDER = "no --gui-blender: give the path of a Blender executable"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gui", "Blender with a window")
    group.addoption("--gui-blender", metavar="PATH", help="Blender executable, or a script that starts one")
    group.addoption("--gui-out", metavar="DIR", default="out/gui", help="where screenshots go (default: out/gui)")
    group.addoption("--gui-zip", metavar="PATH", help="test this extension package instead of the checkout")
    group.addoption("--gui-timeout", metavar="SECONDS", type=float, default=600.0, help="longest time for one test")


@pytest.fixture(scope="session")
def gui_display() -> Iterator[Display]:
    pytest.importorskip("mss", reason="no mss: pip install mss")
    from gui_host.display import NoDisplayError, open_display

    try:
        with open_display() as display:
            yield display
    except NoDisplayError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def gui_executable(pytestconfig: pytest.Config) -> str:
    # The default also serves runs that collect this directory without naming it: they know no such option.
    executable = pytestconfig.getoption("--gui-blender", default=None)
    if executable is None:
        pytest.skip(NO_BLENDER)
    return executable


@pytest.fixture
def gui(pytestconfig: pytest.Config, gui_executable: str, gui_display: Display, tmp_path: Path) -> GuiBlender:
    from gui_host.blender import GuiBlender, blender_version

    version = blender_version(gui_executable)
    package = pytestconfig.getoption("--gui-zip")
    return GuiBlender(
        executable=gui_executable,
        version=version,
        display=gui_display,
        out=Path(pytestconfig.getoption("--gui-out")).resolve() / version,
        work=tmp_path,
        extension_zip=Path(package).resolve() if package else None,
        timeout=pytestconfig.getoption("--gui-timeout"),
    )
