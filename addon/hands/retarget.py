# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Postures of one hand for another: other rolls, proportions, numbers of fingers and phalanges."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray
from .model import HandModel
from .posture import clamp, resample

NO_RANGE = 1e-9
"""Ranges in [rad] narrower than this cannot be scaled."""


def retarget(source: HandModel, target: HandModel, angles: ArrayLike) -> FloatArray:
    """The posture of `source` on `target`, within the target's limits. Shape (m_target, 3).

    Fingers are matched by name, else by their place across the palm. Joints that stand for each other bend by the same
    share of their ranges, counted from the straight finger both ways. First phalanges keep their direction across the
    palm instead, whatever spread their rest poses have.
    """
    given = np.asarray(angles, dtype=np.float64)
    out = target.rest_angles.copy()
    out[[kind == "metacarpal" for kind in target.kinds]] = 0.0
    for name in target.fingers:
        match = _matching_finger(source, target, name)
        old, new = source.joints(match), target.joints(name)
        values = given[old]
        if len(old) == len(new):
            values = _rescaled(values, source.limits.ranges[old], target.limits.ranges[new])
        else:
            values = resample(values, len(new))
        if name != "thumb" and not source.radial and not target.radial:
            fan = source.fans[source.fingers.index(match)] - target.fans[target.fingers.index(name)]
            # Spread is seen while the finger is straight; in a fist all fingers point at the wrist.
            values[0, 1] = given[old[0], 1] + fan * max(float(np.cos(given[old[0], 0])), 0.0)
        out[new] = values
        inner_old, inner_new = _metacarpal(source, match), _metacarpal(target, name)
        if inner_old is not None and inner_new is not None:
            out[inner_new] = given[inner_old]
    return clamp(target, out) if _differs(source, target) else out


def _differs(source: HandModel, target: HandModel) -> bool:
    """Whether the hands are more than mirror images of each other: equal hands keep even angles beyond their limits."""
    mine, other = source.limits.ranges, target.limits.ranges
    if source.fingers != target.fingers or mine.shape != other.shape:
        return True
    return not (np.allclose(mine, other, atol=1e-5) and np.allclose(source.fans, target.fans, atol=1e-5))


def _metacarpal(model: HandModel, finger: str) -> int | None:
    first = model.joints(finger, metacarpal=True)[0]
    return first if model.kinds[first] == "metacarpal" else None


def _matching_finger(source: HandModel, target: HandModel, name: str) -> str:
    """The finger of the same name, else the one at the same place in the row."""
    if name in source.fingers:
        return name
    row = [finger for finger in target.fingers if finger != "thumb"]
    others = [finger for finger in source.fingers if finger != "thumb"]
    place = 0.0 if name == "thumb" else row.index(name) / max(len(row) - 1, 1)
    return others[round(place * (len(others) - 1))]


def _rescaled(values: FloatArray, old: FloatArray, new: FloatArray) -> FloatArray:
    """Angles at the same share of another range: from 0 to the top above 0, from 0 to the bottom below it."""
    closing = values >= 0.0
    reach_old = np.where(closing, old[..., 1], -old[..., 0])
    reach_new = np.where(closing, new[..., 1], -new[..., 0])
    scalable = (reach_old > NO_RANGE) & (reach_new > NO_RANGE)
    return np.where(scalable, values * reach_new / np.where(scalable, reach_old, 1.0), values)
