# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fingers that hold something open without going through it: each finger in the order of joints that suits it.

Fingers closed until bone after bone touched, so that their joints stopped at different parts of the movement. Turning
all joints back evenly would press the outer bones into what they lie behind; the reverse of the closing does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray, frozen_floats
from ..closing.variations import ORDERS
from .clearance import Surroundings

SAMPLES = 20
"""Postures of each way that are looked at."""
ALLOWED = 1.5e-4
"""How much deeper in [m] than held a finger may be on its way."""
SPANS = ((0.0, 1.0), (0.0, 0.5), (0.5, 1.0), (0.0, 0.25), (0.25, 1.0), (0.75, 1.0))
"""Parts of the opening that are tried where the usual orders press too deep."""
WIDENED = (1.0, 0.75, 0.5, 0.25)
"""How much of the rest of the opening a joint that turns fast takes too: the most that keeps its finger free."""
FAST = 1.75
"""Turn in [rad] for the whole opening's time above which a joint is fast."""
_SLOWEST = 0.1
"""Least pace of a finger over its mean, so that it is never still on its way."""
_STILL = 1e-6
_SHORTEST = 0.15
"""Part of the opening that a joint's turn takes at least: shorter ones would be jerks."""


@dataclass(frozen=True, eq=False)
class Opening:
    """The way from a held posture, at 0, to the open one, at 1; every joint turns during a part of it."""

    held: FloatArray
    """Angles in [rad]. Shape (m, 3)."""
    open: FloatArray
    """Angles in [rad]. Shape (m, 3)."""
    parts: FloatArray
    """When each joint begins and ends to turn, within 0 to 1. Shape (m, 2)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m = len(self.held)
        for name, shape in {"held": (m, 3), "open": (m, 3), "parts": (m, 2)}.items():
            object.__setattr__(self, name, frozen_floats(getattr(self, name), shape, name))

    def at(self, opened: FloatArray) -> FloatArray:
        """Postures at shares of the way, one for all joints or one for each. Shape (a,) or (a, m) to (a, m, 3)."""
        share = opened[:, None] if opened.ndim == 1 else opened
        begin, end = self.parts[:, 0], self.parts[:, 1]
        turned = np.clip((share - begin) / (end - begin), 0.0, 1.0)
        return self.held + turned[..., None] * (self.open - self.held)

    @cached_property
    def rates(self) -> FloatArray:
        """How fast each joint turns while it does, in [rad] for the whole opening's time. Shape (m,)."""
        return np.abs(self.open - self.held).max(axis=1) / (self.parts[:, 1] - self.parts[:, 0])

    def spent(self, joints: BoolArray, opened: FloatArray | float) -> FloatArray:
        """Time that a finger has spent at shares of the way if its fastest joint turns evenly, from 0 at 0.

        Args:
            joints: Which joints are the finger's. Shape (m,).
            opened: Shares of the way. Shape (a,).
        """
        shares = np.linspace(0.0, 1.0, 101)
        middles = 0.5 * (shares[1:] + shares[:-1])
        begin, end, rates = self.parts[joints, 0], self.parts[joints, 1], self.rates[joints]
        turning = (middles[:, None] > begin) & (middles[:, None] < end)
        fastest = np.where(turning, rates, 0.0).max(axis=1)
        fastest = np.maximum(fastest, _SLOWEST * max(float(fastest.mean()), _STILL))
        spent = np.concatenate([[0.0], np.cumsum(fastest)]) / len(middles)
        return np.asarray(np.interp(opened, shares, spent), dtype=np.float64)

    def reached(self, joints: BoolArray, time: FloatArray, opened: float) -> FloatArray:
        """Shares of the way up to `opened` at which a finger is after parts of its time, paced as by `spent`."""
        shares = np.linspace(0.0, opened, 201)
        spent = self.spent(joints, shares)
        return np.asarray(np.interp(time * spent[-1], spent, shares), dtype=np.float64)


def plan_opening(
    around: Surroundings, held: FloatArray, start: FloatArray, end: FloatArray, wrist: FloatArray
) -> tuple[Opening, FloatArray]:
    """The opening of a hand where it is, and how deep in [m] each finger is at worst on its way. Shape (f,).

    Args:
        around: The hand and what it holds.
        held: Angles of the hand that holds, in [rad]. Shape (m, 3).
        start: Angles of the open hand that the movement began with. Shape (m, 3).
        end: Angles of the closed hand that the movement goes to. Shape (m, 3).
        wrist: The hand's frame in the world in [m]. Shape (4, 4).
    """
    hand = around.skin.hand
    fingers = len(hand.chains)
    parts, worst, allowed = np.tile([0.0, 1.0], (len(held), 1)), np.full(fingers, np.inf), np.zeros(fingers)
    for ways in (_ways(hand.chains, held, start, end), _more_ways(hand.chains, held, start)):
        tried = [Opening(held, start, each) for each in ways]
        depths, first = _depths(around, tried, wrist)
        allowed = first + ALLOWED
        for f in range(fingers):
            good = np.flatnonzero(depths[:, f] <= allowed[f])
            best = int(good[0]) if len(good) else int(np.argmin(depths[:, f]))
            if worst[f] > allowed[f] and depths[best, f] < worst[f]:
                parts[hand.finger_of == f] = tried[best].parts[hand.finger_of == f]
                worst[f] = depths[best, f]
        if (worst <= allowed).all():
            break
    return _widened(around, Opening(held, start, parts), wrist, worst, allowed)


