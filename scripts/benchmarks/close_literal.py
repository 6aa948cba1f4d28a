# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published closing simulation (Caputo 2015) with rigid bone meshes, whatever library tells what overlaps.

It is also read in environments that have numpy and nothing else of this project.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

STEPS = 20


def close_literally(question: dict[str, Any], touches: Callable[[int, np.ndarray, np.ndarray], bool]) -> list[int]:
    """Steps out of N that each joint made.

    Args:
        question: The hand's joints and its movement, in the hand's frame.
        touches: Whether the mesh of a bone overlaps the object when its joint has a rotation (3, 3) and an origin (3,).
    """
    parents = question["parents"]
    arrays = {name: np.array(question[name]) for name in ("offsets", "zeros", "signs", "start", "end")}
    made = np.zeros(len(parents))
    free = np.array(question["moving"], dtype=bool)
    for step in range(1, STEPS + 1):
        made[free] = step
        turns, origins = _frames(parents, arrays, made / STEPS)
        for joint in np.flatnonzero(free).tolist():
            if touches(joint, turns[joint], origins[joint]):
                while joint >= 0:
                    free[joint] = False
                    joint = parents[joint]
    return [int(each) for each in made]


def _frames(parents: list[int], arrays: dict[str, np.ndarray], shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    angles = arrays["signs"] * (arrays["start"] + shares[:, None] * (arrays["end"] - arrays["start"]))
    turns, origins = np.empty((len(parents), 3, 3)), np.empty((len(parents), 3))
    for j, parent in enumerate(parents):
        local = arrays["zeros"][j] @ _about(0, angles[j, 0]) @ _about(1, angles[j, 1]) @ _about(2, angles[j, 2])
        if parent < 0:
            turns[j], origins[j] = local, arrays["offsets"][j]
        else:
            turns[j], origins[j] = turns[parent] @ local, origins[parent] + turns[parent] @ arrays["offsets"][j]
    return turns, origins


def _about(axis: int, angle: float) -> np.ndarray:
    turn = np.eye(3)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    turn[first, first] = turn[second, second] = np.cos(angle)
    turn[second, first] = np.sin(angle)
    turn[first, second] = -np.sin(angle)
    return turn
