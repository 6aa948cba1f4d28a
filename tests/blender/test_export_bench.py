# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the export benchmark exports is there and moves, without the tools that read the files."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))


def test_the_scene_of_the_export_benchmark_moves_and_is_written(tmp_path: Path) -> None:
    from benchmarks.export import export, make_scene, record

    armature, prop = make_scene(6)
    wanted = record(armature, prop, 6)
    assert set(wanted["places"]) > {prop.name, "index.distal.R"}
    assert all(len(each) == 6 for each in wanted["places"].values())
    assert np.ptp(wanted["places"][prop.name][:, 2]) > 0.2
    assert np.ptp(wanted["places"]["index.distal.R"], axis=0).max() > 0.2
    export(armature, prop, tmp_path / "hand.fbx", "unity")
    assert (tmp_path / "hand.fbx").stat().st_size > 10_000
