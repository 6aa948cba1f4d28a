# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line's own part: finding Pythons, making environments, refusing bad input in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "scripts"))

from launcher import environments, interpreters, libraries, output, testing  # noqa: E402 (after the path is set)
from launcher.environments import Environment, ensure  # noqa: E402
from launcher.errors import SetupError  # noqa: E402
from launcher.legs import Leg, Outcome, read_report  # noqa: E402
from launcher.main import choose_wheel, joined_numbers  # noqa: E402

THIS = sys.version_info[:2]


def run_cli(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    script = str(CHECKOUT / "scripts" / "prehend.py")
    return subprocess.run(
        [sys.executable, script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, **environ},
    )


def assert_one_sentence(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    for word in words:
        assert word in lines[0]


def test_an_unknown_command_names_the_commands() -> None:
    assert_one_sentence(run_cli("grab"), "'grab'", "demo", "build")


def test_an_unknown_option_points_to_help() -> None:
    assert_one_sentence(run_cli("demo", "--colour"), "--colour", "--help")


def test_no_command_points_to_help() -> None:
    assert_one_sentence(run_cli(), "COMMAND", "--help")


def test_a_missing_file_is_told_before_any_work(tmp_path: Path) -> None:
    done = run_cli("detect", str(tmp_path / "no.fbx"), PREHEND_ENV_DIR=str(tmp_path / "env"))
    assert_one_sentence(done, "no.fbx", "check the path")
    assert not (tmp_path / "env").exists()


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["--hook", "-0.1,0,0"], ["--hook=-0.1,0,0"]),
        (["--hook", "-.1,0,0", "--json"], ["--hook=-.1,0,0", "--json"]),
        (["--carry-along", "-1,0,0;0,0,1"], ["--carry-along=-1,0,0;0,0,1"]),
        (["--hook=-0.1,0,0", "--seed", "-1"], ["--hook=-0.1,0,0", "--seed", "-1"]),
        (["--json", "-o", "a,b"], ["--json", "-o", "a,b"]),
        (["-1,0,0"], ["-1,0,0"]),
    ],
)
def test_places_may_begin_with_a_minus(given: list[str], read: list[str]) -> None:
    assert joined_numbers(given) == read


def test_help_lists_the_commands() -> None:
    done = run_cli("--help")
    assert done.returncode == 0
    assert "demo" in done.stdout
    assert "build" in done.stdout


def test_an_output_folder_that_is_a_file_is_refused_before_any_work(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("mine")
    done = run_cli("demo", "--out", str(blocked / "demo"), PREHEND_ENV_DIR=str(tmp_path / "env"))
    assert_one_sentence(done, "is a file, not a folder")
    assert blocked.read_text() == "mine"
    assert not (tmp_path / "env").exists()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that even root cannot write")
def test_a_read_only_output_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    done = run_cli("demo", "--out", "/proc/self/demo", PREHEND_ENV_DIR=str(tmp_path / "env"))
    assert_one_sentence(done, "cannot be written", "--out")
    assert not (tmp_path / "env").exists()


def test_a_full_disk_is_told_before_anything_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREHEND_ENV_DIR", str(tmp_path))
    monkeypatch.setattr(environments.shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000_000))
    with pytest.raises(SetupError, match=r"5 MB free and 300 MB are needed"):
        ensure(Environment("tiny", THIS, ()))
    assert list(tmp_path.iterdir()) == []


def test_an_environment_that_fails_half_way_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREHEND_ENV_DIR", str(tmp_path))
    with pytest.raises(SetupError, match="pip could not install"):
        ensure(Environment("broken", THIS, (f"{tmp_path}/no-such-package.whl",)))
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_during_the_install_is_told_as_such() -> None:
    failing = "import sys; sys.exit('ERROR: Could not install packages: [Errno 28] No space left on device')"
    with pytest.raises(SetupError, match="the disk is full"):
        environments._run([sys.executable, "-c", failing], "pip could not install x")


