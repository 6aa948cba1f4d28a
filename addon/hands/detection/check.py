# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a hand found by name can be one by its shape, and which side it is of."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from .errors import CoincidentJointsError
from .shape import CHIRALITY_MARGIN, chirality, finger_points
from .tree import Candidate, Tree

SIDE_WORDS = {"L": "left", "R": "right"}


def check_shape(tree: Tree, candidate: Candidate) -> None:
    """Lower the confidence of a hand whose joints do not lie like a hand's, and say why.

    Raises:
        CoincidentJointsError: All joints of the hand lie in one point.
    """
    heads = tree.skeleton.heads[candidate.bones()]
    size = float(np.ptp(heads, axis=0).max())
    extent = float(np.ptp(tree.skeleton.heads, axis=0).max())
    if size <= 1e-7 * max(extent, 1e-3):
        raise CoincidentJointsError(f"the hand at bone '{tree.names[candidate.wrist]}'")
    origin = tree.head(candidate.wrist)
    for finger in candidate.fingers:
        points = finger_points(tree, finger)
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        label = finger.name.replace("_", " ")
        if len(finger.chain) > 1 and float(steps[:-1].min()) < 1e-4 * size:
            candidate.confidence *= 0.6
            candidate.notes.append(f"Joints of the {label} coincide, so its bones have no length.")
        elif np.linalg.norm(points[-1] - points[0]) < 0.3 * steps.sum():
            candidate.confidence *= 0.7
            candidate.notes.append(f"The bones of the {label} do not lead one after the other; check their order.")
        elif np.linalg.norm(points[0] - origin) > 0.95 * np.linalg.norm(points[-1] - origin):
            candidate.confidence *= 0.7
            candidate.notes.append(f"The {label} does not lead away from the wrist.")
        if len(finger.chain) > 1 and not _is_connected(tree, finger.chain):
            candidate.confidence *= 0.8
            candidate.notes.append(f"The bones of the {label} hang on different parents.")
    _check_sizes(tree, candidate)


def _is_connected(tree: Tree, chain: list[int]) -> bool:
    """Whether each bone hangs on the one before it or on a twin of that, or all are siblings as in flat hierarchies."""
    if len({int(tree.skeleton.parents[bone]) for bone in chain}) == 1:
        return True
    return all(_hangs_on(tree, bone, before) for before, bone in pairwise(chain))


def _hangs_on(tree: Tree, bone: int, before: int) -> bool:
    """Whether a bone is below another, or below one in the same place, as on rigs whose bones follow controls."""
    near = 0.01 * float(np.linalg.norm(tree.head(bone) - tree.head(before)))
    return any(
        other == before or np.linalg.norm(tree.head(other) - tree.head(before)) < near for other in tree.ancestors(bone)
    )


def _check_sizes(tree: Tree, candidate: Candidate) -> None:
    lengths = np.array(
        [np.linalg.norm(np.diff(finger_points(tree, f), axis=0), axis=1).sum() for f in candidate.fingers]
    )
    middle = float(np.median(lengths))
    for finger, length in zip(candidate.fingers, lengths, strict=True):
        if middle > 0.0 and not 0.2 < length / middle < 4.0:
            candidate.confidence *= 0.6
            candidate.notes.append(
                f"The {finger.name.replace('_', ' ')} is {length / middle:.1f} times as long as the others."
            )


def settle_side(tree: Tree, candidate: Candidate, *, has_pair: bool) -> None:
    """Tell the side from place or shape where names do not, and compare it with the shape where they do."""
    shape = chirality(tree, candidate)
    by_shape = "" if abs(shape) < CHIRALITY_MARGIN else "L" if shape > 0 else "R"
    if candidate.side:
        # Shape and place must both speak against a name before it is doubted.
        if by_shape and by_shape != candidate.side and _by_place(tree, candidate, has_pair=has_pair) == by_shape:
            candidate.confidence *= 0.7
            candidate.notes.append(
                f"Named as a {SIDE_WORDS[candidate.side]} hand, but lies and looks like a {SIDE_WORDS[by_shape]} one."
            )
        return
    by_place = _by_place(tree, candidate, has_pair=has_pair)
    candidate.side = by_place or by_shape
    if not candidate.side:
        candidate.confidence *= 0.8
        candidate.notes.append("Neither names, place nor shape tell left from right: choose the side.")
    elif by_place and by_shape and by_place != by_shape:
        candidate.confidence *= 0.8
        candidate.notes.append(
            f"Placed on the {SIDE_WORDS[by_place]} but shaped like a {SIDE_WORDS[by_shape]} hand: check the side."
        )
    elif not by_place:
        candidate.confidence *= 0.95
        candidate.notes.append("The side was told from the shape of the hand.")


def _by_place(tree: Tree, candidate: Candidate, *, has_pair: bool) -> str:
    """Side of the symmetry plane that the hand lies on, "" for an armature without a body or another hand."""
    hand = set(tree.subtree(candidate.wrist)) | set(candidate.bones()) | set(tree.ancestors(candidate.wrist))
    if not has_pair and len(tree.names) - len(hand) < 4:
        return ""
    along = tree.skeleton.heads @ tree.left
    plane = float(np.median(along))
    if has_pair:
        plane = 0.5 * float(along.min() + along.max())
    place = float(along[candidate.wrist]) - plane
    size = float(np.linalg.norm(tree.skeleton.heads[candidate.bones()] - tree.head(candidate.wrist), axis=1).max())
    if abs(place) < 0.2 * size:
        return ""
    return "L" if place > 0 else "R"
