# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published search step on python-fcl: capsules against a triangle mesh. Reads JSON, prints JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import fcl  # pyright: ignore[reportMissingImports]
import numpy as np
from step_literal import LiteralStep  # pyright: ignore[reportMissingImports]


def main() -> None:
    """One step."""
    question = json.load(sys.stdin)
    mesh = fcl.BVHModel()
    vertices, triangles = np.array(question["vertices"]), np.array(question["triangles"])
    mesh.beginModel(len(triangles), len(vertices))
    mesh.addSubModel(vertices, triangles)
    mesh.endModel()
    thing = fcl.CollisionObject(mesh)
    capsules = []
    for (start, end), radius in zip(np.array(question["ends"]), question["radii"], strict=True):
        span = end - start
        length = float(np.linalg.norm(span))
        capsules.append((fcl.CollisionObject(fcl.Capsule(radius, length)), _upright(span / length), (start + end) / 2))
    request = fcl.CollisionRequest()

    def touches(bone: int, frame: Any) -> bool:
        capsule, turn, middle = capsules[bone]
        turned = frame[:3, :3]
        capsule.setTransform(fcl.Transform(turned @ turn, turned @ middle + frame[:3, 3]))
        return fcl.collide(capsule, thing, request, fcl.CollisionResult()) > 0

    step = LiteralStep(question, touches)
    whole, asking = step.seconds(question["runs"])
    print(json.dumps({"steps": step.run(), "seconds": whole, "collision_seconds": asking, "tests": len(step.queries)}))


def _upright(z: Any) -> Any:
    """A frame with its z axis along a direction."""
    other = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(other, z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


if __name__ == "__main__":
    main()
