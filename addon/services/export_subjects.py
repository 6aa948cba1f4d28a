# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes into an exported file: an armature, the skins that follow it and the props that go with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.errors import PrehendError
from ..rig.export_bones import ExportBones, choose_bones
from ..rig.export_samples import Motion
from ..rig.skin import objects_beside, skin_objects
from .animation_records import load_animations
from .animation_request import AnimationError
from .grasp_records import GRASPS_KEY
from .targets import PROP_TYPES

LOOSE = 1e-4
"""How far in [m] a skin may drift off its armature object before it cannot be exported as skin."""


class ExportInputError(PrehendError):
    """What is to be exported cannot be."""


@dataclass(frozen=True, eq=False)
class Subjects:
    """The objects of a file; lives no longer than the call it is made for."""

    armature: Any
    """The armature object."""
    bones: ExportBones
    """Those of its bones that are exported."""
    skins: tuple[Any, ...]
    """Meshes that it deforms, or that hang on one of its bones."""
    props: tuple[Any, ...]
    """Objects with faces that move by themselves."""
    left_out: tuple[str, ...]
    """Names of skins that cannot be seen."""

    @property
    def objects(self) -> tuple[Any, ...]:
        """All of them."""
        return (self.armature, *self.skins, *self.props)


def props_of(armature: Any, objects: Sequence[Any]) -> list[Any]:
    """Objects that the armature's animated grasps take; without such, those that grasps are kept with."""
    skins = [obj for obj in skin_objects(armature, objects) if not _is_rigid(obj, armature)]
    free = [obj for obj in objects if obj.type in PROP_TYPES and obj not in skins]
    try:
        taken = {record.prop for record in load_animations(armature)}
    except AnimationError:  # told when their frames are asked for
        taken = set[str]()
    return [obj for obj in free if obj.name in taken] or [obj for obj in free if GRASPS_KEY in obj]


def gather_subjects(
    armature: Any, props: Sequence[Any], view_layer: Any, *, deform_only: bool, hidden: bool
) -> Subjects:
    """The armature with its skins, and the props with what hangs on them.

    Args:
        armature: The armature object.
        props: Objects that go with it.
        view_layer: Tells what can be seen.
        deform_only: Whether bones that deform nothing are left out.
        hidden: Whether skins that cannot be seen come along.

    Raises:
        ExportInputError: One of them cannot be exported as it is.
    """
    if armature is None or armature.type != "ARMATURE":
        raise ExportInputError("There is no armature to export: select one.")
    if not len(armature.data.bones):
        raise ExportInputError(f"Armature '{armature.name}' has no bones: choose another.")
    found = [obj for obj in skin_objects(armature, objects_beside(armature)) if len(obj.data.vertices)]
    # A prop may hang on a bone, as a ring does; what the armature deforms is skin, whatever it was given as.
    props = [obj for obj in props if obj not in found or _is_rigid(obj, armature)]
    found = [obj for obj in found if obj not in props]
    seen = [obj for obj in found if hidden or obj.visible_get(view_layer=view_layer)]
    if found and not seen:
        names = ", ".join(obj.name for obj in found)
        raise ExportInputError(
            f"All meshes of '{armature.name}' are hidden ({names}): show them or include hidden ones."
        )
    bones = choose_bones(armature, deform_only=deform_only)
    # What hangs on a control bone, or moves by itself as well, is exported as what it is: an object that moves.
    loose = [obj for obj in seen if _is_rigid(obj, armature) and not _only_hangs(obj, bones)]
    skins = tuple(obj for obj in seen if obj not in loose)
    moving = _with_children([*props, *loose], (armature, *found))
    _check(armature, skins, moving)
    left_out = tuple(obj.name for obj in found if obj not in seen)
    return Subjects(armature, bones, skins, tuple(moving), left_out)


def _is_rigid(obj: Any, armature: Any) -> bool:
    deformed = any(each.type == "ARMATURE" and each.object == armature for each in obj.modifiers)
    return obj.parent == armature and obj.parent_type == "BONE" and not deformed


def rigid_bone(obj: Any, armature: Any) -> str:
    """The bone that all of a skin hangs on; empty where its weights tell."""
    return str(obj.parent_bone) if _is_rigid(obj, armature) else ""


def _only_hangs(obj: Any, bones: ExportBones) -> bool:
    return obj.parent_bone in bones.names and obj.animation_data is None and not len(obj.constraints)


def _with_children(props: Sequence[Any], not_these: Sequence[Any]) -> list[Any]:
    result: list[Any] = []
    for prop in props:
        for obj in (prop, *prop.children_recursive):
            if obj.type in PROP_TYPES and obj not in result and (obj == prop or obj not in not_these):
                result.append(obj)
    return result


def _check(armature: Any, skins: Sequence[Any], props: Sequence[Any]) -> None:
    for obj in (armature, *skins, *props):
        if obj.mode == "EDIT":
            raise ExportInputError(f"'{obj.name}' is in Edit Mode: leave it, so that its changes are exported too.")
        if obj.hide_viewport and obj not in skins:
            raise ExportInputError(f"'{obj.name}' is disabled in viewports: enable it in the Outliner first.")


def check_tight(subjects: Subjects, motion: Motion) -> None:
    """See that deformed skins stay with their armature object, as no other program knows skins that do not.

    Raises:
        ExportInputError: One does not.
    """
    for obj in subjects.skins:
        if rigid_bone(obj, subjects.armature):
            continue
        relative = np.linalg.inv(motion.armature) @ motion.objects[obj.name_full]
        size = float(np.linalg.norm(motion.armature[0, :3, 0]))
        if np.abs(relative - relative[0]).max() * max(size, 1.0) > LOOSE:
            raise ExportInputError(
                f"Mesh '{obj.name}' does not move with armature '{subjects.armature.name}': parent it to the armature."
            )
