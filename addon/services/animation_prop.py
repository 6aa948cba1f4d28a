# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a prop follows the hand that holds it: plain keys, a Child Of constraint, or the hand's bone as its parent.

A parent cannot be animated. With the hand as parent for good, keys hold the prop still in the world before it is taken
and after it is put down, frame by frame against the hand's motion; in between its channels stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from mathutils import Matrix

from ..core.arrays import FloatArray
from ..rig.channels import place_object
from ..rig.keyframes import Values, curves_of, insert_keys, location_track, rotation_track
from ..rig.skin import HELD_KEY
from ..solvers.animation import Frames
from .animation_hand import HandKeys
from .animation_records import Keys
from .animation_request import CHILD_OF, KEYS


class PropKeys:
    """The keys of one prop over one animation; lives for a single call."""

    def __init__(self, prop: Any, hand: HandKeys, frames: Frames, place: FloatArray, *, attach: str) -> None:
        """Take the prop's world matrix (4, 4) where it is taken; nothing is changed."""
        self.prop, self.hand, self.frames, self.place, self.attach = prop, hand, frames, place, attach
        self.location, self.rotation = location_track(prop), rotation_track(prop)
        self.scale = tuple(prop.scale)
        self.keys: Keys = {}
        self.constraint = ""
        self.parented = False

    def write(self, span: tuple[int, int]) -> Iterator[int]:
        """Key the prop; yields frames.

        Args:
            span: First and last frame at which a parented prop has to stay where it is.
        """
        f = self.frames
        self.hand.scene.frame_set(f.contact)
        back = np.linalg.inv(self.hand.frame())
        places: dict[int, FloatArray] = {f.contact: self.place}
        for frame in range(f.lift, f.put + 1) if f.carries else ():
            self.hand.scene.frame_set(frame)
            places[frame] = self.hand.frame() @ back @ self.place
            yield frame
        last = places[max(places)]
        places[f.hold] = last
        if self.attach == KEYS:
            self._key(places, "BEZIER")
        elif self.attach == CHILD_OF:
            self._constrain(last)
        else:
            yield from self._parent(last, span)

    def _key(self, places: dict[int, FloatArray], interpolation: str) -> None:
        values: dict[int, tuple[Values, Values]] = {}
        near = self.rotation.read(self.prop)
        for frame, place in sorted(places.items()):
            if self.prop.parent is not None:
                self.hand.scene.frame_set(frame)
            values[frame] = self._values(place, near)
            near = values[frame][1]
        self._insert(values, interpolation)

    def _insert(self, values: dict[int, tuple[Values, Values]], interpolation: str) -> None:
        for number, track in enumerate((self.location, self.rotation)):
            insert_keys(
                self.prop, track, {frame: each[number] for frame, each in values.items()}, interpolation=interpolation
            )
            self.keys[track.path] = sorted({*self.keys.get(track.path, ()), *values})

    def _values(self, place: FloatArray, near: Values) -> tuple[Values, Values]:
        """Location and rotation that bring the prop to a place at the frame that is shown, near to a rotation."""
        self.rotation.write(self.prop, near)
        place_object(self.prop, place)
        self.prop.scale = self.scale
        return self.location.read(self.prop), self.rotation.read(self.prop)

    def _constrain(self, last: FloatArray) -> None:
        f, hand, prop = self.frames, self.hand, self.prop
        hand.scene.frame_set(f.contact)
        bone = hand.armature.pose.bones[hand.model.binding.carrier]
        constraint = prop.constraints.new("CHILD_OF")
        constraint.name = f"Held by {bone.name}"
        constraint.target, constraint.subtarget = hand.armature, bone.name
        constraint.inverse_matrix = (hand.armature.matrix_world @ bone.matrix).inverted()
        self.constraint = constraint.name
        # In its own space the prop waits where it was taken, and is where it was put once it is let go.
        releases = f.away > f.hold
        self._key({f.contact: self.place, **({f.hold: last} if releases else {})}, "CONSTANT")
        path = constraint.path_from_id("influence")
        steps = {f.contact - 1: 0.0, f.contact: 1.0, **({f.hold: 0.0} if releases else {})}
        for frame, value in steps.items():
            constraint.influence = value
            constraint.keyframe_insert("influence", frame=frame, group=constraint.name)
        for curve in curves_of(prop, {path}):
            for point in curve.keyframe_points:
                point.interpolation = "CONSTANT"
            curve.update()
        self.keys[path] = sorted(steps)

    def _parent(self, last: FloatArray, span: tuple[int, int]) -> Iterator[int]:
        f, hand, prop = self.frames, self.hand, self.prop
        prop.parent, prop.parent_type = hand.armature, "BONE"
        prop.parent_bone = hand.model.binding.carrier
        prop.matrix_parent_inverse = Matrix.Identity(4)
        prop[HELD_KEY] = True
        self.parented = True
        values: dict[int, tuple[Values, Values]] = {}
        hand.scene.frame_set(f.contact)
        hand.view_layer.update()
        near = self.rotation.read(prop)
        values[f.contact] = held = self._values(self.place, near)
        before = range(min(span[0], f.approach), f.contact)
        after = range(f.hold + 1, max(span[1], f.away) + 1) if f.away > f.hold else range(0)
        for frames, place in ((reversed(before), self.place), (after, last)):
            near = held[1]
            for frame in frames:
                hand.scene.frame_set(frame)
                values[frame] = self._values(place, near)
                near = values[frame][1]
                yield frame
        values[f.hold] = held
        self._insert(dict(sorted(values.items())), "LINEAR")


@dataclass(frozen=True, eq=False)
class Attachment:
    """A constraint or a parent that an earlier animation gave a prop, to put it back."""

    prop: Any
    constraint: str = ""
    target: Any = None
    subtarget: str = ""
    inverse: Any = None
    parent: Any = None
    parent_bone: str = ""

    def put_back(self) -> None:
        """Attach the prop again as it was."""
        if self.constraint:
            constraint = self.prop.constraints.new("CHILD_OF")
            constraint.name, constraint.target, constraint.subtarget = self.constraint, self.target, self.subtarget
            constraint.inverse_matrix = self.inverse
        if self.parent is not None:
            self.prop.parent, self.prop.parent_type = self.parent, "BONE"
            self.prop.parent_bone, self.prop.matrix_parent_inverse = self.parent_bone, self.inverse
            self.prop[HELD_KEY] = True


def detach(prop: Any, *, constraint: str, parented: bool) -> Attachment:
    """Take away the constraint or the parent that an animation gave a prop."""
    found = prop.constraints.get(constraint) if constraint else None
    if found is not None:
        kept = Attachment(prop, found.name, found.target, found.subtarget, found.inverse_matrix.copy())
        prop.constraints.remove(found)
        return kept
    if parented and prop.parent is not None:
        kept = Attachment(
            prop, parent=prop.parent, parent_bone=prop.parent_bone, inverse=prop.matrix_parent_inverse.copy()
        )
        prop.parent = None
        prop.pop(HELD_KEY, None)
        return kept
    return Attachment(prop)


def locked_channels(prop: Any) -> bool:
    """Whether any channel that moves or turns a prop is locked."""
    return any((*prop.lock_location, *prop.lock_rotation))
