# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hand in its own way: fingertips stop at the palm, and the thumb at the fingers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from ...core.articulation import JointFrames, joint_frames
from .clearance import Barrier, place_volumes
from .hand import ClosingHand
from .motion import Skinned
from .movement import Movement
from .posing import Posing

_LOOKS = 9
"""Looks at a thumb's way, from start to end."""


def own_barriers(skinned: Skinned, movement: Movement) -> list[Barrier]:
    """What of the hand stops closing fingers: its palm and the fingers that do not close, as they stand at the start.

    The thumb is taken to close after the others: where it starts it is in their way, and they are not in its way.
    """
    hand, still = skinned.hand, ~_moved(skinned.hand, movement, movement.fingers)
    thumb, guards = np.arange(len(hand.chains)) == hand.thumb, skinned.guards
    joints = hand.volumes.joints
    frames: JointFrames | None = None
    out: list[Barrier] = []
    for part in (movement.fingers & ~thumb, movement.fingers & thumb):
        stays = still if part[thumb].any() else ~_moved(hand, movement, part)
        chosen = np.flatnonzero((joints < 0) | stays[joints])
        if part.any() and len(chosen):
            frames = joint_frames(hand.articulation, movement.start) if frames is None else frames
            probes = guards & np.append(part, False)[skinned.finger]
            out.append(place_volumes(hand.volumes, chosen, frames, movement.wrists).barrier(probes))
    return out


def thumb_meets_others(skinned: Skinned, movement: Movement, shares: FloatArray, angles: FloatArray) -> BoolArray:
    """Postures in which the thumb may have come upon fingers that close with it. Shape (a,).

    Between two looks a probe that moves by m while its distance goes from g to h comes no nearer than (g + h - m) / 2.

    Args:
        skinned: The probes.
        movement: From where to where, in the ways that were chosen.
        shares: Share of its turn that each joint made. Shape (a, m).
        angles: Where all joints ended in [rad]. Shape (a, m, 3).
    """
    hand, count = skinned.hand, len(shares)
    thumb = np.arange(len(hand.chains)) == hand.thumb
    out = np.zeros(count, dtype=np.bool_)
    others = _moved(hand, movement, movement.fingers & ~thumb)
    chosen = np.flatnonzero((hand.volumes.joints >= 0) & others[hand.volumes.joints])
    point = np.flatnonzero(skinned.guards & (skinned.finger == hand.thumb))
    if not movement.fingers[thumb].any() or not len(chosen) or not len(point):
        return out
    blocks = place_volumes(hand.volumes, chosen, joint_frames(hand.articulation, angles), movement.wrists)
    along = np.linspace(0.0, 1.0, _LOOKS)
    made = np.stack([np.minimum(movement.shares(np.full(shares.shape, each)), shares) for each in along], axis=1)
    posing = Posing(skinned, replace(movement.repeated(_LOOKS), fingers=thumb))
    posture, points = np.repeat(np.arange(count * _LOOKS), len(point)), np.tile(point, count * _LOOKS)
    places = posing.positions(made.reshape(count * _LOOKS, -1), posture, points)
    gaps = blocks.distances_of(places.reshape(count, -1, 3)).min(axis=2).reshape(count, _LOOKS, -1)
    gaps -= skinned.probes.radii[point]
    chain = hand.chains[hand.thumb]
    turns = np.where(chain >= 0, np.abs(movement.end - movement.start).sum(axis=2)[:, chain], 0.0)
    moved = np.diff(made[:, :, chain], axis=1) * turns[:, None] @ skinned.levers[point].T
    return np.asarray((gaps[:, 1:] + gaps[:, :-1] <= moved).any(axis=(1, 2)))


def _moved(hand: ClosingHand, movement: Movement, fingers: BoolArray) -> BoolArray:
    """Joints that turn as those fingers (f,) close, and those after them. Shape (m,)."""
    moved = movement.turning & fingers[hand.finger_of]
    for j, parent in enumerate(hand.articulation.parents.tolist()):
        moved[j] |= parent >= 0 and bool(moved[parent])
    return moved
