# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooks where people take things: closed forms first, then the demo props."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hook_shapes import HAND, Shape, ball, box, cylinder, hollow, hooks_of, joined, shifted, torus, united

from addon.core.arrays import FloatArray
from addon.core.rotations import matrix_from_axis_angle, unit
from addon.shapes.props import PROPS
from addon.solvers.hooks import KINDS, Hook, HookSizes, find_hooks
from addon.solvers.hooks.loops import PITCH, Bars, Loop, find_loops
from addon.solvers.hooks.pairs import find_pairs, sample_surface, trace_exits
from addon.solvers.surface import build_surface


@pytest.mark.parametrize("radius", [0.01, 0.02, 0.035])
def test_a_ball_is_held_by_its_middle(radius: float) -> None:
    hooks = hooks_of(ball(radius))
    assert hooks[0].kind == "compact"
    assert hooks[0].axis is None
    assert np.allclose(hooks[0].point, 0.0, atol=0.05 * radius)
    assert np.isclose(hooks[0].thickness, 2.0 * radius, rtol=0.03)


@pytest.mark.parametrize(("radius", "half"), [(0.0035, 0.09), (0.012, 0.06), (0.03, 0.1)])
def test_a_cylinder_is_held_by_the_middle_of_its_axis(radius: float, half: float) -> None:
    best = hooks_of(cylinder(radius, half))[0]
    assert best.kind == "tube"
    assert best.axis is not None
    assert abs(best.axis[2]) > 0.995
    assert np.allclose(best.point[:2], 0.0, atol=0.1 * radius)
    assert abs(best.point[2]) < 0.15 * half
    assert np.isclose(best.thickness, 2.0 * radius, rtol=0.05)
    assert np.isclose(best.length, 2.0 * half, rtol=0.1)


@pytest.mark.parametrize("side", [0.016, 0.04])
def test_a_die_is_compact(side: float) -> None:
    best = hooks_of(box((side, side, side)))[0]
    assert best.kind == "compact"
    assert np.allclose(best.point, 0.0, atol=0.15 * side)
    assert np.isclose(best.thickness, side, rtol=0.02)


def test_a_card_is_thin_and_pinched_across() -> None:
    best = hooks_of(box((0.085, 0.054, 0.0008)))[0]
    assert best.kind == "thin"
    assert np.isclose(best.thickness, 0.0008, rtol=0.1)
    assert best.across is not None
    assert abs(best.across[2]) > 0.999


def test_a_book_is_held_at_an_edge_within_reach() -> None:
    hooks = hooks_of(box((0.24, 0.17, 0.03), cuts=16))
    assert hooks[0].kind == "edge"
    for hook in hooks:
        gaps = np.array([0.12, 0.085]) - np.abs(hook.point[:2])
        assert gaps.min() < HookSizes().reach + HookSizes().finger
        assert np.isclose(hook.thickness, 0.03, rtol=0.02)


def test_a_square_bar_is_a_handle() -> None:
    best = hooks_of(box((0.02, 0.03, 0.2), cuts=12))[0]
    assert best.kind == "tube"
    assert best.axis is not None
    assert abs(best.axis[2]) > 0.96
    assert np.allclose(best.point[:2], 0.0, atol=0.005)


def test_a_ring_is_held_by_its_own_thickness() -> None:
    large, small = 0.035, 0.006
    tubes = [hook for hook in hooks_of(torus(large, small)) if hook.kind == "tube"]
    assert tubes
    for hook in tubes:
        assert np.isclose(np.hypot(*hook.point[:2]), large, atol=0.002)
        assert hook.axis is not None
        tangent = unit(np.array([-hook.point[1], hook.point[0], 0.0]))
        assert abs(hook.axis @ tangent) > 0.97
        assert np.isclose(hook.thickness, 2.0 * small, rtol=0.05)


