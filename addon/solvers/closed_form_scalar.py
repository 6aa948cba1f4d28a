# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed form for one target at a time, in plain floats: a numpy call costs as much as this whole solve.

The paper takes PIP from the distance of the target by one arccosine (Eq. 11), DIP from two triangles (Eq. 12-15) and
turns the base joint onto the target. A finger has one spare degree of freedom, so where that pose breaks a limit there
may be others: all poses that reach the target form curves in (PIP, DIP), and the one whose PIP is nearest to the
paper's is the paper's own on the other elbow, or a place where a limit becomes active, or where a curve turns back in
PIP. Each of these is a triangle, so the search is closed-form too and complete.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .chain import ChainError
from .coupling import CoupledDistance
from .finger import ANGLE_SLACK, Bound, Finger, PlanarPose, planar_pose

_TAU = 2.0 * math.pi


class Goal(NamedTuple):
    """A target seen from the base joint, in [m]."""

    side: float
    """Distance from the plane of flexion, along the flexion axis."""
    palmar: float
    """Distance towards the palm."""
    along: float
    """Distance along the straight finger."""
    distance: float
    """Distance from the base joint."""


class FingerPose(NamedTuple):
    """Angles of a finger in [rad] and how far its tip is from the target."""

    flexion: float
    abduction: float
    pip: float
    dip: float
    residual: float
    """Distance of the tip from the target in [m]."""


def reach(finger: Finger, goal: Goal) -> FingerPose | None:
    """The pose that puts the tip on the goal, or None where no pose within the limits does."""
    if finger.coupling is not None:
        return _reach_coupled(finger, finger.coupling, goal)
    side, palmar, along, d = goal
    wanted = wanted_pip(finger, d)
    ip, dips = finger.ip, finger.dip
    if d > 0.0:
        # The paper's pose, without leaving the triangles' own sines and cosines.
        c, s = math.cos(wanted), math.sin(wanted)
        knee_u, knee_v = finger.pp + ip * c, ip * s
        m_squared = knee_u * knee_u + knee_v * knee_v
        a = 0.5 * (m_squared + d * d - finger.dp * finger.dp)
        b_squared = m_squared * d * d - a * a
        if b_squared >= 0.0 and m_squared > 0.0:
            b = math.sqrt(b_squared)
            u = (knee_u * a - knee_v * b) / m_squared
            v = (knee_v * a + knee_u * b) / m_squared
            du, dv = u - knee_u, v - knee_v
            dip = math.atan2(c * dv - s * du, c * du + s * dv)
            if dips[0].angle <= dip <= dips[1].angle and abs(u) > abs(side):
                sine = side / u
                forward = math.copysign(math.sqrt(u * u - side * side), u)
                flexion = math.atan2(palmar * forward - along * v, along * forward + palmar * v)
                abduction = math.asin(sine)
                if (
                    finger.abduction[0].angle <= abduction <= finger.abduction[1].angle
                    and finger.mcp[0].angle <= flexion <= finger.mcp[1].angle
                ):
                    miss = tip_miss(finger, goal, flexion, abduction, wanted, dip)
                    return FingerPose(flexion, abduction, wanted, dip, miss)
    return _nearest_to_wanted(finger, goal, wanted)


def localise(finger: Finger, x: float, y: float, z: float) -> Goal:
    """A target seen from the base joint.

    Raises:
        ChainError: The target is not finite.
    """
    s, p, a = finger.base
    side = s[0] * x + s[1] * y + s[2] * z
    palmar = p[0] * x + p[1] * y + p[2] * z
    along = a[0] * x + a[1] * y + a[2] * z
    distance = math.sqrt(side * side + palmar * palmar + along * along)
    if not distance < 1e9 * finger.reach:
        if not math.isfinite(x) or not math.isfinite(y) or not math.isfinite(z):
            raise ChainError(f"The target ({x}, {y}, {z}) is not a point.")
        # So far away that squares would overflow; only its direction matters.
        shrink = 1e6 * finger.reach / math.hypot(x, y, z)
        return localise(finger, x * shrink, y * shrink, z * shrink)
    return Goal(side, palmar, along, distance)


def wanted_pip(finger: Finger, distance: float) -> float:
    """PIP of the published method (Eq. 11) in [rad], clamped to its limits; straight beyond the finger's length."""
    pip = math.acos(distance / finger.reach) / finger.frequency if distance < finger.reach else 0.0
    low, high = finger.pip
    return low.angle if pip < low.angle else high.angle if pip > high.angle else pip


