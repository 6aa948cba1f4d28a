# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint limits of single bones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.errors import PrehendError
from ..rig.own_limits import write_own_limits
from .detection import require_editable
from .poses import hands_of
from .posture import model_of


class NoJointError(PrehendError):
    """A bone is no joint of a hand."""


def start_own_limits(armature: Any, bone: str, *, convention_folders: Sequence[Path] = ()) -> None:
    """Give a joint limits of its own, beginning with those that hold for it now.

    Raises:
        NoJointError: The bone is no joint of any of the armature's hands.
        OutputError: The armature is linked from another file, or a library override that is not editable.
        PrehendError: The armature has no hand.
    """
    require_editable(armature)
    for hand in hands_of(armature, convention_folders=convention_folders):
        model = model_of(armature, hand)
        if bone in model.names:
            write_own_limits(armature, bone, model.limits.ranges[model.names.index(bone)])
            return
    raise NoJointError(f"Bone '{bone}' is no joint of a hand of '{armature.name}': choose a finger bone.")
