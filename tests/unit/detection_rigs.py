# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skeletons with the proportions of people, built in code and named by any convention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from addon.core.arrays import FloatArray
from addon.core.handmap import FingerMap
from addon.core.skeleton import Skeleton
from addon.presets.conventions import Convention

# Right hand: wrist at the origin, +Z along the fingers, +X to the thumb, +Y out of the back; metres.
_KNUCKLES = {
    "index": (0.026, 0.0, 0.090),
    "middle": (0.004, 0.003, 0.092),
    "ring": (-0.017, 0.001, 0.087),
    "extra": (-0.027, 0.0, 0.083),
    "pinky": (-0.036, -0.004, 0.079),
}
_LENGTHS = {
    "thumb": (0.045, 0.033, 0.028),
    "index": (0.040, 0.025, 0.020),
    "middle": (0.044, 0.028, 0.021),
    "ring": (0.041, 0.027, 0.021),
    "extra": (0.037, 0.024, 0.020),
    "pinky": (0.032, 0.020, 0.018),
}
_SPREAD = {"index": 0.08, "middle": 0.0, "ring": -0.07, "extra": -0.11, "pinky": -0.17}


@dataclass
class RigBuilder:
    """Bones added one by one, parents before children."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    heads: list[FloatArray] = field(default_factory=list)
    tails: list[FloatArray] = field(default_factory=list)
    deform: list[bool] = field(default_factory=list)

    def add(self, name: str, parent: str | None, head: FloatArray, tail: FloatArray, *, deform: bool = True) -> str:
        assert name not in self.names, name
        self.parents.append(-1 if parent is None else self.names.index(parent))
        self.names.append(name)
        self.heads.append(np.asarray(head, dtype=np.float64))
        self.tails.append(np.asarray(tail, dtype=np.float64))
        self.deform.append(deform)
        return name

    def chain(self, names: list[str], parent: str | None, points: list[FloatArray], *, deform: bool = True) -> None:
        """One bone per name; the last one ends at the last point, or goes on a little where there is none."""
        points = [np.asarray(point, dtype=np.float64) for point in points]
        if len(points) == len(names):
            points.append(points[-1] + 0.5 * (points[-1] - points[-2]))
        for number, name in enumerate(names):
            parent = self.add(name, parent, points[number], points[number + 1], deform=deform)

    def build(self) -> Skeleton:
        n = len(self.names)
        return Skeleton(
            tuple(self.names),
            np.array(self.parents, dtype=np.int64),
            np.reshape(self.heads, (n, 3)),
            np.reshape(self.tails, (n, 3)),
            np.tile(np.eye(3), (n, 1, 1)),
            np.array(self.deform, dtype=np.bool_),
        )


@dataclass(frozen=True, eq=False)
class Placement:
    """Where a hand sits: columns of `axes` are its X, Y and Z in the world."""

    origin: FloatArray
    axes: FloatArray

    def __call__(self, points: FloatArray) -> FloatArray:
        return np.asarray(points) @ self.axes.T + self.origin


def arm_placement(side: str) -> Placement:
    """At the end of an arm held out and down, palm to the floor, the character facing -Y."""
    mirror = 1.0 if side == "L" else -1.0
    along = np.array([mirror * 0.8, 0.0, -0.6])
    back = np.array([mirror * 0.6, 0.0, 0.8])
    thumb = np.array([0.0, -1.0, 0.0])
    return Placement(np.array([mirror * 0.55, 0.0, 1.05]), np.column_stack([thumb, back, along]))


def finger_points(finger: str, *, metacarpal: bool, phalanges: int = 3) -> FloatArray:
    """Joints of a finger in the hand's frame, its end included."""
    if finger == "thumb":
        points = [np.array([0.020, -0.010, 0.020])]
        for length, bend in zip(_LENGTHS["thumb"], (0.0, 0.12, 0.12), strict=True):
            direction = np.array([0.65 - bend, -0.35 - 0.5 * bend, 0.67 + bend])
            points.append(points[-1] + length * direction / np.linalg.norm(direction))
        return np.array(points[3 - phalanges :])
    knuckle = np.array(_KNUCKLES[finger])
    points = [knuckle * (0.45, 0.4, 0.28)] if metacarpal else []
    points.append(knuckle)
    bend = 0.10
    for length in _LENGTHS[finger][3 - phalanges :]:
        direction = np.array([np.sin(_SPREAD[finger]), -np.sin(bend), np.cos(bend)])
        points.append(points[-1] + length * direction / np.linalg.norm(direction))
        bend += 0.18
    return np.array(points)


