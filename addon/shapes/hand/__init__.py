# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parametric demo hands: skeleton, skin, weights and joint limits from a few numbers."""

from __future__ import annotations

from ...core.errors import UnknownChoiceError
from .spec import HandBuild, HandSpec
from .variants import VARIANTS, Variant

__all__ = ["VARIANTS", "HandBuild", "HandSpec", "Variant", "build_hand"]


def build_hand(spec: HandSpec) -> HandBuild:
    """The demo hand that `spec` asks for.

    Raises:
        UnknownChoiceError: The variant does not exist.
    """
    if spec.variant not in VARIANTS:
        raise UnknownChoiceError("demo hand", spec.variant, tuple(VARIANTS))
    return VARIANTS[spec.variant].build(spec)