def mount(finger: Finger, goal: Goal, pose: PlanarPose) -> FingerPose | None:
    """A pose in the finger's plane with the base joint turned onto the goal, or None where a limit forbids it.

    Args:
        finger: The finger.
        goal: A goal as far from the base as the pose's tip.
        pose: PIP, DIP and the tip they give.
    """
    pip, dip, u, v = pose
    low, high = finger.pip
    if not low.angle - ANGLE_SLACK <= pip <= high.angle + ANGLE_SLACK:
        return None
    pip = min(max(pip, low.angle), high.angle)
    low, high = finger.dip
    if not low.angle - ANGLE_SLACK <= dip <= high.angle + ANGLE_SLACK:
        return None
    dip = min(max(dip, low.angle), high.angle)
    slack = ANGLE_SLACK * finger.reach
    low, high = finger.abduction
    side_low, side_high = (u * low.sin, u * high.sin) if u >= 0.0 else (u * high.sin, u * low.sin)
    if not side_low - slack <= goal.side <= side_high + slack:
        return None
    sine = min(max(goal.side / u, low.sin), high.sin) if abs(u) > slack else min(max(0.0, low.sin), high.sin)
    abduction = min(max(math.asin(sine), low.angle), high.angle)
    forward = u * math.sqrt(1.0 - sine * sine)
    flexion = math.atan2(
        goal.palmar * forward - goal.along * v,
        goal.along * forward + goal.palmar * v,
    )
    low, high = finger.mcp
    if not low.angle <= flexion <= high.angle:
        # Near the flexion axis the angle is as uncertain as the arm is short.
        slack = ANGLE_SLACK * max(1.0, finger.reach / max(math.hypot(goal.palmar, goal.along), 1e-12))
        nearest = nearest_angle(flexion, low.angle, high.angle)
        if abs((flexion - nearest + math.pi) % _TAU - math.pi) > slack:
            return None
        flexion = nearest
    return FingerPose(flexion, abduction, pip, dip, tip_miss(finger, goal, flexion, abduction, pip, dip))


def nearest_angle(angle: float, low: float, high: float) -> float:
    """The angle within limits that is nearest on the circle, in [rad]."""
    if low <= angle <= high:
        return angle
    below, above = (low - angle) % _TAU, (angle - high) % _TAU
    return low if below <= above else high


def tip_miss(finger: Finger, goal: Goal, flexion: float, abduction: float, pip: float, dip: float) -> float:
    """Distance between the tip of a pose and the goal in [m], by forward kinematics."""
    total = pip + dip
    u = finger.pp + finger.ip * math.cos(pip) + finger.dp * math.cos(total)
    v = finger.ip * math.sin(pip) + finger.dp * math.sin(total)
    c, s, forward = math.cos(flexion), math.sin(flexion), u * math.cos(abduction)
    return math.hypot(
        u * math.sin(abduction) - goal.side,
        forward * c - v * s - goal.along,
        forward * s + v * c - goal.palmar,
    )


def _reach_coupled(finger: Finger, coupling: CoupledDistance, goal: Goal) -> FingerPose | None:
    wanted = wanted_pip(finger, goal.distance)
    best = None
    for pip in coupling.pips_at(goal.distance, start=wanted, slack=0.5 * finger.tolerance):
        found = mount(finger, goal, planar_pose(finger, pip, coupling.ratio * pip))
        if found is None or found.residual > finger.tolerance:
            continue
        if best is None or abs(found.pip - wanted) < abs(best.pip - wanted):
            best = found
    return best


def _nearest_to_wanted(finger: Finger, goal: Goal, wanted: float) -> FingerPose | None:
    poses = _candidates(finger, goal, wanted)
    poses.sort(key=lambda pose: abs(pose.pip - wanted))
    for pose in poses:
        found = mount(finger, goal, pose)
        if found is not None and found.residual <= finger.tolerance:
            return found
    return None