def _rail(gap: float) -> float:
    """Best score of a rail in front of a wall that is too broad to be held."""
    rail, wall = cylinder(0.008, 0.06), box((0.2, 0.3, 0.3), cuts=6)
    shift = np.array([0.1 + 0.008 + gap, 0.0, 0.0])
    vertices = np.concatenate([rail[0], wall[0] + shift])
    faces = np.concatenate([rail[1], wall[1] + len(rail[0])])
    hooks = find_hooks(vertices, faces, lambda p: np.minimum(rail[2](p), wall[2](p - shift)), hand=HAND)
    on_rail = [hook.score for hook in hooks if hook.kind == "tube" and np.hypot(*hook.point[:2]) < 0.002]
    return max(on_rail, default=0.0)


def test_a_handle_needs_room_for_a_finger() -> None:
    wide, narrow, tight = (_rail(gap) for gap in (0.03, 0.01, 0.003))
    assert wide > 0.5
    assert narrow < 0.85 * wide
    assert tight < 0.7 * wide


def test_the_neck_is_better_than_a_body_that_fills_the_hand() -> None:
    thick, thin = (0.044, 0.06), (0.014, 0.05)
    hooks = hooks_of(joined(thick, thin))
    assert np.isclose(hooks[0].thickness, 0.028, rtol=0.05)
    assert hooks[0].point[2] > 0.06
    body = [hook for hook in hooks if np.isclose(hook.thickness, 0.088, rtol=0.05)]
    assert body
    assert all(hook.point[2] < 0.06 for hook in body)


def test_a_bin_is_taken_by_its_rim_and_a_closed_box_not_at_all() -> None:
    """The walls are as thin, but no thumb gets inside the box."""
    side = 0.25
    rims = hooks_of(hollow(side, 0.004, lid=False))
    assert rims
    for hook in rims:
        assert hook.kind == "rim"
        assert side / 2.0 - hook.point[2] < HookSizes().reach + HookSizes().finger
        assert np.isclose(hook.thickness, 0.004, rtol=0.05)
        assert hook.axis is not None
        assert abs(hook.axis[2]) < 0.2
    assert hooks_of(hollow(side, 0.004, lid=True)) == ()


def test_no_thumb_gets_inside_a_large_hollow_ball() -> None:
    """Its wall bends away before a finger's reach ends, but what lies behind is not outside."""
    middle, half = 0.3, 0.0015
    outer, inner = ball(middle + half), ball(middle - half)
    vertices = np.concatenate([outer[0], inner[0]])
    faces = np.concatenate([outer[1], inner[1] + len(outer[0])])
    assert find_hooks(vertices, faces, lambda p: np.abs(np.linalg.norm(p, axis=1) - middle) - half, hand=HAND) == ()


def test_what_is_too_big_has_no_hook() -> None:
    assert hooks_of(ball(0.3)) == ()
    assert hooks_of(box((0.5, 0.4, 0.3))) == ()


def test_the_same_thing_for_a_giant_is_a_hook_again() -> None:
    assert hooks_of(ball(0.3), hand=0.8)[0].kind == "compact"


def _moved(shape: Shape, R: FloatArray, shift: FloatArray, scale: float = 1.0) -> Shape:
    vertices, faces, distance = shape
    return (
        scale * vertices @ R.T + shift,
        faces,
        lambda points: scale * distance(((points - shift) @ R) / scale),
    )


@pytest.mark.parametrize(
    "make", [lambda: cylinder(0.012, 0.06), lambda: torus(0.035, 0.006), lambda: box((0.085, 0.054, 0.01))]
)
@pytest.mark.parametrize("scale", [1.0, 0.1, 40.0])
def test_hooks_move_turn_and_grow_with_object_and_hand(make: Callable[[], Shape], scale: float) -> None:
    shape = make()
    R = matrix_from_axis_angle(unit(np.array([1.0, -2.0, 0.5])), 0.8)
    shift = scale * np.array([0.3, -0.2, 0.5])
    before, after = hooks_of(shape), hooks_of(_moved(shape, R, shift, scale), hand=scale * HAND)
    assert len(before) == len(after)
    for one, two in zip(before, after, strict=True):
        assert one.kind == two.kind
        assert np.allclose(two.point, scale * (R @ one.point) + shift, atol=1e-6 * scale)
        assert np.isclose(two.thickness, scale * one.thickness)
        # On a regular mesh places lie on the very brink of a part; rounding decides whether they count.
        assert np.isclose(two.length, scale * one.length, rtol=0.02)
        assert np.isclose(two.score, one.score, atol=0.02)
        if one.axis is not None and two.axis is not None:
            assert abs((R @ one.axis) @ two.axis) > 0.998


