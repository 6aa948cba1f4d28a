# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands found without names: a bone at the end of a limb that forks into chains lying side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from .flat import relink
from .names import read_name
from .shape import chain_end, find_thumb, order_across, split_chain, unit
from .tree import Candidate, Finger, Tree, reduce_tree

MAX_FINGERS = 8
MAX_BONES = 7
"""Longest chain that can be a finger, metacarpal and tip included."""
NEAR = 0.5
"""Forks inside a hand lie within this share of its size from the wrist."""
FOOT_HEIGHT = 0.2
"""Forks below this share of a standing body's height are feet: ankles lie at 0.04, hands hang at 0.4."""
ROW = ("index", "middle", "ring", "pinky")


@dataclass(frozen=True, eq=False)
class _Body:
    """What surrounds the hands."""

    plane: float
    """Place of the symmetry plane along the left axis in [m]."""
    bottom: float
    """Lowest joint along the up axis in [m]."""
    height: float
    """Extent along the up axis in [m]."""


def match_structure(tree: Tree) -> list[Candidate]:
    """Hands told by hierarchy and proportions alone."""
    deform = tree.skeleton.deform
    if int(deform.sum()) >= 5 and not bool(deform.all()):
        # On a control rig the deforming bones are one clean skeleton, all others lie on it in layers.
        kept = [int(bone) for bone in np.flatnonzero(deform)]
        found = [_renumber(tree, candidate, kept) for candidate in _search(reduce_tree(tree, kept))]
        if found:
            return found
    found = _search(tree)
    if not found:
        for flat in relink(tree):
            found += [_renumber(tree, candidate, flat.kept) for candidate in _search(flat.tree)]
        for candidate in found:
            candidate.confidence *= 0.8
            candidate.notes.append("All joints hang on one parent, so the fingers were put together by direction.")
    return found


def _renumber(tree: Tree, candidate: Candidate, kept: list[int]) -> Candidate:
    """A candidate of a reduced tree with the bone numbers of the whole one, and the tips that do not deform."""
    candidate.wrist = kept[candidate.wrist]
    for finger in candidate.fingers:
        finger.chain = [kept[bone] for bone in finger.chain]
        finger.metacarpal = None if finger.metacarpal is None else kept[finger.metacarpal]
        finger.tip = _bare_tip(tree, finger.chain[-1]) if finger.tip is None else kept[finger.tip]
    return candidate


def _bare_tip(tree: Tree, last: int) -> int | None:
    """The only bone on the end of a finger, if it ends there and has a place of its own."""
    below = tree.children[last]
    if len(below) != 1 or tree.height[below[0]] > 0:
        return None
    return below[0] if np.linalg.norm(tree.head(below[0]) - tree.head(last)) > 1e-6 else None


def _search(tree: Tree) -> list[Candidate]:
    heads = tree.skeleton.heads
    rise = heads @ tree.up
    body = _Body(float(np.median(heads @ tree.left)), float(rise.min()), float(np.ptp(rise)))
    found: list[Candidate] = []
    for bone in range(len(tree.names)):
        chains = _collect(tree, bone)
        if 2 <= len(chains) <= MAX_FINGERS:
            candidate = _judge(tree, bone, chains, body)
            if candidate is not None:
                found.append(candidate)
    return _keep_best(tree, found)


def _collect(tree: Tree, wrist: int) -> list[list[int]]:
    """Chains of two and more bones that fork from a bone or from bones close below it; none if it is no hand."""
    if tree.height[wrist] > MAX_BONES + 2 or len(_kids(tree, wrist)) < 2:
        return []
    size = max(float(np.linalg.norm(tree.head(bone) - tree.head(wrist))) for bone in tree.subtree(wrist))
    chains: list[list[int]] = []
    for child in _kids(tree, wrist):
        branches = _follow(tree, wrist, child, near=NEAR * size)
        if branches is None:
            return []
        chains += branches
    return [chain for chain in chains if 2 <= len(chain) <= MAX_BONES]


