# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`build`: the extension's zip, made and validated by Blender's own tool."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from launcher.environments import CHECKOUT
from launcher.errors import SetupError
from launcher.output import check_folder

HELP = "build dist/prehend-<version>.zip, the installable extension"
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the zip goes."""
    parser.add_argument("--out", type=Path, default=CHECKOUT / "dist", help="folder for the zip (default: dist)")


def check(options: argparse.Namespace) -> None:
    """See that the folder can be written."""
    check_folder(options.out)


def run(options: argparse.Namespace) -> None:
    """Stage manifest and addon in one folder, build, validate, and only then put the zip in place."""
    import tomllib  # not in the older Pythons that may read this module to parse arguments

    version = tomllib.loads((CHECKOUT / "blender_manifest.toml").read_text(encoding="utf-8"))["version"]
    target = options.out / f"prehend-{version}.zip"
    with tempfile.TemporaryDirectory() as folder:
        stage, built = Path(folder) / "prehend", Path(folder) / target.name
        shutil.copytree(CHECKOUT / "addon", stage, ignore=_LEFT_OUT)
        for name in ("blender_manifest.toml", "LICENSE"):
            shutil.copy(CHECKOUT / name, stage)
        _blender_extension("build", f"--source-dir={stage}", f"--output-filepath={built}")
        _blender_extension("validate", str(built))
        options.out.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, target)
    print(f"Built and validated {target} ({target.stat().st_size / 1024:.0f} kB)")


def _blender_extension(*arguments: str) -> None:
    """Run Blender's extension tool, which comes with every Blender as a plain script."""
    import bpy

    tool = Path(bpy.utils.system_resource("SCRIPTS")) / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
    done = subprocess.run([sys.executable, str(tool), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetupError(f"Blender's extension tool refused to {arguments[0]}: {(done.stdout + done.stderr).strip()}")
