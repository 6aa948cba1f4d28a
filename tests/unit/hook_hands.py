# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small hand of capsules, and the hook search's parts as loops over poses and bones."""

from __future__ import annotations

import numpy as np

from addon.core.arrays import BoolArray, FloatArray, IntArray
from addon.core.articulation import Articulation
from addon.core.rotations import matrix_from_axis_angle
from addon.solvers.closing import ClosingHand, ClosingSkin, Distance, Volumes, build_skin
from addon.solvers.closing.literal import LiteralClosing, close_literally
from addon.solvers.closing.movement import Movement
from addon.solvers.search import Attempt, Problem
from addon.solvers.search.hook_quality import QualityWeights
from addon.solvers.search.hook_search import HookSearch

LENGTHS = ((0.04, 0.03), (0.045, 0.03, 0.02), (0.04, 0.025, 0.02))
ROOTS = ((0.03, -0.01, 0.02), (0.015, 0.0, 0.08), (-0.015, 0.0, 0.08))


def three_fingers() -> ClosingSkin:
    """A thumb of two bones that comes from below, two fingers of three, and a palm."""
    parents: list[int] = []
    finger_of: list[int] = []
    offsets: list[tuple[float, float, float]] = []
    zeros: list[FloatArray] = []
    ends: list[FloatArray] = []
    for f, (root, lengths) in enumerate(zip(ROOTS, LENGTHS, strict=True)):
        for k, length in enumerate(lengths):
            parents.append(len(parents) - 1 if k else -1)
            finger_of.append(f)
            offsets.append((0.0, 0.0, lengths[k - 1]) if k else root)
            # The thumb points away from the palm and bends towards the fingers.
            thumb = matrix_from_axis_angle([1.0, 0.0, 0.0], 1.9) @ matrix_from_axis_angle([0.0, 0.0, 1.0], np.pi)
            zeros.append(thumb if f == 0 and not k else np.eye(3))
            ends.append(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, length]]))
    m = len(parents)
    joints = Articulation(np.array(parents), np.array(offsets), np.array(zeros), np.ones((m, 3)))
    palm = np.array([[0.0, 0.0, 0.01], [0.0, 0.0, 0.08]])
    hand = ClosingHand(
        articulation=joints,
        finger_of=np.array(finger_of),
        rest_angles=np.zeros((m, 3)),
        volumes=Volumes(np.append(np.arange(m), -1), np.array([*ends, palm]), np.full((m + 1, 2), 0.008)),
        thumb=0,
    )
    return build_skin(hand, None)


