# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own exporters, called on a side scene that holds nothing but what goes into the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..compat import add_strip
from ..core.arrays import FloatArray
from ..core.engine import Engine
from .export_stage import kept_window

_AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
CENTIMETRES = 100.0


@dataclass(frozen=True)
class Take:
    """A stretch of the timeline that gets a name of its own in the file."""

    name: str
    """Its name."""
    start: int
    """First frame."""
    end: int
    """Last frame."""
    keeps_frames: bool = False
    """Whether it lies in the file where it lies on the timeline; else it begins at 0, as clips of engines do."""


def missing_writer(form: str) -> str | None:
    """Why this Blender cannot write a format and what to do, as the end of a sentence; None where it can."""
    if form == "usd":
        # Some builds of Blender, such as Debian's, come without it.
        if "usd_export" not in dir(bpy.ops.wm):
            return "this Blender was built without USD, choose another format"
        return None
    if form not in dir(bpy.ops.export_scene):
        return "its add-on is off, enable it in the preferences or choose another format"
    return None


def fbx_space(engine: Engine) -> FloatArray:
    """What Blender's FBX exporter maps the world by for an engine. Shape (4, 4)."""
    forward, up = _axis(engine.fbx_forward), _axis(engine.fbx_up)
    result = np.eye(4)
    # Rows of the file's axes: what is along Blender's X, Y and Z goes along these.
    result[:3, :3] = np.column_stack([np.cross(forward, up), forward, up])
    if engine.fbx_scale == "FBX_SCALE_NONE":
        result[:3, :3] *= CENTIMETRES
    return result


def _axis(name: str) -> FloatArray:
    return np.array(_AXES[name[-1]]) * (-1.0 if name.startswith("-") else 1.0)


def write_fbx(context: Any, scene: Any, path: Path, engine: Engine, takes: Sequence[Take]) -> None:
    """Write all armatures and meshes of a side scene with one animation for each take."""
    objects = [obj for obj in scene.collection.all_objects if obj.type in {"ARMATURE", "MESH"}]
    strips = not _is_timeline(takes)
    if strips:
        _strips_for_fbx(scene, objects, takes)
    _show_range(scene, takes)
    # What nodes are set to besides their animation is what engines show before anything plays, and what tells the rest
    # pose of bones that no skin does.
    scene.frame_set(scene.frame_start - 1)
    scene.view_layers[0].update()
    write: Any = bpy.ops.export_scene.fbx
    with _in(context, scene, selected_objects=objects):
        write(
            filepath=str(path),
            check_existing=False,
            use_selection=True,
            object_types={"ARMATURE", "MESH"},
            axis_forward=engine.fbx_forward,
            axis_up=engine.fbx_up,
            apply_unit_scale=True,
            apply_scale_options=engine.fbx_scale,
            bake_space_transform=False,
            # Unreal warns of meshes without smoothing groups.
            mesh_smooth_type="FACE",
            use_mesh_modifiers=True,
            # A bone at every finger's end that nobody made, and that retargeting trips over.
            add_leaf_bones=False,
            armature_nodetype="NULL",
            bake_anim=True,
            bake_anim_use_all_bones=True,
            bake_anim_use_all_actions=False,
            bake_anim_use_nla_strips=strips,
            bake_anim_force_startend_keying=True,
            bake_anim_simplify_factor=0.0,
            path_mode="COPY",
            embed_textures=True,
        )


def _is_timeline(takes: Sequence[Take]) -> bool:
    return len(takes) == 1 and takes[0].keeps_frames