def test_an_environment_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREHEND_ENV_DIR", str(tmp_path))
    made = Environment("empty", THIS, ())
    monkeypatch.setattr(environments, "_install", lambda *_: None)
    python = ensure(made)
    assert subprocess.run([str(python), "-c", "pass"], check=False).returncode == 0
    monkeypatch.setattr(environments, "_create", lambda *_: pytest.fail("made twice"))
    assert ensure(made) == python
    assert not Environment("empty", THIS, ("numpy",)).is_ready()


def test_find_python_passes_over_a_shim_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.name == "nt":
        pytest.skip("writes a shell script")
    shims = tmp_path / "shims"
    shims.mkdir()
    shim = shims / "python3.99"
    shim.write_text("#!/bin/sh\necho 'command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(shims))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert interpreters.find_python((3, 99)) is None
    real = tmp_path / "python3.98"
    real.write_text(f"#!/bin/sh\necho 3 98\necho {real}\n")
    real.chmod(0o755)
    (shims / "python3.98").symlink_to(shim)
    monkeypatch.setenv("PATH", f"{shims}{os.pathsep}{tmp_path}")
    assert interpreters.find_python((3, 98)) == real


def test_a_missing_library_is_named_with_what_to_install() -> None:
    text = "ImportError: libXi.so.6: cannot open shared object file: No such file or directory"
    sentence = libraries.explain(text)
    assert "libXi.so.6" in sentence
    assert "apt-get install" in sentence
    assert "libxi6" in sentence


def test_an_unknown_failure_of_blender_is_passed_on() -> None:
    assert "boom" in libraries.explain("Traceback\nImportError: boom")


def test_staged_output_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "out" / "demo"
    with output.staged(target) as stage:
        (stage / "a.txt").write_text("a")
        assert not (target / "a.txt").exists()
    assert [each.name for each in target.iterdir()] == ["a.txt"]


def test_staged_output_of_a_failure_is_gone(tmp_path: Path) -> None:
    def fail() -> None:
        with output.staged(tmp_path / "out" / "demo") as stage:
            (stage / "a.txt").write_text("a")
            raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_staged_output_keeps_what_was_there_when_it_fails(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    def fail() -> None:
        with output.staged(tmp_path) as stage:
            (stage / "mine.txt").write_text("other")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("mine.txt", "mine")]


def test_report_counts(tmp_path: Path) -> None:
    path = tmp_path / "r.xml"
    path.write_text('<testsuites><testsuite tests="10" failures="1" errors="2" skipped="3"/></testsuites>')
    found = read_report(path)
    assert (found.passed, found.failed, found.skipped) == (4, 3, 3)
    assert read_report(tmp_path / "none.xml").passed == 0


@pytest.mark.parametrize(
    ("arguments", "legs", "extra"),
    [
        ([], ["unit", f"wheel {choose_wheel(None).series}"], []),
        (["--wheel", "5.2"], ["unit", "wheel 5.2"], []),
        (["--wheel", "5.2", "--brief", "-x"], ["wheel 5.2"], ["-m", "not long", "-x"]),
        (["--wheel", "all", "--brief"], ["wheel 4.2", "wheel 4.5", "wheel 5.0", "wheel 5.2"], ["-m", "not long"]),
    ],
)
def test_brief_runs_leave_out_what_tells_little_of_blender(
    arguments: list[str], legs: list[str], extra: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[str, list[str]]] = []

    def run_leg(leg: Leg, extra: list[str], *, capture: bool) -> Outcome:
        ran.append((leg.name, extra))
        return Outcome(passed=1)

    monkeypatch.setattr(testing, "run_leg", run_leg)
    monkeypatch.setattr(sys, "argv", ["test.py", *arguments])
    assert testing.main() == 0
    assert ran == [(leg, extra) for leg in legs]
