# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Damped least squares on what no solver can reach or read: a result that says so, or an error with a name."""

from __future__ import annotations

import numpy as np
import pytest
from bartelink_models import X, excess, index_finger, straight_chain
from test_dls import ARM

from addon.core.errors import PrehendError, ShapeError, UnknownChoiceError
from addon.solvers import dls
from addon.solvers.chain import Chain, ChainError
from addon.solvers.dls import DlsOptions
from addon.solvers.linkage.coordinates import Coupling
from addon.solvers.linkage.limits import HingeLimit


def test_reasons() -> None:
    chain = index_finger()
    assert dls.solve(chain, [0.0, 0.0, 0.2]).reason == "out of reach"
    assert dls.solve(chain, [0.0, 0.06, 0.0]).reason == "limits"
    assert dls.solve(ARM, [0.1, 0.2, 0.3], DlsOptions(max_iterations=1, restarts=0)).reason == "iterations"


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_target_that_is_no_number_is_refused(bad: float) -> None:
    with pytest.raises(ChainError, match="finite"):
        dls.solve(index_finger(), [0.0, bad, 0.05])


@pytest.mark.parametrize("target", [[0.1, 0.2], [[0.1, 0.2, 0.3]], [0.0] * 7])
def test_a_target_of_another_shape_is_refused(target: object) -> None:
    with pytest.raises(ChainError):
        dls.solve(index_finger(), target)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        DlsOptions(start=np.full((3, 3), np.nan)),
        DlsOptions(start=np.zeros((2, 3))),
        DlsOptions(limits=(HingeLimit(axis=X, low=0.0, high=1.0),)),
        DlsOptions(orientation_joints=(True,)),
        DlsOptions(couplings=(Coupling(driver=0, driven=2, ratio=1.0),)),
        DlsOptions(couplings=(Coupling(driver=1, driven=7, ratio=1.0),)),
        DlsOptions(couplings=(Coupling(driver=1, driven=2, ratio=0.0),)),
        DlsOptions(method="guess"),
        DlsOptions(rest=np.zeros((1, 3))),
    ],
)
def test_options_that_do_not_fit_are_refused(options: DlsOptions) -> None:
    with pytest.raises(PrehendError) as error:
        dls.solve(index_finger(), [0.0, -0.03, 0.05, 1.0, 0.0, 0.0, 0.0], options)
    assert isinstance(error.value, ChainError | ShapeError | UnknownChoiceError)


def test_chains_that_are_none_are_refused() -> None:
    good = index_finger()
    with pytest.raises(ChainError, match="length"):
        Chain(offsets=np.array([[0, 0, 0.04], [0, 0, 0], [0, 0, 0.02]]), zero=good.zero, limits=good.limits)
    with pytest.raises(ChainError, match="limit"):
        Chain(offsets=good.offsets, zero=good.zero, limits=good.limits[..., ::-1] + [[[0.1, 0.0]]])


def test_a_target_at_the_base_is_a_result() -> None:
    found = dls.solve(index_finger(), [0.0, 0.0, 0.0])
    assert not found.converged
    assert np.isfinite(found.angles).all()
    assert excess(index_finger(), found.angles) <= 0.0
    free = dls.solve(
        straight_chain((0.3, 0.3)), [0.0, 0.0, 0.0], DlsOptions(start=np.array([[0.2, 0, 0], [1.0, 0, 0]]))
    )
    assert np.isfinite(free.angles).all()


def test_one_bone() -> None:
    chain = straight_chain((0.05,))
    on, off = dls.solve(chain, [0.03, 0.0, 0.04]), dls.solve(chain, [0.0, 0.0, 0.02])
    assert on.converged
    assert not off.converged
    assert off.residual == pytest.approx(0.03, abs=1e-6)


def test_a_locked_chain_is_a_result() -> None:
    chain = straight_chain((0.05, 0.03), np.zeros((2, 3, 2)))
    found = dls.solve(chain, [0.0, 0.03, 0.05])
    assert not found.converged
    assert (found.angles == 0.0).all()
    assert found.reason == "limits"
