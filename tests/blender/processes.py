# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fresh Blender processes of the same kind as the one that runs the tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpy

CHECKOUT = Path(__file__).resolve().parents[2]


def run_blender_code(code: str, **environ: str) -> Any:
    """Run code in a new Blender and give the value it passed to `result(...)`."""
    prelude = "import bpy, json\ndef result(value): print('RESULT' + json.dumps(value), flush=True)\n"
    if bpy.app.binary_path:
        command = [bpy.app.binary_path, "-b", "--factory-startup", "--python-expr", prelude + code]
    else:
        # Left at once, as some versions of the bpy module now and then do not end by themselves.
        command = [sys.executable, "-c", f"{prelude}{code}\nimport os\nos._exit(0)\n"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=600, env={**os.environ, **environ}
    )
    line = next((each for each in done.stdout.splitlines() if each.startswith("RESULT")), None)
    assert line is not None, done.stdout + done.stderr
    return json.loads(line.removeprefix("RESULT"))


def run_prehend(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run Prehend's command line in a new Blender process of the same kind."""
    script = str(CHECKOUT / "scripts" / "prehend.py")
    if bpy.app.binary_path:
        command = [bpy.app.binary_path, "-b", "--factory-startup", "-P", script, "--", *arguments]
    else:
        command = [sys.executable, script, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=600, env={**os.environ, **environ}
    )
