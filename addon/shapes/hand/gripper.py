# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Robot grippers: a body and hinged fingers of two hard links each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import FloatArray
from ...core.skeleton import Skeleton
from .anthropometry import size_ratio
from .build import finish
from .layout import TIP_MARKER_MM, frame_along, turn_about
from .solids import DARK, METAL, RUBBER, Solid, circle, join, link, prism, rounded_box
from .spec import HandBuild, HandSpec

PROXIMAL_MM, DISTAL_MM = 54.0, 46.0
"""Lengths of the two links; the second reaches to the fingertip."""
HINGE_MM = 78.0
"""Height of the first hinges above the wrist."""
OPENING_DEG = 12.0
"""How far the first links lean outwards at rest; the second ones are parallel."""
LIMITS_DEG = ((-25.0, 75.0), (-30.0, 80.0))
"""Turns of the two links from rest."""


@dataclass(frozen=True)
class GripperPlan:
    """What tells one gripper from another."""

    bearings_deg: tuple[float, ...]
    """Direction from the middle to each finger, 0 is the thumb's side."""
    hinge_radius_mm: float
    """Distance of the hinges from the middle."""


TWO_FINGERS = GripperPlan(bearings_deg=(0.0, 180.0), hinge_radius_mm=31.0)
THREE_FINGERS = GripperPlan(bearings_deg=(0.0, 120.0, 240.0), hinge_radius_mm=30.0)


def build_gripper(plan: GripperPlan, spec: HandSpec) -> HandBuild:
    """A gripper; its size follows the human hand's."""
    skeleton = _skeleton(plan, spec.side)
    mesh, bones = join(
        [*_body(plan), *(solid for k in range(len(plan.bearings_deg)) for solid in _finger(skeleton, k))]
    )
    limits = np.zeros((len(skeleton.names), 3, 2))
    limits[0, 0], limits[0, 2] = (-90.0, 90.0), (-90.0, 90.0)
    limits[0, 1] = (-180.0, 180.0)
    for k in range(len(plan.bearings_deg)):
        limits[3 * k + 1, 0], limits[3 * k + 2, 0] = LIMITS_DEG
    right = HandBuild(
        skeleton=skeleton,
        mesh=mesh,
        weights=np.eye(len(skeleton.names))[bones],
        limits=np.radians(limits),
        flush=np.zeros(len(mesh.vertices)),
    )
    return finish(right, replace(spec, scale=spec.scale * size_ratio(spec.size_sd)))


def _skeleton(plan: GripperPlan, side: str) -> Skeleton:
    up = np.array([0.0, 0.0, 1.0])
    names, parents, heads = [f"hand.{side}"], [-1], [np.zeros(3)]
    tails, frames = [up * 0.6 * HINGE_MM], [frame_along(up, np.array([0.0, -1.0, 0.0]))]
    for number, bearing in enumerate(np.radians(plan.bearings_deg), start=1):
        outwards = np.array([np.cos(bearing), np.sin(bearing), 0.0])
        first = frame_along(up, -outwards) @ turn_about(0, -OPENING_DEG)
        second = first @ turn_about(0, OPENING_DEG)
        hinge = outwards * plan.hinge_radius_mm + up * HINGE_MM
        elbow = hinge + first[:, 1] * PROXIMAL_MM
        tip = elbow + second[:, 1] * DISTAL_MM
        parents += [0, len(names), len(names) + 1]
        names += [f"finger_{number}.{bone}.{side}" for bone in ("proximal", "distal", "tip")]
        heads += [hinge, elbow, tip]
        tails += [elbow, tip, tip + second[:, 1] * TIP_MARKER_MM]
        frames += [first, second, second]
    return Skeleton(
        names=tuple(names),
        parents=np.array(parents),
        heads=np.array(heads),
        tails=np.array(tails),
        rotations=np.array(frames),
        deform=np.array([".tip." not in name for name in names]),
    )


