# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the demo hand takes to close on a ball, alone, in batches, and by the literal algorithm elsewhere."""

from __future__ import annotations

import time
from typing import Any

import bpy
import numpy as np
from launcher.errors import SetupError
from launcher.output import quiet
from mathutils.bvhtree import BVHTree

from addon.core.articulation import joint_frames
from addon.core.rotations import matrix_from_axis_angle
from addon.hands.model import HandModel
from addon.rig.read import read_pose
from addon.rig.surface import WorldTriangles, read_placed, read_triangles
from addon.services.closing import CloseRequest, close_fingers, open_hand, plan, scene_of, without
from addon.services.closing_hands import closing_skin
from addon.services.facing import face_palm
from addon.services.posture import model_of
from addon.services.surfaces import WorldSurface, forget_surfaces, surface_of
from addon.solvers.closing import USUAL, Movement, close
from addon.solvers.surface import build_surface

from .close_cases import HandCase, demo_loader, hand_of
from .close_literal import close_literally
from .peers import Peer, ask

FCL = Peer("python-fcl", "close_fcl.py", ("python-fcl>=0.7,<0.8", "numpy"))
REQUEST = CloseRequest(movement="power_sphere")
RADIUS = 0.0365
RINGS = (51, 317)
"""Rings, and meridians, of the balls: 5 100 and 200 344 triangles."""
BATCH = 64
_REPEATS = 5


def speed_rows() -> list[dict[str, Any]]:
    """Rows of the table: own, in batches, and the literal algorithm on two other collision libraries."""
    rows: list[dict[str, Any]] = []
    for rings in RINGS:
        with quiet():
            armature, hand, prop, layer = _scene(rings)
        count = sum(len(face.vertices) - 2 for face in prop.data.polygons)
        label = f"{count:,} triangles".replace(",", " ")
        print(f"{label} ...", flush=True)
        face_palm(armature, hand, prop, REQUEST, view_layer=layer)
        first = _timed(armature, hand, prop, layer, fresh=True)
        again = _timed(armature, hand, prop, layer, fresh=False)
        rows.append({"name": f"Close Fingers, {label}", "first_ms": first, "again_ms": again, "ratio": 1.0})
        surface = surface_of(prop, layer.depsgraph)
        rows.append({"name": f"whole surface with all of its grid, {label}", "first_ms": _surface_ms(prop, layer)})
        open_hand(armature, hand, REQUEST, view_layer=layer)
        model = model_of(armature, hand, objects=without(prop, layer.objects))
        movement = plan(model, read_pose(armature, model), REQUEST)
        batch = _batch_ms(model, movement, surface)
        rows.append({"name": f"{BATCH} wrist poses in one call, {label}", "again_ms": batch, "ratio": batch / again})
        rows += [
            {
                "name": f"{name}, {label}",
                **figures,
                "ratio": figures["again_ms"] / again if "again_ms" in figures else None,
            }
            for name, figures in _literal(_question(model, movement, read_triangles(prop, layer.depsgraph)))
        ]
    return rows


def _scene(rings: int) -> tuple[Any, Any, Any, Any]:
    case = HandCase("demo", demo_loader("R"), "R")
    case.load()
    armature, hand = hand_of(case)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=rings, ring_count=rings, radius=RADIUS)
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    context.view_layer.update()
    return armature, hand, context.object, context.view_layer


def _timed(armature: Any, hand: Any, prop: Any, layer: Any, *, fresh: bool) -> float:
    """Best milliseconds of the processor from click to pose."""
    seconds: list[float] = []
    for _ in range(_REPEATS if fresh else 3 * _REPEATS):
        open_hand(armature, hand, REQUEST, view_layer=layer)
        if fresh:
            forget_surfaces()
        begun = time.process_time()
        close_fingers(armature, hand, prop, REQUEST, view_layer=layer)
        seconds.append(time.process_time() - begun)
    return 1e3 * min(seconds)


def _surface_ms(prop: Any, layer: Any) -> float:
    """Best milliseconds of the processor for a surface with every node and cell of its grid measured."""
    placed = read_placed(prop, layer.depsgraph)
    seconds: list[float] = []
    for _ in range(3):
        begun = time.process_time()
        grid = build_surface(placed.vertices, placed.triangles).grid
        _ = grid.values, grid.doubtful
        seconds.append(time.process_time() - begun)
    return 1e3 * min(seconds)


