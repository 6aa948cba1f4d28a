# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bench command: its judge, its table, its own solvers on a few targets, and bad input."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from test_launcher import assert_one_sentence, run_cli

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "scripts"))

from benchmarks import ik_own, ik_peers, peers  # noqa: E402 (after the path is set)
from benchmarks.ik_sets import LIMITS_DEG, Answer, from_columns, judge, make_set  # noqa: E402
from benchmarks.report import Column, Report  # noqa: E402
from launcher.errors import SetupError  # noqa: E402


def test_no_benchmark_and_an_unwritable_file_are_refused(tmp_path: Path) -> None:
    assert_one_sentence(run_cli("bench"), "BENCH", "--help")
    assert_one_sentence(run_cli("bench", "speed"), "speed", "ik")
    (tmp_path / "file").write_text("mine")
    done = run_cli("bench", "ik", "--json", str(tmp_path / "file" / "a.json"), PREHEND_ENV_DIR=str(tmp_path / "env"))
    assert_one_sentence(done, "is a file, not a folder", "--json")
    assert not (tmp_path / "env").exists()


@pytest.mark.parametrize("coupled", [False, True])
def test_sets_are_the_same_every_time_and_tips_of_poses_within_limits(coupled: bool) -> None:
    first, second = make_set(50, coupled=coupled), make_set(50, coupled=coupled)
    assert (first.targets == second.targets).all()
    assert (np.linalg.norm(first.targets, axis=1) <= first.chain.reach).all()


@pytest.mark.parametrize("coupled", [False, True])
@pytest.mark.parametrize("name", list(ik_own.SOLVERS))
def test_own_solvers_clear_the_bar_on_a_few_targets(name: str, coupled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_once(work: Callable[[], object]) -> float:
        work()
        return 1.0

    monkeypatch.setattr(ik_own, "best_time", run_once)
    verdict = judge(ik_own.SOLVERS[name](make_set(15, coupled=coupled)))
    assert verdict.success_percent == 100.0
    assert verdict.limits_broken == 0
    if name.startswith("closed form"):
        assert verdict.worst_mm <= 0.01


def test_the_judge_counts_missed_targets_and_broken_limits() -> None:
    targets = make_set(40, coupled=False)
    columns = np.array([np.radians([10.0, 0.0, 20.0, 20.0])] * 40)
    assert judge(Answer(targets, from_columns(columns), 1.0)).success_percent == 0.0
    good = ik_own.closed_form(targets)
    assert judge(good).success_percent == 100.0
    broken = np.array(good.angles)
    broken[:10, 1, 0] = np.radians(LIMITS_DEG[2][1] + 0.1)
    verdict = judge(Answer(targets, broken, 1.0))
    assert (verdict.limits_broken, verdict.success_percent) == (10, 75.0)
    lost = np.array(good.angles)
    lost[0] = np.nan
    assert judge(Answer(targets, lost, 1.0)).success_percent == pytest.approx(97.5)


def test_the_table_shows_figures_and_reasons() -> None:
    report = Report("x", "Title", (Column("name", "method"), Column("us", "us", ".2f")), notes=["Note."])
    report.rows += [{"name": "a", "us": 1.234}, {"name": "b", "note": "could not be installed."}]
    assert report.text().splitlines()[-4:] == ["a       1.23", "b          -  could not be installed.", "", "Note."]
    assert json.loads(report.json())["rows"] == report.rows


def test_a_peer_that_fails_says_so_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "ensure", lambda _: Path(sys.executable))
    broken = peers.Peer("broken", "__init__.py", ())
    with pytest.raises(SetupError, match="broken stopped"):
        peers.ask(broken, {})


def test_a_slow_peer_gets_fewer_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def answer(_: object, question: dict) -> dict:
        asked.append(len(question["targets_m"]))
        return {"angles_rad": [[0.0] * 4] * asked[-1], "us_per_solve": 1.0}

    monkeypatch.setattr(ik_peers, "ask", answer)
    ik_peers.solve_by_peer(peers.Peer("slow", "x.py", (), most=7), make_set(20, coupled=False))
    assert asked == [7]
