# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake fingertips that follow targets into plain keyframes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..rig.channels import Channels, get_channels, set_channels
from ..rig.keyframes import key_locations, key_rotations
from ..rig.write import check_writable, write_angles
from .finger_ik import TipError, TipOptions
from .tips import gather_targets, solve_hands


class TipBake:
    """One bake of one armature: drain `steps`, then `finish`; or `cancel` at any time before.

    No key is set before all frames are solved, so that cancelling has only the pose and the frame to put back.
    """

    def __init__(
        self, armature: Any, *, scene: Any, view_layer: Any, options: TipOptions, frames: tuple[int, int], side: str
    ) -> None:
        """Look at everything that can go wrong before the first frame.

        Raises:
            TipError: The range is empty, or there is nothing to solve. Nothing was changed.
            PrehendError: The armature cannot be posed. Nothing was changed.
        """
        if frames[0] > frames[1]:
            raise TipError(f"The frame range {frames[0]} to {frames[1]} is empty: set its end behind its start.")
        check_writable(armature)
        self.armature, self.scene, self.view_layer = armature, scene, view_layer
        self.options, self.side, self.frames = options, side, range(frames[0], frames[1] + 1)
        hands = gather_targets(armature, scene=scene, side=side)
        solve_hands(armature, hands, options)
        models = [each.model for each in hands]
        self._loose = {name for model in models for name in model.binding.loose}
        self.bones = [each.model.names[j] for each in hands for t in each.targets for j in each.model.joints(t.finger)]
        tips = [tip for model in models for tip in model.binding.tips if tip is not None and tip in self._loose]
        self._before = {name: get_channels(armature.pose.bones[name]) for name in [*self.bones, *tips]}
        self._place = (scene.frame_current, scene.frame_subframe)
        self._found: dict[int, dict[str, Channels]] = {}

    def steps(self) -> Iterator[float]:
        """Solve frame after frame; gives the share that is done."""
        for number, frame in enumerate(self.frames, start=1):
            self.scene.frame_set(frame)
            hands = gather_targets(self.armature, scene=self.scene, side=self.side)
            for each in solve_hands(self.armature, hands, self.options).hands:
                write_angles(self.armature, each.model, each.angles, view_layer=self.view_layer, joints=each.joints)
            self._found[frame] = {name: get_channels(self.armature.pose.bones[name]) for name in self._before}
            yield number / len(self.frames)

    def finish(self) -> int:
        """Set the keys of all solved frames, go back to the frame that was shown and give the number of keyed bones."""
        for frame, channels in self._found.items():
            for name, values in channels.items():
                set_channels(self.armature.pose.bones[name], values)
            key_rotations(self.armature, channels, frame)
            key_locations(self.armature, [name for name in channels if name in self._loose], frame)
        self._return()
        return len(self._before)

    def cancel(self) -> None:
        """Put the pose and the frame back as they were."""
        self._return()
        for name, values in self._before.items():
            set_channels(self.armature.pose.bones[name], values)
        self.view_layer.update()

    def _return(self) -> None:
        frame, subframe = self._place
        self.scene.frame_set(frame, subframe=subframe)


def bake_tips(
    armature: Any,
    *,
    scene: Any,
    view_layer: Any,
    frames: tuple[int, int],
    options: TipOptions | None = None,
    side: str = "BOTH",
) -> int:
    """Key fingertips that follow their targets at every frame of a range and give the number of keyed bones.

    Args:
        armature: The armature object.
        scene: Scene with the targets.
        view_layer: View layer that shows the armature.
        frames: First and last frame.
        options: How to solve.
        side: "L", "R" or "BOTH".

    Raises:
        PrehendError: As `TipBake`.
    """
    options = options or TipOptions()
    bake = TipBake(armature, scene=scene, view_layer=view_layer, options=options, frames=frames, side=side)
    for _ in bake.steps():
        pass
    return bake.finish()
