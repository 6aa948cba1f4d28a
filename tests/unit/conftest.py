# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""No test fails for being slow: machines differ, and other work may go on beside it."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("patient", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("patient")
