# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Table IK: forward kinematics with hidden links, distances and tables of Lu 1997 as corrected.

Numbers in brackets are those of the list of acceptance vectors for the thesis: l = 45.8, 20.1, 20.0; r = 9, 7 mm.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from addon.core.arrays import FloatArray
from addon.solvers.chain import ChainError
from addon.solvers.distance_table import BranchTable, build_bins, build_branches
from addon.solvers.dorsal_finger import DorsalFinger, DorsalThumb

MM = 1e-3
RHO = 2.0 / 3.0


def make_finger(r_mcp: float = 0.0, r_pip: float = 9.0, r_dip: float = 7.0) -> DorsalFinger:
    return DorsalFinger(MM * np.array([45.8, 20.1, 20.0]), MM * np.array([r_mcp, r_pip, r_dip]))


def make_table(r_mcp: float = 0.0, pip_deg: tuple[float, float] = (0.0, 90.0)) -> BranchTable:
    low, high = np.radians(pip_deg).tolist()
    return build_branches(make_finger(r_mcp), ratio=RHO, pip_limits=(low, high))


@pytest.mark.parametrize(
    ("pose_deg", "x_mm", "y_mm", "d_mm", "beta_deg"),
    [
        ((0.0, 0.0, 0.0), 85.9, 0.0, 85.9, 0.0),
        ((30.0, 40.0, 26.6667), 48.5488, 69.5754, 84.8394, 25.0932),
        ((60.0, 60.0, 40.0), -9.6119, 75.9893, 76.5948, 37.2091),
        ((-10.0, 20.0, 13.3333), 87.9458, 3.9250, 88.0334, 12.5554),
        ((10.0, 90.0, 60.0), 25.6209, 50.3765, 56.5175, 53.0426),
    ],
)
def test_forward_kinematics_vectors(pose_deg, x_mm: float, y_mm: float, d_mm: float, beta_deg: float) -> None:
    flexion, pip, dip = np.radians(pose_deg)
    x, y = make_finger().tip(pip, dip)
    turned = complex(x, y) * complex(math.cos(flexion), math.sin(flexion)) / MM
    assert (turned.real, turned.imag, abs(turned)) == pytest.approx((x_mm, y_mm, d_mm), abs=1e-3)
    assert math.degrees(math.atan2(y, x)) == pytest.approx(beta_deg, abs=1e-3)


@pytest.mark.parametrize(
    ("pip_deg", "d_mm"),
    [
        (0, 85.9),
        (10, 87.6314),
        (20, 88.0334),
        (30, 87.0961),
        (45, 83.2306),
        (60, 76.5948),
        (75, 67.5277),
        (90, 56.5175),
    ],
)
def test_coupled_distance_vectors(pip_deg: float, d_mm: float) -> None:
    pip = np.array(math.radians(pip_deg))
    assert make_finger().distance(pip, RHO * pip) / MM == pytest.approx(d_mm, abs=1e-4)


def test_hidden_links_equal_pins_below_the_skin() -> None:
    """[2] 2000 random poses of the dorsal chain against a skeleton of joint centres."""
    rng = np.random.default_rng(2)
    pip, dip = rng.uniform(0.0, 1.7, (2, 2000))
    finger = make_finger()
    (l1, l2, l3), (_, r1, r2) = finger.lengths, finger.radii
    unit = [np.exp(1j * angle) for angle in (0.0 * pip, pip, pip + dip)]
    first = l1 * unit[0] + 1j * r1 * unit[0]  # A dorsal normal is -i, so a centre lies +i r below the line.
    second = first - 1j * r1 * unit[1] + l2 * unit[1] + 1j * r2 * unit[1]
    tip = second - 1j * r2 * unit[2] + l3 * unit[2]
    x, y = finger.tip(pip, dip)
    assert np.abs(tip - (x + 1j * y)).max() < 1e-12


@pytest.mark.parametrize(
    ("r_pip", "r_dip", "d_mm"), [(7, 6, 87.3373), (9, 7, 88.0648), (10, 8, 88.6189), (12, 10, 89.9059)]
)
def test_largest_distance(r_pip: float, r_dip: float, d_mm: float) -> None:
    """[3] The formula, its vectors, and a search."""
    finger = make_finger(r_pip=r_pip, r_dip=r_dip)
    distance, pip, dip = finger.farthest()
    assert distance / MM == pytest.approx(d_mm, abs=1e-4)
    assert finger.distance(np.array(pip), np.array(dip)) == pytest.approx(distance, abs=1e-12)
    around = np.linspace(-0.4, 0.4, 201)
    assert finger.distance(pip + around[:, None], dip + around).max() <= distance + 1e-12


def test_thumb_ip_in_closed_form() -> None:
    """[4] Distances, the roots of D(40 degrees) and the turning point of a thumb 32/28 mm with radius 9."""
    thumb = DorsalThumb(32 * MM, 28 * MM, 9 * MM)
    expected = {0: 60.0, 10: 61.3415, 20: 62.2180, 40: 62.5529, 60: 60.9943, 85: 56.4620}
    for ip_deg, d_mm in expected.items():
        assert math.hypot(*thumb.tip(math.radians(ip_deg))) / MM == pytest.approx(d_mm, abs=1e-4)
    roots = thumb.ip_at(math.hypot(*thumb.tip(math.radians(40.0))))
    assert np.degrees(roots) == pytest.approx([27.055, 40.0], abs=1e-3)
    assert math.degrees(thumb.turning_point) == pytest.approx(33.5275, abs=1e-4)
    for ip_deg in np.linspace(1.0, 85.0, 50):
        ip = math.radians(ip_deg)
        assert min(abs(root - ip) for root in thumb.ip_at(math.hypot(*thumb.tip(ip)))) < math.radians(1e-6)


