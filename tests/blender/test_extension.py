# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The built zip installs, works and uninstalls in a fresh Blender, as a user's would."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.blender.processes import run_blender_code, run_prehend

_INSTALL = """
import os, sys
from pathlib import Path

def files():
    root = Path(os.environ["BLENDER_USER_RESOURCES"])
    return sorted(str(each.relative_to(root)) for each in root.rglob("*") if "prehend" in str(each.relative_to(root)))

bpy.ops.preferences.addon_enable(module="bl_pkg")
bpy.ops.extensions.package_install_files(filepath={zip!r}, repo="user_default", enable_on_install=True)
module = "bl_ext.user_default.prehend"
enabled = module in bpy.context.preferences.addons
bpy.ops.prehend.add_demo_hand()
bpy.ops.prehend.add_demo_prop(prop="mug")
kinds = sorted(obj.type for obj in bpy.context.scene.objects)
preferences = bpy.context.preferences.addons[module].preferences.default_side
installed = len(files())
repo_index = next(i for i, repo in enumerate(bpy.context.preferences.extensions.repos) if repo.module == "user_default")
bpy.ops.extensions.package_uninstall(repo_index=repo_index, pkg_id="prehend")
left = [each for each in files() if "__pycache__" not in each]
result({{
    "enabled": enabled, "kinds": kinds, "side": preferences, "installed": installed, "left": left,
    "still_enabled": module in bpy.context.preferences.addons,
    "still_attached": hasattr(bpy.types.Scene, "prehend"),
    "modules": [each for each in sys.modules if each.startswith(module)],
}})
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    done = run_prehend("build", "--out", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("prehend-*.zip")
    return path


def test_zip_holds_manifest_and_package_at_its_root(built: Path) -> None:
    names = zipfile.ZipFile(built).namelist()
    assert {"blender_manifest.toml", "__init__.py", "registration.py", "LICENSE", "core/errors.py"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.startswith(("addon/", "tests/"))]


@pytest.mark.parametrize("user", ["animator", "Anna Maria Müller"])
def test_zip_installs_works_and_uninstalls(built: Path, tmp_path: Path, user: str) -> None:
    home = tmp_path / user
    home.mkdir()
    found = run_blender_code(_INSTALL.format(zip=str(built)), BLENDER_USER_RESOURCES=str(home))
    assert found["enabled"]
    assert found["kinds"].count("ARMATURE") == 1
    assert found["kinds"].count("MESH") >= 2
    assert found["side"] == "R"
    assert found["installed"] > 10
    assert found["left"] == []
    assert not found["still_enabled"]
    assert not found["still_attached"]
