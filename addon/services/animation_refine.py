# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys at the poses of a plan, and more of them where what lies between would go through something."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..solvers.animation import GraspPlan
from .animation_check import MOST_DEPTH, MOST_WALL_DEPTH, FrameCheck, FrameJudge, wrist_off
from .animation_grasp import HeldGrasp
from .animation_hand import HandKeys
from .animation_request import AnimationRequest

ROUNDS = 12
"""Times that keys are added; from the sixth on at every frame that needs one."""
_STILL = (1e-4, 1e-3)
"""How far in [m] and [rad] a wrist may be off while it holds and stands still."""
_CARRYING = (4e-3, 0.03)
"""The same while it carries: the prop follows the hand, not the plan."""
_ALONG = (5e-5, 2e-3)
"""How far in [m] from its path a carried prop may be, and how far in [rad] its hand turned off."""
_DEEP = (5e-4, 5e-3)
"""The same where skin is too deep."""
_BEYOND = 0.01
"""How far in [rad] an arm may be beyond its limits between two poses, which are within them."""
_MOVING = (0.03, 0.4)
"""The same while it comes or goes, as long as it stays clear."""


class Refinement:
    """Keys one hand after a plan; lives for a single animation."""

    def __init__(
        self, keys: HandKeys, plan: GraspPlan, judge: FrameJudge, held: HeldGrasp, request: AnimationRequest
    ) -> None:
        """Take what is keyed, after what, and who judges."""
        self.keys, self.plan, self.judge, self.held, self.request = keys, plan, judge, held, request
        self.added: set[int] = set()
        self.depth = max(MOST_DEPTH, held.depth + 1e-4)
        self.interpolation = "LINEAR" if request.bake or not request.smooth else "BEZIER"

    def steps(self) -> Iterator[float]:
        """Key the poses and add to them until all frames are clean; yields shares of the work."""
        plan, f = self.plan, self.plan.frames
        every = range(f.approach, f.away + 1)
        moving = [joint for joint, frames in enumerate(plan.joint_keys) if frames]
        wrist = every if self.request.bake else plan.wrist_keys
        joints = {joint: every if self.request.bake else plan.joint_keys[joint] for joint in moving}
        wanted = sorted({*wrist, *(frame for frames in joints.values() for frame in frames)})
        self.keys.start_from(f.contact, self.held.values)
        for done, _ in enumerate(self.keys.solve(plan, wanted)):
            yield 0.5 * done / len(wanted)
        self.keys.key_wrist(wrist, interpolation=self.interpolation)
        for joint, frames in joints.items():
            self.keys.key_joint(joint, frames, interpolation=self.interpolation)
        yield from self._rounds(moving)

    def _rounds(self, moving: list[int]) -> Iterator[float]:
        f = self.plan.frames
        unseen = set(range(f.approach, f.away + 1))
        for number in range(ROUNDS):
            bad: dict[int, tuple[float, bool, set[int]]] = {}
            for frame in sorted(unseen):
                found = self._needs(frame)
                if found is not None:
                    bad[frame] = found
                yield 0.5 + 0.5 * (number + 0.5) / ROUNDS
            chosen = sorted(bad) if number >= 5 else _worst({frame: each[0] for frame, each in bad.items()})
            if not chosen:
                return
            for _ in self.keys.solve(self.plan, chosen):
                yield 0.5 + 0.5 * (number + 0.9) / ROUNDS
            for frame in chosen:
                _, wrist, fingers = bad[frame]
                if wrist:
                    self.keys.key_wrist([frame], interpolation=self.interpolation)
                for joint in moving:
                    if int(self.keys.model.finger_of[joint]) in fingers:
                        self.keys.key_joint(joint, [frame], interpolation=self.interpolation)
            self.added.update(chosen)
            # Curves change as far as the second key to each side.
            unseen = {frame for key in chosen for frame in self._round(key)}

    def _round(self, key: int) -> range:
        frames = sorted({frame for known in self.keys.keys.values() for frame in known})
        place = frames.index(key)
        return range(frames[max(place - 3, 0)], frames[min(place + 3, len(frames) - 1)] + 1)

    def _needs(self, frame: int) -> tuple[float, bool, set[int]] | None:
        """How bad a frame is, whether its wrist needs a key and which fingers do; None for one that needs nothing."""
        f, keys = self.plan.frames, self.keys
        keys.scene.frame_set(frame)
        held = f.contact <= frame <= f.hold
        check = self.judge.look(None if held else self._motion(frame))
        wrist, fingers = self._deep(check)
        gap, turn = wrist_off(self.plan, frame, check.pose)
        carried = f.carries and f.lift < frame < f.put
        limits = _CARRYING if carried else _STILL if held else _MOVING
        if carried and self.plan.along_path:
            limits, gap = _ALONG, self._prop_off(frame, check.pose.T_world_hand)
        if fingers:
            # A finger may be deep because the arm swings off the wrist's way.
            limits = min(limits, _DEEP)
        beyond = keys.beyond_limits()
        wrist |= gap > limits[0] or turn > limits[1] or beyond > _BEYOND
        badness = max(check.depth, -check.walls, 1e-3 * max(gap / limits[0], turn / limits[1], beyond / _BEYOND))
        tracks = [*(keys.wrist if wrist else ())]
        for joint, own in enumerate(keys.joints):
            if int(keys.model.finger_of[joint]) in fingers and self.plan.joint_keys[joint]:
                tracks += own
        # What has its key already is as planned: another would change nothing.
        if all(frame in keys.keys.get(track, ()) for track in tracks):
            return None
        return badness, wrist, fingers

    def _deep(self, check: FrameCheck) -> tuple[bool, set[int]]:
        model = self.keys.model
        every = set(range(len(model.fingers)))
        if check.walls < -MOST_WALL_DEPTH:
            return True, every
        deep = np.flatnonzero(check.gaps.by_bone < -self.depth)
        palm = any(j == len(model.names) or model.kinds[j] == "metacarpal" for j in deep.tolist())
        if palm:
            return True, every
        return False, {int(model.finger_of[j]) for j in deep.tolist()}

    def _prop_off(self, frame: int, hand: np.ndarray) -> float:
        """How far in [m] the origin of a prop that follows the hand (4, 4) is from its plan."""
        origin = self.held.place[:, 3]
        return float(np.linalg.norm((hand @ np.linalg.inv(self.held.wrist) - self._motion(frame)) @ origin))

    def _motion(self, frame: int) -> np.ndarray:
        """Where the prop is at a frame, from where it is taken, before it has keys of its own. Shape (4, 4)."""
        objects = self.plan.objects
        return objects[self.plan.row(frame)] @ np.linalg.inv(objects[0])


def _worst(bad: dict[int, float]) -> list[int]:
    """The worst of each run of neighbouring frames, and the middles of long ones."""
    runs: list[list[int]] = []
    for frame in sorted(bad):
        if runs and frame == runs[-1][-1] + 1:
            runs[-1].append(frame)
        else:
            runs.append([frame])
    chosen: list[int] = []
    for run in runs:
        chosen.append(max(run, key=lambda frame: bad[frame]))
        if len(run) > 8:
            chosen += run[len(run) // 4 :: max(len(run) // 3, 1)]
    return sorted(set(chosen))
