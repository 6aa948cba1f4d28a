# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Notice changes of skins, so that hand models need not read all weights each time to know that they still hold."""

from __future__ import annotations

from contextlib import ExitStack

from ..rig.mesh_changes import stop_watching_meshes, watch_meshes


def watch_skins(undo: ExitStack) -> None:
    """Count changes of meshes from now until `undo` is unwound; without it models hold as well, but take longer."""
    watch_meshes()
    undo.callback(stop_watching_meshes)
