# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Movements: how a hand opens and closes for one kind of grasp, as data files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

from .poses import FingerAngles, Pose, parse_pose
from .toml import PresetError, check_keys, load_toml

REFERENCE_PALM_WIDTH = 0.084
"""Width in [m] of the palm, across its knuckles and flesh, that object sizes are given for: a man's mean hand."""

KINDS = ("power", "intermediate", "precision")
OPPOSITIONS = ("palm", "pad", "side")
THUMBS = ("abducted", "adducted")
SHAPES = ("sphere", "cylinder", "prism", "disk", "flat", "handle")
PLACES = ("palm", "pads", "side", "between")
AXES = ("across", "along", "any")
FACES = ("pad", "tip", "palmar", "side", "outer", "any")
PALM = "palm"
TYPES = 33
"""Types of the taxonomy that movements are numbered by."""

_CHOICES = {"kind": KINDS, "opposition": OPPOSITIONS, "thumb": THUMBS, "axis": AXES}
_REQUIRED = {
    *("number", "title", "description", "fingers", "virtual_fingers", "object_size_mm", "shapes", "grasp_centre"),
    *("touch", "example", "start", "end", *_CHOICES),
}
_EXAMPLE = {"basis", "point_mm", "offset_mm", "radius_mm", "x", "z", "mirror"}
_HEADER = {"schema_version": 1, "source": "", "license": ""}


@dataclass(frozen=True)
class CentreRule:
    """Where the middle of an object belongs, in terms that every hand can be measured by."""

    place: str
    """"palm": one radius in front of the palm's skin. "pads": between the thumb's pad and those of the other fingers
    that take part, opened as wide as the object. "side": likewise, but beside the first finger's middle bone.
    "between": between the first two fingers of the row that take part, where their sides face each other."""
    along: float = 0.0
    """For "palm": from the wrist, 0, to the knuckles, 1, and on along the straight fingers."""
    across: float = 0.0
    """For "palm": from the middle of the knuckles towards the thumb, as a share of the palm's width."""
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """For the others: how far beside that place in [m], in the hand's frame with x towards the thumb, for the reference
    hand. A pen that lies on a finger's side is not in the middle between pads."""


@dataclass(frozen=True)
class Touch:
    """A part of the hand that has to touch the object for a grasp to be of its type."""

    finger: str
    """Which finger; `PALM` for the palm."""
    face: str
    """Out of `FACES`. "pad": the palmar side of the last bone, "tip": its end; "palmar": that
    side of any bone; "side": the side that looks to the thumb, "outer": the one that looks away from it, both of any
    bone; "any": anywhere."""


@dataclass(frozen=True)
class Example:
    """How a typical object of a movement's type lies in the demo hand."""

    prop: str
    """Key of a demo prop."""
    basis: str
    """"hand": directions are those of the hand's frame, x towards the thumb. "grip": x is the direction in which the
    object is pressed together, from the fingers to the thumb; y lies in the palm's plane, towards the thumb's side."""
    point: tuple[float, float, float]
    """Point of the prop in [m] that comes to the grasp centre."""
    offset: tuple[float, float, float]
    """How far beside it in [m], in the hand's frame with x towards the thumb, for the reference hand."""
    radius: float
    """Half the prop's thickness where it is held, in [m]."""
    x: tuple[float, float, float]
    """Where the prop's x axis points, about."""
    z: tuple[float, float, float]
    """Where its z axis points."""
    mirror: str = "y"
    """Across which of its axes the prop is its own mirror image: "y", or "z" for one that lies flat and is held by a
    point in the middle of its thickness. A left hand holds it as in a mirror."""


@dataclass(frozen=True)
class Movement:
    """How a hand closes for one kind of grasp."""

    key: str
    """File name without its ending."""
    number: int
    """Of its type in the GRASP taxonomy."""
    title: str
    """Shown to the user."""
    description: str
    """One line without a full stop."""
    kind: str
    """One of `KINDS`."""
    opposition: str
    """What the thumb's side of the grasp presses against: one of `OPPOSITIONS`."""
    thumb: str
    """Where the thumb stands: one of `THUMBS`."""
    virtual_fingers: tuple[tuple[str, ...], tuple[str, ...]]
    """Fingers that act as one against the thumb or palm, and those that help from a third side."""
    fingers: tuple[str, ...]
    """Fingers that take part; the others keep the start posture."""
    object_size: tuple[float, float]
    """Smallest and largest diameter or thickness in [m] that it suits, for a palm of `REFERENCE_PALM_WIDTH`."""
    shapes: tuple[str, ...]
    """What it suits, best first, out of `SHAPES`."""
    axis: str
    """How a long object lies in the hand: across the fingers, along them, or either."""
    centre: CentreRule
    """Where the object's middle belongs."""
    start: Pose
    """Open and pre-shaped; names every finger."""
    end: Pose
    """Closed beyond every object of its sizes; fingers that do not take part are as in `start`."""
    touch: tuple[Touch, ...]
    """What has to touch the object, and with which face."""
    example: Example
    """A typical object, and how it lies in the hand."""
    auto: bool
    """Whether it is tried where the movement is chosen by the object."""
    order: int
    """Place among all, which never changes: files keep it."""
    lies: tuple[float, float, float] | None = None
    """How a long object lies in the hand, where it is neither straight across nor straight along the fingers: a
    direction in the hand's frame with x towards the thumb, either way."""


