# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose within limits whose tip comes nearest to a target that no pose reaches.

For given PIP and DIP the best turn of the base joint is closed-form (`turn_base`). What is left is a smooth error over
the box of PIP and DIP: it is sampled, and its lowest dips are followed down by Newton steps within the box.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray
from .closed_form_scalar import FingerPose, Goal, nearest_angle, reach, tip_miss
from .finger import Finger, planar_pose

_GRID = 17
"""Samples of each outer joint; a box of a half turn has dips several steps wide."""
_LINE = 65
"""Samples of PIP in a coupled finger."""
_DIPS = 3
"""Dips of the sampled error that are followed down."""
_STEP = 1e-5
"""Step in [rad] of the differences that give second derivatives."""
_SMALL_CHANGE = 1e-5
"""Change of both angles together in [rad] after which a Newton step's successor gains nothing that counts."""
_ROUNDING = 1e-15
"""Share of the error below which a step's gain cannot be told from rounding."""


class _Turned(NamedTuple):
    """The best turn of the base joint for one tip in the finger's plane."""

    squared: float
    """Squared distance of the tip from the goal in [m^2]."""
    flexion: float
    abduction: float


def find_nearest(finger: Finger, goal: Goal, near: FingerPose | None = None) -> FingerPose:
    """The pose whose tip is nearest to a goal out of reach.

    Args:
        finger: The finger.
        goal: Where its tip should be.
        near: The nearest pose of a goal close by, to go down from instead of looking everywhere.
    """
    radial = _along_the_ray(finger, goal)
    if radial is not None:
        return radial
    if finger.abduction[0].angle == finger.abduction[1].angle == 0.0:
        # All tips lie in one plane: what is nearest to the goal is nearest to its foot there.
        foot = Goal(0.0, goal.palmar, goal.along, math.hypot(goal.palmar, goal.along))
        found = reach(finger, foot)
        if found is not None:
            return found._replace(residual=math.hypot(found.residual, goal.side))
    if near is not None:
        return _follow_down(finger, goal, near)
    pips, dips, errors = _sample(finger, goal)
    best = None
    for row, column in _lowest(errors):
        if finger.coupling is not None:
            pip = _descend_line(finger, goal, pips[max(row - 1, 0), 0], pips[min(row + 1, len(pips) - 1), 0])
            found = _finish(finger, goal, pip, finger.coupling.ratio * pip)
        else:
            found = _finish(finger, goal, *_descend(finger, goal, float(pips[row, column]), float(dips[row, column])))
        if best is None or found.residual < best.residual:
            best = found
    assert best is not None
    return best


def _follow_down(finger: Finger, goal: Goal, near: FingerPose) -> FingerPose:
    """The local minimum next to a pose."""
    if finger.coupling is not None:
        step = (finger.pip[1].angle - finger.pip[0].angle) / (_LINE - 1)
        low, high = max(near.pip - step, finger.pip[0].angle), min(near.pip + step, finger.pip[1].angle)
        pip = _descend_line(finger, goal, low, high)
        return _finish(finger, goal, pip, finger.coupling.ratio * pip)
    return _finish(finger, goal, *_descend(finger, goal, near.pip, near.dip))


def turn_base(finger: Finger, goal: Goal, u: float, v: float) -> _Turned:
    """The flexion and abduction within limits that bring a tip of the finger's plane nearest to the goal.

    With flexion free, the error is convex in `u sin(abduction)`, so that clamping that is exact. Where the flexion
    which goes with it breaks a limit, the best pose stands on one of the two limits.
    """
    squared, d = u * u + v * v, goal.distance
    low, high = finger.abduction
    best = goal.side * math.sqrt(squared) / d if d > 0.0 else 0.0
    sine = min(max(best / u, low.sin), high.sin) if u != 0.0 else min(max(0.0, low.sin), high.sin)
    forward = u * math.sqrt(1.0 - sine * sine)
    flexion = math.atan2(goal.palmar * forward - goal.along * v, goal.along * forward + goal.palmar * v)
    if finger.mcp[0].angle <= flexion <= finger.mcp[1].angle:
        abduction = min(max(math.asin(sine), low.angle), high.angle)
        dot = goal.side * u * sine + math.hypot(goal.palmar, goal.along) * math.hypot(forward, v)
        return _Turned(squared + d * d - 2.0 * dot, flexion, abduction)
    turned: list[_Turned] = []
    for mcp in finger.mcp:
        ahead = goal.along * mcp.cos + goal.palmar * mcp.sin
        below = goal.palmar * mcp.cos - goal.along * mcp.sin
        wanted = math.atan2(goal.side, ahead) if u >= 0.0 else math.atan2(-goal.side, -ahead)
        abduction = nearest_angle(wanted, low.angle, high.angle)
        dot = u * (goal.side * math.sin(abduction) + ahead * math.cos(abduction)) + v * below
        turned.append(_Turned(squared + d * d - 2.0 * dot, mcp.angle, abduction))
    return min(turned)


