# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Detect hands and let the user correct them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..hands.skin_offset import off_by
from ..rig.slots import read_slots, write_skin_off, write_slots
from ..rig.state import why_read_only
from .detection import (
    convention_titles,
    detect_armature_hands,
    load_hands,
    require_editable,
    save_user_convention,
    store_hands,
)
from .skin_alignment import Alignment, SkinFitsError, align_skin, find_skin_offset


class SlotError(PrehendError):
    """The slots do not describe a hand."""


def detect_and_show(armature: Any, *, convention_folders: Sequence[Path] = ()) -> list[HandMap]:
    """Detect the hands of an armature object, keep them with it and show them in its slots.

    Raises:
        PrehendError: No hand was found, or the armature cannot be written; nothing is changed then.
    """
    hands = detect_armature_hands(armature, convention_folders=convention_folders)
    store_hands(armature, hands)
    _show(armature, hands, convention_titles(convention_folders))
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
    _show(armature, hands, titles)
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
    _show(armature, hands, titles)
    return hands


def align_and_show(armature: Any, *, view_layer: Any) -> Alignment:
    """Move the bones of an armature object into its skin, and have the panel say so.

    Raises:
        SkinFitsError: There is nothing to align; the panel no longer says that there is.
        PrehendError: As `align_skin`. Nothing was changed.
    """
    try:
        aligned = align_skin(armature, view_layer=view_layer)
    except SkinFitsError:
        _show_skin_off(armature, "")
        raise
    _show_skin_off(armature, "")
    return aligned


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


def _show(armature: Any, hands: Sequence[HandMap], titles: Mapping[str, str]) -> None:
    write_slots(armature, hands, titles)
    offset = find_skin_offset(armature)
    _show_skin_off(armature, "" if offset is None else off_by(offset))


def _show_skin_off(armature: Any, distance: str) -> None:
    # Objects of linked bones can be moved, but nothing can be noted with the bones.
    if why_read_only(armature.data) is None:
        write_skin_off(armature, distance)


def _check(hand: HandMap) -> None:
    if not hand.wrist:
        raise SlotError("A hand has no wrist: choose its root bone.")
    if len(hand.fingers) < 2:
        raise SlotError(f"The hand at '{hand.wrist}' has fewer than two fingers: fill the slots of two or more.")
    bones = list(hand.bones())
    twice = sorted({bone for bone in bones if bones.count(bone) > 1})
    if twice:
        raise SlotError(f"Bone '{twice[0]}' stands in two slots: each bone has one place in a hand.")
