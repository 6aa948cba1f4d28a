# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooks and grasp centres: found, set, ticked, moved, saved with the prop, and gone by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from addon.core.errors import PrehendError
from addon.overlays.hooks import marks
from addon.rig.markers import HOOK_KEY, hooks_of, world_point
from addon.services.grasp_centres import edit_centre, read_centres
from addon.services.grasp_hooks import find_prop_hooks, hook_under_ray
from addon.services.grasping import GraspRequest, GraspSearch
from addon.services.poses import hands_of
from tests.blender.arm_rigs import add_prop, select
from tests.blender.closing_scenes import everything


def _scene(prop: str = "mug") -> tuple[Any, Any, Any]:
    bpy.ops.prehend.add_demo_hand()
    armature = bpy.context.object
    held = add_prop(prop, (0.4, 0.1, 0.0))
    held.matrix_world = held.matrix_world @ Matrix.Rotation(0.7, 4, (0.3, 0.2, 1.0)) @ Matrix.Scale(1.1, 4)
    bpy.context.view_layer.update()
    select(armature, held)
    return armature, hands_of(armature)[0], held


def _search(armature: Any, hand: Any, prop: Any, **wishes: Any) -> GraspSearch:
    return GraspSearch(armature, hand, prop, GraspRequest(**wishes), view_layer=bpy.context.view_layer)


def test_found_hooks_are_listed_best_first_and_shown_where_they_are() -> None:
    armature, hand, mug = _scene()
    assert bpy.ops.prehend.find_hooks() == {"FINISHED"}
    rows = mug.prehend.hooks
    found = find_prop_hooks(armature, hand, mug, view_layer=bpy.context.view_layer)
    assert [row.title for row in rows] == [each.title for each in found]
    assert "Handle or Stem" in [row.title for row in rows]
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    # What the search takes them for, in the world; they go along with the prop.
    problem = _search(armature, hand, mug)
    for row, hook in zip(rows, problem.problem.hooks, strict=True):
        world = problem.surface.T_world_frame @ np.array([*hook.point, 1.0])
        np.testing.assert_allclose(mug.matrix_world @ Vector(row.point), world[:3], atol=1e-5)
        assert row.thickness_mm == pytest.approx(1e3 * hook.thickness, rel=1e-4)
    drawn = marks(bpy.context)
    assert [tuple(place) for place, _, _ in drawn] == [tuple(mug.matrix_world @ Vector(row.point)) for row in rows]
    bpy.context.scene.prehend.show_hooks = False
    assert marks(bpy.context) == []


def test_ticked_places_are_the_only_ones_that_are_tried_and_stay_ticked() -> None:
    armature, hand, mug = _scene()
    bpy.ops.prehend.find_hooks()
    rows = mug.prehend.hooks
    chosen = next(k for k, row in enumerate(rows) if row.title == "Rim")
    rows[chosen].use = True
    place = mug.matrix_world @ Vector(rows[chosen].point)
    search = _search(armature, hand, mug, only=(tuple(place),))
    assert search.problem.problem.attempts
    assert {attempt.label[1] for attempt in search.problem.problem.attempts} == {chosen}
    assert len(search.problem.movements) == len(search.problem.reasons) == len(search.problem.problem.attempts)
    for row in rows:
        alone = _search(armature, hand, mug, only=(tuple(mug.matrix_world @ Vector(row.point)),)).problem
        assert len({attempt.label[1] for attempt in alone.problem.attempts}) == 1, "every listed place can be ticked"
    with pytest.raises(PrehendError, match="no longer there"):
        _search(armature, hand, mug, only=(tuple(place + Vector((0.03, 0.0, 0.0))),))
    middle = sum((mug.matrix_world @ Vector(corner) for corner in mug.bound_box), Vector()) / 8.0
    both = _search(armature, hand, mug, only=(tuple(place),), hooks=(tuple(middle),)).problem
    attempts = both.problem.attempts
    assert {attempt.label[1] for attempt in attempts} == {0, 1 + chosen}, "its own hook and the ticked one"
    assert [attempt.prior for attempt in attempts] == sorted((each.prior for each in attempts), reverse=True)
    for told in (both.movements, both.reasons, both.preshapes):
        assert len(told) == len(attempts)
    assert [each.key for each in both.movements] == [attempt.label[0] for attempt in attempts]
    bpy.ops.prehend.find_hooks()
    assert [row.use for row in mug.prehend.hooks] == [k == chosen for k in range(len(mug.prehend.hooks))]
    assert bpy.ops.prehend.grasp(attempts=1) == {"FINISHED"}
    from addon.services.grasp_records import load_candidates

    hooks = {record.hook for record in load_candidates(mug)[0]}
    local = search.surface.to_frame(np.array(place)[None])[0]
    assert len(hooks) == 1
    np.testing.assert_allclose(np.array(hooks.pop()), local, atol=2e-3)


