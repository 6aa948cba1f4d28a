# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges of a grasp that know nothing of how it was found: Bullet, and a hull of contact wrenches. JSON in, JSON out.

The way that papers on grasps of people's hands measure: the hand is a static mesh, the object weighs 1 kg, is made of
convex parts by V-HACD and falls for 35 steps of 1/240 s, here in each of six directions.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pybullet  # pyright: ignore[reportMissingImports]
import trimesh  # pyright: ignore[reportMissingImports]
from scipy.spatial import ConvexHull, QhullError  # pyright: ignore[reportMissingImports]

STEPS, RATE = 35, 240
GRAVITY = 9.81
PATCH = 0.025
"""Size in [m] of the patches that the hand is cut into: Bullet keeps no more than four contacts of two bodies, which of
a whole hand is fewer than it has fingers."""
CONTACT = 5e-4
"""Skin nearer than this in [m] is a contact."""
FINE = 1.5e-3
"""Longest edge in [m] of the skin that is looked at."""
CELLS = 1_000_000
"""V-HACD's resolution, as published."""
CONVEX = 0.99
"""Solids that fill more than this of their hulls are convex."""
FRICTION = 0.6
"""Of skin on most things. Published simulations have 3 for both bodies, which multiplies to 9."""
CONTACTS, CONE_EDGES = 32, 8


def main() -> None:
    """Judge one grasp."""
    question = json.load(sys.stdin)
    hand = trimesh.Trimesh(question["hand"]["vertices"], question["hand"]["triangles"], process=False)
    thing = trimesh.Trimesh(question["object"]["vertices"], question["object"]["triangles"], process=False)
    folder = Path(question["folder"])
    hand = near_part(hand, thing)
    points, normals = contacts(hand, thing)
    answer = {
        "contacts": len(points),
        "epsilon": epsilon(points, normals, thing.bounds),
        "displacements_cm": displacements(hand, thing, folder),
    }
    print(json.dumps(answer))


def near_part(hand: Any, thing: Any) -> Any:
    """Triangles of a hand within 3 cm of an object's box, so that characters cost no more than hands."""
    low, high = thing.bounds
    corners = hand.vertices[hand.faces]
    near = ((corners.max(axis=1) > low - 0.03) & (corners.min(axis=1) < high + 0.03)).all(axis=1)
    return hand.submesh([np.flatnonzero(near)], append=True) if near.any() else hand


def contacts(hand: Any, thing: Any) -> tuple[Any, Any]:
    """Places on the object (c, 3) that skin touches, spread out, and the object's normals there (c, 3)."""
    low, high = thing.bounds
    corners = hand.vertices[hand.faces]
    near = ((corners.max(axis=1) > low - CONTACT) & (corners.min(axis=1) < high + CONTACT)).all(axis=1)
    if not near.any():
        return np.zeros((0, 3)), np.zeros((0, 3))
    vertices, _ = trimesh.remesh.subdivide_to_size(hand.vertices, hand.faces[near], FINE, max_iter=12)
    found, away, faces = trimesh.proximity.closest_point(thing, np.unique(vertices.round(7), axis=0))
    touching = away < CONTACT
    found, normals = found[touching], thing.face_normals[faces[touching]]
    rows = spread(found, CONTACTS)
    return found[rows], normals[rows]


def spread(points: Any, count: int) -> list[int]:
    """Rows of points that are far apart, the first first."""
    if not len(points):
        return []
    rows = [0]
    away = np.linalg.norm(points - points[0], axis=1)
    while len(rows) < min(count, len(points)) and away.max() > 1e-6:
        rows.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(points - points[rows[-1]], axis=1))
    return rows


