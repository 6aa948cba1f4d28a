# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of demo hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .build import build_flesh
from .flesh import cartoon_plan, human_plan, six_finger_plan
from .gripper import THREE_FINGERS, TWO_FINGERS, build_gripper
from .spec import HandBuild, HandSpec


@dataclass(frozen=True)
class Variant:
    """One kind of demo hand."""

    label: str
    """Name in menus."""
    description: str
    """Tooltip, without a full stop."""
    build: Callable[[HandSpec], HandBuild]
    """Makes the hand."""


def _human(spec: HandSpec) -> HandBuild:
    return build_flesh(human_plan(spec.size_sd), spec)


def _cartoon(spec: HandSpec) -> HandBuild:
    return build_flesh(cartoon_plan(spec.size_sd), spec)


def _six_finger(spec: HandSpec) -> HandBuild:
    return build_flesh(six_finger_plan(spec.size_sd), spec)


def _gripper_2(spec: HandSpec) -> HandBuild:
    return build_gripper(TWO_FINGERS, spec)


def _gripper_3(spec: HandSpec) -> HandBuild:
    return build_gripper(THREE_FINGERS, spec)


VARIANTS: dict[str, Variant] = {
    "human": Variant("Human Hand", "Adult human hand with measured bone lengths", _human),
    "cartoon": Variant("Cartoon Hand", "Chunky hand with a thumb and two fingers", _cartoon),
    "six_finger": Variant("Six-Finger Hand", "Human hand with a thumb and five fingers", _six_finger),
    "gripper_2": Variant("Two-Finger Gripper", "Robot gripper with two opposed fingers of hard links", _gripper_2),
    "gripper_3": Variant("Three-Finger Gripper", "Robot gripper with three fingers round its middle", _gripper_3),
}
"""Demo hands by key."""
