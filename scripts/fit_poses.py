#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves the fingers of poses on the demo hand until what shall touch touches and nothing goes into anything.

A pose's file says what touches (`contacts`); the angles in it are where the search begins, and it stays near them. Run
it with the Python of an environment that has Blender, whose trees are fast; without --write the result is only shown:

    .venv/bpy-4.5/bin/python scripts/fit_poses.py asl_t asl_m --free thumb index --write
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy  # noqa: F401 (outside Blender, mathutils comes with it)
import numpy as np
from mathutils.bvhtree import BVHTree

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from addon.hands.poses import pose_angles, pose_from_angles  # noqa: E402 (after the path is set)
from addon.presets.poses import Pose, load_poses  # noqa: E402
from addon.services.pose_previews import preview_hand  # noqa: E402
from addon.solvers.self_overlap import CREASE, PALM, cut_skin, own_depths  # noqa: E402

FOLDER = CHECKOUT / "addon" / "presets" / "poses"
GAP = 0.25
"""Gap in [mm] that is as good as none."""
FAR = 3.0
"""Gap in [mm] beyond which coming nearer counts evenly."""
DEEP_COST, GAP_COST, CHANGE_COST = 2.0, 12.0, 0.6
"""What a square millimetre of depth of one vertex, of a gap, and a change as large as `NEAR` squared, cost."""
NEAR = 8.0
"""Angle in [deg] by which joints are expected to change."""


class Skin:
    """The demo hand's skin, and how it lies in itself: by nearest faces, which is fast and right but at cuts."""

    def __init__(self) -> None:
        self.hand = preview_hand()
        model, skin = self.hand.model, self.hand.model.skin
        assert skin is not None
        free = np.array([kind not in ("metacarpal", "carpometacarpal") for kind in model.kinds])
        part = np.where((skin.owners >= 0) & free[skin.owners], model.finger_of[skin.owners], PALM)
        self.parts = cut_skin(skin.points, self.hand.triangles, part)
        ways = self.parts.from_border
        self.cut = {p: ways.min(axis=0) if p == PALM else ways[p] for p in range(PALM, len(ways))}
        self.faces = {p: self._local(self.hand.triangles[self.parts.owner == p]) for p in self.cut}

    def depths(self, points: np.ndarray) -> Iterator[float]:
        """How deep in [mm] vertices of fingers lie in other parts."""
        boxes = {p: (points[rows].min(axis=0), points[rows].max(axis=0)) for p, (rows, _) in self.faces.items()}
        trees: dict[int, BVHTree] = {}
        for a in range(len(self.parts.from_border)):
            rows = np.flatnonzero(self.parts.part == a)
            for b, (low, high) in boxes.items():
                near = rows[((points[rows] > low) & (points[rows] < high)).all(axis=1)] if a != b else rows[:0]
                if len(near) and b not in trees:
                    trees[b] = self._tree(points, *self.faces[b])
                for i in near.tolist():
                    depth = self._depth(points, i, trees[b], a, b)
                    if depth > 0.0:
                        yield depth

    def gap(self, points: np.ndarray, first: str, second: str) -> float:
        """Smallest distance in [mm] between two parts named as in contacts."""
        others = np.zeros(len(points), dtype=np.bool_)
        others[self.hand.vertices_of(second)] = True
        rows, faces = self._local(self.hand.triangles[others[self.hand.triangles].sum(axis=1) >= 2])
        tree, best = self._tree(points, rows, faces), 1.0
        mine = points[self.hand.vertices_of(first)]
        low, high = points[rows].min(axis=0), points[rows].max(axis=0)
        lower = np.linalg.norm(np.maximum(np.maximum(low - mine, mine - high), 0.0), axis=1)
        for i in np.argsort(lower).tolist():
            if lower[i] >= best:
                break
            distance = tree.find_nearest(mine[i].tolist())[3]
            best = min(best, np.inf if distance is None else distance)
        return 1e3 * best

    def _depth(self, points: np.ndarray, i: int, tree: BVHTree, a: int, b: int) -> float:
        place, normal, face, distance = tree.find_nearest(points[i].tolist(), 0.012)
        if place is None or face is None or distance is None:
            return 0.0
        rows, faces = self.faces[b]
        end = rows[faces[face][0]]
        way = self.parts.from_border[a]
        # Next to a cut the nearest face does not tell inside from outside, and folds of knuckles do not count.
        if self.cut[b][end] < 4e-3 or way[i] + way[end] <= CREASE:
            return 0.0
        return 1e3 * distance if float(np.dot(points[i] - np.array(place), np.array(normal))) < 0.0 else 0.0

    @staticmethod
    def _local(faces: np.ndarray) -> tuple[np.ndarray, list[list[int]]]:
        rows, index = np.unique(faces, return_inverse=True)
        return rows, index.reshape(-1, 3).tolist()

    @staticmethod
    def _tree(points: np.ndarray, rows: np.ndarray, faces: list[list[int]]) -> BVHTree:
        tree = BVHTree.FromPolygons(points[rows].tolist(), faces, all_triangles=True)
        assert tree is not None
        return tree


