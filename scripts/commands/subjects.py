# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hand and the object that commands work on: their options, and how they get into the scene."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from launcher.errors import SetupError

_DEMO = "demo"


def add_subjects(parser: argparse.ArgumentParser) -> None:
    """Which hand and which object."""
    parser.add_argument(
        "--hand", required=True, metavar="FILE", help=".blend, .fbx, .glb, .gltf or .vrm; demo or demo:VARIANT"
    )
    parser.add_argument(
        "--object",
        required=True,
        metavar="FILE",
        help=".blend, .obj, .stl, .ply, .glb, .gltf, .fbx or .usd*; demo:PROP for a demo prop",
    )
    parser.add_argument("--armature", metavar="NAME", help="armature of the hand, if the file holds several")
    parser.add_argument("--side", choices=("L", "R"), help="which hand (default: the right one where there are both)")
    parser.add_argument("--object-scale", type=float, default=1.0, metavar="K", help="size of the object (default: 1)")
    parser.add_argument(
        "--object-at", type=place, metavar="X,Y,Z", help="where its origin is in metres (default: before the palm)"
    )


def check_subjects(options: argparse.Namespace, more: Sequence[Path] = ()) -> None:
    """See that files are there and numbers make sense, before Blender is fetched and started."""
    given = [Path(options.hand)] if options.hand.partition(":")[0] != _DEMO else []
    if options.object == _DEMO:
        raise SetupError("--object demo: needs a prop, such as demo:mug.")
    if not options.object.startswith(f"{_DEMO}:"):
        given.append(Path(options.object))
    for path in (*given, *more):
        if path.is_dir():
            raise SetupError(f"{path} is a folder: give a file in it.")
        if not path.is_file():
            raise SetupError(f"there is no file {path}: check the path.")
    if not 0.0 < options.object_scale < float("inf"):
        raise SetupError("--object-scale must be above 0.")


def place(text: str) -> tuple[float, ...]:
    """Three numbers as X,Y,Z."""
    try:
        numbers = tuple(float(each) for each in text.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) != 3 or not all(abs(number) < 1e6 for number in numbers):
        raise argparse.ArgumentTypeError(f"'{text}' is not three numbers X,Y,Z")
    return numbers


def places(text: str) -> list[tuple[float, ...]]:
    """Two or more places as X,Y,Z;X,Y,Z."""
    found = [place(each) for each in text.split(";") if each.strip()]
    if len(found) < 2:
        raise argparse.ArgumentTypeError(f"'{text}' is not two or more places X,Y,Z;X,Y,Z")
    return found


def load_hand(options: argparse.Namespace) -> tuple[Any, Any]:
    """The armature and which of its bones are the hand."""
    import bpy

    from addon.core.errors import PrehendError
    from addon.services.demo import HandSpec, Placement, add_demo_hand
    from addon.services.files import open_character
    from addon.services.poses import BOTH, hands_of

    kind, _, variant = options.hand.partition(":")
    if kind == _DEMO:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
        spec = HandSpec(variant=variant or "human", side=options.side or "R")
        add_demo_hand(Placement(context.scene.collection, context.view_layer), spec)
    else:
        open_character(Path(options.hand))
    rigs = _armatures()
    if not rigs:
        raise SetupError(f"{options.hand} holds no armature: give a file with a rigged hand.")
    if options.armature is not None:
        names = ", ".join(each.name for each in rigs)
        rigs = [each for each in rigs if each.name == options.armature]
        if not rigs:
            raise SetupError(f"{options.hand} holds no armature '{options.armature}': choose one of {names}.")
    reason = ""
    for rig in rigs:
        try:
            hands = hands_of(rig, side=options.side or BOTH)
        except PrehendError as error:
            reason = reason or str(error)
            continue
        return rig, next((hand for hand in hands if hand.side == "R"), hands[0])
    raise SetupError(reason)


def ready_hand(options: argparse.Namespace, armature: Any) -> list[str]:
    """Have the open copy of a file stand still, with its skin round its bones; sentences that say what was changed."""
    import bpy

    from addon.rig.standstill import stop_animation

    layer = bpy.context.view_layer  # noqa: TID251 (a script has no other way to the scene)
    notes: list[str] = []
    # What other programs exported is at the first frame of some animation, which nobody chose.
    rest = Path(options.hand).suffix.lower() != ".blend"
    if stop_animation(armature, rest=rest, view_layer=layer):
        stands = "in its rest pose" if rest else "as at the current frame"
        notes.append(f"The file's animation is left out: '{armature.name}' stands {stands}.")
    return notes + align_hand(armature)


def align_hand(armature: Any) -> list[str]:
    """Have a skin that lies beside its bones round them, in the open copy of the file; sentences that say so."""
    import bpy

    from addon.core.errors import PrehendError
    from addon.services.skin_alignment import SkinFitsError, align_skin

    try:
        layer = bpy.context.view_layer  # noqa: TID251 (a script has no other way to the scene)
        return [align_skin(armature, view_layer=layer).sentence]
    except SkinFitsError:
        return []
    except PrehendError as error:
        return [f"The skin lies beside its bones and was left there: {error}"]


def _armatures() -> list[Any]:
    """Armatures of the open file, those first that are shown and have a skin: generated rigs before their plans."""
    import bpy

    from addon.rig.skin import skin_objects

    layer = bpy.context.view_layer  # noqa: TID251 (a script has no other way to the scene)
    return sorted(
        (each for each in bpy.data.objects if each.type == "ARMATURE" and each.name in layer.objects),
        key=lambda each: (
            not each.visible_get(view_layer=layer),
            not skin_objects(each, layer.objects),
            each.name == "metarig",
            each.name,
        ),
    )


def load_prop(options: argparse.Namespace, scene: Any, view_layer: Any) -> Any:
    """The object, scaled and placed as asked."""
    import bpy

    from addon.services.demo import Placement, add_demo_prop
    from addon.services.files import add_prop

    kind, _, key = options.object.partition(":")
    if kind == _DEMO:
        prop = bpy.data.objects[add_demo_prop(Placement(scene.collection, view_layer), key)]
    else:
        prop = add_prop(Path(options.object), scene)
    prop.scale = [options.object_scale] * 3
    if options.object_at is not None:
        prop.location = options.object_at
    return prop
