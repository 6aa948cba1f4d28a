# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny hands made in code, with every freedom that rigs take: side, curl, rolls, place, tips, metacarpals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from addon.core.arrays import FloatArray
from addon.core.handmap import FingerMap, HandMap
from addon.core.rotations import matrix_from_axis_angle, matrix_from_quaternion, unit
from addon.core.skeleton import Skeleton
from addon.hands.build import build_model
from addon.hands.model import HandModel
from addon.presets.limits import load_limits

# Right hand in millimetres: wrist at the origin, +z along the fingers, +y out of the back, thumb at +x.
KNUCKLES = {
    "index": (26.0, 1.0, 88.0),
    "middle": (6.0, 3.0, 90.0),
    "ring": (-13.0, 2.0, 84.0),
    "pinky": (-31.0, -2.0, 76.0),
}
LENGTHS = {
    "thumb": (46.0, 32.0, 27.0),
    "index": (40.0, 22.0, 20.0),
    "middle": (45.0, 26.0, 21.0),
    "ring": (41.0, 26.0, 21.0),
    "pinky": (33.0, 18.0, 20.0),
}
FANS_DEG = {"index": 6.0, "middle": 1.0, "ring": -5.0, "pinky": -12.0}
THUMB_BASE = (22.0, -8.0, 16.0)


@dataclass(frozen=True)
class HandShape:
    """Choices of a test hand."""

    side: str = "R"
    fingers: tuple[str, ...] = ("thumb", "index", "middle", "ring", "pinky")
    phalanges: int = 3
    curl_deg: float = 8.0
    """Bend of each joint at rest."""
    thumb_deg: tuple[float, float] = (42.0, 20.0)
    """Radial angle and lift of the thumb's metacarpal."""
    tips: bool = True
    metacarpals: bool = False
    flat: bool = False
    """All bones are children of the root, as in WebXR."""
    seed: int | None = None
    """Random rolls of the bones' own frames and a random place in the world."""
    scale: float = 0.001


def make_hand(shape: HandShape = HandShape()) -> tuple[Skeleton, HandMap]:
    """A skeleton and the map of its hand."""
    names, parents = ["root", "wrist"], [-1, 0]
    heads = [np.array([0.0, 0.0, -120.0]), np.zeros(3)]
    tails = [np.array([0.0, 0.0, -60.0]), np.array([0.0, 0.0, 30.0])]
    fingers = []
    for finger in shape.fingers:
        points = _finger_points(shape, finger)
        bones = [f"{finger}.{k}" for k in range(len(points) - 1)]
        meta = None
        parent = 1
        if shape.metacarpals and finger != "thumb":
            meta = f"{finger}.meta"
            parent = _add(names, parents, heads, tails, meta, 0 if shape.flat else 1, 0.25 * points[0], points[0])
        for bone, head, tail in zip(bones, points[:-1], points[1:], strict=True):
            parent = _add(names, parents, heads, tails, bone, 0 if shape.flat else parent, head, tail)
        tip = None
        if shape.tips:
            tip = f"{finger}.tip"
            _add(
                names,
                parents,
                heads,
                tails,
                tip,
                0 if shape.flat else parent,
                points[-1],
                points[-1] + np.array([0.0, 0.0, 4.0]),
            )
        fingers.append(FingerMap(name=finger, chain=tuple(bones), metacarpal=meta, tip=tip))
    mirror = np.array([-1.0 if shape.side == "L" else 1.0, 1.0, 1.0])
    rng = np.random.default_rng(shape.seed)
    place = np.eye(3) if shape.seed is None else matrix_from_quaternion(unit(rng.normal(size=4)))
    offset = np.zeros(3) if shape.seed is None else rng.normal(size=3)
    world = (np.array(heads) * mirror * shape.scale) @ place.T + offset
    ends = (np.array(tails) * mirror * shape.scale) @ place.T + offset
    rolls = np.zeros(len(names)) if shape.seed is None else rng.uniform(-np.pi, np.pi, len(names))
    rotations = np.array([_bone_frame(e - h, roll) for h, e, roll in zip(world, ends, rolls, strict=True)])
    skeleton = Skeleton(
        names=tuple(names),
        parents=np.array(parents),
        heads=world,
        tails=ends,
        rotations=rotations,
        deform=np.ones(len(names), dtype=bool),
    )
    return skeleton, HandMap(side=shape.side, wrist="wrist", fingers=tuple(fingers), convention="test")


