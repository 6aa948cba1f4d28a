# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Prehend tab of the 3D view's sidebar. Panels only draw."""

from __future__ import annotations

from contextlib import ExitStack

from ..registration import register_classes
from .sidebar import PANELS


def register(undo: ExitStack) -> None:
    """Register all panels, parents before children."""
    register_classes(undo, PANELS)