def attempt_at(skin: ClosingSkin, hook: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Attempt:
    """A grasp of all fingers at a point."""
    m = len(skin.hand.finger_of)
    start, end = np.zeros((m, 3)), np.zeros((m, 3))
    start[:, 0], end[:, 0] = 0.1, 1.3
    return Attempt(
        hook=np.array(hook),
        hook_axis=None,
        hook_across=None,
        hook_length=0.0,
        start=start,
        end=end,
        fingers=np.ones(len(skin.hand.chains), dtype=np.bool_),
        centre=np.array([0.0, -0.03, 0.08]),
        hand_axis=None,
        press_axis=np.array([0.0, 1.0, 0.0]),
        palm=True,
        prior=1.0,
    )


def problem_of(skin: ClosingSkin, distance: Distance, *attempts: Attempt) -> Problem:
    """The hand and a shape."""
    ranges = np.tile([[-1.0, 2.0], [-0.3, 0.3], [-0.3, 0.3]], (len(skin.hand.finger_of), 1, 1))
    return Problem(
        skin=skin,
        ranges=ranges,
        approach=np.array([0.0, -1.0, 0.0]),
        thumb_way=np.array([1.0, 0.0, 0.0]),
        attempts=attempts,
        distance=distance,
        refined=distance,
        precise=distance,
        normals=lambda points: points,
        up=np.array([0.0, 0.0, 1.0]),
        floor=-1.0,
        middle=np.zeros(3),
        radius=0.05,
    )


def random_rotations(count: int, seed: int) -> FloatArray:
    """Rotation matrices."""
    out = np.linalg.qr(np.random.default_rng(seed).normal(size=(count, 3, 3)))[0]
    return out * np.linalg.det(out)[:, None, None]


class Literally:
    """One pose at a time, one bone at a time."""

    def __init__(self, problem: Problem, attempt: Attempt, options: HookSearch, shoulder: FloatArray | None) -> None:
        self.problem, self.attempt, self.options, self.shoulder = problem, attempt, options, shoulder

    def wrist(self, rotation: FloatArray) -> tuple[FloatArray, bool]:
        """Algorithm 3: from the hook outwards until the open hand is free; and whether it is."""
        coarse = self.problem.skin.coarse
        wrist = np.empty((3, 4))
        wrist[:, :3] = rotation
        for number in range(self.options.most_lifts + 1):
            centre = self.attempt.centre + self.problem.approach * self.options.lift * number
            wrist[:, 3] = self.attempt.hook - rotation @ centre
            motions = coarse.motions(self.attempt.start[None], wrist[None])
            free = True
            for probe, radius in enumerate(coarse.probes.radii.tolist()):
                place = coarse.positions(motions, np.array([0]), np.array([probe]))
                free &= float(self.problem.distance(place)[0]) - radius > -self.problem.depth
            if free:
                return wrist, True
        return wrist, False

    def close(self, wrist: FloatArray) -> LiteralClosing:
        """Algorithms 1 and 2."""
        movement = Movement(
            self.attempt.start[None], self.attempt.end[None], wrist[None], np.array(self.attempt.fingers)
        )
        return close_literally(
            self.problem.skin.coarse,
            movement,
            self.problem.distance,
            steps=self.options.interpolations,
            depth=self.problem.depth,
        )

    def quality(self, rotation: FloatArray, weights: QualityWeights | None = None) -> float:
        """Algorithms 6 and 7, with a penalty for fingers that touch nothing."""
        wrist, free = self.wrist(rotation)
        if not free:
            return -np.inf
        closed = self.close(wrist)
        return self.distances(wrist, closed.angles, closed.steps, closed.touched == 1, weights or self.options.weights)

    def distances(
        self, wrist: FloatArray, angles: FloatArray, steps: IntArray, touched: BoolArray, weights: QualityWeights
    ) -> float:
        """The sum of algorithm 6 by 4 by 4 matrices."""
        world = np.vstack([wrist, [0.0, 0.0, 0.0, 1.0]])
        hook = self.attempt.hook
        centre = (world @ np.append(self.attempt.centre, 1.0))[:3]
        total = weights.centre * float(np.linalg.norm(centre - hook))
        if self.shoulder is not None:
            total += weights.wrist * float(np.linalg.norm(world[:3, 3] - self.shoulder))
        precise = self.options.kind == "precision"
        joints = self.problem.skin.hand.articulation
        j = 0
        for finger, lengths in enumerate(LENGTHS):
            frame, ends, made, touch = world, [], [], False
            for length in lengths:
                local = np.eye(4)
                x, y, z = (matrix_from_axis_angle(np.eye(3)[i], angles[j, i]) for i in range(3))
                local[:3, :3], local[:3, 3] = joints.zeros[j] @ x @ y @ z, joints.offsets[j]
                frame = frame @ local
                ends.append((frame @ [0.0, 0.0, length, 1.0])[:3])
                made.append(steps[j])
                touch |= bool(touched[j])
                j += 1
            first = 0
            for k, reached in enumerate(made):
                if reached <= made[first]:
                    first = k
            if precise and finger > 1:
                continue
            end = ends[-1] if precise or not touch else ends[first]
            away = float(np.linalg.norm(end - hook)) + (0.0 if touch else sum(lengths))
            total += weights.fingers * away
        return -total
