# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test here starts from an empty scene in a Blender that has Prehend registered."""

# pytest-blender also reads this file in a Python without Blender, so `bpy` is imported inside the fixtures only.
from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

_exit_code: list[int] = []


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    _exit_code.append(int(exitstatus))


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave at once: some versions of the bpy module now and then wait for ever in their own clean-up."""
    bpy = sys.modules.get("bpy")
    if bpy is not None and not bpy.app.binary_path and _exit_code:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_exit_code[-1])


@pytest.fixture(scope="session", autouse=True)
def _registered() -> Iterator[None]:
    import bpy

    import addon

    # Only this keeps add-ons that are registered; factory settings would drop them.
    bpy.ops.wm.read_homefile(use_empty=True)
    addon.register()
    yield
    addon.unregister()


@pytest.fixture(autouse=True)
def _empty_scene(_registered: None) -> None:
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
