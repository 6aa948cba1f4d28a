# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments that say how grasps are looked for: by our own search, or by the published one."""

from __future__ import annotations

import argparse
import math
from typing import Any

from launcher.errors import SetupError

RANDOM = "random"


def add_method(parser: argparse.ArgumentParser) -> None:
    """Add --search and what of the published search is used."""
    parser.add_argument(
        "--search",
        choices=("usual", "hook"),
        default="usual",
        help="how it is looked for: our own search, or the published one round a hook (default: usual)",
    )
    parser.add_argument("--step-poses", type=int, choices=(7, 3), default=7, help="hook: poses of a step (default: 7)")
    parser.add_argument(
        "--step-angle-deg", default="10", metavar="A", help="hook: turn of a step, or random (default: 10)"
    )
    parser.add_argument(
        "--first-guess",
        type=int,
        default=0,
        metavar="N",
        help="hook: angles about each axis that the first pose is sought among (default: 0, as the arm comes)",
    )


def check_method(options: argparse.Namespace) -> None:
    """See that the numbers make sense.

    Raises:
        SetupError: They do not.
    """
    if options.step_angle_deg != RANDOM:
        try:
            options.step_angle_deg = float(options.step_angle_deg)
        except ValueError as error:
            raise SetupError("--step-angle-deg must be a number of degrees or random.") from error
        if not 1.0 <= options.step_angle_deg <= 180.0:
            raise SetupError("--step-angle-deg must be between 1 and 180.")
    if not 0 <= options.first_guess <= 12:
        raise SetupError("--first-guess must be between 0 and 12.")


def published_search(options: argparse.Namespace) -> Any:
    """What of the published search is used; None for our own."""
    from addon.solvers.search import HookSearch

    if options.search != "hook":
        return None
    random = options.step_angle_deg == RANDOM
    return HookSearch(
        step="seven" if options.step_poses == 7 else "three",
        angle=None if random else math.radians(options.step_angle_deg),
        approximate=options.first_guess,
    )
