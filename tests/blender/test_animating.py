# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated grasps in Blender, frame by frame on the skin that is shown: depth, drift, stillness and clean curves."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from addon.compat import action_fcurves
from addon.rig.shown_skin import shown_vertices
from addon.rig.skin import skin_objects
from addon.services.animating import animate_grasp
from addon.services.animation_measure import Measured
from addon.services.animation_records import ANIMATIONS_KEY, load_animations
from addon.services.animation_removal import remove_animation
from addon.services.animation_request import AnimationReport, AnimationRequest, Durations, to_frames
from addon.services.surfaces import surface_of
from addon.services.targets import choose_prop
from tests.blender.closing_scenes import Scene, demo, update

SHORT = Durations(approach=6, close=4, hold=4, carry=6, release=4, retreat=5)


def held(variant: str = "human", side: str = "R", prop: str = "ball") -> Scene:
    """A demo hand that holds a prop."""
    scene = demo(variant, side, prop=prop).face()
    scene.close()
    return scene


def animate(scene: Scene, *, target: Any = None, path: Any = None, **options: Any) -> AnimationReport:
    update()
    request = AnimationRequest(**{"durations": SHORT, **options})
    return animate_grasp(
        scene.armature,
        scene.hand,
        scene.prop,
        request,
        scene=bpy.context.scene,
        view_layer=bpy.context.view_layer,
        target=target,
        path=path,
    )


def empty_at(*place: float, turn: float = 0.0) -> Any:
    target = bpy.data.objects.new("Put Down", None)
    bpy.context.scene.collection.objects.link(target)
    target.location, target.rotation_euler = place, (0.0, 0.0, turn)
    update()
    return target


def place_of(obj: Any) -> np.ndarray:
    return np.array(obj.matrix_world, dtype=np.float64)


def curves(obj: Any) -> list[Any]:
    return action_fcurves(obj.animation_data.action, obj)


def show(frame: int) -> None:
    bpy.context.scene.frame_set(frame)


def shown_skin(scene: Scene) -> np.ndarray:
    graph = bpy.context.view_layer.depsgraph
    return shown_vertices([scene.skin], graph, centre=np.zeros(3), radius=100.0)


def skin_depth_mm(scene: Scene) -> float:
    """How deep the deepest vertex of the shown skin is in the prop; negative where all are outside."""
    surface = surface_of(scene.prop, bpy.context.view_layer.depsgraph)
    points = shown_skin(scene)
    # The grid is a cell off at worst: what is farther than that needs no exact distance.
    rough = surface.quick_distance(points)
    near = points[rough < max(float(rough.min()), 0.0) + 0.01]
    return -1e3 * float(surface.exact_distance(near).min())


def corners(obj: Any) -> np.ndarray:
    """World places of the corners of an object's box. Shape (8, 3)."""
    return np.array([obj.matrix_world @ Vector(corner) for corner in obj.bound_box])


def _turns(armature: Any) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for curve in curves(armature):
        if "rotation" in curve.data_path:
            groups.setdefault(curve.data_path, []).append(curve)
    return groups


def assert_clean(scene: Scene, report: AnimationReport) -> None:
    """What every animation has to keep, at every frame."""
    f = report.frames
    start, contact = None, None
    for frame in range(f.approach, f.away + 1):
        show(frame)
        assert skin_depth_mm(scene) <= 1.0, frame
        now, spots = place_of(scene.prop), corners(scene.prop)
        start = spots if start is None else start
        if frame <= f.lift:
            assert np.abs(spots - start).max() <= 1e-5, f"the prop is still before it is lifted, frame {frame}"
        if frame == f.put:
            last = spots
        if frame > f.put:
            assert np.abs(spots - last).max() <= 1e-5, f"the prop stays where it was put, frame {frame}"
        if f.contact <= frame <= f.hold:
            skin = (shown_skin(scene) - now[:3, 3]) @ now[:3, :3]
            contact = skin if contact is None else contact
            assert np.linalg.norm(skin - contact, axis=1).max() <= 5e-4, f"nothing slides, frame {frame}"
    for path, group in _turns(scene.armature).items():
        frames = [point.co[0] for point in group[0].keyframe_points]
        values = np.array([[curve.evaluate(frame) for curve in group] for frame in frames])
        assert all(frame == round(frame) for frame in frames)
        if path.endswith("quaternion"):
            assert (np.sum(values[1:] * values[:-1], axis=1) > 0.0).all(), path
        else:
            assert (np.abs(np.diff(values, axis=0)) < np.pi).all(), path


