# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program wants that files are exported for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Engine:
    """How files for one program are written.

    glTF has one set of axes and one unit, so only FBX and USD differ.
    """

    label: str
    """Shown to people."""
    description: str
    """What it gets, without a full stop."""
    clean_nodes: bool
    """Whether axes and units are put into meshes and bones, so that nodes carry neither a turn nor a scale.

    Blender's own exporter turns and scales the nodes instead, and its option to put that into the data is documented
    as broken for armatures. Engines then show objects turned by -90 degrees or with a scale of 100, and whatever is
    attached to such a bone becomes a hundred times as large. A moving armature object moves its root bones instead.
    """
    fbx_forward: str = "-Z"
    """Axis of the file that Blender's +Y becomes."""
    fbx_up: str = "Y"
    """Axis of the file that Blender's +Z becomes."""
    fbx_scale: str = "FBX_SCALE_NONE"
    """Where metres become the file's unit: FBX_SCALE_NONE writes centimetres, FBX_SCALE_ALL metres and says so."""
    node_name: str = ""
    """Name of the armature's node; empty keeps the object's."""
    root_bone: str = ""
    """Bone that is added over several bones without a parent; empty leaves them side by side."""
    usd_up: str = "Z"
    """The stage's up axis."""
    usd_forward: str = "Y"
    """Axis of the stage that Blender's +Y becomes."""
    usd_meters_per_unit: float = 1.0
    """The stage's unit in [m]."""
