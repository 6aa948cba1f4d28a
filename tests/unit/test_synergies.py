# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Postural synergies and random natural postures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from addon.hands.model import HandModel
from addon.hands.poses import pose_angles
from addon.hands.posture import follow, neighbour_excess
from addon.hands.random_poses import in_own_way, random_posture, settle
from addon.hands.synergies import hand_synergies, synergy_posture, synergy_values
from addon.presets.poses import load_poses
from addon.presets.synergies import SHOWN, load_synergies, parse_synergies
from addon.presets.toml import PresetError
from tests.unit.closing_hands import demo_model

VARIANTS = ("human", "cartoon", "six_finger", "gripper_2", "gripper_3")
CHECKOUT = Path(__file__).resolve().parents[2]


def within(model: HandModel, angles: np.ndarray) -> bool:
    ranges = model.limits.ranges
    return bool((angles >= ranges[..., 0] - 1e-9).all() and (angles <= ranges[..., 1] + 1e-9).all())


def test_the_stored_basis_is_what_the_script_derives_from_the_present_postures(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, 'scripts'); from pathlib import Path; import derive_synergies as d; "
        f"d.PATH = Path({str(tmp_path / 'basis.toml')!r}); d.main()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=True, capture_output=True)
    stored = CHECKOUT / "addon" / "presets" / "synergies" / "basis.toml"
    assert (tmp_path / "basis.toml").read_text() == stored.read_text(), "run scripts/derive_synergies.py"


def test_directions_are_principal_components() -> None:
    basis = load_synergies()
    rows = np.array(
        [
            [value for each in synergy.fingers.values() for value in (*each.flexion_deg, *each.abduction_deg)]
            for synergy in basis.synergies
        ]
    )
    lengths = np.linalg.norm(rows, axis=1)
    products = (rows / lengths[:, None]) @ (rows / lengths[:, None]).T
    assert products == pytest.approx(np.eye(len(rows)), abs=2e-3)
    shares = np.array([each.share for each in basis.synergies])
    assert (np.diff(shares) < 0.0).all()
    # A component's share of the variance goes with the square of its deviation.
    assert lengths**2 / lengths[0] ** 2 == pytest.approx(shares / shares[0], rel=5e-3)
    assert 0.5 < shares[:SHOWN].sum() <= 1.0


@pytest.mark.parametrize("variant", VARIANTS)
def test_few_numbers_make_a_posture_within_limits_and_come_back(variant: str) -> None:
    model = demo_model(variant)
    synergies = hand_synergies(model, load_synergies())
    wide = synergy_posture(model, synergies, np.random.default_rng(0).normal(size=(50, SHOWN), scale=3.0))
    assert all(within(model, each) for each in wide)
    if variant == "human":
        values = np.array([0.3, -0.2, 0.25])
        shown = synergy_values(synergies, synergy_posture(model, synergies, values), SHOWN)
        assert shown == pytest.approx(values, abs=0.02)
    assert synergy_values(synergies, synergies.mean, SHOWN) == pytest.approx(np.zeros(SHOWN), abs=1e-9)


def test_more_synergies_come_nearer_to_every_pose() -> None:
    model = demo_model()
    synergies = hand_synergies(model, load_synergies())
    for pose in load_poses().values():
        angles = pose_angles(model, pose)
        off = []
        for count in range(1, len(synergies.directions) + 1):
            values = synergy_values(synergies, angles, count)
            made = synergies.mean + np.einsum("k,kmc->mc", values, synergies.directions[:count])
            off.append(float(np.linalg.norm(made - angles)))
        assert (np.diff(off) <= 1e-9).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_postures_keep_limits_couplings_and_out_of_their_own_way(variant: str) -> None:
    model = demo_model(variant)
    synergies = hand_synergies(model, load_synergies())
    rng = np.random.default_rng(7)
    found = np.array([random_posture(model, synergies, rng, amount=1.5) for _ in range(60)])
    for angles in found:
        assert within(model, angles)
        assert neighbour_excess(model, angles).max(initial=0.0) < 1e-9
        assert follow(model, angles) == pytest.approx(angles, abs=1e-12)
        assert not in_own_way(model, angles)
    # They differ: in every finger, by more than a few degrees.
    for finger in model.fingers:
        assert np.degrees(found[:, model.joints(finger)[0], 0].std()) > 3.0, finger


def test_the_same_seed_gives_the_same_posture_and_no_amount_the_mean() -> None:
    model = demo_model()
    synergies = hand_synergies(model, load_synergies())
    first, second = (random_posture(model, synergies, np.random.default_rng(3)) for _ in range(2))
    assert (first == second).all()
    other = random_posture(model, synergies, np.random.default_rng(4))
    assert np.abs(first - other).max() > 0.1
    still = random_posture(model, synergies, np.random.default_rng(3), amount=0.0)
    assert still == pytest.approx(settle(model, synergies.mean), abs=1e-12)


def test_a_fist_through_the_thumb_is_in_its_own_way() -> None:
    model = demo_model()
    open_hand = pose_angles(model, load_poses()["spread"])
    assert not in_own_way(model, open_hand)
    crossed = np.array(open_hand)
    for finger in ("index", "middle", "ring", "pinky"):
        crossed[model.joints(finger), 0] = np.radians([60.0, 60.0, 30.0])
    crossed[model.joints("thumb"), 0] = np.radians([45.0, 10.0, 0.0])
    crossed[model.joints("thumb")[0], 1] = np.radians(30.0)
    assert in_own_way(model, crossed)


def test_a_damaged_basis_is_refused() -> None:
    header = {"schema_version": 1, "source": "", "license": "", "postures": 3, "mean": {}}
    with pytest.raises(PresetError, match="fewer than"):
        parse_synergies("x", {**header, "synergies": [{"share": 1.0, "fingers": {}}]})
    with pytest.raises(PresetError, match="unknown colour"):
        parse_synergies("x", {**header, "synergies": [], "colour": 1})
    with pytest.raises(PresetError, match="damaged"):
        parse_synergies("x", {**header, "synergies": [{"share": "much", "fingers": {}}]})
