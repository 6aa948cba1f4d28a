# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The windowed part of `bench follow`: its table from known figures, sizes of windows, and what is no Blender."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from benchmarks.follow_window import Dragged, drag, parse_window, without_pixels
from launcher.errors import SetupError


def dragged(width: int, seconds: dict[str, float]) -> Dragged:
    rest = {"own_seconds": 0.004, "solve_seconds": 0.002, "drawings": 1.0}
    return Dragged(
        {
            "ways": {way: {"seconds": each, "processor_seconds": 2.0 * each, **rest} for way, each in seconds.items()},
            "view": [width, 100],
            "evaluate_seconds": [0.012, 0.011],
        },
        0,
    )


def test_an_update_is_shared_out_without_remainder() -> None:
    row = dragged(400, {"still": 0.01, "alone": 0.02, "follow": 0.025}).row("follow")
    assert row["per_second"] == pytest.approx(40.0)
    assert row["draw_ms"] + row["blender_ms"] + row["prehend_ms"] == pytest.approx(row["ms"])  # pyright: ignore
    assert (row["blender_ms"], row["solver_ms"]) == (pytest.approx(12.0), pytest.approx(2.0))
    assert row["ratio"] == pytest.approx(1.25)


def test_where_nothing_bends_nothing_is_evaluated() -> None:
    row = dragged(400, {"still": 0.01, "alone": 0.02, "follow": 0.025}).row("still")
    assert row["blender_ms"] == 0.0


def test_without_pixels_what_does_not_grow_with_them_is_left() -> None:
    drags = [dragged(width, {"follow": 0.015 + 1e-6 * 100 * width}) for width in (300, 600, 900)]
    assert without_pixels(drags, "follow") == pytest.approx(0.03)


def test_sizes_of_windows() -> None:
    assert parse_window("1280x800") == (1280, 800)
    for text in ("1280", "axb", "1280x800x2", "100x800", "-640x480"):
        with pytest.raises(SetupError, match="--window must be"):
            parse_window(text)


def test_what_is_no_blender_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="is not a Blender executable"):
        drag(tmp_path / "nothing", (640, 480), rounds=1, vertices=0)
