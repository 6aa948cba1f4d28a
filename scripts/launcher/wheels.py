# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which Blender wheels exist and which Python each of them needs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wheel:
    """A release series of Blender as the Python package `bpy`."""

    series: str
    """Blender's version, such as "4.5"."""
    python: tuple[int, int]
    """The only Python that the package installs on."""

    @property
    def requirement(self) -> str:
        """What pip is asked for."""
        return f"bpy=={self.series}.*"


WHEELS = (
    Wheel("4.2", (3, 11)),
    Wheel("4.5", (3, 11)),
    Wheel("5.0", (3, 11)),
    Wheel("5.2", (3, 13)),
)

PREFERRED = ("5.2", "4.5")
"""Long-term releases, the newest that some Python on the machine fits is taken."""


def wheel(series: str) -> Wheel:
    """The wheel of a series."""
    return next(each for each in WHEELS if each.series == series)
