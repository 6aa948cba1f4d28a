# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Props carried along curves of every kind: on the curve at every frame, no jump, nothing slides, bad ones refused."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils.geometry import interpolate_bezier

from addon.rig.curve_lines import join_edges, read_lines
from addon.services.animation_records import load_animations
from addon.solvers.animation import Durations
from tests.blender.closing_scenes import select, update
from tests.blender.test_animating import animate, assert_clean, empty_at, held, place_of, show
from tests.blender.test_animating_input import refused, state

LONG = Durations(approach=4, close=3, hold=4, carry=16, release=3, retreat=4)
POINTS = ((0.0, 0.0, 0.0), (0.1, 0.02, 0.12), (0.22, -0.06, 0.15), (0.3, 0.05, 0.02))


def curve(kind: str = "BEZIER", points: Any = POINTS, *, name: str = "Path", cyclic: bool = False) -> Any:
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    obj = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(obj)
    if len(points):
        spline = data.splines.new(kind)
        row = spline.bezier_points if kind == "BEZIER" else spline.points
        row.add(len(points) - 1)
        for point, place in zip(row, points, strict=True):
            point.co = place if kind == "BEZIER" else (*place, 1.0)
            if kind == "BEZIER":
                point.handle_left_type = point.handle_right_type = "AUTO"
        spline.use_cyclic_u = cyclic
        if kind == "NURBS":
            spline.use_endpoint_u, spline.order_u = True, 3
    update()
    return obj


def off_line(places: np.ndarray, line: np.ndarray) -> np.ndarray:
    """Distances of points (a, 3) from a line of points (n, 3). Shape (a,)."""
    a, along = line[:-1], np.diff(line, axis=0)
    length = np.maximum(np.sum(along**2, axis=1), 1e-18)
    t = np.clip(np.einsum("pnk,nk->pn", places[:, None] - a, along) / length, 0.0, 1.0)
    return np.linalg.norm(a + t[..., None] * along - places[:, None], axis=2).min(axis=1)


def from_prop(scene: Any, *places: tuple[float, float, float]) -> np.ndarray:
    """Places counted from where the prop is. Shape (n, 3)."""
    return np.array(scene.prop.location) + np.array(places)


def carried(scene: Any, report: Any) -> np.ndarray:
    """The prop's origin at every frame of being carried. Shape (a, 3)."""
    found = []
    for frame in range(report.frames.lift, report.frames.put + 1):
        show(frame)
        found.append(place_of(scene.prop)[:3, 3])
    return np.array(found)


@pytest.mark.long
@pytest.mark.parametrize("attach", ["KEYS", "CHILD_OF", "PARENT"])
def test_a_ball_follows_a_turned_and_scaled_bezier_curve(attach: str) -> None:
    scene = held("gripper_2")
    path = curve()
    path.rotation_euler, path.scale = (0.2, 0.1, 0.7), (1.0, 1.2, 0.9)
    path.location = scene.prop.location
    update()
    report = animate(scene, path=path, attach=attach, durations=LONG)
    knots = path.data.splines[0].bezier_points
    exact = [
        point
        for first, last in pairwise(knots)
        for point in interpolate_bezier(first.co, first.handle_right, last.handle_left, last.co, 400)
    ]
    line = np.array([path.matrix_world @ point for point in exact])
    places = carried(scene, report)
    assert off_line(places, line).max() < 1e-4
    assert np.allclose(places[-1], line[-1], atol=1e-4)
    gone = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    u = np.linspace(0.0, 1.0, len(places))
    eased = gone * np.diff(u * u * (3.0 - 2.0 * u))
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert np.allclose(steps, eased, atol=2e-3), "by its length, slow at both ends"
    assert_clean(scene, report)
    assert report.drift_mm <= 0.5
    assert report.jump_mm <= 0.01
    assert load_animations(scene.armature)[0].path == "Path"


@pytest.mark.parametrize("kind", ["POLY", "NURBS"])
def test_other_kinds_of_curves_and_their_modifiers_are_followed(kind: str) -> None:
    scene = held("gripper_2")
    path = curve(kind, from_prop(scene, *POINTS))
    bend = path.modifiers.new("Bend", "SIMPLE_DEFORM")
    bend.deform_method, bend.angle, bend.deform_axis = "BEND", 0.8, "Z"
    path.data.bevel_depth = 0.01
    path.hide_viewport = True
    update()
    (line,) = read_lines(path, bpy.context.scene, bpy.context.view_layer)
    bend.show_viewport = False
    (plain,) = read_lines(path, bpy.context.scene, bpy.context.view_layer)
    assert off_line(line, plain).max() > 0.01, "the modifier counts"
    bend.show_viewport = True
    report = animate(scene, path=path, durations=LONG)
    places = carried(scene, report)
    # The modifier moves the start of the line a little off the prop: the first steps lead there.
    assert off_line(places[2:], line).max() < 1e-4
    assert np.allclose(places[-1], line[-1], atol=1e-4)
    assert report.jump_mm <= 0.01
    assert len(bpy.data.curves) == 1, "nothing is left behind"


