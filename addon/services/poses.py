# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Give hands named poses, mirror them and key them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..core.handmap import FINGER_NAMES, HandMap
from ..hands.model import HandModel
from ..hands.poses import blend_pose, stand_in
from ..hands.random_poses import random_posture
from ..hands.synergies import hand_synergies
from ..presets.poses import Pose
from ..presets.synergies import load_synergies
from ..rig.keyframes import key_rotations
from ..rig.read import read_pose
from ..rig.write import check_writable, write_angles
from .detection import detect_armature_hands, load_hands
from .pose_library import Library, load_library
from .posture import copy_posture, mirror_posture, model_of

BOTH = "BOTH"


class NoSuchHandError(PrehendError):
    """The armature has no hand on that side."""


@dataclass(frozen=True)
class PoseReport:
    """What became of a pose."""

    hands: tuple[str, ...]
    """Wrist bones of the hands that were posed."""
    locked: tuple[str, ...]
    """Bones that could not turn as wanted because channels of theirs are locked."""


def hands_of(armature: Any, *, side: str = BOTH, convention_folders: Sequence[Path] = ()) -> list[HandMap]:
    """The hands kept with an armature object; where none are kept, those that are detected now.

    Args:
        armature: The armature object.
        side: "L", "R" or "BOTH".
        convention_folders: Folders with the user's own conventions, for hands that are detected now.

    Raises:
        HandDetectionError: There is none.
        NoSuchHandError: There is none on that side.
    """
    hands = load_hands(armature) or detect_armature_hands(armature, convention_folders=convention_folders)
    chosen = [hand for hand in hands if side == BOTH or hand.side in (side, "")]
    if not chosen:
        name = {"L": "left", "R": "right"}.get(side, side)
        raise NoSuchHandError(f"Armature '{armature.name}' has no {name} hand: choose the other side.")
    return chosen


def apply_pose(
    armature: Any,
    hands: Sequence[HandMap],
    pose: str,
    *,
    view_layer: Any,
    factor: float = 1.0,
    fingers: Collection[str] | None = None,
    flip: bool = False,
    library: Library | None = None,
) -> PoseReport:
    """Give hands a pose of the library.

    Args:
        armature: The armature object.
        hands: Which of its hands.
        pose: Key of a pose.
        view_layer: View layer that shows the armature.
        factor: 0 leaves the hand as it is, 1 is the whole pose.
        fingers: Names of the fingers that take it on; all of them if not given.
        flip: Whether each hand takes what the pose has for the other, where it has both.
        library: Where the pose is looked for; what comes with the extension if not given.

    Raises:
        UnknownChoiceError: There is no such pose.
        PrehendError: The armature cannot be posed. Nothing was changed.
    """
    found = (library or load_library(Path())).find(pose).pose
    wanted = []
    for hand in hands:
        model = model_of(armature, hand)
        now = read_pose(armature, model).angles
        shape = Pose(found.name, found.description, found.fingers(hand.side, flip=flip))
        chosen = None if fingers is None else _chosen_fingers(model, fingers)
        wanted.append((model, blend_pose(model, now, shape, factor=factor, fingers=chosen)))
    return _write(armature, hands, wanted, view_layer)


def apply_random_pose(
    armature: Any, hands: Sequence[HandMap], *, view_layer: Any, seed: int, amount: float = 1.0
) -> PoseReport:
    """Give hands natural poses by chance; the same seed gives a hand the same pose.

    Args:
        armature: The armature object.
        hands: Which of its hands.
        view_layer: View layer that shows the armature.
        seed: What chance begins with; each side has its own luck.
        amount: 0 is the mean of our postures, 1 as different as they are.

    Raises:
        PrehendError: The armature cannot be posed. Nothing was changed.
    """
    wanted = []
    for hand in hands:
        model = model_of(armature, hand)
        wanted.append((model, random_angles(model, seed=seed, side=hand.side, amount=amount)))
    return _write(armature, hands, wanted, view_layer)


def random_angles(model: HandModel, *, seed: int, side: str, amount: float = 1.0) -> FloatArray:
    """A natural posture by chance in [rad]. Shape (m, 3)."""
    rng = np.random.default_rng([seed, {"L": 1, "R": 2}.get(side, 0)])
    return random_posture(model, hand_synergies(model, load_synergies()), rng, amount=amount)


def _chosen_fingers(model: HandModel, names: Collection[str]) -> list[str]:
    """The fingers of a hand that are meant: by name, or by place where a hand has others than people."""
    return [
        finger
        for finger in model.fingers
        if (finger if finger in FINGER_NAMES else stand_in(finger, model, FINGER_NAMES)) in names
    ]


def _write(
    armature: Any, hands: Sequence[HandMap], wanted: list[tuple[HandModel, FloatArray]], view_layer: Any
) -> PoseReport:
    check_writable(armature)
    results = [write_angles(armature, model, angles, view_layer=view_layer) for model, angles in wanted]
    return PoseReport(tuple(hand.wrist for hand in hands), tuple(name for each in results for name in each.locked))


def mirror_pose(
    armature: Any, *, source_side: str, view_layer: Any, convention_folders: Sequence[Path] = ()
) -> PoseReport:
    """Give the other hand of an armature the mirrored posture of the hand on `source_side`.

    Raises:
        NoSuchHandError: The armature lacks one of the two hands.
        PrehendError: The armature cannot be posed. Nothing was changed.
    """
    folders = convention_folders
    source = hands_of(armature, side=source_side, convention_folders=folders)[0]
    target = hands_of(armature, side="R" if source_side == "L" else "L", convention_folders=folders)[0]
    if target.wrist == source.wrist:
        raise NoSuchHandError(f"Armature '{armature.name}' has one hand only: there is none to mirror to.")
    result = mirror_posture(armature, source, target, view_layer=view_layer)
    return PoseReport((target.wrist,), tuple(result.locked))


def copy_pose(
    source: Any, target: Any, *, side: str = BOTH, view_layer: Any, convention_folders: Sequence[Path] = ()
) -> PoseReport:
    """Give the hands of one armature the postures of another's, each joint by its own range.

    A hand whose side the source lacks takes on the posture of the source's other hand, mirrored.

    Raises:
        NoSuchHandError: One of the two armatures has no such hand.
        PrehendError: The target cannot be posed. Nothing was changed.
    """
    sources = {hand.side: hand for hand in reversed(hands_of(source, convention_folders=convention_folders))}
    targets = hands_of(target, side=side, convention_folders=convention_folders)
    locked: list[str] = []
    for hand in targets:
        taken = sources.get(hand.side) or next(iter(sources.values()))
        locked += copy_posture(source, taken, target, hand, view_layer=view_layer).locked
    return PoseReport(tuple(hand.wrist for hand in targets), tuple(locked))


def key_hands(armature: Any, hands: Sequence[HandMap], frame: int) -> int:
    """Key the rotations of all finger bones at a frame and give the number of keyed bones.

    Raises:
        ReadOnlyArmatureError: The armature cannot be keyed. Nothing was changed.
    """
    check_writable(armature)
    bones = [bone for hand in hands for finger in hand.fingers for bone in _turning(finger)]
    key_rotations(armature, bones, frame)
    return len(bones)


def _turning(finger: Any) -> list[str]:
    return [*([finger.metacarpal] if finger.metacarpal else []), *finger.chain]
