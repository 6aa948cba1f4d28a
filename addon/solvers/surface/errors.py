# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be wrong with a mesh or a query, in a sentence."""

from __future__ import annotations

from ...core.errors import PrehendError


class SurfaceError(PrehendError):
    """A mesh or a query that no distance can be measured on."""


class EmptyMeshError(SurfaceError):
    """A mesh without a triangle that has an area or a length."""

    def __init__(self, triangles: int) -> None:
        """Keep how many triangles there were before the worthless ones were dropped."""
        which = f"All {triangles} triangles of the mesh have" if triangles > 1 else "The mesh's only triangle has"
        super().__init__(
            f"{which} collapsed to points or lines: check the object's scale."
            if triangles
            else "The mesh has no faces: give the object faces to touch."
        )
        self.triangles = triangles


class BadCoordinateError(SurfaceError):
    """Coordinates that are not numbers."""

    def __init__(self, kind: str, index: int) -> None:
        """Keep what is wrong and the first index where."""
        super().__init__(f"{kind} {index} has a coordinate that is not a finite number: move it or delete it.")
        self.kind = kind
        self.index = index


class TriangleIndexError(SurfaceError):
    """A triangle that refers to a vertex that is not there."""

    def __init__(self, triangle: int, vertices: int) -> None:
        """Keep the first such triangle and the number of vertices."""
        super().__init__(f"Triangle {triangle} refers to a vertex that is not one of the mesh's {vertices}.")
        self.triangle = triangle
        self.vertices = vertices
