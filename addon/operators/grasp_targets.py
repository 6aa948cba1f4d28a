# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators on grasps have in common: who is meant, and what the lists of a prop show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..core.handmap import HandMap
from ..preferences import conventions_folder
from ..properties.choices import SIDES_ITEMS
from ..properties.shared import obstacles, soft_pads, what_moves
from ..services.grasp_hooks import FoundHook, hooks_of, world_point
from ..services.grasp_places import NEAR
from ..services.grasp_records import load_candidates, movement_titles
from ..services.targets import PROP_TYPES, choose_armature, choose_hand, choose_prop, named_object
from .redo import draw_in_order
from .reporting import SEARCHING, is_searching

ORDER = (
    *("prop", "movement", "side", "place", "use_cursor", "attempts", "seconds", "seed", "depth_mm", "use_obstacles"),
    *("number", "step"),
)
"""Properties as the redo panel shows them, where an operator has them."""
SAME = 0.004
"""Hooks of a prop nearer than this in [m] are the same one."""


@dataclass(frozen=True, eq=False)
class Meant:
    """Who is to hold what; lives for one call of an operator."""

    armature: Any
    hand: HandMap
    prop: Any


class OnHandAndProp:
    """Mix-in of operators that bring a hand and a prop together."""

    side: bpy.props.EnumProperty(
        name="Side", description="Which hand; of both the one nearer to the prop", items=SIDES_ITEMS
    )
    prop: bpy.props.StringProperty(
        name="Prop", description="Object to hold; empty takes the one picked in the panel or selected"
    )
    place: what_moves()
    depth_mm: soft_pads()
    use_obstacles: obstacles()
    shown = ORDER

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether anything is selected that may be a hand."""
        if context.object is None and not context.selected_objects:
            cls.poll_message_set("Select the armature of a hand and a prop")  # pyright: ignore
            return False
        if is_searching(context):
            cls.poll_message_set(SEARCHING)  # pyright: ignore
            return False
        if context.mode not in {"OBJECT", "POSE"}:
            cls.poll_message_set("Switch to Object or Pose Mode first")  # pyright: ignore
            return False
        return True

    def draw(self, context: Any) -> None:
        """Everything in the order in which it is thought of."""
        draw_in_order(self, context, self.shown)

    def meant(self, context: Any) -> Meant:
        """The hand and the prop that are selected, or picked in the panel.

        Raises:
            PrehendError: It is not clear which.
        """
        armature = choose_armature(context.object, context.selected_objects)
        prop = self.meant_prop(context, armature)
        hand = choose_hand(armature, prop, side=self.side, convention_folders=[conventions_folder()])
        return Meant(armature, hand, prop)

    def meant_prop(self, context: Any, armature: Any) -> Any:
        """The prop that is named, picked in the panel or selected."""
        picked = named_object(self.prop) or context.scene.prehend.prop
        return choose_prop(armature, context.selected_objects, picked)

    def way(self) -> str:
        """What moves: in a scene, an arm takes what it can reach."""
        return NEAR if self.place == "auto" else self.place


def likely_prop(context: Any) -> Any:
    """The prop that is picked in the panel, or else the only selected object that may be one; None where unclear."""
    picked = context.scene.prehend.prop
    others = [each for each in context.selected_objects if each.type in PROP_TYPES]
    return picked or (others[0] if len(others) == 1 else None)


def ticked_hooks(prop: Any) -> tuple[list[tuple[float, float, float]], list[tuple[float, float, float]]]:
    """World points of a prop's own hooks that are ticked, and of those found on its mesh."""
    own = [world_point(each) for each in hooks_of(prop) if each.prehend.use_hook]
    matrix = np.array(prop.matrix_world, dtype=np.float64)
    found = [matrix[:3, :3] @ np.array(each.point) + matrix[:3, 3] for each in prop.prehend.hooks if each.use]
    return [tuple(each.tolist()) for each in own], [tuple(each.tolist()) for each in found]


def show_hooks(prop: Any, found: list[FoundHook]) -> None:
    """Fill a prop's list of hooks; those that were ticked and are still there stay so."""
    rows = prop.prehend.hooks
    scale = max(float(np.cbrt(abs(np.linalg.det(np.array(prop.matrix_world)[:3, :3])))), 1e-9)
    ticked = [np.array(row.point) for row in rows if row.use]
    rows.clear()
    for hook in found:
        row = rows.add()
        row.title, row.point, row.axis, row.score = hook.title, hook.point.tolist(), hook.axis.tolist(), hook.score
        row.thickness_mm = 1e3 * hook.thickness
        row.use = any(scale * np.linalg.norm(hook.point - point) < SAME for point in ticked)


def show_grasps(prop: Any) -> None:
    """Fill a prop's list of grasps from what is kept with it."""
    records, chosen = load_candidates(prop)
    rows, titles = prop.prehend.grasps, movement_titles()
    rows.clear()
    for record in records:
        row = rows.add()
        row.title = titles.get(record.movement, record.movement)
        row.contacts, row.depth_mm, row.score = len(record.touching), record.deepest_mm, record.score
        row.opposition, row.reach = record.terms.get("opposition", 0.0), record.terms.get("reach", 0.0)
        row.picture = record.picture
    prop.prehend.grasp_index = chosen
