# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF files read without Blender: by Khronos's validator, and place by place from their buffers."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

from launcher.environments import environments_folder
from launcher.errors import SetupError

VALIDATOR = "gltf-validator@2.0.0-dev.3.10"
_STAMP = "prehend-complete"
_MINUTES = 5
_SCRIPT = """
const validator = require("gltf-validator");
const fs = require("fs"), path = require("path");
const file = process.argv[1];
validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
  uri: path.basename(file),
  externalResourceFunction: (uri) => Promise.resolve(
    new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))))),
}).then((report) => console.log(JSON.stringify(report)), (error) => { console.error(error); process.exit(1); });
"""


def validate(path: Path) -> dict[str, Any]:
    """What the Khronos glTF validator says of a file.

    Raises:
        SetupError: There is no Node.js, or the validator could not be fetched.
    """
    folder = _ensure()
    done = _run(["node", "-e", _SCRIPT, str(path.absolute())], folder)
    return json.loads(done)


def _ensure() -> Path:
    """The folder that the validator is installed in, made when first needed."""
    folder = environments_folder() / "bench-gltf-validator"
    stamp = folder / _STAMP
    if stamp.is_file() and stamp.read_text() == VALIDATOR:
        return folder
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise SetupError(f"the glTF validator needs Node.js and there is no '{tool}' on PATH: install it.")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"private": true}\n')
        _run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", VALIDATOR], folder)
        stamp.write_text(VALIDATOR)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _run(command: list[str], folder: Path) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60 * _MINUTES)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"{command[0]} gave no answer: {error}") from error
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["it gave no reason"]
        raise SetupError(f"{command[0]} stopped: {last[0]}")
    return done.stdout


def read_places(path: Path) -> dict[str, Any]:
    """Animations of a .glb with where every node is at every key time, Z up in metres."""
    import numpy as np

    document, buffer = _chunks(path)
    nodes = document["nodes"]
    parents = [-1] * len(nodes)
    for number, node in enumerate(nodes):
        for child in node.get("children", []):
            parents[child] = number
    joints = sorted({joint for skin in document.get("skins", []) for joint in skin["joints"]})
    z_up = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    takes = []
    for animation in document.get("animations", []):
        tracks: dict[int, dict[str, Any]] = {}
        times = np.zeros(0)
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            keys = _accessor(document, buffer, sampler["input"])[:, 0]
            values = _accessor(document, buffer, sampler["output"])
            times = keys if len(keys) > len(times) else times
            tracks.setdefault(channel["target"]["node"], {})[channel["target"]["path"]] = (keys, values)
        places: dict[str, list[list[float]]] = {node.get("name", ""): [] for node in nodes}
        for time in times:
            done: dict[int, Any] = {}
            for number in range(len(nodes)):
                world = _world(number, nodes, parents, tracks, float(time), done)
                places[nodes[number].get("name", "")].append((z_up @ world[:3, 3]).tolist())
        takes.append({"name": animation.get("name", ""), "times": times.tolist(), "places": places})
    return {"bones": [nodes[joint]["name"] for joint in joints], "takes": takes}


def _chunks(path: Path) -> tuple[dict[str, Any], bytes]:
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[20 + length + 8 :]


def _accessor(document: dict[str, Any], buffer: bytes, number: int) -> Any:
    import numpy as np

    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    flat = np.frombuffer(buffer, dtype="<f4", count=accessor["count"] * width, offset=offset)
    return flat.reshape(-1, width).astype(np.float64)


def _world(
    number: int,
    nodes: list[Any],
    parents: list[int],
    tracks: dict[int, dict[str, Any]],
    time: float,
    done: dict[int, Any],
) -> Any:
    """A node in the world at a key time."""
    import numpy as np

    if number in done:
        return done[number]
    node, track = nodes[number], tracks.get(number, {})

    def value(path: str, key: str, usual: list[float]) -> Any:
        if path in track:
            keys, values = track[path]
            return values[int(np.argmin(np.abs(keys - time)))]
        return np.array(node.get(key, usual))

    x, y, z, w = value("rotation", "rotation", [0.0, 0.0, 0.0, 1.0])
    local = np.eye(4)
    local[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    local[:3, :3] *= value("scale", "scale", [1.0, 1.0, 1.0])
    local[:3, 3] = value("translation", "translation", [0.0, 0.0, 0.0])
    parent = parents[number]
    done[number] = _world(parent, nodes, parents, tracks, time, done) @ local if parent >= 0 else local
    return done[number]
