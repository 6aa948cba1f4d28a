# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A finger prepared for the closed form: up to three links that bend in one plane, which the base joint turns.

In the finger's plane, with the base joint at 0, the tip lies at `u` along the first bone and `v` towards the palm:

    u = PP + IP cos(pip) + DP cos(pip + dip),    v = IP sin(pip) + DP sin(pip + dip)

The base joint then takes it to `(u sin a, ...)` beside the plane of flexion and to `(u cos a, v)`, turned by the
flexion `f`, within it. Fingers with fewer bones are the same finger with its last joints locked at 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from .bones import Bones, Vector, build_bones
from .chain import Chain, ChainError
from .coupling import Bend, CoupledDistance, build_coupling
from .finger_extent import find_extent

MAX_BONES = 3
"""Longest chain with a closed form; a fourth bone adds a degree of freedom that the method has no rule for."""
ANGLE_SLACK = 1e-7
"""How far in [rad] an angle may lie beyond a limit and be clamped onto it: arccosines near 1 lose half the digits."""


class UnsupportedChainError(ChainError):
    """A chain without a closed form, for which an iterative solver is the choice."""

    def __init__(self, bones: int) -> None:
        """Keep the number of bones."""
        super().__init__(f"A chain of {bones} bones has no closed form (at most {MAX_BONES}); solve it iteratively.")
        self.bones = bones


class OptionsError(PrehendError):
    """An option of a solver that is out of its range."""


@dataclass(frozen=True)
class ClosedFormOptions:
    """How the spare degree of freedom of a finger is spent."""

    theta_u: float = 11.0 / 12.0 * math.pi
    """Turn of PIP and DIP together in [rad] at which the approximation is exact (Duits: 11/12 pi or pi)."""
    coupling: float = 2.0 / 3.0
    """DIP per PIP that the approximation aims at (lambda)."""
    exact_coupling: bool = False
    """Keep DIP = coupling * PIP exactly, which leaves the finger no spare degree of freedom."""
    respect_limits: bool = True
    """Whether the chain's limits hold; without them this is the published method."""
    tolerance: float = 1e-6
    """Distance from the target that counts as reached, in [m]; never below 1e-6 of the chain's length."""

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            OptionsError: A number is not finite or out of range.
        """
        if not 0.0 < self.theta_u < 2.0 * math.pi:
            raise OptionsError(f"theta_u is {self.theta_u} rad; choose one between 0 and 2 pi.")
        if not 0.0 <= self.coupling <= 4.0:
            raise OptionsError(f"The coupling of DIP to PIP is {self.coupling}; choose one from 0 to 4.")
        if not 0.0 < self.tolerance < math.inf:
            raise OptionsError(f"The tolerance is {self.tolerance} m; choose a positive one.")


class Bound(NamedTuple):
    """A limit of a joint with what the formulas need of it."""

    angle: float
    cos: float
    sin: float


class Folded(NamedTuple):
    """The last two links as one, while DIP stands on a limit."""

    dip: float
    """Angle of DIP in [rad]."""
    length: float
    """Distance from PIP to the tip in [m]."""
    turn: float
    """Angle from the middle link to the line from PIP to the tip in [rad]."""


class PlanarPose(NamedTuple):
    """PIP and DIP in [rad] and the tip in the finger's plane in [m]."""

    pip: float
    dip: float
    u: float
    v: float


