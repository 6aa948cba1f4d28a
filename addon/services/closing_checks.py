# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be wrong with an object before a hand closes on it, each as one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..rig.skin import skin_objects
from ..rig.surface import NoMeshError
from ..solvers.closing import Movement
from .closing_hands import closing_skin
from .closing_report import TOUCHING, Gaps, measured_gaps
from .surfaces import WorldSurface

TOO_LARGE = 12.0
"""An object that is larger than this in every direction, in hand lengths, has a wrong scale."""
TOO_SMALL = 0.01
"""An object that is smaller than this in every direction, in hand lengths, has a wrong scale."""
PALM_DEPTH = 1.5e-3
"""How deep in [m] beyond what skin gives the palm may sit in an object before it is said to be inside."""


class PropError(PrehendError):
    """An object that a hand cannot close on."""


class HandInsideError(PrehendError):
    """The hand is inside the object before it closes."""


def check_object(obj: Any, armature: Any, hand: HandMap) -> None:
    """See that an object is something that fingers can close on, and that closing them would be seen.

    Raises:
        NoMeshError: There is none, or it has no faces.
        PropError: It is the hand's own skin, hangs on a finger or is nowhere, or the armature shows its rest position.
    """
    if armature.data.pose_position == "REST":
        raise PropError(f"'{armature.name}' shows its rest position: choose Pose Position in its data properties.")
    if obj is None:
        raise PropError("Choose the prop to close on: select it together with the armature, or pick it in the panel.")
    if obj.type == "EMPTY" and obj.instance_type == "COLLECTION":
        raise PropError(f"'{obj.name}' is an instance of a collection: make it real first (Object > Apply).")
    if obj.type not in {"MESH", "CURVE", "SURFACE", "FONT", "META"}:
        raise NoMeshError(obj.name, f"is of the type {obj.type.lower().replace('_', ' ')}")
    if not np.isfinite(np.array(obj.matrix_world, dtype=np.float64)).all():
        raise PropError(f"'{obj.name}' is at a place that is not a number: clear its location (Alt+G).")
    if skin_objects(armature, [obj]) and obj.parent_type != "BONE":
        raise PropError(f"'{obj.name}' is skin of '{armature.name}' itself: choose another object.")
    carrier = _bone_above(obj, armature)
    fingers = {bone for finger in hand.fingers for bone in (*finger.chain, *finger.deform, finger.tip) if bone}
    if carrier in fingers:
        raise PropError(f"'{obj.name}' hangs on the bone '{carrier}', which closing turns: clear its parent first.")


def check_size(surface: WorldSurface, model: HandModel) -> None:
    """See that an object is of a size that a hand has to do with.

    Raises:
        PropError: Its scale looks wrong.
    """
    reach = closing_skin(model).hand.reach
    times = surface.size / reach
    if times.min() > TOO_LARGE or times.max() < TOO_SMALL:
        raise PropError(
            f"'{surface.name}' is {surface.size.max():.3g} m large and the hand {reach:.3g} m: "
            "its scale looks wrong, or the hand's; change or apply it first."
        )


def check_start(model: HandModel, movement: Movement, surface: WorldSurface, depth: float) -> list[int]:
    """See that the open hand is outside the object; gives the fingers that are to close and begin inside.

    Raises:
        HandInsideError: The palm, or every finger that is to close, is inside.
    """
    T_world_hand = np.vstack([movement.wrists[0], [0.0, 0.0, 0.0, 1.0]])
    # Lower bounds will do where they are not deep.
    within = -depth - PALM_DEPTH
    gaps = measured_gaps(model, movement.start[0], T_world_hand, surface, exact=False, within=within)
    if min(gaps.palm, *gaps.by_bone.tolist()) < -depth - PALM_DEPTH:
        # A grid tells distances short by up to a cell away from the surface: nobody is refused on its word.
        gaps = measured_gaps(model, movement.start[0], T_world_hand, surface)
    if gaps.palm < -depth - PALM_DEPTH:
        raise HandInsideError(
            f"The palm is {-1e3 * gaps.palm:.1f} mm inside '{surface.name}': "
            "move the hand out, with the palm towards the object."
        )
    closing = np.flatnonzero(movement.fingers).tolist()
    deep = [-gaps.of_finger(finger) for finger in closing]
    if deep and min(deep) > depth + PALM_DEPTH:
        raise HandInsideError(
            f"Every finger starts up to {1e3 * max(deep):.1f} mm inside '{surface.name}': move the hand away from it."
        )
    return [finger for finger, begun in zip(closing, deep, strict=True) if begun > depth + PALM_DEPTH]


def inside_note(begun: list[int], gaps: Gaps, depth: float, name: str) -> str:
    """A sentence about fingers that began inside an object and stayed there or went through; empty where none did.

    Args:
        begun: Fingers that began inside.
        gaps: Where they are now.
        depth: How far skin gives in [m].
        name: The object's name.
    """
    fingers = gaps.model.fingers
    stuck = [fingers[each] for each in begun if not -depth - PALM_DEPTH / 2 <= gaps.of_finger(each) <= TOUCHING]
    if not stuck:
        return ""
    verb = "starts" if len(stuck) == 1 else "start"
    return f"{', '.join(stuck).capitalize()} {verb} inside '{name}': move the hand out of it."


def _bone_above(obj: Any, armature: Any) -> str | None:
    """Bone of the armature that carries an object, itself or through its parents."""
    while obj is not None:
        if obj.parent == armature and obj.parent_type == "BONE":
            return str(obj.parent_bone)
        obj = obj.parent
    return None
