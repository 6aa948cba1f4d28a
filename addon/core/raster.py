# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small shaded pictures of triangles, drawn in numpy: previews that need no window and no renderer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray, IntArray, frozen_floats
from .errors import ShapeError

Picture = NDArray[np.float32]
"""Red, green, blue and alpha in 0..1, not premultiplied; rows from the bottom up, as in Blender. Shape (h, w, 4)."""

NEAREST = 1e-6
"""Triangles with a corner nearer to a perspective eye than this share of the picture's distance are left out."""

# In the eye's frame: a light over the left shoulder, a weaker one from the right below, and some from everywhere.
_KEY, _FILL = np.array([-0.45, 0.65, 0.61]), np.array([0.75, -0.25, 0.6])
_KEY_STRENGTH, _FILL_STRENGTH, _AMBIENT = 0.72, 0.2, 0.3


@dataclass(frozen=True, eq=False)
class Eye:
    """Where a picture is taken from."""

    T_world_eye: FloatArray
    """Frame of the eye: it looks along its -Z with +Y up, as Blender's cameras do. Shape (4, 4)."""
    width: float
    """What the picture's shorter side spans in [m], at `distance` from the eye."""
    distance: float = 0.0
    """How far from a perspective eye `width` is measured in [m]; 0 looks in parallel."""

    def __post_init__(self) -> None:
        """Check the frame once and make it read-only."""
        object.__setattr__(self, "T_world_eye", frozen_floats(self.T_world_eye, (4, 4), "T_world_eye"))


def frame_points(
    points: FloatArray, direction: FloatArray, up: FloatArray, *, margin: float = 0.06, field_of_view: float = 0.6
) -> Eye:
    """An eye that sees all points, filling a square picture.

    Args:
        points: What must be seen. Shape (n, 3), n >= 1.
        direction: From the points to the eye, of any length. Shape (3,).
        up: What is up in the picture, not along `direction`. Shape (3,).
        margin: Share of the picture that stays empty on each side.
        field_of_view: Angle in [rad] across the picture; 0 looks in parallel.
    """
    back = direction / np.linalg.norm(direction)
    across = np.cross(up, back)
    across /= np.linalg.norm(across)
    axes = np.column_stack([across, np.cross(back, across), back])
    seen = points @ axes
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle = 0.5 * (low + high)
    size = max(float((high - low)[:2].max()), 1e-9)
    frame = np.eye(4)
    frame[:3, :3] = axes
    if field_of_view <= 0.0:
        frame[:3, 3] = axes @ np.array([middle[0], middle[1], high[2] + size])
        return Eye(frame, size / (1.0 - 2.0 * margin))
    # Every point asks for a distance of its own: the farther forward and aside it is, the more.
    slope = float(np.tan(0.5 * field_of_view)) * (1.0 - 2.0 * margin)
    heights = seen[:, 2] + np.abs(seen[:, :2] - middle[:2]).max(axis=1) / slope
    distance = max(float(heights.max()) - middle[2], float(high[2] - middle[2]) * 1.001 + 1e-9)
    frame[:3, 3] = axes @ np.array([middle[0], middle[1], middle[2] + distance])
    return Eye(frame, 2.0 * distance * float(np.tan(0.5 * field_of_view)), distance)


