# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the weights of a mesh have changed: counted as Blender updates it, else read and compared.

Blender has no way to read weights in bulk, and one by one they take longer than all else that a model is looked up by.
"""

from __future__ import annotations

import zlib
from collections import Counter
from itertools import chain
from typing import Any

import bmesh
import bpy
import numpy as np
from bpy.app.handlers import persistent

_edits: Counter[int] = Counter()
"""Updates seen of each mesh, by its identity in this session."""
_known: dict[int, tuple[int, int]] = {}
"""Number of updates at which the weights of a mesh were last read, and their checksum."""


def watch_meshes() -> None:
    """Begin to count updates of meshes."""
    # Nobody has counted up to now.
    _known.clear()
    bpy.app.handlers.depsgraph_update_post.append(_count)


def stop_watching_meshes() -> None:
    """Undo `watch_meshes`."""
    bpy.app.handlers.depsgraph_update_post.remove(_count)
    _edits.clear()
    _known.clear()


def weights_checksum(obj: Any) -> int:
    """A number that changes with the weights of a mesh object's vertices.

    While nothing has happened to the mesh since it was last read, as updates tell, it is not read again. Meshes that
    nothing shows get no updates and are always read, and so are all of them while nobody watches.
    """
    uid, edits = obj.data.session_uid, _edits[obj.data.session_uid]
    if _is_watched(obj) and uid in _known and _known[uid][0] == edits:
        return _known[uid][1]
    found = _read_checksum(obj.data)
    _known[uid] = edits, found
    return found


def _is_watched(obj: Any) -> bool:
    """Whether every change of an object's mesh up to now has been counted."""
    if _count not in bpy.app.handlers.depsgraph_update_post:
        return False
    graphs = [layer.depsgraph for scene in bpy.data.scenes for layer in scene.view_layers]
    graphs = [graph for graph in graphs if graph is not None]
    # A change that waits for the next update has not been counted yet.
    if any(graph.id_type_updated("MESH") for graph in graphs):
        return False
    return any(obj.evaluated_get(graph).is_evaluated for graph in graphs)


def _read_checksum(mesh: Any) -> int:
    shape = bmesh.new()
    try:
        shape.from_mesh(mesh, face_normals=False, vertex_normals=False)
        layer = shape.verts.layers.deform.active
        if layer is None:
            return 0
        rows = [vertex[layer].items() for vertex in shape.verts]
    finally:
        shape.free()
    counts = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    values = np.fromiter(chain.from_iterable(chain.from_iterable(rows)), dtype=np.float64)
    return zlib.crc32(values.tobytes(), zlib.crc32(counts.tobytes()))


@persistent
def _count(scene: Any, depsgraph: Any) -> None:
    # Called at every step of an animation too, in which meshes as such do not change.
    if depsgraph.id_type_updated("MESH"):
        _edits.update(each.id.original.session_uid for each in depsgraph.updates if isinstance(each.id, bpy.types.Mesh))