def fit(skin: Skin, pose: Pose, free: list[str], *, generations: int, seed: int) -> np.ndarray:
    """Angles in [rad] of the fitted pose. Shape (m, 3).

    Args:
        skin: The hand.
        pose: Where to begin, and what touches.
        free: Fingers that may move; several joined by "+" move alike as well as each by itself.
        generations: How long to search.
        seed: What chance begins with.
    """
    model = skin.hand.model
    start = pose_angles(model, pose)
    groups = [[model.joints(name) for name in each.split("+")] for each in free]
    moves = [([chain[place] for chain in group], 0) for group in groups for place in range(3)]
    moves += [([chain[place]], 0) for group in groups if len(group) > 1 for chain in group for place in range(2)]
    moves += [([group[0][0]], 1) for group in groups if len(group) == 1]

    def posture(x: np.ndarray) -> np.ndarray:
        angles = start.copy()
        for (joints, channel), value in zip(moves, x, strict=True):
            angles[joints, channel] += np.radians(value)
        return np.clip(angles, model.limits.ranges[..., 0], model.limits.ranges[..., 1])

    def cost(x: np.ndarray) -> float:
        points = skin.hand.skin(posture(x))
        total = DEEP_COST * sum(depth**2 for depth in skin.depths(points))
        for first, second in pose.contacts:
            gap = skin.gap(points, first, second)
            total += GAP_COST * max(min(gap, FAR) - GAP, 0.0) ** 2 + 30.0 * max(gap - FAR, 0.0)
        return float(total + CHANGE_COST * np.sum((x / NEAR) ** 2))

    best = minimise(cost, len(moves), generations=generations, rng=np.random.default_rng(seed))
    return np.radians(np.degrees(posture(best)).round(1))


def minimise(
    cost: Callable[[np.ndarray], float], n: int, *, generations: int, rng: np.random.Generator, count: int = 12
) -> np.ndarray:
    """The best place found from 0 by a search that learns in which directions to look. Shape (n,).

    N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016, with its default numbers.
    """
    half = count // 2
    weights = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
    weights /= weights.sum()
    mass = 1.0 / np.sum(weights**2)
    c_path, c_step = 4.0 / (n + 4.0), (mass + 2.0) / (n + mass + 5.0)
    c_one = 2.0 / ((n + 1.3) ** 2 + mass)
    c_many = min(1.0 - c_one, 2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0) ** 2 + mass))
    usual = np.sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n))
    mean, step, spread = np.zeros(n), 0.6 * NEAR, np.eye(n)
    path, step_path = np.zeros(n), np.zeros(n)
    best = (cost(mean), mean)
    for _ in range(generations):
        values, axes = np.linalg.eigh(spread)
        lengths = np.sqrt(np.maximum(values, 1e-12))
        steps = (rng.standard_normal((count, n)) * lengths) @ axes.T
        costs = np.array([cost(mean + step * each) for each in steps])
        order = np.argsort(costs)
        if costs[order[0]] < best[0]:
            best = (float(costs[order[0]]), mean + step * steps[order[0]])
        chosen = steps[order[:half]]
        way = weights @ chosen
        mean = mean + step * way
        step_path = (1.0 - c_step) * step_path + np.sqrt(c_step * (2.0 - c_step) * mass) * (
            axes @ ((axes.T @ way) / lengths)
        )
        path = (1.0 - c_path) * path + np.sqrt(c_path * (2.0 - c_path) * mass) * way
        spread = (1.0 - c_one - c_many) * spread + c_one * np.outer(path, path)
        spread += c_many * np.einsum("k,ki,kj->ij", weights, chosen, chosen)
        step *= float(np.exp(c_step / (1.0 + c_step) * (np.linalg.norm(step_path) / usual - 1.0)))
        if step * lengths.max() < 0.1:
            break
    return best[1]


def write(key: str, angles: np.ndarray, skin: Skin) -> None:
    """Replace the fingers in a pose's file."""
    path = FOLDER / f"{key}.toml"
    head = path.read_text(encoding="utf-8").partition("\n[fingers]")[0]
    lines = ["", "[fingers]"]
    for finger, each in pose_from_angles(skin.hand.model, angles).items():
        parts = [f"flexion_deg = [{', '.join(f'{value:g}' for value in each.flexion_deg)}]"]
        parts += [f"abduction_deg = [{each.abduction_deg[0]:g}]"] if each.abduction_deg else []
        lines.append(f"{finger} = {{ {', '.join(parts)} }}")
    path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Fit the named poses one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("keys", nargs="+", choices=list(load_poses()), metavar="KEY")
    parser.add_argument("--free", nargs="+", default=["thumb"], help="fingers that move, such as thumb index+middle")
    parser.add_argument("--generations", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="replace the angles in the poses' files")
    options = parser.parse_args()
    skin = Skin()
    for key in options.keys:
        pose = load_poses()[key]
        angles = fit(skin, pose, options.free, generations=options.generations, seed=options.seed)
        points = skin.hand.skin(angles)
        deepest = 1e3 * float(own_depths(skin.parts, points).max())
        gaps = [f"{first} {second} {skin.gap(points, first, second):.2f}" for first, second in pose.contacts]
        print(f"{key}: {deepest:.2f} mm deep; gaps in mm: {', '.join(gaps) or 'none asked for'}", flush=True)
        if options.write:
            write(key, angles, skin)


if __name__ == "__main__":
    main()
    # Blender as a module may wait for ever in its own clean-up.
    sys.stdout.flush()
    os._exit(0)
