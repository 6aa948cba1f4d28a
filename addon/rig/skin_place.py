# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature's bones moved into a skin that lies beside them, with nothing else seen to move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from mathutils import Matrix, Vector

from ..compat import action_fcurves, strip_fcurves
from ..core.arrays import FloatArray
from ..core.errors import OutputError
from ..hands.skin_offset import skin_offset
from .read import read_placement
from .skeletons import read_skeleton
from .skin import objects_beside, read_skin, skin_objects
from .state import why_read_only

SAME = 1e-4
"""Difference in [m], or of a matrix's entries, that single precision may leave to things some metres away."""


def read_skin_offset(armature: Any, objects: Iterable[Any]) -> FloatArray | None:
    """Translation in [m] from an armature's bones to its skin, see `skin_offset`; None where they fit. Shape (3,)."""
    skeleton = read_skeleton(armature)
    skin = read_skin(armature, skeleton, skin_objects(armature, objects), centre=np.zeros(3), radius=np.inf)
    return None if skin is None else skin_offset(skeleton, skin)


def move_bones(armature: Any, offset: FloatArray, *, view_layer: Any) -> tuple[str, ...]:
    """Move all bones by a translation (3,) in [m] and give the names of other objects that went along by constraints.

    The rest pose moves inside the object, so that whatever animates, drives, constrains or carries the object goes on
    as before. Where the rest pose is not this object's alone, the object itself moves. Children and what hangs on it by
    Child Of stay where they are seen, with their parents and their keys.

    Raises:
        OutputError: Something cannot be changed, or would not last. Nothing was changed.
        ScaleError: The object is scaled unevenly.
    """
    mover = _mover(armature, offset)
    others = [obj for obj in objects_beside(armature) if obj != armature]
    before = {obj.name_full: np.array(obj.matrix_world, dtype=np.float64) for obj in others}
    heads = read_skeleton(armature).heads
    held = _Held(armature, others)
    mover.move(1.0)
    view_layer.update()
    held.hold()
    view_layer.update()
    after = read_skeleton(armature).heads
    if np.abs(after - heads - offset).max() > SAME:
        mover.move(-1.0)
        held.restore()
        view_layer.update()
        raise OutputError(
            f"Armature '{armature.name}' is held where it is by a constraint or a driver: "
            "make its data single-user, or switch that off, first."
        )
    return tuple(
        obj.name
        for obj in others
        if np.abs(np.array(obj.matrix_world, dtype=np.float64) - before[obj.name_full]).max() > SAME
    )


@dataclass(frozen=True, eq=False)
class _RestMover:
    """Moves the rest pose."""

    armature: Any
    step: Vector

    def move(self, sign: float) -> None:
        data = self.armature.data
        data.transform(Matrix.Translation(sign * self.step))
        # Without this the pose stays with the old rest pose.
        data.update_tag()


@dataclass(frozen=True, eq=False)
class _ObjectMover:
    """Moves the object."""

    armature: Any
    step: Vector

    def move(self, sign: float) -> None:
        self.armature.location = self.armature.location + sign * self.step


def _mover(armature: Any, offset: FloatArray) -> _RestMover | _ObjectMover:
    """What moves the bones of an armature.

    Raises:
        OutputError: Nothing can, or it would not last.
    """
    data = armature.data
    if armature.mode == "EDIT":
        raise OutputError(f"Armature '{armature.name}' is in edit mode; leave it first.")
    placement = read_placement(armature)
    if data.library is None and data.override_library is None and data.users - data.use_fake_user == 1:
        return _RestMover(armature, Vector((offset @ placement.turn / placement.scale).tolist()))
    reason = why_read_only(armature)
    if reason is not None:
        raise OutputError(f"Armature '{armature.name}' {reason}.")
    if _location_animated(armature):
        raise OutputError(
            f"Armature '{armature.name}' is animated and shares its bones with others: make its data single-user first."
        )
    carried = armature.matrix_world.to_3x3() @ armature.matrix_basis.to_3x3().inverted()
    return _ObjectMover(armature, carried.inverted() @ Vector(offset.tolist()))


def _location_animated(obj: Any) -> bool:
    """Whether keys, strips or drivers set an object's location."""
    data = obj.animation_data
    if data is None:
        return False
    curves = list(data.drivers)
    if data.action is not None:
        curves += action_fcurves(data.action, obj)
    for track in data.nla_tracks:
        for strip in track.strips:
            curves += strip_fcurves(strip)
    return any(curve.data_path in ("location", "delta_location") for curve in curves)


@dataclass(frozen=True, eq=False)
class _Grip:
    """What an object hangs by: the matrix of a parent or of a Child Of constraint."""

    owner: Any
    name: str
    bone: str
    tail: bool
    """Whether it hangs at the bone's tail."""
    relative: bool
    """Whether it follows how the bone has moved from rest, and not where it is."""

    def place(self, armature: Any) -> Matrix:
        """World matrix of what carries it."""
        if not self.bone:
            return armature.matrix_world.copy()
        bone = armature.pose.bones[self.bone]
        local = bone.matrix
        if self.relative:
            local = local @ bone.bone.matrix_local.inverted()
        elif self.tail:
            local = local @ Matrix.Translation((0.0, bone.bone.length, 0.0))
        return armature.matrix_world @ local


@dataclass(eq=False)
class _Held:
    """What hangs on an armature, kept in place while it moves."""

    armature: Any
    others: list[Any]
    grips: list[tuple[_Grip, Matrix, Matrix]] = field(default_factory=list)
    """With where they were carried, and their own matrix."""

    def __post_init__(self) -> None:
        """Note where everything hangs.

        Raises:
            OutputError: Something hangs on the armature and cannot be changed.
        """
        for obj in self.others:
            for grip in _grips(obj, self.armature):
                reason = why_read_only(obj)
                if reason is not None:
                    raise OutputError(f"Object '{obj.name}', which hangs on '{self.armature.name}', {reason}.")
                self.grips.append((grip, grip.place(self.armature), getattr(grip.owner, grip.name).copy()))

    def hold(self) -> None:
        """Put all back to where it was seen."""
        for grip, before, own in self.grips:
            setattr(grip.owner, grip.name, grip.place(self.armature).inverted() @ before @ own)

    def restore(self) -> None:
        """Forget that anything moved."""
        for grip, _, own in self.grips:
            setattr(grip.owner, grip.name, own)


def _grips(obj: Any, armature: Any) -> list[_Grip]:
    found: list[_Grip] = []
    if obj.parent == armature:
        bone = armature.data.bones.get(obj.parent_bone) if obj.parent_type == "BONE" else None
        name = "" if bone is None else bone.name
        relative = bone is not None and bone.use_relative_parent
        found.append(_Grip(obj, "matrix_parent_inverse", name, tail=True, relative=relative))
    for constraint in obj.constraints:
        if constraint.type == "CHILD_OF" and constraint.target == armature:
            bone = constraint.subtarget if constraint.subtarget in armature.pose.bones else ""
            found.append(_Grip(constraint, "inverse_matrix", bone, tail=False, relative=False))
    return found