def make_model(shape: HandShape = HandShape()) -> HandModel:
    """The model of a test hand with the default limits."""
    return build_model(*make_hand(shape), load_limits())


def make_gripper(count: int) -> tuple[Skeleton, HandMap]:
    """Fingers of two bones round the z axis, opened by 12 degrees."""
    names, parents, heads, tails = ["palm"], [-1], [np.zeros(3)], [np.array([0.0, 0.0, 50.0])]
    fingers = []
    for number in range(count):
        angle = 2.0 * np.pi * number / count
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        up = np.array([0.0, 0.0, 1.0])
        foot = 40.0 * out + 60.0 * up
        knee = foot + 50.0 * (np.sin(0.2) * out + np.cos(0.2) * up)
        tip = knee + 40.0 * up
        parent = 0
        bones = (f"claw{number}.a", f"claw{number}.b", f"claw{number}.tip")
        for bone, head, tail in zip(bones, (foot, knee, tip), (knee, tip, tip + 4.0 * up), strict=True):
            parent = _add(names, parents, heads, tails, bone, parent, head, tail)
        fingers.append(FingerMap(name=f"claw{number}", chain=bones[:2], tip=bones[2]))
    world, ends = np.array(heads) * 0.001, np.array(tails) * 0.001
    skeleton = Skeleton(
        names=tuple(names),
        parents=np.array(parents),
        heads=world,
        tails=ends,
        rotations=np.array([_bone_frame(e - h, 0.3) for h, e in zip(world, ends, strict=True)]),
        deform=np.ones(len(names), dtype=bool),
    )
    return skeleton, HandMap(side="", wrist="palm", fingers=tuple(fingers))


def _finger_points(shape: HandShape, finger: str) -> list[FloatArray]:
    """Joints and tip of a right hand's finger in millimetres."""
    curl = np.radians(shape.curl_deg)
    if finger == "thumb":
        radial, lift = np.radians(shape.thumb_deg)
        along = np.array([np.sin(radial) * np.cos(lift), -np.sin(lift), np.cos(radial) * np.cos(lift)])
        # Its pad looks across the palm: it bends about the palm's normal, a little towards the fingers.
        axis = unit(np.array([0.35, -1.0, -0.2]))
        point, bend = np.array(THUMB_BASE), 0.0
    else:
        fan = np.radians(FANS_DEG[finger])
        along = np.array([np.sin(fan), 0.0, np.cos(fan)])
        axis = np.array([np.cos(fan), 0.0, -np.sin(fan)])
        point, bend = np.array(KNUCKLES[finger]), curl
    total = sum(LENGTHS[finger])
    lengths = LENGTHS[finger] if shape.phalanges == 3 else (total / shape.phalanges,) * shape.phalanges
    points = [point]
    for length in lengths:
        points.append(points[-1] + length * (matrix_from_axis_angle(axis, bend) @ along))
        bend += curl
    return points


def _add(
    names: list[str],
    parents: list[int],
    heads: list[FloatArray],
    tails: list[FloatArray],
    name: str,
    parent: int,
    head: FloatArray,
    tail: FloatArray,
) -> int:
    names.append(name)
    parents.append(parent)
    heads.append(head)
    tails.append(tail)
    return len(names) - 1


def _bone_frame(along: FloatArray, roll: float) -> FloatArray:
    """Blender's kind of frame: y along the bone, turned about it by `roll`."""
    y = unit(along)
    x = unit(np.cross(y, np.eye(3)[int(np.argmin(np.abs(y)))]))
    frame = np.stack([x, y, np.cross(x, y)], axis=1)
    return matrix_from_axis_angle(y, roll) @ frame
