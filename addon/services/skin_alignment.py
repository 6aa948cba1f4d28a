# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring the bones of an armature into a skin that lies beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..hands.skin_offset import off_by
from ..rig.skin import objects_beside
from ..rig.skin_place import move_bones, read_skin_offset


class SkinFitsError(PrehendError):
    """A skin does not lie beside its bones by one translation."""

    def __init__(self, name: str) -> None:
        """Keep the armature's name."""
        super().__init__(f"No skin of '{name}' lies beside its bones as a whole, so there is nothing to align.")
        self.name = name


@dataclass(frozen=True, eq=False)
class Alignment:
    """How bones were brought into their skin."""

    offset: FloatArray
    """The way they went in the world in [m]. Shape (3,)."""
    dragged: tuple[str, ...]
    """Other objects that went along, as constraints have them follow the bones."""

    @property
    def sentence(self) -> str:
        """What was done."""
        text = f"The skin lay {off_by(self.offset)} off its bones: these were moved into it."
        return text if not self.dragged else f"{text} By their constraints {', '.join(self.dragged)} went along."


def find_skin_offset(armature: Any) -> FloatArray | None:
    """Translation in [m] from the bones of an armature object to the skin that lies beside them; None where it fits."""
    return read_skin_offset(armature, objects_beside(armature))


def align_skin(armature: Any, *, view_layer: Any) -> Alignment:
    """Move the bones of an armature object into its skin; what is seen stays where it is.

    Args:
        armature: The armature object.
        view_layer: View layer that shows it.

    Raises:
        SkinFitsError: There is nothing to align.
        OutputError: The armature, or what hangs on it, cannot be changed so that it lasts. Nothing was changed.
        ScaleError: The armature is scaled unevenly.
    """
    offset = find_skin_offset(armature)
    if offset is None:
        raise SkinFitsError(armature.name)
    return Alignment(offset, move_bones(armature, np.asarray(offset), view_layer=view_layer))
