# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Demo props at real size: closed meshes in metres, z up, lowest point on the table z = 0.

Props are centred in x and y, except that mug and cup turn about the z axis of their body, and the door knob sits on a
door in the plane y = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..mesh import MeshData
from .balls import build_ball
from .boxes import build_box
from .dumbbells import build_dumbbell
from .glass import build_bottle, build_wine_glass
from .hammers import build_hammer
from .keys import build_key
from .knobs import build_door_knob
from .pens import build_pen
from .phone import build_smartphone
from .tableware import build_cup_on_saucer, build_mug


@dataclass(frozen=True)
class Prop:
    """A demo prop that can be added to a scene."""

    label: str
    """Name in menus."""
    description: str
    """Tooltip, without a full stop."""
    build: Callable[[], MeshData]
    """Makes the mesh at its real size."""


PROPS: dict[str, Prop] = {
    "mug": Prop("Mug", "Ceramic mug with a handle, 82 mm wide and 95 mm tall", build_mug),
    "ball": Prop("Ball", "Rubber ball, 73 mm", build_ball),
    "bottle": Prop("Bottle", "Drinking bottle with a screw cap, 65 mm wide and 225 mm tall", build_bottle),
    "pen": Prop("Pen", "Ball pen with a clip, 141 mm long", build_pen),
    "box": Prop("Box", "Cardboard parcel, 150 x 100 x 50 mm", build_box),
    "key": Prop("Key", "Door key that lies flat, 58 mm long", build_key),
    "hammer": Prop("Hammer", "Claw hammer with a wooden handle, 315 mm long", build_hammer),
    "wine_glass": Prop("Wine Glass", "Thin wine glass, 210 mm tall", build_wine_glass),
    "door_knob": Prop("Door Knob", "Door knob as mounted, its axis level", build_door_knob),
    "smartphone": Prop("Smartphone", "Smartphone that lies on its back, 147 x 71.5 x 7.8 mm", build_smartphone),
    "dumbbell": Prop("Dumbbell", "Dumbbell with six-sided heads and a 30 mm grip", build_dumbbell),
    "cup_on_saucer": Prop("Cup on Saucer", "Porcelain cup that rests on a saucer", build_cup_on_saucer),
}

__all__ = ["PROPS", "Prop"]
