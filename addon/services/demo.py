# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Add demo hands and props to a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.errors import UnknownChoiceError
from ..rig.armatures import create_hand_objects
from ..rig.objects import create_mesh_object
from ..rig.state import make_active
from ..shapes.hand import VARIANTS, HandSpec, build_hand
from ..shapes.props import PROPS

__all__ = ["DemoHand", "HandSpec", "Placement", "add_demo_hand", "add_demo_prop"]


@dataclass(frozen=True, eq=False)
class Placement:
    """Where new objects go; lives no longer than the call it is made for."""

    collection: Any
    """Collection that new objects are linked to."""
    view_layer: Any
    """View layer in which the new object becomes active and the only one selected."""
    location: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """World position of the new object's origin in [m]."""


@dataclass(frozen=True)
class DemoHand:
    """Names of the objects that make up an added hand."""

    armature: str
    """Name of the armature object."""
    mesh: str
    """Name of the skin object, a child of the armature."""
    side: str
    """"L" or "R"."""


def add_demo_hand(placement: Placement, spec: HandSpec) -> DemoHand:
    """Build a demo hand, an armature with its skin, and make it the active object.

    Raises:
        UnknownChoiceError: The variant does not exist.
    """
    if spec.variant not in VARIANTS:
        raise UnknownChoiceError("demo hand", spec.variant, tuple(VARIANTS))
    label = VARIANTS[spec.variant].label
    armature, skin = create_hand_objects(f"{label}.{spec.side}", build_hand(spec), placement.collection)
    armature.location = placement.location
    make_active(placement.view_layer, armature)
    return DemoHand(armature=armature.name, mesh=skin.name, side=spec.side)


def add_demo_prop(placement: Placement, prop: str, *, scale: float = 1.0) -> str:
    """Build a demo prop, make it the active object and give its name.

    Raises:
        UnknownChoiceError: The prop does not exist.
    """
    if prop not in PROPS:
        raise UnknownChoiceError("demo prop", prop, tuple(PROPS))
    obj = create_mesh_object(PROPS[prop].label, PROPS[prop].build(), placement.collection)
    obj.location = placement.location
    obj.scale = (scale, scale, scale)
    make_active(placement.view_layer, obj)
    return str(obj.name)
