# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand maps to the slots that a user sees and corrects, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..core.handmap import FingerMap, HandMap

_UNKNOWN_SIDE = "UNKNOWN"


def write_slots(armature: Any, hands: Iterable[HandMap], titles: Mapping[str, str]) -> None:
    """Show hand maps in the slots of an armature object; what was shown before is replaced.

    Args:
        armature: The armature object.
        hands: What to show.
        titles: What conventions are called, by key.
    """
    slots = armature.data.prehend.hands
    opened = {hand.wrist for hand in slots if hand.show_bones}
    slots.clear()
    for hand in hands:
        slot = slots.add()
        slot.side = hand.side or _UNKNOWN_SIDE
        slot.wrist = hand.wrist
        slot.convention = hand.convention
        slot.title = titles.get(hand.convention, hand.convention)
        slot.confidence = hand.confidence
        slot.notes = "\n".join(hand.notes)
        slot.show_bones = hand.wrist in opened
        for finger in hand.fingers:
            _add_finger(slot, finger)


def write_skin_off(armature: Any, distance: str) -> None:
    """Show how far the skin of an armature object lies off its bones; empty where it is round them."""
    armature.data.prehend.skin_off = distance


def read_slots(armature: Any) -> list[HandMap]:
    """The hand maps that the slots of an armature object say; slots left empty are left out."""
    return [
        HandMap(
            side="" if slot.side == _UNKNOWN_SIDE else slot.side,
            wrist=slot.wrist,
            fingers=tuple(each for each in map(_read_finger, slot.fingers) if each.chain),
            convention=slot.convention,
            confidence=1.0,  # a person has looked at it
        )
        for slot in armature.data.prehend.hands
    ]


def _add_finger(slot: Any, finger: FingerMap) -> None:
    row = slot.fingers.add()
    row.finger = finger.name
    row.metacarpal = finger.metacarpal or ""
    row.tip = finger.tip or ""
    row.deform = "\n".join(finger.deform)
    for bone in finger.chain:
        row.chain.add().bone = bone


def _read_finger(row: Any) -> FingerMap:
    chain = tuple(slot.bone for slot in row.chain if slot.bone)
    deform = tuple(row.deform.split("\n")) if row.deform else ()
    return FingerMap(
        name=row.finger,
        chain=chain,
        metacarpal=row.metacarpal or None,
        tip=row.tip or None,
        # Each deform bone follows one bone of the chain; a corrected chain has to be compared with itself.
        deform=deform if len(deform) == len(chain) else (),
    )
