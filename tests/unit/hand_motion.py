# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How every hand must move: flexion closes, abduction spreads, the thumb opposes."""

from __future__ import annotations

import numpy as np

from addon.core.handmap import FingerMap, HandMap
from addon.hands.forward import forward
from addon.hands.model import HandModel


def bending(model: HandModel) -> list[int]:
    return [j for j, kind in enumerate(model.kinds) if kind != "metacarpal"]


def palm_centre(model: HandModel) -> np.ndarray:
    """A point in front of the middle of the palm, where a ball would be held."""
    return np.array([0.0, -0.35 * model.palm_width, 0.75 * model.palm_length])


def assert_closes(model: HandModel) -> None:
    """Twenty degrees more flexion of any one joint, or of all, brings the fingertip nearer to the palm."""
    start = forward(model, model.rest_angles)
    goal = palm_centre(model)
    bent = np.repeat(model.rest_angles[None], len(model.names) + 1, axis=0)
    for j in bending(model):
        bent[[j, -1], j, 0] += np.radians(20.0)
    moved = forward(model, bent)
    for f, finger in enumerate(model.fingers):
        tip = start.tips[f]
        for k in (*model.joints(finger), -1):
            step = moved.tips[k, f] - tip
            if model.radial:
                assert np.linalg.norm(tip[:2] + step[:2]) < np.linalg.norm(tip[:2]), (finger, k)
            else:
                assert step @ (goal - tip) > 0.0, (finger, k)
            # A finger that does not point backwards yet moves to the palm's side of its plane.
            if not model.radial and finger != "thumb" and start.rotations[model.joints(finger)[-1]][2, 2] > 0.4:
                assert step[1] < 0.0, (finger, k)


def assert_spreads(model: HandModel) -> None:
    """Abduction of the first joints, more of it the farther from the middle, moves all fingertips of a row apart."""
    row = [f for f, name in enumerate(model.fingers) if name != "thumb"]
    start = forward(model, model.rest_angles).tips[row]
    wide = model.rest_angles.copy()
    middle = model.fingers.index("middle") if "middle" in model.fingers else np.mean(row)
    for f in row:
        wide[model.joints(model.fingers[f])[0], 1] += np.radians(6.0 * abs(f - middle))
    moved = forward(model, wide).tips[row]
    gaps = np.linalg.norm(np.diff(moved, axis=0), axis=1) - np.linalg.norm(np.diff(start, axis=0), axis=1)
    assert np.all(gaps > 0.0), gaps


def assert_opposes(model: HandModel) -> None:
    """Flexion with abduction of the thumb's saddle joint brings its tip nearer to the little finger's base."""
    start = forward(model, model.rest_angles)
    last = model.fingers[-1]
    base = start.origins[model.joints(last)[0]]
    root = model.joints("thumb")[0]
    thumb = model.fingers.index("thumb")
    distances = []
    for degrees in (0.0, 10.0, 20.0):
        angles = model.rest_angles.copy()
        angles[root, :2] += np.radians([degrees, 0.5 * degrees])
        distances.append(np.linalg.norm(forward(model, angles).tips[thumb] - base))
    assert distances[2] < distances[1] < distances[0], distances


def demo_map(names: tuple[str, ...], side: str) -> HandMap:
    fingers: list[FingerMap] = []
    for finger in dict.fromkeys(name.split(".")[0] for name in names if name.count(".") == 2):
        bones = [name for name in names if name.startswith(f"{finger}.")]
        chain = [name for name in bones if ".tip." not in name]
        meta = chain.pop(0) if finger != "thumb" and ".metacarpal." in chain[0] else None
        tip = next((name for name in bones if ".tip." in name), None)
        fingers.append(FingerMap(name=finger, chain=tuple(chain), metacarpal=meta, tip=tip))
    return HandMap(side=side, wrist=f"hand.{side}", fingers=tuple(fingers))
