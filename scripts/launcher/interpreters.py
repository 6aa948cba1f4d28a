# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds a Python of a wanted version on this machine."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_PROBE = "import sys, venv, ensurepip; print(*sys.version_info[:2]); print(sys.executable)"


def _version_name(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def _candidates(version: tuple[int, int]) -> Iterator[list[str]]:
    name = _version_name(version)
    yield [sys.executable]
    for command in (f"python{name}", "python3", "python"):
        # Every folder of PATH counts, not only the first that has the name: that one may be a shim that refuses.
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            found = shutil.which(command, path=folder) if folder else None
            if found:
                yield [found]
    if shutil.which("py"):  # the launcher that Python's installer for Windows brings
        yield ["py", f"-{name}"]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for folder in sorted(pyenv.glob(f"{name}*"), reverse=True):
        yield [str(folder / "python.exe" if os.name == "nt" else folder / "bin" / "python")]


def _probe(command: list[str], version: tuple[int, int]) -> Path | None:
    try:
        done = subprocess.run([*command, "-c", _PROBE], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.splitlines()
    if done.returncode != 0 or len(lines) != 2 or lines[0] != f"{version[0]} {version[1]}":
        return None
    return Path(lines[1])


@functools.cache
def find_python(version: tuple[int, int]) -> Path | None:
    """An interpreter of exactly that minor version that can make environments, or None.

    A command that exists but does not run, as a version manager's shim without that version, is passed over.
    """
    tried: set[str] = set()
    for command in _candidates(version):
        key = " ".join(command)
        if key not in tried:
            tried.add(key)
            found = _probe(command, version)
            if found is not None:
                return found
    return None
