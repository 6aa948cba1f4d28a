#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the linters and the type checker in an environment of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from launcher.environments import CHECKOUT, Environment, ensure
from launcher.errors import BAD_INPUT, SetupError

PACKAGES = (
    "ruff==0.14.*",
    "pyright==1.1.414",
    "fake-bpy-module-5.0==20260730",
    "numpy>=1.26",
    "pytest>=8",
    "hypothesis>=6.100",
    "mss>=10.2",
)
CHECKS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("pyright",),
)


def main() -> int:
    """0 when all checks are clean."""
    try:
        python = ensure(Environment("lint", (3, 11), PACKAGES))
    except SetupError as error:
        print(f"check: {error}", file=sys.stderr)
        return BAD_INPUT
    failed = False
    for module, *arguments in CHECKS:
        print(f"=== {module} {' '.join(arguments)}", flush=True)
        # pyright would otherwise look for packages in whatever Python comes first on PATH.
        here = ("--pythonpath", str(python)) if module == "pyright" else ()
        command = [str(python), "-m", module, *arguments, *here]
        failed |= subprocess.run(command, cwd=CHECKOUT, check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