def _along_the_ray(finger: Finger, goal: Goal) -> FingerPose | None:
    """The stretched or the curled finger, where it points at the goal: no tip can be nearer then."""
    for bend, beyond in (
        (finger.farthest, goal.distance - finger.farthest.distance),
        (finger.closest, finger.closest.distance - goal.distance),
    ):
        if beyond >= 0.0:
            found = _finish(finger, goal, bend.pip, bend.dip)
            if found.residual <= beyond + 0.1 * finger.tolerance:
                return found
    return None


def _finish(finger: Finger, goal: Goal, pip: float, dip: float) -> FingerPose:
    # A coupled DIP may lie beyond the limit that PIP's own was made from, by rounding.
    dip = min(max(dip, finger.dip[0].angle), finger.dip[1].angle)
    pose = planar_pose(finger, pip, dip)
    _, flexion, abduction = turn_base(finger, goal, pose.u, pose.v)
    return FingerPose(flexion, abduction, pip, dip, tip_miss(finger, goal, flexion, abduction, pip, dip))


def _sample(finger: Finger, goal: Goal) -> tuple[FloatArray, FloatArray, FloatArray]:
    if finger.coupling is not None:
        pips = np.linspace(finger.pip[0].angle, finger.pip[1].angle, _LINE)[:, None]
        dips = finger.coupling.ratio * pips
    else:
        axes = (
            np.linspace(low.angle, high.angle, _GRID if low < high else 1) for low, high in (finger.pip, finger.dip)
        )
        pips, dips = np.meshgrid(*axes, indexing="ij")
    u = finger.pp + finger.ip * np.cos(pips) + finger.dp * np.cos(pips + dips)
    v = finger.ip * np.sin(pips) + finger.dp * np.sin(pips + dips)
    return pips, dips, _errors(finger, goal, u, v)


def _errors(finger: Finger, goal: Goal, u: FloatArray, v: FloatArray) -> FloatArray:
    """The squared error of `turn_base` up to a constant, for many tips at once."""
    squared, d = u * u + v * v, max(goal.distance, 1e-300)
    low, high = finger.abduction
    u = np.where(np.abs(u) < 1e-12 * finger.reach, 1e-12 * finger.reach, u)
    sine = np.clip(goal.side * np.sqrt(squared) / (d * u), low.sin, high.sin)
    forward = u * np.sqrt(1.0 - sine * sine)
    flexion = np.arctan2(goal.palmar * forward - goal.along * v, goal.along * forward + goal.palmar * v)
    dot = goal.side * u * sine + math.hypot(goal.palmar, goal.along) * np.hypot(forward, v)
    limited = np.full_like(u, -np.inf)
    for mcp in finger.mcp:
        ahead = goal.along * mcp.cos + goal.palmar * mcp.sin
        below = goal.palmar * mcp.cos - goal.along * mcp.sin
        front = nearest_angle(math.atan2(goal.side, ahead), low.angle, high.angle)
        back = nearest_angle(math.atan2(-goal.side, -ahead), low.angle, high.angle)
        gain = np.where(
            u >= 0.0,
            goal.side * math.sin(front) + ahead * math.cos(front),
            goal.side * math.sin(back) + ahead * math.cos(back),
        )
        limited = np.maximum(limited, u * gain + v * below)
    within = (flexion >= finger.mcp[0].angle) & (flexion <= finger.mcp[1].angle)
    return squared - 2.0 * np.where(within, dot, limited)


