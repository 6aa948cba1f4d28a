# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be animated, each with a sentence and nothing changed; cancelling; and the buttons."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from addon.core.errors import PrehendError
from addon.rig.state import why_read_only
from addon.services.animating import GraspAnimation
from addon.services.animation_records import ANIMATIONS_KEY, load_animations
from addon.services.animation_request import AnimationRequest
from tests.blender.closing_scenes import Scene, demo, everything, select, update
from tests.blender.test_animating import SHORT, animate, empty_at, held, show


def state(scene: Scene) -> dict[str, Any]:
    """Everything that an animation may touch."""
    found = everything()
    for obj in (scene.armature, scene.prop):
        data = obj.animation_data
        found[f"{obj.name} data"] = (
            data is not None,
            data.action.name if data is not None and data.action is not None else None,
            len(data.nla_tracks) if data is not None else 0,
            obj.get(ANIMATIONS_KEY),
            [each.name for each in obj.constraints],
            obj.parent,
        )
    found["frame"] = bpy.context.scene.frame_current
    return found


def refused(scene: Scene, match: str, **options: Any) -> None:
    update()
    before = state(scene)
    with pytest.raises(PrehendError, match=match):
        animate(scene, **options)
    assert state(scene) == before


def test_a_hand_that_holds_nothing_is_refused() -> None:
    scene = demo("gripper_2").face()
    scene.prop.location[0] += 0.5
    refused(scene, "No finger of .* holds 'Ball': press Grasp or Close Fingers first")


def test_ranges_outside_the_scene_are_refused() -> None:
    scene = held("gripper_2")
    bpy.context.scene.frame_end = 20
    refused(scene, "frames 1 to 24, but the scene goes from 1 to 20")
    bpy.context.scene.frame_end = 250
    refused(scene, "frames -5 to", start=-5)


def test_edit_mode_is_refused() -> None:
    scene = held("gripper_2")
    bpy.context.view_layer.objects.active = scene.armature
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(PrehendError, match="is in edit mode"):
        animate(scene)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert scene.armature.animation_data is None


def test_locked_props_are_refused_where_they_would_move() -> None:
    scene = held("gripper_2")
    scene.prop.lock_location[1] = True
    refused(scene, "Channels of 'Ball' are locked", target=empty_at(0.1, 0.1, 0.0))


def test_locked_armatures_are_refused_where_they_would_move() -> None:
    scene = held("gripper_2")
    scene.armature.lock_rotation[0] = True
    refused(scene, "Channels of 'Two-Finger Gripper.R' are locked")


def test_targets_that_move_along_are_refused() -> None:
    scene = held("gripper_2")
    target = empty_at(0.1, 0.1, 0.0)
    target.parent = scene.armature
    refused(scene, "'Put Down' moves with", target=target)


def test_overlapping_animations_of_one_hand_are_refused() -> None:
    scene = held("gripper_2")
    animate(scene)
    show(12)
    refused(scene, "overlap with another animation", add=True, start=5)


def test_a_second_parent_is_refused() -> None:
    scene = held("gripper_2")
    scene.prop.parent = empty_at(0.0, 0.0, 0.0)
    refused(scene, "has a parent already", attach="PARENT")


def test_linked_actions_are_refused_for_layering_and_kept_for_a_new_action(tmp_path: Any) -> None:
    library = tmp_path / "actions.blend"
    made = bpy.data.actions.new("Linked")
    bpy.data.libraries.write(str(library), {made}, fake_user=True)
    bpy.data.actions.remove(made)
    scene = held("gripper_2")
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.actions = ["Linked"]
    action = bpy.data.actions["Linked"]
    scene.armature.animation_data_create().action = action
    assert why_read_only(action) is not None
    refused(scene, "Action 'Linked' of .* is linked from another file: choose New Action", existing="LAYER")
    animate(scene)
    assert bpy.data.actions["Linked"].library is not None
    assert scene.armature.animation_data.nla_tracks[0].strips[0].action == action


@pytest.mark.long
@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("attach", ["KEYS", "CHILD_OF", "PARENT"])
def test_cancelling_at_any_step_leaves_everything_as_it_was(attach: str, again: bool) -> None:
    scene = held("gripper_2")
    target = empty_at(0.1, 0.1, 0.0)
    if again:
        animate(scene, attach=attach, target=target)
        show(3)
    before = state(scene)
    request = AnimationRequest(attach=attach, durations=SHORT, start=2)
    count = 0
    for stop in (2, 40, 70):
        work = GraspAnimation(
            scene.armature,
            scene.hand,
            scene.prop,
            request,
            scene=bpy.context.scene,
            view_layer=bpy.context.view_layer,
            target=target,
        )
        for number, _ in enumerate(work.steps()):
            if number == stop:
                break
        count = max(count, number)
        work.cancel()
        assert state(scene) == before, stop
    assert count > 30


def test_buttons_animate_anew_and_remove_in_one_step_each() -> None:
    scene = held("gripper_2")
    select(scene.armature, scene.prop)
    settings = bpy.context.scene.prehend
    settings.prop = scene.prop
    settings.animation.unit, settings.animation.approach_s = "SECONDS", 0.5
    bpy.context.scene.render.fps = 30
    assert bpy.ops.prehend.animate_grasp("INVOKE_DEFAULT", use_panel=True) == {"FINISHED"}
    frames = scene.armature.animation_data.action.frame_range
    assert tuple(frames) == (1.0, 1.0 + 15 + 10 + 18 + 10 + 20)
    settings.animation.start = 11
    settings.animation.delays[1] = 2
    assert bpy.ops.prehend.animate_grasp("INVOKE_DEFAULT", use_panel=True) == {"FINISHED"}
    assert scene.armature.animation_data.action.frame_range[0] == 11.0
    assert load_animations(scene.armature)[0].settings["delays"] == [0, 2, 0, 0, 0, 0]
    assert bpy.ops.prehend.remove_animation() == {"FINISHED"}
    assert ANIMATIONS_KEY not in scene.armature
    with pytest.raises(RuntimeError, match="is not animated with 'Ball'"):
        bpy.ops.prehend.remove_animation()
