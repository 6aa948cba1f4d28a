# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand's skin: points with weights, and where they go, as Blender's armature modifier moves them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import BoolArray, FloatArray, IntArray, frozen_bools, frozen_floats, frozen_ints
from ..core.rotations import matrix_from_quaternion, multiply, quaternion_from_matrix, unit
from ..core.sampling import spread_out

MOST_WEIGHTS = 4
"""Bones that may share a point: what game engines and glTF allow."""
LEAST_SHARE = 0.5
"""Points that belong to the hand by less than this share are left to the arm."""


@dataclass(frozen=True, eq=False)
class RestSkin:
    """Skin of a whole skeleton at rest, in its coordinates, as read from meshes."""

    points: FloatArray
    """Vertices in [m]. Shape (p, 3)."""
    bones: IntArray
    """Bone of each weight as an index into the skeleton; unused ones have no weight. Shape (p, k)."""
    weights: FloatArray
    """Weights, rows sum to 1. Shape (p, k)."""
    volume: BoolArray | None = None
    """Whether motions are blended as dual quaternions ("Preserve Volume"); nowhere by default. Shape (p,)."""
    between: BoolArray | None = None
    """Points that are no vertices but lie between them, where these are far apart; none by default. Shape (p,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        p = len(self.points)
        set_field = object.__setattr__
        set_field(self, "points", frozen_floats(self.points, (p, 3), "points"))
        set_field(self, "bones", frozen_ints(self.bones, (p, -1), "bones"))
        set_field(self, "weights", frozen_floats(self.weights, self.bones.shape, "weights"))
        volume = np.zeros(p, dtype=np.bool_) if self.volume is None else self.volume
        set_field(self, "volume", frozen_bools(volume, (p,), "volume"))
        between = np.zeros(p, dtype=np.bool_) if self.between is None else self.between
        set_field(self, "between", frozen_bools(between, (p,), "between"))


@dataclass(frozen=True, eq=False)
class SkinPoints:
    """Points of a hand's skin at rest in the hand's frame."""

    points: FloatArray
    """Positions in [m]. Shape (p, 3)."""
    joints: IntArray
    """Joints that move each point, -1 for the wrist. Shape (p, k)."""
    weights: FloatArray
    """Their shares, rows sum to 1. Shape (p, k)."""
    volume: BoolArray | None = None
    """Whether motions are blended as dual quaternions ("Preserve Volume"); nowhere by default. Shape (p,)."""
    between: BoolArray | None = None
    """Points that are no vertices but lie between them, where these are far apart; none by default. Shape (p,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        p = len(self.points)
        set_field = object.__setattr__
        set_field(self, "points", frozen_floats(self.points, (p, 3), "points"))
        set_field(self, "joints", frozen_ints(self.joints, (p, -1), "joints"))
        set_field(self, "weights", frozen_floats(self.weights, self.joints.shape, "weights"))
        volume = np.zeros(p, dtype=np.bool_) if self.volume is None else self.volume
        set_field(self, "volume", frozen_bools(volume, (p,), "volume"))
        between = np.zeros(p, dtype=np.bool_) if self.between is None else self.between
        set_field(self, "between", frozen_bools(between, (p,), "between"))

    @property
    def owners(self) -> IntArray:
        """The joint with the largest share in each point. Shape (p,)."""
        return self.joints[np.arange(len(self.joints)), np.argmax(self.weights, axis=1)]


def take_hand(skin: RestSkin, attached: IntArray, outside: int) -> SkinPoints:
    """The part of a skin that belongs to a hand, still in the skeleton's coordinates.

    Args:
        skin: Skin of the whole skeleton.
        attached: Joint that each bone of the skeleton moves with. Shape (bones,).
        outside: Value in `attached` of bones that are not of the hand; their shares go to the wrist.
    """
    joints = attached[skin.bones]
    share = np.sum(np.where(joints == outside, 0.0, skin.weights), axis=1)
    kept = share >= LEAST_SHARE
    joints, weights = np.where(joints[kept] == outside, -1, joints[kept]), skin.weights[kept]
    joints, weights = _merged(joints, weights)
    return SkinPoints(
        points=skin.points[kept],
        joints=joints,
        weights=weights,
        volume=_some(skin.volume, kept),
        between=_some(skin.between, kept),
    )


def sample(skin: SkinPoints, most: int) -> SkinPoints:
    """At most `most` points of a skin, spread evenly."""
    return _chosen(skin, spread_out(skin.points, most))


def only_vertices(skin: SkinPoints) -> SkinPoints:
    """A skin without the points between its vertices."""
    return skin if skin.between is None or not skin.between.any() else _chosen(skin, np.flatnonzero(~skin.between))


def _chosen(skin: SkinPoints, taken: IntArray) -> SkinPoints:
    return SkinPoints(
        points=skin.points[taken],
        joints=skin.joints[taken],
        weights=skin.weights[taken],
        volume=_some(skin.volume, taken),
        between=_some(skin.between, taken),
    )


def share_of(values: FloatArray, share: float) -> FloatArray:
    """The value that a share of all values along the first axis does not exceed. Shape (n, ...) to (...)."""
    place = min(int(share * len(values)), len(values) - 1)
    return np.partition(values, place, axis=0)[place]


def deform_linear(skin: SkinPoints, rotations: FloatArray, translations: FloatArray) -> FloatArray:
    """Points moved by the weighted mean of their joints' motions. Shape (p, 3).

    Args:
        skin: Points and weights.
        rotations: Turn of each joint from rest. Shape (m, 3, 3).
        translations: Where each joint's motion takes the origin, in [m]. Shape (m, 3).
    """
    moves = _with_wrist(np.concatenate([rotations, translations[:, :, None]], axis=2), np.eye(3, 4))
    mixed = np.einsum("pk,pkij->pij", skin.weights, moves[skin.joints])
    return np.einsum("pij,pj->pi", mixed[:, :, :3], skin.points) + mixed[:, :, 3]


def deform_volume(skin: SkinPoints, rotations: FloatArray, translations: FloatArray) -> FloatArray:
    """Points moved by the blend of their joints' dual quaternions: Blender's "Preserve Volume". Shape (p, 3)."""
    real = quaternion_from_matrix(rotations)
    dual = 0.5 * multiply(np.concatenate([np.zeros((len(real), 1)), translations], axis=1), real)
    parts = _with_wrist(np.concatenate([real, dual], axis=1), np.array([1.0, 0, 0, 0, 0, 0, 0, 0]))[skin.joints]
    total = np.zeros((len(skin.points), 8))
    for k in range(parts.shape[1]):
        # Of the two quaternions of a turn the one on the side of those already added, in their order.
        flip = np.where(np.sum(total[:, :4] * parts[:, k, :4], axis=1) < 0.0, -1.0, 1.0)
        total += parts[:, k] * (skin.weights[:, k] * flip)[:, None]
    total /= np.linalg.norm(total[:, :4], axis=1, keepdims=True)
    turned = np.einsum("pij,pj->pi", matrix_from_quaternion(total[:, :4]), skin.points)
    conjugate = total[:, :4] * np.array([1.0, -1.0, -1.0, -1.0])
    return turned + 2.0 * multiply(total[:, 4:], conjugate)[:, 1:]


def tip_of(skin: SkinPoints, joint: int, head: FloatArray, before: FloatArray) -> FloatArray | None:
    """Far end of the skin that follows a finger's last joint; None when there is too little of it. Shape (3,).

    Args:
        skin: Points in the skeleton's coordinates.
        joint: The last joint.
        head: Its position in [m]. Shape (3,).
        before: Direction of the bone before it. Shape (3,).
    """
    own = skin.points[skin.owners == joint]
    if len(own) < 8:
        return None
    axis = unit(before)
    for _ in range(3):
        along = (own - head) @ axis
        far = own[along >= share_of(along, 0.85)]
        axis = unit(far.mean(axis=0) - head)
    reach = float(share_of((own - head) @ axis, 0.995))
    return head + axis * reach if reach > 0.0 else None


def _some(values: BoolArray | None, chosen: IntArray | BoolArray) -> BoolArray | None:
    return None if values is None else values[chosen]


def _with_wrist(moves: FloatArray, still: FloatArray) -> FloatArray:
    """`moves` with that of the wrist, which stays, at the index -1."""
    return np.concatenate([moves, still[None]])


def _merged(joints: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """Weights of equal joints added up, the largest `MOST_WEIGHTS` kept and made to sum to 1."""
    joints, weights = joints.copy(), weights.copy()
    for k in range(1, joints.shape[1]):
        for earlier in range(k):
            same = (joints[:, k] == joints[:, earlier]) & (weights[:, k] > 0.0)
            weights[same, earlier] += weights[same, k]
            weights[same, k] = 0.0
    order = np.argsort(-weights, axis=1, kind="stable")[:, :MOST_WEIGHTS]
    joints, weights = np.take_along_axis(joints, order, axis=1), np.take_along_axis(weights, order, axis=1)
    joints = np.where(weights > 0.0, joints, -1)
    return joints, weights / weights.sum(axis=1, keepdims=True)
