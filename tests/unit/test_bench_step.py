# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The step benchmark: what others are given is the same step, and Prehend's own is right."""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from benchmarks import peers, step
from benchmarks.step_literal import LiteralStep
from benchmarks.step_scene import OPTIONS, StepScene, as_question, build_scene
from launcher.errors import SetupError


@cache
def scene() -> StepScene:
    return build_scene()


def test_the_step_is_the_one_that_is_announced() -> None:
    hand = scene().problem.skin.hand
    assert len(hand.volumes.joints) == 24
    assert len(scene().rotations) == 7
    assert len(scene().triangles) == 5040
    assert OPTIONS.interpolations == 20


def test_others_are_given_the_same_step() -> None:
    question = as_question(scene(), runs=1)
    ends, radii = np.array(question["ends"]), question["radii"]
    along = np.linspace(0.0, 1.0, question["samples"])[:, None]

    def touches(bone: int, frame: Any) -> bool:
        start, end = ends[bone]
        points = (start + along * (end - start)) @ frame[:3, :3].T + frame[:3, 3]
        return bool((scene().problem.distance(points) <= radii[bone]).any())

    published = LiteralStep(question, touches).run()
    own = step.own_rows(scene(), 1)[0]["steps"]
    assert step.agreement(own, published) == 100.0
    # They do close on something, and not at once.
    assert 0 < np.mean(np.array(own) < 20) < 1
    assert np.min(own) > 0


def test_agreement_counts_joints_within_one_interpolation() -> None:
    assert step.agreement([[5, 6, 7, 9]], [[5, 5, 8, 5]]) == 75.0


def test_no_runs_are_refused() -> None:
    with pytest.raises(SetupError, match="--runs"):
        step.run(Namespace(runs=0, no_peers=True))


def test_a_library_that_cannot_be_installed_is_a_row_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise SetupError("No network.")

    monkeypatch.setattr(peers, "ask", fail)
    assert step._fcl_row({}) == {"name": "published, python-fcl", "note": "No network."}
