# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands found by the words in bone names, where no convention matches as a whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import numpy as np

from ...presets.conventions import LAYERS
from .names import BoneName, read_name
from .shape import split_chain
from .tree import Candidate, Finger, Tree
from .vocabulary import CONTROLS, MECHANISMS

MAX_FINGERS = 8
FINGER_ORDER = ("thumb", "index", "middle", "ring", "pinky")


@dataclass(frozen=True)
class _Group:
    """What all finger bones of one hand have in common."""

    side: str
    rest: tuple[str, ...]
    wrist: int


def match_words(tree: Tree) -> list[Candidate]:
    """Hands whose finger bones say in words which finger they belong to."""
    groups: dict[_Group, dict[int, BoneName]] = defaultdict(dict)
    for bone, name in enumerate(tree.names):
        said = read_name(name)
        if said.finger and not said.is_decoy:
            wrist = _named_wrist(tree, bone)
            side = said.side or (read_name(tree.names[wrist]).side if wrist >= 0 else "")
            groups[_Group(side, said.rest, wrist)][bone] = said
    _adopt_flat(groups)
    return [found for group, bones in groups.items() if (found := _build(tree, group, bones)) is not None]


def _named_wrist(tree: Tree, bone: int) -> int:
    """The nearest bone above that says hand or wrist, -1 without one."""
    for above in tree.ancestors(bone):
        said = read_name(tree.names[above])
        if said.is_hand and not said.is_decoy:
            return above
    return -1


def _adopt_flat(groups: dict[_Group, dict[int, BoneName]]) -> None:
    """Join bones that hang on no hand bone to the hand of their side and layer."""
    for group in [group for group in groups if group.wrist < 0]:
        owners = [other for other in groups if other.wrist >= 0 and other == replace(group, wrist=other.wrist)]
        if len(owners) == 1:
            groups[owners[0]].update(groups.pop(group))


def _build(tree: Tree, group: _Group, bones: dict[int, BoneName]) -> Candidate | None:
    joints = _sort_into_fingers(bones)
    wrist = group.wrist if group.wrist >= 0 else _find_wrist(tree, group, list(bones))
    joints = {name: chain for name, chain in joints.items() if len(chain) > 0}
    if wrist is None or not joints:
        return None
    fingers: list[Finger] = []
    for name in sorted(joints, key=lambda name: (*FINGER_ORDER, name).index(name)):
        finger = _build_finger(tree, wrist, name, joints[name])
        if finger.chain:
            fingers.append(finger)
    said = set(group.rest)
    layer = LAYERS.index("control" if CONTROLS & said else "mechanism" if MECHANISMS & said else "deform")
    candidate = Candidate(side=group.side, wrist=wrist, fingers=fingers, convention="names", confidence=0.9)
    candidate.rank = (len(fingers) >= 2, layer, candidate.solid_fingers(), 0, len(candidate.bones()), 0, 0, 0)
    return candidate if 0 < len(fingers) <= MAX_FINGERS else None


def _sort_into_fingers(bones: dict[int, BoneName]) -> dict[str, dict[int, float]]:
    """Bones by finger, each with its place in the finger as told by its name."""
    numbered = {bone: said for bone, said in bones.items() if said.finger == "#" and said.numbers}
    fingers: dict[str, dict[int, float]] = defaultdict(dict)
    firsts: dict[int, int] = {}
    for bone, said in numbered.items():
        # "Finger21" is joint 1 of finger 2, "Finger2" its first joint; "finger2-1" says both apart.
        single = len(said.numbers) == 1
        finger = int(said.digits[0]) if single and len(said.digits) <= 2 else said.numbers[0]
        place = float(said.digits[1:] or said.joint or 0) if single else float(said.numbers[1])
        firsts[bone] = finger
        fingers[str(finger)][bone] = 99.0 if said.is_tip else place
    names = _numbered_names({said.finger for said in bones.values()}, sorted(set(firsts.values())))
    sorted_bones = {names[finger]: fingers[str(finger)] for finger in sorted(set(firsts.values()))}
    for bone, said in bones.items():
        if said.finger != "#":
            place = (
                99.0
                if said.is_tip
                else float(said.joint if said.joint is not None else said.numbers[-1] if said.numbers else 0)
            )
            sorted_bones.setdefault(said.finger, {})[bone] = place
    return sorted_bones


def _numbered_names(named: set[str], numbers: list[int]) -> dict[int, str]:
    """Names of numbered fingers: anatomical if their count leaves no doubt."""
    pool = [name for name in FINGER_ORDER if name not in named]
    if len(pool) == len(numbers):
        return dict(zip(numbers, pool, strict=True))
    return {number: f"finger_{place}" for place, number in enumerate(numbers, start=1)}


def _build_finger(tree: Tree, wrist: int, name: str, places: dict[int, float]) -> Finger:
    """A finger from its bones: ordered by hierarchy where they hang on each other, else by what their names say."""
    depth = {bone: sum(1 for above in tree.ancestors(bone) if above in places) for bone in places}
    if len(set(depth.values())) == len(places):
        ordered = sorted(places, key=lambda bone: depth[bone])
    else:
        kept: dict[float, int] = {}
        for bone, place in places.items():
            kept.setdefault(place, bone)
        ordered = [kept[place] for place in sorted(kept)]
    finger = split_chain(tree, wrist, ordered, is_thumb=name == "thumb")
    finger.name = name
    _take_metacarpal(tree, wrist, finger)
    return finger


def _take_metacarpal(tree: Tree, wrist: int, finger: Finger) -> None:
    """Let bones that a name or the hierarchy places in the palm be the metacarpal."""
    if finger.name == "thumb" or finger.metacarpal is not None or not finger.chain:
        return
    first = finger.chain[0]
    if len(finger.chain) > 1 and read_name(tree.names[first]).is_palm:
        finger.metacarpal = finger.chain.pop(0)
        return
    parent = int(tree.skeleton.parents[first])
    if parent >= 0 and parent != wrist and read_name(tree.names[parent]).is_palm and tree.is_below(parent, wrist):
        finger.metacarpal = parent


def _find_wrist(tree: Tree, group: _Group, bones: list[int]) -> int | None:
    """The hand bone of a flat hierarchy by name and place, else the bone that all fingers hang on."""
    named = [
        bone
        for bone, said in enumerate(map(read_name, tree.names))
        if said.is_hand and not said.is_decoy and said.side in (group.side, "")
    ]
    if named:
        centre = tree.skeleton.heads[bones].mean(axis=0)
        gaps = {bone: float(np.linalg.norm(tree.head(bone) - centre)) for bone in named}
        return min(named, key=lambda bone: (read_name(tree.names[bone]).rest != group.rest, gaps[bone]))
    above = Counter(ancestor for bone in bones for ancestor in tree.ancestors(bone) if ancestor not in bones)
    shared = [ancestor for ancestor, count in above.items() if count == len(bones)]
    return max(shared, key=lambda bone: sum(1 for _ in tree.ancestors(bone)), default=None)
