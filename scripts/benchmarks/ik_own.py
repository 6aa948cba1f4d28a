# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prehend's own solvers on a set of targets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from addon.core.arrays import FloatArray
from addon.solvers import ccd, dls, table
from addon.solvers.chain import IkResult
from addon.solvers.closed_form import ClosedFormOptions, build_finger, pose_tip
from addon.solvers.closed_form_batch import solve_batch
from addon.solvers.linkage.coordinates import Coupling

from .ik_sets import COUPLING, Answer, TargetSet, best_time, from_columns


def closed_form(targets: TargetSet, options: ClosedFormOptions | None = None) -> Answer:
    """The default method, one at a time and all at once."""
    finger = build_finger(targets.chain, options)
    points = targets.targets.tolist()
    poses = [pose_tip(finger, *point) for point in points]
    single = best_time(lambda: [pose_tip(finger, x, y, z) for x, y, z in points])
    batched = best_time(lambda: solve_batch(finger, targets.targets))
    together = solve_batch(finger, targets.targets)
    # Both ways are judged: the worse of the two answers stands in for both.
    columns = np.array([pose[:4] for pose in poses])
    apart = np.abs(columns - together.angles).max(axis=1) > 1e-6
    columns[apart] = together.angles[apart]
    return Answer(targets, from_columns(columns), _us(single, targets), _us(batched, targets))


def closed_form_coupled(targets: TargetSet) -> Answer:
    """DIP tied to PIP exactly, which suits the coupled set only."""
    return closed_form(targets, ClosedFormOptions(exact_coupling=targets.coupled))


def damped_least_squares(targets: TargetSet) -> Answer:
    """Iterations with numpy."""
    options = dls.DlsOptions(couplings=_couplings(targets))
    return _one_by_one(targets, lambda point: dls.solve(targets.chain, point, options))


def coordinate_descent(targets: TargetSet) -> Answer:
    """Iterations in plain floats, damped least squares where they stick."""
    options = ccd.CcdOptions(couplings=_couplings(targets))
    return _one_by_one(targets, lambda point: ccd.solve(targets.chain, point, options))


def distance_table(targets: TargetSet) -> Answer:
    """Lookup by distance; the table is made beforehand."""
    options = table.TableOptions(coupled=targets.coupled)
    made = table.build_table(targets.chain, options)
    return _one_by_one(targets, lambda point: table.look_up(targets.chain, made, point, options))


SOLVERS: dict[str, Callable[[TargetSet], Answer]] = {
    "closed form": closed_form,
    "closed form, exact coupling": closed_form_coupled,
    "DLS": damped_least_squares,
    "CCD + DLS": coordinate_descent,
    "table": distance_table,
}


def _one_by_one(targets: TargetSet, solve: Callable[[FloatArray], IkResult]) -> Answer:
    results: list[Any] = []

    def work() -> None:
        results[:] = [solve(point) for point in targets.targets]

    seconds = best_time(work)
    return Answer(targets, np.array([each.angles for each in results]), _us(seconds, targets))


def _couplings(targets: TargetSet) -> tuple[Coupling, ...]:
    return (Coupling(driver=1, driven=2, ratio=COUPLING),) if targets.coupled else ()


def _us(seconds: float, targets: TargetSet) -> float:
    return 1e6 * seconds / len(targets.targets)
