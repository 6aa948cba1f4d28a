# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of Duits 2015: tables 2 to 4, the formulas, the gradient descent."""

from __future__ import annotations

import math

import numpy as np
import pytest

from addon.solvers import closed_form_reference as reference

# Buryanov and Kotiuk 2010 in mm: mean and SD of proximal, middle, distal phalanx and soft tissue.
LENGTHS = {
    "index": ((39.78, 4.94), (22.38, 2.51), (15.82, 2.26), (3.84, 0.59)),
    "middle": ((44.63, 3.81), (26.33, 3.00), (17.40, 1.85), (3.95, 0.61)),
    "ring": ((41.37, 3.87), (25.65, 3.29), (17.30, 2.22), (3.95, 0.60)),
}
# Tables 2, 3, 4: mean and SD of the error of PIP and of DIP in mm for each total angle in units of pi.
ANGLES = (1 / 2, 2 / 3, 5 / 6, 11 / 12, 1.0, 13 / 12, 7 / 6)
TABLES = {
    "index": ((0.405, 0.292, 0.200, 0.221, 0.385, 0.702, 1.192), (0.441, 0.322, 0.242, 0.286, 0.493, 0.891, 1.536)),
    "middle": ((0.486, 0.350, 0.238, 0.261, 0.424, 0.759, 1.264), (0.526, 0.383, 0.285, 0.335, 0.545, 0.958, 1.611)),
    "ring": ((0.419, 0.295, 0.206, 0.226, 0.372, 0.645, 1.090), (0.456, 0.325, 0.249, 0.291, 0.477, 0.812, 1.383)),
}
SPREADS = {
    "index": ((0.648, 0.501, 0.242, 0.129, 0.187, 0.440, 0.873), (0.663, 0.509, 0.243, 0.154, 0.223, 0.485, 0.968)),
    "middle": ((0.743, 0.563, 0.267, 0.136, 0.188, 0.411, 0.857), (0.757, 0.570, 0.263, 0.156, 0.223, 0.437, 0.915)),
    "ring": ((0.620, 0.463, 0.219, 0.114, 0.163, 0.346, 0.746), (0.634, 0.470, 0.218, 0.136, 0.194, 0.369, 0.806)),
}

FOLDED = 0.6 * math.pi
"""PIP at which PIP and DIP together turn by pi (Eq. 7)."""
SHORTEST = float(reference.coupled_distance(np.array([39.78, 22.38, 15.82]), np.array(FOLDED)))
"""Distance in [mm] of the folded mean index finger, bones alone: 27.3."""


def sample(finger: str, fingers: int, distances: int, *, shortest: float = 0.0):
    rng = np.random.default_rng(2015)
    pp, ip, dp, tissue = (rng.normal(mean, sd, fingers) for mean, sd in LENGTHS[finger])
    lengths = np.stack([pp, ip, dp + tissue], axis=-1)[:, None, :]
    near = np.maximum(reference.coupled_distance(lengths, np.array(FOLDED)), shortest)
    return lengths, near + (lengths.sum(axis=-1) - near) * rng.uniform(size=(fingers, distances))


def deviations(finger: str, *, shortest: float) -> dict[float, tuple[np.ndarray, np.ndarray]]:
    """How far means and SDs of PIP and DIP errors are above the table's, relatively, by total angle in units of pi."""
    lengths, distance = sample(finger, 3000, 40, shortest=shortest)
    exact = reference.exact_bends(lengths, distance)
    found = {}
    for total, *printed in zip(ANGLES, *TABLES[finger], *SPREADS[finger], strict=True):
        published = reference.published_bends(lengths, distance, total * math.pi)
        errors = reference.joint_offsets(lengths, published, exact)
        if total >= 11 / 12:
            assert not np.isnan(errors[0]).any()  # Section 5.2: no such anchor leaves a finger without a solution.
        means, spreads = [np.nanmean(each) for each in errors], [np.nanstd(each) for each in errors]
        found[total] = np.array(means) / printed[:2] - 1.0, np.array(spreads) / printed[2:] - 1.0
    return found


@pytest.mark.parametrize("finger", TABLES)
def test_tables_2_to_4_means_and_spreads_of_pip_and_dip_errors(finger: str) -> None:
    """Means within 5 % at 11/12 pi and pi and within 12 % elsewhere, SDs within 10 %: one shortest distance for all.

    The paper says that distances are random and end at a finger that turns by pi. Read for every finger alone, that
    gives too much at small anchors, where nearly all of the error lies near the folded finger (see the next test):
    means by up to 10, SDs by up to 16 %. The excess goes by size: middle 3, ring 4, index 10, little 60 %, which is
    what comes of a shortest distance in millimetres that is the same for all fingers. Fitted to one table at a time it
    is 27 (index), 28 (middle), 27 (ring) and 26 mm (little). The one taken here is that of the mean index finger, the
    first of the four, before soft tissue is added, 27.3 mm; that the authors took it from there is a guess. Table 5
    then is off by -30 to 6 %, without it by -9 to 63 %.

    1000 fingers with 100 distances each, mean and SD of 12 seeds in per cent, for PIP at 1/2, 2/3, 5/6, 11/12, 1, 13/12
    and 7/6 pi; DIP is off by the same to 1 %:

        index   -7.6 1.5  -9.4 1.5  -3.9 1.3   2.4 0.9  -0.3 0.7  -4.5 0.9  -6.3 1.0
        middle  -0.9 0.8  -2.0 0.9   0.7 0.8  -0.2 0.5  -0.6 0.5  -1.2 0.6  -0.9 0.7
        ring    -4.1 1.0  -4.0 1.0  -2.4 0.9  -0.2 0.6  -1.3 0.5  -1.7 0.6  -4.5 0.8
    """
    for total, (means, spreads) in deviations(finger, shortest=SHORTEST).items():
        assert np.abs(means).max() < (0.05 if total in (11 / 12, 1.0) else 0.12)
        assert np.abs(spreads).max() < 0.10


