# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Add demo hands and props to a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.errors import UnknownChoiceError
from ..rig.armatures import create_hand_objects
from ..rig.objects import create_mesh_object
from ..shapes.hand import VARIANTS, HandSpec, build_hand
from ..shapes.props import PROPS


@dataclass(frozen=True)
class DemoHand:
    """Names of the objects that make up an added hand."""

    armature: str
    """Name of the armature object."""
    mesh: str
    """Name of the skin object, a child of the armature."""
    side: str
    """"L" or "R"."""


def add_demo_hand(collection: Any, spec: HandSpec, *, location: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> DemoHand:
    """Build a demo hand and link its armature and skin to `collection`.

    Raises:
        UnknownChoiceError: The variant does not exist.
    """
    if spec.variant not in VARIANTS:
        raise UnknownChoiceError("demo hand", spec.variant, tuple(VARIANTS))
    label = VARIANTS[spec.variant].label
    armature, skin = create_hand_objects(f"{label}.{spec.side}", build_hand(spec), collection)
    armature.location = location
    return DemoHand(armature=armature.name, mesh=skin.name, side=spec.side)


def add_demo_prop(
    collection: Any, prop: str, *, location: tuple[float, float, float] = (0.0, 0.0, 0.0), scale: float = 1.0
) -> str:
    """Build a demo prop, link it to `collection` and give its object's name.

    Raises:
        UnknownChoiceError: The prop does not exist.
    """
    if prop not in PROPS:
        raise UnknownChoiceError("demo prop", prop, tuple(PROPS))
    obj = create_mesh_object(PROPS[prop].label, PROPS[prop].build(), collection)
    obj.location = location
    obj.scale = (scale, scale, scale)
    return str(obj.name)
