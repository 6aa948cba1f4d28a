# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test here starts from an empty scene in a Blender that has Prehend registered."""

# pytest-blender also reads this file in a Python without Blender, so `bpy` is imported inside the fixtures only.
from __future__ import annotations

from collections.abc import Iterator

import pytest


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
