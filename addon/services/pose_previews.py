# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of poses on the demo hand, drawn in numpy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.raster import Picture, draw_triangles, frame_points, smooth_normals
from ..core.rotations import matrix_from_euler
from ..hands.build import build_model
from ..hands.detection import detect_hands
from ..hands.forward import HandFrames, forward
from ..hands.model import HandModel
from ..hands.poses import pose_angles
from ..hands.skinning import RestSkin, deform_linear
from ..presets.conventions import load_conventions
from ..presets.limits import load_limits
from ..presets.poses import FingerAngles, Pose
from ..shapes.hand import HandSpec, build_hand

SKIN = np.array([0.85, 0.66, 0.56])
"""Colour of the pictures' skin."""


@dataclass(frozen=True, eq=False)
class PreviewHand:
    """A demo hand that is posed without Blender."""

    model: HandModel
    """Its joints and all of its skin."""
    triangles: IntArray
    """Faces of the skin. Shape (t, 3)."""
    rest: HandFrames
    """Its joints at rest."""

    def skin(self, angles: FloatArray) -> FloatArray:
        """The posed skin in [m], in the hand's frame. Shape (n, 3)."""
        frames = forward(self.model, angles)
        turns = frames.rotations @ np.swapaxes(self.rest.rotations, -1, -2)
        moves = frames.origins - np.einsum("mij,mj->mi", turns, self.rest.origins)
        assert self.model.skin is not None
        return deform_linear(self.model.skin, turns, moves)

    def vertices_of(self, name: str) -> IntArray:
        """Vertices of "palm", of a finger, or of one of its bones such as "index.1", root first. Shape (k,)."""
        model, skin = self.model, self.model.skin
        assert skin is not None
        if name == "palm":
            palm = [j for j, kind in enumerate(model.kinds) if kind in ("metacarpal", "carpometacarpal")]
            return np.flatnonzero(np.isin(skin.owners, [-1, *palm]))
        finger, _, place = name.partition(".")
        joints = model.joints(finger)
        return np.flatnonzero(np.isin(skin.owners, [joints[int(place)]] if place else joints))


@lru_cache(maxsize=2)
def preview_hand(variant: str = "human") -> PreviewHand:
    """A right demo hand."""
    hand = build_hand(HandSpec(variant=variant, side="R"))
    order = np.argsort(-hand.weights, axis=1)[:, :4]
    weights = np.take_along_axis(hand.weights, order, axis=1)
    skin = RestSkin(points=hand.mesh.vertices, bones=order, weights=weights / weights.sum(axis=1, keepdims=True))
    found = detect_hands(hand.skeleton, load_conventions())[0]
    model = build_model(hand.skeleton, found, load_limits(), skin=skin)
    return PreviewHand(model=model, triangles=hand.mesh.triangles(), rest=forward(model, model.rest_angles))


def turn_for_picture(turn_deg: tuple[float, float, float]) -> FloatArray:
    """How a pose is turned in pictures, before an eye that looks along the hand's +y. Shape (3, 3)."""
    about, towards, within = np.radians(turn_deg)
    turns = [matrix_from_euler(angles, "XYZ") for angles in ([0, within, 0], [towards, 0, 0], [0, 0, about])]
    return turns[0] @ turns[1] @ turns[2]


def draw_pose(
    fingers: dict[str, FingerAngles], *, size: int = 96, turn_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> Picture:
    """A picture of a pose on a right demo hand, seen from the palm."""
    hand = preview_hand()
    points = hand.skin(pose_angles(hand.model, Pose("", "", fingers))) @ turn_for_picture(turn_deg).T
    eye = frame_points(points, np.array([0.12, -1.0, 0.12]), np.array([0.0, 0.0, 1.0]), margin=0.02)
    colours = np.tile(SKIN, (len(hand.triangles), 1))
    normals = smooth_normals(points, hand.triangles)
    return draw_triangles(points[hand.triangles], colours, eye, size=(size, size), normals=normals)