def test_equal_input_gives_equal_hooks() -> None:
    first, second = hooks_of(torus(0.035, 0.006)), hooks_of(torus(0.035, 0.006))
    assert [hook.point.tolist() for hook in first] == [hook.point.tolist() for hook in second]


def test_hooks_are_ranked_and_complete() -> None:
    hooks = hooks_of(joined((0.03, 0.06), (0.014, 0.05)))
    scores = [hook.score for hook in hooks]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 < score <= 1.0 for score in scores)
    for hook in hooks:
        assert hook.kind in KINDS
        assert hook.axis is None or np.isclose(np.linalg.norm(hook.axis), 1.0)
        assert not hook.point.flags.writeable
    assert len(find_hooks(*joined((0.03, 0.06), (0.014, 0.05)), hand=HAND, most=1)) == 1


def test_lines_leave_a_pipe_where_its_walls_end() -> None:
    inner, outer = 0.03, 0.035

    def distance(points: FloatArray) -> FloatArray:
        radius = np.hypot(points[:, 0], points[:, 1])
        return np.maximum(radius - outer, inner - radius)

    starts = np.array([[outer, 0.0, 0.0], [0.0, outer, 0.2]])
    exits = trace_exits(starts, -starts * [1, 1, 0] / outer, distance, HookSizes(), reach=0.1, most=3)
    assert np.allclose(exits[:, :2], [[outer - inner, 2.0 * outer]] * 2, atol=1e-5)
    assert np.isnan(exits[:, 2]).all()


def test_pairs_of_a_cylinder_go_through_its_axis() -> None:
    vertices, faces, distance = cylinder(0.012, 0.06)
    pairs = find_pairs(sample_surface(vertices[faces]), distance, HookSizes())
    across = np.abs(pairs.directions[:, 2]) < 0.5
    assert across.sum() > 300
    assert np.allclose(pairs.widths[across], 0.024, rtol=0.02)
    assert np.abs(pairs.middles[across][:, :2]).max() < 0.012 * np.sin(np.pi / 48.0) + 1e-5
    assert np.allclose(np.einsum("ij,ij->i", pairs.sides, pairs.directions), 0.0, atol=1e-9)


def test_faces_that_look_inwards_make_no_difference() -> None:
    vertices, faces, distance = cylinder(0.012, 0.06)
    one, two = (find_hooks(vertices, each, distance, hand=HAND)[0] for each in (faces, faces[:, ::-1]))
    assert one.kind == two.kind == "tube"
    assert np.allclose(one.point, two.point, atol=0.005)
    assert np.isclose(one.thickness, two.thickness, rtol=0.01)


@cache
def prop_hooks(name: str) -> tuple[Hook, ...]:
    mesh = PROPS[name].build()
    surface = build_surface(mesh.vertices, mesh.triangles())
    return find_hooks(mesh.vertices, mesh.triangles(), surface.distance, hand=HAND)


@pytest.mark.parametrize("hand", [0.074, 0.078, HAND, 0.092])
def test_a_hammer_is_held_by_its_handle_and_not_by_its_head(hand: float) -> None:
    mesh = PROPS["hammer"].build()
    surface = build_surface(mesh.vertices, mesh.triangles())
    mains = [each for each in find_hooks(mesh.vertices, mesh.triangles(), surface.distance, hand=hand) if each.main]
    assert mains
    assert all(each.axis is not None and abs(each.axis[0]) > 0.9 for each in mains)


