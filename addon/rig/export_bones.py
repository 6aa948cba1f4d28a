# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones of an armature are exported, and what carries each when control bones are left out."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints


@dataclass(frozen=True, eq=False)
class ExportBones:
    """Bones at rest in the armature's space, parents before children."""

    names: tuple[str, ...]
    """Bone names. Length n."""
    parents: IntArray
    """Index of each bone's parent, -1 for a root. Shape (n,)."""
    rest: FloatArray
    """Rest matrices. Shape (n, 4, 4)."""
    lengths: FloatArray
    """Lengths. Shape (n,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        n = len(self.names)
        object.__setattr__(self, "parents", frozen_ints(self.parents, (n,), "parents"))
        object.__setattr__(self, "rest", frozen_floats(self.rest, (n, 4, 4), "rest"))
        object.__setattr__(self, "lengths", frozen_floats(self.lengths, (n,), "lengths"))


def choose_bones(armature: Any, *, deform_only: bool) -> ExportBones:
    """All bones of an armature object, or those that deform, linked to the nearest one that is left above them.

    Control rigs such as Rigify's have their deforming bones follow others, so that the chain of parents runs through
    bones that are left out. Such a bone stands for the deforming one that lies in the same place and follows it.
    """
    bones = armature.data.bones
    kept = [bone.name for bone in bones if bone.use_deform or not deform_only] or [bone.name for bone in bones]
    leaders = {bone.name: _leaders(armature, bone.name) for bone in bones}
    twins = _twins(armature, kept, leaders)
    wanted = set(kept)
    parents = _chains(armature, kept)
    for name in kept:
        if name not in parents:
            parents[name] = _carrier(armature, name, wanted, leaders, twins, parents)
    order = _ordered(kept, parents)
    place = {name: k for k, name in enumerate(order)}
    return ExportBones(
        names=tuple(order),
        parents=np.array([place.get(parents[name] or "", -1) for name in order], dtype=np.int64),
        rest=np.array([bones[name].matrix_local for name in order], dtype=np.float64).reshape(-1, 4, 4),
        lengths=np.array([bones[name].length for name in order]),
    )


def _chains(armature: Any, kept: list[str]) -> dict[str, str | None]:
    """What is plain: bones whose parent is kept, and those that go on where another of the same name ends.

    The second comes first to mind with a spine that is posed from its middle: its controls run both ways from there,
    while the bones are one chain from the hips up.
    """
    bones, wanted = armature.data.bones, set(kept)
    near = 1e-4 * _size(bones)
    parents: dict[str, str | None] = {}
    for name in kept:
        parent = bones[name].parent
        if parent is not None and parent.name in wanted:
            parents[name] = parent.name
    for name in kept:
        if name in parents:
            continue
        before = [
            other
            for other in kept
            if other != name
            and _base(other) == _base(name)
            and (bones[other].tail_local - bones[name].head_local).length < near
            and not _hangs_on(other, name, parents)
        ]
        if len(before) == 1:
            parents[name] = before[0]
    return parents


def _size(bones: Any) -> float:
    return max((float(bone.head_local.length) for bone in bones), default=1.0)


def _leaders(armature: Any, name: str) -> list[str]:
    """Bones of the same armature that a bone's constraints make it follow."""
    found: list[str] = []
    for constraint in armature.pose.bones[name].constraints:
        targets = list(getattr(constraint, "targets", ())) or [constraint]
        for target in targets:
            bone = getattr(target, "subtarget", "")
            if getattr(target, "target", None) == armature and bone in armature.data.bones and bone not in found:
                found.append(bone)
    return found


def _twins(armature: Any, kept: list[str], leaders: dict[str, list[str]]) -> dict[str, str]:
    """For bones that are left out the kept bone that lies on them and follows them, or is called alike."""
    bones = armature.data.bones
    wanted = set(kept)
    near = 1e-4 * _size(bones)
    found: dict[str, str] = {}
    for name in kept:
        for other in bones:
            if other.name in wanted or (other.head_local - bones[name].head_local).length > near:
                continue
            follows = other.name in leaders[name] or _stem(other.name) == _stem(name)
            if follows and other.name not in found:
                found[other.name] = name
    return found


def _stem(name: str) -> str:
    """A bone's name without the prefix that tells what it is for, as in DEF-hand.L and ORG-hand.L."""
    first, dash, rest = name.partition("-")
    return rest if dash and len(first) <= 4 and first.isupper() else name


def _base(name: str) -> str:
    """A bone's name without its number, as bones of one chain share it."""
    return re.sub(r"[._-]?\d+", "", _stem(name))


def _carrier(
    armature: Any,
    name: str,
    kept: set[str],
    leaders: dict[str, list[str]],
    twins: dict[str, str],
    parents: dict[str, str | None],
) -> str | None:
    """The kept bone that carries a bone: up its parents first, then up those that its parents follow."""
    bones = armature.data.bones
    for follow in (False, True):
        waiting, seen = deque(_above(bones, name, leaders, follow)), {name}
        while waiting:
            each = waiting.popleft()
            if each in seen:
                continue
            seen.add(each)
            found = each if each in kept else twins.get(each)
            if found is not None and found != name and not _hangs_on(found, name, parents):
                return found
            waiting.extend(_above(bones, each, leaders, follow))
    return None


def _above(bones: Any, name: str, leaders: dict[str, list[str]], follow: bool) -> Iterator[str]:
    if bones[name].parent is not None:
        yield bones[name].parent.name
    if follow:
        yield from leaders[name]


def _hangs_on(name: str, other: str, parents: dict[str, str | None]) -> bool:
    """Whether a bone is already carried by another, which therefore cannot hang on it."""
    each: str | None = name
    while each is not None:
        if each == other:
            return True
        each = parents.get(each)
    return False


def _ordered(kept: list[str], parents: dict[str, str | None]) -> list[str]:
    """Parents before children, otherwise in the armature's order."""
    order: list[str] = []
    done: set[str] = set()
    for name in kept:
        chain: list[str] = []
        each: str | None = name
        while each is not None and each not in done:
            chain.append(each)
            done.add(each)
            each = parents[each]
        order.extend(reversed(chain))
    return order
