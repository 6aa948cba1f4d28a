# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands and surfaces with closed forms for the tests of closing."""

from __future__ import annotations

from functools import cache

import numpy as np

from addon.core.arrays import FloatArray
from addon.core.articulation import Articulation
from addon.hands.build import build_model
from addon.hands.detection import detect_hands
from addon.hands.model import HandModel
from addon.hands.skinning import RestSkin
from addon.presets.conventions import load_conventions
from addon.presets.limits import load_limits
from addon.services.closing_hands import closing_skin
from addon.shapes.hand import HandSpec, build_hand
from addon.shapes.hand.spec import Side
from addon.solvers.closing import ClosingHand, ClosingSkin, Distance, Movement, Scene, Volumes, build_skin

RADIUS = 0.008
STILL = np.eye(3, 4)[None]


@cache
def demo_model(variant: str = "human", side: Side = "R") -> HandModel:
    """The model of a demo hand with all of its skin."""
    hand = build_hand(HandSpec(variant=variant, side=side))
    order = np.argsort(-hand.weights, axis=1)[:, :4]
    weights = np.take_along_axis(hand.weights, order, axis=1)
    skin = RestSkin(points=hand.mesh.vertices, bones=order, weights=weights / weights.sum(axis=1, keepdims=True))
    found = detect_hands(hand.skeleton, load_conventions())[0]
    return build_model(hand.skeleton, found, load_limits("static"), skin=skin)


def demo_skin(variant: str = "human", side: Side = "R") -> ClosingSkin:
    """Joints and skin of a demo hand."""
    return closing_skin(demo_model(variant, side))


def one_finger(*lengths: float, radius: float = RADIUS) -> ClosingSkin:
    """A finger along z whose joints turn about x, in capsules of one thickness; flexion takes it towards -y."""
    m = len(lengths)
    offsets = np.zeros((m, 3))
    offsets[1:, 2] = lengths[:-1]
    joints = Articulation(
        parents=np.arange(-1, m - 1), offsets=offsets, zeros=np.tile(np.eye(3), (m, 1, 1)), signs=np.ones((m, 3))
    )
    ends = np.zeros((m, 2, 3))
    ends[:, 1, 2] = lengths
    hand = ClosingHand(
        articulation=joints,
        finger_of=np.zeros(m, dtype=np.int64),
        rest_angles=np.zeros((m, 3)),
        volumes=Volumes(np.arange(m), ends, np.full((m, 2), radius)),
    )
    return build_skin(hand, None)


def bend(joints: int, *degrees: float) -> Movement:
    """A movement of one finger from straight to some flexions."""
    end = np.zeros((1, joints, 3))
    end[0, :, 0] = np.radians(degrees)
    return Movement(np.zeros((1, joints, 3)), end, STILL, np.ones(1, dtype=np.bool_))


def plane(height: float) -> Distance:
    """All below a height along y is solid."""
    return lambda points: points[:, 1] - height


def ball(centre: tuple[float, float, float], radius: float) -> Distance:
    """A solid ball."""
    return lambda points: np.linalg.norm(points - np.array(centre), axis=1) - radius


def rod(y: float, z: float, radius: float) -> Distance:
    """A solid cylinder along x without end."""
    return lambda points: np.hypot(points[:, 1] - y, points[:, 2] - z) - radius


def box(centre: tuple[float, float, float], size: tuple[float, float, float]) -> Distance:
    """A solid box."""
    half = np.array(size) / 2.0

    def measure(points: FloatArray) -> FloatArray:
        q = np.abs(points - np.array(centre)) - half
        return np.linalg.norm(np.maximum(q, 0.0), axis=1) + np.minimum(q.max(axis=1), 0.0)

    return measure


def scene(distance: Distance, depth: float = 0.0) -> Scene:
    """Something to close on."""
    return Scene(distance, distance, depth)
