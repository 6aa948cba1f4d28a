# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Postural synergies: a mean posture and the directions in which postures differ most, as a data file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from .poses import FingerAngles, parse_fingers
from .toml import PresetError, check_keys, load_toml

SHOWN = 3
"""Synergies that are offered as sliders; random postures use all."""


@dataclass(frozen=True)
class Synergy:
    """One direction in which postures differ."""

    share: float
    """Part of the postures' variance that lies along it, 0 to 1."""
    fingers: dict[str, FingerAngles]
    """What one standard deviation along it adds to the angles."""


@dataclass(frozen=True)
class SynergyBasis:
    """A mean posture and the directions in which postures differ most, the first most."""

    postures: int
    """Number of postures that it was derived from."""
    mean: dict[str, FingerAngles]
    """The mean posture."""
    synergies: tuple[Synergy, ...]
    """The directions."""


@cache
def load_synergies() -> SynergyBasis:
    """The basis that comes with the extension.

    Raises:
        PresetError: Its file is damaged.
    """
    return parse_synergies("basis", load_toml(files(__package__ or "") / "synergies" / "basis.toml"))


def parse_synergies(key: str, data: dict[str, Any]) -> SynergyBasis:
    """A basis from the content of its file.

    Raises:
        PresetError: A key is unknown or missing, or a value is no number.
    """
    check_keys(key, data, required={"postures", "mean", "synergies"}, optional=set())
    try:
        rows: list[Synergy] = []
        for number, row in enumerate(data["synergies"], start=1):
            check_keys(f"{key}, synergy {number}", row, required={"share", "fingers"}, optional=set(), header=False)
            rows.append(Synergy(share=float(row["share"]), fingers=parse_fingers(f"{key} {number}", row["fingers"])))
        basis = SynergyBasis(int(data["postures"]), parse_fingers(key, data["mean"]), tuple(rows))
    except (TypeError, ValueError, AttributeError) as error:
        raise PresetError(f"The synergies '{key}' are damaged: {error}.") from error
    if len(basis.synergies) < SHOWN:
        raise PresetError(f"The synergies '{key}' are fewer than {SHOWN}.")
    return basis
