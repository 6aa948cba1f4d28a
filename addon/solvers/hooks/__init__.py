# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an object can be taken."""

from .find import MOST_HOOKS, find_hooks
from .hook import KINDS, DistanceField, Hook, HookSizes

__all__ = ["KINDS", "MOST_HOOKS", "DistanceField", "Hook", "HookSizes", "find_hooks"]
