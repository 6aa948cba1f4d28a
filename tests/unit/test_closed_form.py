# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed form for fingers: reaches what can be reached, breaks no limit, and says how far off it is otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from addon.core.arrays import FloatArray
from addon.solvers.chain import Chain, ChainError
from addon.solvers.closed_form import ClosedFormOptions, build_finger, pose_angles, pose_tip, solve, supports
from addon.solvers.closed_form_reference import build_plain, plain_bend
from addon.solvers.finger import OptionsError, UnsupportedChainError

INDEX = (0.0398, 0.0224, 0.0197)
LIMITS_DEG = ((0.0, 90.0), (-15.0, 15.0), (0.0, 110.0), (0.0, 90.0))


def make_chain(lengths=INDEX, limits_deg=LIMITS_DEG, *, zero=None) -> Chain:
    """A planar finger; limits of the base's flexion and abduction, then of each further joint's flexion."""
    n = len(lengths)
    limits = np.zeros((n, 3, 2))
    limits[0, 0], limits[0, 1] = np.radians(limits_deg[:2])
    limits[1:, 0] = np.radians(limits_deg[2:]).reshape(-1, 2)[: n - 1]
    quaternions = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
    if zero is not None:
        quaternions[0] = zero
    return Chain(np.array([(0.0, 0.0, length) for length in lengths]), quaternions, limits)


def turn(axis: int, angle: float) -> FloatArray:
    c, s, (j, k) = math.cos(angle), math.sin(angle), ((axis + 1) % 3, (axis + 2) % 3)
    matrix = np.eye(3)
    matrix[j, j], matrix[k, k], matrix[j, k], matrix[k, j] = c, c, -s, s
    return matrix


def tip_of(chain: Chain, angles: FloatArray) -> FloatArray:
    """Forward kinematics straight from the chain's own words."""
    frame, position = np.eye(3), np.zeros(3)
    for offset, (w, x, y, z), bends in zip(chain.offsets, chain.zero, angles, strict=True):
        axis = np.array([x, y, z])
        cross = np.cross(np.eye(3), axis)
        frame = frame @ (np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross)
        for index in range(3):
            frame = frame @ turn(index, bends[index])
        position = position + frame @ offset
    return position


def random_poses(chain: Chain, count: int, seed: int, *, coupled: bool = False) -> list[FloatArray]:
    rng = np.random.default_rng(seed)
    low, high = chain.limits[..., 0], chain.limits[..., 1]
    poses = [low + (high - low) * rng.uniform(size=low.shape) for _ in range(count)]
    if coupled:
        for pose in poses:
            pose[2, 0] = 2.0 / 3.0 * pose[1, 0]
    return poses


def keeps_limits(chain: Chain, angles: FloatArray) -> bool:
    return bool((angles >= chain.limits[..., 0]).all() and (angles <= chain.limits[..., 1]).all())


@pytest.mark.parametrize("theta_u", [11.0 / 12.0 * math.pi, math.pi, 0.6 * math.pi, 7.0 / 6.0 * math.pi])
@pytest.mark.parametrize("coupled", [False, True])
def test_all_of_1000_reachable_targets_are_reached_within_limits(coupled: bool, theta_u: float) -> None:
    chain = make_chain()
    finger = build_finger(chain, ClosedFormOptions(theta_u=theta_u))
    for pose in random_poses(chain, 1000, seed=4, coupled=coupled):
        target = tip_of(chain, pose)
        found = pose_angles(finger, pose_tip(finger, *target))
        assert np.linalg.norm(tip_of(chain, found) - target) <= 1e-9
        assert keeps_limits(chain, found)


def test_exact_coupling_reaches_all_of_1000_coupled_targets_with_the_exact_ratio() -> None:
    chain = make_chain()
    finger = build_finger(chain, ClosedFormOptions(exact_coupling=True))
    for pose in random_poses(chain, 1000, seed=4, coupled=True):
        target = tip_of(chain, pose)
        found = pose_angles(finger, pose_tip(finger, *target))
        assert np.linalg.norm(tip_of(chain, found) - target) <= 1e-9
        assert found[2, 0] == pytest.approx(2.0 / 3.0 * found[1, 0], abs=1e-12)
        assert keeps_limits(chain, found)