@pytest.mark.long
def test_the_prop_goes_to_a_path_that_begins_elsewhere_and_on_to_the_target() -> None:
    scene = held("gripper_2")
    start = np.array(scene.prop.location)
    line = from_prop(scene, (0.1, 0.0, 0.05), (0.1, 0.2, 0.05))
    path = curve("POLY", line)
    target = empty_at(*from_prop(scene, (0.0, 0.3, 0.0))[0], turn=0.5)
    report = animate(scene, path=path, target=target, durations=LONG)
    places = carried(scene, report)
    assert np.allclose(places[0], start, atol=1e-6)
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert steps.max() < 1.7 * 0.6 / LONG.carry, "it moves there, and does not jump"
    on = off_line(places, line) < 1e-4
    assert on.sum() >= 4
    show(report.frames.away)
    assert np.allclose(place_of(scene.prop), place_of(target), atol=1e-4)
    assert_clean(scene, report)


@pytest.mark.long
def test_a_path_that_starts_here_is_shifted_to_the_prop() -> None:
    scene = held("gripper_2")
    path = curve("POLY", [(5.0, 0.0, 1.0), (5.2, 0.0, 1.0), (5.2, 0.1, 1.1)])
    before = np.array(scene.prop.location)
    report = animate(scene, path=path, path_here=True, durations=LONG)
    places = carried(scene, report)
    line = np.array([(0.0, 0.0, 0.0), (0.2, 0.0, 0.0), (0.2, 0.1, 0.1)]) + before
    assert off_line(places, line).max() < 1e-4
    assert np.allclose(places[-1], line[-1], atol=1e-4)


@pytest.mark.long
def test_a_closed_path_comes_back() -> None:
    scene = held("gripper_2")
    path = curve("POLY", from_prop(scene, (0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0.1)), cyclic=True)
    report = animate(scene, path=path)
    places = carried(scene, report)
    assert np.allclose(places[-1], places[0], atol=1e-5)
    assert np.linalg.norm(places - places[0], axis=1).max() > 0.1


def test_bad_paths_are_refused_each_with_a_sentence() -> None:
    scene = held("gripper_2")
    refused(scene, "'Put Down' is no curve: choose a curve object", path=empty_at(0.0, 0.0, 0.0))
    refused(scene, "Curve 'Bare' has no points: draw the path", path=curve(points=(), name="Bare"))
    refused(scene, "'Dot' has no length|'Dot' is no line", path=curve("POLY", [(1.0, 2.0, 3.0)], name="Dot"))
    refused(scene, "Curve 'Flat' has no length", path=curve("POLY", [(1.0, 2.0, 3.0)] * 3, name="Flat"))
    two = curve("POLY", name="Two")
    two.data.splines.new("POLY").points.add(1)
    two.data.splines[1].points[1].co = (1.0, 1.0, 1.0, 1.0)
    refused(scene, "Curve 'Two' is in 2 pieces: let the path be one line", path=two)
    hanging = curve(name="Hanging")
    hanging.parent = scene.prop
    refused(scene, "'Hanging' moves with 'Ball': choose another path", path=hanging)
    hanging.parent = None
    hanging.constraints.new("COPY_LOCATION").target = scene.armature
    refused(scene, "'Hanging' moves with 'Two-Finger", path=hanging)


@pytest.mark.long
def test_a_path_that_was_deleted_is_refused_and_what_was_made_stays() -> None:
    scene = held("gripper_2")
    select(scene.armature, scene.prop)
    settings = bpy.context.scene.prehend
    curve(name="Another Line")
    settings.prop, path = scene.prop, curve("POLY")
    settings.animation.path = path
    assert bpy.ops.prehend.animate_grasp(use_panel=True) == {"FINISHED"}
    assert load_animations(scene.armature)[0].path == "Path"
    bpy.context.scene.collection.objects.unlink(path)
    before = state(scene)
    with pytest.raises(RuntimeError, match="'Path' is not in this scene, or was deleted"):
        bpy.ops.prehend.animate_grasp(use_panel=True)
    assert state(scene) == before
    with pytest.raises(RuntimeError, match="There is no object 'Track': choose another"):
        bpy.ops.prehend.animate_grasp(path="Track")
    assert state(scene) == before


@pytest.mark.long
def test_a_path_counts_as_it_is_where_the_prop_is_taken_not_at_the_playhead() -> None:
    scene = held("gripper_2")
    path = curve("POLY", from_prop(scene, (0.0, 0.0, 0.0), (0.0, 0.0, 0.2)))
    for frame, shift in ((1, 0.0), (100, 3.0)):
        path.location[0] = shift
        path.keyframe_insert("location", frame=frame)
    show(5)
    first = carried(scene, animate(scene, path=path))
    show(60)
    again = carried(scene, animate(scene, path=path))
    assert np.allclose(first, again, atol=1e-6)


def test_reading_a_path_keeps_what_is_not_keyed() -> None:
    scene = held("gripper_2")
    path = curve()
    scene.prop.keyframe_insert("location", frame=1)
    update()
    scene.prop.location[0] += 0.7
    wanted = tuple(scene.prop.location)
    read_lines(path, bpy.context.scene, bpy.context.view_layer)
    assert tuple(scene.prop.location) == wanted


def test_edges_are_joined_in_the_order_of_their_vertices() -> None:
    assert join_edges([[1, 2], [0, 1]]) == [[0, 1, 2]]
    assert join_edges([[0, 1], [1, 2], [2, 0]]) == [[0, 1, 2, 0]]
    assert join_edges([[0, 1], [3, 2]]) == [[0, 1], [2, 3]]
    assert join_edges([[0, 1], [0, 2], [0, 3]]) == []
    assert join_edges([]) == []
