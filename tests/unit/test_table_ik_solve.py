# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Table IK as a solver: of chains like all others, and of index and thumb from markers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_closed_form import keeps_limits, make_chain, random_poses, tip_of
from test_table_ik import MM, make_table

from addon.core.arrays import FloatArray
from addon.solvers.chain import ChainError
from addon.solvers.distance_table import BranchTable
from addon.solvers.dorsal_finger import DorsalThumb
from addon.solvers.finger import OptionsError, UnsupportedChainError
from addon.solvers.marker_table import PalmFrame, ThumbMarkers, find_palm, solve_index, solve_thumb, thumb_plane
from addon.solvers.table import TableOptions, build_table, look_up, predict, solve


def test_a_coupled_table_reaches_coupled_targets() -> None:
    chain = make_chain()
    options = TableOptions()
    table = build_table(chain, options)
    for pose in random_poses(chain, 300, seed=30, coupled=True):
        result = look_up(chain, table, tip_of(chain, pose), options)
        assert np.linalg.norm(tip_of(chain, result.angles) - tip_of(chain, pose)) <= 5e-7
        assert result.converged
        assert keeps_limits(chain, result.angles)


def test_a_free_table_is_as_good_as_its_bins_and_follows_the_previous_frame() -> None:
    chain = make_chain()
    table = build_table(chain, TableOptions(coupled=False))
    for pose in random_poses(chain, 40, seed=31):
        options = TableOptions(coupled=False, previous=np.array([pose[0, 0], pose[1, 0], pose[2, 0]]))
        result = look_up(chain, table, tip_of(chain, pose), options)
        assert result.converged
        assert np.linalg.norm(tip_of(chain, result.angles) - tip_of(chain, pose)) <= 0.1001 * MM
        assert np.abs(result.angles - pose)[[0, 1, 2], 0].max() < math.radians(8.0)
        assert keeps_limits(chain, result.angles)


def test_unreachable_and_malformed_targets() -> None:
    chain = make_chain()
    result = solve(chain, (0.0, 0.0, 0.2))
    assert not result.converged
    assert result.reason == "out of reach"
    assert result.residual == pytest.approx(0.2 - chain.reach, abs=1e-6)
    assert not solve(chain, (0.0, 0.0, 0.0)).converged
    with pytest.raises(ChainError):
        solve(chain, (math.nan, 0.0, 0.0))
    with pytest.raises(UnsupportedChainError):
        solve(make_chain((0.04, 0.03), ((0.0, 90.0), (-15.0, 15.0), (0.0, 90.0))), (0.0, 0.0, 0.05))
    with pytest.raises(OptionsError):
        TableOptions(previous=np.array([math.nan, 0.0, 0.0]))


def test_prediction_moves_on_as_the_last_frames_did() -> None:
    assert predict(None, None) == (0.0, 0.0, 0.0)
    assert predict(np.array([0.1, 0.2, 0.3]), None) == pytest.approx((0.1, 0.2, 0.3))
    assert predict(np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.3, 0.3])) == pytest.approx((0.2, 0.1, 0.3))


def placed_palm(rng: np.random.Generator, side: int) -> tuple[PalmFrame, FloatArray, FloatArray]:
    """A palm anywhere in space, its index MCP and thumb CMC."""
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    q *= np.sign(np.linalg.det(q))
    base = rng.normal(size=3)
    index_mcp, cmc, ulnar = np.array([0.07, 0, 0]), np.zeros(3), np.array([0.02, 0.0, side * 0.05])
    index_mcp, cmc, ulnar = (base + q @ point for point in (index_mcp, cmc, ulnar))
    palm = find_palm(index_mcp, cmc, ulnar, side=side)
    assert palm.dorsal @ (q @ [0.0, 1.0, 0.0]) > 0.0  # [15] Dorsal for both hands.
    return palm, index_mcp, cmc


def index_tip(table: BranchTable, palm: PalmFrame, mcp: FloatArray, pose: FloatArray) -> FloatArray:
    abduction, flexion, pip, dip = pose
    forward = math.cos(abduction) * palm.ahead + math.sin(abduction) * palm.radial
    x, y = table.finger.tip(pip, dip)
    c, s = math.cos(flexion), math.sin(flexion)
    return mcp - table.finger.radii[0] * palm.dorsal + (c * x - s * y) * forward - (s * x + c * y) * palm.dorsal


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("r_mcp", [0.0, 10.0])
def test_index_markers_round_trip(r_mcp: float, side: int) -> None:
    """[6] Branch table seeded with the truth, random placements, both hands and both bases."""
    rng = np.random.default_rng(33)
    table = make_table(r_mcp)
    for _ in range(300):
        palm, mcp, _ = placed_palm(rng, side)
        pip = rng.uniform(0.0, math.radians(89.0))
        pose = np.array([rng.uniform(-0.25, 0.25), rng.uniform(-0.2, 1.0), pip, 2.0 / 3.0 * pip])
        tip = index_tip(table, palm, mcp, pose)
        found = solve_index(table, palm, tip, mcp, expected=pose)
        assert np.linalg.norm(index_tip(table, palm, mcp, found.angles) - tip) <= 1e-4 * MM
        assert np.abs(found.angles - pose).max() <= math.radians(2e-3)
        assert found.valid
        assert not found.clamped


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("flexion_deg", [-10.0, 0.0, 30.0, 60.0])
@pytest.mark.parametrize("abduction_deg", [-12.0, 12.0])
def test_signs_of_flexion_and_abduction(flexion_deg: float, abduction_deg: float, side: int) -> None:
    """[8] [10] Signs come back, hyper-extension included; a mirrored hand gives the same angles."""
    table = make_table()
    palm, mcp, _ = placed_palm(np.random.default_rng(34), side)
    pose = np.radians([abduction_deg, flexion_deg, 45.0, 30.0])
    found = solve_index(table, palm, index_tip(table, palm, mcp, pose), mcp, expected=pose)
    assert np.degrees(found.angles) == pytest.approx(np.degrees(pose), abs=0.01)