@pytest.mark.parametrize("finger", TABLES)
def test_tables_2_to_4_with_every_finger_folded_as_far_as_it_goes(finger: str) -> None:
    """The same bars for means, but for one row: table 2, the index, at 11/12 pi.

    With 1000 fingers and 1000 distances each, once, per cent for PIP / DIP:

        index    9.0/ 8.0   8.6/ 7.4  10.1/ 8.2   6.2/ 4.9  -1.9/-1.4  -2.3/-2.6  -2.2/-2.9
        middle   1.7/ 1.6   0.8/ 0.7   3.2/ 2.8   0.9/ 0.5  -0.8/-0.8  -0.9/-0.9  -0.4/-0.6
        ring     3.2/ 2.8   4.1/ 3.5   4.0/ 2.9   2.0/ 1.3  -2.0/-1.8  -0.5/-0.6  -2.5/-3.0

    That row is no chance: means of 1000 fingers have an SD of 0.8 %, so the table's is eight of them away, and of 80
    seeds one came within 5 % for PIP and 25 for DIP, while its largest error (2.54 mm) is an ordinary one. Normal
    deviates cut at 2, 2.5 or 3 deviations gave 5.2, 6.1 and 6.4 %, a tissue without deviation 6.5 %, whole millimetres
    6.4 %, leaving out fingers that some anchor does not solve 5.5 %; other lengths of the bones fit no better.
    """
    for total, (means, _) in deviations(finger, shortest=0.0).items():
        tolerance = 0.05 if total in (11 / 12, 1.0) else 0.12
        tolerance = 0.085 if (finger, total) == ("index", 11 / 12) else tolerance
        assert np.abs(means).max() < tolerance


def test_below_11_12_pi_some_index_fingers_have_no_solution() -> None:
    lengths, distance = sample("index", 2000, 60)
    assert np.isnan(reference.published_bends(lengths, distance, 0.5 * math.pi).dip).any()


def test_equation_15_and_not_line_9_of_the_pseudocode_puts_the_tip_at_the_distance() -> None:
    lengths, distance = sample("middle", 50, 20)
    pp, ip, dp = np.moveaxis(lengths, -1, 0)
    pip, dip = reference.published_bends(lengths, distance, math.pi)
    tip = pp + ip * np.exp(1j * pip) + dp * np.exp(1j * (pip + dip))
    assert np.abs(np.abs(tip) - distance).max() < 1e-12
    wrong = pp + ip * np.exp(1j * pip) + dp * np.exp(1j * (pip + math.pi - dip))
    assert np.abs(np.abs(wrong) - distance).max() > 1.0


def test_exact_ratio_and_gradient_descent_find_the_same_pose() -> None:
    finger = reference.build_plain(39.78, 22.38, 19.66, math.pi)
    lengths = np.array([39.78, 22.38, 19.66])
    for distance in np.linspace(40.0, 81.0, 12):
        exact = reference.exact_bends(lengths, np.array([distance]))
        assert reference.coupled_distance(lengths, exact.pip) == pytest.approx(distance, abs=1e-10)
        pip, dip = reference.descend_bend(finger, distance)
        assert float(reference.coupled_distance(lengths, np.array(pip))) == pytest.approx(distance, abs=1.01e-4)
        assert dip == pytest.approx(2.0 / 3.0 * pip)
        assert pip == pytest.approx(float(exact.pip[0]), abs=1e-4)


def test_scalar_and_vectorised_published_method_agree() -> None:
    lengths, distance = sample("ring", 20, 20)
    vectors = reference.published_bends(lengths, distance, 11 / 12 * math.pi)
    for row in range(20):
        pp, ip, dp = lengths[row, 0].tolist()
        finger = reference.build_plain(pp, ip, dp, 11 / 12 * math.pi)
        for column in range(20):
            pip, dip = reference.plain_bend(finger, distance[row, column])
            assert (pip, dip) == pytest.approx((vectors.pip[row, column], vectors.dip[row, column]), abs=1e-9)


@pytest.mark.parametrize("distance", [0.0, 90.0, math.nan, -1.0])
def test_distances_without_an_answer_are_nan_and_no_exception(distance: float) -> None:
    finger = reference.build_plain(39.78, 22.38, 19.66, math.pi)
    assert all(math.isnan(angle) for angle in reference.plain_bend(finger, distance))
