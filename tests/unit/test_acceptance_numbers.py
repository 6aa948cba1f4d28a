# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every numbered acceptance test of the sources has a test that names its number."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def numbers(pattern: str, *, in_name: bool) -> set[int]:
    """Numbers that names or bodies of test functions mention."""
    found: set[int] = set()
    for path in TESTS.rglob("test_*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and (node.name.startswith("test_") or not in_name):
                text = node.name if in_name else ast.get_source_segment(source, node) or ""
                found |= {int(number) for number in re.findall(pattern, text)}
    return found


def test_bartelink_2012_at_1_to_64() -> None:
    assert set(range(1, 65)) <= numbers(r"^test_at(\d+)_", in_name=True)


def test_lu_1997_vectors_1_to_22() -> None:
    files = {"test_table_ik", "test_marker_calibration", "test_rigid_skin", "test_tip_bake"}
    assert {path.stem for path in TESTS.rglob("test_*.py")} >= files
    # [15] is an assertion in the palm that other tests are set up with; brackets after a name are subscripts.
    assert set(range(1, 23)) - {19} <= numbers(r"(?<![\w\])])\[(\d+)\]", in_name=False)
    assert "[19]" in (TESTS / "blender" / "test_rigid_skin.py").read_text(encoding="utf-8")
