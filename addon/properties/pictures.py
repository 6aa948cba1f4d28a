# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of grasps as icons, made when they are first shown."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import bpy.utils.previews
import numpy as np

from ..solvers.thumbnail import SIDE, unpack

MOST_ICONS = 400
"""Icons that are kept before all are made anew."""

SHOWN = 256
"""Width and height in pixels that Blender takes for a whole preview; smaller ones are shown smaller."""

_icons: dict[str, Any] = {}
"""The collection of previews under its only key, while the extension is registered."""


def register(undo: ExitStack) -> None:
    """Have a place for icons."""
    _icons["all"] = bpy.utils.previews.new()
    undo.callback(_forget)


def _forget() -> None:
    bpy.utils.previews.remove(_icons.pop("all"))


def icon_of(picture: str) -> int:
    """The icon of a kept picture; 0 for none."""
    previews = _icons.get("all")
    if not picture or previews is None:
        return 0
    if picture not in previews:
        pixels = unpack(picture)
        if pixels is None:
            return 0
        if len(previews) > MOST_ICONS:
            previews.clear()
        made = previews.new(picture)
        rows = np.arange(SHOWN) * SIDE // SHOWN
        made.image_size = SHOWN, SHOWN
        made.image_pixels_float.foreach_set(pixels[np.ix_(rows, rows)].astype(np.float32).ravel())
    return int(previews[picture].icon_id)
