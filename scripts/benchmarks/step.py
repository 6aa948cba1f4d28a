# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench step`: one step of the hook search, beside the published algorithm on Blender's tree and on python-fcl."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from launcher.errors import SetupError

from .report import Column, Report

if TYPE_CHECKING:
    from .step_scene import StepScene

HELP = "one search step (7 poses, 24 bones, 20 interpolations): time beside Blender's tree and python-fcl"

COLUMNS = (
    Column("name", "method"),
    Column("ms", "ms a step", ".2f"),
    Column("collision_ms", "tests ms", ".2f"),
    Column("tests", "tests", "d"),
    Column("same_percent", "same %"),
    Column("ratio", "times", ".1f"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How often, and whom to compare with."""
    parser.add_argument("--runs", type=int, default=200, help="times that a step is measured (default: 200)")
    parser.add_argument("--no-peers", action="store_true", help="leave python-fcl out, which has to be installed")


def run(options: argparse.Namespace) -> Report:
    """Every way on the same poses."""
    from .step_scene import as_question, build_scene

    if options.runs < 1:
        raise SetupError("--runs must be 1 or more.")
    scene = build_scene()
    bones = len(scene.problem.skin.hand.volumes.joints)
    title = f"Search step: 7 poses, {bones} bones, N = 20, 10 translations, {len(scene.triangles)} triangles"
    report = Report("step", title, COLUMNS)
    report.rows += own_rows(scene, options.runs)
    truth = literal_steps(scene)
    question = as_question(scene, runs=max(options.runs // 10, 1))
    report.rows += _blender_rows(question)
    if not options.no_peers:
        print("python-fcl ...", flush=True)
        report.rows.append(_fcl_row(question))
    for row in report.rows:
        if "ms" in row:
            row["ratio"] = row["ms"] / report.rows[0]["ms"]
            row["same_percent"] = agreement(row.pop("steps"), truth)
    report.notes += [
        "ms a step: shortest of the runs, hands placed, freed, closed and (Prehend) rated; tests ms: asking alone.",
        "same %: joints that stop within one interpolation of Prehend's slow twin on exact distances.",
        "The grid of distances is built beforehand, as are the others' trees.",
    ]
    return report


def own_rows(scene: StepScene, runs: int) -> list[dict[str, Any]]:
    """Prehend's step, and the way without skipping any interpolation."""
    from addon.solvers.search.hook_search import Evaluator

    from .step_scene import OPTIONS, SHOULDER

    points = 0
    distance = scene.problem.distance

    def counting(places: Any) -> Any:
        nonlocal points
        points += len(places)
        return distance(places)

    evaluator = Evaluator(scene.problem, scene.attempt, OPTIONS)
    best = _shortest(lambda: evaluator.best(scene.rotations, scene.start, SHOULDER), runs)
    _, closed, _ = evaluator.evaluate(scene.rotations, scene.start, SHOULDER)
    from dataclasses import replace

    counted = Evaluator(replace(scene.problem, distance=counting), scene.attempt, OPTIONS)
    counted.evaluate(scene.rotations, scene.start, SHOULDER)
    steps = (closed.reached * OPTIONS.interpolations).round().astype(int).tolist()
    return [{"name": "Prehend", "ms": 1e3 * best, "tests": points, "steps": steps}]


def literal_steps(scene: StepScene) -> list[list[int]]:
    """Where joints stop by the slow twin on exact distances."""
    from dataclasses import replace

    from addon.solvers.search.hook_search import Evaluator

    from .step_scene import OPTIONS, SHOULDER

    exact = replace(scene.problem, distance=scene.problem.precise)
    evaluator = Evaluator(exact, scene.attempt, replace(OPTIONS, closing="literal"))
    _, closed, _ = evaluator.evaluate(scene.rotations, scene.start, SHOULDER)
    return (closed.reached * OPTIONS.interpolations).round().astype(int).tolist()


def agreement(steps: list[list[int]], truth: list[list[int]]) -> float:
    """Per cent of joints that stop within one interpolation of where they should."""
    pairs = [
        abs(one - other) <= 1
        for row, right in zip(steps, truth, strict=True)
        for one, other in zip(row, right, strict=True)
    ]
    return 100.0 * sum(pairs) / len(pairs)


def _blender_rows(question: dict[str, Any]) -> list[dict[str, Any]]:
    from . import step_blender
    from .step_literal import LiteralStep

    rows: list[dict[str, Any]] = []
    for name, make in (
        ("published, BVHTree.find_nearest", step_blender.by_nearest),
        ("published, BVHTree.overlap", step_blender.by_overlap),
    ):
        print(f"{name} ...", flush=True)
        step = LiteralStep(question, make(question))
        whole, asking = step.seconds(question["runs"])
        rows.append(_row(name, whole, asking, len(step.queries), step.run()))
    return rows


def _fcl_row(question: dict[str, Any]) -> dict[str, Any]:
    from .peers import Peer, ask

    name = "published, python-fcl"
    try:
        answer = ask(Peer(name, "step_fcl.py", ("python-fcl", "numpy")), question)
    except SetupError as error:
        return {"name": name, "note": str(error)}
    return _row(name, answer["seconds"], answer["collision_seconds"], answer["tests"], answer["steps"])


def _row(name: str, whole: float, asking: float, tests: int, steps: list[list[int]]) -> dict[str, Any]:
    return {"name": name, "ms": 1e3 * whole, "collision_ms": 1e3 * asking, "tests": tests, "steps": steps}


def _shortest(work: Any, runs: int) -> float:
    best = float("inf")
    for _ in range(runs):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best
