# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way a hand comes and goes, and how far it opens before: the first that keeps it clear of everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from .clearance import COARSE, FINE, MEDIUM, Surroundings
from .opening import Opening
from .ways import Way

SAMPLES = 16
"""Places of a way that are looked at; they lie closer near the object."""
LONG = 0.35
"""Ways longer than this in [m] are looked at in more places."""
CLEAR = 2e-3
"""Distance in [m] that a moving hand keeps, unless it is nearer where it begins."""
SLACK = 2e-4
"""How much nearer in [m] than there it may come."""
COARSE_SLACK = 1.5e-3
"""The same while a few balls stand for each bone."""
OPENINGS = (0.25, 0.35, 0.45, 0.55, 0.7, 0.85, 1.0)
"""How far hands open before they come, as shares of the way to the movement's start."""
PULLS = (0.0, 0.06, 0.15, 0.3)
"""How far along its way the hand goes while it opens."""
LOOKED_AT = 6
"""Ways that are looked at closely for each opening."""
BARRED = 2e-3
"""Hands that come nearer by more than this in [m] than they should have no usual way."""


@dataclass(frozen=True, eq=False)
class Approach:
    """How a hand goes away from what it held; coming is the same backwards."""

    way: Way
    """Of the wrist."""
    opened: float
    """How far along the opening the hand opens."""
    pull: float
    """How far along its way it goes meanwhile."""
    missing: float
    """How much in [m] it comes nearer than it should; 0 for a clear way."""
    opening: Opening
    """How it opens."""
    in_step: bool = False
    """Whether all fingers open together and evenly with the wrist's way, whatever else is asked for."""

    @property
    def posture(self) -> FloatArray:
        """Angles of the hand that is open as far as it opens, in [rad]. Shape (m, 3)."""
        return self.opening.at(np.array([self.opened]))[0]


def widths_needed(around: Surroundings, opening: Opening, wrist: FloatArray, part: BoolArray, margin: float) -> float:
    """How far a hand has to open for the ends of its fingers to stand off the object, as share of the opening.

    Args:
        around: The hand and the object.
        opening: How it opens.
        wrist: The hand's frame in [m]. Shape (4, 4).
        part: Fingers that hold. Shape (f,).
        margin: How far off in [m].
    """
    hand = around.skin.hand
    ends = [int(chain[chain >= 0][-1]) for chain, holds in zip(hand.chains, part, strict=True) if holds]
    shares = np.linspace(0.0, 1.0, 21)
    wrists = np.broadcast_to(wrist[:3], (len(shares), 3, 4))
    gaps = around.gaps(opening.at(shares), wrists, detail=COARSE)[:, ends]
    # Fingers that reach past the object stay near it however far they open; most of them have to be off.
    off = np.median(gaps, axis=1) >= margin
    return float(shares[int(np.argmax(off))]) if off.any() else 1.0


def choose_approach(
    around: Surroundings,
    opening: Opening,
    ways: Sequence[Way],
    *,
    least: float,
    prefer: float | None = None,
) -> Iterator[Approach | None]:
    """The first way and the smallest opening that keep the hand clear; else the pair that comes nearest to that.

    It may take seconds where little is clear: None is given after each part of the work, and the approach at last.

    Args:
        around: The hand and what it must not touch.
        opening: How it opens where it holds.
        ways: Ways away, the most natural first.
        least: How far it opens at least.
        prefer: An opening that is tried first, as both ways of one animation should open alike.
    """
    openings = [least, *(each for each in OPENINGS if each > least + 0.05)]
    if prefer is not None:
        openings = [prefer, *(each for each in openings if each != prefer)]
    best: Approach | None = None
    for pull in PULLS:
        for opened in openings:
            if pull == 0.0 and best is not None and _opens_worse(around, opening, ways[0], opened, best.missing):
                continue
            order = _ranked(around, opening, ways, opened, pull)
            for place, number in enumerate(order):
                # Where the usual ways are barred, the curved and the sideward ones are looked at too.
                if place == LOOKED_AT and (pull > 0.0 or best is None or best.missing <= BARRED):
                    break
                missing = _missing(around, opening, ways[number], opened, pull)
                if best is None or missing < best.missing - 1e-5:
                    best = Approach(ways[number], opened, pull, missing, opening)
                if missing <= 0.0:
                    yield best
                    return
            yield None
    assert best is not None
    yield best


def _opens_worse(around: Surroundings, opening: Opening, way: Way, opened: float, missing: float) -> bool:
    """Whether a hand that opens in place comes nearer by as much in [m] already, whichever way it goes then."""
    shares = np.linspace(0.0, 1.0, SAMPLES)
    near = around.nearest(opening.at(opened * shares), way.wrists(0.0 * shares), detail=MEDIUM)
    return _lacking(near) >= max(missing, 1e-5)


def places(pull: float, length: float) -> FloatArray:
    """Shares of a way of some length in [m] that are looked at, closer near the object. Shape (a,)."""
    count = SAMPLES if length < LONG else 3 * SAMPLES
    return pull + (1.0 - pull) * np.linspace(0.0, 1.0, count) ** 1.6


def _ranked(around: Surroundings, opening: Opening, ways: Sequence[Way], opened: float, pull: float) -> list[int]:
    """Ways by whether a few balls for each bone stay clear, in the given order among equals."""
    shares = places(pull, ways[0].length)
    wrists = np.concatenate([way.wrists(shares) for way in ways])
    posture = opening.at(np.array([opened]))
    near = around.nearest(np.repeat(posture, len(wrists), axis=0), wrists, detail=COARSE).reshape(len(ways), -1, 2)
    missing = np.maximum(_need(near[:, :1]) - near, 0.0).max(axis=(1, 2))
    clear = missing <= COARSE_SLACK
    return [*np.flatnonzero(clear).tolist(), *(k for k in np.argsort(missing).tolist() if not clear[k])]


def _missing(around: Surroundings, opening: Opening, way: Way, opened: float, pull: float) -> float:
    """What `_short` gives for all of the skin where some of it is clear, else for some of it."""
    short = _short(around, opening, way, opened, pull, MEDIUM)
    return short if short > 0.0 else _short(around, opening, way, opened, pull, FINE)


def _short(around: Surroundings, opening: Opening, way: Way, opened: float, pull: float, detail: str) -> float:
    """How much in [m] the skin comes nearer than it should, opening included where the hand moves meanwhile."""
    wrists = way.wrists(places(pull, way.length))
    angles = np.repeat(opening.at(np.array([opened])), len(wrists), axis=0)
    # Where fingers do not come free in place, the hand may go back while they open.
    shares = np.linspace(0.0, 1.0, SAMPLES)
    wrists = np.concatenate([way.wrists(pull * shares), wrists])
    angles = np.concatenate([opening.at(opened * shares), angles])
    return _lacking(around.nearest(angles, wrists, detail=detail))


def _lacking(near: FloatArray) -> float:
    """How much in [m] distances (a, 2) are shorter than they should be after the first."""
    return float(np.maximum(_need(near[:1]) - SLACK - near, 0.0).max())


def _need(first: FloatArray) -> FloatArray:
    """Distances in [m] to keep for a hand that begins at those distances."""
    return np.minimum(first, CLEAR)
