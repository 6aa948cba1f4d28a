# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What things were given to be held by, on shapes like pistols, swords, rackets and buckets."""

from __future__ import annotations

import numpy as np
import pytest
from hook_shapes import HAND, Shape, ball, box, cylinder, hooks_of, shifted, torus, united

from addon.core.arrays import FloatArray
from addon.core.rotations import matrix_from_axis_angle
from addon.solvers.hooks import Hook, HookSizes
from addon.solvers.hooks.handles import find_handles
from addon.solvers.hooks.parts import Part


def turned(shape: Shape, axis: int, angle: float) -> Shape:
    turn = matrix_from_axis_angle(np.eye(3)[axis], angle)
    return shape[0] @ turn.T, shape[1], lambda points: shape[2](points @ turn)


def mains(shape: Shape) -> list[Hook]:
    return [each for each in hooks_of(shape) if each.main]


def along(hooks: list[Hook], axis: int) -> bool:
    """Whether there are any, and all of them lie along an axis."""
    return bool(hooks) and all(each.axis is not None and abs(each.axis[axis]) > 0.9 for each in hooks)


@pytest.mark.parametrize("rear", [-0.08, 0.0])
def test_of_two_bars_that_meet_the_one_of_a_hands_length_is_the_grip(rear: float) -> None:
    # A pistol and a hair dryer: the body is as thick as the grip, and longer.
    body = box((0.200, 0.030, 0.040), cuts=12)
    grip = shifted(box((0.034, 0.030, 0.100), cuts=10), (rear, 0.0, -0.065))
    found = mains(united(body, grip))
    assert along(found, 2)
    assert all(abs(each.point[0] - rear) < 0.01 and each.point[2] < 0.0 for each in found)


def test_a_hilt_comes_before_the_guard_across_it() -> None:
    hilt = turned(cylinder(0.013, 0.06), 1, np.pi / 2.0)
    guard = shifted(box((0.020, 0.180, 0.020), cuts=10), (0.07, 0.0, 0.0))
    blade = shifted(box((0.700, 0.040, 0.006), cuts=12), (0.43, 0.0, 0.0))
    found = mains(united(hilt, guard, blade))
    assert along(found, 0)
    assert all(each.point[0] < 0.07 for each in found)


def test_a_frame_is_a_bar_but_no_handle() -> None:
    frame = torus(0.120, 0.009)
    grip = shifted(turned(cylinder(0.015, 0.10), 1, np.pi / 2.0), (-0.31, 0.0, 0.0))
    neck = shifted(box((0.120, 0.018, 0.018)), (-0.165, 0.0, 0.0))
    found = mains(united(frame, neck, grip))
    assert along(found, 0)
    assert all(each.point[0] < -0.13 for each in found)


def test_a_drawers_handle_is_held_between_its_posts() -> None:
    bar = turned(cylinder(0.009, 0.055), 1, np.pi / 2.0)
    posts = [shifted(turned(cylinder(0.009, 0.040), 0, np.pi / 2.0), (x, 0.035, 0.0)) for x in (-0.05, 0.05)]
    assert along(mains(united(bar, *posts)), 0)
    # With one post it is a pistol again.
    assert along(mains(united(bar, posts[0])), 1)


def test_large_things_hang_from_a_bail_by_its_middle() -> None:
    # Half of the ring stands out of the block.
    bail = turned(torus(0.110, 0.004), 0, np.pi / 2.0)
    block = shifted(box((0.260, 0.200, 0.240), cuts=12), (0.0, 0.0, -0.12))
    best = hooks_of(united(bail, block))[0]
    assert best.main
    assert best.axis is not None
    assert abs(best.axis[0]) > 0.8
    assert best.point[2] > 0.09


@pytest.mark.parametrize(("thickness", "handle"), [(0.012, True), (0.030, False)])
def test_an_opening_for_one_finger_beside_a_thick_bar_is_no_handle(thickness: float, handle: bool) -> None:
    # A trigger guard beside a barrel, and a small cup's handle.
    half = 0.5 * thickness
    bar = box((thickness, thickness, 0.160), cuts=12)
    guard = [
        shifted(box((0.022, 0.008, 0.008)), (half + 0.010, 0.0, -0.024)),
        shifted(box((0.022, 0.008, 0.008)), (half + 0.010, 0.0, 0.024)),
        shifted(box((0.100, 0.160, 0.160), cuts=12), (half + 0.070, 0.0, 0.0)),
    ]
    hooks = hooks_of(united(bar, *guard))
    assert any(each.opening is not None and each.thickness < 1.2 * thickness for each in hooks) is handle


