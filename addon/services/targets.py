# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user means: which armature, which of its hands, which prop, and what else is in the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..rig.skin import skin_objects
from .poses import BOTH, hands_of

PROP_TYPES = frozenset({"MESH", "CURVE", "SURFACE", "FONT", "META"})
"""Kinds of objects that have, or may have, faces."""


class NoTargetError(PrehendError):
    """It is not clear what to work on."""


def choose_armature(active: Any, selected: Sequence[Any]) -> Any:
    """The armature that is meant: the active object, the one whose skin is active, or the only one selected.

    Raises:
        NoTargetError: There is none, or more than one.
    """
    for obj in (active, *selected):
        if obj is not None and obj.type == "ARMATURE":
            return obj
    found = {carrier.name: carrier for obj in (active, *selected) for carrier in _armatures_of(obj)}
    if len(found) == 1:
        return next(iter(found.values()))
    raise NoTargetError("Select the armature of a hand and the prop to hold.")


def choose_prop(armature: Any, selected: Sequence[Any], picked: Any) -> Any:
    """The prop that is meant: the one picked in the panel, else the only other selected object with faces.

    Where there is none, a single object that hangs on a bone is taken, as props do that are held already, or one that
    will be refused in a sentence about itself.

    Raises:
        NoTargetError: There is none, or more than one.
    """
    if picked is not None:
        if not picked.users_scene:
            # A field that points to an object keeps it when it is deleted.
            raise NoTargetError(f"'{picked.name}' was deleted: pick another prop in the Grasp panel.")
        return picked
    skins = skin_objects(armature, selected)
    others = [obj for obj in selected if obj.type in PROP_TYPES and obj not in skins]
    others = others or [obj for obj in skins if obj.parent_type == "BONE"]
    others = others or [obj for obj in selected if obj != armature and obj not in skins]
    if len(others) > 1:
        names = ", ".join(f"'{obj.name}'" for obj in others[:3]) + (" and more" if len(others) > 3 else "")
        raise NoTargetError(f"{names} are all selected: pick the prop in the Grasp panel, or select it alone.")
    if not others:
        raise NoTargetError("Pick the prop in the Grasp panel, or select it together with the armature.")
    return others[0]


def choose_hand(armature: Any, prop: Any, *, side: str = BOTH, convention_folders: Sequence[Path] = ()) -> HandMap:
    """The hand on the side that is meant, or of both the one that is nearer to the prop.

    Raises:
        HandDetectionError: The armature has no hand.
        NoSuchHandError: There is none on that side.
    """
    hands = hands_of(armature, side=side, convention_folders=convention_folders)
    corners = np.array([list(corner) for corner in prop.bound_box]) if prop is not None else np.zeros((1, 3))
    matrix = np.array(prop.matrix_world) if prop is not None else np.eye(4)
    middle = matrix[:3, :3] @ corners.mean(axis=0) + matrix[:3, 3]

    def away(hand: HandMap) -> float:
        wrist = armature.matrix_world @ armature.pose.bones[hand.wrist].matrix.translation
        return float(np.linalg.norm(np.array(wrist) - middle))

    return min(hands, key=away)


def named_object(name: str) -> Any:
    """The object of a name; None for none.

    Raises:
        NoTargetError: There is no such object.
    """
    if not name:
        return None
    found = bpy.data.objects.get(name)
    if found is None:
        raise NoTargetError(f"There is no object '{name}': choose another, or clear the field.")
    return found


def obstacles_round(armature: Any, prop: Any, view_layer: Any) -> list[Any]:
    """Visible objects with faces other than the prop, the armature's own skin, and what hangs on either.

    The armature comes last and stands for the body of its character.
    """
    skins = skin_objects(armature, view_layer.objects)
    round_ = [
        obj
        for obj in view_layer.objects
        if obj.type in PROP_TYPES
        and obj != prop
        and obj not in skins
        and obj.visible_get(view_layer=view_layer)
        and obj.display_type not in {"BOUNDS", "WIRE"}
        and not _hangs_on(obj, (prop, armature))
        and obj.dimensions.length > 0.0
        and not _is_bare(obj)
    ]
    return [*round_, armature]


def _is_bare(obj: Any) -> bool:
    """Whether an object is made of lines and points alone, such as the curve of a path."""
    if len(obj.modifiers):
        return False
    data = obj.data
    if obj.type == "CURVE":
        filled = data.dimensions == "2D" and data.fill_mode != "NONE"
        return not (data.bevel_depth or data.extrude or data.bevel_object is not None or filled)
    return obj.type == "MESH" and not len(data.polygons)


def _armatures_of(obj: Any) -> Iterable[Any]:
    if obj is None:
        return []
    found = [each.object for each in obj.modifiers if each.type == "ARMATURE" and each.object is not None]
    if obj.parent is not None and obj.parent.type == "ARMATURE" and not found:
        found = [obj.parent]
    return found


def _hangs_on(obj: Any, carriers: tuple[Any, ...]) -> bool:
    parent = obj.parent
    while parent is not None:
        if parent in carriers:
            return True
        parent = parent.parent
    return False