def _lowest(errors: FloatArray) -> list[tuple[int, int]]:
    """Places of the lowest samples that no neighbour undercuts, lowest first."""
    padded = np.pad(errors, 1, constant_values=np.inf)
    rows, columns = errors.shape
    around = [padded[1 + i : 1 + i + rows, 1 + j : 1 + j + columns] for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    dips = np.argwhere(errors <= np.minimum.reduce(around))
    order = np.argsort(errors[dips[:, 0], dips[:, 1]], kind="stable")[:_DIPS]
    return [(int(row), int(column)) for row, column in dips[order]]


class _Slope(NamedTuple):
    """Half the squared error and its derivatives."""

    error: float
    pip: float
    dip: float


def _slope(finger: Finger, goal: Goal, pip: float, dip: float) -> _Slope:
    pose = planar_pose(finger, pip, dip)
    squared, flexion, abduction = turn_base(finger, goal, pose.u, pose.v)
    # The base joint stands at its best, so it contributes nothing to first order: the goal's place in the finger's
    # plane may be taken as fixed.
    c, s = math.cos(flexion), math.sin(flexion)
    ahead = goal.side * math.sin(abduction) + math.cos(abduction) * (goal.along * c + goal.palmar * s)
    du, dv = pose.u - ahead, pose.v - (goal.palmar * c - goal.along * s)
    outer = finger.dp * (dv * math.cos(pip + dip) - du * math.sin(pip + dip))
    return _Slope(0.5 * squared, dv * (pose.u - finger.pp) - du * pose.v, outer)


def _descend(finger: Finger, goal: Goal, pip: float, dip: float) -> tuple[float, float]:
    """PIP and DIP of the local minimum next to a start, by Newton steps projected onto the limits."""
    (p_low, _, _), (p_high, _, _) = finger.pip
    (d_low, _, _), (d_high, _, _) = finger.dip
    at = _slope(finger, goal, pip, dip)
    for _ in range(60):
        free_pip = p_low < p_high and not (pip <= p_low and at.pip >= 0.0) and not (pip >= p_high and at.pip <= 0.0)
        free_dip = d_low < d_high and not (dip <= d_low and at.dip >= 0.0) and not (dip >= d_high and at.dip <= 0.0)
        step_pip, step_dip = _newton_step(finger, goal, _Slope(*at), (pip, dip), (free_pip, free_dip))
        if abs(at.pip * step_pip + at.dip * step_dip) <= _ROUNDING * at.error:
            break
        scale, next_pip, next_dip, after = 2.0, pip, dip, at
        while scale > 1e-6 and (free_pip or free_dip) and not after.error < at.error:
            scale *= 0.5
            next_pip = min(max(pip + scale * step_pip, p_low), p_high)
            next_dip = min(max(dip + scale * step_dip, d_low), d_high)
            after = _slope(finger, goal, next_pip, next_dip)
        if not after.error < at.error:
            break
        change = abs(next_pip - pip) + abs(next_dip - dip)
        pip, dip, at = next_pip, next_dip, after
        if change < _SMALL_CHANGE:
            break
    return pip, dip


def _newton_step(
    finger: Finger, goal: Goal, at: _Slope, place: tuple[float, float], free: tuple[bool, bool]
) -> tuple[float, float]:
    pip, dip = place
    floor = 1e-3 * finger.dp * finger.dp
    ahead = _slope(finger, goal, pip + _STEP, dip)
    aside = _slope(finger, goal, pip, dip + _STEP)
    h11 = max((ahead.pip - at.pip) / _STEP, floor)
    h22 = max((aside.dip - at.dip) / _STEP, floor)
    if not all(free):
        return (-at.pip / h11 if free[0] else 0.0), (-at.dip / h22 if free[1] else 0.0)
    h12 = 0.5 * (ahead.dip - at.dip + aside.pip - at.pip) / _STEP
    h12 = math.copysign(min(abs(h12), 0.99 * math.sqrt(h11 * h22)), h12)
    determinant = h11 * h22 - h12 * h12
    return (h12 * at.dip - h22 * at.pip) / determinant, (h12 * at.pip - h11 * at.dip) / determinant


def _descend_line(finger: Finger, goal: Goal, low: float, high: float) -> float:
    """PIP of a coupled finger's local minimum between two samples, by bisection of the slope."""
    assert finger.coupling is not None
    ratio = finger.coupling.ratio

    def slope(pip: float) -> float:
        at = _slope(finger, goal, pip, ratio * pip)
        return at.pip + ratio * at.dip

    if slope(low) >= 0.0:
        return float(low)
    if slope(high) <= 0.0:
        return float(high)
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if slope(middle) < 0.0 else (low, middle)
    return float(0.5 * (low + high))