def _strips_for_fbx(scene: Any, objects: list[Any], takes: Sequence[Take]) -> None:
    """One strip for each take on the armature, which the exporter makes a take of the whole scene of.

    It takes away the actions of all objects that it writes, so that props have to follow something that it does not.
    """
    for obj in objects:
        data = obj.animation_data
        if data is None or data.action is None:
            continue
        if obj.type == "ARMATURE":
            action, data.action = data.action, None
            track = data.nla_tracks.new()
            for take in sorted(takes, key=lambda each: each.start):
                # Takes that overlap cannot share a track.
                if any(strip.frame_end >= take.start for strip in track.strips):
                    track = data.nla_tracks.new()
                strip = add_strip(track, take.name, action, obj, (take.start, take.end))
                # Before the first one bones are at rest.
                strip.extrapolation = "HOLD_FORWARD"
            continue
        leader = bpy.data.objects.new("Prehend Leader", None)
        scene.collection.objects.link(leader)
        leader.rotation_mode = obj.rotation_mode
        action = data.action
        leader.animation_data_create().action = action
        slot = getattr(data, "action_slot", None)
        if slot is not None:
            leader.animation_data.action_slot = slot
        obj.animation_data_clear()
        follow = obj.constraints.new("COPY_TRANSFORMS")
        follow.target = leader


def write_gltf(context: Any, scene: Any, path: Path, takes: Sequence[Take]) -> None:
    """Write a side scene; tracks of the same name become one animation of armature and props together."""
    for obj in scene.collection.all_objects:
        data = obj.animation_data
        if data is None or data.action is None:
            continue
        action, data.action = data.action, None
        for take in takes:
            track = data.nla_tracks.new()
            track.name = take.name
            add_strip(track, take.name, action, obj, (take.start, take.end))
    _show_range(scene, takes)
    # The exporter multiplies by the base that it should divide by.
    scene.render.fps_base = 1.0 / scene.render.fps_base
    with _in(context, scene), kept_window(context):
        bpy.ops.export_scene.gltf(
            filepath=str(path),
            check_existing=False,
            export_format="GLB" if path.suffix.lower() == ".glb" else "GLTF_SEPARATE",
            use_active_scene=True,
            use_selection=False,
            export_yup=True,
            export_apply=False,
            export_cameras=False,
            export_lights=False,
            export_extras=False,
            export_animations=True,
            export_animation_mode="NLA_TRACKS",
            export_force_sampling=True,
            export_frame_range=False,
            export_anim_slide_to_zero=not _is_timeline(takes),
            export_negative_frame="SLIDE",
            export_optimize_animation_size=False,
            export_def_bones=False,
            export_rest_position_armature=True,
            export_skins=True,
            export_all_influences=True,
            export_morph=True,
        )


def write_usd(context: Any, scene: Any, path: Path, engine: Engine, take: Take) -> None:
    """Write a side scene with one take at its own frames; a stage has one timeline."""
    _show_range(scene, [take])
    options: dict[str, Any] = {
        "convert_scene_units": "CUSTOM",
        "meters_per_unit": engine.usd_meters_per_unit,
        "merge_parent_xform": False,
    }
    # Older versions write metres and say so in the file, which readers convert from.
    write: Any = bpy.ops.wm.usd_export
    known = {each.identifier for each in write.get_rna_type().properties}
    with _in(context, scene):
        write(
            filepath=str(path),
            check_existing=False,
            selected_objects_only=False,
            export_animation=True,
            export_hair=False,
            export_armatures=True,
            only_deform_bones=False,
            export_shapekeys=True,
            export_lights=False,
            export_cameras=False,
            convert_world_material=False,
            export_custom_properties=False,
            author_blender_name=False,
            convert_orientation=engine.usd_up != "Z",
            export_global_forward_selection=engine.usd_forward,
            export_global_up_selection=engine.usd_up,
            **{key: value for key, value in options.items() if key in known},
        )


def _show_range(scene: Any, takes: Sequence[Take]) -> None:
    scene.frame_start, scene.frame_end = min(take.start for take in takes), max(take.end for take in takes)
    scene.frame_set(scene.frame_start)
    scene.view_layers[0].update()


def _in(context: Any, scene: Any, **more: Any) -> Any:
    """The context of an exporter that knows the side scene only."""
    return context.temp_override(
        scene=scene,
        view_layer=scene.view_layers[0],
        collection=scene.collection,
        active_object=None,
        object=None,
        **{"selected_objects": [], **more},
    )