def smooth_normals(vertices: FloatArray, triangles: IntArray) -> FloatArray:
    """Corner normals of triangles (m, 3) that share vertices (n, 3): their faces' mean, larger ones counting more.

    Returns:
        Unit normals, zero where a vertex has no area round it. Shape (m, 3, 3).
    """
    corners = vertices[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flat = triangles.ravel()
    sums = np.stack([np.bincount(flat, np.repeat(faces[:, k], 3), minlength=len(vertices)) for k in range(3)], axis=1)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return (sums / np.where(lengths > 0.0, lengths, 1.0))[triangles]


def draw_triangles(
    triangles: FloatArray,
    colours: FloatArray,
    eye: Eye,
    *,
    size: tuple[int, int] = (96, 96),
    normals: FloatArray | None = None,
    samples: int = 2,
) -> Picture:
    """A picture of opaque triangles on a transparent ground, shaded from both sides.

    Args:
        triangles: Corners in the world. Shape (n, 3, 3).
        colours: Of each triangle, red, green and blue in 0..1. Shape (n, 3).
        eye: Where it is taken from.
        size: Width and height in pixels.
        normals: Of the corners, for smooth shading; flat without. Shape (n, 3, 3).
        samples: Each pixel is the mean of that many by as many.
    """
    if triangles.ndim != 3 or triangles.shape[1:] != (3, 3):
        raise ShapeError("triangles", expected=(-1, 3, 3), found=triangles.shape)
    if colours.shape != (len(triangles), 3):
        raise ShapeError("colours", expected=(len(triangles), 3), found=colours.shape)
    width, height = size[0] * samples, size[1] * samples
    axes, centre = eye.T_world_eye[:3, :3], eye.T_world_eye[:3, 3]
    corners = (triangles - centre) @ axes
    whole = np.isfinite(corners).all(axis=(1, 2))
    if eye.distance > 0.0:
        whole &= (corners[:, :, 2] < -NEAREST * eye.distance).all(axis=1)
    corners, colours = corners[whole], colours[whole]
    shades = _shades(corners, None if normals is None else normals[whole] @ axes, perspective=eye.distance > 0.0)
    places, depths = _project(corners, eye, width, height)
    winner, weights = _nearest(places, depths, width, height)
    seen = winner >= 0
    picture = np.zeros((height * width, 4))
    chosen = winner[seen]
    brightness = np.einsum("ij,ij->i", weights[seen], shades[chosen])
    picture[seen, :3] = np.clip(colours[chosen] * brightness[:, None], 0.0, 1.0)
    picture[seen, 3] = 1.0
    means = picture.reshape(size[1], samples, size[0], samples, 4).mean(axis=(1, 3))
    # Empty samples are black: taken out of the mean, else edges would be dark.
    means[..., :3] /= np.where(means[..., 3:] > 0.0, means[..., 3:], 1.0)
    return means.astype(np.float32)


def _shades(corners: FloatArray, normals: FloatArray | None, *, perspective: bool) -> FloatArray:
    """How bright corners are that are given in the eye's frame. Shape (n, 3)."""
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(faces, axis=1, keepdims=True)
    faces = faces / np.where(lengths > 0.0, lengths, 1.0)
    # Seen from behind, a face is lit as if it were turned round: thin shells and mirrored objects look right.
    towards = -corners.mean(axis=1) if perspective else np.array([[0.0, 0.0, 1.0]])
    turned = np.where((faces * towards).sum(axis=1) < 0.0, -1.0, 1.0)
    lit = np.repeat(faces[:, None], 3, axis=1) if normals is None else normals
    lit = lit * turned[:, None, None]
    key, fill = _KEY / np.linalg.norm(_KEY), _FILL / np.linalg.norm(_FILL)
    return _AMBIENT + _KEY_STRENGTH * np.maximum(lit @ key, 0.0) + _FILL_STRENGTH * np.maximum(lit @ fill, 0.0)


def _project(corners: FloatArray, eye: Eye, width: int, height: int) -> tuple[FloatArray, FloatArray]:
    """Places in the picture in pixels (n, 3, 2), and depths (n, 3) that are linear across the picture."""
    pixels = min(width, height) / eye.width
    if eye.distance > 0.0:
        # Not the distance but its inverse runs linearly across a perspective picture.
        depths = 1.0 / corners[:, :, 2]
        places = corners[:, :, :2] * (-eye.distance * depths)[:, :, None]
        depths = -depths
    else:
        places, depths = corners[:, :, :2], corners[:, :, 2]
    return places * pixels + np.array([0.5 * width, 0.5 * height]), depths


def _nearest(places: FloatArray, depths: FloatArray, width: int, height: int) -> tuple[IntArray, FloatArray]:
    """For each pixel the nearest triangle over its middle or -1, and its corners' weights. Shapes (p,), (p, 3)."""
    a, b, c = places[:, 0], places[:, 1], places[:, 2]
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    rows = np.clip(np.ceil(np.stack([places[:, :, 1].min(axis=1), places[:, :, 1].max(axis=1)]) - 0.5), 0, height)
    usable = np.flatnonzero((np.abs(area) > 1e-12) & (rows[0] <= rows[1]))
    # From the farthest to the nearest, so that most pixels are settled by the order alone.
    usable = usable[np.argsort(depths[usable].sum(axis=1))]
    # The weight of a corner is a plane over the picture, 1 at the corner and 0 at the edge before it.
    opposite = np.stack([places[:, [1, 2]], places[:, [2, 0]], places[:, [0, 1]]], axis=1)[usable]
    scale = 1.0 / area[usable, None]
    slope_x = (opposite[:, :, 0, 1] - opposite[:, :, 1, 1]) * scale
    slope_y = (opposite[:, :, 1, 0] - opposite[:, :, 0, 0]) * scale
    offset = (opposite[:, :, 0, 0] * opposite[:, :, 1, 1] - opposite[:, :, 0, 1] * opposite[:, :, 1, 0]) * scale
    triangle, row = _ragged(rows[0, usable].astype(np.int64), rows[1, usable].astype(np.int64) + 1)
    inside = row < height
    triangle, row = triangle[inside], row[inside]
    at_zero = slope_y[triangle] * (row + 0.5)[:, None] + offset[triangle]
    slopes = slope_x[triangle]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = -at_zero / slopes
    first = np.where(slopes > 0.0, crossing, -np.inf).max(axis=1)
    last = np.where(slopes < 0.0, crossing, np.inf).min(axis=1)
    starts: IntArray = np.clip(np.ceil(first - 0.5), 0, width).astype(np.int64)
    ends: IntArray = np.clip(np.floor(last - 0.5) + 1.0, 0, width).astype(np.int64)
    open_rows = ((slopes != 0.0) | (at_zero >= 0.0)).all(axis=1)
    span, column = _ragged(starts, ends * open_rows)  # an end before its start is no span
    pixel = row[span] * width + column
    number = triangle[span]
    plane_x = (slope_x * depths[usable]).sum(axis=1)
    plane_0 = (at_zero * depths[usable][triangle]).sum(axis=1)
    depth = plane_0[span] + plane_x[number] * (column + 0.5)
    owner = _settle(pixel, depth, width * height)
    seen = owner >= 0
    winner = np.full(width * height, -1, dtype=np.int64)
    winner[seen] = usable[number[owner[seen]]]
    weights = np.zeros((width * height, 3))
    chosen = owner[seen]
    weights[seen] = at_zero[span[chosen]] + slope_x[number[chosen]] * (column[chosen] + 0.5)[:, None]
    return winner, weights


def _settle(pixel: IntArray, depth: FloatArray, count: int) -> IntArray:
    """For each pixel the number of the greatest depth that was given for it, or -1. Shape (count,).

    All write at once, the last one stays, and those that are nearer than what stayed write again: with depths in order
    that is done after a few rounds and needs no sorting of pixels.
    """
    owner = np.full(count, -1, dtype=np.int64)
    nearest = np.full(count, -np.inf)
    waiting = np.arange(len(pixel))
    while len(waiting):
        nearest[pixel[waiting]] = depth[waiting]
        owner[pixel[waiting]] = waiting
        waiting = waiting[depth[waiting] > nearest[pixel[waiting]]]
    return owner


def _ragged(starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """All numbers from each start up to before its end, and which pair each belongs to."""
    counts = np.maximum(ends - starts, 0)
    owner = np.repeat(np.arange(len(starts)), counts)
    first = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - np.repeat(first - starts, counts)
