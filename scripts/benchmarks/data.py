# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of benchmarks on real hands and objects: where they are, and which cases to run."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from launcher.errors import SetupError

VARIABLE = "PREHEND_TEST_DATA"


def add_data(parser: argparse.ArgumentParser, *, objects: bool = True) -> None:
    """Add --data and --only."""
    holds = "assets/hands and assets/objects" if objects else "assets/hands"
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None,
        metavar="DIR",
        help=f"folder with {holds} (default: {VARIABLE})",
    )
    parser.add_argument("--only", metavar="WORD", help="only cases with this word in their name")


def check_data(options: argparse.Namespace) -> None:
    """See that the folder is there.

    Raises:
        SetupError: It is not.
    """
    if options.data is not None and not options.data.is_dir():
        raise SetupError(f"there is no folder {options.data}: check --data.")