def _kids(tree: Tree, bone: int) -> list[int]:
    return [child for child in tree.children[bone] if not read_name(tree.names[child]).is_decoy]


def _follow(tree: Tree, wrist: int, start: int, *, near: float) -> list[list[int]] | None:
    """The chain or, after a fork inside the palm, the chains below `start`; None at a fork far from the wrist."""
    chain = [start]
    while kids := _kids(tree, chain[-1]):
        deep = [kid for kid in kids if tree.height[kid] > 0]
        if len(kids) == 1 or len(deep) <= 1:
            chain.append(deep[0] if deep else _straightest(tree, chain[-1], kids))
            continue
        if len(chain) > 2 or float(np.linalg.norm(tree.head(chain[-1]) - tree.head(wrist))) > near:
            return None
        return _fork(tree, wrist, chain, deep, near=near)
    return [chain]


def _fork(tree: Tree, wrist: int, shared: list[int], kids: list[int], *, near: float) -> list[list[int]] | None:
    """Branches of a fork inside the palm; the bones before it belong to the branch that goes on farthest."""
    branches: list[list[int]] = []
    for kid in kids:
        below = _follow(tree, wrist, kid, near=near)
        if below is None:
            return None
        branches += below
    far = max(branches, key=lambda chain: float(np.linalg.norm(tree.head(chain[0]) - tree.head(wrist))))
    spread = [float(np.linalg.norm(tree.head(chain[0]) - tree.head(wrist))) for chain in branches]
    # Several fingers on one palm bone leave it at the same distance: then the bone belongs to none of them.
    if len(branches) == 2 and min(spread) < 0.8 * max(spread):
        far[:0] = shared
    return branches


def _straightest(tree: Tree, bone: int, kids: list[int]) -> int:
    parent = int(tree.skeleton.parents[bone])
    along = unit(tree.head(bone) - tree.head(parent)) if parent >= 0 else np.zeros(3)
    return max(kids, key=lambda kid: float(unit(tree.head(kid) - tree.head(bone)) @ along))


def _judge(tree: Tree, wrist: int, chains: list[list[int]], body: _Body) -> Candidate | None:
    """A candidate if the chains look like fingers and their root like a wrist, else None."""
    notes: list[str] = []
    origin = tree.head(wrist)
    chains, dropped = _drop_outliers(tree, wrist, chains)
    if dropped:
        names = ", ".join(f"'{tree.names[chain[0]]}'" for chain in dropped)
        notes.append(f"Left out as no finger by its size or direction: {names}.")
    if len(chains) < 2:
        return None
    reaches = np.array([chain_end(tree, chain) - origin for chain in chains])
    size = float(np.linalg.norm(reaches, axis=1).max())
    towards = unit(np.array([unit(reach) for reach in reaches]).sum(axis=0))
    fans_out = size > 1e-9 and bool(np.all(np.array([unit(reach) for reach in reaches]) @ towards > 0.25))
    has_length = all(_shortest_step(tree, chain) > 1e-4 * size for chain in chains)
    if not fans_out or not has_length or _is_elsewhere(tree, wrist, towards, size, body):
        return None
    return _name_fingers(tree, wrist, chains, notes)


def _drop_outliers(tree: Tree, wrist: int, chains: list[list[int]]) -> tuple[list[list[int]], list[list[int]]]:
    """Chains alike in length and direction, and the others: props held by the hand, say."""
    if len(chains) < 3:
        return chains, []
    ends = [chain_end(tree, chain) - tree.head(wrist) for chain in chains]
    lengths = np.array([np.linalg.norm(end) for end in ends])
    towards = np.median(np.array([unit(end) for end in ends]), axis=0)
    middle = float(np.median(lengths))
    fits = [
        0.3 * middle < length < 2.0 * middle and unit(end) @ unit(towards) > 0.1
        for length, end in zip(lengths, ends, strict=True)
    ]
    return (
        [chain for chain, fit in zip(chains, fits, strict=True) if fit],
        [chain for chain, fit in zip(chains, fits, strict=True) if not fit],
    )


