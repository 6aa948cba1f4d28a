# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of demo hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .build import build_flesh
from .flesh import human_plan
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


VARIANTS: dict[str, Variant] = {
    "human": Variant("Human Hand", "Adult human hand with measured bone lengths", _human),
}
"""Demo hands by key."""
