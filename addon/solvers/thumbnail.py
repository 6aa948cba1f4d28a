# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures of a hand at an object, drawn from points: no window, no graphics card, a few milliseconds."""

from __future__ import annotations

import base64
import binascii
import zlib

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.rotations import unit

SIDE = 96
"""Width and height in pixels."""
SHADES = 80
"""Shades of each kind of pixel."""
HAND, OBJECT, BEHIND = 1, 1 + SHADES, 1 + 2 * SHADES
"""First shade of the hand, of the object, and of the hand seen through the object; 0 is nothing."""
_LIGHT = unit(np.array([-0.4, 0.5, 0.75]))
_COLOURS = {HAND: (0.95, 0.70, 0.56), OBJECT: (0.42, 0.60, 0.78), BEHIND: (0.60, 0.60, 0.66)}
_BALL = 24
_STILL = 9000
"""Points of the hand that are drawn at most, about."""


def view_from(azimuth: float, elevation: float) -> FloatArray:
    """Rows right, up and towards the eye, which stands before -y at azimuth 0, angles in [rad]. Shape (3, 3)."""
    eye = np.array(
        [np.cos(elevation) * np.sin(azimuth), -np.cos(elevation) * np.cos(azimuth), np.sin(elevation)],
    )
    right = unit(np.cross([0.0, 0.0, 1.0], eye))
    return np.stack([right, np.cross(eye, right), eye])


def surface_points(vertices: FloatArray, triangles: IntArray, count: int) -> FloatArray:
    """Points spread evenly over a mesh, the same ones each time. Shape (count, 3)."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    rng = np.random.default_rng(0)
    rows = np.searchsorted(np.cumsum(areas) / areas.sum(), (np.arange(count) + 0.5) / count)
    rows = np.minimum(rows, len(triangles) - 1)
    u: FloatArray = rng.random((count, 1))
    v: FloatArray = rng.random((count, 1))
    beyond = u + v > 1.0
    u[beyond], v[beyond] = 1.0 - u[beyond], 1.0 - v[beyond]
    return a[rows] + u * (b - a)[rows] + v * (c - a)[rows]


def ball_points(centres: FloatArray, radii: FloatArray) -> FloatArray:
    """Points on balls, for hands without a skin; centres themselves where the radius is 0. Shape (k, 3)."""
    if not radii.any():
        return centres[:: max(len(centres) // _STILL, 1)]
    height = 1.0 - (2.0 * np.arange(_BALL) + 1.0) / _BALL
    turn = np.arange(_BALL) * np.pi * (3.0 - np.sqrt(5.0))
    wide = np.sqrt(1.0 - height**2)
    ways = np.stack([wide * np.cos(turn), wide * np.sin(turn), height], axis=1)
    return (centres[:, None] + radii[:, None, None] * ways).reshape(-1, 3)


def draw(hand: FloatArray, thing: FloatArray, view: FloatArray, centre: FloatArray, span: float) -> IntArray:
    """A picture as indices of shades, from the lower left. Shape (SIDE, SIDE).

    Args:
        hand: Points on the hand in [m]. Shape (n, 3).
        thing: Points on the object in [m]. Shape (m, 3).
        view: Rows right, up and towards the eye. Shape (3, 3).
        centre: What is in the middle in [m]. Shape (3,).
        span: Width of the picture in [m].
    """
    depths = [_depths((points - centre) @ view.T / span) for points in (hand, thing)]
    shades = [_shades(each) for each in depths]
    has_hand, has_thing = (np.isfinite(each) for each in depths)
    picture = np.zeros((SIDE, SIDE), dtype=np.int64)
    picture[has_thing] = OBJECT + shades[1][has_thing]
    before = has_hand & ~(depths[1] > depths[0])
    picture[before] = HAND + shades[0][before]
    hidden = has_hand & ~before
    picture[hidden] = BEHIND + (shades[0][hidden] + shades[1][hidden]) // 2
    return picture


def colours(picture: IntArray) -> FloatArray:
    """A picture's pixels as red, green, blue and opacity, 0 to 1. Shape (SIDE, SIDE, 4)."""
    out = np.zeros((*picture.shape, 4))
    for first, colour in _COLOURS.items():
        mine = (picture >= first) & (picture < first + SHADES)
        shade = (picture[mine] - first + 1.0) / SHADES
        out[mine, :3] = shade[:, None] * np.array(colour)
        out[mine, 3] = 1.0
    return out


def pack(picture: IntArray) -> str:
    """A picture as text."""
    return base64.b64encode(zlib.compress(picture.astype(np.uint8).tobytes(), 9)).decode("ascii")


def unpack(text: str) -> FloatArray | None:
    """The pixels of a picture that was text, from the lower left; None if it is none. Shape (SIDE, SIDE, 4)."""
    try:
        data = zlib.decompress(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError, zlib.error):
        return None
    if len(data) != SIDE * SIDE:
        return None
    return colours(np.frombuffer(data, dtype=np.uint8).reshape(SIDE, SIDE).astype(np.int64))


def _depths(places: FloatArray) -> FloatArray:
    """Nearest depth at every pixel, in widths of the picture; minus infinity where nothing is. Shape (SIDE, SIDE)."""
    x, y = (np.floor((places[:, k] + 0.5) * SIDE).astype(np.int64) for k in (0, 1))
    flat = np.full((SIDE + 4) * (SIDE + 4), -np.inf)
    inside = (x >= 0) & (x < SIDE) & (y >= 0) & (y < SIDE)
    x, y, z = x[inside] + 2, y[inside] + 2, places[inside, 2]
    # Later writes win: in the order of depth that is the nearest.
    order = np.argsort(z, kind="stable")
    flat[(y * (SIDE + 4) + x)[order]] = z[order]
    grid = flat.reshape(SIDE + 4, SIDE + 4)
    return _grown(_grown(grid))[2:-2, 2:-2]


def _grown(grid: FloatArray) -> FloatArray:
    """The grid with pixels that are empty, or behind all round them, filled from their neighbours."""
    out = grid.copy()
    for axis in (0, 1):
        for step in (-1, 1):
            out = np.maximum(out, np.roll(grid, step, axis=axis))
    return out


def _shades(depths: FloatArray) -> IntArray:
    """Brightness from how the depth changes, 0 to SHADES - 1. Shape (SIDE, SIDE)."""
    floor = depths[np.isfinite(depths)].min(initial=0.0)
    solid = np.where(np.isfinite(depths), depths, floor)
    for axis in (0, 1):
        solid = (np.roll(solid, 1, axis=axis) + 2.0 * solid + np.roll(solid, -1, axis=axis)) / 4.0
    slope_y, slope_x = np.gradient(solid)
    normals = unit(np.stack([-slope_x, -slope_y, np.full(solid.shape, 1.0 / SIDE)], axis=-1))
    light = 0.3 + 0.7 * np.clip(normals @ _LIGHT, 0.0, 1.0)
    return np.clip((light * SHADES).astype(np.int64), 0, SHADES - 1)
