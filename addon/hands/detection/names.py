# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bone names taken apart: spelling made comparable, and what their words say."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from .vocabulary import DECOYS, FINGERS, GENERIC_FINGERS, HANDS, JOINTS, NOISE, PALMS, SIDES, TIPS, WORDS

_BREAK = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[^\d\W_])|(?<=[^\d\W_])(?=\d)|[\W_]+")
_LETTERS = ("a", "b", "c", "d", "e")
_COPY = re.compile(r"\.\d{3}$")
_SERIAL = re.compile(r"_\d{2,4}$")


@dataclass(frozen=True)
class Spelling:
    """One way to read a bone's name."""

    squashed: str
    """Name without case and separators."""
    suffix: str
    """Number that was cut off the end, with its separator."""


@cache
def squash(name: str) -> str:
    """A name without case and separators; only a separator between two digits is kept, as "_"."""
    plain = unicodedata.normalize("NFKC", name).lower()
    plain = re.sub(r"(?<=\d)[\W_]+(?=\d)", "\0", plain)
    return re.sub(r"[^\w\0]|_", "", plain).replace("\0", "_")


def spellings(name: str) -> list[Spelling]:
    """Ways to read a bone's name, most literal first: as it is, without ".001", without "_012"."""
    readings = [Spelling(squash(name), "")]
    bare = name
    for pattern in (_COPY, _SERIAL):
        found = pattern.search(bare)
        if found:
            bare = bare[: found.start()]
            readings.append(Spelling(squash(bare), name[len(bare) :]))
    return readings


@cache
def words(name: str) -> tuple[str, ...]:
    """The words and numbers of a name in lower case: "LeftHandIndex1" gives left, hand, index, 1."""
    plain = _COPY.sub("", unicodedata.normalize("NFKC", name))
    found: list[str] = []
    for part in _BREAK.split(plain):
        if part:
            found += _segment(part.lower())
    return tuple(found)


def _segment(word: str) -> list[str]:
    """Known words that make up `word` (written without separators or capitals), else the word itself."""
    if word.isdigit() or word in DECOYS or word in WORDS or (len(word) < 4 and word.isascii()):
        return [word]
    for first, last in ((0, len(word)), (1, len(word)), (0, len(word) - 1)):
        sides = [word[:first], word[last:]]
        if all(side in ("", "l", "r", "左", "右") for side in sides):
            inner = _cover(word[first:last])
            if inner:
                return [part for part in (sides[0], *inner, sides[1]) if part]
    return [word]


def _cover(text: str) -> list[str] | None:
    if not text:
        return []
    for word in WORDS:
        if text.startswith(word):
            rest = _cover(text[len(word) :])
            if rest is not None:
                return [word, *rest]
    return None


@dataclass(frozen=True)
class BoneName:
    """What the words of a bone's name say."""

    side: str
    """"L", "R", or "" when the name does not tell."""
    finger: str
    """Anatomical finger name, "#" for a finger known by number only, "" for other bones."""
    numbers: tuple[int, ...]
    """Numbers in the name, in order."""
    digits: str
    """The first number as written, for "Finger01" = first joint of finger 0."""
    joint: int | None
    """Place in the finger told by a word: 0 metacarpal, 1 proximal, 2 intermediate, 3 distal."""
    is_hand: bool
    """Whether a word says hand or wrist, and none says finger."""
    is_tip: bool
    """Whether a word says that the bone marks an end."""
    is_palm: bool
    """Whether a word says that the bone lies in the palm."""
    is_decoy: bool
    """Whether a word rules the bone out."""
    rest: tuple[str, ...]
    """Words without a known meaning: the same for all bones of a layer."""


@cache
def read_name(name: str) -> BoneName:
    """What a bone's name says about its place in a hand."""
    parts = words(name)
    texts = [part for part in parts if not part.isdigit()]
    sides = {SIDES[part] for part in texts if part in SIDES}
    named = [FINGERS[part] for part in texts if part in FINGERS]
    generic = any(part in GENERIC_FINGERS for part in texts)
    joints = [JOINTS[part] for part in texts if part in JOINTS]
    finger = named[-1] if named else "#" if generic else ""
    known = {*SIDES, *FINGERS, *GENERIC_FINGERS, *HANDS, *JOINTS, *TIPS, *NOISE}
    numbers = [part for part in parts if part.isdigit()]
    if finger and not numbers:
        # Joints counted in letters: "index_a", "index_b".
        letters = [part for part in texts if part in _LETTERS]
        numbers = [str(_LETTERS.index(part) + 1) for part in letters]
        known.update(letters)
    return BoneName(
        side=sides.pop() if len(sides) == 1 else "",
        finger=finger,
        numbers=tuple(int(number) for number in numbers),
        digits=numbers[0] if numbers else "",
        joint=joints[-1] if joints else None,
        is_hand=not finger and any(part in HANDS for part in texts),
        is_tip=any(part in TIPS for part in texts),
        is_palm=any(part in PALMS for part in texts),
        is_decoy=any(part in DECOYS for part in texts),
        rest=tuple(part for part in texts if part not in known),
    )