@cache
def load_movements() -> dict[str, Movement]:
    """All movements that come with the extension, by key, in the order they are offered.

    Raises:
        PresetError: A file is damaged.
    """
    folder = files(__package__ or "") / "movements"
    found = [
        (each.name.removesuffix(".toml"), load_toml(each)) for each in folder.iterdir() if each.name.endswith(".toml")
    ]
    found.sort(key=lambda item: (item[1].get("order", 0), item[0]))
    return {key: parse_movement(key, data) for key, data in found}


def parse_movement(key: str, data: dict[str, Any]) -> Movement:
    """A movement from the content of its file.

    Raises:
        PresetError: A key is unknown or missing, a word is none of its choices, or a number is none.
    """
    check_keys(key, data, required=_REQUIRED, optional={"order", "auto", "lies"})
    for name, choices in _CHOICES.items():
        _choose(key, name, data[name], choices)
    for shape in data["shapes"]:
        _choose(key, "shapes", shape, SHAPES)
    start, end = (_posture(f"{key}, {name}", data[name]) for name in ("start", "end"))
    fingers = tuple(cast("list[str]", data["fingers"]))
    if set(end) != set(fingers) or not set(fingers) <= set(start):
        raise PresetError(f"'{key}' must name the fingers that take part in start and in end, and no others in end.")
    smallest, largest = _sizes(key, data["object_size_mm"])
    second, third = (tuple(cast("list[str]", data["virtual_fingers"].get(each, []))) for each in ("second", "third"))
    if not isinstance(data["number"], int) or not 1 <= data["number"] <= TYPES:
        raise PresetError(f"'{key}': number must be one of the taxonomy, 1 to {TYPES}.")
    return Movement(
        key=key,
        number=data["number"],
        title=data["title"],
        description=data["description"],
        kind=data["kind"],
        opposition=data["opposition"],
        thumb=data["thumb"],
        virtual_fingers=(second, third),
        fingers=fingers,
        object_size=(smallest, largest),
        shapes=tuple(data["shapes"]),
        axis=data["axis"],
        centre=_centre(key, data["grasp_centre"]),
        start=Pose(label=data["title"], description=data["description"], fingers=start),
        end=Pose(label=data["title"], description=data["description"], fingers={**start, **end}),
        touch=tuple(_touch(key, each, start) for each in cast("list[str]", data["touch"])),
        example=_example(key, data["example"]),
        auto=bool(data.get("auto", True)),
        order=int(data.get("order", 0)),
        lies=_direction(key, data.get("lies")),
    )


def _posture(name: str, fingers: dict[str, Any]) -> dict[str, FingerAngles]:
    return parse_pose(name, {**_HEADER, "label": name, "description": "", "fingers": fingers}).fingers


def _touch(key: str, text: str, fingers: dict[str, FingerAngles]) -> Touch:
    """A touch from its words: a finger and a face, or the palm alone."""
    if text == PALM:
        return Touch(PALM, "palmar")
    finger, _, face = text.partition(" ")
    _choose(key, "touch", finger, (*fingers, PALM))
    _choose(key, "touch", face, FACES)
    return Touch(finger, face)


def _example(key: str, data: dict[str, Any]) -> Example:
    name = f"{key}, example"
    check_keys(name, data, required={"prop", "radius_mm", "x", "z"}, optional=_EXAMPLE, header=False)
    _choose(name, "basis", data.get("basis", "hand"), ("hand", "grip"))
    _choose(name, "mirror", data.get("mirror", "y"), ("y", "z"))
    try:
        return Example(
            prop=data["prop"],
            basis=data.get("basis", "hand"),
            point=_three(data.get("point_mm", (0, 0, 0)), 1e-3),
            offset=_three(data.get("offset_mm", (0, 0, 0)), 1e-3),
            radius=float(data["radius_mm"]) * 1e-3,
            x=_three(data["x"]),
            z=_three(data["z"]),
            mirror=data.get("mirror", "y"),
        )
    except (TypeError, ValueError) as error:
        raise PresetError(f"'{name}': radius_mm must be a number, points and directions three.") from error


def _direction(key: str, values: Any) -> tuple[float, float, float] | None:
    try:
        return None if values is None else _three(values)
    except (TypeError, ValueError) as error:
        raise PresetError(f"'{key}': lies must be three numbers.") from error


def _three(values: Any, factor: float = 1.0) -> tuple[float, float, float]:
    x, y, z = (factor * float(each) for each in values)
    return x, y, z


def _centre(key: str, data: dict[str, Any]) -> CentreRule:
    name = f"{key}, grasp_centre"
    on_palm = data.get("place") == "palm"
    required, optional = ({"place", "along"}, {"across"}) if on_palm else ({"place"}, {"offset_mm"})
    check_keys(name, data, required=required, optional=optional, header=False)
    _choose(name, "place", data["place"], PLACES)
    try:
        along, across = (float(data.get(each, 0.0)) for each in ("along", "across"))
        return CentreRule(data["place"], along, across, _three(data.get("offset_mm", (0, 0, 0)), 1e-3))
    except (TypeError, ValueError) as error:
        raise PresetError(f"'{name}': along and across must be numbers, offset_mm three.") from error


def _sizes(key: str, sizes: Any) -> tuple[float, float]:
    try:
        smallest, largest = (float(each) / 1000.0 for each in sizes)
    except (TypeError, ValueError) as error:
        raise PresetError(f"'{key}': object_size_mm must be two numbers.") from error
    if not 0.0 < smallest < largest:
        raise PresetError(f"'{key}': object_size_mm must be the smallest size and a larger one.")
    return smallest, largest


def _choose(key: str, name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise PresetError(f"'{key}': {name} cannot be '{value}'; choose from {', '.join(choices)}.")
