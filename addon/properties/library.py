# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is chosen in the library of poses.

Which poses there are, and their pictures, is told by whoever reads the user's folder: properties only offer them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy

from ..presets.poses import GROUPS, load_poses
from .shared import pose_fingers, pose_flip, pose_share

DEFAULT_POSE = "relaxed"
MINE = "mine"
_GROUP_LABELS = {
    "everyday": ("Everyday", "Poses of every day"),
    "letters": ("Letters", "The alphabet of American Sign Language"),
    "digits": ("Digits", "The digits of American Sign Language"),
    "counting": ("Counting", "Counting from one to ten on one hand"),
}
GROUP_ITEMS = (
    ("all", "All", "All poses"),
    *((key, *_GROUP_LABELS[key]) for key in GROUPS),
    (MINE, "Mine", "Poses that you saved or imported"),
)


@dataclass(frozen=True)
class Entry:
    """A pose as it is offered."""

    key: str
    label: str
    description: str
    group: str

    def matches(self, words: list[str], group: str) -> bool:
        """Whether it is among those that are searched for."""
        if not words:
            return group in ("all", self.group)
        text = f"{self.label} {self.group} {self.description}".casefold()
        return all(word in text for word in words)


class Offer:
    """The poses there are now and their pictures."""

    def __init__(self) -> None:
        self.entries = [Entry(key, each.label, each.description, each.group) for key, each in load_poses().items()]
        self.icons: dict[str, int] = {}
        self.wanted: Callable[[], None] | None = None
        """Called when pictures are about to be seen."""
        self._items: dict[tuple[Any, ...], list[tuple[str, str, str, int, int]]] = {}

    def items(self, words: str, group: str) -> list[tuple[str, str, str, int, int]]:
        """What an enum property offers. Kept, as Blender does not keep the strings."""
        key = (words, group, len(self.entries), len(self.icons))
        if key not in self._items:
            if len(self._items) > 200:
                self._items.clear()
            split = words.casefold().split()
            self._items[key] = [
                (each.key, each.label, each.description, self.icons.get(each.key, 0), number_of(each.key))
                for each in self.entries
                if each.matches(split, group)
            ]
        return self._items[key]

    def change(self, entries: list[Entry]) -> None:
        """Other poses are there now."""
        self.entries = entries
        self._items.clear()


OFFER = Offer()


def number_of(key: str) -> int:
    """A number for an enum property that stays a pose's own, whatever others come and go."""
    return zlib.crc32(key.encode()) & 0x7FFFFFFF


def pose_keys(_: Any, context: Any, text: str) -> list[str]:
    """Suggestions for the name of a pose."""
    return [each.key for each in OFFER.entries if text.casefold() in f"{each.key} {each.label}".casefold()]


def _items(group: Any, _: Any) -> list[tuple[str, str, str, int, int]]:
    return OFFER.items(group.search, group.group)


def _get(group: Any) -> int:
    offered = [item[4] for item in OFFER.items(group.search, group.group)]
    chosen = number_of(group.pose)
    return chosen if chosen in offered or not offered else offered[0]


def _set(group: Any, number: int) -> None:
    group.pose = next((each.key for each in OFFER.entries if number_of(each.key) == number), DEFAULT_POSE)


class PrehendPoseLibrary(bpy.types.PropertyGroup):
    """What is chosen in the library of poses."""

    pose: bpy.props.StringProperty(name="Pose", description="Pose to apply", default=DEFAULT_POSE)
    choice: bpy.props.EnumProperty(
        name="Pose",
        description="Pose to apply",
        items=_items,  # type: ignore[arg-type]
        get=_get,
        set=_set,
    )
    search: bpy.props.StringProperty(
        name="Search",
        description="Offer the poses that have these words in their name or description",
        options={"TEXTEDIT_UPDATE"},
    )
    group: bpy.props.EnumProperty(name="Group", description="Poses that are offered", items=GROUP_ITEMS)
    factor: pose_share("Blend")
    fingers: pose_fingers()
    flip: pose_flip()
    show_options: bpy.props.BoolProperty(name="Library", description="Show how poses are applied, saved and shared")


CLASSES = (PrehendPoseLibrary,)
