# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The poses that the panel offers and their pictures, drawn one by one while Blender has nothing else to do."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any

import bpy
import bpy.utils.previews

from ..preferences import poses_folder
from ..properties.library import OFFER, Entry
from ..services.pose_library import LibraryPose, load_library
from ..services.pose_previews import draw_pose

SIZE = 96
"""Width and height of a picture in pixels."""
BUDGET = 0.06
"""Seconds that may be spent on pictures at a time."""


class _Gallery:
    """Pictures and what is still to be drawn."""

    def __init__(self) -> None:
        self.pictures: Any = None
        self.waiting: list[LibraryPose] = []

    def ask(self) -> None:
        """Pictures are about to be seen: begin to draw those that are missing."""
        if self.waiting and not bpy.app.background and not bpy.app.timers.is_registered(draw_waiting):
            bpy.app.timers.register(draw_waiting, first_interval=0.05)


GALLERY = _Gallery()


def offer_library() -> None:
    """Read the library anew and offer it; poses that are new get pictures."""
    library = load_library(poses_folder())
    poses = library.poses.values()
    OFFER.change([Entry(each.key, each.pose.name, each.pose.description, each.group) for each in poses])
    for key in [key for key in OFFER.icons if key not in library.poses]:
        del OFFER.icons[key]
        if GALLERY.pictures is not None and key in GALLERY.pictures:
            del GALLERY.pictures[key]
    GALLERY.waiting = [each for each in poses if each.key not in OFFER.icons]


def draw_waiting() -> float | None:
    """Timer: draw some pictures; None, which ends it, when all are there."""
    started = time.perf_counter()
    while GALLERY.waiting and GALLERY.pictures is not None and time.perf_counter() - started < BUDGET:
        draw_one(GALLERY.waiting.pop(0))
    for window in bpy.context.window_manager.windows:  # noqa: TID251 (a timer has no other way to the windows)
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
    return 0.05 if GALLERY.waiting else None


def draw_one(pose: LibraryPose) -> None:
    """Draw the picture of a pose and offer it."""
    pixels = draw_pose(pose.pose.fingers("R"), size=SIZE, turn_deg=pose.turn_deg)
    picture = GALLERY.pictures.new(pose.key)
    picture.image_size = picture.icon_size = (SIZE, SIZE)
    flat = pixels.ravel().tolist()
    picture.image_pixels_float = picture.icon_pixels_float = flat
    OFFER.icons[pose.key] = picture.icon_id


def register_previews(undo: ExitStack) -> None:
    """Offer the library from now on, with its own removal."""
    GALLERY.pictures = bpy.utils.previews.new()
    undo.callback(_close)
    OFFER.wanted = GALLERY.ask
    offer_library()


def _close() -> None:
    if bpy.app.timers.is_registered(draw_waiting):
        bpy.app.timers.unregister(draw_waiting)
    OFFER.wanted = None
    OFFER.icons.clear()
    GALLERY.waiting.clear()
    bpy.utils.previews.remove(GALLERY.pictures)
    GALLERY.pictures = None
