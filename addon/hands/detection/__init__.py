# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the bones of hands on any skeleton, by names where they tell and by shape where they do not."""

from __future__ import annotations

from .detect import detect_hands
from .errors import CoincidentJointsError, HandDetectionError, NoArmatureError, NoHandError, OneFingerError

__all__ = [
    "CoincidentJointsError",
    "HandDetectionError",
    "NoArmatureError",
    "NoHandError",
    "OneFingerError",
    "detect_hands",
]
