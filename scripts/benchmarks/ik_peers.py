# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solvers from the package index on a set of targets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .ik_sets import LENGTHS, LIMITS_DEG, Answer, TargetSet, from_columns
from .peers import Peer, ask

PEERS = (
    Peer("ikpy", "ik_ikpy.py", ("ikpy==3.*",), most=200),
    Peer("roboticstoolbox ik_LM", "ik_roboticstoolbox.py", ("roboticstoolbox-python>=1.1,<2",)),
)


def solve_by_peer(peer: Peer, targets: TargetSet) -> Answer:
    """The peer's poses of the set's targets.

    Raises:
        SetupError: It could not be installed or gave no answer.
    """
    targets = replace(targets, targets=targets.targets[: peer.most])
    question = {
        "lengths_m": LENGTHS,
        "limits_rad": np.radians(LIMITS_DEG).tolist(),
        "start_rad": targets.start,
        "targets_m": targets.targets.tolist(),
    }
    answer = ask(peer, question)
    return Answer(targets, from_columns(np.array(answer["angles_rad"], dtype=np.float64)), answer["us_per_solve"])
