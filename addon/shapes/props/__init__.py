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
from .balls import build_ball, build_marble, build_pill, build_table_tennis_ball, build_tennis_ball
from .boxes import build_book, build_box, build_card_deck
from .cutlery import build_scissors, build_table_knife
from .dumbbells import build_dumbbell
from .glass import build_bottle, build_wine_glass
from .hammers import build_hammer
from .keys import build_key
from .kitchen import build_can, build_coin, build_jar, build_lid, build_plate
from .knobs import build_door_knob
from .luggage import build_suitcase
from .pens import build_pen
from .phone import build_smartphone
from .sticks import build_chopstick, build_pencil, build_rod
from .tableware import build_cup_on_saucer, build_mug
from .tools import build_flashlight, build_screwdriver


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
    "can": Prop("Can", "Drinks can, 66 mm wide and 115 mm tall", build_can),
    "jar": Prop("Jar", "Preserving jar with its lid on, 85 mm wide and 135 mm tall", build_jar),
    "lid": Prop("Lid", "Lid of a jar, 88 mm wide and 15 mm tall", build_lid),
    "plate": Prop("Plate", "Dessert plate, 208 mm wide", build_plate),
    "tennis_ball": Prop("Tennis Ball", "Tennis ball, 67 mm", build_tennis_ball),
    "table_tennis_ball": Prop("Table Tennis Ball", "Table tennis ball, 40 mm", build_table_tennis_ball),
    "marble": Prop("Marble", "Toy marble, 16 mm", build_marble),
    "coin": Prop("Coin", "Coin that lies flat, 26 mm", build_coin),
    "pill": Prop("Pill", "Pill of two colours, 19 mm long and 7 mm thick", build_pill),
    "card_deck": Prop("Card Deck", "Pack of playing cards that lies flat, 91 x 60 x 18 mm", build_card_deck),
    "book": Prop("Book", "Paperback that lies flat, 178 x 111 x 21 mm", build_book),
    "rod": Prop("Rod", "Round wooden rod, 20 mm thick and 250 mm long", build_rod),
    "pencil": Prop("Pencil", "Six-sided pencil, 175 mm long", build_pencil),
    "chopstick": Prop("Chopstick", "Chopstick, 230 mm long", build_chopstick),
    "screwdriver": Prop("Screwdriver", "Screwdriver with a fluted handle, 215 mm long", build_screwdriver),
    "flashlight": Prop("Flashlight", "Flashlight, 39 mm thick and 168 mm long", build_flashlight),
    "scissors": Prop("Scissors", "Scissors that lie flat, a little open, 234 mm long", build_scissors),
    "table_knife": Prop("Table Knife", "Table knife that lies on its side, 218 mm long", build_table_knife),
    "suitcase": Prop("Suitcase", "Cabin suitcase with its handle up, 340 mm long", build_suitcase),
}

__all__ = ["PROPS", "Prop"]