def _batch_ms(model: HandModel, movement: Movement, surface: WorldSurface) -> float:
    """Best milliseconds of the processor for closing at many wrist poses round the one that faces the object."""
    rng = np.random.default_rng(0)
    wrists = np.repeat(movement.wrists, BATCH, axis=0)
    middle = surface.T_world_frame[:3, 3]
    for wrist in wrists:
        axis = rng.normal(size=3)
        turn = matrix_from_axis_angle(axis / np.linalg.norm(axis), 0.3 * rng.normal())
        wrist[:, :3] = turn @ wrist[:, :3]
        wrist[:, 3] = turn @ (wrist[:, 3] - middle) + middle
    many = Movement(
        np.repeat(movement.start, BATCH, axis=0), np.repeat(movement.end, BATCH, axis=0), wrists, movement.fingers
    )
    seconds: list[float] = []
    for _ in range(_REPEATS):
        begun = time.process_time()
        close(closing_skin(model), many, scene_of(surface, REQUEST.depth), model.limits.ranges, ways=USUAL, fine=False)
        seconds.append(time.process_time() - begun)
    return 1e3 * min(seconds)


def _question(model: HandModel, movement: Movement, thing: WorldTriangles) -> dict[str, Any]:
    """The hand as rigid bone meshes, and the object, in the hand's frame."""
    turn, origin = movement.wrists[0, :, :3], movement.wrists[0, :, 3]
    skin = model.skin
    assert skin is not None
    rest = joint_frames(model.articulation, model.rest_angles)
    owners = skin.joints[np.arange(len(skin.points)), np.argmax(skin.weights, axis=1)]
    bones: list[dict[str, Any]] = []
    for j in range(len(model.names)):
        mine = skin.points[owners == j]
        bones.append(_hull((mine - rest.origins[j]) @ rest.rotations[j]) if len(mine) > 4 else _EMPTY)
    return {
        "parents": model.parents.tolist(),
        "offsets": model.offsets.tolist(),
        "zeros": model.zeros.tolist(),
        "signs": model.signs.tolist(),
        "start": movement.start[0].tolist(),
        "end": movement.end[0].tolist(),
        "moving": movement.fingers[model.finger_of].tolist(),
        "bones": bones,
        "object": {
            "vertices": ((thing.vertices - origin) @ turn).tolist(),
            "triangles": thing.triangles.tolist(),
        },
        "repeats": _REPEATS,
    }


_EMPTY: dict[str, Any] = {"vertices": [], "triangles": []}


def _hull(points: np.ndarray) -> dict[str, Any]:
    """The convex hull of a bone's skin as a mesh."""
    import bmesh

    shape = bmesh.new()
    for point in points:
        shape.verts.new(point.tolist())
    found = bmesh.ops.convex_hull(shape, input=list(shape.verts), use_existing_faces=False)
    inner = {each for each in (*found["geom_interior"], *found["geom_unused"]) if isinstance(each, bmesh.types.BMVert)}
    bmesh.ops.delete(shape, geom=list(inner), context="VERTS")
    bmesh.ops.triangulate(shape, faces=list(shape.faces))
    shape.verts.index_update()
    mesh = {
        "vertices": [vertex.co.to_tuple() for vertex in shape.verts],
        "triangles": [[vertex.index for vertex in face.verts] for face in shape.faces],
    }
    shape.free()
    return mesh


def _literal(question: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Name and figures of the literal algorithm on each library."""
    found: list[tuple[str, dict[str, Any]]] = [("literal, 20 steps, mathutils BVH", _mathutils(question))]
    try:
        answer = ask(FCL, question)
        found.append(
            (
                "literal, 20 steps, python-fcl",
                {"first_ms": answer["setup_ms"] + answer["ms"], "again_ms": answer["ms"]},
            )
        )
    except SetupError as error:
        found.append(("literal, 20 steps, python-fcl", {"note": str(error)}))
    return found


def _mathutils(question: dict[str, Any]) -> dict[str, Any]:
    thing = question["object"]
    begun = time.process_time()
    tree = BVHTree.FromPolygons(thing["vertices"], thing["triangles"])
    setup = time.process_time() - begun
    bones = [(np.array(bone["vertices"]), bone["triangles"]) for bone in question["bones"]]

    def touches(joint: int, turn: np.ndarray, origin: np.ndarray) -> bool:
        vertices, triangles = bones[joint]
        if not triangles:
            return False
        # Its trees cannot be moved: each posture needs new ones.
        moved = (vertices @ turn.T + origin).tolist()
        return bool(BVHTree.FromPolygons(moved, triangles).overlap(tree))

    seconds: list[float] = []
    for _ in range(question["repeats"]):
        begun = time.process_time()
        close_literally(question, touches)
        seconds.append(time.process_time() - begun)
    return {"first_ms": 1e3 * (setup + min(seconds)), "again_ms": 1e3 * min(seconds)}
