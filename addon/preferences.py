# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences of the extension."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import bpy

from .properties.choices import SIDE_ITEMS
from .registration import register_classes

PACKAGE = __package__ or "addon"


class PREHEND_AP_preferences(bpy.types.AddonPreferences):
    """Defaults that hold for all files."""

    bl_idname = PACKAGE

    default_side: bpy.props.EnumProperty(
        name="Default Side", description="Side of newly added demo hands", items=SIDE_ITEMS, default="R"
    )
    default_size_sd: bpy.props.FloatProperty(
        name="Default Size",
        description="Bone lengths of newly added demo hands in standard deviations from the mean adult hand",
        default=0.0,
        min=-3.0,
        max=3.0,
    )

    def draw(self, context: Any) -> None:
        """Show all preferences in one column."""
        column = self.layout.column()
        column.use_property_split = True
        column.prop(self, "default_side")
        column.prop(self, "default_size_sd")


def preferences(context: Any) -> Any:
    """The extension's preferences.

    An extension that was registered without being enabled, as scripts do, has no stored preferences;
    the class then gives its defaults.
    """
    addon = context.preferences.addons.get(PACKAGE)
    return addon.preferences if addon is not None else _Defaults


def user_folder() -> Path:
    """Folder for the user's own files; outside an installed extension it is beside Blender's other user data."""
    if PACKAGE.startswith("bl_ext."):
        return Path(bpy.utils.extension_path_user(PACKAGE, create=True))
    return Path(bpy.utils.user_resource("DATAFILES", path="prehend"))


def conventions_folder() -> Path:
    """Where the user's own conventions are kept."""
    return user_folder() / "conventions"


def poses_folder() -> Path:
    """Where the user's own poses are kept."""
    return user_folder() / "poses"


class _Defaults:
    default_side = "R"
    default_size_sd = 0.0


def register(undo: ExitStack) -> None:
    """Register the preferences."""
    register_classes(undo, (PREHEND_AP_preferences,))
