# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A grasp over time: where the wrist is, how the fingers are and where the object is at every frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from .approach import Approach, choose_approach, widths_needed
from .carry import Carry
from .clearance import FINE, MEDIUM, Surroundings
from .opening import Opening, plan_opening
from .path import PathCarry
from .timing import Frames, eased, finger_windows, time_of
from .ways import Way, ways_back, ways_to

SHAPED_BY = (1.0, 0.75, 0.5, 0.25, 0.0)
"""Parts of coming after which the hand is open: the latest that keeps it clear."""
_CLEAR_ENOUGH = 5e-4
"""Depth in [m] up to which a hand that comes counts as clear: what it has where it holds, and a hair."""
HURRIED = np.radians(12.0)
"""Turn in [rad] of a joint from one frame to the next above which its finger hurries."""
_EASED_PEAK = 1.5
"""How much faster than on the whole an eased motion is in its middle."""
_STILL = 1e-7


@dataclass(frozen=True, eq=False)
class End:
    """How the hand is before it comes, or after it has gone."""

    angles: FloatArray
    """Angles in [rad]. Shape (m, 3)."""
    wrist: FloatArray | None = None
    """The hand's frame in [m], or None to stand back. Shape (4, 4)."""


@dataclass(frozen=True, eq=False)
class GraspTask:
    """A held grasp that is to be animated."""

    around: Surroundings
    """The hand and what is round it where it takes the object."""
    around_put: Surroundings
    """The same where it puts the object down."""
    fingers: tuple[str, ...]
    """Finger names. Length f."""
    part: BoolArray
    """Fingers that hold. Shape (f,)."""
    held: FloatArray
    """Angles that hold, in [rad]. Shape (m, 3)."""
    start: FloatArray
    """Angles of the open hand. Shape (m, 3)."""
    end: FloatArray
    """Angles that the movement goes to. Shape (m, 3)."""
    wrist: FloatArray
    """The hand's frame where it takes the object in [m]. Shape (4, 4)."""
    approach: FloatArray
    """Direction that the palm looks in, in the hand's frame. Shape (3,)."""
    up: FloatArray
    """Away from the ground. Shape (3,)."""
    before: End
    """How the hand is at first."""
    after: End
    """How it is at last."""
    frames: Frames
    """When what happens."""
    carry: Carry | PathCarry
    """The object's way; one that stays is carried nowhere."""
    distance: float
    """How far in [m] hands stand back."""
    margin: float
    """How far in [m] fingertips open beyond the object."""
    overlap: float = 0.2
    """How much later the last finger comes than the first, as part of closing."""
    delays: tuple[int, ...] = ()
    """How many frames later each finger comes, instead of what the overlap makes of it; empty or zeros for that."""
    smooth: bool = True
    """Whether motions ease."""
    moves: bool = True
    """Whether the wrist may move at all."""


@dataclass(frozen=True, eq=False)
class GraspPlan:
    """A grasp at every frame from the first to the last."""

    frames: Frames
    wrists: FloatArray
    """The hand's frames in [m]. Shape (n, 4, 4)."""
    angles: FloatArray
    """Angles in [rad]. Shape (n, m, 3)."""
    objects: FloatArray
    """The object's rigid frames in [m]. Shape (n, 4, 4)."""
    wrist_keys: tuple[int, ...]
    """Frames at which the wrist is posed."""
    joint_keys: tuple[tuple[int, ...], ...]
    """Frames at which each joint is posed. Length m."""
    coming: Approach
    going: Approach
    along_path: bool = False
    """Whether the object is carried along a line, which is followed closely."""

    def row(self, frame: int) -> int:
        """Place of a frame in the arrays."""
        return frame - self.frames.approach


def plan_grasp(task: GraspTask) -> Iterator[float | GraspPlan]:
    """Plan an animation; yields shares of the work and at last the plan."""
    opening, _ = plan_opening(task.around, task.held, task.start, task.end, task.wrist)
    yield 0.3
    least = max(widths_needed(task.around, opening, task.wrist, task.part, task.margin), 0.1)
    coming = choose_approach(task.around, opening, _ways(task, task.wrist, task.before), least=least)
    yield 0.6
    going = coming
    if task.frames.carries or task.after.wrist is not None or task.before.wrist is not None:
        put = task.carry.frames(np.ones(1))[0] @ np.linalg.inv(task.carry.start) @ task.wrist
        going = choose_approach(
            task.around_put, opening, _ways(task, put, task.after), least=least, prefer=coming.opened
        )
    yield 0.8
    yield _Timeline(task, opening, coming, going).plan()


