# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in usd-core's own environment: a stage in, its frames, joints and places out, as JSON, Z up in metres."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from pxr import Usd, UsdGeom, UsdSkel  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Read and print."""
    question = json.load(sys.stdin)
    stage = Usd.Stage.Open(question["path"])
    unit = UsdGeom.GetStageMetersPerUnit(stage)
    turn = np.eye(4)
    if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y:
        turn[1:3, 1:3] = [[0.0, -1.0], [1.0, 0.0]]
    frames = list(range(round(stage.GetStartTimeCode()), round(stage.GetEndTimeCode()) + 1))
    skeletons = [UsdSkel.Skeleton(prim) for prim in stage.Traverse() if prim.IsA(UsdSkel.Skeleton)]
    meshes = [prim for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    joints: list[str] = []
    places: dict[str, list[list[float]]] = {}
    keyed = 0
    cache = UsdSkel.Cache()
    for skeleton in skeletons:
        query = cache.GetSkelQuery(skeleton)
        names = [str(name).rsplit("/", 1)[-1] for name in query.GetJointOrder()]
        joints += names
        keyed = max(keyed, len(query.GetAnimQuery().GetJointTransformTimeSamples()) if query.GetAnimQuery() else 0)
        for frame in frames:
            time = Usd.TimeCode(frame)
            world = np.array(UsdGeom.Xformable(skeleton).ComputeLocalToWorldTransform(time)).T
            for name, matrix in zip(names, query.ComputeJointSkelTransforms(time), strict=True):
                _add(places, name, turn @ world @ np.array(matrix).T, unit)
    for prim in meshes:
        parent = prim.GetParent()
        for frame in frames:
            time = Usd.TimeCode(frame)
            _add(
                places,
                parent.GetName(),
                turn @ np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(time)).T,
                unit,
            )
    answer = {
        "fps": stage.GetTimeCodesPerSecond(),
        "frames": frames,
        "keyed": keyed,
        "unit_m": unit,
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "bones": joints,
        "meshes": [prim.GetParent().GetName() for prim in meshes],
        "places": places,
    }
    print(json.dumps(answer))


def _add(places: dict[str, list[list[float]]], name: str, matrix: Any, unit: float) -> None:
    places.setdefault(name, []).append((unit * matrix[:3, 3]).tolist())


if __name__ == "__main__":
    main()
