# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers of docs/architecture.md, read off the imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ADDON = Path(__file__).resolve().parents[2] / "addon"

PURE = {"core", "solvers", "hands", "shapes", "presets"}
ALLOWED = {
    "core": set(),
    "presets": {"core"},
    "hands": {"core", "presets"},
    "shapes": {"core"},
    "solvers": {"core"},
    "rig": {"core", "hands", "shapes", "compat"},
    "services": {"core", "presets", "hands", "shapes", "solvers", "rig", "compat"},
    "properties": {"core", "presets", "shapes", "solvers", "registration"},
    "operators": {"core", "services", "properties", "preferences", "registration"},
    "panels": {"properties", "registration"},
    "overlays": {"services", "properties", "registration"},
    "preferences": {"properties", "registration"},
    "registration": set(),
    "compat": set(),
    "__init__": {"registration"},
}
CONTEXT_ALLOWED_IN = {"rig/armatures.py"}  # edit mode is entered by an operator, which takes its object from there
BLENDER = {"bpy", "bmesh", "mathutils", "gpu", "blf", "bpy_extras", "gpu_extras", "addon_utils"}
MATHUTILS_ALLOWED_IN = {"bvh.py"}  # its tree is C; a numpy twin stands beside it


def _modules() -> list[Path]:
    return sorted(ADDON.rglob("*.py"))


def _layer(path: Path) -> str:
    return path.relative_to(ADDON).parts[0].removesuffix(".py")


def imports(path: Path, source: str | None = None) -> Iterator[tuple[str, str]]:
    """Pairs ("outside", top-level name) and ("inside", layer) for every import, those in functions included."""
    package = path.relative_to(ADDON).parts[:-1]
    for node in ast.walk(ast.parse(source if source is not None else path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield "outside", alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield "outside", (node.module or "").split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - (node.level - 1)]
            for alias in node.names:
                parts = (*base, *(node.module or "").split(".")) if node.module else (*base, alias.name)
                yield "inside", parts[0] if parts else ""


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ADDON)))
def test_imports_follow_the_layers(path: Path) -> None:
    layer = _layer(path)
    assert layer in ALLOWED, f"layer '{layer}' is not in the architecture"
    for kind, name in imports(path):
        if kind == "inside":
            assert name == layer or name in ALLOWED[layer], f"{layer} must not import {name}"
        elif name in BLENDER:
            assert layer not in PURE or (name == "mathutils" and path.name in MATHUTILS_ALLOWED_IN), (
                f"{layer} is pure and must not import {name}"
            )
        else:
            assert name == "numpy" or name in sys.stdlib_module_names, f"{name} does not come with Blender"


def test_the_package_itself_imports_nothing_at_module_level() -> None:
    tree = ast.parse((ADDON / "__init__.py").read_text(encoding="utf-8"))
    assert not [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]


def _attributes(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ADDON)))
def test_versions_are_asked_for_in_compat_only(path: Path) -> None:
    asked = {each for each in _attributes(path) if each.startswith("bpy.app.version")}
    assert not asked or _layer(path) == "compat"


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ADDON)))
def test_services_and_adapters_take_no_context(path: Path) -> None:
    if _layer(path) in {"services", "rig"} | PURE and path.relative_to(ADDON).as_posix() not in CONTEXT_ALLOWED_IN:
        assert not {each for each in _attributes(path) if each.startswith("bpy.context")}


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ADDON)))
def test_every_file_names_its_licence(path: Path) -> None:
    assert "SPDX-License-Identifier: GPL-3.0-or-later" in path.read_text(encoding="utf-8")[:300]


def test_a_forbidden_import_is_seen() -> None:
    found = set(imports(ADDON / "core" / "x.py", "def f():\n    import bpy\n    from ..rig import read\n"))
    assert found == {("outside", "bpy"), ("inside", "rig")}