def test_own_hooks_hang_on_the_prop_go_along_and_are_saved_with_it(tmp_path: Path) -> None:
    armature, hand, mug = _scene()
    scene = bpy.context.scene
    corners = [mug.matrix_world @ Vector(corner) for corner in mug.bound_box]
    scene.cursor.location = sum(corners, Vector()) / 8.0
    assert bpy.ops.prehend.add_hook() == {"FINISHED"}
    scene.cursor.location += Vector((0.0, 0.0, 0.01))
    assert bpy.ops.prehend.add_hook() == {"FINISHED"}
    bpy.context.view_layer.update()
    hooks = hooks_of(mug)
    assert len(hooks) == 2
    np.testing.assert_allclose(world_point(hooks[1]), scene.cursor.location, atol=1e-6)
    mug.location.x += 0.5
    bpy.context.view_layer.update()
    np.testing.assert_allclose(world_point(hooks[1]), scene.cursor.location + Vector((0.5, 0.0, 0.0)), atol=1e-6)
    search = _search(armature, hand, mug, hooks=tuple(tuple(world_point(each)) for each in hooks))
    assert len(search.problem.hooks) == 2, "several hooks, the best of which is used"
    name = mug.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "mug.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "mug.blend")) as (_, wanted):
        wanted.objects = [name, *(f"Hook {name}", f"Hook {name}.001")]
    assert len(hooks_of(bpy.data.objects[name])) == 2


def test_own_hooks_are_removed_by_name_and_nothing_else_is() -> None:
    _, _, mug = _scene()
    bpy.context.scene.cursor.location = mug.matrix_world @ Vector(mug.data.vertices[0].co)
    bpy.ops.prehend.add_hook()
    other = bpy.data.objects.new("Not a hook", None)
    other.parent = mug
    with pytest.raises(RuntimeError, match="no hook of"):
        bpy.ops.prehend.remove_hook(name="Not a hook")
    assert bpy.ops.prehend.remove_hook(name=hooks_of(mug)[0].name) == {"FINISHED"}
    assert hooks_of(mug) == []
    assert "Not a hook" in bpy.data.objects


def test_a_click_sets_the_hook_in_the_middle_of_the_part() -> None:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.2, 0.0, 0.0))
    bar = bpy.context.object
    bar.scale = (0.04, 0.3, 0.02)
    bpy.context.view_layer.update()
    graph = bpy.context.view_layer.depsgraph
    origin, down = np.array([0.21, 0.1, 2.0]), np.array([0.0, 0.0, -3.0])
    np.testing.assert_allclose(hook_under_ray(bar, origin, down, depsgraph=graph), [0.21, 0.1, 0.0], atol=1e-6)
    # Thicker than a hand: at the surface.
    bar.scale.z = 0.4
    bpy.context.view_layer.update()
    np.testing.assert_allclose(hook_under_ray(bar, origin, down, depsgraph=graph), [0.21, 0.1, 0.2], atol=1e-6)
    # A cup of thin walls, 6 cm wide: its middle. A bar before it: that bar alone.
    for z in (0.03, -0.03):
        _slab(z, 0.002)
    cup = _joined_slabs()
    np.testing.assert_allclose(hook_under_ray(cup, origin, down, depsgraph=_graph()), [0.21, 0.1, 0.0], atol=1e-5)
    _slab(0.07, 0.01)
    _slab(0.02, 0.002)
    handle = _joined_slabs()
    np.testing.assert_allclose(hook_under_ray(handle, origin, down, depsgraph=_graph()), [0.21, 0.1, 0.07], atol=1e-5)
    assert hook_under_ray(bar, origin + np.array([0.5, 0.0, 0.0]), down, depsgraph=graph) is None


