# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliders that pose the hands of the active armature as they are dragged.

They are kept with the scene, as Blender makes an undo step of a drag only where undo reaches the slider itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

Listener = Callable[[Any, str, str, float], None]
"""Called with the context, the slider's name, its finger or "" and its value."""

listeners: list[Listener] = []
"""Who is told when a user moves a slider."""


def _told(name: str) -> Callable[[Any, Any], None]:
    """An update callback that tells the listeners."""

    def tell(group: Any, context: Any) -> None:
        finger = group.name if isinstance(group, PrehendFingerSliders) else ""
        own = name.removeprefix("finger_") if finger else name
        for listener in tuple(listeners):
            listener(context, name, finger, getattr(group, own))

    return tell


def _slider(name: str, label: str, description: str, *, lowest: float = -1.0, soft: float | None = None) -> Any:
    return bpy.props.FloatProperty(
        name=label,
        description=description,
        min=lowest,
        max=1.0,
        soft_min=lowest if soft is None else soft,
        subtype="FACTOR",
        precision=2,
        options={"SKIP_SAVE"},
        update=_told(name),
    )


def _synergy(number: int, description: str) -> Any:
    name = f"synergy_{number}"
    return bpy.props.FloatProperty(
        name=f"Synergy {number}",
        description=description,
        min=-4.0,
        max=4.0,
        soft_min=-2.0,
        soft_max=2.0,
        precision=2,
        options={"SKIP_SAVE"},
        update=_told(name),
    )


class PrehendFingerSliders(bpy.types.PropertyGroup):
    """Sliders of one finger; `name` is the finger's."""

    curl: _slider("finger_curl", "Curl", "Bend this finger all along", soft=0.0)
    spread: _slider("finger_spread", "Spread", "Move this finger away from the middle one")
    tip_curl: _slider("finger_tip_curl", "Tip Curl", "Bend this finger's outer joints more than its base")


class PrehendSliders(bpy.types.PropertyGroup):
    """Sliders of the hands that are worked on."""

    curl: _slider("curl", "Curl", "Bend all fingers", soft=0.0)
    spread: _slider("spread", "Spread", "Spread all fingers, or bring them together")
    relax: _slider("relax", "Relax", "Bring the hand nearer to a hand at ease", lowest=0.0)
    cup: _slider("cup", "Cup", "Arch the palm, where the rig has bones in it", soft=0.0)
    thumb_opposition: _slider("thumb_opposition", "Opposition", "Bring the thumb's base over to the fingers")
    thumb_abduction: _slider("thumb_abduction", "Abduction", "Take the thumb's base out of the palm's plane")
    thumb_curl: _slider("thumb_curl", "Curl", "Bend the thumb's outer joints", soft=0.0)
    synergy_1: _synergy(1, "First synergy of our postures: the whole hand closes")
    synergy_2: _synergy(2, "Second synergy of our postures: index and middle finger close, the others open")
    synergy_3: _synergy(3, "Third synergy of our postures: the thumb closes")
    fingers: bpy.props.CollectionProperty(type=PrehendFingerSliders)
    useful: bpy.props.StringProperty(description="Sliders that move something on these hands", options={"HIDDEN"})
    armature: bpy.props.StringProperty(description="Armature whose hands are shown", options={"HIDDEN"})
    coupled: bpy.props.BoolProperty(
        name="Couple Fingers",
        description="A finger that is bent pulls its neighbours along, as those of a hand do",
        default=True,
    )
    show_fingers: bpy.props.BoolProperty(name="Fingers", description="Show the sliders of each finger")
    show_synergies: bpy.props.BoolProperty(name="Synergies", description="Show sliders of whole postures")


CLASSES = (PrehendFingerSliders, PrehendSliders)
