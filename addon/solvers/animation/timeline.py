# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a grasp along the frames: where the wrist is and how the fingers are at each, and which are posed."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from .approach import Approach
from .clearance import FINE, MEDIUM
from .path import PathCarry
from .task import GraspPlan, GraspTask
from .timing import eased, finger_windows, time_of

SHAPED_BY = (1.0, 0.75, 0.5, 0.25, 0.0)
"""Parts of coming after which the hand is open: the latest that keeps it clear."""
_CLEAR_ENOUGH = 5e-4
"""Depth in [m] up to which a hand that comes counts as clear: what it has where it holds, and a hair."""
HURRIED = np.radians(12.0)
"""Turn in [rad] of a joint from one frame to the next above which its finger hurries."""
_EASED_PEAK = 1.5
"""How much faster than on the whole an eased motion is in its middle."""
_STILL = 1e-7


class Timeline:
    """Lays the parts of a grasp along the frames."""

    def __init__(self, task: GraspTask, coming: Approach, going: Approach) -> None:
        """Take what is laid out."""
        self.task, self.coming, self.going = task, coming, going
        self.frames = task.frames
        self.numbers = np.arange(self.frames.approach, self.frames.away + 1)

    def plan(self) -> GraspPlan:
        """The grasp at every frame."""
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
        f, coming, going = self.frames, self.coming, self.going
        closing, releasing = self._windows()
        angles = self._opened(coming, [1.0 - self._time(*window) for window in closing])
        come = self._shape_share(f.approach, f.arrive, shaped[0])
        angles = angles + (1.0 - come)[:, None, None] * (self.task.before.angles - coming.posture)
        if releasing:
            after = self._opened(going, [self._time(*window) for window in releasing])
            go = 1.0 - self._shape_share(f.away, f.release, shaped[1])
            after = after + go[:, None, None] * (self.task.after.angles - going.posture)
            angles = np.where((self.numbers > f.hold)[:, None, None], after, angles)
        return angles

    def _opened(self, approach: Approach, times: list[FloatArray]) -> FloatArray:
        """Postures of fingers after parts of their times to open as far as they do, each (n,). Shape (n, m, 3)."""
        finger_of = self.task.around.skin.hand.finger_of
        if approach.in_step:
            return approach.opening.at(approach.opened * np.stack(times, axis=1)[:, finger_of])
        opened = [approach.opening.reached(finger_of == k, time, approach.opened) for k, time in enumerate(times)]
        return approach.opening.at(np.stack(opened, axis=1)[:, finger_of])

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
        if any(self.task.delays) and not approach.in_step:
            return windows
        first, last = min(each[0] for each in windows), max(each[1] for each in windows)
        most = _EASED_PEAK if self.task.smooth else 1.0
        return [
            (first, last)
            if approach.in_step or most * self._whole(finger, approach) > HURRIED * (end - begin)
            else (begin, end)
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
            keys |= self._turning(joint, closing[finger], self.coming, closes=True)
            if releasing:
                keys |= {f.away, f.away - round(shaped[1] * (f.away - f.release))}
                keys |= self._turning(joint, releasing[finger], self.going, closes=False)
            out.append(tuple(sorted(keys)))
        return tuple(out)

    def _whole(self, finger: int, approach: Approach) -> float:
        """Time that a finger takes to open as far as it does."""
        hand = self.task.around.skin.hand
        return max(float(approach.opening.spent(hand.finger_of == finger, approach.opened)), 1e-9)

    def _turning(self, joint: int, window: tuple[int, int], approach: Approach, *, closes: bool) -> set[int]:
        """Frames between which a joint turns."""
        finger_of = self.task.around.skin.hand.finger_of
        finger = int(finger_of[joint])
        parts = approach.opening.parts[joint]
        # When in its finger's time it begins and ends.
        spent = parts if approach.in_step else approach.opening.spent(finger_of == finger, parts)
        whole = approach.opened if approach.in_step else self._whole(finger, approach)
        shares = [min(float(each) / whole, 1.0) for each in spent]
        if closes:
            shares = [1.0 - shares[1], 1.0 - shares[0]]
        first, last = window
        times = [first + time_of(share, smooth=self.task.smooth) * (last - first) for share in shares]
        low, high = int(np.floor(times[0] + 1e-6)), int(np.ceil(times[1] - 1e-6))
        return {low, max(high, low + 1)} if low < last else {last}