@dataclass(frozen=True, eq=False, slots=True)
class Finger:
    """Numbers of one finger that do not depend on the target, as plain floats for the scalar path."""

    bones: int
    """Bones of the chain, 1 to 3."""
    planar: bool
    """Whether all bones bend in one plane exactly, so that the formulas hold without correction."""
    skeleton: Bones
    """The bones as they are, for chains that are not quite planar."""
    base: tuple[tuple[float, float, float], ...]
    """Rotation from the chain's frame to the base joint's, row by row: side, palmar, along."""
    pp: float
    """Length of the first link in [m]."""
    ip: float
    """Length of the middle link in [m]."""
    dp: float
    """Length of the last link in [m]."""
    reach: float
    """Length of the straight finger in [m]."""
    tolerance: float
    """Distance that counts as reached in [m]."""
    frequency: float
    """B of `d = L_T cos(B pip)`, Eq. 9."""
    coupling: CoupledDistance | None
    """How DIP follows PIP where it does so exactly."""
    single_elbow: bool
    """Whether limits leave one of the two elbows only, so that the other's candidates can be skipped."""
    mcp: tuple[Bound, Bound]
    """Limits of the base joint's flexion."""
    abduction: tuple[Bound, Bound]
    """Limits of the base joint's abduction."""
    pip: tuple[Bound, Bound]
    """Limits of PIP; in a coupled finger also those that DIP's impose."""
    dip: tuple[Bound, Bound]
    """Limits of DIP."""
    folded: tuple[Folded, Folded]
    """The outer links at DIP's limits."""
    farthest: Bend
    """PIP and DIP that put the tip farthest from the base."""
    closest: Bend
    """PIP and DIP that put the tip closest to the base."""
    held: FloatArray
    """Angles that the closed form leaves alone (twist, abduction of outer joints): nearest to 0. Shape (n, 3)."""
    box: FloatArray
    """Lowest and highest flexion, abduction, PIP and DIP in [rad], ready for arrays of poses. Shape (2, 4, 1)."""


def build_finger(chain: Chain, options: ClosedFormOptions | None = None) -> Finger:
    """A finger from a chain; keep it while the chain stays, building costs several solves.

    Limits beyond a half turn (abduction: a quarter turn) are taken as that.

    Raises:
        UnsupportedChainError: The chain has more than three bones.
    """
    options = options or ClosedFormOptions()
    bones = len(chain.offsets)
    if bones > MAX_BONES:
        raise UnsupportedChainError(bones)
    skeleton = build_bones(chain)
    pp, ip, dp = _links(np.linalg.norm(chain.offsets, axis=1).tolist())
    reach = pp + ip + dp
    limits = chain.limits if options.respect_limits else np.broadcast_to([-math.pi, math.pi], chain.limits.shape)
    pip = _range(limits, 1, bones, free=options.respect_limits)
    dip = _range(limits, 2, bones, free=options.respect_limits)
    coupling = None
    if options.exact_coupling and bones == MAX_BONES:
        pip = _coupled_range(pip, dip, options.coupling)
        coupling = build_coupling((pp, ip, dp), ratio=options.coupling, pip_limits=pip)
        farthest, closest = coupling.farthest, coupling.closest
    else:
        farthest, closest = find_extent((pp, ip, dp), pip_limits=pip, dip_limits=dip)
    held = np.clip(0.0, chain.limits[..., 0], chain.limits[..., 1])
    held[:, 0] = 0.0
    held[0, 1] = 0.0
    mcp, abduction = _clamped(limits[0, 0], math.pi), _clamped(limits[0, 1], 0.5 * math.pi)
    return Finger(
        bones=bones,
        planar=_is_planar(chain, held),
        skeleton=skeleton,
        base=_base_rows(skeleton.frames[0]),
        pp=pp,
        ip=ip,
        dp=dp,
        reach=reach,
        tolerance=max(options.tolerance, 1e-6 * reach),
        frequency=_frequency(pp, ip, dp, options),
        coupling=coupling,
        single_elbow=_has_single_elbow(pp, ip, dp, pip, dip),
        mcp=_bounds(mcp),
        abduction=_bounds(abduction),
        pip=_bounds(pip),
        dip=_bounds(dip),
        folded=(_fold(ip, dp, dip[0]), _fold(ip, dp, dip[1])),
        farthest=farthest,
        closest=closest,
        held=held,
        box=np.array([mcp, abduction, pip, dip]).T[:, :, None],
    )


def planar_pose(finger: Finger, pip: float, dip: float) -> PlanarPose:
    """The tip in the finger's plane."""
    total = pip + dip
    return PlanarPose(
        pip,
        dip,
        finger.pp + finger.ip * math.cos(pip) + finger.dp * math.cos(total),
        finger.ip * math.sin(pip) + finger.dp * math.sin(total),
    )


