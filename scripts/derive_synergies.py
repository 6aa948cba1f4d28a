#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes addon/presets/synergies/basis.toml from the movements and poses that there are.

.venv/unit-3.11/bin/python scripts/derive_synergies.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from addon.core.handmap import FINGER_NAMES  # noqa: E402 (after the path is set)
from addon.presets.movements import load_movements  # noqa: E402
from addon.presets.poses import FingerAngles, load_poses  # noqa: E402

PATH = CHECKOUT / "addon" / "presets" / "synergies" / "basis.toml"
KEPT = 6
HEADER = """# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by scripts/derive_synergies.py; see README.md.
schema_version = 1
source = "Principal components of Prehend's own movements and poses"
license = "GPL-3.0-or-later"
"""


def posture_row(fingers: dict[str, FingerAngles]) -> list[float]:
    """Three flexions and one abduction of each finger in [deg]. Length 20."""
    row: list[float] = []
    for name in FINGER_NAMES:
        angles = fingers.get(name, FingerAngles())
        row += [*(*angles.flexion_deg, 0.0, 0.0, 0.0)[:3], (*angles.abduction_deg, 0.0)[0]]
    return row


def gather() -> np.ndarray:
    """All different postures: open and closed ones of movements, and poses. Shape (n, 20)."""
    rows = [posture_row(pose.fingers) for each in load_movements().values() for pose in (each.start, each.end)]
    rows += [posture_row(pose.fingers) for pose in load_poses().values()]
    return np.unique(np.array(rows), axis=0)


def derive(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean (20,), directions of one standard deviation (k, 20) and their shares of the variance (k,)."""
    mean = rows.mean(axis=0)
    _, sizes, axes = np.linalg.svd(rows - mean, full_matrices=False)
    deviations = sizes / np.sqrt(len(rows) - 1)
    # The sign of an axis is free: positive closes the hand.
    flexion = np.tile([1.0, 1.0, 1.0, 0.0], len(FINGER_NAMES))
    axes = axes * np.where(axes @ flexion < 0.0, -1.0, 1.0)[:, None]
    return mean, (axes * deviations[:, None])[:KEPT], (sizes**2 / (sizes**2).sum())[:KEPT]


def table(title: str, row: np.ndarray) -> str:
    """A table of angles by finger, as poses have it."""
    lines = [f"[{title}]"]
    for k, name in enumerate(FINGER_NAMES):
        values = [f"{value + 0.0:.2f}" for value in row[4 * k : 4 * k + 4].round(2)]
        lines.append(f"{name} = {{ flexion_deg = [{', '.join(values[:3])}], abduction_deg = [{values[3]}] }}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Derive and write."""
    rows = gather()
    mean, directions, shares = derive(rows)
    parts = [f"{HEADER}postures = {len(rows)}\n", table("mean", mean)]
    for direction, share in zip(directions, shares, strict=True):
        parts.append(f"[[synergies]]\nshare = {share:.4f}\n\n" + table("synergies.fingers", direction))
    PATH.write_text("\n".join(parts), encoding="utf-8")
    print(f"{len(rows)} postures; shares of the variance {', '.join(f'{100 * each:.1f} %' for each in shares)}")


if __name__ == "__main__":
    main()