@pytest.mark.parametrize(
    ("step", "coupled", "pairs", "bins"), [(1.0, False, 6161, 39), (0.1, False, 601601, 373), (0.1, True, 901, 316)]
)
def test_table_sizes(step: float, coupled: bool, pairs: int, bins: int) -> None:
    """[5] Pairs and used bins; a coupled table has no holes."""
    pip = (0.0, math.radians(90.0 if coupled else 100.0))
    dip = None if coupled else (0.0, math.radians(60.0))
    table = build_bins(make_finger(), pip_limits=pip, dip_limits=dip, angle_step=math.radians(step), width=step * MM)
    assert (len(table.pairs), table.used) == (pairs, bins)
    if coupled:
        assert table.used == len(table.starts) - 1


@pytest.mark.parametrize("step", [1.0, 0.1])
def test_binned_distance_is_no_farther_off_than_a_bin(step: float) -> None:
    """[6] The lookup of the thesis, corrected: at most 0.1 mm with p = 0.1 and 1 mm with p = 1."""
    finger = make_finger()
    table = build_bins(
        finger, pip_limits=(0.0, math.radians(90.0)), dip_limits=None, angle_step=math.radians(step), width=step * MM
    )
    for pip in np.linspace(0.0, math.radians(90.0), 100):
        distance = float(finger.distance(pip, RHO * pip))
        found = table.pairs_at(distance)
        assert np.abs(finger.distance(found[:, 0], found[:, 1]) - distance).max() <= step * MM


@pytest.mark.parametrize(("r_mcp", "turning_deg", "ambiguous_deg"), [(0.0, 18.0, 36.0), (10.0, 9.75, 19.5)])
def test_turning_point(r_mcp: float, turning_deg: float, ambiguous_deg: float) -> None:
    """[7] Where the distance turns, and below which PIP it is two-valued."""
    table = make_table(r_mcp)
    assert math.degrees(table.turning_point) == pytest.approx(turning_deg, abs=0.05)
    for pip_deg, ambiguous in ((ambiguous_deg - 0.1, True), (ambiguous_deg + 0.1, False)):
        pip = np.array(math.radians(pip_deg))
        assert table.is_ambiguous(float(table.finger.distance(pip, RHO * pip))) is ambiguous


@pytest.mark.parametrize(
    ("d_mm", "pip_deg", "dip_deg"), [(95, 18.0, 12.0), (500, 18.0, 12.0), (0.5, 90, 60), (30, 90, 60)]
)
def test_distances_out_of_range_are_clamped(d_mm: float, pip_deg: float, dip_deg: float) -> None:
    """[11] Beyond the farthest: the turning point; too close: the most flexed pose."""
    table = make_table()
    for pip in table.pips_at(d_mm * MM):
        assert math.degrees(pip) == pytest.approx(pip_deg, abs=0.05)
        assert math.degrees(table.dip(pip)) == pytest.approx(dip_deg, abs=0.05)


def test_branches_sampled_in_the_root_of_the_distance_are_exact_near_the_turn() -> None:
    """Sampling evenly in sqrt(D_max - D): 512 samples give angles to 1e-3 degrees on both branches."""
    table = make_table()
    for pip in np.radians(np.linspace(0.1, 89.9, 500)):
        distance = float(table.finger.distance(pip, RHO * pip))
        assert min(abs(found - pip) for found in table.pips_at(distance)) < math.radians(1e-3)


def track(table: BranchTable, pips: FloatArray, *, velocity: bool) -> float:
    """Largest error of PIP in degrees when every frame breaks its ties by the ones before."""
    previous, earlier, worst = pips[0], pips[0], 0.0
    for pip in pips:
        expected = 2.0 * previous - earlier if velocity else previous
        found = table.pips_at(float(table.finger.distance(pip, RHO * pip)))
        earlier, previous = previous, min(found, key=lambda root: abs(root - expected))
        worst = max(worst, abs(previous - pip))
    return math.degrees(worst)


@pytest.mark.parametrize(("r_mcp", "bounce_deg"), [(0.0, 35.99), (10.0, 19.49)])
def test_velocity_crosses_the_turning_point_where_the_previous_frame_bounces(r_mcp: float, bounce_deg: float) -> None:
    """[13] PIP ramp 0 to 60 and back in 180 frames; the thesis's own rule fails by exactly the mirrored branch."""
    ramp = np.radians(60.0 * (1.0 - np.abs(np.linspace(-1.0, 1.0, 180))))
    assert track(make_table(r_mcp), ramp, velocity=True) <= 0.1
    assert track(make_table(r_mcp), ramp, velocity=False) == pytest.approx(bounce_deg, abs=0.6)


def test_malformed_digits_are_named_errors() -> None:
    with pytest.raises(ChainError):
        DorsalFinger(np.array([0.04, 0.0, 0.02]), np.zeros(3))
    with pytest.raises(ChainError):
        DorsalFinger(np.array([0.04, 0.02, 0.02]), np.array([0.0, -0.01, 0.0]))
    with pytest.raises(ChainError):
        DorsalThumb(0.03, math.nan, 0.0)
    with pytest.raises(ChainError, match="nothing to tabulate"):
        build_branches(make_finger(), ratio=RHO, pip_limits=(1.0, 1.0))
