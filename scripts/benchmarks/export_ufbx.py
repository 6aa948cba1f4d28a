# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in ufbx's own environment: an FBX file in, its takes, bones, key times and places out, as JSON.

ufbx itself brings the file to Z up and metres, from the axes and the unit that the file claims.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np
import ufbx  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Read and print."""
    question = json.load(sys.stdin)
    scene = ufbx.load_file(question["path"], target_axes=ufbx.axes_right_handed_z_up, target_unit_meters=1.0)
    stacks = _list(scene.anim_stacks)
    nodes = _list(scene.nodes)
    names = [node.name for node in nodes]
    parents = [names.index(node.parent.name) if node.parent is not None else -1 for node in nodes]
    bones = [name for name, node in zip(names, nodes, strict=True) if node.bone is not None]
    curves = [_list(curve.keyframes) for curve in _list(scene.anim_curves)]
    takes = []
    for stack in stacks:
        times = sorted({key.time for keys in curves for key in keys})
        times = [time for time in times if stack.time_begin - 1e-9 <= time <= stack.time_end + 1e-9]
        places: dict[str, list[list[float]]] = {name: [] for name in names}
        for time in times:
            worlds: list[Any] = []
            for name, node, parent in zip(names, nodes, parents, strict=True):
                local = _matrix(ufbx.evaluate_transform(stack.anim, node, time))
                worlds.append(worlds[parent] @ local if parent >= 0 else local)
                places[name].append(worlds[-1][:3, 3].tolist())
        takes.append({"name": stack.name, "times": times, "places": places})
    # Whether bones are the children of one node that is neither turned nor scaled.
    carriers = [node for node in nodes if node.bone is None and node.parent is not None]
    offsets = [
        float(np.abs(_matrix(node.local_transform)[:3, :3] - np.eye(3)).max()) for node in carriers if not node.mesh
    ]
    answer = {
        "fps": scene.settings.frames_per_second,
        "bones": bones,
        "nodes": [name for name in names if name],
        "takes": takes,
        "carrier_offset": max(offsets, default=0.0),
        "vertices": {node.name: node.mesh.num_vertices for node in nodes if node.mesh is not None},
    }
    print(json.dumps(answer), flush=True)
    # The bindings crash now and then when Python takes their objects down.
    os._exit(0)


def _list(items: Any) -> list[Any]:
    return [items[k] for k in range(len(items))]


def _matrix(transform: Any) -> Any:
    w, x, y, z = (getattr(transform.rotation, name) for name in "wxyz")
    result = np.eye(4)
    result[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    result[:3, :3] *= [transform.scale.x, transform.scale.y, transform.scale.z]
    result[:3, 3] = transform.translation.x, transform.translation.y, transform.translation.z
    return result


if __name__ == "__main__":
    main()
