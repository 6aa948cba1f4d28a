# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Add targets for fingertips and bring the fingertips to them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.handmap import HandMap
from ..hands.forward import forward
from ..hands.model import HandModel
from ..hands.posture import HandPose
from ..rig.read import read_pose
from ..rig.tips import (
    TipNote,
    TipTarget,
    create_target,
    fully_locked,
    owner_of,
    read_targets,
    tips_collection,
    write_gap,
)
from ..rig.write import check_writable, set_angles, write_angles
from .finger_ik import TipError, TipOptions, TipSolution, solve_tip
from .poses import hands_of
from .posture import model_of

__all__ = ["owner_of"]  # for operators, which know services only

GOOD_GAP = 1e-4
"""Distance in [m] at which a fingertip counts as there once the rig shows it."""

DRAGGED_GAP = 5e-4
"""The same while targets are dragged, where a quick solve may stay a little away from what a thorough one reaches."""


@dataclass(frozen=True)
class TipOutcome:
    """What became of one fingertip."""

    target: str
    """Name of the empty."""
    finger: str
    """Name of the finger."""
    gap: float
    """Distance in [m] that is left between tip and target."""
    reason: str
    """Why it did not arrive, as in `IkResult`; "reached" where it did."""


@dataclass(frozen=True)
class TipReport:
    """What became of all fingertips of an armature."""

    outcomes: tuple[TipOutcome, ...]
    solve_seconds: float
    """Time that the solvers took, without reading and writing the rig."""

    @property
    def missed(self) -> tuple[TipOutcome, ...]:
        """Those that did not arrive."""
        return tuple(each for each in self.outcomes if each.gap > GOOD_GAP)


@dataclass(frozen=True, eq=False)
class HandTargets:
    """A hand with the targets of its fingers."""

    hand: HandMap
    model: HandModel
    targets: tuple[TipTarget, ...]


def fingertips(model: HandModel, pose: HandPose) -> FloatArray:
    """Fingertips of a hand in the world in [m]. Shape (f, 3)."""
    return forward(model, pose.angles).tips @ pose.T_world_hand[:3, :3].T + pose.T_world_hand[:3, 3]


def choose_fingers(hand: HandMap, names: Sequence[str], selected: Iterable[str] = ()) -> list[str]:
    """Fingers of a hand that are named, else those with a selected bone, else all.

    Raises:
        TipError: The hand has no such finger.
    """
    present = [finger.name for finger in hand.fingers]
    absent = [name for name in names if name not in present]
    if absent:
        raise TipError(f"There is no finger '{absent[0]}' in {hand.wrist}: it has {', '.join(present)}.")
    if names:
        return [name for name in present if name in names]
    bones = set(selected)
    return [finger.name for finger in hand.fingers if bones & {*finger.chain, finger.metacarpal}] or present


def add_tip_targets(
    armature: Any,
    hands: Sequence[HandMap],
    *,
    scene: Any,
    fingers: Sequence[str] = (),
    selected: Iterable[str] = (),
) -> list[str]:
    """Give fingers an empty each, at the tip, unless they have one; the names of the new ones.

    Args:
        armature: The armature object.
        hands: Which of its hands.
        scene: Scene that the empties go to, into a collection of their own.
        fingers: Names of the fingers; those with selected bones, or all, if none are named.
        selected: Names of selected bones.

    Raises:
        PrehendError: The hands or fingers are not there. Nothing was added.
    """
    chosen = set(selected)
    wanted = [(hand, choose_fingers(hand, fingers, chosen)) for hand in hands]
    if chosen and any(_has_bone(hand, chosen) for hand in hands):
        # With bones of one hand selected, the other hand is not meant.
        wanted = [(hand, names) for hand, names in wanted if _has_bone(hand, chosen)]
    present = {(each.wrist, each.finger) for each in read_targets(armature, scene.objects)}
    made = []
    for hand, names in wanted:
        model = model_of(armature, hand, objects=scene.objects)
        tips = fingertips(model, read_pose(armature, model))
        if not np.isfinite(tips).all():
            raise TipError(f"The hand at '{hand.wrist}' is nowhere: give its bones places that are numbers.")
        for name in names:
            if (hand.wrist, name) not in present:
                tip, size = tips[model.fingers.index(name)], 0.05 * model.palm_length
                made.append(create_target(armature, hand, name, tip, size=size, parent=None))
    if made:
        collection = tips_collection(scene)
        for target in made:
            collection.objects.link(target)
    return [target.name for target in made]


def _has_bone(hand: HandMap, names: set[str]) -> bool:
    return bool(names & {bone for finger in hand.fingers for bone in (*finger.chain, finger.metacarpal)})


def gather_targets(armature: Any, *, scene: Any, side: str = "BOTH") -> list[HandTargets]:
    """The hands of an armature that have targets, with these.

    Raises:
        TipError: There are none, two are for one finger, or one is no point.
        PrehendError: The armature has no hand or cannot be measured.
    """
    hands = hands_of(armature, side=side)
    by_hand: dict[int, dict[str, TipTarget]] = {}
    for target in read_targets(armature, scene.objects):
        number = _hand_number(hands, target)
        if number is None:
            continue
        if target.finger not in [finger.name for finger in hands[number].fingers]:
            raise TipError(f"'{target.name}' is for a finger that the hand no longer has: delete it.")
        rival = by_hand.setdefault(number, {}).setdefault(target.finger, target)
        if rival is not target:
            raise TipError(f"'{rival.name}' and '{target.name}' are both for the {target.finger}: delete one.")
        if not np.isfinite(target.point).all():
            raise TipError(f"'{target.name}' is nowhere: give it a location that is a number.")
    if not by_hand:
        raise TipError(f"'{armature.name}' has no fingertip targets here: add them first (Add Tip Targets).")
    return [
        HandTargets(hands[number], model_of(armature, hands[number], objects=scene.objects), tuple(found.values()))
        for number, found in by_hand.items()
    ]