def test_a_held_ball_is_taken_and_left_clean_at_every_frame() -> None:
    scene = held()
    before = place_of(scene.armature)
    report = animate(scene)
    assert_clean(scene, report)
    show(report.frames.contact)
    assert np.allclose(place_of(scene.armature), before, atol=1e-6), "the grasp that was shown is what it holds"
    show(report.frames.approach)
    assert -skin_depth_mm(scene) > 20.0, "it comes from afar"
    assert report.deepest_mm <= 0.6
    assert report.drift_mm <= 0.01


@pytest.mark.long
def test_poses_are_added_where_curves_between_would_go_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def sparse(plan: Any, angles: np.ndarray, shaped: Any) -> tuple[tuple[int, ...], ...]:
        f = plan.frames
        return tuple((f.approach, f.contact, f.hold, f.away) for _ in range(angles.shape[1]))

    monkeypatch.setattr("addon.solvers.animation.timeline.Timeline._joint_keys", sparse)
    scene = held("cartoon")
    with monkeypatch.context() as without:
        without.setattr("addon.services.animation_refine.ROUNDS", 0)
        assert animate(scene).deepest_mm > 1.0, "with so few keys fingers go through the ball"
    report = animate(scene)
    assert report.added > 0
    assert report.deepest_mm <= 1.0
    assert_clean(scene, report)


