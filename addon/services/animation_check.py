# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an animated hand does at each frame, on the skin that Blender shows: how deep it is and how far off its plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.rotations import angle_between
from ..hands.forward import forward
from ..hands.model import HandModel
from ..hands.posture import HandPose
from ..rig.own_skin import own_skin
from ..rig.read import read_pose
from ..rig.shown_skin import shown_vertices
from ..solvers.animation import GraspPlan
from .closing_hands import closing_skin
from .closing_report import Gaps, measured_gaps, shown_gaps
from .surfaces import WorldSurface, nearest_of

MOST_DEPTH = 8.5e-4
"""Skin that is deeper in [m] than this at a frame needs another key: a millimetre is too much."""
MOST_WALL_DEPTH = 5e-4
"""The same at obstacles."""
_BOUND = 2e-3


@dataclass(frozen=True, eq=False)
class FrameCheck:
    """One frame."""

    pose: HandPose
    """As shown."""
    gaps: Gaps
    """Of the skin at the prop."""
    walls: float
    """Distance in [m] of the nearest skin from an obstacle; infinite for none."""

    @property
    def depth(self) -> float:
        """How deep in [m] the deepest skin is in the prop; 0 when nothing is inside."""
        return max(0.0, -float(self.gaps.by_bone.min()))


class FrameJudge:
    """Measures frames of one hand and one prop; lives for a single animation."""

    def __init__(
        self,
        armature: Any,
        model: HandModel,
        skins: Sequence[Any],
        surface: WorldSurface,
        walls: Sequence[WorldSurface],
        *,
        view_layer: Any,
    ) -> None:
        """Keep what is measured, with the prop where it is taken."""
        self.armature, self.model, self.skins = armature, model, list(skins)
        self.surface, self.walls, self.view_layer = surface, list(walls), view_layer

    def placed(self, motion: FloatArray) -> WorldSurface:
        """The prop's surface after a rigid motion (4, 4) from where it is taken."""
        return replace(self.surface, T_world_frame=motion @ self.surface.T_world_frame)

    def look(self, motion: FloatArray | None) -> FrameCheck:
        """Measure what is shown now.

        Args:
            motion: Where the prop is, from where it is taken; None leaves it unmeasured. Shape (4, 4).
        """
        pose = read_pose(self.armature, self.model)
        gaps = Gaps(np.full(len(self.model.names) + 1, np.inf), self.model)
        if motion is not None:
            gaps = self._gaps(pose, self.placed(motion))
        return FrameCheck(pose, gaps, self._walls(pose))

    def _gaps(self, pose: HandPose, surface: WorldSurface) -> Gaps:
        if not self.skins or self.model.skin is None:
            return measured_gaps(self.model, pose.angles, pose.T_world_hand, surface)
        return shown_gaps(
            self.skins,
            self.model,
            pose.angles,
            pose.T_world_hand,
            surface,
            depsgraph=self.view_layer.depsgraph,
            own=own_skin(self.armature, self.model),
        )

    def _walls(self, pose: HandPose) -> float:
        if not self.walls:
            return np.inf
        reach = closing_skin(self.model).hand.reach
        if self.skins and self.model.skin is not None:
            points = shown_vertices(
                self.skins,
                self.view_layer.depsgraph,
                centre=pose.T_world_hand[:3, 3],
                radius=1.1 * reach,
                own=own_skin(self.armature, self.model),
            )
            # Forearms are not the hand's to move.
            points = points[(points - pose.T_world_hand[:3, 3]) @ pose.T_world_hand[:3, 2] > 0.0]
            near = [wall for wall in self.walls if _may_touch(wall, points)]
            return float(nearest_of(near, points[:: max(len(points) // 4000, 1)]).min()) if near else np.inf
        skinned = closing_skin(self.model).fine
        motions = skinned.motions(pose.angles[None], pose.T_world_hand[None, :3])
        return float((nearest_of(self.walls, skinned.all_positions(motions)[0]) - skinned.probes.radii).min())


def wrist_off(plan: GraspPlan, frame: int, pose: HandPose) -> tuple[float, float]:
    """How far in [m] and [rad] the wrist is from its plan."""
    wanted = plan.wrists[plan.row(frame)]
    gap = float(np.linalg.norm(pose.T_world_hand[:3, 3] - wanted[:3, 3]))
    return gap, float(angle_between(pose.T_world_hand[:3, :3], wanted[:3, :3]))


def fingertips(model: HandModel, pose: HandPose) -> FloatArray:
    """Where the fingertips are in the world in [m]. Shape (f, 3)."""
    frames = forward(model, pose.angles)
    last = model.last_joints
    ends = model.lengths[last, None] * model.directions[last]
    local = frames.origins[last] + np.einsum("fij,fj->fi", frames.rotations[last], ends)
    return local @ pose.T_world_hand[:3, :3].T + pose.T_world_hand[:3, 3]


def _may_touch(wall: WorldSurface, points: FloatArray) -> bool:
    local = wall.to_frame(points)
    inside = (local > wall.surface.low - _BOUND) & (local < wall.surface.high + _BOUND)
    return bool(inside.all(axis=1).any())