def _candidates(finger: Finger, goal: Goal, wanted: float) -> list[PlanarPose]:
    """All poses in the finger's plane, as far out as the goal, at which the nearest PIP can lie."""
    d = goal.distance
    found: list[PlanarPose] = []
    _add_at_dip_limits(found, finger, d)
    if finger.dip[0].angle == finger.dip[1].angle:
        return found
    _add_at_pip(found, finger, d, Bound(wanted, math.cos(wanted), math.sin(wanted)))
    if not finger.single_elbow:
        _add_at_folds(found, finger, d)
    for pip in finger.pip:
        _add_at_pip(found, finger, d, pip)
    for mcp in finger.mcp:
        forward = goal.along * mcp.cos + goal.palmar * mcp.sin
        v = goal.palmar * mcp.cos - goal.along * mcp.sin
        _add_at_tip(found, finger, math.copysign(math.hypot(goal.side, forward), forward), v)
    for abduction in finger.abduction:
        if abs(goal.side) < abs(abduction.sin) * d:
            u = goal.side / abduction.sin
            v = math.sqrt(d * d - u * u)
            _add_at_tip(found, finger, u, v)
            if not finger.single_elbow:
                _add_at_tip(found, finger, u, -v)
    return found


def _add_at_pip(found: list[PlanarPose], finger: Finger, d: float, bound: Bound) -> None:
    pip, c, s = bound
    knee_u, knee_v = finger.pp + finger.ip * c, finger.ip * s
    m_squared = knee_u * knee_u + knee_v * knee_v
    a = 0.5 * (m_squared + d * d - finger.dp * finger.dp)
    b_squared = m_squared * d * d - a * a
    size = finger.reach * finger.reach
    if m_squared < 1e-18 * size or b_squared < -1e-12 * size * size:
        return
    b = math.sqrt(b_squared) if b_squared > 0.0 else 0.0
    for bend in (b,) if finger.single_elbow else (b, -b):
        u = (knee_u * a - knee_v * bend) / m_squared
        v = (knee_v * a + knee_u * bend) / m_squared
        du, dv = u - knee_u, v - knee_v
        found.append(PlanarPose(pip, math.atan2(c * dv - s * du, c * du + s * dv), u, v))


def _add_at_dip_limits(found: list[PlanarPose], finger: Finger, d: float) -> None:
    low, high = finger.pip[0].angle - ANGLE_SLACK, finger.pip[1].angle + ANGLE_SLACK
    for dip, length, turn in finger.folded:
        if length < 1e-9 * finger.reach:
            continue
        cosine = (d * d - finger.pp * finger.pp - length * length) / (2.0 * finger.pp * length)
        if not -1.0 - 1e-12 <= cosine <= 1.0 + 1e-12:
            continue
        bend = math.acos(min(max(cosine, -1.0), 1.0))
        for angle in (bend,) if finger.single_elbow else (bend, -bend):
            pip = _wrapped(angle - turn)
            if low <= pip <= high:
                found.append(PlanarPose(pip, dip, finger.pp + length * math.cos(angle), length * math.sin(angle)))


def _add_at_tip(found: list[PlanarPose], finger: Finger, u: float, v: float) -> None:
    ip, dp = finger.ip, finger.dp
    x = u - finger.pp
    cosine = (x * x + v * v - ip * ip - dp * dp) / (2.0 * ip * dp)
    if not -1.0 - 1e-12 <= cosine <= 1.0 + 1e-12:
        return
    bend = math.acos(min(max(cosine, -1.0), 1.0))
    for dip in (bend,) if finger.single_elbow else (bend, -bend):
        if finger.dip[0].angle - ANGLE_SLACK <= dip <= finger.dip[1].angle + ANGLE_SLACK:
            pip = math.atan2(v, x) - math.atan2(dp * math.sin(dip), ip + dp * math.cos(dip))
            found.append(PlanarPose(_wrapped(pip), dip, u, v))


def _add_at_folds(found: list[PlanarPose], finger: Finger, d: float) -> None:
    """Poses in which the last link lies along the line from MCP to DIP, where a curve turns back in PIP."""
    pp, ip = finger.pp, finger.ip
    for m in (abs(d - finger.dp), d + finger.dp):
        cosine = (m * m - pp * pp - ip * ip) / (2.0 * pp * ip)
        if -1.0 <= cosine <= 1.0:
            pip = math.acos(cosine)
            sine = math.sin(pip)
            _add_at_pip(found, finger, d, Bound(pip, cosine, sine))
            _add_at_pip(found, finger, d, Bound(-pip, cosine, -sine))


def _wrapped(angle: float) -> float:
    return (angle + math.pi) % _TAU - math.pi
