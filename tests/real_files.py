# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real rigs and tables that are not part of the project, for those who have them.

PREHEND_TEST_DATA names their folder: `assets/hands` with rigged hands, `assets/objects` with meshes, `rigs` with tables
of bone names. Tests that need one skip without it.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(os.environ.get("PREHEND_TEST_DATA") or "no folder given")
HANDS = FOLDER / "assets" / "hands"
RIG_TABLES = FOLDER / "rigs" / "bone_names.json"
WHY = "PREHEND_TEST_DATA names no folder with it"
