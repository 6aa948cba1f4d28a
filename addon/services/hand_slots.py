# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Detect hands and let the user correct them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..rig.slots import read_slots, write_slots
from .detection import (
    convention_titles,
    detect_armature_hands,
    load_hands,
    require_editable,
    save_user_convention,
    store_hands,
)


class SlotError(PrehendError):
    """The slots do not describe a hand."""


def detect_and_show(armature: Any, *, convention_folders: Sequence[Path] = ()) -> list[HandMap]:
    """Detect the hands of an armature object, keep them with it and show them in its slots.

    Raises:
        PrehendError: No hand was found, or the armature cannot be written; nothing is changed then.
    """
    hands = detect_armature_hands(armature, convention_folders=convention_folders)
    store_hands(armature, hands)
    write_slots(armature, hands, convention_titles(convention_folders))
    return hands


def apply_slots(armature: Any, *, convention_folders: Sequence[Path] = ()) -> list[HandMap]:
    """Keep the hands as the user has corrected them in the slots.

    Raises:
        SlotError: A bone stands twice, a hand has no wrist or fewer than two fingers; nothing is changed then.
        HandMapError: A bone does not exist.
        PresetError: A convention's file is malformed.
    """
    hands = read_slots(armature)
    for hand in hands:
        _check(hand)
    titles = convention_titles(convention_folders)
    store_hands(armature, hands)
    write_slots(armature, hands, titles)
    return hands


def refresh_slots(armature: Any, *, convention_folders: Sequence[Path] = ()) -> list[HandMap]:
    """Show the stored hands with the bones' present names.

    Raises:
        HandMapError: A bone was deleted; detect the hand again.
        OutputError: The armature cannot be written.
        PresetError: A convention's file is malformed.
    """
    require_editable(armature)
    hands = load_hands(armature)
    titles = convention_titles(convention_folders)
    write_slots(armature, hands, titles)
    return hands


def save_shown_convention(armature: Any, folder: Path, *, number: int, title: str) -> Path:
    """Keep one shown hand's names as a convention of the user's own.

    Raises:
        SlotError: There is no such hand, or it is not whole.
        OutputError: The file cannot be written.
    """
    hands = read_slots(armature)
    if not 0 <= number < len(hands):
        raise SlotError("There is no such hand: detect the hands first.")
    _check(hands[number])
    return save_user_convention(hands[number], folder, title=title)


def _check(hand: HandMap) -> None:
    if not hand.wrist:
        raise SlotError("A hand has no wrist: choose its root bone.")
    if len(hand.fingers) < 2:
        raise SlotError(f"The hand at '{hand.wrist}' has fewer than two fingers: fill the slots of two or more.")
    bones = list(hand.bones())
    twice = sorted({bone for bone in bones if bones.count(bone) > 1})
    if twice:
        raise SlotError(f"Bone '{twice[0]}' stands in two slots: each bone has one place in a hand.")
