# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of a hand's skin that hold things: pads, sides of fingers and the palm, by its capsules."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray
from ..core.rotations import perpendicular, unit
from ..presets.movements import Movement
from .forward import HandFrames, forward
from .model import HandModel

PAD_PLACE = 0.6
"""Where along the last bone its pad is pressed, 0 at its joint and 1 at its end."""


def pad_points(model: HandModel, frames: HandFrames) -> FloatArray:
    """Where the fingers' pads are in [m]. Shape (..., f, 3)."""
    return np.stack([_surface_point(model, frames, int(j), PAD_PLACE, (0.0, -1.0)) for j in model.last_joints], axis=-2)


def palm_face(model: HandModel, points: FloatArray) -> FloatArray:
    """The points moved onto the palm's skin, for hands that have no thumb to press with."""
    out = points.copy()
    out[:, 1] = palm_height(model)
    return out


def palm_point(model: HandModel, movement: Movement) -> FloatArray:
    """The place on the palm's skin that a movement names, in [m]. Shape (3,)."""
    row = [finger for finger in model.fingers if finger != "thumb"]
    knuckles = forward(model, model.rest_angles).origins[[model.joints(finger)[0] for finger in row]]
    middle = (knuckles[0] + knuckles[-1]) / 2.0
    # A right hand's thumb stands at +x, a left one's at -x.
    towards_thumb = -1.0 if model.side == "L" else 1.0
    rule = movement.centre
    across = middle[0] + towards_thumb * rule.across * model.palm_width
    return np.array([across, palm_height(model), rule.along * model.palm_length])


def palm_height(model: HandModel) -> float:
    """Coordinate along y in [m] of the palm's skin, in the middle of the palm's capsules."""
    capsules = model.capsules
    frames = forward(model, model.rest_angles)
    palm = [k for k, j in enumerate(capsules.joints) if j < 0 or model.kinds[j] == "metacarpal"]
    heights: list[float] = []
    for k in palm:
        j = int(capsules.joints[k])
        ends = np.stack([capsules.starts[k], capsules.ends[k]])
        if j >= 0:
            ends = frames.origins[j] + ends @ frames.rotations[j].T
        heights.append(float((ends[:, 1] - capsules.radii[k]).mean()))
    return float(np.mean(heights)) if heights else 0.0


def side_point(
    model: HandModel, frames: HandFrames, finger: int, *, outer: bool = False
) -> tuple[FloatArray, FloatArray]:
    """The middle of the thumb's side, or the other one, of a finger's middle bone in [m], and where it looks.

    Shapes (..., 3).
    """
    joints = model.joints(model.fingers[finger])
    joint = joints[1] if len(joints) > 2 else joints[-1]
    side = (-1.0 if model.side == "L" else 1.0) * (-1.0 if outer else 1.0)
    return _surface_point(model, frames, joint, 0.6, (side, 0.0)), side * frames.rotations[..., 0][..., joint, :]


def _surface_point(
    model: HandModel, frames: HandFrames, joint: int, place: float, direction: tuple[float, float]
) -> FloatArray:
    """A point on a bone's capsule, along it by a share and off it in the x, y direction of its joint. (..., 3)."""
    k = int(np.flatnonzero(model.capsules.joints == joint)[0])
    first, last = model.capsules.starts[k], model.capsules.ends[k]
    radius = (1.0 - place) * model.capsules.radii[k, 0] + place * model.capsules.radii[k, 1]
    along = unit(last - first)
    local = first + place * (last - first) + radius * perpendicular(np.array([*direction, 0.0]), along)
    return frames.origins[..., joint, :] + np.einsum("...ij,j->...i", frames.rotations[..., joint, :, :], local)
