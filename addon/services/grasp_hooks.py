# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooks of a prop: those found on its mesh for a hand, and those that a user sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.handmap import HandMap
from ..hands.movements import LARGEST_GRASP
from ..presets.movements import REFERENCE_PALM_WIDTH
from ..rig.markers import create_hook, hooks_of, is_hook, pierce, world_point
from ..rig.state import why_read_only
from ..rig.surface import NoMeshError, read_placed
from ..solvers.hooks import Hook
from .closing_checks import PropError, check_size
from .grasp_checks import FAR_HOOK, HookError, check_prop
from .grasp_problem import NoHookError, find_places
from .posture import model_of
from .surfaces import WorldSurface, place_surface, surface_of

__all__ = ["FoundHook", "add_hook", "find_prop_hooks", "hook_under_ray", "hooks_of", "remove_hook", "world_point"]

_WORDS = {
    "compact": "Whole",
    "tube": "Handle or Stem",
    "thin": "Flat Part",
    "rim": "Rim",
    "edge": "Edge",
}
THIN_WALL = 0.006
"""Walls thinner than this in [m] are those of something hollow."""
_MARK = 0.008
"""Radius in [m] of the ball that shows a hook."""


@dataclass(frozen=True, eq=False)
class FoundHook:
    """A place where a hand can take a prop, in the prop object's own coordinates."""

    point: FloatArray
    """Where. Shape (3,)."""
    axis: FloatArray
    """Direction of a handle or edge, as long as the part; zero for compact places. Shape (3,)."""
    title: str
    """What it is, for people."""
    thickness: float
    """What fingers and thumb close to in [m]."""
    score: float
    """0 to 1: how well it can be taken."""


def find_prop_hooks(armature: Any, hand: HandMap, prop: Any, *, view_layer: Any) -> list[FoundHook]:
    """The places of a prop that suit a hand, best first.

    Raises:
        PrehendError: The hand or the prop will not do, or there is no such place.
    """
    check_prop(prop, armature, hand, view_layer)
    model = model_of(armature, hand, objects=view_layer.objects)
    placed = read_placed(prop, view_layer.depsgraph)
    surface = place_surface(prop.name, placed)
    check_size(surface, model)
    found = find_places(surface, placed.triangles, model)
    if not found:
        raise NoHookError(
            f"'{prop.name}' has no part that this hand could close round: check its scale or set a hook yourself."
        )
    return in_prop(found, surface, prop)


def in_prop(hooks: tuple[Hook, ...], surface: WorldSurface, prop: Any) -> list[FoundHook]:
    """Hooks of a prop's surface in the prop object's own coordinates, which move and scale with it."""
    T_prop_frame = np.linalg.inv(np.array(prop.matrix_world, dtype=np.float64)) @ surface.T_world_frame
    return [
        FoundHook(
            point=T_prop_frame[:3, :3] @ hook.point + T_prop_frame[:3, 3],
            axis=np.zeros(3) if hook.axis is None else T_prop_frame[:3, :3] @ (hook.length * hook.axis),
            title=_WORDS.get(hook.kind, hook.kind.title()),
            thickness=hook.thickness,
            score=hook.score,
        )
        for hook in hooks
    ]


def add_hook(prop: Any, point: FloatArray, *, view_layer: Any, collection: Any) -> str:
    """Set a hook at a point of the world in [m]; the name of the empty that marks it and hangs on the prop.

    Raises:
        PrehendError: There is no prop to set it on, or it is far off. Nothing was added.
    """
    _check(prop)
    surface = surface_of(prop, view_layer.depsgraph)
    off = float(surface.exact_distance(np.asarray(point, dtype=np.float64)[None])[0])
    if not np.isfinite(off) or off > FAR_HOOK:
        raise HookError(f"That is {1e3 * off:.0f} mm away from '{prop.name}': set the hook on or in the object.")
    return str(create_hook(prop, point, size=_MARK, collection=collection).name)


def hook_under_ray(prop: Any, origin: FloatArray, direction: FloatArray, *, depsgraph: Any) -> FloatArray | None:
    """Where a hook belongs when a user points at a prop: in the middle of the part there; None beside the prop.

    Behind a thin wall the whole hollow thing is meant, as of a cup, where a hand can hold it. Parts that are thicker
    than that are taken at their surface.
    """
    found = pierce(prop, origin, direction, depsgraph)
    if not found:
        return None
    largest = LARGEST_GRASP * REFERENCE_PALM_WIDTH
    ends = [each - found[0] for each in found[1::2] if each - found[0] < largest]
    through = 0.0
    if ends:
        through = ends[-1] if ends[0] < THIN_WALL else ends[0]
    return origin + (found[0] + 0.5 * through) * direction / np.linalg.norm(direction)


def remove_hook(prop: Any, name: str, *, objects: Any) -> None:
    """Take away a hook that a user set.

    Raises:
        PropError: There is none of that name. Nothing was changed.
    """
    hook = objects.get(name)
    if hook is None or not is_hook(hook) or hook.parent != prop:
        raise PropError(f"'{name}' is no hook of '{prop.name}'.")
    objects.remove(hook)


def _check(prop: Any) -> None:
    if prop is None:
        raise PropError("Choose the prop first: pick it in the Grasp panel, or select it.")
    reason = why_read_only(prop)
    if reason is not None:
        raise PropError(f"'{prop.name}' {reason}.")
    if prop.type not in {"MESH", "CURVE", "SURFACE", "FONT", "META"}:
        raise NoMeshError(prop.name, f"is of the type {prop.type.lower().replace('_', ' ')}")