def epsilon(points: Any, normals: Any, bounds: Any) -> float:
    """Smallest offset of a facet of the hull of all contact wrenches, 0 where the origin is not inside."""
    if len(points) < 2:
        return 0.0
    centre, radius = bounds.mean(axis=0), 0.5 * np.linalg.norm(bounds[1] - bounds[0])
    wrenches = []
    for point, normal in zip(points, -normals, strict=True):
        across = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
        across /= np.linalg.norm(across)
        other = np.cross(normal, across)
        for turn in np.linspace(0.0, 2.0 * np.pi, CONE_EDGES, endpoint=False):
            force = normal + FRICTION * (np.cos(turn) * across + np.sin(turn) * other)
            wrenches.append(np.concatenate([force, np.cross(point - centre, force) / radius]))
    try:
        hull = ConvexHull(np.array(wrenches))
    except QhullError:
        return 0.0
    return max(0.0, float(-hull.equations[:, -1].max()))


def displacements(hand: Any, thing: Any, folder: Path) -> list[float]:
    """How far the object's middle moves in [cm] when it falls along -z, z, -y, y, -x and x."""
    client = pybullet.connect(pybullet.DIRECT)
    try:
        skin, parts = patches(hand, folder), convex_parts(thing, folder)
        start = thing.bounds.mean(axis=0)
        return [fall(skin, parts, start, way) for way in np.vstack([np.diag([-1, -1, -1])[::-1], np.eye(3)[::-1]])]
    finally:
        pybullet.disconnect(client)


def convex_parts(thing: Any, folder: Path) -> Path:
    """A file of the object's convex parts about its middle, kept for other hands."""
    middle = thing.bounds.mean(axis=0)
    # Rounded, as the same object read in another place differs in its last bits.
    shape = np.round(thing.vertices - middle, 6) + 0.0
    parts = folder / f"{hashlib.sha256(shape.tobytes()).hexdigest()[:16]}.obj"
    if not parts.exists():
        whole = folder / "whole.obj"
        solid = trimesh.Trimesh(shape, thing.faces)
        if abs(solid.volume) > CONVEX * solid.convex_hull.volume:
            # V-HACD's cells would only blur what is one convex part already.
            solid.convex_hull.export(parts)
        else:
            solid.export(whole)
            pybullet.vhacd(str(whole), str(parts), str(folder / "vhacd.log"), concavity=0.0025, resolution=CELLS)
    return parts


def patches(hand: Any, folder: Path) -> list[Path]:
    """Files of the hand's skin, cut up."""
    cells = np.floor(hand.triangles_center / PATCH).astype(int)
    _, numbers = np.unique(cells, axis=0, return_inverse=True)
    files: list[Path] = []
    for number in range(int(numbers.max()) + 1):
        files.append(folder / f"hand_{number}.obj")
        hand.submesh([np.flatnonzero(numbers.ravel() == number)], append=True).export(files[-1])
    return files


def fall(skin: list[Path], parts: Path, start: Any, way: Any) -> float:
    """How far the object goes in [cm] when it is pulled one way."""
    pybullet.resetSimulation()
    pybullet.setPhysicsEngineParameter(numSolverIterations=150, fixedTimeStep=1.0 / RATE)
    pybullet.setGravity(*(GRAVITY * np.asarray(way, dtype=float)))
    loose = pybullet.createCollisionShape(pybullet.GEOM_MESH, fileName=str(parts))
    body = pybullet.createMultiBody(1.0, loose, basePosition=start.tolist())
    # Bullet multiplies what two bodies have.
    pybullet.changeDynamics(body, -1, lateralFriction=1.0, restitution=0.0)
    for path in skin:
        fixed = pybullet.createCollisionShape(
            pybullet.GEOM_MESH, fileName=str(path), flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH
        )
        hand = pybullet.createMultiBody(0.0, fixed)
        pybullet.changeDynamics(hand, -1, lateralFriction=FRICTION, restitution=0.0)
    for _ in range(STEPS):
        pybullet.stepSimulation()
    return 100.0 * float(np.linalg.norm(np.array(pybullet.getBasePositionAndOrientation(body)[0]) - start))


if __name__ == "__main__":
    main()
