#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the whole suite: unit tests without Blender, then the Blender tests on the Blender wheel.

python3 scripts/test.py                     unit tests, and Blender tests on the newest LTS wheel
python3 scripts/test.py --wheel all         ... on every wheel that a Python on this machine fits
python3 scripts/test.py --blender PATH      the Blender tests inside that Blender, through pytest-blender
python3 scripts/test.py --gui PATH          the window tests with that Blender
python3 scripts/test.py --wheel 5.2 --brief what may differ between Blenders, once the whole suite passed in one
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from launcher.testing import main

if __name__ == "__main__":
    sys.exit(main())
