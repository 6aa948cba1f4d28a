# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What films show: tight pictures, and props that stand on something."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest

from addon.rig.stands import STAND, plan_ground
from addon.rig.studio import View, build_studio, evaluated_points
from addon.services.film_scene import look_at_film
from addon.services.films import STUDIO, turn_studio
from tests.blender.test_animating import animate, held

LYING = np.array([[x, y, z] for x in np.linspace(-0.15, 0.15, 61) for y in (-0.012, 0.012) for z in (0.1, 0.12)])
"""A stick of 30 cm that lies 10 cm above zero."""


def _cylinder(radius: float, low: float, high: float) -> np.ndarray:
    angles = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    return np.array([[radius * np.cos(a), radius * np.sin(a), z] for a in angles for z in (low, high)])


def test_props_stand_on_the_floor_where_nothing_comes_lower() -> None:
    cup = _cylinder(0.04, 0.05, 0.15)
    ground = plan_ground([cup], np.array([[0.1, 0.0, 0.06], [0.2, 0.0, 0.049]]))
    assert ground.floor == pytest.approx(0.05)
    assert ground.stands == ()


def test_props_stand_on_plinths_where_a_hand_reaches_lower_and_those_keep_clear_of_it() -> None:
    cup = _cylinder(0.04, 0.05, 0.15)
    (wide,) = plan_ground([cup], np.array([[0.2, 0.0, 0.01]])).stands
    assert (wide.x, wide.y, wide.top) == pytest.approx((0.0, 0.0, 0.05), abs=1e-9)
    assert wide.radius == pytest.approx(0.04)
    ground = plan_ground([cup], np.array([[0.03, 0.0, 0.01], [0.001, 0.0, 0.2]]))
    assert ground.floor == pytest.approx(0.01)
    assert ground.stands[0].radius == pytest.approx(0.03 - 4e-3)
    assert plan_ground([cup], np.array([[0.005, 0.0, 0.01]])).stands == (), "there is no room for one"


def test_long_props_lie_on_two_plinths_and_what_is_put_back_on_one() -> None:
    passing = np.array([[0.0, 0.0, 0.02]])
    ground = plan_ground([LYING, LYING], passing)
    assert len(ground.stands) == 2
    assert {round(math.copysign(1.0, each.x)) for each in ground.stands} == {-1, 1}
    assert all(abs(each.x) > 0.08 for each in ground.stands)


def test_props_at_two_heights_stand_each_on_its_own() -> None:
    low, high = _cylinder(0.03, 0.0, 0.1), _cylinder(0.03, 0.2, 0.3) + np.array([0.3, 0.0, 0.0])
    ground = plan_ground([low, high], np.array([[0.15, 0.0, 0.1]]))
    assert ground.floor == pytest.approx(0.0)
    (stand,) = ground.stands
    assert (stand.x, stand.top) == pytest.approx((0.3, 0.2))


def _project(points: np.ndarray, scene: bpy.types.Scene) -> np.ndarray:
    """Where points (n, 3) are in the picture, 0 to 1 from the lower left corner."""
    camera = scene.camera
    inverse = np.linalg.inv(np.array(camera.matrix_world))
    seen = points @ inverse[:3, :3].T + inverse[:3, 3]
    half = camera.data.sensor_width / (2.0 * camera.data.lens)
    aspect = scene.render.resolution_x / scene.render.resolution_y
    return 0.5 + 0.5 * seen[:, :2] / (-seen[:, 2:]) / [half, half / aspect]


@pytest.mark.parametrize("elevation", [0.0, 20.0, 60.0])
def test_cameras_have_the_subject_in_the_middle_and_as_large_as_fits(elevation: float) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = 400, 300
    rng = np.random.default_rng(0)
    # Far behind and high on the left, near and low on the right: in perspective not in the middle of its box.
    points = np.concatenate([rng.random((50, 3)) * 0.1, rng.random((50, 3)) * 0.1 + [0.3, -0.6, -0.2]])
    build_studio(scene, points, View(elevation_deg=elevation))
    bpy.context.view_layer.update()
    seen = _project(points, scene)
    low, high = seen.min(axis=0), seen.max(axis=0)
    assert np.allclose(low + high, 1.0, atol=0.01), "as much room on both sides"
    assert (high - low).max() == pytest.approx(1.0 / View().margin, abs=0.01)


def test_a_film_shows_the_hand_wherever_it_goes_and_the_prop_on_something() -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    subjects = held("human")
    made = animate(subjects)
    scene, layer = bpy.context.scene, bpy.context.view_layer
    f = made.frames
    film = look_at_film(scene, layer, range(f.approach, f.away + 1))
    assert film is not None
    prop = bpy.data.objects[made.prop]
    skins = [obj for obj in scene.objects if obj.type == "MESH" and obj != prop]
    low, high = film.points.min(axis=0), film.points.max(axis=0)
    for frame in (f.approach, f.hold, f.away):
        scene.frame_set(frame)
        ends = evaluated_points([*skins, prop], layer.depsgraph)
        assert (ends >= low - 0.02).all()
        assert (ends <= high + 0.02).all()
    bottom = float(evaluated_points([prop], layer.depsgraph)[:, 2].min())
    rests = [film.ground.floor, *(each.top for each in film.ground.stands)]
    assert min(abs(bottom - each) for each in rests) < 2.1e-3
    build_studio(scene, film.points, View(), ground=film.ground)
    turn_studio(scene, film.points.mean(axis=0), 8)
    for obj in scene.collection.children[STUDIO].objects:
        assert (obj.parent is None) == obj.name.startswith((STAND, "Turntable"))


def test_a_table_is_what_props_stand_on() -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    made = animate(held("gripper_2"))
    prop = bpy.data.objects[made.prop]
    scene, layer = bpy.context.scene, bpy.context.view_layer
    bottom = float(evaluated_points([prop], layer.depsgraph)[:, 2].min())
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(*prop.location[:2], bottom - 1.15))
    film = look_at_film(scene, layer, [made.frames.hold])
    assert film is not None
    assert film.ground.stands == ()
    assert film.ground.floor < bottom - 2.0
    assert np.ptp(film.points[:, 2]) < 1.0, "the table need not be in the picture"
