# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When what happens in an animated grasp: whole frames, the windows of the fingers and how motions ease."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ...core.arrays import FloatArray
from ...core.errors import PrehendError

MOST_OVERLAP = 0.6
"""Largest part of closing by which the last finger may come later than the first."""


class TimingError(PrehendError):
    """Durations that make no animation."""


@dataclass(frozen=True)
class Durations:
    """How many frames each part takes."""

    approach: int = 18
    """The hand comes and opens. With the usual closing it is widest at 70 % of the reach, as people's hands are."""
    close: int = 8
    """The fingers close."""
    hold: int = 14
    """They hold; half of it before and half of it after the prop is carried."""
    carry: int = 24
    """The prop is carried, if it is."""
    release: int = 8
    """The fingers open."""
    retreat: int = 16
    """The hand goes."""

    def __post_init__(self) -> None:
        """Refuse parts that take no frame at all; holding may.

        Raises:
            TimingError: One is too short.
        """
        for each in fields(self):
            least = 0 if each.name == "hold" else 1
            if getattr(self, each.name) < least:
                raise TimingError(f"The {each.name} is shorter than a frame: give it at least {least}.")


@dataclass(frozen=True)
class Frames:
    """When what happens."""

    approach: int
    """The hand begins to move."""
    arrive: int
    """It is at the prop, open."""
    contact: int
    """The fingers have closed: from here on the prop belongs to the hand."""
    lift: int
    """The prop begins to move; same as `put` where it does not."""
    put: int
    """The prop is where it is put."""
    hold: int
    """Until then the fingers hold: here the prop is let go."""
    release: int
    """They are open again; same as `hold` where they keep the prop."""
    away: int
    """The hand is back; same as `hold` where it keeps the prop."""

    @property
    def count(self) -> int:
        """Frames from first to last."""
        return self.away - self.approach + 1

    @property
    def carries(self) -> bool:
        """Whether the prop moves."""
        return self.put > self.lift


def plan_frames(start: int, durations: Durations, *, carries: bool = False, releases: bool = True) -> Frames:
    """The frames of an animation that begins at `start`."""
    arrive = start + durations.approach
    contact = arrive + durations.close
    lift = contact + (durations.hold // 2 if carries else 0)
    put = lift + (durations.carry if carries else 0)
    hold = put + durations.hold - (durations.hold // 2 if carries else 0)
    release = hold + (durations.release if releases else 0)
    away = release + (durations.retreat if releases else 0)
    return Frames(start, arrive, contact, lift, put, hold, release, away)


def finger_windows(
    fingers: Sequence[str], first: int, last: int, overlap: float, delays: Sequence[int] = ()
) -> list[tuple[int, int]]:
    """First and last frame in which each finger closes, the index finger and the thumb first.

    Args:
        fingers: Finger names, in the order of the row.
        first: When closing begins.
        last: When all have closed.
        overlap: How much later the last finger comes than the first, as part of closing; negative for earlier, 0 for
            all together.
        delays: How many frames later than the first each finger comes, in the order of the row, instead of what the
            overlap makes of it; fingers beyond these come at once.
    """
    length = last - first
    if any(delays):
        late = [int(delays[k]) if k < len(delays) else 0 for k in range(len(fingers))]
        # A window keeps a frame at least.
        late = [min(each, max(length - 1, 0)) for each in late]
    else:
        late = _staggered(fingers, length, overlap)
    most = max(late)
    return [(first + each, last - most + each) for each in late]


def _staggered(fingers: Sequence[str], length: int, overlap: float) -> list[int]:
    """Frames by which fingers come later, evenly along the row."""
    row = [name for name in fingers if name != "thumb"]
    most = max(len(row) - 1, 1)
    share = float(np.clip(overlap, -MOST_OVERLAP, MOST_OVERLAP))
    delay = min(round(abs(share) * length), max(length - 1, 0))
    places = [row.index(name) / most if name in row else 0.0 for name in fingers]
    return [round(delay * (place if share >= 0.0 else 1.0 - place)) for place in places]


def eased(share: FloatArray | float, *, smooth: bool = True) -> FloatArray:
    """How far a motion is at a share of its time: slow at both ends, or even."""
    u = np.clip(np.asarray(share, dtype=np.float64), 0.0, 1.0)
    return u * u * (3.0 - 2.0 * u) if smooth else u


def time_of(share: float, *, smooth: bool = True) -> float:
    """At which share of its time a motion is that far: the inverse of `eased`."""
    share = float(np.clip(share, 0.0, 1.0))
    # u^2 (3 - 2 u) = share, solved by the triple angle of the sine.
    return 0.5 - float(np.sin(np.arcsin(1.0 - 2.0 * share) / 3.0)) if smooth else share
