# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Table inverse kinematics of a finger (Lu 1997): PIP and DIP by the target's distance, ties by the previous frames."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import FloatArray
from .chain import Chain, ChainError, IkResult
from .closed_form import pose_angles
from .closed_form_nearest import turn_base
from .closed_form_scalar import FingerPose, Goal, localise, tip_miss
from .distance_table import BinTable, BranchTable, build_bins, build_branches
from .dorsal_finger import DorsalFinger
from .finger import MAX_BONES, ClosedFormOptions, Finger, OptionsError, UnsupportedChainError, build_finger


@dataclass(frozen=True, eq=False)
class TableOptions:
    """Which table, how fine, and what breaks ties."""

    coupled: bool = True
    """Tie DIP to PIP; otherwise all pairs within limits are tabulated."""
    ratio: float = 2.0 / 3.0
    """DIP per PIP of a coupled table."""
    angle_step: float = math.radians(0.5)
    """Step of a free table's angles in [rad]."""
    width: float = 1e-4
    """Width of a free table's bins in [m]; its tips are no better than that."""
    previous: FloatArray | None = None
    """Flexion, PIP and DIP of the frame before in [rad]; without it the straight finger. Shape (3,)."""
    earlier: FloatArray | None = None
    """The same of the frame before that; with it ties go by the extrapolated pose. Shape (3,)."""

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            OptionsError: A step is not positive, or a previous pose not three finite angles.
        """
        if not (0.0 < self.angle_step < math.pi and 0.0 < self.width < math.inf):
            raise OptionsError("The steps of a table must be positive.")
        for pose in (self.previous, self.earlier):
            if pose is not None and (np.shape(pose) != (3,) or not np.isfinite(pose).all()):
                raise OptionsError("A previous pose is three finite angles: flexion, PIP and DIP.")


@dataclass(frozen=True, eq=False)
class FingerTable:
    """A finger with its table; keep it while the chain stays."""

    finger: Finger
    table: BranchTable | BinTable


def build_table(chain: Chain, options: TableOptions | None = None) -> FingerTable:
    """The table of a chain of three bones that bend in one plane.

    Raises:
        UnsupportedChainError: The chain has another number of bones.
        ChainError: The chain does not bend in one plane.
    """
    options = options or TableOptions()
    if len(chain.offsets) != MAX_BONES:
        raise UnsupportedChainError(len(chain.offsets))
    closed_form = ClosedFormOptions(coupling=options.ratio, exact_coupling=options.coupled)
    finger = build_finger(chain, closed_form)
    if not finger.planar:
        raise ChainError("A distance table needs bones that bend in one plane; use another method for this chain.")
    dorsal = DorsalFinger(np.array([finger.pp, finger.ip, finger.dp]), np.zeros(3))
    pips = finger.pip[0].angle, finger.pip[1].angle
    if options.coupled:
        return FingerTable(finger, build_branches(dorsal, ratio=options.ratio, pip_limits=pips))
    dips = finger.dip[0].angle, finger.dip[1].angle
    bins = build_bins(dorsal, pip_limits=pips, dip_limits=dips, angle_step=options.angle_step, width=options.width)
    finger = replace(finger, tolerance=max(finger.tolerance, options.width))
    return FingerTable(finger, bins)


def solve(chain: Chain, target: FloatArray | Sequence[float], options: TableOptions | None = None) -> IkResult:
    """The pose of a finger by table lookup; out of reach, the best of the pairs that the table offers.

    Args:
        chain: Three bones that bend in one plane.
        target: Wanted position of the tip in the chain's frame in [m]. Shape (3,).
        options: Which table, and the frames before.

    Raises:
        ChainError: The target is not three finite numbers, or the chain has no table.
    """
    options = options or TableOptions()
    return look_up(chain, build_table(chain, options), target, options)


def look_up(chain: Chain, table: FingerTable, target: FloatArray | Sequence[float], options: TableOptions) -> IkResult:
    """As `solve`, with a table that was built before."""
    wanted = np.asarray(target, dtype=np.float64)
    if wanted.shape != (3,):
        raise ChainError(f"A target is three numbers, not an array of shape {wanted.shape}.")
    finger = table.finger
    goal = localise(finger, *wanted.tolist())
    expected = predict(options.previous, options.earlier)
    poses = [_pose(finger, goal, pip, dip) for pip, dip in _pairs(table.table, goal.distance)]
    enough = max(min(pose.residual for pose in poses), finger.tolerance)
    pose = min(
        (pose for pose in poses if pose.residual <= enough),
        key=lambda pose: math.dist((pose.flexion, pose.pip, pose.dip), expected),
    )
    angles = pose_angles(finger, pose)
    touched = np.minimum(np.abs(angles - chain.limits[..., 0]), np.abs(angles - chain.limits[..., 1])) <= 1e-9
    converged = pose.residual <= finger.tolerance
    inside = finger.closest.distance <= goal.distance <= finger.farthest.distance
    return IkResult(
        angles=angles,
        residual=pose.residual,
        converged=converged,
        iterations=0,
        reason="reached" if converged else "limits" if inside else "out of reach",
        limits_touched=touched,
    )


def predict(previous: FloatArray | None, earlier: FloatArray | None) -> tuple[float, ...]:
    """The pose that ties are broken towards: the previous one, moved on as it moved before; straight without any."""
    if previous is None:
        return 0.0, 0.0, 0.0
    moved = previous if earlier is None else 2.0 * previous - earlier
    return tuple(np.asarray(moved, dtype=np.float64).tolist())


def _pairs(table: BranchTable | BinTable, distance: float) -> list[tuple[float, float]]:
    if isinstance(table, BranchTable):
        return [(pip, table.dip(pip)) for pip in table.pips_at(distance)]
    return [(pip, dip) for pip, dip in table.pairs_at(distance).tolist()]


def _pose(finger: Finger, goal: Goal, pip: float, dip: float) -> FingerPose:
    """A pair with the base joint turned as near to the goal as limits let it."""
    total = pip + dip
    u = finger.pp + finger.ip * math.cos(pip) + finger.dp * math.cos(total)
    v = finger.ip * math.sin(pip) + finger.dp * math.sin(total)
    _, flexion, abduction = turn_base(finger, goal, u, v)
    return FingerPose(flexion, abduction, pip, dip, tip_miss(finger, goal, flexion, abduction, pip, dip))
