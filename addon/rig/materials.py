# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of the demo hands and props, made from their specs."""

from __future__ import annotations

from typing import Any

import bpy

from ..compat import use_shader_nodes
from ..shapes.materials import FLUSH_ATTRIBUTE, MATERIALS, MaterialSpec


def material_named(name: str) -> Any:
    """The file's material of that name; one that does not exist yet is made from its spec.

    A user's own material of the same name is used as it is, never changed.
    """
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        _apply(material, MATERIALS.get(name, MaterialSpec(color=(0.8, 0.8, 0.8))))
    return material


def _apply(material: Any, spec: MaterialSpec) -> None:
    tree = use_shader_nodes(material)
    # The viewport's solid shading is darker than a render; a lifted colour looks the same to the eye.
    material.diffuse_color = (*(channel**0.7 for channel in spec.color), 1.0)
    material.roughness = spec.roughness
    material.metallic = spec.metallic
    nodes, links = tree.nodes, tree.links
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*spec.color, 1.0)
    shader.inputs["Roughness"].default_value = spec.roughness
    shader.inputs["Metallic"].default_value = spec.metallic
    shader.inputs["Transmission Weight"].default_value = spec.transmission
    if spec.subsurface:
        shader.inputs["Subsurface Weight"].default_value = spec.subsurface
        shader.inputs["Subsurface Scale"].default_value = 0.004
    if spec.flush is not None:
        flush = nodes.new("ShaderNodeAttribute")
        flush.attribute_name = FLUSH_ATTRIBUTE
        mix = nodes.new("ShaderNodeMix")
        mix.data_type = "RGBA"
        # A colour mix shares its node with float and vector mixes; sockets of one name are told apart by type.
        first, second = (socket for socket in mix.inputs if socket.type == "RGBA")
        first.default_value = (*spec.color, 1.0)
        second.default_value = (*spec.flush, 1.0)
        links.new(flush.outputs["Fac"], mix.inputs["Factor"])
        links.new(next(s for s in mix.outputs if s.type == "RGBA"), shader.inputs["Base Color"])
    if spec.bump:
        noise = nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = 900.0
        noise.inputs["Detail"].default_value = 4.0
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = spec.bump
        bump.inputs["Distance"].default_value = 0.0004
        links.new(noise.outputs["Fac"], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