@pytest.mark.parametrize("r_mcp", [0.0, 10.0])
def test_a_fist_whose_tip_lies_behind_the_knuckle(r_mcp: float) -> None:
    """[9] Abduction 5, MCP 80, PIP 90, DIP 60 round-trips to 1e-3 degrees on both bases."""
    table = make_table(r_mcp)
    palm, mcp, _ = placed_palm(np.random.default_rng(35), 1)
    pose = np.radians([5.0, 80.0, 90.0, 60.0])
    found = solve_index(table, palm, index_tip(table, palm, mcp, pose), mcp, expected=pose)
    assert np.degrees(found.angles) == pytest.approx(np.degrees(pose), abs=1e-3)


def test_markers_out_of_range_or_missing() -> None:
    """[11] Far and near tips clamp, with the MCP angles of a target straight ahead; a missing marker is invalid."""
    table = make_table()
    palm, mcp, _ = placed_palm(np.random.default_rng(36), 1)
    for d_mm, pip_deg, mcp_deg in ((95.0, 18.0, -11.3), (500.0, 18.0, -11.3), (30.0, 90.0, -53.0)):
        found = solve_index(table, palm, mcp + d_mm * MM * palm.ahead, mcp, expected=np.zeros(4))
        assert found.clamped
        assert np.degrees(found.angles[1:3]) == pytest.approx([mcp_deg, pip_deg], abs=0.1)
    expected = np.array([0.1, 0.2, 0.3, 0.2])
    lost = solve_index(table, palm, np.full(3, math.nan), mcp, expected=expected)
    assert not lost.valid
    assert np.array_equal(lost.angles, expected)


def test_the_calibration_pose_zeroes_abduction() -> None:
    """[15] The palm's axis runs from CMC, not along the finger; its bias is taken out."""
    table = make_table()
    palm, mcp, _ = placed_palm(np.random.default_rng(37), 1)
    bias = math.radians(17.1)
    straight = index_tip(table, palm, mcp, np.array([bias, 0.0, 0.0, 0.0]))
    found = solve_index(table, palm, straight, mcp, expected=np.zeros(4), zero_abduction=bias)
    assert math.degrees(found.angles[0]) == pytest.approx(0.0, abs=0.01)


def thumb_markers(thumb: DorsalThumb, palm: PalmFrame, index_mcp, cmc, pose, side: int) -> ThumbMarkers:
    t0, t1, t2, t3, t4 = pose
    flat = math.cos(t0) * palm.ahead + math.sin(t0) * palm.radial
    metacarpal = math.cos(t1) * flat - math.sin(t1) * palm.dorsal
    mcp = cmc + 45.0 * MM * metacarpal
    normal = thumb_plane(index_mcp, cmc, mcp, side=side)
    inplane = math.cos(t2) * metacarpal + math.sin(t2) * side * np.cross(normal, metacarpal)
    x, y = thumb.tip(t4)
    c, s = math.cos(t3), math.sin(t3)
    return ThumbMarkers(mcp + (c * x - s * y) * inplane + (s * x + c * y) * normal, index_mcp, cmc, mcp)


@pytest.mark.parametrize("side", [1, -1])
def test_thumb_markers_round_trip(side: int) -> None:
    """[16] The given pose and random ones come back to 1e-6 degrees when seeded with the truth."""
    rng = np.random.default_rng(38)
    thumb = DorsalThumb(32 * MM, 28 * MM, 9 * MM)
    low, high = np.array([10.0, -10.0, -15.0, 0.0, 0.0]), np.array([60.0, 45.0, 15.0, 50.0, 85.0])
    poses = [np.array([40.0, 20.0, 10.0, 20.0, 30.0]), *(rng.uniform(low, high) for _ in range(400))]
    for pose_deg in poses:
        palm, index_mcp, cmc = placed_palm(rng, side)
        pose = np.radians(pose_deg)
        markers = thumb_markers(thumb, palm, index_mcp, cmc, pose, side)
        found = solve_thumb(thumb, palm, markers, expected=pose, side=side)
        # Near the turning point an arccosine doubles the error's order.
        tolerance = 1e-6 if abs(pose[4] - thumb.turning_point) > 0.01 else 1e-4
        assert np.degrees(found.angles) == pytest.approx(pose_deg, abs=tolerance)
        assert found.valid


def test_a_held_normal_carries_a_thumb_that_points_at_the_index() -> None:
    """[16] Two degrees from the degenerate plane, the normal of a frame before is used as it is."""
    thumb = DorsalThumb(32 * MM, 28 * MM, 9 * MM)
    palm, index_mcp, cmc = placed_palm(np.random.default_rng(39), 1)
    pose = np.radians([2.0, 0.0, 5.0, 20.0, 60.0])
    markers = thumb_markers(thumb, palm, index_mcp, cmc, pose, 1)
    normal = thumb_plane(markers.index_mcp, markers.cmc, markers.mcp)
    noisy = markers._replace(index_mcp=index_mcp + 2.0 * MM * palm.dorsal)
    held = solve_thumb(thumb, palm, noisy, expected=pose, normal=normal)
    assert np.degrees(held.angles) == pytest.approx(np.degrees(pose), abs=1e-6)
    loose = solve_thumb(thumb, palm, noisy, expected=pose)
    assert np.degrees(np.abs(loose.angles - pose)).max() > 1.0
    lost = solve_thumb(thumb, palm, markers._replace(tip=np.full(3, math.nan)), expected=pose)
    assert not lost.valid
