# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances to triangle meshes."""

from .errors import SurfaceError
from .field import ClosestPoints
from .gridding import EXACT
from .soup import fingerprint
from .surface import ACCURACY, SHELL_THICKNESS, Surface, build_surface

__all__ = [
    "ACCURACY",
    "EXACT",
    "SHELL_THICKNESS",
    "ClosestPoints",
    "Surface",
    "SurfaceError",
    "build_surface",
    "fingerprint",
]
