#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves joints and typical objects of movements on the demo hand until the skin touches where each type asks for it.

A movement's file says what touches (`touch`); the angles in it and the object's place are where the search begins, and
it stays near them. Run it with the Python of an environment that has Blender; without --write the result is only shown:

    .venv/bpy-4.5/bin/python scripts/fit_movements.py writing_tripod tripod --write
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from addon.core.contact_regions import match_regions, region_values  # noqa: E402 (after the path is set)
from addon.core.rotations import matrix_from_axis_angle  # noqa: E402
from addon.hands.contact_roles import bone_axes, region_wishes  # noqa: E402
from addon.hands.forward import forward  # noqa: E402
from addon.hands.model import HandModel  # noqa: E402
from addon.hands.movements import grasp_centre, movement_angles  # noqa: E402
from addon.hands.skin_places import pad_points  # noqa: E402
from addon.presets.movements import Example, Movement, load_movements  # noqa: E402
from addon.presets.poses import FingerAngles, Pose  # noqa: E402
from addon.rig.surface import read_placed  # noqa: E402
from addon.services.closing_hands import closing_skin  # noqa: E402
from addon.services.closing_report import NEAR  # noqa: E402
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop  # noqa: E402
from addon.services.examples import example_frame  # noqa: E402
from addon.services.poses import hands_of  # noqa: E402
from addon.services.posture import model_of  # noqa: E402
from addon.services.surfaces import WorldSurface, place_surface  # noqa: E402
from addon.solvers.closing import USUAL, Scene, close, measure_near  # noqa: E402
from addon.solvers.closing import Movement as Closings  # noqa: E402
from addon.solvers.contact_patches import measure_patches  # noqa: E402

FOLDER = CHECKOUT / "addon" / "presets" / "movements"
COUNT, ELITE = 56, 12
"""Hands that are closed at a time, and those of them that the next are made from."""
DEPTH = 3e-4
TURN, SHIFT = 0.12, 0.004
"""Turn in [rad] and shift in [m] of the object that are expected."""
CHANGE_COST = 0.012
"""What a change of the expected size costs, squared; a touch that is missed costs one."""
OPEN_COST = 200.0
"""What a metre costs that a closed hand's pads are apart, or an open hand's too near each other."""
WAY = 0.6
"""What the way from a wrong region to the right one counts."""
DEEP_COST = 1500.0
"""What a metre costs that an open or a closed hand is inside the object."""
PULP, PULP_COST = (0.35, 0.95), 5.0
"""Shares of a last bone between which the middle of its pulp is, and what it costs, squared, to press one beyond it."""
BESIDE, BESIDE_COST = 0.005, 8000.0
"""How far in [m] a thumb may press beside the middle of the pads against it, and what it costs, squared, beyond."""

THUMB = (("flexion", 0, 7.0), ("flexion", 1, 8.0), ("flexion", 2, 10.0), ("abduction", 0, 7.0), ("twist", 0, 12.0))
FINGER = (("flexion", 0, 6.0), ("flexion", 1, 8.0), ("abduction", 0, 4.0))
"""Channel, joint and expected change in degrees of what may move in a finger's start and end."""
FOLLOW = 2.0 / 3.0
"""A finger's last joint bends by this share of the one before."""


@dataclass(frozen=True, eq=False)
class Knob:
    """One angle that may change."""

    finger: str
    ends: tuple[str, ...]
    channel: str
    joint: int
    size: float


