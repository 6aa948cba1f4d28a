# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in roboticstoolbox's own environment: a finger and targets in, angles and time out, as JSON."""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from roboticstoolbox import ET  # pyright: ignore[reportMissingImports]

POSITION_ONLY = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
ENERGY = 1e-12
"""Half of the squared error in [m^2] at which it stops: 1.4 um, well below what counts as reached."""


def main() -> None:
    """Solve and print."""
    question = json.load(sys.stdin)
    pp, ip, dp = question["lengths_m"]
    mcp, abduction, pip, dip = question["limits_rad"]
    finger = ET.Rx(qlim=mcp) * ET.Ry(qlim=abduction) * ET.tz(pp) * ET.Rx(qlim=pip) * ET.tz(ip)
    finger = finger * ET.Rx(qlim=dip) * ET.tz(dp)
    start = np.array(question["start_rad"])
    poses = [np.block([[np.eye(3), np.array([p]).T], [np.zeros((1, 3)), 1.0]]) for p in question["targets_m"]]
    best, found = float("inf"), []
    for _ in range(5):
        begun = time.process_time()
        found = [
            finger.ik_LM(pose, q0=start, mask=POSITION_ONLY, tol=ENERGY, joint_limits=True, slimit=100)[0]
            for pose in poses
        ]
        best = min(best, time.process_time() - begun)
    # Joints that turn without limits between them are given by whole turns too.
    angles = (np.array(found) + np.pi) % (2.0 * np.pi) - np.pi
    print(json.dumps({"angles_rad": angles.tolist(), "us_per_solve": 1e6 * best / len(poses)}))


if __name__ == "__main__":
    main()
