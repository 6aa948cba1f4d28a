# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials that files can hold: a colour that nodes compute becomes one plain colour."""

from __future__ import annotations

from typing import Any

FACTORY_GREY = 0.8
"""What a shader's colour is set to where nobody has chosen one."""


def plain_material(material: Any) -> Any:
    """A copy of a material whose base colour comes from nodes other than pictures, with one colour; else itself.

    No format knows such nodes: glTF files would be white there and USD files black.
    """
    shader = _shader(material)
    if shader is None or not shader.inputs["Base Color"].is_linked or _has_picture(shader.inputs["Base Color"]):
        return material
    plain = material.copy()
    shader = _shader(plain)
    socket = shader.inputs["Base Color"]
    for link in list(socket.links):
        plain.node_tree.links.remove(link)
    if all(abs(value - FACTORY_GREY) < 1e-4 for value in socket.default_value[:3]):
        socket.default_value = tuple(material.diffuse_color)
    return plain


def _shader(material: Any) -> Any:
    tree = material.node_tree if material is not None else None
    if tree is None:
        return None
    return next((node for node in tree.nodes if node.type == "BSDF_PRINCIPLED"), None)


def _has_picture(socket: Any) -> bool:
    """Whether any node before a socket is a picture."""
    waiting, seen = [link.from_node for link in socket.links], set()
    while waiting:
        node = waiting.pop()
        if node.name in seen:
            continue
        seen.add(node.name)
        if node.type == "TEX_IMAGE":
            return True
        waiting += [link.from_node for each in node.inputs for link in each.links]
    return False