def _widened(
    around: Surroundings, opening: Opening, wrist: FloatArray, worst: FloatArray, allowed: FloatArray
) -> tuple[Opening, FloatArray]:
    """An opening whose fast fingers turn their joints over more of it, where none goes deeper than allowed (f,)."""
    hand = around.skin.hand
    fast = [f for f in range(len(hand.chains)) if (opening.rates[hand.finger_of == f] > FAST).any()]
    if not fast:
        return opening, worst
    tried: list[Opening] = []
    for more in WIDENED:
        parts = np.array(opening.parts)
        parts[:, 0] *= 1.0 - more
        parts[:, 1] += more * (1.0 - parts[:, 1])
        tried.append(Opening(opening.held, opening.open, parts))
    depths, _ = _depths(around, tried, wrist)
    parts, worst = np.array(opening.parts), worst.copy()
    for f in fast:
        good = np.flatnonzero(depths[:, f] <= max(allowed[f], worst[f]))
        if len(good):
            parts[hand.finger_of == f] = tried[int(good[0])].parts[hand.finger_of == f]
            worst[f] = depths[int(good[0]), f]
    return Opening(opening.held, opening.open, parts), worst


def _depths(around: Surroundings, tried: list[Opening], wrist: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How deep in [m] each finger is at worst in each way (w, f), and where it holds (f,)."""
    hand = around.skin.hand
    shares = np.linspace(0.0, 1.0, SAMPLES)
    postures = np.concatenate([each.at(shares) for each in tried])
    wrists = np.broadcast_to(wrist[:3], (len(postures), 3, 4))
    gaps = around.gaps(postures, wrists)[:, :-1].reshape(len(tried), SAMPLES, -1)
    inside = np.stack(
        [np.maximum(-gaps[:, :, hand.finger_of == f].min(axis=2), 0.0) for f in range(len(hand.chains))], axis=2
    )
    return inside.max(axis=1), inside[0, 0]


def _more_ways(chains: IntArray, held: FloatArray, start: FloatArray) -> list[FloatArray]:
    """Every order of a finger's first turning joint and the others, for fingers that no usual one frees."""
    ways: list[FloatArray] = []
    for first in SPANS:
        for others in SPANS:
            parts = np.tile(others, (len(held), 1))
            for chain in chains:
                moving = [int(j) for j in chain if j >= 0 and np.abs(held[j] - start[j]).max() > _STILL]
                parts[moving[:1]] = first
            ways.append(parts)
    return ways


def _ways(chains: IntArray, held: FloatArray, start: FloatArray, end: FloatArray) -> list[FloatArray]:
    """Parts of the opening in which joints turn, several for all joints to choose from. Each of shape (m, 2)."""
    turn = end[:, 0] - start[:, 0]
    share = np.where(np.abs(turn) > _STILL, (held[:, 0] - start[:, 0]) / np.where(turn == 0.0, 1.0, turn), 0.0)
    share = np.clip(share, 0.0, 1.0)
    ways = [_reversed(chains, share, order) for order in range(len(ORDERS))]
    m = len(held)
    ways.append(np.tile([0.0, 1.0], (m, 1)))
    # Tip first, and base first, one joint after the other.
    for tip_first in (True, False):
        parts = np.tile([0.0, 1.0], (m, 1))
        for chain in chains:
            joints = chain[chain >= 0]
            count = len(joints)
            for place, joint in enumerate(joints[::-1] if tip_first else joints):
                begin = 0.6 * place / max(count - 1, 1)
                parts[joint] = begin, begin + 0.4
        ways.append(parts)
    return ways


def _reversed(chains: IntArray, share: FloatArray, order: int) -> FloatArray:
    """The reverse of a closing in which joints stopped at shares of their turns. Shape (m, 2)."""
    first, others = ORDERS[order]
    begin, stop = np.zeros(len(share)), np.zeros(len(share))
    for chain in chains:
        joints = chain[chain >= 0]
        moving = [int(j) for j in joints if share[j] > _STILL]
        for joint in joints.tolist():
            window = first if moving and joint == moving[0] else others
            begin[joint] = window[0]
            stop[joint] = window[0] + share[joint] * (window[1] - window[0])
    parts = np.empty((len(share), 2))
    for chain in chains:
        joints = chain[chain >= 0]
        # Closing goes on until the finger's last joint has stopped: there opening begins.
        most = max(float(stop[joints].max()), _STILL)
        parts[joints, 0], parts[joints, 1] = 1.0 - stop[joints] / most, 1.0 - begin[joints] / most
    parts = np.clip(parts, 0.0, 1.0)
    short = parts[:, 1] - parts[:, 0] < _SHORTEST
    parts[short, 1] = np.minimum(parts[short, 0] + _SHORTEST, 1.0)
    parts[short, 0] = np.minimum(parts[short, 0], parts[short, 1] - _SHORTEST)
    return parts
