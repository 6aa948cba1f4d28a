# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hands of a skeleton: by convention, by the words in names, by structure; compared, checked and ordered."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from ...core.handmap import FingerMap, HandMap
from ...core.skeleton import Skeleton
from ...presets.conventions import Convention
from .check import check_shape, settle_side
from .errors import CoincidentJointsError, NoHandError, OneFingerError
from .matching import NameIndex, match_convention
from .names import squash
from .structure import match_structure
from .tree import Candidate, Tree, build_tree
from .words import match_words


def detect_hands(
    skeleton: Skeleton,
    conventions: Iterable[Convention],
    *,
    left: ArrayLike = (1.0, 0.0, 0.0),
    up: ArrayLike = (0.0, 0.0, 1.0),
) -> list[HandMap]:
    """All hands of a skeleton, left before right, surest first.

    Args:
        skeleton: The bones at rest in [m].
        conventions: Naming conventions to try.
        left: Direction to the character's left. Shape (3,).
        up: Direction upwards. Shape (3,).

    Raises:
        NoHandError: Nothing looks like a hand.
        OneFingerError: The only hand has one finger.
        CoincidentJointsError: All joints lie in one point.
    """
    conventions = tuple(conventions)
    if not skeleton.names:
        raise NoHandError(bones=0, conventions=len(conventions))
    tree = build_tree(skeleton, left=np.asarray(left, dtype=np.float64), up=np.asarray(up, dtype=np.float64))
    if len(skeleton.names) > 1 and float(np.ptp(skeleton.heads, axis=0).max()) == 0.0:
        raise CoincidentJointsError("the armature")
    index = NameIndex(tree)
    named = [found for convention in conventions for found in match_convention(tree, index, convention)]
    hands = _choose(tree, [*named, *match_words(tree)])
    whole = [hand for hand in hands if len(hand.fingers) > 1]
    if not whole:
        whole = match_structure(tree)
    if not whole:
        _raise_nothing_found(tree, hands, len(conventions))
    for hand in whole:
        check_shape(tree, hand)
        settle_side(tree, hand, has_pair=len(whole) == 2)
    _note_rivals(tree, whole)
    for single in (
        hand for hand in hands if len(hand.fingers) == 1 and not any(_same_hand(tree, hand, o) for o in whole)
    ):
        note = f"The hand at bone '{tree.names[single.wrist]}' was left out: it has one finger only."
        for hand in whole:
            hand.notes.append(note)
    whole.sort(key=lambda hand: (("L", "R", "").index(hand.side), -hand.confidence, hand.wrist))
    return [_to_map(tree, hand) for hand in whole]


def _raise_nothing_found(tree: Tree, hands: list[Candidate], conventions: int) -> None:
    if hands:
        best = max(hands, key=lambda hand: hand.rank)
        raise OneFingerError(tree.names[best.wrist], best.fingers[0].name)
    raise NoHandError(bones=len(tree.names), conventions=conventions)


def _choose(tree: Tree, candidates: list[Candidate]) -> list[Candidate]:
    """The best candidate for each hand."""
    chosen: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda candidate: candidate.rank, reverse=True):
        if not any(_same_hand(tree, candidate, other) for other in chosen):
            chosen.append(candidate)
    return chosen


def _same_hand(tree: Tree, one: Candidate, other: Candidate) -> bool:
    """Whether two candidates are readings or layers of one hand: bones shared, or joints in the same places."""
    if one.wrist == other.wrist or one.chain_bones() & other.chain_bones():
        return True
    if one.convention == other.convention and one.rank[1] == other.rank[1]:
        return False
    return _lies_on(tree, one, other) or _lies_on(tree, other, one)


def _lies_on(tree: Tree, one: Candidate, other: Candidate) -> bool:
    """Whether every finger of one candidate begins at a joint of the other, be it a later one of the finger."""
    knuckles = tree.skeleton.heads[[finger.chain[0] for finger in one.fingers]]
    joints = tree.skeleton.heads[sorted(other.chain_bones())]
    gaps = np.linalg.norm(knuckles[:, None] - joints[None], axis=2).min(axis=1)
    size = float(np.linalg.norm(knuckles - tree.head(one.wrist), axis=1).max())
    return bool(gaps.max() < 0.02 * size)


def _note_rivals(tree: Tree, hands: list[Candidate]) -> None:
    """Say so where one side has several hands."""
    for hand in hands:
        rivals = [other for other in hands if other is not hand and other.side == hand.side and hand.side]
        if rivals:
            names = ", ".join(f"'{tree.names[other.wrist]}'" for other in rivals)
            hand.confidence *= 0.7
            hand.notes.append(f"This side has another hand as well, at bone {names}: choose one.")


def _to_map(tree: Tree, hand: Candidate) -> HandMap:
    names = tree.names
    return HandMap(
        side=hand.side,
        wrist=names[hand.wrist],
        fingers=tuple(
            FingerMap(
                name=finger.name,
                chain=tuple(names[bone] for bone in finger.chain),
                metacarpal=None if finger.metacarpal is None else names[finger.metacarpal],
                tip=None if finger.tip is None else names[finger.tip],
                deform=tuple(names[bone] for bone in _followers(tree, finger.chain)),
            )
            for finger in hand.fingers
        ),
        convention=hand.convention,
        confidence=round(hand.confidence, 3),
        notes=tuple(hand.notes),
    )


def _followers(tree: Tree, chain: list[int]) -> list[int]:
    """The deforming bones that lie on a chain of controls, one each; none if the chain itself deforms.

    A control that deforms stands for itself: Auto-Rig Pro splits only the first bone of a finger in two.
    """
    skeleton = tree.skeleton
    if bool(skeleton.deform[chain].all()):
        return []
    found: list[int] = []
    for bone in chain:
        if skeleton.deform[bone]:
            found.append(bone)
            continue
        length = max(float(np.linalg.norm(skeleton.tails[bone] - skeleton.heads[bone])), 1e-9)
        gaps = np.linalg.norm(skeleton.heads - skeleton.heads[bone], axis=1)
        gaps += 0.25 * np.linalg.norm(skeleton.tails - skeleton.tails[bone], axis=1)
        taken = {*found, *chain}
        near = [other for other in np.flatnonzero(skeleton.deform & (gaps < 0.1 * length)) if other not in taken]
        if not near:
            return []
        core = squash(tree.names[bone])
        found.append(int(min(near, key=lambda other: (core not in squash(tree.names[other]), float(gaps[other])))))
    return found