def _hand_number(hands: Sequence[HandMap], target: TipTarget) -> int | None:
    for key in ("wrist", "side"):
        for number, hand in enumerate(hands):
            if getattr(hand, key) == getattr(target, key):
                return number
    return None


def solve_tips(armature: Any, *, scene: Any, view_layer: Any, options: TipOptions, side: str = "BOTH") -> TipReport:
    """Bring fingertips to their targets once, within the joints' limits.

    Args:
        armature: The armature object.
        scene: Scene with the targets.
        view_layer: View layer that shows the armature.
        options: How to solve.
        side: "L", "R" or "BOTH".

    Raises:
        TipError: There is nothing to solve, or a bone of a finger is locked. Nothing was changed.
        PrehendError: The armature cannot be posed. Nothing was changed.
    """
    found = gather_targets(armature, scene=scene, side=side)
    solved = solve_hands(armature, found, options)
    outcomes: list[TipOutcome] = []
    for each in solved.hands:
        write_angles(armature, each.model, each.angles, view_layer=view_layer, joints=each.joints)
    for each in solved.hands:
        tips = fingertips(each.model, read_pose(armature, each.model))
        for target, solution in each.pairs:
            tip = tips[each.model.fingers.index(target.finger)]
            gap = float(np.linalg.norm(tip - target.point))
            reason = "the rig holds it" if solution.converged and gap > GOOD_GAP else solution.reason
            outcomes.append(TipOutcome(target.name, target.finger, gap, reason))
            _note(armature, each.model, target, tip, gap if gap > GOOD_GAP else None, scene=scene)
    return TipReport(tuple(outcomes), solved.seconds)


@dataclass(frozen=True, eq=False)
class SolvedHand:
    """Solutions for the targets of one hand, not written yet."""

    model: HandModel
    targets: tuple[TipTarget, ...]
    solutions: tuple[TipSolution, ...]
    """One for each target."""
    angles: FloatArray
    """All angles of the hand in [rad]. Shape (m, 3)."""
    tips: FloatArray
    """Where the fingertips are in the world before anything is written, in [m]. Shape (f, 3)."""

    @property
    def joints(self) -> list[int]:
        """Joints that solutions turn, parents first."""
        return sorted(j for each in self.solutions for j in each.joints)

    @property
    def pairs(self) -> Iterable[tuple[TipTarget, TipSolution]]:
        """Targets with their solutions."""
        return zip(self.targets, self.solutions, strict=True)


@dataclass(frozen=True, eq=False)
class SolvedHands:
    """Solutions for all targets of an armature, not written yet."""

    hands: tuple[SolvedHand, ...]
    seconds: float
    """Time that the solvers took."""


def solve_hands(armature: Any, found: Sequence[HandTargets], options: TipOptions) -> SolvedHands:
    """Poses of the fingers for their targets, without writing anything.

    Raises:
        TipError: A finger cannot be solved, or its bones are locked.
        PrehendError: The armature cannot be posed.
    """
    check_writable(armature)
    hands, seconds = [], 0.0
    for each in found:
        model = each.model
        names = [model.names[j] for target in each.targets for j in model.joints(target.finger)]
        locked = fully_locked(armature, names)
        if locked:
            raise TipError(f"Bone '{locked[0]}' is locked: unlock its rotation to have its fingertip follow.")
        pose = read_pose(armature, model)
        if not np.isfinite(pose.angles).all():
            raise TipError(f"The hand at '{each.hand.wrist}' is bent by angles that are no numbers: clear its pose.")
        started = time.perf_counter()
        frames = forward(model, pose.angles)
        origin, turn = pose.T_world_hand[:3, 3], pose.T_world_hand[:3, :3]
        solutions = tuple(
            solve_tip(model, frames, pose.angles, target.finger, (target.point - origin) @ turn, options)
            for target in each.targets
        )
        angles = np.array(pose.angles)
        for solution in solutions:
            angles[list(solution.joints)] = solution.angles
        seconds += time.perf_counter() - started
        hands.append(SolvedHand(model, each.targets, solutions, angles, frames.tips @ turn.T + origin))
    return SolvedHands(tuple(hands), seconds)


def write_solved(armature: Any, solved: SolvedHands, *, scene: Any) -> None:
    """Set the channels of solved fingers, and note with the targets what is left, without updating anything."""
    for each in solved.hands:
        set_angles(armature, each.model, each.angles, joints=each.joints)
        for target, solution in each.pairs:
            tip = each.tips[each.model.fingers.index(target.finger)]
            gap = solution.residual if solution.residual > DRAGGED_GAP else None
            _note(armature, each.model, target, tip, gap, scene=scene)


def _note(
    armature: Any, model: HandModel, target: TipTarget, tip: FloatArray, gap: float | None, *, scene: Any
) -> None:
    """Note a gap with its target, and where on its bone the fingertip is, which is in the world at `tip` now."""
    bone = model.binding.readers[int(model.last_joints[model.fingers.index(target.finger)])]
    write_gap(target, None if gap is None else TipNote(gap, bone, tip), armature, scene.objects)
