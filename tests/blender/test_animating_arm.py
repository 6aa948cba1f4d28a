# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated grasps of characters: the arm brings the wrist to where it is planned, within limits, at every frame."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import bpy  # noqa: F401 (brings mathutils)
import numpy as np
import pytest
from mathutils import Matrix

import addon.services.animating as service
from addon.compat import action_fcurves
from addon.core.rotations import angle_between
from addon.hands.arm import ArmModel, find_arm
from addon.rig.placement import read_arm
from addon.rig.read import read_hand_frame, read_placement
from addon.rig.skeletons import read_skeleton
from addon.services.animation_request import AnimationReport
from addon.services.arm_ik import ArmPose, arm_angles
from addon.services.posture import model_of
from addon.solvers.animation import Durations, GraspPlan, plan_grasp
from tests.blender.arm_rigs import add_arm_hand, add_prop
from tests.blender.closing_scenes import Scene, select
from tests.blender.test_animating import animate, empty_at, place_of, show
from tests.blender.test_animating_input import refused
from tests.blender.test_animating_path import carried, curve, from_prop, off_line
from tests.blender.test_read_write_rigs import mpfb_rig

pytestmark = pytest.mark.long

PARTS = Durations(approach=12, close=3, hold=4, carry=8, release=3, retreat=6)
LIMIT = (2e-3, 0.0105)
"""Angles in [rad] by which joints may pass their limits where they are keyed, and between: an elbow that bends and
twists leaves its hinge a little on the shortest turn between two poses."""
TURN = np.radians(22.0)
"""Most that a bone of the arm may turn between two frames: more is seen as a pop."""


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[GraspPlan]:
    """Plans that animations are made after."""
    found: list[GraspPlan] = []

    def kept(task: Any) -> Any:
        for step in plan_grasp(task):
            if isinstance(step, GraspPlan):
                found.append(step)
            yield step

    monkeypatch.setattr(service, "plan_grasp", kept)
    return found


def character(side: str = "R") -> Scene:
    """A hand on an arm that holds a ball."""
    armature, hand = add_arm_hand(side=side)
    scene = Scene(armature, hand, add_prop("ball", (0.0, 0.0, 0.0)))
    select(armature, scene.prop)
    scene.face()
    scene.close()
    return scene


def the_arm(scene: Scene) -> ArmModel:
    found = find_arm(read_skeleton(scene.armature), model_of(scene.armature, scene.hand))
    assert found is not None
    return found


def assert_followed(scene: Scene, report: AnimationReport, plan: GraspPlan) -> None:
    """See that the shown hand keeps to its plan, its arm to its limits, and nothing flips."""
    f, arm = report.frames, the_arm(scene)
    model = model_of(scene.armature, scene.hand)
    shoulder, frames = None, []
    for frame in range(f.approach, f.away + 1):
        show(frame)
        shown = read_hand_frame(scene.armature, model, read_placement(scene.armature))
        wanted = plan.wrists[plan.row(frame)]
        gap = float(np.linalg.norm(shown[:3, 3] - wanted[:3, 3]))
        turn = float(angle_between(shown[:3, :3], wanted[:3, :3]))
        still = f.contact <= frame <= f.lift or f.put <= frame <= f.hold
        carried = f.lift < frame < f.put
        if frame in plan.wrist_keys or still:
            assert gap < 1.5e-4, frame
            assert turn < 1.5e-3, frame
        assert gap < (5e-3 if carried else 0.03), frame
        assert turn < (0.04 if carried else 0.4), frame
        reading = read_arm(scene.armature, arm)
        angles = arm_angles(arm, ArmPose(reading.base, reading.shoulder, reading.frames))
        slack = LIMIT[frame not in plan.wrist_keys]
        assert (angles > arm.limits[..., 0] - slack).all(), frame
        assert (angles < arm.limits[..., 1] + slack).all(), frame
        shoulder = reading.shoulder if shoulder is None else shoulder
        assert np.allclose(reading.shoulder, shoulder, atol=1e-6), "the character stays where it is"
        frames.append(reading.frames)
    for number, (first, last) in enumerate(pairwise(frames)):
        turned = [float(angle_between(a, b)) for a, b in zip(first, last, strict=True)]
        assert max(turned) < TURN, f.approach + number


def keyed_bones(armature: Any) -> set[str]:
    found = action_fcurves(armature.animation_data.action, armature)
    return {curve.data_path.split('"')[1] for curve in found if curve.data_path.startswith("pose.bones")}


def assert_measured(report: AnimationReport) -> None:
    """See what every animation has to keep, as it is measured on the skin at every frame."""
    assert report.deepest_mm <= 1.0
    assert report.drift_mm <= 0.5
    assert report.jump_mm <= 0.01


def test_an_arm_takes_carries_and_puts_down_within_its_limits(plans: list[GraspPlan]) -> None:
    scene = character("L")
    before = place_of(scene.armature)
    target = empty_at(0.0, 0.0, 0.0)
    place = scene.prop.matrix_world.copy()
    target.matrix_world = Matrix.Translation((0.02, -0.05, -0.08)) @ place @ Matrix.Rotation(0.3, 4, "Z")
    report = animate(scene, target=target, lift=0.0, durations=PARTS)
    assert_measured(report)
    assert not report.notes
    assert_followed(scene, report, plans[-1])
    show(report.frames.away)
    assert np.allclose(place_of(scene.prop), place_of(target), atol=1e-3)
    assert np.allclose(place_of(scene.armature), before, atol=1e-7)
    fingers = {bone for finger in scene.hand.fingers for bone in finger.chain}
    assert keyed_bones(scene.armature) == {*the_arm(scene).names, *fingers}, "the chest has no part in it"


def test_an_arm_carries_along_a_path(plans: list[GraspPlan]) -> None:
    scene = character()
    line = from_prop(scene, (0.0, 0.0, 0.0), (0.0, -0.05, -0.02), (0.03, -0.05, -0.08))
    report = animate(scene, path=curve("POLY", line), durations=PARTS)
    assert_measured(report)
    assert_followed(scene, report, plans[-1])
    assert off_line(carried(scene, report), line).max() < 1e-4


def test_what_is_out_of_reach_is_told_and_paths_there_are_refused() -> None:
    scene = character()
    short = Durations(approach=2, close=1, hold=0, carry=4, release=1, retreat=2)
    report = animate(scene, lifts=True, lift=0.3, durations=short)
    assert report.notes == ("The arm cannot lift 'Ball' as high as asked: it is short of that most at frame 6.",)
    assert report.drift_mm <= 0.5
    far = curve("POLY", from_prop(scene, (0.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 0.0)))
    refused(scene, "The arm cannot carry 'Ball' along 'Path': .* missing at frame", path=far, durations=short)


def test_a_real_character_takes_a_ball(plans: list[GraspPlan]) -> None:
    armature, hand = mpfb_rig("L")
    scene = Scene(armature, hand, add_prop("ball", (0.0, 0.0, 0.0)))
    select(armature, scene.prop)
    scene.face()
    scene.close()
    report = animate(scene, durations=PARTS, lifts=True)
    assert_measured(report)
    assert_followed(scene, report, plans[-1])
