# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands found by the names of a known convention."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from ...presets.conventions import LAYERS, Convention, FingerTemplate
from .names import spellings, squash, words
from .tree import Candidate, Finger, Tree
from .vocabulary import DECOYS, MECHANISMS


@dataclass(frozen=True)
class Reading:
    """A bone that a squashed name may stand for."""

    bone: int
    """Index of the bone."""
    suffix: str
    """Number cut off the bone's name."""
    strength: int
    """0 for the name as it is, more the more was cut off."""


class NameIndex:
    """The bones of an armature by squashed name."""

    def __init__(self, tree: Tree) -> None:
        """Read every name once."""
        self._readings: dict[str, list[Reading]] = defaultdict(list)
        for bone, name in enumerate(tree.names):
            for strength, spelling in enumerate(spellings(name)):
                self._readings[spelling.squashed].append(Reading(bone, spelling.suffix, strength))

    def ending(self, name: str) -> list[tuple[str, Reading]]:
        """Bones whose names end in `name`, each with the prefix before it."""
        end = squash(name)
        return [
            (key[: len(key) - len(end)], reading)
            for key, readings in self._readings.items()
            if key.endswith(end)
            for reading in readings
        ]

    def find(self, prefix: str, names: list[str], suffix: str) -> int | None:
        """The bone with one of these names after `prefix`; the same suffix is best, then the least cut off."""
        for name in names:
            readings = self._readings.get(prefix + squash(name))
            if readings:
                return min(readings, key=lambda found: (found.suffix != suffix, found.strength)).bone
        return None


def match_convention(tree: Tree, index: NameIndex, convention: Convention) -> list[Candidate]:
    """Hands whose wrist and fingers carry the names of a convention, on either side and with any common prefix."""
    found: list[Candidate] = []
    for side in convention.sides:
        allowed = {word for name in convention.spellings(convention.hand, side) for word in words(name)}
        for name in convention.spellings(convention.hand, side):
            for prefix, reading in index.ending(name):
                if DECOYS.isdisjoint(set(words(tree.names[reading.bone])) - allowed):
                    candidate = _match_hand(tree, index, convention, side, prefix=prefix, wrist=reading)
                    if candidate.fingers:
                        found.append(candidate)
    return found


def _match_hand(
    tree: Tree, index: NameIndex, convention: Convention, side: str, *, prefix: str, wrist: Reading
) -> Candidate:
    fingers: list[Finger] = []
    notes: list[str] = []
    for name, template in convention.fingers.items():
        finger = _match_finger(index, convention, side, name, template, prefix=prefix, suffix=wrist.suffix)
        if finger.chain:
            fingers.append(finger)
        missing = len(template.chain) - len(finger.chain)
        if finger.chain and missing and not (name == "thumb" and missing == 1):
            notes.append(f"The {name} finger has {len(finger.chain)} of {len(template.chain)} bones of its convention.")
    found = {finger.name for finger in fingers}
    absent = [name for name, template in convention.fingers.items() if name not in found and not template.optional]
    if absent and fingers:
        notes.append(f"No bones found for: {', '.join(absent)}.")
    candidate = Candidate(side=side, wrist=wrist.bone, fingers=fingers, convention=convention.key, notes=notes)
    matched = len(candidate.bones())
    candidate.confidence = 1.0 if not notes else 0.95
    candidate.rank = (
        len(fingers) >= 2,
        LAYERS.index(_layer(tree.names[wrist.bone], convention)),
        candidate.solid_fingers(),
        1,
        matched,
        _prefix_fit(convention.prefix, prefix),
        matched - convention.count(),
        -wrist.strength,
    )
    return candidate


def _layer(wrist: str, convention: Convention) -> str:
    """The convention's layer, unless the wrist's own name says that it belongs to a rig's inner workings."""
    return "mechanism" if MECHANISMS.intersection(words(wrist)) else convention.layer


def _match_finger(
    index: NameIndex,
    convention: Convention,
    side: str,
    name: str,
    template: FingerTemplate,
    *,
    prefix: str,
    suffix: str,
) -> Finger:
    def find(part: str | None) -> int | None:
        return None if part is None else index.find(prefix, convention.spellings(part, side), suffix)

    chain = [bone for bone in map(find, template.chain) if bone is not None]
    return Finger(name, chain, metacarpal=find(template.metacarpal), tip=find(template.tip))


def _prefix_fit(usual: str, found: str) -> int:
    """2 for the convention's own prefix, 1 for one that differs in its number, 0 for any other."""
    usual = squash(usual)
    if found == usual:
        return 2
    return int(bool(usual) and re.sub(r"\d+$", "", found) == re.sub(r"\d+$", "", usual))
