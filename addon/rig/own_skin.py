# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which shown vertices are no skin of a hand and its arm: a character's body may be as near to a prop as its hand."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..core.arrays import BoolArray
from ..core.skeleton import Skeleton
from ..hands.arm import find_arm
from ..hands.arm_bones import arm_bones
from ..hands.model import HandModel
from .skeletons import read_skeleton


class OwnSkin:
    """The skin of one hand and its arm among all that follows an armature, looked up once for each mesh."""

    def __init__(self, bones: frozenset[str]) -> None:
        """Take the names of the arm's bones."""
        self.bones = bones
        self._masks: dict[tuple[str, int], BoolArray] = {}

    def holds(self, obj: Any, mesh: Any) -> BoolArray:
        """Which vertices of the evaluated mesh of an object the arm moves. Shape (n,)."""
        key = obj.name_full, len(mesh.vertices)
        if key not in self._masks:
            self._masks[key] = self._read(obj, mesh)
        return self._masks[key]

    def _read(self, obj: Any, mesh: Any) -> BoolArray:
        count = len(mesh.vertices)
        if obj.parent_type == "BONE":
            return np.full(count, obj.parent_bone in self.bones)
        groups = {group.index for group in obj.vertex_groups if group.name in self.bones}
        if not groups:
            return np.zeros(count, dtype=np.bool_)
        moved = (any(each.group in groups and each.weight > 0.0 for each in vertex.groups) for vertex in mesh.vertices)
        return np.fromiter(moved, dtype=np.bool_, count=count)


_known: WeakKeyDictionary[HandModel, OwnSkin | None] = WeakKeyDictionary()


def own_skin(armature: Any, model: HandModel) -> OwnSkin | None:
    """What tells the skin of a hand and its arm from the body's; None for hands without an arm, which have no body.

    Kept with the model, which is built anew when bones, weights or meshes change.
    """
    if model not in _known:
        skeleton = read_skeleton(armature)
        arm = find_arm(skeleton, model)
        _known[model] = None if arm is None else OwnSkin(arm_bones(skeleton, model, arm) | _hand_bones(skeleton, model))
    return _known[model]


def _hand_bones(skeleton: Skeleton, model: HandModel) -> frozenset[str]:
    """The hand's bones and all that hang on them, wherever they are: arms that are not like people's tell no places."""
    binding = model.binding
    own = {binding.wrist, binding.carrier, *model.names, *binding.readers}
    for name, parent in zip(skeleton.names, skeleton.parents.tolist(), strict=True):
        if parent >= 0 and skeleton.names[parent] in own:
            own.add(name)
    return frozenset(own)