def test_the_mug_is_taken_by_its_handle_or_round_its_body() -> None:
    first, second = prop_hooks("mug")[:2]
    assert first.kind == second.kind == "tube"
    handle, body = sorted((first, second), key=lambda hook: hook.thickness)
    assert handle.point[0] > 0.05
    assert 0.006 < handle.thickness < 0.015
    assert np.allclose(body.point[:2], 0.0, atol=0.005)
    assert np.isclose(body.thickness, 0.082, rtol=0.03)


@pytest.mark.parametrize(
    ("name", "kind", "low", "high"),
    [
        ("hammer", "tube", (-0.08, -0.02, 0.0), (0.15, 0.01, 0.03)),
        ("dumbbell", "tube", (-0.03, -0.005, 0.03), (0.03, 0.005, 0.05)),
        ("wine_glass", "tube", (-0.002, -0.002, 0.02), (0.002, 0.002, 0.1)),
        ("key", "thin", (-0.03, -0.012, 0.0), (-0.01, 0.012, 0.003)),
        ("ball", "compact", (-0.002, -0.002, 0.034), (0.002, 0.002, 0.039)),
        ("bottle", "tube", (-0.002, -0.002, 0.03), (0.002, 0.002, 0.22)),
        ("pen", "tube", (-0.04, -0.003, 0.003), (0.04, 0.003, 0.009)),
        ("smartphone", "slab", (-0.07, -0.035, 0.0), (0.07, 0.035, 0.01)),
        ("box", "edge", (-0.075, -0.05, 0.02), (0.075, 0.05, 0.03)),
        ("door_knob", "compact", (-0.01, -0.07, 0.02), (0.01, -0.03, 0.05)),
    ],
)
def test_props_are_taken_where_people_take_them(
    name: str, kind: str, low: tuple[float, ...], high: tuple[float, ...]
) -> None:
    best = prop_hooks(name)[0]
    assert best.kind == kind
    assert (np.array(low) <= best.point).all(), best.point
    assert (best.point <= np.array(high)).all(), best.point


def _handle(gap: float, *, closed: bool = True) -> Shape:
    """A rod of 10 mm along z beside a wall, joined to it by two arms that leave an opening of 40 mm between them."""
    rod = box((0.010, 0.010, 0.060))
    wall = shifted(box((0.040, 0.120, 0.120)), (-0.005 - gap - 0.020, 0.0, 0.0))
    arms = [shifted(box((gap + 0.012, 0.010, 0.010)), (-0.5 * gap - 0.005, 0.0, z)) for z in (0.025, -0.025)]
    parts = [rod, wall, *(arms if closed else arms[:1])]

    def distance(points: FloatArray) -> FloatArray:
        return np.min([part[2](points) for part in parts], axis=0)

    return parts[0][0], parts[0][1], distance


def _loop(shape: Shape, tilt: float = 0.0) -> Loop | None:
    return find_loops(_bars(tilt), shape[2], HookSizes().of_hand(HAND))[0]


def _bars(*tilts: float) -> Bars:
    """The same rod, seen as running in some directions."""
    count = len(tilts)
    return Bars(
        np.tile([0.0, 0.0, 0.006], (count, 1)),
        unit([[0.0, tilt, 1.0] for tilt in tilts]),
        np.full(count, 0.010),
        np.tile([-0.05, 0.0, 0.0], (count, 1)),
    )


def test_bars_that_are_looked_at_together_have_the_openings_that_each_has_alone() -> None:
    tilts, sizes = (0.2, 1.5, -0.3, 0.0, 40.0), HookSizes().of_hand(HAND)
    distance = _handle(0.030)[2]
    together = find_loops(_bars(*tilts), distance, sizes)
    alone = [find_loops(_bars(tilt), distance, sizes)[0] for tilt in tilts]
    assert [each is None for each in together] == [each is None for each in alone]
    assert {each is None for each in together} == {True, False}, "some are handles, seen across they are none"
    for one, other in zip(together, alone, strict=True):
        if one is not None and other is not None:
            for name, value in vars(one).items():
                np.testing.assert_array_equal(value, vars(other)[name])