def _links(lengths: list[float]) -> tuple[float, float, float]:
    """Three links from one to three bones; a missing joint lies half-way along the last bone and stays locked."""
    if len(lengths) == 1:
        return 0.5 * lengths[0], 0.25 * lengths[0], 0.25 * lengths[0]
    if len(lengths) == 2:
        return lengths[0], 0.5 * lengths[1], 0.5 * lengths[1]
    return lengths[0], lengths[1], lengths[2]


def _range(limits: FloatArray, joint: int, bones: int, *, free: bool) -> tuple[float, float]:
    if joint >= bones:
        return 0.0, 0.0
    if joint == 1 and not free:
        return 0.0, math.pi  # The method's arccosine knows flexion only.
    return _clamped(limits[joint, 0], math.pi)


def _clamped(limit: FloatArray, most: float) -> tuple[float, float]:
    return min(max(float(limit[0]), -most), most), min(max(float(limit[1]), -most), most)


def _coupled_range(pip: tuple[float, float], dip: tuple[float, float], coupling: float) -> tuple[float, float]:
    low, high = pip
    if coupling > 0.0:
        low, high = max(low, dip[0] / coupling), min(high, dip[1] / coupling)
    elif dip[0] > 0.0 or dip[1] < 0.0:
        low, high = math.inf, -math.inf
    if low > high + ANGLE_SLACK:
        raise ChainError("The limits of PIP and DIP leave no pose in which DIP follows PIP; widen them or uncouple.")
    if low > high:
        low = high = min(max(high, pip[0]), pip[1])
    return low, high


def _bounds(limits: tuple[float, float]) -> tuple[Bound, Bound]:
    low, high = limits
    return Bound(low, math.cos(low), math.sin(low)), Bound(high, math.cos(high), math.sin(high))


def _fold(ip: float, dp: float, dip: float) -> Folded:
    x, y = ip + dp * math.cos(dip), dp * math.sin(dip)
    return Folded(dip, math.hypot(x, y), math.atan2(y, x))


def _frequency(pp: float, ip: float, dp: float, options: ClosedFormOptions) -> float:
    ratio = options.coupling
    anchor = options.theta_u / (1.0 + ratio)
    squared = pp * pp + ip * ip + dp * dp + 2.0 * pp * ip * math.cos(anchor)
    squared += 2.0 * pp * dp * math.cos((1.0 + ratio) * anchor) + 2.0 * ip * dp * math.cos(ratio * anchor)
    return math.acos(math.sqrt(max(squared, 0.0)) / (pp + ip + dp)) / anchor  # Eq. 9.


def _has_single_elbow(pp: float, ip: float, dp: float, pip: tuple[float, float], dip: tuple[float, float]) -> bool:
    """Whether, at any distance, a PIP within its limits has one DIP within its limits at most.

    The two DIPs of a PIP lie on either side of the line from MCP to DIP. With flexion only, the second one needs the
    last link to fold back across that line: `dip > pi - alpha`, alpha the angle between the line and the middle link.
    A finger for which this holds also keeps its tip on the palm's side, v >= 0.
    """
    if pip[0] < 0.0 or dip[0] < 0.0:
        return False
    widest = max(_alpha(pp, ip, angle) for angle in (pip[0], pip[1], math.acos(-min(pp / ip, 1.0))) if angle <= pip[1])
    folds_back = dip[1] + widest >= math.pi
    reaches_round = _fold(ip, dp, dip[1]).turn + pip[1] >= math.pi
    return not (folds_back or reaches_round)


def _alpha(pp: float, ip: float, pip: float) -> float:
    return math.atan2(pp * math.sin(pip), ip + pp * math.cos(pip))


def _is_planar(chain: Chain, held: FloatArray) -> bool:
    straight = np.abs(chain.offsets[:, :2]).max() <= 1e-9 * chain.reach and bool((chain.offsets[:, 2] > 0.0).all())
    aligned = bool((np.abs(chain.zero[1:, 1:]) <= 1e-9).all())
    return straight and aligned and not held.any()


def _base_rows(frame: tuple[Vector, Vector, Vector]) -> tuple[Vector, Vector, Vector]:
    """Into the base's frame: along its x, against its y (towards the palm) and along its z."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = frame
    return (xx, yx, zx), (-xy, -yy, -zy), (xz, yz, zz)
