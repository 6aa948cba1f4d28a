# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose hands by sliders, live, and tell what the sliders show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.poser import Poser, make_poser, useful_sliders
from ..hands.slide import HAND_SLIDERS, read_posture_sliders, slide
from ..rig.channels import get_channels
from ..rig.read import read_pose
from ..rig.write import check_writable, set_angles
from .detection import HANDS_KEY
from .poses import hands_of
from .posture import model_of


@dataclass(frozen=True)
class FingerReading:
    """What one finger's sliders show."""

    name: str
    curl: float
    spread: float
    tip_curl: float


@dataclass(frozen=True)
class SliderReading:
    """What the sliders show, the mean of the hands."""

    hand: dict[str, float]
    """Sliders of the whole hand and its thumb, by name."""
    fingers: tuple[FingerReading, ...]
    """Sliders of the fingers that are no thumbs, of the first hand that has each."""
    useful: frozenset[str]
    """Names of the sliders of `hand` that move something."""


@dataclass(frozen=True, eq=False)
class _Known:
    """What is kept of a hand between two moves of a slider: pure data."""

    poser: Poser
    start: FloatArray
    """The posture in which the slider was taken, in [rad]. Shape (m, 3)."""
    slider: str
    """The slider that was moved last, with its finger."""
    channels: bytes
    """The bones' channels as they were last written or read."""
    angles: FloatArray
    """The posture that they stand for, in [rad]: rigs show what was written only after an update. Shape (m, 3)."""


class SliderSession:
    """Keeps the posture in which a slider was taken while it is dragged, so that dragging back leads back."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], _Known] = {}
        self._hands: dict[tuple[str, str], tuple[tuple[str, int], list[HandMap]]] = {}

    def reset(self) -> None:
        """Forget everything, as after undo, in another file or when a rig was edited."""
        self._known.clear()
        self._hands.clear()

    def hands(self, armature: Any, side: str, *, convention_folders: Sequence[Path] = ()) -> list[HandMap]:
        """As `hands_of`, but looked for again only when the armature's bones or its kept hands have changed.

        Raises:
            PrehendError: As `hands_of`.
        """
        key, bones = (armature.name_full, side), armature.data.bones
        stamp = (str(armature.data.get(HANDS_KEY, "")), len(bones))
        kept = self._hands.get(key)
        if kept is None or kept[0] != stamp or any(name not in bones for hand in kept[1] for name in hand.bones()):
            kept = stamp, hands_of(armature, side=side, convention_folders=convention_folders)
            self._hands[key] = kept
        return kept[1]

    def is_current(self, armature: Any, hands: Sequence[HandMap]) -> bool:
        """Whether hands are as they were when last read or moved here."""
        known = [self._known.get((armature.name, hand.wrist)) for hand in hands]
        return all(each is not None and each.channels == _channels(armature, each.poser.hand.model) for each in known)

    def read(self, armature: Any, hands: Sequence[HandMap]) -> SliderReading:
        """What the sliders show for the hands' present pose.

        Raises:
            PrehendError: The armature has no such hands any more, or is scaled unevenly.
        """
        known = [self._renew(armature, hand) for hand in hands]
        return _reading([(each.poser, each.start) for each in known])

    def move(
        self,
        armature: Any,
        hands: Sequence[HandMap],
        slider: str,
        value: float,
        *,
        finger: str = "",
        coupled: bool = True,
    ) -> SliderReading:
        """Move one slider of hands and tell what all show then; the view layer is left to whoever redraws.

        Raises:
            UnknownChoiceError: There is no such slider, or no hand has such a finger. Nothing was changed.
            PrehendError: The armature cannot be posed. Nothing was changed.
        """
        check_writable(armature)
        moves = []
        name = f"{slider} {finger}"
        for hand in hands:
            known = self._known.get((armature.name, hand.wrist))
            moved = known is None or known.channels != _channels(armature, known.poser.hand.model)
            if known is None or moved or known.slider != name:
                known = self._renew(armature, hand)
            if finger and len(hands) > 1 and finger not in known.poser.hand.model.fingers:
                continue
            angles = slide(known.poser, known.start, slider, value, finger=finger, coupled=coupled)
            moves.append((hand, replace(known, slider=name), angles))
        for hand, known, angles in moves:
            model = known.poser.hand.model
            set_angles(armature, model, angles)
            known = replace(known, channels=_channels(armature, model), angles=angles)
            self._known[armature.name, hand.wrist] = known
        return _reading([(known.poser, angles) for _, known, angles in moves])

    def _renew(self, armature: Any, hand: HandMap) -> _Known:
        model = model_of(armature, hand)
        before = self._known.get((armature.name, hand.wrist))
        poser = before.poser if before is not None and before.poser.hand.model is model else make_poser(model)
        channels = _channels(armature, model)
        same = before is not None and before.channels == channels and len(before.angles) == len(model.names)
        angles = before.angles if before is not None and same else read_pose(armature, model).angles
        known = _Known(poser, angles, "", channels, angles)
        self._known[armature.name, hand.wrist] = known
        return known


def _reading(postures: list[tuple[Poser, FloatArray]]) -> SliderReading:
    readings = [read_posture_sliders(poser, angles) for poser, angles in postures]
    fingers: dict[str, FingerReading] = {}
    useful: set[str] = set()
    for (poser, _), reading in zip(postures, readings, strict=True):
        useful |= useful_sliders(poser)
        values = reading.fingers
        for f in np.flatnonzero(poser.hand.fingers).tolist():
            name = poser.hand.model.fingers[f]
            row = FingerReading(name, float(values.curl[f]), float(values.spread[f]), float(values.tip_curl[f]))
            fingers.setdefault(name, row)
    means = {name: float(np.mean([each.hand[name] for each in readings])) for name in HAND_SLIDERS} if readings else {}
    return SliderReading(hand=means, fingers=tuple(fingers.values()), useful=frozenset(useful))


def _channels(armature: Any, model: HandModel) -> bytes:
    bones = [armature.pose.bones.get(name) for name in model.names]
    values = [get_channels(bone) for bone in bones if bone is not None]
    return np.array([number for each in values for number in (*each.location, *each.rotation)]).tobytes()