def _shortest_step(tree: Tree, chain: list[int]) -> float:
    return float(np.linalg.norm(np.diff(tree.skeleton.heads[chain], axis=0), axis=1).min())


def _is_elsewhere(tree: Tree, wrist: int, towards: FloatArray, size: float, body: _Body) -> bool:
    """Whether the fork sits where a body has a head, a pelvis or a foot, or turns back along its limb."""
    above = list(tree.ancestors(wrist))
    limb = next(
        (step for bone in above if np.linalg.norm(step := tree.head(wrist) - tree.head(bone)) > 0.1 * size), None
    )
    if limb is not None and unit(limb) @ towards < -0.3:
        return True
    others = len(tree.names) - len(tree.subtree(wrist)) - len(above)
    if others < 4:
        return False
    on_plane = abs(float(tree.head(wrist) @ tree.left) - body.plane) < 0.15 * size
    height = (float(tree.head(wrist) @ tree.up) - body.bottom) / max(body.height, 1e-9)
    is_foot = body.height > 3.0 * size and height < FOOT_HEIGHT
    return on_plane or is_foot or not above


def _name_fingers(tree: Tree, wrist: int, chains: list[list[int]], notes: list[str]) -> Candidate:
    parted = [split_chain(tree, wrist, chain, is_thumb=False) for chain in chains]
    thumb = find_thumb(tree, wrist, parted)
    if thumb is not None:
        parted[thumb] = split_chain(tree, wrist, chains[thumb], is_thumb=True)
        parted[thumb].name = "thumb"
    fingers: list[Finger] = [] if thumb is None else [parted[thumb]]
    order = order_across(tree, wrist, parted, thumb=thumb)
    for name, one in zip(_row_names(len(order), has_thumb=thumb is not None), order, strict=True):
        parted[one].name = name
        fingers.append(parted[one])
    if thumb is None:
        notes.append("No finger stands out as the thumb, so the fingers are numbered.")
    confidence = 0.75 if thumb is not None and 3 <= len(fingers) <= 5 else 0.6
    notes.insert(0, "Found by shape alone: check the fingers' names.")
    return Candidate("", wrist, fingers, "structure", confidence, notes)


def _row_names(count: int, *, has_thumb: bool) -> list[str]:
    """Names across the palm: anatomical beside a thumb, where the last of four and more is the pinky."""
    if not has_thumb:
        return [f"finger_{place}" for place in range(1, count + 1)]
    if count <= len(ROW):
        return list(ROW[:count])
    return [*ROW[:-1], *(f"finger_{place}" for place in range(len(ROW) + 1, count + 1)), ROW[-1]]


def _keep_best(tree: Tree, found: list[Candidate]) -> list[Candidate]:
    """Whole hands, not parts of them; where many forks look alike, those at the ends of the longest limbs."""
    wrists = {candidate.wrist for candidate in found}
    whole = [candidate for candidate in found if not any(above in wrists for above in tree.ancestors(candidate.wrist))]
    if len(whole) <= 2:
        return whole
    scores = [_limb_score(tree, candidate) for candidate in whole]
    return [candidate for candidate, score in zip(whole, scores, strict=True) if score > 0.6 * max(scores)]


def _limb_score(tree: Tree, candidate: Candidate) -> float:
    """How arm-like the way to the wrist is (its last two bones over the hand's size), more with a thumb."""
    above = [candidate.wrist, *tree.ancestors(candidate.wrist)][:3]
    limb = np.linalg.norm(np.diff(tree.skeleton.heads[above], axis=0), axis=1).sum()
    size = max(float(np.linalg.norm(tree.head(bone) - tree.head(candidate.wrist))) for bone in candidate.bones())
    has_thumb = any(finger.name == "thumb" for finger in candidate.fingers)
    return min(float(limb) / max(size, 1e-9), 3.0) + (1.0 if has_thumb else 0.0) + 0.1 * len(candidate.fingers)