def test_the_opening_of_a_handle_is_measured() -> None:
    loop = _loop(_handle(0.030), tilt=0.2)
    assert loop is not None
    np.testing.assert_allclose(loop.direction, [-1.0, 0.0, 0.0], atol=0.1)
    # The axis was tilted by 0.2 and is put right.
    np.testing.assert_allclose(np.abs(loop.axis), [0.0, 0.0, 1.0], atol=0.11)
    assert loop.depth == pytest.approx(0.030, abs=0.002)
    assert abs(loop.point[2]) < 0.004
    # Middles of fingers go through between arms that are 40 mm apart, half a finger off each.
    assert loop.low + loop.high == pytest.approx(0.040 - 0.84 * 0.016, abs=0.007)
    assert loop.room(0.016) == 2


def test_where_fingers_would_hardly_fit_one_less_is_tried_too() -> None:
    finger = 0.016
    loop = _loop(_handle(0.030))
    assert loop is not None
    # Two fingers are a pitch apart.
    for spare, counts in ((-0.1, (2, 1)), (0.2, (2, 1)), (0.5, (2,)), (1.1, (3, 2))):
        room = (1.0 + spare) * PITCH * finger
        assert replace(loop, low=0.5 * room, high=0.5 * room).counts(finger) == counts
    assert replace(loop, low=0.0, high=0.0).counts(finger) == (1,)


def test_what_no_finger_fits_through_or_is_open_at_an_end_is_no_handle() -> None:
    assert _loop(_handle(0.010)) is None
    assert _loop(_handle(0.030, closed=False)) is None
    assert _loop(box((0.010, 0.010, 0.060))) is None


def test_walls_that_quick_distances_miss_are_looked_at_with_care() -> None:
    """A drinking glass: a grid whose cells are as thick as its wall sees nothing but its base."""
    radius, height, wall, base = 0.038, 0.060, 0.0015, 0.006
    outer, inner = cylinder(radius, height), shifted(cylinder(radius - wall, height), (0.0, 0.0, base))
    foot = shifted(cylinder(radius - wall, 0.5 * base), (0.0, 0.0, 0.5 * base - height))
    vertices, faces, _ = united(outer, inner)
    # Neither the lid that the two cylinders share nor what is above it belongs to the glass.
    heights = vertices[faces][..., 2]
    triangles = faces[(heights < height + 1e-4).all(axis=1) & ~(heights > height - 1e-6).all(axis=1)]

    def careful(points: FloatArray) -> FloatArray:
        tall = np.maximum(np.hypot(points[:, 0], points[:, 1]) - (radius - wall), -(points[:, 2] + height - base))
        return np.maximum(outer[2](points), -tall)

    asked: list[int] = []

    def counted(points: FloatArray) -> FloatArray:
        asked.append(len(points))
        return careful(points)

    blind = find_hooks(vertices, triangles, foot[2], hand=HAND)
    assert all(each.kind != "tube" for each in blind)
    best = find_hooks(vertices, triangles, foot[2], hand=HAND, careful=counted)[0]
    assert best.kind == "tube"
    assert best.thickness == pytest.approx(2.0 * radius, rel=0.02)
    assert asked
    # Distances that see the walls are enough.
    asked.clear()
    find_hooks(vertices, triangles, careful, hand=HAND, careful=counted)
    assert not asked


def test_a_finger_that_is_put_through_an_opening_comes_out_behind_it() -> None:
    shape = _handle(0.030)
    # Walls on one side of the opening, near and far: the mouth of a cup has a bottom behind it.
    near, far = (shifted(box((0.300, 0.010, 0.300)), (0.0, y, 0.0)) for y in (0.100, 0.300))
    assert _loop((*shape[:2], lambda points: np.minimum(shape[2](points), far[2](points)))) is not None
    assert _loop((*shape[:2], lambda points: np.minimum(shape[2](points), near[2](points)))) is None


