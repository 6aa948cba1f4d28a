# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""More acceptance vectors for Lu 1997, their numbers in brackets: link transforms, gaps, the null space, validation.

[14], [18] and [20] are in `test_marker_calibration.py`, [19] in `tests/blender/test_rigid_skin.py`, [22] in
`tests/blender/test_tip_bake.py`.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from bartelink_models import straight_chain
from test_table_ik import MM, make_finger, make_table
from test_table_ik_solve import index_tip, placed_palm

from addon.core.arrays import FloatArray
from addon.solvers import dls
from addon.solvers.dls import DlsOptions
from addon.solvers.linkage import model
from addon.solvers.linkage.kinematics import effector_position, forward, point_jacobian
from addon.solvers.linkage.steps import damped, pseudo_inverse
from addon.solvers.marker_table import solve_index
from addon.solvers.table import predict


def shift(x: float, z: float = 0.0) -> FloatArray:
    out = np.eye(4)
    out[0, 3], out[2, 3] = x, z
    return out


def turn(axis: int, angle: float) -> FloatArray:
    out, (j, k) = np.eye(4), ((axis + 1) % 3, (axis + 2) % 3)
    out[[j, k], [j, k]] = math.cos(angle)
    out[j, k], out[k, j] = -math.sin(angle), math.sin(angle)
    return out


def test_link_transforms_are_rigid_and_chain_up_to_the_tip() -> None:
    """[1] T = Rx Tx Rz Tz is orthonormal with determinant 1, and five of them make up the dorsal chain."""
    rng = np.random.default_rng(1)
    finger = make_finger()
    (l1, l2, l3), (_, r2, r3) = finger.lengths, finger.radii
    for pip, dip in np.radians(rng.uniform(0.0, 90.0, size=(50, 2))).tolist():
        chain = np.eye(4)
        chords = 2.0 * r2 * math.sin(0.5 * pip), 2.0 * r3 * math.sin(0.5 * dip)
        lengths = (l1, chords[0], l2, chords[1], l3)
        # A hidden link turns by half of its joint's angle before and by the other half after it.
        for length, angle in zip(lengths, (0.5 * pip, 0.5 * pip, 0.5 * dip, 0.5 * dip, 0.0), strict=True):
            link = turn(0, 0.0) @ shift(length) @ turn(2, angle) @ shift(0.0, 0.0)
            assert np.abs(link[:3, :3] @ link[:3, :3].T - np.eye(3)).max() <= 1e-12
            assert np.linalg.det(link[:3, :3]) == pytest.approx(1.0, abs=1e-12)
            chain = chain @ link
        assert chain[:2, 3] == pytest.approx(finger.tip(pip, dip), abs=1e-12)


def test_a_gap_in_the_markers_is_told_and_survived() -> None:
    """[12] 30 frames without markers: not valid, the expected angles stay; the first good frame is right again."""
    table = make_table()
    palm, mcp, _ = placed_palm(np.random.default_rng(12), 1)
    poses = np.radians([[2.0, 20.0 + 0.2 * k, 50.0 + 0.1 * k, (50.0 + 0.1 * k) * 2.0 / 3.0] for k in range(90)])
    expected = poses[0]
    for k, pose in enumerate(poses):
        lost = 30 <= k < 60
        tip = np.full(3, math.nan) if lost else index_tip(table, palm, mcp, pose)
        found = solve_index(table, palm, tip, mcp, expected=expected)
        assert found.valid is not lost
        if lost:
            assert np.array_equal(found.angles, expected)
        else:
            assert np.degrees(found.angles) == pytest.approx(np.degrees(pose), abs=2e-3)
        expected = found.angles
    assert predict(None, None) == (0.0, 0.0, 0.0)


def test_the_null_space_goes_down_and_keeps_the_tip() -> None:
    """[17] H, the squared distance from rest, falls while the tip drifts by less than 1e-4 mm."""
    chain = straight_chain((0.0458, 0.0201, 0.02), np.tile([-1.5, 1.5], (3, 3, 1)))
    start = np.zeros((3, 3))
    start[:, 0] = 0.4, 0.7, 0.5
    linkage = model.from_chain(chain)
    phi = model.logs_from_angles(linkage, start)
    target = effector_position(forward(linkage, phi), model.tip_of(chain))
    rest = np.zeros((3, 3))
    rest[:, 0] = 0.7, 0.2, 0.8
    plain = dls.solve(chain, target, DlsOptions(start=start, tolerance=1e-8))
    pulled = dls.solve(chain, target, DlsOptions(start=start, rest=rest, tolerance=1e-8))
    assert np.square(pulled.angles - rest).sum() < 0.9 * np.square(plain.angles - rest).sum()
    assert pulled.residual < 1e-7


def test_near_the_straight_finger_damping_keeps_steps_small() -> None:
    """[17] PIP at 0.05 degrees: the pseudo-inverse leaps, a damped step stays below a degree."""
    chain = straight_chain((0.0458, 0.0201, 0.02))
    angles = np.zeros((3, 3))
    angles[1, 0] = math.radians(0.05)
    linkage = model.from_chain(chain)
    frames = forward(linkage, model.logs_from_angles(linkage, angles))
    tip = effector_position(frames, model.tip_of(chain))
    J = point_jacobian(linkage, frames, 2, tip)[:, [0, 3, 6]]  # the three flexions
    inward = np.array([0.0, 0.0, -0.5 * MM])
    assert math.degrees(np.abs(pseudo_inverse(J) @ inward).max()) > 20.0
    assert math.degrees(np.abs(damped(J, inward, 0.05 * chain.reach)).max()) < 1.0


def test_the_skin_over_a_joint_opens_by_its_chord() -> None:
    """[19] At 90 degrees a marker line 9 mm above the axis opens by 12.73 mm."""
    finger = make_finger(r_dip=0.0)
    closed = make_finger(r_pip=0.0, r_dip=0.0)
    pip, dip = np.array(0.5 * math.pi), np.array(0.0)
    opened = np.subtract(finger.tip(pip, dip), closed.tip(pip, dip))
    assert np.linalg.norm(opened) / MM == pytest.approx(12.73, abs=0.01)


def test_perfect_markers_validate_to_a_tenth_of_a_millimetre() -> None:
    """[21] The index tip of the angles found is where the marker was, 0.1 mm on average."""
    table, rng = make_table(), np.random.default_rng(21)
    palm, mcp, _ = placed_palm(rng, 1)
    misses = []
    for _ in range(300):
        pip = rng.uniform(20.0, 88.0)
        pose = np.radians([rng.uniform(-12.0, 12.0), rng.uniform(-10.0, 60.0), pip, pip * 2.0 / 3.0])
        tip = index_tip(table, palm, mcp, pose)
        found = solve_index(table, palm, tip, mcp, expected=pose)
        misses.append(np.linalg.norm(index_tip(table, palm, mcp, found.angles) - tip) / MM)
    assert np.mean(misses) < 0.1
