# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every numbered acceptance test of the sources has a test that names its number."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
LU_1997 = (
    "unit/test_table_ik.py",
    "unit/test_table_ik_solve.py",
    "unit/test_table_ik_vectors.py",
    "unit/test_marker_calibration.py",
    "blender/test_rigid_skin.py",
    "blender/test_tip_bake.py",
)


def test_bartelink_2012_at_1_to_64() -> None:
    names = [re.findall(r"^def test_at(\d+)_", path.read_text("utf-8"), re.M) for path in TESTS.rglob("test_*.py")]
    assert {int(number) for found in names for number in found} == set(range(1, 65))


def test_lu_1997_vectors_1_to_22() -> None:
    """The numbers stand in brackets at the start of docstrings and in two comments; a subscript has a name before."""
    found: set[int] = set()
    for name in LU_1997:
        source = (TESTS / name).read_text("utf-8")
        # Without the docstring of the module, which says where the others are.
        body = source if name.startswith("blender/") else source.split('"""', 2)[2]
        found |= {int(number) for number in re.findall(r"(?<![\w\])])\[(\d+)\]", body)}
    assert found >= set(range(1, 23))
