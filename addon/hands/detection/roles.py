# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each bone is in the hands of an armature, as a mark that stays on the bone when it is renamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from ...core.handmap import HandMap, HandMapError


def _roles(number: int, hand: HandMap) -> Iterator[tuple[str, str]]:
    """Pairs of role and bone name of one hand."""
    yield f"{number}/wrist", hand.wrist
    for finger in hand.fingers:
        start = f"{number}/{finger.name}"
        if finger.metacarpal is not None:
            yield f"{start}/metacarpal", finger.metacarpal
        for place, bone in enumerate(finger.chain):
            yield f"{start}/chain/{place}", bone
        if finger.tip is not None:
            yield f"{start}/tip", finger.tip
        for place, bone in enumerate(finger.deform):
            yield f"{start}/deform/{place}", bone


def roles_by_bone(hands: Sequence[HandMap]) -> dict[str, list[str]]:
    """The roles of every bone that takes part in a hand."""
    found: dict[str, list[str]] = {}
    for number, hand in enumerate(hands):
        for role, bone in _roles(number, hand):
            found.setdefault(bone, []).append(role)
    return found


def bones_by_role(
    hands: Sequence[HandMap], *, present: AbstractSet[str], marked: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """The present name of the bone in every role.

    Args:
        hands: Maps with the names that bones had when they were stored.
        present: Names of all bones now.
        marked: Names of the bones that carry each role's mark now: several after a bone was duplicated.

    Raises:
        HandMapError: A bone no longer exists.
    """
    now: dict[str, str] = {}
    for number, hand in enumerate(hands):
        for role, name in _roles(number, hand):
            bearers = marked.get(role, ())
            if name in bearers or (not bearers and name in present):
                now[role] = name
            elif bearers:
                now[role] = bearers[0]
            else:
                raise HandMapError(f"Bone '{name}' of the stored hand no longer exists; detect the hand again.")
    return now


def rename_bones(hand: HandMap, number: int, now: Mapping[str, str]) -> HandMap:
    """A hand map with the names that its bones have now."""
    fingers = tuple(
        replace(
            finger,
            metacarpal=None if finger.metacarpal is None else now[f"{number}/{finger.name}/metacarpal"],
            chain=tuple(now[f"{number}/{finger.name}/chain/{place}"] for place in range(len(finger.chain))),
            tip=None if finger.tip is None else now[f"{number}/{finger.name}/tip"],
            deform=tuple(now[f"{number}/{finger.name}/deform/{place}"] for place in range(len(finger.deform))),
        )
        for finger in hand.fingers
    )
    return replace(hand, wrist=now[f"{number}/wrist"], fingers=fingers)
