# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a hand's joints may do: ranges, joints that follow others, fingers that follow their neighbours."""

from __future__ import annotations

from dataclasses import dataclass

FINGER_JOINTS = ("metacarpal", "proximal", "middle", "distal")
"""Joints of a finger, each named after the bone that it moves."""
THUMB_JOINTS = ("metacarpal", "carpometacarpal", "metacarpophalangeal", "interphalangeal")
"""Joints of a thumb. Only rigs with a bone before the thumb's own metacarpal have the first."""

Range = tuple[float, float]


@dataclass(frozen=True)
class Coupling:
    """One joint that follows another of the same finger."""

    fingers: str
    """A finger's name, or "finger" for all but the thumb."""
    follower: str
    """Joint that follows."""
    leader: str
    """Joint that leads."""
    ratio: float
    """Flexion of the follower over that of the leader."""


@dataclass(frozen=True)
class NeighbourLimit:
    """How much two fingers may differ."""

    finger: str
    """Name of the finger."""
    neighbour: str
    """Name of the finger it is compared with."""
    joint: str
    """Joint of both."""
    difference: Range
    """Lowest and highest flexion of the finger minus that of its neighbour, in [rad]."""


@dataclass(frozen=True)
class LimitSet:
    """Joint limits of hands, as read from a file."""

    key: str
    """File name without its ending."""
    label: str
    """Name in menus."""
    source: str
    """Where the numbers come from."""
    rows: dict[tuple[str, str], tuple[Range | None, Range | None, Range | None]]
    """Ranges in [rad] of flexion, abduction and twist by (finger, joint); None is left to the general row."""
    couplings: tuple[Coupling, ...]
    """Joints that follow others."""
    neighbours: tuple[NeighbourLimit, ...]
    """Limits between fingers."""

    def ranges(self, finger: str, joint: str) -> tuple[Range, Range, Range]:
        """Ranges in [rad] of flexion, abduction and twist of one joint.

        Args:
            finger: "thumb" or the name of any other finger.
            joint: One of `THUMB_JOINTS` for the thumb, of `FINGER_JOINTS` for the others.
        """
        general = self.rows["thumb" if finger == "thumb" else "finger", joint]
        own = self.rows.get((finger, joint), (None, None, None))
        flexion, abduction, twist = (a or b or (0.0, 0.0) for a, b in zip(own, general, strict=True))
        return flexion, abduction, twist
