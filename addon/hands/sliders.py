# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A posture in a few numbers that an animator thinks in, and back.

Every number is a share of what a joint can do: 1 is as far as its limits let it, -1 as far the other way. What the
numbers do not say about a posture (how a finger's last joint differs from the one before) is kept beside them, so that
reading a posture and writing it again changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import BoolArray, FloatArray, frozen_floats
from .model import HandModel

THUMB = "thumb"


@dataclass(frozen=True, eq=False)
class Sliders:
    """A posture's numbers, each in -1..1. The fingers' rows are those of the model; a thumb's own rows are 0."""

    curl: FloatArray
    """How far each finger is bent at its base, and with it all along. Shape (f,)."""
    tip_curl: FloatArray
    """How much more each finger's outer joints are bent than its base. Shape (f,)."""
    spread: FloatArray
    """How far each finger leaves the middle one. Shape (f,)."""
    cup: float = 0.0
    """How far the palm is arched, where the hand has bones in its palm."""
    thumb_opposition: float = 0.0
    """How far the thumb's base has come over to the fingers."""
    thumb_abduction: float = 0.0
    """How far the thumb's base leaves the palm's plane."""
    thumb_curl: float = 0.0
    """How far the thumb's outer joints are bent."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        f = len(self.curl)
        for name in ("curl", "tip_curl", "spread"):
            object.__setattr__(self, name, frozen_floats(getattr(self, name), (f,), name))


@dataclass(frozen=True, eq=False)
class SlidingHand:
    """What sliders need to know of a hand."""

    model: HandModel
    """The hand."""
    ranges: FloatArray
    """Lowest and highest flexion, abduction and twist in [rad]: the model's, and wider in the palm. Shape (m, 3, 2)."""

    @property
    def fingers(self) -> BoolArray:
        """Fingers that are no thumbs. Shape (f,)."""
        return np.array([name != THUMB for name in self.model.fingers])

    @property
    def arched(self) -> list[int]:
        """Joints inside the palm that can bend."""
        return [
            j
            for j, kind in enumerate(self.model.kinds)
            if kind == "metacarpal"
            and self.model.fingers[int(self.model.finger_of[j])] != THUMB
            and self.ranges[j, 0, 1] > 1e-6
        ]

    @property
    def spreadable(self) -> BoolArray:
        """Fingers that can be spread. Shape (f,)."""
        bases = [self.model.joints(name)[0] for name in self.model.fingers]
        return self.fingers & (np.ptp(self.ranges[bases, 1], axis=1) > 1e-6)

    @property
    def has_tips(self) -> BoolArray:
        """Fingers with joints beyond their base. Shape (f,)."""
        return self.fingers & np.array([len(self.model.joints(name)) > 1 for name in self.model.fingers])


def sliding_hand(model: HandModel, palm_flexion: dict[str, tuple[float, float]]) -> SlidingHand:
    """A hand ready for sliders.

    Args:
        model: The hand.
        palm_flexion: Flexion in [rad] that bones inside the palm may have by finger, where the model's own limits
            hold them still.
    """
    ranges = np.array(model.limits.ranges)
    for j, kind in enumerate(model.kinds):
        finger = model.fingers[int(model.finger_of[j])]
        if kind == "metacarpal" and finger in palm_flexion and np.ptp(ranges[j, 0]) < 1e-6:
            low, high = palm_flexion[finger]
            rest = float(model.rest_angles[j, 0])
            ranges[j, 0] = min(low + rest, rest), max(high + rest, rest)
    return SlidingHand(model=model, ranges=ranges)


def read_sliders(hand: SlidingHand, angles: FloatArray) -> tuple[Sliders, FloatArray]:
    """The numbers of a posture, and what they leave out of it: shape (m, 3) in [rad], for `write_sliders`.

    Args:
        hand: The hand.
        angles: Flexion, abduction and twist in [rad]. Shape (m, 3).
    """
    model, count = hand.model, len(hand.model.fingers)
    curl, tip, spread = np.zeros(count), np.zeros(count), np.zeros(count)
    values: dict[str, float] = {}
    for f, name in enumerate(model.fingers):
        base, *outer = model.joints(name)
        bend = _share(hand, angles, base, 0)
        aside = _share(hand, angles, base, 1)
        ends = float(np.mean([_share(hand, angles, j, 0) for j in outer])) if outer else 0.0
        if name == THUMB:
            values = {"thumb_opposition": bend, "thumb_abduction": aside, "thumb_curl": ends}
        else:
            curl[f], spread[f] = bend, aside
            tip[f] = np.clip(ends - bend, -1.0, 1.0) if outer else 0.0
    arched = hand.arched
    values["cup"] = float(np.mean([_share(hand, angles, j, 0) for j in arched])) if arched else 0.0
    sliders = Sliders(curl=curl, tip_curl=tip, spread=spread, **values)
    return sliders, angles - _compose(hand, sliders)


def write_sliders(hand: SlidingHand, sliders: Sliders, left_out: FloatArray) -> FloatArray:
    """Angles in [rad] of a posture from its numbers and what they leave out, within the limits. Shape (m, 3)."""
    angles = _compose(hand, sliders) + left_out
    return np.clip(angles, hand.ranges[..., 0], hand.ranges[..., 1])


def couple(hand: SlidingHand, sliders: Sliders, leader: int) -> Sliders:
    """Fingers pulled along by their neighbours, beginning beside the finger that was moved.

    Which neighbours may differ by how much are the hand's own limits between fingers; a finger that is pulled bends
    or stretches all along.

    Args:
        hand: The hand.
        sliders: What was asked for.
        leader: Number of the finger that was moved and does not give way.
    """
    limits, finger_of = hand.model.limits, hand.model.finger_of
    curl, done, waiting = np.array(sliders.curl), {leader}, [leader]
    while waiting:
        now = waiting.pop(0)
        for (one, two), (low, high) in zip(limits.neighbours.tolist(), limits.differences.tolist(), strict=True):
            # The difference is of the first joint minus the second.
            for mine, other, lowest, highest in ((one, two, -high, -low), (two, one, low, high)):
                follower = int(finger_of[other])
                if int(finger_of[mine]) != now or follower in done:
                    continue
                bend = curl[now] * _scale(hand, mine, 0, curl[now])
                scale = _scale(hand, other, 0, 1.0)
                if scale > 1e-6:
                    curl[follower] = np.clip(curl[follower], (bend + lowest) / scale, (bend + highest) / scale)
                done.add(follower)
                waiting.append(follower)
    return replace(sliders, curl=np.clip(curl, -1.0, 1.0))


def shift_together(values: FloatArray, chosen: BoolArray, mean: float, *, lowest: float = -1.0) -> FloatArray:
    """Values moved until those chosen have a given mean: at its ends all are alike, between they keep their order.

    Args:
        values: Of all fingers, in -1..1. Shape (f,).
        chosen: Which of them move. Shape (f,).
        mean: What the mean shall be.
        lowest: Where all are alike at the lower end, lower if one of them or the mean is.
    """
    out = np.array(values)
    if not chosen.any():
        return out
    now = float(values[chosen].mean())
    end = 1.0 if mean > now else min(lowest, mean, float(values[chosen].min()))
    if abs(end - now) < 1e-12:
        return out
    share = (mean - now) / (end - now)
    out[chosen] = values[chosen] + share * (end - values[chosen])
    return out


def _compose(hand: SlidingHand, sliders: Sliders) -> FloatArray:
    model = hand.model
    angles = np.zeros((len(model.names), 3))
    for f, name in enumerate(model.fingers):
        base, *outer = model.joints(name)
        thumb = name == THUMB
        bend = sliders.thumb_opposition if thumb else sliders.curl[f]
        aside = sliders.thumb_abduction if thumb else sliders.spread[f]
        ends = sliders.thumb_curl if thumb else sliders.curl[f] + sliders.tip_curl[f]
        angles[base, 0] = bend * _scale(hand, base, 0, bend)
        angles[base, 1] = aside * _scale(hand, base, 1, aside)
        for j in outer:
            angles[j, 0] = ends * _scale(hand, j, 0, 1.0)
    for j in hand.arched:
        angles[j, 0] = sliders.cup * _scale(hand, j, 0, sliders.cup)
    return angles


def _scale(hand: SlidingHand, joint: int, channel: int, share: float) -> float:
    """Angle in [rad] that one whole share stands for, on the side that the share is on; 0 where nothing moves."""
    low, high = hand.ranges[joint, channel]
    # Outer joints and fingers that do not bend back count in what they can do forwards.
    if share < 0.0 and low < 0.0 and (channel == 1 or hand.model.kinds[joint] in ("carpometacarpal", "proximal")):
        return float(-low)
    return float(max(high, 0.0))


def _share(hand: SlidingHand, angles: FloatArray, joint: int, channel: int) -> float:
    angle = float(angles[joint, channel])
    scale = _scale(hand, joint, channel, angle)
    return float(np.clip(angle / scale, -1.0, 1.0)) if scale > 1e-6 else 0.0