class Fit:
    """A movement on the demo hand and its typical object."""

    def __init__(self, key: str, *, twist: bool, starts: bool) -> None:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
        layer, collection = context.view_layer, context.scene.collection
        made = add_demo_hand(Placement(collection, layer), HandSpec(side="R"))
        armature = bpy.data.objects[made.armature]
        self.model: HandModel = model_of(armature, hands_of(armature)[0], objects=layer.objects)
        self.movement = load_movements()[key]
        prop = bpy.data.objects[add_demo_prop(Placement(collection, layer), self.movement.example.prop)]
        layer.update()
        self.surface: WorldSurface = place_surface(prop.name, read_placed(prop, layer.depsgraph))
        self.skin = closing_skin(self.model)
        self.axes, self.wishes = bone_axes(self.model), region_wishes(self.model, self.movement)
        self.knobs: list[Knob] = []
        for finger in self.movement.fingers:
            for channel, joint, size in THUMB if finger == "thumb" else FINGER:
                if channel == "twist" and not twist:
                    continue
                opens = finger == "thumb" and channel == "abduction"
                both = channel in ("twist", "abduction") and not opens
                self.knobs.append(Knob(finger, ("start", "end") if both else ("end",), channel, joint, size))
                if opens or (starts and channel == "flexion"):
                    self.knobs.append(Knob(finger, ("start",), channel, joint, size))
        self.scale = np.array([TURN] * 3 + [SHIFT] * 3 + [knob.size for knob in self.knobs])

    def changed(self, values: np.ndarray) -> Movement:
        """The movement with its angles changed by knob values."""
        poses = {
            "start": {name: _rows(each) for name, each in self.movement.start.fingers.items()},
            "end": {name: _rows(each) for name, each in self.movement.end.fingers.items()},
        }
        for knob, value in zip(self.knobs, values[6:], strict=True):
            for end in knob.ends:
                rows = poses[end][knob.finger]
                rows[knob.channel][knob.joint] += value
                if knob.finger != "thumb" and knob.channel == "flexion" and knob.joint == 1:
                    rows["flexion"][1] = max(rows["flexion"][1], 0.0)
                    rows["flexion"][2] = FOLLOW * rows["flexion"][1]
        for name, rows in poses["start"].items():
            # Fingers close; none of their joints opens on the way.
            last = poses["end"].get(name, rows)["flexion"]
            rows["flexion"] = [min(pair) for pair in zip(rows["flexion"], last, strict=True)]
        start, end = (_pose(poses[name], self.model) for name in ("start", "end"))
        return replace(self.movement, start=start, end=end)

    def frame(self, values: np.ndarray) -> np.ndarray:
        """The object's frame in the hand, (4, 4), turned about and shifted from where the data has it."""
        first = example_frame(self.model, self.movement)
        angle = float(np.linalg.norm(values[:3]))
        turn = matrix_from_axis_angle(values[:3] / angle, angle) if angle > 1e-9 else np.eye(3)
        pivot = first[:3, :3] @ np.array(self.movement.example.point) + first[:3, 3]
        out = np.eye(4)
        out[:3, :3] = turn @ first[:3, :3]
        out[:3, 3] = pivot + turn @ (first[:3, 3] - pivot) + values[3:6]
        return out

    def rate(self, many: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scores (a,) and matches (a, w) of rows of knob values (a, n)."""
        angles = [movement_angles(self.model, self.changed(values)) for values in many]
        from_world = np.linalg.inv(self.surface.T_world_frame)
        wrists = np.array([(from_world @ np.linalg.inv(self.frame(values)))[:3] for values in many])
        field = self.surface.surface
        closings = Closings(
            start=np.array([each.start for each in angles]),
            end=np.array([each.end for each in angles]),
            wrists=wrists,
            fingers=np.array(angles[0].taking_part),
        )
        scene = Scene(field.distance, field.exact_distance, DEPTH)
        closing = close(self.skin, closings, scene, self.model.limits.ranges, ways=USUAL, fine=True)
        patches = measure_patches(
            self.skin.fine,
            closing.angles,
            wrists,
            field.distance,
            axes=self.axes,
            within=4.0 * NEAR,
            normals=field.gradient,
        )
        match = match_regions(self.wishes, patches, reach=2e-3)
        values = region_values(patches.directions, self.wishes.thumb_sign)[:, :, None]
        right, wrong = (
            np.where(each, values, -np.inf).max(axis=3) for each in (self.wishes.regions, ~self.wishes.regions)
        )
        # Where the wrong region is far from the right one, the way there has to count.
        far = np.where(self.wishes.bones.T, np.minimum(right - wrong, 0.0), -np.inf).max(axis=1)
        open_gaps = measure_near(self.skin.fine, closings.start, wrists, field.distance, within=4.0 * NEAR).gaps
        deep = sum(
            np.maximum(-np.nan_to_num(gaps, posinf=1.0).min(axis=1) - 1.5 * DEPTH, 0.0)
            for gaps in (patches.gaps, open_gaps)
        )
        cost = CHANGE_COST * ((many / self.scale) ** 2).sum(axis=1) + DEEP_COST * deep
        cost += self.off_pulp(patches.shares)
        if self.movement.centre.place == "pads":
            cost += OPEN_COST * self.left_open(closings)
            if self.movement.opposition == "pad":
                cost += self.beside(closing.angles)
        return match.sum(axis=1) + 2.0 * match.min(axis=1) + WAY * far.sum(axis=1) - cost, match

    def off_pulp(self, shares: np.ndarray) -> np.ndarray:
        """What it costs that pads are pressed with their ends or next to their joints. Shares (a, m + 1); (a,)."""
        pads = [each.finger for each in self.movement.touch if each.face == "pad"]
        at = shares[:, [self.model.joints(finger)[-1] for finger in pads]]
        off = np.maximum(np.maximum(PULP[0] - at, at - PULP[1]), 0.0)
        return PULP_COST * (np.minimum(off, 1.0) ** 2).sum(axis=1)

    def beside(self, angles: np.ndarray) -> np.ndarray:
        """What it costs that the thumb does not press against the middle of the pads. Angles (a, m, 3); (a,)."""
        thumb = [finger == "thumb" for finger in self.model.fingers].index(True)
        others = [f for f, name in enumerate(self.model.fingers) if name in self.movement.fingers and f != thumb]
        frames = forward(self.model, angles)
        pads = pad_points(self.model, frames)
        look = -frames.rotations[:, self.model.last_joints[thumb], :, 1]
        apart = pads[:, others].mean(axis=1) - pads[:, thumb]
        off = np.linalg.norm(apart - (apart * look).sum(axis=1, keepdims=True) * look, axis=1)
        return BESIDE_COST * np.maximum(off - BESIDE, 0.0) ** 2

    def left_open(self, closings: Closings) -> np.ndarray:
        """How far in [m] pads of closed hands are still apart, and open ones too near for the largest object. (a,)."""
        thumb = [finger == "thumb" for finger in self.model.fingers].index(True)
        others = [f for f, name in enumerate(self.model.fingers) if name in self.movement.fingers and f != thumb]
        smallest, largest = self.movement.object_size
        out = np.zeros(len(closings.start))
        for angles, sign, limit in ((closings.end, 1.0, max(smallest, 4e-3)), (closings.start, -1.0, 1.05 * largest)):
            pads = pad_points(self.model, forward(self.model, angles))
            apart = pads[:, thumb] - pads[:, others].mean(axis=1)
            gaps = np.linalg.norm(apart[:, 1:] if self.movement.axis == "across" else apart, axis=1)
            out += np.maximum(sign * (gaps - limit), 0.0)
        return out

    def search(self, rounds: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """The best knob values found, and how well each touch is met with them."""
        mean, spread = np.zeros(len(self.scale)), self.scale.copy()
        best, top = mean, -np.inf
        for number in range(rounds):
            tried = mean + spread * rng.normal(size=(COUNT, len(mean)))
            tried[0] = best
            scores, match = self.rate(tried)
            order = np.argsort(-scores)
            if scores[order[0]] > top:
                best, top, found = tried[order[0]], float(scores[order[0]]), match[order[0]]
            elite = tried[order[:ELITE]]
            mean = elite.mean(axis=0)
            spread = np.maximum(0.6 * elite.std(axis=0) + 0.4 * spread, 0.06 * self.scale)
            if number % 6 == 5:
                print(f"    {number + 1}: {top:.2f} {np.round(found, 2)}", flush=True)
        return best, found

    def example(self, values: np.ndarray) -> Example:
        """The typical object's place in terms of the changed movement."""
        frame, old = self.frame(values), self.movement.example
        centre = grasp_centre(self.model, self.changed(values), radius=old.radius)
        at = frame[:3, :3] @ np.array(old.point) + frame[:3, 3]
        x, z = (tuple(float(round(each, 3)) for each in frame[:3, k]) for k in (0, 2))
        return replace(old, basis="hand", offset=tuple(float(each) for each in at - centre), x=x, z=z)


def _rows(angles: FingerAngles) -> dict[str, list[float]]:
    return {
        "flexion": [*angles.flexion_deg, 0.0, 0.0, 0.0][:3],
        "abduction": [*angles.abduction_deg, 0.0][:1],
        "twist": [*angles.twist_deg, 0.0][:1],
    }


def _pose(fingers: dict[str, dict[str, list[float]]], model: HandModel) -> Pose:
    """A pose within the hand's limits, rounded as files are."""
    out: dict[str, FingerAngles] = {}
    for name, rows in fingers.items():
        joints = model.joints(name)
        ranges = np.degrees(model.limits.ranges[joints])
        flexion = [float(np.clip(a, *ranges[k, 0])) for k, a in enumerate(rows["flexion"][: len(joints)])]
        if name != "thumb":
            # So that the last joint's angle is no endless number.
            flexion[1] = 0.3 * int(flexion[1] / 0.3 + 1e-6)
            flexion[2] = FOLLOW * flexion[1]
        abduction, twist = (
            round(float(np.clip(rows[c][0], *ranges[0, k])), 1) for k, c in ((1, "abduction"), (2, "twist"))
        )
        out[name] = FingerAngles(
            tuple(round(each, 1) for each in flexion),
            (abduction,) if abduction else (),
            (twist,) if twist else (),
        )
    return Pose("", "", out)


def _number(value: float) -> str:
    return f"{round(value, 3):g}"


def _angles_text(angles: FingerAngles) -> str:
    parts = [
        f"{channel}_deg = [{', '.join(_number(each) for each in row)}]"
        for channel, row in (
            ("flexion", angles.flexion_deg),
            ("abduction", angles.abduction_deg),
            ("twist", angles.twist_deg),
        )
        if row
    ]
    return "{ " + ", ".join(parts) + " }"


def write(movement: Movement, example: Example) -> None:
    """Put changed angles and the object's place into the movement's file."""
    path = FOLDER / f"{movement.key}.toml"
    text = path.read_text(encoding="utf-8")
    head, start, end = re.split(r"^\[start\]$|^\[end\]$", text, flags=re.MULTILINE)
    head = re.sub(r"^(basis|offset_mm|x|z) = .*\n", "", head, flags=re.MULTILINE)
    place = "".join(
        f"{name} = [{', '.join(_number(each) for each in values)}]\n"
        for name, values in (
            ("offset_mm", [1e3 * each for each in example.offset]),
            ("x", example.x),
            ("z", example.z),
        )
    )
    head = head.rstrip("\n") + "\n" + place + "\n"
    start = "".join(f"{name} = {_angles_text(angles)}\n" for name, angles in movement.start.fingers.items())
    end = "".join(f"{name} = {_angles_text(movement.end.fingers[name])}\n" for name in movement.fingers)
    path.write_text(f"{head}[start]\n{start}\n[end]\n{end}", encoding="utf-8")


def main() -> None:
    """Fit the movements that were named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("movements", nargs="+", help="keys of movements")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-twist", action="store_true", help="leave the thumb's turn about itself as it is")
    parser.add_argument("--starts", action="store_true", help="move the open posture, too")
    parser.add_argument("--write", action="store_true", help="put the result into the files")
    options = parser.parse_args()
    for key in options.movements:
        fit = Fit(key, twist=not options.no_twist, starts=options.starts)
        values, found = fit.search(options.rounds, np.random.default_rng(options.seed))
        words = [f"{each.finger} {each.face} {met:.2f}" for each, met in zip(fit.movement.touch, found, strict=True)]
        print(f"{fit.movement.number:2d} {fit.movement.title}: {', '.join(words)}", flush=True)
        if options.write:
            write(fit.changed(values), fit.example(values))


if __name__ == "__main__":
    main()
    # Blender as a module may wait for ever in its own clean-up.
    sys.stdout.flush()
    os._exit(0)
