# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A planned grasp on a rig: which channels are keyed, and what they are at the frames that are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.rotations import angle_between
from ..hands.model import HandModel
from ..rig.keyframes import Track, Values, insert_keys, location_track, rotation_track
from ..rig.placement import ArmatureMover, ArmMover, ControlMover, WristMover, read_arm
from ..rig.read import read_hand_frame, read_placement
from ..rig.write import write_angles
from ..solvers.animation import GraspPlan
from .animation_records import Keys
from .arm_ik import ArmPose, arm_angles

THERE = 2e-5
"""A wrist this near in [m], and as little turned in [rad], is where it should be."""


def wrist_tracks(armature: Any, mover: WristMover | None) -> list[Track]:
    """Channels that move a wrist."""
    if isinstance(mover, ArmatureMover):
        return [location_track(armature), rotation_track(armature)]
    if isinstance(mover, ControlMover):
        return [location_track(armature, mover.control), rotation_track(armature, mover.control)]
    if isinstance(mover, ArmMover):
        return [rotation_track(armature, name) for name in mover.arm.names]
    return []


def joint_tracks(armature: Any, model: HandModel) -> list[list[Track]]:
    """Channels that turn each joint; those of flat hierarchies are moved too."""
    out: list[list[Track]] = []
    for joint, name in enumerate(model.names):
        tracks = [rotation_track(armature, name)]
        if name in model.binding.loose:
            tracks.append(location_track(armature, name))
        finger = int(model.finger_of[joint])
        tip = model.binding.tips[finger]
        if joint == int(model.last_joints[finger]) and tip is not None and tip in model.binding.loose:
            tracks += [location_track(armature, tip), rotation_track(armature, tip)]
        out.append(tracks)
    return out


class HandKeys:
    """The channels of one hand over one plan; lives for a single animation."""

    def __init__(
        self, armature: Any, model: HandModel, mover: WristMover | None, *, scene: Any, view_layer: Any
    ) -> None:
        """Look which channels there are; nothing is changed."""
        self.armature, self.model, self.mover = armature, model, mover
        self.scene, self.view_layer = scene, view_layer
        self.wrist = wrist_tracks(armature, mover)
        self.joints = joint_tracks(armature, model)
        self.poses: dict[int, dict[Track, Values]] = {}
        self.keys: dict[Track, set[int]] = {}

    @property
    def tracks(self) -> list[Track]:
        """All channels, wrist first."""
        return [*self.wrist, *(track for tracks in self.joints for track in tracks)]

    def read(self) -> dict[Track, Values]:
        """Present values of all channels."""
        return {track: track.read(self.armature) for track in self.tracks}

    def write(self, values: dict[Track, Values]) -> None:
        """Set channels; nothing is updated."""
        for track, value in values.items():
            track.write(self.armature, value)

    def frame(self) -> FloatArray:
        """The hand's frame in the world as it is shown. Shape (4, 4)."""
        return read_hand_frame(self.armature, self.model, read_placement(self.armature))

    def beyond_limits(self) -> float:
        """How far in [rad] the arm as it is shown is beyond its limits; 0 for rigs whose arms we do not turn."""
        if not isinstance(self.mover, ArmMover):
            return 0.0
        arm = self.mover.arm
        now = read_arm(self.armature, arm)
        angles = arm_angles(arm, ArmPose(now.base, now.shoulder, now.frames))
        return float(np.maximum(arm.limits[..., 0] - angles, angles - arm.limits[..., 1]).max(initial=0.0))

    def start_from(self, frame: int, held: dict[Track, Values]) -> None:
        """Take the channels that hold as the pose of a frame: the only one that is not computed."""
        self.poses[frame] = held

    def solve(self, plan: GraspPlan, frames: Iterable[int]) -> Iterator[int]:
        """Find the channels of poses at frames, from the hold outwards so that arms and angles stay continuous."""
        f = plan.frames
        wanted = sorted(set(frames) - set(self.poses))
        order = [*(k for k in reversed(wanted) if k < f.contact), *(k for k in wanted if k > f.contact)]
        for frame in order:
            self.scene.frame_set(frame)
            near = min(self.poses, key=lambda known: (abs(known - frame), abs(known - f.contact)))
            row = plan.row(frame)
            holds = np.array_equal(plan.angles[row], plan.angles[plan.row(f.contact)])
            self.write(self.poses[near])
            if holds:
                self.write({track: self.poses[f.contact][track] for tracks in self.joints for track in tracks})
            self.view_layer.update()
            # A wrist that stands still keeps its channels to the bit, so that what it holds does too.
            still = np.array_equal(plan.wrists[row], plan.wrists[plan.row(near)])
            near_enough = 5.0 * THERE if still else THERE
            if self.mover is not None and not _there(self.frame(), plan.wrists[row], near_enough):
                self._move(plan.wrists[row])
            if not holds:
                write_angles(self.armature, self.model, plan.angles[row], view_layer=self.view_layer)
            self.poses[frame] = {**self.read(), **self._stopped(plan, row)}
            yield frame

    def _stopped(self, plan: GraspPlan, row: int) -> dict[Track, Values]:
        """Channels of joints that are already, or still, as they hold: those that hold, to the bit.

        Control rigs take on postures to a few hundredths of a degree only, and not the same each time.
        """
        contact = plan.row(plan.frames.contact)
        same = (plan.angles[row] == plan.angles[contact]).all(axis=1)
        found: dict[Track, Values] = {}
        for joint, parent in enumerate(self.model.parents.tolist()):
            # What lies further out is placed by what it hangs on, on rigs where nothing carries it along.
            same[joint] &= parent < 0 or same[parent]
            if same[joint]:
                found |= {track: self.poses[plan.frames.contact][track] for track in self.joints[joint]}
        return found

    def _move(self, wanted: FloatArray) -> None:
        assert self.mover is not None
        scale = tuple(self.armature.scale)
        self.mover.move(self.armature, self.model, wanted, view_layer=self.view_layer)
        if isinstance(self.mover, ArmatureMover):
            self.armature.scale = scale
            self.view_layer.update()

    def key_wrist(self, frames: Iterable[int], *, interpolation: str) -> None:
        """Key the wrist's channels at frames whose poses are known."""
        for track in self.wrist:
            self._key(track, frames, interpolation)

    def key_joint(self, joint: int, frames: Iterable[int], *, interpolation: str) -> None:
        """Key a joint's channels at frames whose poses are known."""
        for track in self.joints[joint]:
            self._key(track, frames, interpolation)

    def _key(self, track: Track, frames: Iterable[int], interpolation: str) -> None:
        new = sorted(set(frames) - self.keys.setdefault(track, set()))
        insert_keys(
            self.armature, track, {frame: self.poses[frame][track] for frame in new}, interpolation=interpolation
        )
        self.keys[track].update(new)

    def kept_keys(self) -> Keys:
        """Frames of all keys by data path."""
        return {track.path: sorted(frames) for track, frames in self.keys.items() if frames}

    @property
    def bones(self) -> int:
        """Bones that have keys."""
        return len({track.bone for track, frames in self.keys.items() if frames and track.bone})


def _there(now: FloatArray, wanted: FloatArray, tolerance: float) -> bool:
    gap = float(np.linalg.norm(now[:3, 3] - wanted[:3, 3]))
    return gap < tolerance and float(angle_between(now[:3, :3], wanted[:3, :3])) < tolerance
