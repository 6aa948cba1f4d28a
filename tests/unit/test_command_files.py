# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are there already: commands refuse before any work, replace when asked to, and know their own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NoReturn

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from commands import demo
from commands.grasp import digest
from launcher import main, output
from launcher.errors import SetupError

RUNS = "it would run"
COMMANDS = {
    "grasp": (("--hand", "demo", "--object", "demo:mug"), "grasp.fbx", "grasp.png"),
    "poses": (("--random", "3", "--blend"), "poses.json", "poses.blend"),
    "demo": ((), "mug.fbx", "bottle.png"),
}


@pytest.fixture(autouse=True)
def _no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object) -> NoReturn:
        raise RuntimeError(RUNS)

    monkeypatch.setattr(main, "_has_blender", lambda: False)
    monkeypatch.setattr(main, "_run_in_environment", run)


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_exist_are_refused_unless_they_may_be_replaced(command: str, tmp_path: Path) -> None:
    options, *names = COMMANDS[command]
    arguments = [command, *options, "--out", str(tmp_path)]
    for number, name in enumerate(names):
        (tmp_path / "other.txt").write_text("mine")
        with pytest.raises(RuntimeError, match=RUNS):
            main._main([*arguments, *(("--overwrite",) if number else ())])
        (tmp_path / name).write_text("mine")
        more = " and 1 more exist:" if number else " exists:"
        with pytest.raises(SetupError, match=rf"{more} choose another --out, or add --overwrite"):
            main._main(arguments)
        assert (tmp_path / name).read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 1 + len(names)


@pytest.mark.parametrize(
    ("command", "name"),
    [("close --hand demo --object demo:mug --out", "closed.blend"), ("export HAND.blend --out", "hand.fbx")],
)
def test_one_file_that_exists_is_refused_too(command: str, name: str, tmp_path: Path) -> None:
    hand, out = tmp_path / "hand.blend", tmp_path / name
    hand.write_text("a hand")
    out.write_text("mine")
    arguments = [*command.replace("HAND.blend", str(hand)).split(), str(out)]
    with pytest.raises(SetupError, match=rf"{name} exists: choose another --out, or add --overwrite"):
        main._main(arguments)
    with pytest.raises(RuntimeError, match=RUNS):
        main._main([*arguments, "--overwrite"])


def test_a_picture_that_is_not_made_is_not_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "grasp.png").write_text("mine")
    with pytest.raises(RuntimeError, match=RUNS):
        main._main(["grasp", "--hand", "demo", "--object", "demo:mug", "--samples", "0", "--out", str(tmp_path)])


def test_the_demo_replaces_what_it_wrote_but_not_what_was_changed_since(tmp_path: Path) -> None:
    for prop in demo.PROPS:
        others = [tmp_path / f"{prop}.{ending}" for ending in ("blend", "fbx", "png")]
        for path in others:
            path.write_text(f"what the demo wrote to {path.name}")
        known = {path.name: digest(path) for path in others}
        (tmp_path / f"{prop}.json").write_text(json.dumps({"files": known}))
    with pytest.raises(RuntimeError, match=RUNS):
        main._main(["demo", "--out", str(tmp_path)])
    (tmp_path / "mug.blend").write_text("hours of work")
    with pytest.raises(SetupError, match=r"mug\.blend exists: choose another --out"):
        main._main(["demo", "--out", str(tmp_path)])
    (tmp_path / "mug.blend").unlink()
    (tmp_path / "bottle.json").write_text("my notes")
    with pytest.raises(SetupError, match=r"bottle\.blend and 3 more exist"):
        main._main(["demo", "--out", str(tmp_path)])


def test_staged_files_that_appear_meanwhile_are_not_replaced(tmp_path: Path) -> None:
    def write(overwrite: bool) -> None:
        with output.staged(tmp_path, overwrite=overwrite) as stage:
            (stage / "pictures").mkdir()
            (stage / "pictures" / "1.png").write_text("new")
            (stage / "a.txt").write_text("new")
            (tmp_path / "a.txt").write_text("mine")

    with pytest.raises(SetupError, match=r"a\.txt exists"):
        write(overwrite=False)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.txt", "mine")]
    write(overwrite=True)
    assert (tmp_path / "a.txt").read_text() == (tmp_path / "pictures" / "1.png").read_text() == "new"