def _ways(task: GraspTask, held: FloatArray, end: End) -> Sequence[Way]:
    if not task.moves:
        return ways_back(held, task.approach, 0.0, up=task.up)[:1]
    if end.wrist is None:
        return ways_back(held, task.approach, task.distance, up=task.up)
    return ways_to(held, end.wrist, task.approach, task.distance, up=task.up)


class _Timeline:
    """Lays the parts of a grasp along the frames."""

    def __init__(self, task: GraspTask, opening: Opening, coming: Approach, going: Approach) -> None:
        self.task, self.opening, self.coming, self.going = task, opening, coming, going
        self.frames = task.frames
        self.numbers = np.arange(self.frames.approach, self.frames.away + 1)

    def plan(self) -> GraspPlan:
        wrists, objects = self._wrists()
        angles, shaped = self._all_angles(wrists)
        return GraspPlan(
            frames=self.frames,
            wrists=wrists,
            angles=angles,
            objects=objects,
            wrist_keys=self._wrist_keys(),
            joint_keys=self._joint_keys(angles, shaped),
            coming=self.coming,
            going=self.going,
            along_path=isinstance(self.task.carry, PathCarry),
        )

    def _time(self, first: int, last: int) -> FloatArray:
        """How far a motion between two frames is at each frame. Shape (n,)."""
        return eased((self.numbers - first) / max(last - first, 1), smooth=self.task.smooth)

    def _wrists(self) -> tuple[FloatArray, FloatArray]:
        f = self.frames
        carried = self._time(f.lift, f.put) if f.carries else np.zeros(len(self.numbers))
        objects = self.task.carry.frames(carried)
        held = objects @ np.linalg.inv(self.task.carry.start) @ self.task.wrist
        coming, going = self.coming, self.going
        before = 1.0 - (1.0 - coming.pull) * self._time(f.approach, f.arrive)
        before = np.where(self.numbers > f.arrive, coming.pull * (1.0 - self._time(f.arrive, f.contact)), before)
        after = np.where(
            self.numbers > f.release,
            going.pull + (1.0 - going.pull) * self._time(f.release, f.away),
            going.pull * self._time(f.hold, f.release),
        )
        wrists = np.where((self.numbers < f.contact)[:, None, None], coming.way.wrists(before), held)
        if f.away > f.hold:
            wrists = np.where((self.numbers > f.hold)[:, None, None], going.way.wrists(after), wrists)
        return wrists, objects

    def _all_angles(self, wrists: FloatArray) -> tuple[FloatArray, tuple[float, float]]:
        """Angles at every frame, and the parts of coming and going with the hand on its way to and from its opening."""
        f = self.frames
        come = self.numbers <= f.arrive
        go = self.numbers >= f.release
        chosen = [0.0, 0.0]
        for side, (rows, around) in enumerate(((come, self.task.around), (go, self.task.around_put))):
            if side == 1 and f.away == f.hold:
                break
            for share in SHAPED_BY:
                chosen[side] = share
                angles = self._angles((chosen[0], chosen[1]))
                if all(
                    float(around.nearest(angles[rows], wrists[rows], detail=detail).min()) >= -_CLEAR_ENOUGH
                    for detail in (MEDIUM, FINE)
                ):
                    break
        return self._angles((chosen[0], chosen[1])), (chosen[0], chosen[1])

    def _angles(self, shaped: tuple[float, float]) -> FloatArray:
        f, task = self.frames, self.task
        finger_of = task.around.skin.hand.finger_of
        opened = np.empty((len(self.numbers), len(task.fingers)))
        closing, releasing = self._windows()
        for k in range(len(task.fingers)):
            joints = finger_of == k
            opened[:, k] = self.opening.reached(joints, 1.0 - self._time(*closing[k]), self.coming.opened)
            if releasing:
                after = self.opening.reached(joints, self._time(*releasing[k]), self.going.opened)
                opened[:, k] = np.where(self.numbers > f.hold, after, opened[:, k])
        angles = self.opening.at(opened[:, finger_of])
        come = self._shape_share(f.approach, f.arrive, shaped[0])
        angles = angles + (1.0 - come)[:, None, None] * (task.before.angles - self.opening.at(_one(self.coming.opened)))
        if f.away > f.hold:
            go = 1.0 - self._shape_share(f.away, f.release, shaped[1])
            angles = angles + go[:, None, None] * (task.after.angles - self.opening.at(_one(self.going.opened)))
        return angles

    def _windows(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """First and last frames in which fingers close, and open; the latter empty where they keep the object."""
        f, task = self.frames, self.task
        closing = finger_windows(task.fingers, f.arrive, f.contact, task.overlap, task.delays)
        closing = self._unhurried(closing, self.coming)
        if f.away == f.hold:
            return closing, []
        # Fingers that came last go first.
        last = max(task.delays, default=0)
        releasing = finger_windows(
            task.fingers, f.hold, f.release, -task.overlap, [last - each for each in task.delays] if last else ()
        )
        return closing, self._unhurried(releasing, self.going)

    def _unhurried(self, windows: list[tuple[int, int]], approach: Approach) -> list[tuple[int, int]]:
        """Windows of which fingers that would have to hurry take all the time that there is."""
        # Whoever gives delays means them.
        if any(self.task.delays):
            return windows
        first, last = min(each[0] for each in windows), max(each[1] for each in windows)
        most = _EASED_PEAK if self.task.smooth else 1.0
        return [
            (first, last) if most * self._whole(finger, approach) > HURRIED * (end - begin) else (begin, end)
            for finger, (begin, end) in enumerate(windows)
        ]

    def _shape_share(self, first: int, last: int, part: float) -> FloatArray:
        """How far the hand is from its posture at one frame to its opening at another, which may be before it."""
        if part <= 0.0:
            return np.ones(len(self.numbers))
        return eased((self.numbers - first) / (part * (last - first)), smooth=self.task.smooth)

    def _wrist_keys(self) -> tuple[int, ...]:
        f = self.frames
        if not self.task.moves and not f.carries:
            return (f.contact,)
        keys = {f.approach, f.arrive, f.contact, f.hold}
        if f.carries:
            # A line is followed closely: poses about every fourth frame to begin with.
            parts = max(4, (f.put - f.lift) // 4) if isinstance(self.task.carry, PathCarry) else 4
            keys |= {f.lift + round(k * (f.put - f.lift) / parts) for k in range(parts + 1)}
        if f.away > f.hold:
            keys |= {f.release, f.away}
        if not self.coming.way.straight:
            keys.add((f.approach + f.arrive) // 2)
        if f.away > f.hold and not self.going.way.straight:
            keys.add((f.release + f.away) // 2)
        return tuple(sorted(keys))

    def _joint_keys(self, angles: FloatArray, shaped: tuple[float, float]) -> tuple[tuple[int, ...], ...]:
        """Frames at which joints begin and end to turn; none for those that never do."""
        f, task = self.frames, self.task
        hand = task.around.skin.hand
        closing, releasing = self._windows()
        out: list[tuple[int, ...]] = []
        for joint in range(len(hand.finger_of)):
            finger = int(hand.finger_of[joint])
            if float(np.ptp(angles[:, joint], axis=0).max()) < _STILL:
                out.append(())
                continue
            keys = {f.approach, f.approach + round(shaped[0] * (f.arrive - f.approach)), f.contact, f.hold}
            # When in its finger's time a joint begins and ends to turn.
            spent = self.opening.spent(hand.finger_of == finger, self.opening.parts[joint])
            begin, end = float(spent[0]), float(spent[1])
            keys |= self._turning(closing[finger], self._whole(finger, self.coming), begin, end, closes=True)
            if releasing:
                keys |= {f.away, f.away - round(shaped[1] * (f.away - f.release))}
                keys |= self._turning(releasing[finger], self._whole(finger, self.going), begin, end, closes=False)
            out.append(tuple(sorted(keys)))
        return tuple(out)

    def _whole(self, finger: int, approach: Approach) -> float:
        """Time that a finger takes to open as far as it does."""
        hand = self.task.around.skin.hand
        return max(float(self.opening.spent(hand.finger_of == finger, approach.opened)), 1e-9)

    def _turning(self, window: tuple[int, int], whole: float, begin: float, end: float, *, closes: bool) -> set[int]:
        """Frames between which a joint turns that does so from `begin` to `end` of its finger's whole time."""
        first, last = window
        shares = [min(begin / whole, 1.0), min(end / whole, 1.0)]
        if closes:
            shares = [1.0 - shares[1], 1.0 - shares[0]]
        times = [first + time_of(share, smooth=self.task.smooth) * (last - first) for share in shares]
        low, high = int(np.floor(times[0] + 1e-6)), int(np.ceil(times[1] - 1e-6))
        return {low, max(high, low + 1)} if low < last else {last}


def _one(value: float) -> FloatArray:
    return np.array([value])
