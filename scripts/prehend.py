#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prehend's command line.

With plain Python it makes its own environment with Blender as a Python package and starts itself there:

    python3 scripts/prehend.py demo

It also runs inside an installed Blender:

    blender -b -P scripts/prehend.py -- demo
"""

from __future__ import annotations

import sys
from pathlib import Path

# Blender runs this file as text, and the environments hold no copy of the project: both need the way home.
for _folder in (Path(__file__).resolve().parent, Path(__file__).resolve().parents[1]):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

if sys.version_info < (3, 9):  # noqa: UP036 (the oldest that can read the modules below)
    sys.stderr.write("prehend: start this with Python 3.9 or newer; for Blender itself it needs 3.11 or 3.13.\n")
    sys.exit(2)

from launcher.main import leave, main  # noqa: E402 (after the path is set)

if __name__ == "__main__":
    leave(main())
