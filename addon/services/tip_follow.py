# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Have fingertips follow their targets while these, or the wrist, are moved."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.errors import PrehendError
from ..rig.read import read_hand_frame, read_placement
from ..rig.tips import TipTarget, read_targets, target_owners
from .finger_ik import METHODS, TipOptions
from .tips import HandTargets, gather_targets, solve_hands, write_solved

_DIGITS = 7
"""Places to which targets and wrists are compared with the last ones, in [m] or as parts of a unit vector."""

_WINDOW, _PAUSE, _MOST_TIMES = 1.0, 0.5, 512
"""Time in [s] over which updates are counted, time without one after which counting starts anew, and most of them."""


@dataclass(frozen=True)
class FollowReport:
    """What one update took and found."""

    solve_seconds: float
    """Time of the solvers."""
    seconds: float
    """Time of all of it, reading and writing the rigs included."""
    message: str = ""
    """Why a hand does not follow, in one sentence."""
    rate: float = 0.0
    """Updates a second of late, with all that Blender does between them; 0 for a single one."""


@dataclass(frozen=True, eq=False)
class _Known:
    """What is kept of an armature between updates: pure data, found by the names of its targets."""

    key: tuple[tuple[str, str, str], ...]
    hands: tuple[HandTargets, ...]


class UpdateRate:
    """How often a second something happens, as long as it goes on."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=_MOST_TIMES)

    def count(self, now: float) -> float:
        """Events a second up to one at `now` in [s], of the last second; 0 for the first after a pause."""
        if self._times and not 0.0 <= now - self._times[-1] <= _PAUSE:
            self._times.clear()
        self._times.append(now)
        while now - self._times[0] > _WINDOW:
            self._times.popleft()
        span = now - self._times[0]
        return (len(self._times) - 1) / span if span > 0.0 else 0.0


class TipFollower:
    """Solves only when a target or a wrist has moved, so that its own writing does not set it off again."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._last: dict[str, bytes] = {}
        self._busy = False
        self._rate = UpdateRate()

    def reset(self) -> None:
        """Forget what was seen, as after undo or with another file."""
        self._known.clear()
        self._last.clear()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Keep still while someone else moves things."""
        before, self._busy = self._busy, True
        try:
            yield
        finally:
            self._busy = before

    def update(self, scene: Any, options: TipOptions) -> FollowReport | None:
        """Bring all fingertips of a scene to their targets; None where nothing has moved.

        Channels are set and the view layer is left to whoever called, who updates it anyway.
        """
        if self._busy:
            return None
        with self.paused():
            started, solving, moved, message = time.perf_counter(), 0.0, False, ""
            for armature in target_owners(scene.objects):
                try:
                    seconds = self._follow(armature, scene, options)
                except PrehendError as error:
                    self._known.pop(armature.name, None)
                    seconds, message = 0.0, str(error)
                moved = moved or seconds is not None
                solving += seconds or 0.0
        if not moved:
            return None
        return FollowReport(solving, time.perf_counter() - started, message, self._rate.count(started))

    def _follow(self, armature: Any, scene: Any, options: TipOptions) -> float | None:
        if armature.mode == "EDIT":
            return None
        targets = read_targets(armature, scene.objects)
        hands = self._hands(armature, targets, scene)
        state = self._state(armature, hands, options)
        if self._last.get(armature.name) == state:
            return None
        # Kept even if it fails, so that the same sentence is not worked out again at every redraw.
        self._last[armature.name] = state
        if not all(np.isfinite(target.point).all() for target in targets):
            hands = tuple(gather_targets(armature, scene=scene))  # Says which one is no point.
        solved = solve_hands(armature, hands, options)
        write_solved(armature, solved, scene=scene)
        return solved.seconds

    def _hands(self, armature: Any, targets: list[TipTarget], scene: Any) -> tuple[HandTargets, ...]:
        key = tuple((each.name, each.wrist, each.finger) for each in targets)
        known = self._known.get(armature.name)
        if known is None or known.key != key:
            known = _Known(key, tuple(gather_targets(armature, scene=scene)))
            self._known[armature.name] = known
        now = {each.name: each for each in targets}
        return tuple(replace(each, targets=tuple(now[t.name] for t in each.targets)) for each in known.hands)

    def _state(self, armature: Any, hands: tuple[HandTargets, ...], options: TipOptions) -> bytes:
        placement = read_placement(armature)
        values = [np.array([METHODS.index(options.method), options.theta_u])]
        for each in hands:
            values.append(read_hand_frame(armature, each.model, placement).ravel())
            values += [target.point for target in each.targets]
        # Adding 0 makes -0 and 0 the same bytes.
        return (np.round(np.concatenate(values), _DIGITS) + 0.0).tobytes()
