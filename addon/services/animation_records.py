# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated grasps as they are kept with an armature: JSON that tells which keys are whose, to make them anew."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from ..rig.keyframes import Key
from ..solvers.animation import Frames
from .animation_request import AnimationError

ANIMATIONS_KEY = "prehend_animations"
"""Custom property of the armature object."""
SCHEMA_VERSION = 1

Keys = dict[str, list[int]]
"""Frames by data path."""


@dataclass
class AnimationRecord:
    """One animated grasp."""

    hand: str
    """Wrist bone."""
    prop: str
    """Name of the prop."""
    target: str
    """Name of the object that it is carried to; empty for none."""
    frames: dict[str, int]
    """When what happens, as in `Frames`."""
    settings: dict[str, Any]
    """What was asked for."""
    movement: str
    """Key of the movement that the hand opens with."""
    wrist: list[list[float]]
    """The hand's frame in the world where it takes the prop. Shape (4, 4)."""
    place: list[list[float]]
    """The prop's world matrix there. Shape (4, 4)."""
    angles: dict[str, list[float]]
    """Flexion, abduction and twist in [rad] by bone."""
    held: dict[str, list[float]]
    """Values of the channels that hold, by data path."""
    keys: Keys = field(default_factory=dict)
    """Our keys on the armature."""
    prop_keys: Keys = field(default_factory=dict)
    """Our keys on the prop."""
    taken: list[Key] = field(default_factory=list)
    """Keys of the user's that had to give way on the armature."""
    prop_taken: list[Key] = field(default_factory=list)
    """The same on the prop."""
    constraint: str = ""
    """Name of our constraint on the prop; empty for none."""
    parented: bool = False
    """Whether the prop is parented to the hand."""
    path: str = ""
    """Name of the curve along which it is carried; empty for none."""

    @property
    def span(self) -> Frames:
        """When what happens."""
        return Frames(**self.frames)


def key_places(keys: Iterable[Keys]) -> set[tuple[str, int]]:
    """Data paths and frames of keys."""
    return {(path, frame) for each in keys for path, frames in each.items() for frame in frames}


def load_animations(armature: Any) -> list[AnimationRecord]:
    """The animated grasps that are kept with an armature.

    Raises:
        AnimationError: They cannot be read.
    """
    text = armature.get(ANIMATIONS_KEY)
    if text is None:
        return []
    try:
        entry = json.loads(str(text))
        if entry["schema_version"] != SCHEMA_VERSION:
            raise ValueError(entry["schema_version"])
        records = [_read(each) for each in entry["animations"]]
    except (ValueError, TypeError, KeyError) as error:
        raise AnimationError(
            f"The animated grasps kept with '{armature.name}' are damaged: delete its custom property "
            f"'{ANIMATIONS_KEY}' to begin anew."
        ) from error
    return records


def _read(entry: dict[str, Any]) -> AnimationRecord:
    record = AnimationRecord(**entry)
    _ = record.span
    record.taken, record.prop_taken = (
        [Key(**{**key, "handle_types": tuple(key["handle_types"]), "handles": tuple(key["handles"])}) for key in keys]
        for keys in (entry["taken"], entry["prop_taken"])
    )
    return record


def store_animations(armature: Any, records: list[AnimationRecord]) -> None:
    """Keep animated grasps with an armature."""
    if not records:
        if ANIMATIONS_KEY in armature:
            del armature[ANIMATIONS_KEY]
        return
    entry = {"schema_version": SCHEMA_VERSION, "animations": [asdict(each) for each in records]}
    armature[ANIMATIONS_KEY] = json.dumps(entry)
