# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Why no hand could be found."""

from __future__ import annotations

from ...core.errors import PrehendError

_ADVICE = "Pick the wrist and the finger bones by hand, or select the armature that carries the fingers."


class HandDetectionError(PrehendError):
    """The bones of a hand could not be found."""


class NoArmatureError(HandDetectionError):
    """Something other than an armature was given."""

    def __init__(self, name: str, kind: str) -> None:
        """Keep the object's name and type."""
        given = f"'{name}' is a {kind.lower()}" if name else "Nothing is selected"
        super().__init__(f"{given}, hands are found on armatures: select the armature that moves the character.")
        self.name = name
        self.kind = kind


class NoHandError(HandDetectionError):
    """An armature has nothing that looks like a hand."""

    def __init__(self, *, bones: int, conventions: int) -> None:
        """Keep how much was looked at."""
        super().__init__(
            f"No hand found among {bones} bones: none of {conventions} naming conventions matches, no name tells a "
            f"finger, and no bone at the end of a limb forks into two or more finger-like chains. {_ADVICE}"
        )
        self.bones = bones
        self.conventions = conventions


class OneFingerError(HandDetectionError):
    """A hand was found, but only one of its fingers."""

    def __init__(self, wrist: str, finger: str) -> None:
        """Keep the hand's root bone and the finger's name."""
        super().__init__(f"The hand at bone '{wrist}' has one finger only ('{finger}'), a grasp needs two. {_ADVICE}")
        self.wrist = wrist
        self.finger = finger


class CoincidentJointsError(HandDetectionError):
    """All joints of a hand or of a whole armature lie in one point."""

    def __init__(self, where: str) -> None:
        """Keep what has no size."""
        super().__init__(
            f"All joints of {where} lie in one point, so its fingers have no length. "
            "Check the armature's scale and the bones' rest positions."
        )
        self.where = where
