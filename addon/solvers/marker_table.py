# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint angles of an index finger and a thumb from six markers (Lu 1997, with its signs and frames mended).

Flexion is positive towards the palm, abduction towards the thumb's side. `side` is 1 for a right hand, -1 for a left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray
from .distance_table import BranchTable
from .dorsal_finger import DorsalThumb

HOLD_RADIUS = 0.008
"""Distance in [m] of the tip from the line through the knuckle below which abduction is held: it is noise there."""


class PalmFrame(NamedTuple):
    """Axes of the palm, unit vectors of shape (3,)."""

    ahead: FloatArray
    """From the thumb's CMC to the index MCP."""
    dorsal: FloatArray
    """Out of the back of the hand."""
    radial: FloatArray
    """Towards the thumb's side."""


@dataclass(frozen=True, eq=False)
class MarkerPose:
    """Angles of one digit and how sure they are."""

    angles: FloatArray
    """In [rad]. Index: abduction, flexion, PIP, DIP; thumb: abduction and flexion of CMC and of MCP, IP."""
    valid: bool
    """Whether all markers were numbers; otherwise the angles are the expected ones."""
    ambiguous: bool
    """Whether another pose has its tip at the same distance."""
    clamped: bool
    """Whether the distance lies beyond the digit's range."""


def find_palm(index_mcp: FloatArray, thumb_cmc: FloatArray, ulnar: FloatArray, *, side: int = 1) -> PalmFrame:
    """The palm's frame from three markers on it; `ulnar` lies on the little finger's side."""
    ahead = _unit(index_mcp - thumb_cmc)
    dorsal = side * _unit(np.cross(ulnar - thumb_cmc, ahead))
    return PalmFrame(ahead, dorsal, -side * np.cross(ahead, dorsal))


def solve_index(
    table: BranchTable,
    palm: PalmFrame,
    tip: FloatArray,
    mcp: FloatArray,
    *,
    expected: FloatArray,
    zero_abduction: float = 0.0,
) -> MarkerPose:
    """Angles of the index finger.

    Args:
        table: Distances from the centre of MCP to the tip.
        palm: The palm's frame.
        tip: Marker of the fingertip in [m]. Shape (3,).
        mcp: Marker over MCP in [m]. Shape (3,).
        expected: Angles that ties are broken towards, see `table.predict`. Shape (4,).
        zero_abduction: Abduction that the palm's frame shows while the finger points straight ahead, in [rad].
    """
    line = tip - (mcp - table.finger.radii[0] * palm.dorsal)
    if not np.isfinite(line).all():
        return MarkerPose(np.array(expected), valid=False, ambiguous=False, clamped=False)
    flat = line - palm.dorsal * (line @ palm.dorsal)
    if np.linalg.norm(flat) < HOLD_RADIUS:
        abduction = float(expected[0]) + zero_abduction
    else:
        # A fist's tip lies behind the knuckle.
        flat = -flat if flat @ palm.ahead < 0.0 else flat
        abduction = math.atan2(flat @ palm.radial, flat @ palm.ahead)
    forward = math.cos(abduction) * palm.ahead + math.sin(abduction) * palm.radial
    along, below = float(line @ forward), -float(line @ palm.dorsal)
    distance = math.hypot(along, below)
    pips = table.pips_at(distance)
    poses = [_index_angles(table, pip, math.atan2(below, along), abduction - zero_abduction) for pip in pips]
    best = min(poses, key=lambda pose: float(((pose - expected)[1:] ** 2).sum()))
    reached = table.finger.distance(best[2], best[3])
    return MarkerPose(best, valid=True, ambiguous=len(pips) > 1, clamped=bool(abs(reached - distance) > 1e-6))


def solve_thumb(
    thumb: DorsalThumb,
    palm: PalmFrame,
    markers: ThumbMarkers,
    *,
    expected: FloatArray,
    side: int = 1,
    ip_limits: tuple[float, float] = (0.0, math.radians(85.0)),
    normal: FloatArray | None = None,
) -> MarkerPose:
    """Angles of the thumb, its IP in closed form.

    Args:
        thumb: The two outer segments.
        palm: The palm's frame.
        markers: The thumb's markers and the index MCP's.
        expected: Angles that ties are broken towards. Shape (5,).
        side: 1 right, -1 left.
        ip_limits: Lowest and highest IP in [rad].
        normal: Normal of the plane through CMC, MCP and index MCP of a frame before, for a thumb that points at the
            index MCP so that the plane is undefined; see `thumb_plane`.
    """
    tip, index_mcp, cmc, mcp = markers
    if not all(np.isfinite(marker).all() for marker in markers):
        return MarkerPose(np.array(expected), valid=False, ambiguous=False, clamped=False)
    metacarpal = _unit(mcp - cmc)
    flat = metacarpal - palm.dorsal * (metacarpal @ palm.dorsal)
    cmc_abduction = math.atan2(flat @ palm.radial, flat @ palm.ahead)
    cmc_flexion = math.acos(min(max(float(metacarpal @ palm.dorsal), -1.0), 1.0)) - 0.5 * math.pi
    if normal is None:
        normal = thumb_plane(index_mcp, cmc, mcp, side=side)
    line = tip - mcp
    inplane = line - normal * (line @ normal)
    ahead = float(np.linalg.norm(inplane))
    if inplane @ metacarpal < 0.0:
        inplane, ahead = -inplane, -ahead
    mcp_abduction = side * math.atan2(np.cross(metacarpal, inplane) @ normal, metacarpal @ inplane)
    elevation = math.atan2(line @ normal, ahead)
    distance = float(np.linalg.norm(line))
    poses: list[FloatArray] = []
    roots = [ip for ip in thumb.ip_at(distance) if ip_limits[0] - 1e-9 <= ip <= ip_limits[1] + 1e-9]
    for root in roots or thumb.ip_at(distance):
        ip = min(max(root, ip_limits[0]), ip_limits[1])
        x, y = thumb.tip(ip)
        flexion = _wrapped(elevation - math.atan2(y, x))
        poses.append(np.array([cmc_abduction, cmc_flexion, mcp_abduction, flexion, ip]))
    best = min(poses, key=lambda pose: float(((pose - expected)[3:] ** 2).sum()))
    reached = math.hypot(*thumb.tip(best[4]))
    return MarkerPose(best, valid=True, ambiguous=len(roots) > 1, clamped=abs(reached - distance) > 1e-6)


class ThumbMarkers(NamedTuple):
    """Markers that the thumb is solved from in [m], each of shape (3,)."""

    tip: FloatArray
    index_mcp: FloatArray
    cmc: FloatArray
    mcp: FloatArray


def thumb_plane(index_mcp: FloatArray, cmc: FloatArray, mcp: FloatArray, *, side: int = 1) -> FloatArray:
    """Normal of the plane through the thumb's CMC, its MCP and the index MCP; closing moves the tip along it."""
    return side * _unit(np.cross(_unit(mcp - cmc), _unit(index_mcp - cmc)))


def _index_angles(table: BranchTable, pip: float, elevation: float, abduction: float) -> FloatArray:
    dip = table.dip(pip)
    x, y = table.finger.tip(np.array(pip), np.array(dip))
    return np.array([abduction, _wrapped(elevation - math.atan2(y, x)), pip, dip])


def _unit(vector: FloatArray) -> FloatArray:
    return vector / np.linalg.norm(vector)


def _wrapped(angle: float) -> float:
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