def nothing(points: FloatArray) -> FloatArray:
    return np.ones(len(points))


def is_handle(part: Part, *, room: float = 1.0, heavy: bool = False) -> bool:
    sizes, one = HookSizes().of_hand(HAND), np.ones(1)
    found = find_handles([part], one, room * one, [None], nothing, sizes, middle=np.zeros(3), hand=HAND, heavy=heavy)
    return bool(found.main[0])


def bar(thickness: float, *, solid: bool = True) -> Part:
    point, axis = np.array([0.0, 0.06, 0.0]), np.array([1.0, 0.0, 0.0])
    return Part(point, axis, None, "tube", thickness, 0.1, thickness / 2.0, 1.0, solid)


def test_what_is_open_at_its_sides_is_no_bar() -> None:
    # Between a cup and its saucer there are opposite places, too.
    assert is_handle(bar(0.04), room=0.5)
    assert is_handle(bar(0.04, solid=False), room=0.9)
    assert not is_handle(bar(0.04, solid=False), room=0.5)


def test_only_large_things_are_carried_by_a_wire() -> None:
    assert is_handle(bar(0.006), heavy=True)
    assert not is_handle(bar(0.006), heavy=False)
    # The rim of a bucket is no wire: something is always beside it.
    assert not is_handle(bar(0.006), heavy=True, room=0.8)
    assert not is_handle(bar(0.003), heavy=True)


def test_what_is_too_thick_to_close_round_is_spanned() -> None:
    wide = hooks_of(ball(0.060))
    assert wide[0].kind == "compact"
    assert wide[0].thickness == pytest.approx(0.120, rel=0.03)
    assert hooks_of(ball(0.075)) == ()
    # What can be closed round comes alone.
    thin = shifted(cylinder(0.015, 0.060), (0.0, 0.0, 0.118))
    assert all(each.thickness < 0.096 for each in hooks_of(united(ball(0.060), thin)))


def pyramid(side: float, cuts: int = 12) -> Shape:
    """A square pyramid half as high as it is wide, its base at z = 0; no two of its faces are opposite."""
    flat = box((side, side, 0.5 * side), cuts)
    vertices = flat[0] + np.array([0.0, 0.0, 0.25 * side])
    vertices[:, :2] *= 1.0 - 2.0 * vertices[:, 2:] / side

    def distance(points: FloatArray) -> FloatArray:
        slope = (np.abs(points[:, :2]).max(axis=1) + points[:, 2] - 0.5 * side) / np.sqrt(2.0)
        return np.maximum(slope, -points[:, 2])

    return vertices, flat[1], distance


def test_what_has_no_opposite_sides_is_one_thing() -> None:
    (whole,) = hooks_of(pyramid(0.040))
    assert whole.kind == "compact"
    np.testing.assert_allclose(whole.point, [0.0, 0.0, 0.010], atol=1e-9)
    assert whole.thickness == pytest.approx(0.040)
    assert hooks_of(pyramid(0.400)) == ()


def test_hollow_things_end_where_their_faces_do() -> None:
    # A camera's case of sheet, 30 mm thick: by its middle there is nothing.
    sizes, wall = np.array([0.110, 0.030, 0.065]), 0.0008
    outside, inside = box((0.110, 0.030, 0.065), cuts=12), box((0.1084, 0.0284, 0.0634), cuts=12)

    def distance(points: FloatArray) -> FloatArray:
        return np.maximum(outside[2](points), -inside[2](points))

    both = united(outside, inside)
    edges = [each for each in hooks_of((both[0], both[1], distance)) if each.kind == "edge"]
    held = [each for each in edges if abs(each.thickness - sizes[1]) < 2.0 * wall]
    assert held
    assert max(each.score for each in held) > 0.35
