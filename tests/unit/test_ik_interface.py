# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every solver through the one interface: what comes out, limits, and bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bartelink_models import excess, index_finger, straight_chain

from addon.core.rotations import matrix_from_quaternion, rotation_from_angles
from addon.solvers.ccd import CcdOptions
from addon.solvers.chain import Chain, ChainError, IkResult
from addon.solvers.closed_form import ClosedFormOptions
from addon.solvers.contact_ik import ContactOptions
from addon.solvers.dls import DlsOptions
from addon.solvers.finger import UnsupportedChainError
from addon.solvers.ik import Options, solve
from addon.solvers.linkage.responses import RESPONSES
from addon.solvers.table import TableOptions

REASONS = {"reached", "out of reach", "limits", "stalled", "iterations"}
WAYS: dict[str, Options | None] = {
    "default": None,
    "closed form 11/12 pi": ClosedFormOptions(),
    "closed form pi": ClosedFormOptions(theta_u=math.pi),
    "DLS": DlsOptions(),
    "transpose": DlsOptions(method="transpose", max_iterations=400),
    "pseudo-inverse": DlsOptions(method="pseudo-inverse"),
    "null space": DlsOptions(rest=np.zeros((3, 3))),
    "CCD": CcdOptions(),
    "coupled table": TableOptions(),
    "free table": TableOptions(coupled=False),
    **{f"response {name}": ContactOptions(response=name) for name in RESPONSES},
}


def tip_of(chain: Chain, angles: np.ndarray) -> np.ndarray:
    frame, tip = np.eye(3), np.zeros(3)
    turns = matrix_from_quaternion(chain.zero) @ rotation_from_angles(angles)
    for turn, offset in zip(turns, chain.offsets, strict=True):
        frame = frame @ turn
        tip = tip + frame @ offset
    return tip


BESIDE = tuple(tip_of(index_finger(), np.radians([[30.0, 6.0, 0.0], [45.0, 0.0, 0.0], [30.0, 0.0, 0.0]])).tolist())
"""A point that the index finger reaches with DIP at 2/3 of PIP."""


def assert_honest(chain: Chain, target: object, found: IkResult) -> None:
    """The numbers of a result are those of its pose, which keeps all limits."""
    assert found.angles.shape == found.limits_touched.shape == (len(chain.offsets), 3)
    assert np.isfinite(found.angles).all()
    assert excess(chain, found.angles) <= 1e-6
    miss = float(np.linalg.norm(tip_of(chain, found.angles) - np.asarray(target)))
    assert found.residual == pytest.approx(miss, abs=1e-6 + 1e-6 * miss)
    assert found.reason in REASONS
    assert found.converged == (found.reason == "reached")
    assert found.iterations >= 0
    span = chain.limits[..., 1] - chain.limits[..., 0]
    near = np.minimum(np.abs(found.angles - chain.limits[..., 0]), np.abs(found.angles - chain.limits[..., 1]))
    # What is told to lie on a limit does, and what lies well within is not told.
    assert (near[found.limits_touched & (span > 1e-3)] < 1e-3).all()
    assert not found.limits_touched[(near > 1e-2) & (span > 0.1)].any()


@pytest.mark.parametrize("way", WAYS)
def test_a_reachable_point_is_reached(way: str) -> None:
    chain = index_finger()
    found = solve(chain, BESIDE, WAYS[way])
    assert_honest(chain, BESIDE, found)
    assert found.converged
    assert found.residual <= 1.01e-4


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("target", [(0, 0, 0.2), (0, 0.07, 0), (0, 0, 0), (0, -1e-12, 1e-12), (1e6, 0, 0)])
def test_what_cannot_be_reached_is_a_result(way: str, target: tuple[float, float, float]) -> None:
    """Beyond the finger, behind its limits, at its own base, and at the end of the world."""
    chain = index_finger()
    found = solve(chain, target, WAYS[way])
    assert_honest(chain, target, found)
    assert not found.converged
    assert found.reason == "out of reach" or np.linalg.norm(target) <= chain.reach


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_targets_that_are_no_points_are_refused(way: str, bad: float) -> None:
    for place in range(3):
        target = list(BESIDE)
        target[place] = bad
        with pytest.raises(ChainError):
            solve(index_finger(), target, WAYS[way])
    for shape in ((2,), (4,), (1, 3), ()):
        with pytest.raises(ChainError):
            solve(index_finger(), np.zeros(shape), WAYS[way])


@pytest.mark.parametrize("way", [way for way in WAYS if way != "null space"])
def test_one_bone(way: str) -> None:
    chain = straight_chain((0.05,), np.array([[[-1.5, 1.5], [-0.5, 0.5], [0.0, 0.0]]]))
    on, off = (0.0, -0.03, 0.04), (0.0, 0.0, 0.02)
    if isinstance(WAYS[way], TableOptions):
        with pytest.raises(UnsupportedChainError):
            solve(chain, on, WAYS[way])
        return
    found = solve(chain, on, WAYS[way])
    assert_honest(chain, on, found)
    assert found.converged
    found = solve(chain, off, WAYS[way])
    assert_honest(chain, off, found)
    assert not found.converged
    if not way.startswith(("CCD", "transpose")):
        assert found.residual == pytest.approx(0.03, abs=1e-4)


def test_longer_chains_and_orientations_go_to_the_iterative_solvers() -> None:
    limits = np.zeros((4, 3, 2))
    limits[:, 0], limits[0, 1] = (0.0, 1.5), (-0.3, 0.3)
    longer = straight_chain((0.04, 0.02, 0.02, 0.02), limits)
    found = solve(longer, (0.005, -0.04, 0.05))
    assert found.converged
    assert found.iterations > 0
    with pytest.raises(UnsupportedChainError):
        solve(longer, BESIDE, ClosedFormOptions())
    turned = solve(straight_chain((0.15, 0.3, 0.25)), [0.2, 0.1, 0.4, 1.0, 0.0, 0.0, 0.0])
    assert turned.converged
    assert turned.rotation_residual <= 1e-3
    for options in (ClosedFormOptions(), TableOptions()):
        with pytest.raises(ChainError, match="position only"):
            solve(index_finger(), [*BESIDE, 1.0, 0.0, 0.0, 0.0], options)


def test_chains_that_are_none_have_no_solver() -> None:
    good = index_finger()
    flat = np.array(good.offsets)
    flat[1] = 0.0
    with pytest.raises(ChainError, match="no length"):
        Chain(flat, good.zero, good.limits)
    crossed = np.array(good.limits)
    crossed[1, 0] = crossed[1, 0, ::-1] + [0.1, 0.0]
    with pytest.raises(ChainError, match="lower limit"):
        Chain(good.offsets, good.zero, crossed)
    with pytest.raises(ChainError):
        Chain(np.zeros((0, 3)), np.zeros((0, 4)), np.zeros((0, 3, 2)))