def _body(plan: GripperPlan) -> list[Solid]:
    """Flange, housing and the lugs that hold the hinges; all carried by the hand's bone."""
    level = np.eye(3)
    centre = np.zeros(3)
    wide = len(plan.bearings_deg) > 2
    outline = circle(47.0, 48) if wide else rounded_box((50.0, 27.0), 13.0, 8)
    cover = circle(40.0, 48) if wide else rounded_box((43.0, 21.0), 10.0, 8)
    parts = [
        (circle(31.0, 40), (-10.0, 0.0), 1.5, METAL),
        (circle(24.0, 40), (0.0, 12.0), 0.6, DARK),
        (outline, (12.0, 54.0), 3.0, METAL),
        (cover, (54.0, 60.0), 1.5, DARK),
        (circle(12.0, 32), (60.0, 63.0), 1.2, RUBBER),
    ]
    solids = [
        prism(shape, span, bevel, origin=centre, axes=level, bone=0, material=material)
        for shape, span, bevel, material in parts
    ]
    for k in range(6):
        angle = np.radians(60.0 * k + 30.0)
        bolt = circle(2.6, 12, (26.5 * np.cos(angle), 26.5 * np.sin(angle)))
        solids.append(prism(bolt, (-0.5, 2.4), 0.5, origin=centre, axes=level, bone=0, material=DARK))
    up = np.array([0.0, 0.0, 1.0])
    for bearing in np.radians(plan.bearings_deg):
        outwards = np.array([np.cos(bearing), np.sin(bearing), 0.0])
        side = np.cross(up, -outwards)
        hinge = outwards * plan.hinge_radius_mm + up * HINGE_MM
        for sign in (-1.0, 1.0):
            lug = link(26.0, (8.5, 11.5))
            axes = np.stack([-up, outwards, -side], axis=1)
            axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
            span = (9.4, 13.4) if sign > 0.0 else (-13.4, -9.4)
            solids.append(prism(lug, span, 1.0, origin=hinge, axes=axes, bone=0, material=METAL))
    return solids


def _finger(skeleton: Skeleton, number: int) -> list[Solid]:
    """The two links of a finger with their pins and rubber pads."""
    first, second = 3 * number + 1, 3 * number + 2
    hinge, elbow = skeleton.heads[first], skeleton.heads[second]
    # Outlines lie in the plane (along the bone, towards the pad); the third axis is then the hinge.
    lower = skeleton.rotations[first][:, [1, 2, 0]]
    upper = skeleton.rotations[second][:, [1, 2, 0]]
    pin = circle(4.2, 24)
    solids = [
        prism(
            link(PROXIMAL_MM - 13.0, (8.0, 6.2)), (-5.2, 5.2), 1.2, origin=hinge, axes=lower, bone=first, material=METAL
        ),
        prism(pin, (-14.6, 14.6), 1.0, origin=hinge, axes=lower, bone=first, material=DARK),
        prism(pin, (-10.2, 10.2), 1.0, origin=elbow, axes=lower, bone=first, material=DARK),
    ]
    for span in ((-9.0, -5.2), (5.2, 9.0)):
        solids.append(
            prism(link(PROXIMAL_MM, (8.0, 7.0)), span, 0.9, origin=hinge, axes=lower, bone=first, material=METAL)
        )
    solids.append(_pad(hinge, lower, first, start=14.0, end=PROXIMAL_MM - 13.0, floor=5.6, half=6.4))
    solids.append(
        prism(
            link(DISTAL_MM - 4.5, (6.4, 4.5)), (-4.8, 4.8), 1.2, origin=elbow, axes=upper, bone=second, material=METAL
        )
    )
    solids.append(_pad(elbow, upper, second, start=11.0, end=DISTAL_MM - 0.5, floor=2.8, half=8.0))
    return solids


def _pad(
    origin: FloatArray, axes: FloatArray, bone: int, *, start: float, end: float, floor: float, half: float
) -> Solid:
    """A rubber pad with round corners on the inner face of a link."""
    outline = rounded_box((0.5 * (end - start), half), 3.0, 5) + np.array([0.5 * (start + end), 0.0])
    flat = np.stack([axes[:, 0], -axes[:, 2], axes[:, 1]], axis=1)
    return prism(outline, (floor, floor + 5.2), 1.2, origin=origin, axes=flat, bone=bone, material=RUBBER)
