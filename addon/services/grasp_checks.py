# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be wrong with a wish for a grasp, each as one sentence, before anything is changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.movements import LARGEST_GRASP, hand_scale, hand_size
from ..rig.state import why_read_only
from .closing_checks import PropError, check_object
from .surfaces import WorldSurface

FAR_HOOK = 0.03
"""A hook this far in [m] off the surface, for the reference hand, cannot be meant."""


FLAT = 1e-6
"""A prop whose scale is smaller than this along an axis, against the largest, has no frame to keep grasps in."""


class HookError(PrehendError):
    """A hook that a hand cannot get to."""


def check_prop(prop: Any, armature: Any, hand: HandMap, view_layer: Any) -> None:
    """See that a prop is there to be taken, and can keep its grasps.

    Raises:
        PrehendError: It is not.
    """
    check_object(prop, armature, hand)
    reason = why_read_only(prop)
    if reason is not None:
        raise PropError(f"'{prop.name}' {reason}.")
    if view_layer.objects.get(prop.name) != prop:
        raise PropError(f"'{prop.name}' is not in this view layer: link it to a collection that is shown.")
    stretch = np.linalg.svd(np.array(prop.matrix_world, dtype=np.float64)[:3, :3], compute_uv=False)
    if stretch.min() <= FLAT * stretch.max():
        raise PropError(f"'{prop.name}' is pressed flat by its scale, which is 0 along an axis: set its scale first.")
    if not prop.visible_get(view_layer=view_layer):
        raise PropError(f"'{prop.name}' is hidden: show it first (Alt+H, or its eye in the outliner).")


def check_hooks(surface: WorldSurface, model: HandModel, hooks: Sequence[FloatArray]) -> None:
    """See that hooks, world points in [m], are on or in the object, and not deeper than a hand can close round.

    Raises:
        HookError: One is far away or buried.
    """
    if not len(hooks):
        return
    size = hand_size(model)
    far, deep = FAR_HOOK * hand_scale(model), 0.5 * LARGEST_GRASP * size
    for point, off in zip(hooks, surface.exact_distance(np.asarray(hooks, dtype=np.float64)).tolist(), strict=True):
        if not np.isfinite(point).all() or off > far:
            raise HookError(f"The hook is {1e3 * off:.0f} mm away from '{surface.name}': set it on or in the object.")
        if -off > deep:
            raise HookError(
                f"The hook is buried {1e3 * -off:.0f} mm deep in '{surface.name}' and this hand closes round "
                f"{2e3 * deep:.0f} mm at most: set it nearer to the surface."
            )


def hangs_on(obj: Any, carrier: Any) -> bool:
    """Whether an object goes along when another one moves, as its child or further down."""
    while obj is not None:
        if obj.parent == carrier:
            return True
        obj = obj.parent
    return False
