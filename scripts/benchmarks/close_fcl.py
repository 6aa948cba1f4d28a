# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in python-fcl's own environment: bone meshes, an object and a movement in, steps and time out, as JSON."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import fcl  # pyright: ignore[reportMissingImports]
import numpy as np
from close_literal import close_literally  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Close and print."""
    question = json.load(sys.stdin)
    begun = time.process_time()
    thing = fcl.CollisionObject(_model(question["object"]))
    setup = time.process_time() - begun
    bones = [fcl.CollisionObject(_model(bone)) if bone["triangles"] else None for bone in question["bones"]]

    def touches(joint: int, turn: np.ndarray, origin: np.ndarray) -> bool:
        bone = bones[joint]
        if bone is None:
            return False
        bone.setTransform(fcl.Transform(turn, origin))
        return bool(fcl.collide(bone, thing, fcl.CollisionRequest(), fcl.CollisionResult()))

    seconds = []
    for _ in range(question["repeats"]):
        begun = time.process_time()
        steps = close_literally(question, touches)
        seconds.append(time.process_time() - begun)
    print(json.dumps({"steps": steps, "setup_ms": 1e3 * setup, "ms": 1e3 * min(seconds)}))


def _model(mesh: dict[str, Any]) -> Any:
    vertices, triangles = np.array(mesh["vertices"]), np.array(mesh["triangles"])
    model = fcl.BVHModel()
    model.beginModel(len(vertices), len(triangles))
    model.addSubModel(vertices, triangles)
    model.endModel()
    return model


if __name__ == "__main__":
    main()
