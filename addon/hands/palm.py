# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way a hand's palm looks, found from where its joints are at rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, frozen_floats
from ..core.rotations import frame_from_zx, perpendicular, unit
from .chains import Chains

SIDE_VOTE = 0.6
"""How much the side that a rig's names claim counts against its shape."""
CURL_VOTE = 1.0
"""Vote of fingers that are curled by one radian in all."""
THUMB_VOTE = 0.5
"""Vote of a thumb that stands half a palm's length in front of it."""
RING_RATIO = 0.5
"""Knuckles that spread more than this share of their line's length sideways stand in a ring, not in a row."""


@dataclass(frozen=True, eq=False)
class Palm:
    """The hand's frame at rest."""

    rotation: FloatArray
    """Columns in the skeleton's coordinates: x across the knuckles, y out of the back, z along the fingers. (3, 3)."""
    side: str
    """"L" or "R": x points at the thumb's side on a right hand, away from it on a left one. "" for grippers."""
    radial: bool
    """Fingers stand round the z axis and close towards it: a gripper, whose palm looks along z."""
    width: float
    """Distance of the outer knuckles in [m]."""
    length: float
    """Distance from the wrist to the knuckles in [m]."""
    notes: tuple[str, ...] = ()
    """What was doubtful, one sentence each."""

    def __post_init__(self) -> None:
        """Check the shape once and make the array read-only."""
        object.__setattr__(self, "rotation", frozen_floats(self.rotation, (3, 3), "rotation"))


def find_palm(chains: Chains, side: str) -> Palm:
    """The palm of a hand.

    A row of knuckles makes a palm: its plane holds the wrist and the row. Which side of the plane is the back follows
    from a vote of the hand's side, the curl of the fingers and the place of the thumb. Without a thumb, two fingers
    or a ring of them make a gripper.

    Args:
        chains: Joints at rest.
        side: "L", "R", or "" when unknown.
    """
    thumb = chains.fingers.index("thumb") if "thumb" in chains.fingers else None
    others = [f for f in range(len(chains.fingers)) if f != thumb]
    knuckles = np.array([chains.heads[chains.of(f, metacarpal=False)[0]] for f in others])
    if thumb is None and (len(others) < 3 or _stands_in_ring(knuckles)):
        return _find_gripper(chains)
    forward = knuckles.mean(axis=0)
    z = unit(forward - chains.wrist)
    row = _row(chains, knuckles, thumb, z)
    # `right` is the frame of a right hand: x points at the thumb's side, against the row.
    right = frame_from_zx(z, -row)
    vote = CURL_VOTE * _curl(chains, others, right) + _thumb_lift(chains, thumb, right)
    claim = {"R": SIDE_VOTE, "L": -SIDE_VOTE}.get(side, 0.0)
    found = "R" if vote + claim >= 0.0 else "L"
    notes: list[str] = []
    if side in ("L", "R") and found != side:
        notes.append(f"Its names say {_word(side)} hand, its shape a {_word(found)} one: the shape was believed.")
    if not claim and abs(vote) < 0.1:
        notes.append("Nothing tells the palm from the back: turn the hand over if it closes backwards.")
    return Palm(
        rotation=right if found == "R" else right @ np.diag([-1.0, -1.0, 1.0]),
        side=found,
        radial=False,
        width=float(np.linalg.norm(knuckles[-1] - knuckles[0])) or float(np.linalg.norm(row)),
        length=float(np.linalg.norm(forward - chains.wrist)),
        notes=tuple(notes),
    )


def _word(side: str) -> str:
    return "right" if side == "R" else "left"


def _stands_in_ring(knuckles: FloatArray) -> bool:
    spreads = np.linalg.svd(knuckles - knuckles.mean(axis=0), compute_uv=False)
    return bool(spreads[1] > RING_RATIO * spreads[0])


def _row(chains: Chains, knuckles: FloatArray, thumb: int | None, z: FloatArray) -> FloatArray:
    """Direction from the thumb's side across the knuckles, not yet square to z. Shape (3,)."""
    if thumb is None:
        return knuckles[-1] - knuckles[0]
    joints = chains.of(thumb, metacarpal=False)
    away = np.mean(chains.ends[joints], axis=0)
    if len(knuckles) == 1:
        return perpendicular(knuckles[0] - away, z)
    row = knuckles[-1] - knuckles[0]
    # Fingers may be listed from the little one on: the thumb tells.
    return row if np.dot(perpendicular(row, z), away - knuckles.mean(axis=0)) <= 0.0 else -row


def _curl(chains: Chains, fingers: list[int], right: FloatArray) -> float:
    """Mean closing bend of the fingers in [rad], for a right hand's frame; negative bends say it is a left one."""
    bends: list[float] = []
    for f in fingers:
        directions = chains.directions[chains.of(f, metacarpal=False)]
        turns = np.cross(directions[:-1], directions[1:]) @ right[:, 0]
        bends.append(float(np.sum(np.arcsin(np.clip(turns, -1.0, 1.0)))))
    return float(np.mean(bends))


def _thumb_lift(chains: Chains, thumb: int | None, right: FloatArray) -> float:
    """Vote of the thumb: a right hand's stands in front of the palm, towards -y."""
    if thumb is None:
        return 0.0
    reach: FloatArray = (chains.ends[chains.of(thumb)] - chains.wrist) @ right
    lift = -float(np.mean(reach[:, 1])) / max(float(np.abs(reach[:, 2]).max()), 1e-9)
    return float(np.clip(2.0 * THUMB_VOTE * lift, -THUMB_VOTE, THUMB_VOTE))


def _find_gripper(chains: Chains) -> Palm:
    """Frame of a hand whose fingers stand round an axis: z along it, x from the last finger's foot to the first's."""
    roots = [chains.of(f, metacarpal=False)[0] for f in range(len(chains.fingers))]
    feet = chains.heads[roots]
    centre = feet.mean(axis=0)
    tips = np.array([chains.ends[chains.of(f)[-1]] for f in range(len(chains.fingers))])
    z = unit(tips.mean(axis=0) - centre)
    across = perpendicular(feet[0] - feet[-1], z) if len(roots) == 2 else perpendicular(feet[0] - centre, z)
    return Palm(
        rotation=frame_from_zx(z, across),
        side="",
        radial=True,
        width=2.0 * float(np.linalg.norm(feet - centre, axis=1).mean()),
        length=float(np.linalg.norm(centre - chains.wrist)),
    )
