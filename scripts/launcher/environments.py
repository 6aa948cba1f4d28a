# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Virtual environments inside the checkout: made once, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .errors import SetupError
from .interpreters import find_python
from .wheels import Wheel

CHECKOUT = Path(__file__).resolve().parents[2]

_STAMP = "prehend-complete"
_BYTES_FOR_BLENDER = 1_600_000_000  # bpy 5.2 unpacked is 1.1 GB; pip keeps the wheel beside it while unpacking
_BYTES_FOR_TOOLS = 300_000_000


@dataclass(frozen=True)
class Environment:
    """What an environment is to hold."""

    name: str
    """Folder name below the environments' folder."""
    python: tuple[int, int]
    """Version of Python it is made with."""
    requirements: tuple[str, ...]
    """What pip installs, in one go."""
    bytes_needed: int = _BYTES_FOR_TOOLS
    """Free disk space that making it takes."""

    @property
    def folder(self) -> Path:
        """Where it lives."""
        return environments_folder() / self.name

    @property
    def executable(self) -> Path:
        """Its Python."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def stamp(self) -> str:
        """Changes whenever the environment has to be made anew."""
        return hashlib.sha256("\n".join([str(self.python), *self.requirements]).encode()).hexdigest()

    def is_ready(self) -> bool:
        """Whether it was made completely and for these requirements."""
        stamp = self.folder / _STAMP
        return self.executable.exists() and stamp.is_file() and stamp.read_text() == self.stamp


def blender_environment(wheel: Wheel) -> Environment:
    """The environment of one Blender wheel."""
    return Environment(f"bpy-{wheel.series}", wheel.python, (wheel.requirement,), bytes_needed=_BYTES_FOR_BLENDER)


def environments_folder() -> Path:
    """Folder of all environments: `.venv` in the checkout, or PREHEND_ENV_DIR."""
    return Path(os.environ.get("PREHEND_ENV_DIR") or CHECKOUT / ".venv").resolve()


def ensure(environment: Environment) -> Path:
    """Make the environment unless it is there, and give its Python.

    Raises:
        SetupError: No suitable Python, no space, no network, or a folder that cannot be written.
    """
    if environment.is_ready():
        return environment.executable
    python = find_python(environment.python)
    if python is None:
        wanted = ".".join(map(str, environment.python))
        raise SetupError(
            f"Python {wanted} is needed and none was found on PATH: install it (python.org, your system's package "
            f"manager, with its venv module) and run this again."
        )
    folder = environment.folder
    try:
        _remove(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        _check_space(environment)
        _create(environment, python)
        (folder / _STAMP).write_text(environment.stamp)
    except OSError as error:
        _remove(folder)
        raise SetupError(
            f"The environment folder {folder} cannot be written ({error.strerror or error}): make room there or set "
            f"PREHEND_ENV_DIR to another folder."
        ) from error
    except BaseException:
        _remove(folder)
        raise
    return environment.executable


def add_packages(environment: Environment, requirements: tuple[str, ...], *, target: Path | None = None) -> None:
    """Install more packages into a ready environment, or with its pip into a plain folder, unless they are there.

    Raises:
        SetupError: pip could not.
    """
    stamp = (target or environment.folder) / "prehend-added"
    wanted = "\n".join(requirements)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    try:
        _install(environment, (*requirements, *(["--target", str(target)] if target else [])))
        stamp.write_text(wanted)
    except BaseException:
        if target:
            _remove(target)
        raise


def _check_space(environment: Environment) -> None:
    free = shutil.disk_usage(environment.folder.parent).free
    if free < environment.bytes_needed:
        raise SetupError(
            f"{environment.folder.parent} has {free / 1e6:.0f} MB free and {environment.bytes_needed / 1e6:.0f} MB are "
            f"needed: make room there or set PREHEND_ENV_DIR to another folder."
        )


def _create(environment: Environment, python: Path) -> None:
    print(f"Making the environment {environment.name} (once, {', '.join(environment.requirements)}) ...", flush=True)
    _run([str(python), "-m", "venv", str(environment.folder)], f"Python at {python} cannot make an environment")
    _install(environment, environment.requirements)


def _install(environment: Environment, arguments: tuple[str, ...]) -> None:
    pip = [str(environment.executable), "-m", "pip", "--disable-pip-version-check", "install", "--no-input"]
    _run([*pip, *arguments], f"pip could not install {' '.join(arguments)}")


def _run(command: list[str], failure: str) -> None:
    # On a terminal pip's own progress bar shows; in a log it would only be noise.
    watch = sys.stdout.isatty()
    done = subprocess.run(
        command, stdout=None if watch else subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode == 0:
        return
    text = done.stderr.strip()
    if "No space left" in text:
        raise SetupError(f"{failure}: the disk is full; make room or set PREHEND_ENV_DIR to another folder.")
    if "No matching distribution" in text:
        raise SetupError(f"{failure}: there is no such package for this system, or the package index is out of reach.")
    errors = [line for line in text.splitlines() if line.startswith("ERROR")] or text.splitlines()[-1:]
    raise SetupError(f"{failure}: {errors[0] if errors else 'it gave no reason'}")


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder, ignore_errors=True)