def add_hand(
    rig: RigBuilder,
    wrist: str,
    fingers: list[FingerMap],
    place: Callable[[FloatArray], FloatArray],
    *,
    parent: str | None = None,
    flat: bool = False,
    deform: bool = True,
) -> None:
    """Add a hand with the given bones; where `flat`, all bones hang on the wrist's parent or on nothing."""
    rig.add(wrist, parent, place(np.zeros(3)), place(np.array([0.0, 0.0, 0.03])), deform=deform)
    for finger in fingers:
        names = [name for name in (finger.metacarpal, *finger.chain, finger.tip) if name is not None]
        points = finger_points(finger.name, metacarpal=finger.metacarpal is not None, phalanges=len(finger.chain))
        points = list(place(points)) if finger.tip is not None else list(place(points))[: len(names) + 1]
        if not flat:
            rig.chain(names, wrist, points, deform=deform)
            continue
        for number, name in enumerate(names):
            end = points[number + 1] if number + 1 < len(points) else points[number] + place(np.eye(3)[2]) * 0.01
            rig.add(name, parent, points[number], end, deform=deform)


def add_body(
    rig: RigBuilder, name: Callable[[str], str] = str, *, toes: int = 0, hair: int = 0, hair_rise: float = -0.1
) -> None:
    """A trunk with head, legs, and arms up to the elbows, toes of two bones and hair that hangs or stands."""
    rig.chain(
        [name(part) for part in ("Root", "Hips", "Spine", "Chest", "Neck", "Head")],
        None,
        [np.array([0.0, y, z]) for y, z in ((0, 0), (0, 0.95), (0, 1.1), (0.02, 1.3), (0.02, 1.5), (0, 1.6), (0, 1.8))],
    )
    for strand in range(hair):
        angle = 2.0 * np.pi * (strand + 0.5) / hair
        points = [np.array([0.08 * np.cos(angle), 0.08 * np.sin(angle) + 0.02, 1.75 + hair_rise * k]) for k in range(4)]
        rig.chain([name(f"Strand{strand}_{k}") for k in range(3)], name("Head"), points)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        arm = [(0.03, 0, 1.45), (0.17, 0.02, 1.45), (0.36, 0.03, 1.25)]
        arm_points = [np.array([sign * x, y, z]) for x, y, z in arm] + [arm_placement(side).origin]
        rig.chain([name(f"{part}{side}") for part in ("Clavicle", "UpArm", "LowArm")], name("Chest"), arm_points)
        leg = [(0.1, 0, 0.93), (0.1, -0.01, 0.5), (0.1, 0.02, 0.09), (0.1, -0.12, 0.03)]
        leg_points = [np.array([sign * x, y, z]) for x, y, z in leg]
        rig.chain([name(f"{part}{side}") for part in ("Thigh", "Shin", "Ankle")], name("Hips"), leg_points)
        for toe in range(toes):
            x = sign * (0.07 + 0.015 * toe)
            points = [np.array([x, -0.12 - 0.03 * k, 0.02]) for k in range(3)]
            rig.chain([name(f"Piggy{toe}{k}{side}") for k in range(2)], name(f"Ankle{side}"), points)


def expected_fingers(convention: Convention, side: str, spell: Callable[[str], str] = str) -> list[FingerMap]:
    """What a convention's templates say, with every name passed through `spell`."""

    def name(template: str) -> str:
        return spell(convention.prefix + convention.spellings(template, side)[0])

    return [
        FingerMap(
            name=finger,
            chain=tuple(name(bone) for bone in template.chain),
            metacarpal=None if template.metacarpal is None else name(template.metacarpal),
            tip=None if template.tip is None else name(template.tip),
        )
        for finger, template in convention.fingers.items()
        if finger in _LENGTHS and finger != "extra"
    ]


def wrist_name(convention: Convention, side: str, spell: Callable[[str], str] = str) -> str:
    return spell(convention.prefix + convention.spellings(convention.hand, side)[0])


def character(convention: Convention, spell: Callable[[str], str] = str, *, flat: bool = False) -> RigBuilder:
    """A whole body whose hands are named by a convention."""
    rig = RigBuilder()
    add_body(rig, lambda part: f"Body{part}")
    for side in ("L", "R"):
        add_hand(
            rig,
            wrist_name(convention, side, spell),
            expected_fingers(convention, side, spell),
            arm_placement(side),
            parent=f"BodyLowArm{side}",
            flat=flat,
            deform=convention.layer == "deform",
        )
    return rig


def with_nonsense_names(skeleton: Skeleton) -> Skeleton:
    names = ("Bone", *(f"Bone.{number:03}" for number in range(1, len(skeleton.names))))
    return replace(skeleton, names=names)


def with_nonsense_tails(skeleton: Skeleton) -> Skeleton:
    """Tails as importers leave them: all the same way, 1 m long."""
    return replace(skeleton, tails=skeleton.heads + np.array([0.0, 1.0, 0.0]))
