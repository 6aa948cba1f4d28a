# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures of the set-up that a user can do something about."""

from __future__ import annotations

BAD_INPUT = 2
"""Exit code for everything a user can mend: wrong arguments, missing files, no space, no network."""


class SetupError(Exception):
    """One sentence that says what is wrong and what to do."""