def _graph() -> Any:
    bpy.context.view_layer.update()
    return bpy.context.view_layer.depsgraph


def _slab(z: float, thickness: float) -> None:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.2, 0.1, z))
    bpy.context.object.scale = (0.3, 0.3, thickness)
    bpy.context.object.name = "Slab"


def _joined_slabs() -> Any:
    slabs = [obj for obj in bpy.data.objects if obj.name.startswith("Slab")]
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in slabs)
    bpy.context.view_layer.objects.active = slabs[0]
    bpy.ops.object.join()
    slabs[0].name = "Joined"
    return slabs[0]


@pytest.mark.parametrize(
    ("at", "words"), [((0.0, 0.0, 3.0), "mm away from"), ((0.0, 0.0, 0.0), "buried")], ids=["far", "buried"]
)
def test_hooks_far_away_or_buried_are_refused(at: tuple[float, float, float], words: str) -> None:
    bpy.ops.prehend.add_demo_hand()
    armature = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(0.0, 0.6, 0.0))
    box = bpy.context.object
    bpy.context.view_layer.update()
    before = everything()
    point = tuple((Vector(at) + box.location)[:])
    with pytest.raises(PrehendError, match=words):
        _search(armature, hands_of(armature)[0], box, hooks=(point,))
    if words != "buried":
        select(armature, box)
        bpy.context.scene.cursor.location = point
        with pytest.raises(RuntimeError, match=words):
            bpy.ops.prehend.add_hook()
    assert everything() == before
    assert not [obj for obj in bpy.data.objects if HOOK_KEY in obj]


def test_a_moved_grasp_centre_is_gone_by_and_goes_along_with_the_hand() -> None:
    armature, hand, ball = _scene("ball")
    layer = bpy.context.view_layer
    plain = _search(armature, hand, ball, movement="power_sphere").problem.problem.attempts[0].centre
    name = edit_centre(armature, hand, "power_sphere", view_layer=layer, collection=bpy.context.scene.collection)
    assert edit_centre(armature, hand, "power_sphere", view_layer=layer, collection=None) == name, "one for each"
    search = _search(armature, hand, ball, movement="power_sphere")
    np.testing.assert_allclose(search.problem.problem.attempts[0].centre, plain, atol=1e-6)
    marker = bpy.data.objects[name]
    turn = search.hand_frame()[:3, :3]
    offset = np.array([0.004, -0.003, 0.01])
    marker.matrix_world = Matrix.Translation((turn @ offset).tolist()) @ marker.matrix_world
    # The whole hand goes elsewhere, and the marker with it.
    armature.matrix_world = Matrix.Translation((0.2, 0.3, 0.1)) @ Matrix.Rotation(0.9, 4, (1.0, 2.0, 0.5))
    layer.update()
    moved = _search(armature, hand, ball, movement="power_sphere").problem.problem.attempts[0].centre
    np.testing.assert_allclose(moved - plain, offset, atol=1e-6)
    others = _search(armature, hand, ball, movement="tripod")
    assert set(read_centres(armature, hand, others.model, layer.objects)) == {"power_sphere"}
    assert bpy.ops.prehend.reset_grasp_centres() == {"FINISHED"}
    assert read_centres(armature, hand, others.model, layer.objects) == {}
    assert name not in bpy.data.objects


def test_a_giant_finds_on_an_open_mesh_what_people_find() -> None:
    found: list[set[str]] = []
    for size in (1.0, 8.0):
        bpy.ops.prehend.add_demo_hand()
        armature = bpy.context.object
        armature.scale = (size, size, size)
        bpy.ops.mesh.primitive_monkey_add(size=0.09 * size, location=(1.0 * size, 0.0, 0.0))
        bpy.context.view_layer.update()
        hooks = find_prop_hooks(armature, hands_of(armature)[0], bpy.context.object, view_layer=bpy.context.view_layer)
        assert max(hook.thickness for hook in hooks) > 0.02 * size
        found.append({hook.title for hook in hooks})
    assert found[0] == found[1]
