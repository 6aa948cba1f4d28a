# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The search for grasps."""

from .demand import Demand
from .hook_search import HookSearch
from .other_sizes import power_of_two, search_at_size
from .placing import TOO_DEEP, WITHIN, back_off, find_room
from .problem import Attempt, Candidate, Problem, Weights
from .search import Progress, SearchResult, drain, search

__all__ = [
    "TOO_DEEP",
    "WITHIN",
    "Attempt",
    "Candidate",
    "Demand",
    "HookSearch",
    "Problem",
    "Progress",
    "SearchResult",
    "Weights",
    "back_off",
    "drain",
    "find_room",
    "power_of_two",
    "search",
    "search_at_size",
]
