# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The turntable command: films and strips of what is in a folder, and sentences for what is not."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.processes import run_prehend
from tests.blender.test_animating import animate, held

TINY = ("--samples", "1", "--width", "48", "--frames", "2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bpy.ops.wm.read_homefile(use_empty=True)
    made = tmp_path_factory.mktemp("grasps in a folder")
    animate(held("gripper_2"))
    bpy.ops.wm.save_as_mainfile(filepath=str(made / "ball.blend"))
    return made


def test_turntable_writes_a_film_once(folder: Path) -> None:
    done = run_prehend("turntable", str(folder), *TINY)
    assert done.returncode == 0, done.stdout + done.stderr
    film = folder / "ball_turntable.mp4"
    # Every MP4 file names its brand in its first box.
    assert film.read_bytes()[4:8] == b"ftyp"
    size = film.stat().st_size
    again = run_prehend("turntable", str(folder), *TINY)
    assert again.returncode == 2
    assert "ball_turntable.mp4 exists: choose another --out, or add --overwrite" in again.stderr
    assert film.stat().st_size == size
    assert sorted(each.name for each in folder.iterdir() if each.suffix != ".png") == ["ball.blend", film.name]


@pytest.mark.long
def test_a_strip_shows_the_hand_coming(folder: Path) -> None:
    done = run_prehend("turntable", str(folder), "--strip", *TINY)
    assert done.returncode == 0, done.stdout + done.stderr
    image = bpy.data.images.load(str(folder / "ball_strip.png"))
    assert tuple(image.size) == (4 * 48, 2 * 36)
    pixels = np.array(image.pixels).reshape(72, 192, 4)
    first, held_one = pixels[36:, :48], pixels[36:, 144:]
    assert np.abs(first - held_one).mean() > 0.01


def test_folders_without_grasps_are_refused(tmp_path: Path) -> None:
    for path, sentence in ((tmp_path / "nowhere", "there is no folder"), (tmp_path, "holds no .blend files")):
        done = run_prehend("turntable", str(path))
        assert done.returncode == 2
        assert sentence in done.stderr
