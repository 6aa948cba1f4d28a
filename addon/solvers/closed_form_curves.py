# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of one finger for many goals whose published poses break a limit: candidates as arrays.

Goals are arrays of shape (5, n) in [m]: side, palmar, along, squared distance, distance. Angles are arrays of shape
(4, n) in [rad]: flexion, abduction, PIP, DIP. Where there is no pose there is NaN.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray
from .coupling import CoupledDistance
from .finger import ANGLE_SLACK, Finger

_NEWTON = 8
"""Newton steps that invert a coupled finger's distance; from the published PIP five suffice."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Goals and, filled in by and by, their poses."""

    goals: FloatArray
    """Shape (5, n)."""
    wanted: FloatArray
    """Published PIP, clamped to its limits, in [rad]. Shape (n,)."""
    angles: FloatArray
    """Shape (4, n)."""
    residual: FloatArray
    """Distance of the tip from the goal in [m], NaN as long as there is no pose. Shape (n,)."""


def follow_curve(
    finger: Finger, goals: FloatArray, pip: FloatArray, angles: FloatArray, elbow: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Write the angles that go with PIPs on the curves of poses which reach the goals; NaN where there are none.

    Args:
        finger: The finger.
        goals: Shape (5, n).
        pip: PIP in [rad]. Shape (n,).
        angles: Receives flexion, abduction, PIP and DIP in [rad]. Shape (4, n).
        elbow: 1 for the flexed side of the line from MCP to DIP, -1 for the other; flexed if not given. Shape (n,).

    Returns:
        The tips in the finger's plane in [m], u and v.
    """
    squared = goals[3]
    pp, ip, dp = finger.pp, finger.ip, finger.dp
    # Every array is written into a row of one block: at this size an allocation costs as much as a product.
    c, s, m_squared, a, b, knee_u, knee_v, u, v, spare = np.empty((10, len(pip)))
    # One tangent gives both: numpy vectorises it on more machines than sine and cosine of doubles.
    half = np.tan(np.multiply(pip, 0.5, out=s), out=s)
    np.multiply(half, half, out=spare)
    np.divide(2.0, np.add(spare, 1.0, out=spare), out=c)
    np.multiply(half, c, out=s)
    np.subtract(c, 1.0, out=c)
    np.add(np.multiply(c, ip, out=knee_u), pp, out=knee_u)
    np.multiply(s, ip, out=knee_v)
    np.add(np.multiply(c, 2.0 * pp * ip, out=m_squared), pp * pp + ip * ip, out=m_squared)
    np.add(m_squared, squared, out=a)
    a -= dp * dp
    a *= 0.5
    np.multiply(m_squared, squared, out=b)
    b -= np.multiply(a, a, out=spare)
    if elbow is None:
        np.sqrt(b, out=b)
    else:
        # Folds give 0 up to rounding; the square root of what is clearly negative is the wanted NaN.
        np.multiply(elbow, np.sqrt(np.where(np.abs(b) < 1e-13 * finger.reach**4, 0.0, b)), out=b)
    np.divide(1.0, m_squared, out=m_squared)
    np.multiply(knee_u, a, out=u)
    u -= np.multiply(knee_v, b, out=spare)
    u *= m_squared
    np.multiply(knee_v, a, out=v)
    v += np.multiply(knee_u, b, out=spare)
    v *= m_squared
    _turn_base(goals, u, v, angles)
    angles[2] = pip
    x = np.subtract(u, pp, out=knee_u)
    across, near = np.multiply(c, v, out=a), np.multiply(c, x, out=b)
    across -= np.multiply(s, x, out=spare)
    near += np.multiply(s, v, out=spare)
    near += dp - ip
    across /= near
    # Half-angle tangents: the lengths of both sides are known, and atan takes half the time of atan2.
    np.multiply(np.arctan(across, out=across), 2.0, out=angles[3])
    return u, v


def search_base_limits(finger: Finger, batch: Batch, rows: IntArray) -> None:
    """Write poses of rows whose published PIP and DIP keep their limits, for a finger with a single elbow.

    Along such a finger's curve DIP falls as PIP grows, so both keep their limits on one interval of PIP, and the base
    joint crosses each of its limits once. Its flexion turns by less than a half turn in all, so that with a range of no
    more than that it cannot come back from the other side. All feasible PIPs thus lie beyond the place where a broken
    limit is crossed, and if that place itself keeps all limits it is the nearest. Rows without such a place stay open.
    """
    (low, high), (left, right) = finger.mcp, finger.abduction
    if high.angle - low.angle > math.pi:
        return
    flexion, abduction = batch.angles[0, rows], batch.angles[1, rows]
    beyond = flexion > high.angle
    bent = np.flatnonzero(beyond | (flexion < low.angle))
    beside = abduction > right.angle
    spread = np.flatnonzero(beside | (abduction < left.angle))
    rows = rows[np.concatenate([bent, spread])]
    if not len(rows):
        return
    goals, k = batch.goals[:, rows], len(bent)
    side, palmar, along, squared, _ = goals
    u, v = np.empty((2, len(rows)))
    if k:
        turned = beyond[bent]
        c, s = low.cos + turned * (high.cos - low.cos), low.sin + turned * (high.sin - low.sin)
        forward = along[:k] * c
        forward += palmar[:k] * s
        c *= palmar[:k]
        np.subtract(c, along[:k] * s, out=v[:k])
        np.copysign(np.hypot(forward, side[:k]), forward, out=u[:k])
    if k < len(rows):
        sine = left.sin + beside[spread] * (right.sin - left.sin)
        np.divide(side[k:], sine, out=u[k:])
        np.multiply(u[k:], u[k:], out=v[k:])
        np.sqrt(np.subtract(squared[k:], v[k:], out=v[k:]), out=v[k:])
    found = np.empty((4, len(rows)))
    _bend_outer(finger, u, v, found)
    _turn_base(goals, u, v, found)
    lows, highs = finger.box
    clamped = np.maximum(found, lows)
    np.minimum(clamped, highs, out=clamped)
    # No joint moves the tip by more than its angle times the finger's length.
    found -= clamped
    miss = np.add.reduce(np.abs(found, out=found))
    miss *= finger.reach
    fits = np.flatnonzero(miss <= ANGLE_SLACK * finger.reach)
    rows = rows[fits]
    batch.angles[:, rows] = clamped[:, fits]
    batch.residual[rows] = miss[fits]


def _bend_outer(finger: Finger, u: FloatArray, v: FloatArray, angles: FloatArray) -> None:
    """Write the PIP and DIP of a finger with a single elbow that put its tip at places in its plane."""
    ip, dp, x = finger.ip, finger.dp, u - finger.pp
    outer_squared = x * x
    outer_squared += v * v
    outer = np.sqrt(outer_squared)
    x += outer
    line = np.arctan(np.divide(v, x, out=x), out=x)
    line *= 2.0
    corner = np.divide(outer_squared + (ip * ip - dp * dp), outer, out=outer)
    corner *= 0.5 / ip
    np.subtract(line, np.arccos(np.minimum(corner, 1.0, out=corner), out=corner), out=angles[2])
    outer_squared -= ip * ip + dp * dp
    outer_squared *= 0.5 / (ip * dp)
    np.arccos(np.minimum(outer_squared, 1.0, out=outer_squared), out=angles[3])


def _turn_base(goals: FloatArray, u: FloatArray, v: FloatArray, angles: FloatArray) -> None:
    """Write the flexion and abduction that turn tips in the finger's plane onto goals as far out as they are."""
    side, palmar, along, squared, _ = goals
    sine = np.divide(side, u)
    np.arcsin(sine, out=angles[1])
    forward = np.multiply(sine, sine)
    np.sqrt(np.subtract(1.0, forward, out=forward), out=forward)
    forward *= u
    across, near = palmar * forward, along * forward
    across -= np.multiply(along, v, out=sine)
    near += np.multiply(palmar, v, out=sine)
    near += squared
    near -= np.multiply(side, side)
    across /= near
    np.multiply(np.arctan(across, out=across), 2.0, out=angles[0])


def search_all(finger: Finger, batch: Batch, rows: IntArray) -> None:
    """Write, for each of the rows that has any, the pose whose PIP is nearest to the wanted one, and its residual."""
    goals, wanted = batch.goals[:, rows], batch.wanted[rows]
    coupling = finger.coupling
    pips = _candidate_pips(finger, goals, wanted) if coupling is None else _coupled_pips(coupling, goals, wanted)
    low, high = finger.pip
    which, row = np.nonzero((pips >= low.angle - ANGLE_SLACK) & (pips <= high.angle + ANGLE_SLACK))
    pip, elbow = pips[which, row], None
    if coupling is None and not finger.single_elbow:
        elbow = np.repeat([1.0, -1.0], len(pip))
        pip, row = np.tile(pip, 2), np.tile(row, 2)
    goals, found = goals[:, row], np.empty((4, len(pip)))
    if coupling is None:
        u, v = follow_curve(finger, goals, pip, found, elbow)
    else:
        u, v = _follow_coupled(finger, coupling, goals, pip, found)
    _keep_nearest(finger, batch, rows[row], found, np.abs(np.sqrt(u * u + v * v) - goals[4]))


def _keep_nearest(finger: Finger, batch: Batch, row: IntArray, found: FloatArray, radial: FloatArray) -> None:
    """Write into each row the found pose whose PIP is nearest to the wanted one, of those that keep all limits."""
    lows, highs = finger.box
    clamped = np.minimum(np.maximum(found, lows), highs)
    # No joint moves the tip by more than its angle times the finger's length.
    miss = radial + finger.reach * np.abs(clamped - found).sum(axis=0)
    fits = np.flatnonzero(miss <= ANGLE_SLACK * finger.reach)
    # The last one written stays, so the nearest comes last.
    fits = fits[np.argsort(-np.abs(clamped[2, fits] - batch.wanted[row[fits]]), kind="stable")]
    batch.angles[:, row[fits]] = clamped[:, fits]
    batch.residual[row[fits]] = miss[fits]


def _candidate_pips(finger: Finger, goals: FloatArray, wanted: FloatArray) -> FloatArray:
    """PIPs at which the one nearest to the wanted one can lie, see `closed_form_scalar`. Shape (k, n)."""
    bends = [_bend(finger, goals[3], fold.length) for fold in finger.folded]
    if finger.dip[0].angle == finger.dip[1].angle:
        turn = finger.folded[0].turn
        return _wrapped(np.stack([bends[0] - turn, -bends[0] - turn]))
    ip, dp = finger.ip, finger.dp
    u, v = _tips_at_base_limits(finger, goals)
    outer_squared = (u - finger.pp) ** 2 + v * v
    corner = (outer_squared + (ip * ip - dp * dp)) / np.sqrt(outer_squared) * (0.5 / ip)
    line, corner = np.arctan2(v, u - finger.pp), np.arccos(np.minimum(corner, 1.0))
    if finger.single_elbow:
        pips = np.empty((4 + len(line), len(wanted)))
        np.subtract(bends[0], finger.folded[0].turn, out=pips[0])
        np.subtract(bends[1], finger.folded[1].turn, out=pips[1])
        pips[2], pips[3] = finger.pip[0].angle, finger.pip[1].angle
        np.subtract(line, corner, out=pips[4:])
        return pips
    limits = np.stack([np.full_like(wanted, bound.angle) for bound in finger.pip])
    bend, turn = np.stack(bends), np.array([[fold.turn] for fold in finger.folded])
    folds = np.stack(_fold_pips(finger, goals[4]))
    turned = np.concatenate([bend - turn, -bend - turn, line - corner, line + corner])
    return np.concatenate([wanted[None], limits, folds, _wrapped(turned)])


def _bend(finger: Finger, squared: FloatArray, length: float) -> FloatArray:
    """Angle between the first link and the line from PIP to the tip, where that line has a given length."""
    if length <= 0.0:
        return np.full_like(squared, np.nan)
    scale = 0.5 / (finger.pp * length)
    return np.arccos(np.minimum(squared * scale - (finger.pp * finger.pp + length * length) * scale, 1.0))


def _tips_at_base_limits(finger: Finger, goals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The tip in the finger's plane, u and v, where the base joint stands on a limit. Shape (k, n)."""
    side, palmar, along, squared, _ = goals
    sines = [bound.sin for bound in finger.abduction if abs(bound.sin) > 1e-12]
    sides = 1 if finger.single_elbow else 2
    u, v = np.empty((2, 2 + sides * len(sines), len(side)))
    side_squared = side * side
    for row, (_, c, s) in enumerate(finger.mcp):
        forward = along * c + palmar * s
        np.subtract(palmar * c, along * s, out=v[row])
        np.copysign(np.sqrt(side_squared + forward * forward), forward, out=u[row])
    for row, sine in enumerate(sines, start=2):
        np.divide(side, sine, out=u[row])
        np.sqrt(squared - side_squared * (1.0 / (sine * sine)), out=v[row])
    if sides == 2:
        u[2 + len(sines) :], v[2 + len(sines) :] = u[2 : 2 + len(sines)], -v[2 : 2 + len(sines)]
    return u, v


def _fold_pips(finger: Finger, d: FloatArray) -> list[FloatArray]:
    pp, ip = finger.pp, finger.ip
    pips: list[FloatArray] = []
    for m in (d - finger.dp, d + finger.dp):
        pip = np.arccos((m * m - pp * pp - ip * ip) / (2.0 * pp * ip))
        pips += [pip, -pip]
    return pips


def _coupled_pips(coupling: CoupledDistance, goals: FloatArray, wanted: FloatArray) -> FloatArray:
    """PIP per goal and piece of the coupled distance; where the piece does not hold it, near its end. Shape (k, n)."""
    pp, ip, dp, ratio = coupling.pp, coupling.ip, coupling.dp, coupling.ratio
    target = 0.5 * (goals[3] - (pp * pp + ip * ip + dp * dp))
    pips = np.empty((len(coupling.pieces), len(wanted)))
    for row, (low, high) in enumerate(coupling.pieces):
        pip = np.clip(wanted, low.pip, high.pip)
        for _ in range(_NEWTON):
            half1, half2 = np.sin(0.5 * pip), np.sin((0.5 * ratio) * pip)
            c1, s1 = 1.0 - 2.0 * half1 * half1, 2.0 * half1 * np.sqrt(1.0 - half1 * half1)
            c2, s2 = 1.0 - 2.0 * half2 * half2, 2.0 * half2 * np.sqrt(1.0 - half2 * half2)
            excess = (pp * ip) * c1 + (pp * dp) * (c1 * c2 - s1 * s2) + (ip * dp) * c2 - target
            slope = (pp * ip) * s1 + (pp * dp * (1.0 + ratio)) * (s1 * c2 + c1 * s2) + (ip * dp * ratio) * s2
            step = excess / slope
            pip = np.minimum(np.maximum(pip + step, low.pip), high.pip)
            if not np.abs(step).max(initial=0.0) > 1e-8:
                break
        pips[row] = pip
    return pips


def _follow_coupled(
    finger: Finger, coupling: CoupledDistance, goals: FloatArray, pip: FloatArray, angles: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Write the angles that go with PIPs of a coupled finger, whose tips need not be as far out as the goals."""
    side, palmar, along, _, _ = goals
    angles[2] = pip
    dip = np.multiply(pip, coupling.ratio, out=angles[3])
    u = finger.pp + finger.ip * np.cos(pip) + finger.dp * np.cos(pip + dip)
    v = finger.ip * np.sin(pip) + finger.dp * np.sin(pip + dip)
    sine = side / u
    forward = u * np.sqrt(1.0 - sine * sine)
    angles[0] = np.arctan2(palmar * forward - along * v, along * forward + palmar * v)
    np.arcsin(sine, out=angles[1])
    return u, v


def _wrapped(angle: FloatArray) -> FloatArray:
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