def test_without_limits_the_pose_is_the_published_one() -> None:
    chain = make_chain()
    finger = build_finger(chain, ClosedFormOptions(theta_u=math.pi, respect_limits=False))
    broken = 0
    for pose in random_poses(chain, 300, seed=5):
        target = tip_of(chain, pose)
        found = pose_tip(finger, *target)
        d, (pp, ip, dp) = float(np.linalg.norm(target)), INDEX
        anchor = 0.6 * math.pi
        d_a = math.hypot(
            pp + ip * math.cos(anchor) + dp * math.cos(math.pi), ip * math.sin(anchor) + dp * math.sin(math.pi)
        )
        pip = math.acos(d / sum(INDEX)) / (math.acos(d_a / sum(INDEX)) / anchor)
        m = math.sqrt(pp**2 + ip**2 + 2 * pp * ip * math.cos(pip))
        dip = math.pi - math.acos((ip**2 + m**2 - pp**2) / (2 * ip * m))
        dip -= math.acos((dp**2 + m**2 - d**2) / (2 * dp * m))
        assert (found.pip, found.dip) == pytest.approx((pip, dip), abs=1e-9)
        broken += not keeps_limits(chain, pose_angles(finger, found))
    assert broken > 0


def test_where_the_published_triangle_does_not_close_the_last_link_lies_along_it() -> None:
    """Section 4.2: a long proximal and a short distal phalanx with a small theta_u leave d > m + DP."""
    lengths = (0.055, 0.020, 0.012)
    options = ClosedFormOptions(theta_u=0.5 * math.pi, respect_limits=False)
    finger = build_finger(make_chain(lengths), options)
    plain = build_plain(*lengths, options.theta_u)
    open_triangles = [d for d in np.linspace(0.04, 0.0869, 300).tolist() if math.isnan(plain_bend(plain, d)[0])]
    assert open_triangles
    for distance in open_triangles:
        found = pose_tip(finger, 0.0, 0.0, distance)
        m = math.sqrt(lengths[0] ** 2 + lengths[1] ** 2 + 2.0 * lengths[0] * lengths[1] * math.cos(found.pip))
        assert found.residual <= 1e-9
        assert min(abs(m + lengths[2] - distance), abs(m - lengths[2] - distance)) <= 1e-9


def test_the_chosen_pip_is_the_feasible_one_nearest_to_the_published() -> None:
    chain = make_chain()
    finger, free = build_finger(chain), build_finger(chain, ClosedFormOptions(respect_limits=False))
    checked = 0
    for pose in random_poses(chain, 200, seed=6):
        target = tip_of(chain, pose)
        wanted, found = pose_tip(free, *target), pose_tip(finger, *target)
        if abs(wanted.pip - found.pip) < 1e-9:
            continue
        checked += 1
        between = np.linspace(wanted.pip, found.pip, 60)[:-1]
        mirrored = 2.0 * wanted.pip - between
        limits = np.degrees(chain.limits[[0, 0, 1, 2], [0, 1, 0, 0]])
        for pip in np.concatenate([between, mirrored]):
            if not chain.limits[1, 0, 0] <= pip <= chain.limits[1, 0, 1]:
                continue
            locked = make_chain(limits_deg=(*limits[:2], (math.degrees(pip),) * 2, limits[3]))
            assert solve(locked, target).residual > 1e-8
    assert checked > 10


@pytest.mark.parametrize("lengths", [(0.04, 0.03), (0.05,)])
def test_fingers_with_fewer_bones(lengths: tuple[float, ...]) -> None:
    chain = make_chain(lengths, ((-20.0, 90.0), (-15.0, 15.0), (-10.0, 100.0))[: 1 + len(lengths)])
    for pose in random_poses(chain, 200, seed=7):
        target = tip_of(chain, pose)
        result = solve(chain, target)
        assert result.converged
        assert np.linalg.norm(tip_of(chain, result.angles) - target) <= 1e-8
        assert result.angles.shape == (len(lengths), 3)
        assert keeps_limits(chain, result.angles)


def test_four_bones_are_left_to_an_iterative_solver() -> None:
    chain = make_chain((0.03, 0.02, 0.02, 0.01), (*LIMITS_DEG, (0.0, 90.0)))
    assert not supports(chain)
    with pytest.raises(UnsupportedChainError, match="4 bones") as caught:
        solve(chain, (0.0, 0.0, 0.05))
    assert caught.value.bones == 4


