# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Products axis by axis are numpy's own, in the precision of what they are made of."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.by_axis import cross, dot, length


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_products_are_numpys(kind: type) -> None:
    one, other = np.random.default_rng(0).normal(size=(2, 50, 3)).astype(kind)
    found = cross(one.T, other.T), dot(one.T, other.T), length(one.T)
    expected = np.cross(one, other).T, np.sum(one * other, axis=1), np.linalg.norm(one, axis=1)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == kind
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
