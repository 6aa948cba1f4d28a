# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the hands of armatures and keep what was found with the armature."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import OutputError
from ..core.handmap import HandMap, HandMapError, from_json, to_json
from ..hands.detection import NoArmatureError, detect_hands
from ..hands.detection.authoring import convention_from_hand
from ..hands.detection.roles import bones_by_role, rename_bones, roles_by_bone
from ..presets.conventions import Convention, dump_convention, load_conventions
from ..rig.skeletons import left_of, read_roles, read_skeleton, write_roles
from ..rig.state import why_read_only

HANDS_KEY = "prehend_hands"
"""Custom property of the armature data: its hand maps as JSON."""


def detect_armature_hands(armature: Any, *, convention_folders: Sequence[Path] = ()) -> list[HandMap]:
    """All hands of an armature object, left before right; nothing is stored.

    Args:
        armature: The armature object.
        convention_folders: Folders with the user's own conventions.

    Raises:
        NoArmatureError: The object is none.
        HandDetectionError: No hand was found, see its subclasses.
        PresetError: A convention's file is malformed.
    """
    _require_armature(armature)
    return detect_hands(read_skeleton(armature), _conventions(convention_folders), left=left_of(armature))


def convention_titles(convention_folders: Sequence[Path] = ()) -> dict[str, str]:
    """What naming conventions are called, by key, and what to say of hands that were found without one.

    Raises:
        PresetError: A convention's file is malformed.
    """
    titles = {convention.key: convention.title for convention in _conventions(convention_folders)}
    return {"names": "By the bones' names", "structure": "By the bones' places"} | titles


def store_hands(armature: Any, hands: Iterable[HandMap]) -> None:
    """Keep hand maps with the armature, so that they survive saving, loading and renamed bones.

    Raises:
        NoArmatureError: The object is none.
        OutputError: The armature is linked from another file, or a library override that is not editable.
        HandMapError: A map names a bone that the armature does not have.
    """
    require_editable(armature)
    hands = list(hands)
    bones = {bone.name for bone in armature.data.bones}
    for hand in hands:
        absent = sorted(set(hand.bones()) - bones)
        if absent:
            raise HandMapError(f"Armature '{armature.name}' has no bone {', '.join(absent)}.")
    write_roles(armature, roles_by_bone(hands))
    armature.data[HANDS_KEY] = json.dumps([to_json(hand) for hand in hands])


def load_hands(armature: Any) -> list[HandMap]:
    """The stored hand maps with the bones' present names; empty if none were stored.

    Raises:
        NoArmatureError: The object is none.
        HandMapError: The maps are damaged, or a bone of theirs was deleted.
    """
    _require_armature(armature)
    text = armature.data.get(HANDS_KEY)
    if text is None:
        return []
    stored = _parse(str(text))
    present = {bone.name for bone in armature.data.bones}
    now = bones_by_role(stored, present=present, marked=read_roles(armature))
    return [rename_bones(hand, number, now) for number, hand in enumerate(stored)]


def clear_hands(armature: Any) -> None:
    """Forget the stored hand maps of an armature.

    Raises:
        NoArmatureError: The object is none.
        OutputError: As `store_hands`.
    """
    require_editable(armature)
    write_roles(armature, {})
    if HANDS_KEY in armature.data:
        del armature.data[HANDS_KEY]


def require_editable(armature: Any) -> None:
    """Refuse armature objects whose data cannot be changed.

    Raises:
        NoArmatureError: The object is none.
        OutputError: Its data are linked from another file, or a library override that is not editable.
    """
    _require_armature(armature)
    reason = why_read_only(armature.data)
    if reason is not None:
        raise OutputError(f"Armature '{armature.data.name}' {reason}.")


def save_user_convention(hand: HandMap, folder: Path, *, title: str) -> Path:
    """Write the names of a hand as a convention into a folder, so that rigs of the same kind are recognised.

    Raises:
        OutputError: The file cannot be written.
    """
    key = re.sub(r"\W+", "_", title.lower()).strip("_") or "own_rig"
    convention: Convention = convention_from_hand(hand, key=key, title=title)
    text = dump_convention(convention, source="Saved by the user from a hand map.", license_id="CC0-1.0")
    path = folder / f"{key}.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"'{path}' cannot be written: {error.strerror}.") from error
    return path


def _conventions(folders: Sequence[Path]) -> list[Convention]:
    return load_conventions(*(folder for folder in folders if folder.is_dir()))


def _parse(text: str) -> list[HandMap]:
    try:
        entries = json.loads(text)
        if not isinstance(entries, list):
            raise TypeError(entries)
        return [from_json(entry) for entry in entries]
    except (ValueError, TypeError) as error:
        raise HandMapError("The stored hand map is damaged; detect the hand again.") from error


def _require_armature(armature: Any) -> None:
    if armature is None:
        raise NoArmatureError("", "")
    if armature.type != "ARMATURE":
        raise NoArmatureError(armature.name, armature.type)