@pytest.mark.parametrize("attach", ["KEYS", "CHILD_OF", "PARENT"])
def test_a_carried_ball_follows_without_a_jump_and_arrives(attach: str) -> None:
    scene = held("cartoon", "L")
    target = empty_at(0.2, -0.15, 0.1, turn=0.6)
    report = animate(scene, target=target, attach=attach)
    assert_clean(scene, report)
    show(report.frames.away)
    assert np.allclose(place_of(scene.prop), place_of(target), atol=1e-4)
    assert report.jump_mm <= 0.01
    show((report.frames.lift + report.frames.put) // 2)
    assert place_of(scene.prop)[2, 3] > 0.05, "it is lifted on its way"


def test_only_bones_that_take_part_are_keyed_in_their_own_mode_with_clean_handles() -> None:
    scene = held()
    bones = scene.armature.pose.bones
    first = next(bone for finger in scene.hand.fingers for bone in finger.chain)
    turn = bones[first].matrix_basis.copy()
    bones[first].rotation_mode = "XYZ"
    bones[first].matrix_basis = turn
    animate(scene)
    paths = {curve.data_path for curve in curves(scene.armature)}
    parts = {bone for finger in scene.hand.fingers for bone in finger.chain}
    keyed = {path.split('"')[1] for path in paths if path.startswith("pose.bones")}
    assert keyed == parts
    assert f'pose.bones["{first}"].rotation_euler' in paths
    assert f'pose.bones["{first}"].rotation_quaternion' not in paths
    for curve in curves(scene.armature):
        assert len(curve.keyframe_points) <= 14, "keys at the poses, not at every frame"
        for point in curve.keyframe_points:
            assert point.interpolation == "BEZIER"
            assert point.handle_left_type == point.handle_right_type == "AUTO_CLAMPED"


def test_baking_keys_every_frame() -> None:
    scene = held("gripper_2")
    report = animate(scene, bake=True)
    count = report.frames.count
    assert {len(curve.keyframe_points) for curve in curves(scene.armature)} == {count}
    assert_clean(scene, report)


def test_a_new_action_leaves_the_present_one_playing_below() -> None:
    scene = held("gripper_2")
    scene.armature["mine"] = 1.0
    scene.armature.keyframe_insert('["mine"]', frame=1)
    scene.armature["mine"] = 5.0
    scene.armature.keyframe_insert('["mine"]', frame=21)
    action = scene.armature.animation_data.action
    kept = [tuple(point.co) for curve in curves(scene.armature) for point in curve.keyframe_points]
    report = animate(scene)
    assert action.name in bpy.data.actions
    assert action.use_fake_user
    assert any(action.name in note for note in report.notes)
    data = scene.armature.animation_data
    assert data.action != action
    strip = data.nla_tracks[0].strips[0]
    assert strip.action == action
    data.action, before = action, data.action
    assert [tuple(point.co) for curve in curves(scene.armature) for point in curve.keyframe_points] == kept
    data.action = before
    show(11)
    assert 1.0 < scene.armature["mine"] < 5.0, "it goes on playing"
    assert_clean(scene, report)


@pytest.mark.long
def test_a_prop_that_rolled_there_still_does() -> None:
    scene = held("gripper_2")
    place = scene.prop.location.copy()
    for frame, shift in ((1, 0.3), (5, 0.0)):
        scene.prop.location[0] = place[0] + shift
        scene.prop.keyframe_insert("location", frame=frame)
    show(20)
    report = animate(scene, start=21, target=empty_at(0.1, 0.1, 0.0))
    show(1)
    assert scene.prop.location[0] == pytest.approx(place[0] + 0.3)
    assert_clean(scene, report)
    show(report.frames.away + 20)
    assert np.allclose(place_of(scene.prop)[:3, 3], (0.1, 0.1, 0.0), atol=1e-4), "it stays where it was put"
    tracks = [track.name for track in scene.prop.animation_data.nla_tracks]
    assert_clean(scene, animate(scene, start=31, target=empty_at(0.1, 0.1, 0.0), attach="CHILD_OF"))
    assert len(scene.prop.animation_data.nla_tracks) == len(tracks), "made anew, not once more"
    show(1)
    assert scene.prop.location[0] == pytest.approx(place[0] + 0.3)
    remove_animation(scene.armature, scene.hand, scene.prop, scene=bpy.context.scene, view_layer=bpy.context.view_layer)
    assert [track.name for track in scene.prop.animation_data.nla_tracks] == ["BallAction"]
    assert not [action.name for action in bpy.data.actions if action.name.startswith("Grasp")]


def test_layering_keeps_other_keys_and_gives_back_those_that_gave_way() -> None:
    scene = held("gripper_2")
    armature = scene.armature
    place = tuple(armature.location)
    for frame, shift in ((1, 0.3), (10, 0.1), (60, 0.5)):
        armature.location = (place[0], place[1] - shift, place[2])
        armature.keyframe_insert("location", frame=frame)
    armature.location = place
    name = armature.animation_data.action.name
    before = sorted(tuple(point.co) for curve in curves(armature) for point in curve.keyframe_points)
    report = animate(scene, existing="LAYER", start=5)
    assert armature.animation_data.action.name == name
    assert bpy.data.actions.get(name + ".001") is None
    moving = next(curve for curve in curves(armature) if curve.data_path == "location")
    frames = {point.co[0] for point in moving.keyframe_points}
    assert {1.0, 60.0} <= frames
    assert any("give way" in note for note in report.notes)
    assert_clean(scene, report)
    remove_animation(armature, scene.hand, scene.prop, scene=bpy.context.scene, view_layer=bpy.context.view_layer)
    after = sorted(tuple(point.co) for curve in curves(armature) for point in curve.keyframe_points)
    assert np.allclose(after, before, atol=1e-5)
    assert ANIMATIONS_KEY not in armature


@pytest.mark.long
def test_making_it_anew_moves_our_keys_and_no_others() -> None:
    scene = held("gripper_2")
    animate(scene)
    own = scene.armature.animation_data.action.name
    scene.armature.location[0] += 1.0
    scene.armature.keyframe_insert("location", frame=200)
    bpy.context.scene.frame_set(7)
    report = animate(scene, start=31, durations=Durations(approach=9, close=5, hold=2, release=4, retreat=6))
    assert report.frames.approach == 31
    frames = {point.co[0] for curve in curves(scene.armature) for point in curve.keyframe_points}
    assert min(frames) == 31.0
    assert 200.0 in frames, "a key of the user's stays"
    assert len(load_animations(scene.armature)) == 1
    assert scene.armature.animation_data.action.name == own
    assert_clean(scene, report)


@pytest.mark.long
def test_one_hand_takes_it_and_puts_it_down_and_takes_it_again() -> None:
    scene = held("gripper_2")
    first = animate(scene, target=empty_at(0.15, 0.0, 0.0))
    show(first.frames.hold)
    update()
    second = animate(scene, start=first.frames.away, target=empty_at(0.0, 0.2, 0.05), add=True)
    assert len(load_animations(scene.armature)) == 2
    assert_clean(scene, second)
    assert_clean(scene, first)
    show(second.frames.away)
    assert np.allclose(place_of(scene.prop)[:3, 3], (0.0, 0.2, 0.05), atol=1e-4)


@pytest.mark.long
def test_another_hand_takes_over_while_the_first_still_holds() -> None:
    scene = held("gripper_2")
    first = animate(scene, durations=Durations(approach=6, close=4, hold=30, release=4, retreat=5))
    other = demo("gripper_2", prop=None)
    other.prop = scene.prop
    show(first.frames.contact + 2)
    matrix = scene.armature.matrix_world.copy()
    # From the other side of the ball.
    middle = Vector(corners(scene.prop).mean(axis=0))
    spin = Matrix.Translation(middle) @ Matrix.Rotation(np.pi, 4, "Y") @ Matrix.Translation(-middle)
    other.armature.matrix_world = spin @ matrix
    other.close()
    later = Durations(approach=6, close=4, hold=40, release=4, retreat=5)
    second = animate(other, start=first.frames.contact - 4, durations=later)
    assert second.frames.contact < first.frames.hold
    assert not any("give way" in note for note in second.notes), "the first hand's keys are nobody's to take"
    assert_clean(scene, first)
    assert_clean(other, second)


def test_seconds_become_whole_frames_at_the_scenes_rate() -> None:
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30, 1.001
    assert to_frames(1.0, scene) == 30
    assert to_frames(0.001, scene) == 1
    scene.render.fps, scene.render.fps_base = 60, 1.0
    assert to_frames(0.75, scene) == 45


@pytest.mark.long
def test_a_prop_that_hangs_on_the_hand_is_still_a_prop_and_no_skin() -> None:
    scene = held("gripper_2")
    armature, prop = scene.armature, scene.prop
    animate(scene, attach="PARENT")
    assert prop.parent == armature
    every = [armature, prop, scene.skin]
    assert prop not in skin_objects(armature, every)
    assert scene.skin in skin_objects(armature, every)
    assert choose_prop(armature, every, None) == prop, "so that it can be animated anew, and taken again"
    animate(scene, attach="KEYS")
    assert prop.parent is None
    # What somebody else hangs on a bone moves with the hand as its skin does.
    prop.parent, prop.parent_type, prop.parent_bone = armature, "BONE", scene.hand.wrist
    assert prop in skin_objects(armature, every)


def test_what_was_seen_is_told_where_it_is_too_deep() -> None:
    assert Measured(depth=9e-4, walls=9e-4).notes() == []
    (note,) = Measured(depth=2e-3, frame=7).notes()
    assert note == "The skin is 2.0 mm inside the prop at frame 7."
    (note,) = Measured(walls=0.018, wall_frame=9).notes()
    assert note.startswith("The hand is 18.0 mm inside an obstacle at frame 9: ")