def test_thumb_through_metacarpal_and_phalanges_with_a_turned_base() -> None:
    zero = np.array([0.8, 0.3, -0.4, 0.33])
    chain = make_chain(
        (0.0462, 0.0316, 0.0273),
        ((-15.0, 45.0), (-30.0, 30.0), (0.0, 50.0), (0.0, 85.0)),
        zero=zero / np.linalg.norm(zero),
    )
    for pose in random_poses(chain, 200, seed=8):
        target = tip_of(chain, pose)
        result = solve(chain, target, ClosedFormOptions(theta_u=0.75 * math.pi))
        assert result.converged
        assert np.linalg.norm(tip_of(chain, result.angles) - target) <= 1e-8
        assert keeps_limits(chain, result.angles)


def test_bones_that_bend_almost_in_a_plane_are_reached_too() -> None:
    straight = make_chain()
    zero = np.array([[1.0, 0.0, 0.0, 0.0], [0.9988, 0.0, 0.0, 0.049], [0.9995, 0.0, 0.03, 0.0]])
    skewed = Chain(
        straight.offsets + np.array([[0.0005, 0.0002, 0.0], [-0.0003, 0.0, 0.0], [0.0002, 0.0001, 0.0]]),
        zero / np.linalg.norm(zero, axis=1, keepdims=True),
        straight.limits,
    )
    reached = 0
    for pose in random_poses(skewed, 100, seed=9):
        result = solve(skewed, tip_of(skewed, pose))
        miss = np.linalg.norm(tip_of(skewed, result.angles) - tip_of(skewed, pose))
        assert miss == pytest.approx(result.residual, abs=1e-9)
        assert keeps_limits(skewed, result.angles)
        reached += result.converged
    assert reached >= 95


def test_twist_that_the_base_may_take_extends_the_reach() -> None:
    limits = make_chain().limits.copy()
    limits[0, 1] = np.radians([-5.0, 5.0])
    limits[0, 2] = np.radians([-30.0, 30.0])
    chain = Chain(make_chain().offsets, make_chain().zero, limits)
    pose = np.zeros((3, 3))
    pose[:, 0], pose[0, 2] = np.radians([20.0, 60.0, 40.0]), math.radians(15.0)
    result = solve(chain, tip_of(chain, pose))
    assert result.converged
    assert result.angles[0, 2] != 0.0


@pytest.mark.parametrize("target", [(math.nan, 0.0, 0.0), (0.0, math.inf, 0.0), (0.0, 0.0), ((0.0, 0.0, 0.0),)])
def test_a_target_that_is_no_point_is_a_named_error(target) -> None:
    with pytest.raises(ChainError):
        solve(make_chain(), target)


@pytest.mark.parametrize("target", [(0.0, 0.0, 0.0), (1e-300, 0.0, 0.0), (1e200, -1e200, 3.0), (0.05, 0.0, 0.0)])
def test_hard_targets_give_finite_results(target: tuple[float, float, float]) -> None:
    chain = make_chain()
    result = solve(chain, target)
    assert not result.converged
    assert np.isfinite(result.angles).all()
    assert math.isfinite(result.residual)
    assert keeps_limits(chain, result.angles)


def test_bad_chains_and_options_are_named_errors() -> None:
    with pytest.raises(ChainError, match="no length"):
        make_chain((0.04, 0.0, 0.02))
    with pytest.raises(ChainError, match="lower limit"):
        make_chain(limits_deg=((90.0, 0.0), *LIMITS_DEG[1:]))
    with pytest.raises(ChainError, match="length 0"):
        solve(make_chain(zero=(0.0, 0.0, 0.0, 0.0)), (0.0, 0.0, 0.05))
    with pytest.raises(ChainError, match="DIP follows PIP"):
        build_finger(
            make_chain(limits_deg=(*LIMITS_DEG[:2], (0.0, 20.0), (60.0, 80.0))), ClosedFormOptions(exact_coupling=True)
        )
    for theta_u in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(OptionsError, match="theta_u"):
            ClosedFormOptions(theta_u=theta_u)
    with pytest.raises(OptionsError, match="coupling"):
        ClosedFormOptions(coupling=-1.0)
    with pytest.raises(OptionsError, match="tolerance"):
        ClosedFormOptions(tolerance=0.0)
