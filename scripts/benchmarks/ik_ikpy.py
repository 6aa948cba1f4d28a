# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in ikpy's own environment: a finger and targets in, angles and time out, as JSON."""

from __future__ import annotations

import json
import sys
import time
import warnings

import numpy as np
from ikpy.chain import Chain  # pyright: ignore[reportMissingImports]
from ikpy.link import OriginLink, URDFLink  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Solve and print."""
    warnings.simplefilter("ignore")
    question = json.load(sys.stdin)
    pp, ip, dp = question["lengths_m"]
    joints = (("mcp", 0.0, (1, 0, 0)), ("abduction", 0.0, (0, 1, 0)), ("pip", pp, (1, 0, 0)), ("dip", ip, (1, 0, 0)))
    links = [
        URDFLink(name, origin_translation=[0, 0, along], origin_orientation=[0, 0, 0], rotation=axis, bounds=bounds)
        for (name, along, axis), bounds in zip(joints, question["limits_rad"], strict=True)
    ]
    tip = URDFLink("tip", [0, 0, dp], [0, 0, 0], joint_type="fixed")
    chain = Chain([OriginLink(), *links, tip], active_links_mask=[False, True, True, True, True, False])
    start = np.array([0.0, *question["start_rad"], 0.0])
    targets = np.array(question["targets_m"])
    begun = time.process_time()
    found = [chain.inverse_kinematics(point, initial_position=start)[1:5] for point in targets]
    seconds = time.process_time() - begun
    print(json.dumps({"angles_rad": np.array(found).tolist(), "us_per_solve": 1e6 * seconds / len(targets)}))


if __name__ == "__main__":
    main()