@pytest.mark.parametrize(("hand", "eye"), [(HAND, False), (1.1 * HAND, True), (1.25 * HAND, True)])
def test_a_cup_on_its_saucer_is_taken_by_its_handle(hand: float, eye: bool) -> None:
    """A finger fits through the handle, or none does; what lies between cup and saucer is nothing to hold."""
    mesh = PROPS["cup_on_saucer"].build()
    surface = build_surface(mesh.vertices, mesh.triangles())
    best = find_hooks(mesh.vertices, mesh.triangles(), surface.distance, hand=hand)[0]
    assert best.main
    assert best.eye is eye
    assert (best.opening is not None) is not eye
    assert best.point[0] > 0.045
    if eye:
        # Pads hold it where it stands out farthest, and not where fingers would reach into the cup.
        assert best.point[0] > 0.06
        assert best.axis is not None
        assert abs(best.axis[2]) > 0.9


def test_cards_are_pinched_and_slabs_lie_on_the_palm() -> None:
    slab = hooks_of(box((0.150, 0.070, 0.009)))[0]
    assert slab.kind == "slab"
    assert slab.thickness == pytest.approx(0.070, abs=0.006)
    assert slab.flat == pytest.approx(0.009, abs=0.001)
    assert slab.axis is not None
    assert slab.across is not None
    assert abs(slab.axis[0]) > 0.95
    assert abs(slab.across[2]) > 0.95
    # Square things have no long sides, and thick ones are no slabs.
    assert "slab" not in {each.kind for each in hooks_of(box((0.070, 0.070, 0.009)))}
    assert "slab" not in {each.kind for each in hooks_of(box((0.150, 0.070, 0.040)))}


def test_the_handle_is_what_a_thing_is_held_by() -> None:
    # A bar with a shorter one across its end, like a hammer.
    main = [each for each in prop_hooks("hammer") if each.main]
    assert main
    assert all(each.axis is not None and abs(each.axis[0]) > 0.9 for each in main)
    opening = prop_hooks("mug")[0].opening
    assert opening is not None
    assert opening.room(0.016) == 2


def test_a_flat_bar_with_few_triangles_on_something_large_is_its_handle() -> None:
    # Like a pan: most of the places that are looked through are on what hangs on the bar.
    pan = box((0.240, 0.240, 0.050), cuts=8)
    bar = shifted(box((0.200, 0.024, 0.014), cuts=1), (0.215, 0.0, 0.018))
    bars = [each for each in hooks_of(united(pan, bar)) if each.main]
    assert bars
    assert bars[0].kind == "tube"
    assert bars[0].axis is not None
    assert abs(bars[0].axis[0]) > 0.95
    assert bars[0].length > 0.1
    assert bars[0].point[0] > 0.13
    assert bars[0].score > 0.4


def test_wires_are_taken_anywhere() -> None:
    wire = hooks_of(cylinder(0.001, 0.15))[0]
    assert wire.kind == "tube"
    assert wire.thickness == pytest.approx(0.002, abs=0.0004)
    assert wire.score > 0.3


def test_the_eye_of_a_handle_is_found_where_no_finger_fits_through() -> None:
    wall = box((0.040, 0.120, 0.120), cuts=12)
    ring = shifted(box((0.007, 0.007, 0.036), cuts=6), (0.034, 0.0, 0.0))
    arms = [shifted(box((0.014, 0.007, 0.007), cuts=6), (0.026, 0.0, z)) for z in (0.0145, -0.0145)]
    found = hooks_of(united(wall, ring, *arms))
    eyes = [each for each in found if each.eye]
    assert eyes
    assert eyes[0].main
    assert eyes[0].opening is None
    assert 0.02 < eyes[0].point[0] < 0.04
    assert not any(each.eye for each in hooks_of(united(wall, ring)))
