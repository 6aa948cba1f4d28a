# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animate a grasp: the hand comes, closes, holds, carries, opens and goes, clear of everything at every frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.handmap import HandMap
from ..rig.actions import Draft, begin_draft
from ..rig.channels import place_object
from ..rig.keyframes import insert_again, keys_between, remove_between, remove_keys, rotation_track
from ..rig.placement import ArmatureMover, WristMover
from ..rig.skin import skin_objects
from ..rig.snapshot import put_back, take_snapshot
from ..rig.write import write_angles
from ..solvers.animation import GraspPlan, plan_frames, plan_grasp
from .animation_check import FrameJudge
from .animation_checks import (
    check_animated,
    check_apart,
    check_movable,
    check_prop,
    check_range,
    check_reached,
)
from .animation_grasp import HeldGrasp, find_held, moved_held
from .animation_hand import HandKeys
from .animation_measure import Measured, apart
from .animation_path import check_path, check_target, path_line
from .animation_prop import Attachment, PropKeys, detach
from .animation_records import AnimationRecord, key_places, load_animations, store_animations
from .animation_refine import Refinement
from .animation_request import AnimationReport, AnimationRequest
from .animation_task import build_task, rigid
from .closing import without
from .grasping import has_arm
from .posture import model_of
from .reach import wrist_mover
from .surfaces import surface_of, surfaces_of


class GraspAnimation:
    """One animation on its way: drain `steps`, then `finish`; or `cancel` at any time before."""

    def __init__(
        self,
        armature: Any,
        hand: HandMap,
        prop: Any,
        request: AnimationRequest,
        *,
        scene: Any,
        view_layer: Any,
        target: Any = None,
        path: Any = None,
        obstacles: Iterable[Any] = (),
    ) -> None:
        """Check everything; nothing is changed yet.

        Args:
            armature: The armature object, with a hand that holds the prop now or did in the animation made before.
            hand: Which of its bones make up the hand.
            prop: What it holds.
            request: How to animate.
            scene: Scene whose frames and rate count.
            view_layer: View layer that shows both.
            target: Object to whose place and orientation the prop is carried; None leaves it where it is.
            path: Curve object along which it is carried, before it goes on to the target if there is one.
            obstacles: Objects to keep clear of.

        Raises:
            PrehendError: Something will not do; the sentence says what.
        """
        check_animated(armature, hand, prop, request)
        check_target(target, prop, armature, scene)
        check_path(path, prop, armature, scene)
        self.armature, self.hand, self.prop, self.target, self.path = armature, hand, prop, target, path
        self.request, self.scene, self.view_layer = request, scene, view_layer
        self.records = load_animations(armature)
        mine = [each for each in self.records if each.hand == hand.wrist and each.prop == prop.name]
        self.old: AnimationRecord | None = mine[-1] if mine and not request.add else None
        self.others = [each for each in self.records if each is not self.old]
        carries = target is not None or path is not None or request.lifts
        self.frames = plan_frames(request.start, request.durations, carries=carries, releases=request.releases)
        check_range(self.frames, scene)
        elsewhere = [obj for obj in scene.objects if obj.type == "ARMATURE" and obj != armature]
        every = [*self.others, *(each for obj in elsewhere for each in load_animations(obj))]
        self.same_prop = [each for each in every if each.prop == prop.name]
        check_apart(hand.wrist, self.frames, self.others, self.same_prop)
        check_prop(prop, request, self.frames, self.same_prop, own_parent=self.old is not None and self.old.parented)
        self.model = model_of(armature, hand, objects=without(prop, view_layer.objects))
        mover = self._mover()
        check_movable(armature, mover)
        self.keys = HandKeys(armature, self.model, mover, scene=scene, view_layer=view_layer)
        self.held: HeldGrasp = find_held(self.keys, prop, self.old, request, view_layer=view_layer)
        self.walls = surfaces_of((each for each in obstacles if each != armature), view_layer.depsgraph)
        self.before = take_snapshot(armature, prop)
        self.place = (scene.frame_current, scene.frame_subframe)
        self.drafts: list[Draft] = []
        self.attachment: Attachment | None = None
        self.record: AnimationRecord | None = None
        self.prop_keys: PropKeys | None = None
        self.report: AnimationReport | None = None
        self.notes: list[str] = []

    def steps(self) -> Iterator[tuple[float, str]]:
        """Do the work; yields the share that is done and what is being done. May be left after any of them."""
        yield 0.02, "opening the animation"
        self._begin()
        line = self._line()
        self._hold()
        self.record = self._make_record()
        task = build_task(
            self.keys,
            self.held,
            self.request,
            self.frames,
            surface=self._surface(),
            walls=self.walls,
            target=self.target,
            line=line,
        )
        plan: GraspPlan | None = None
        for step in plan_grasp(task):
            if isinstance(step, GraspPlan):
                plan = step
            else:
                yield 0.05 + 0.15 * step, "finding a clear way"
        assert plan is not None
        missing = 1e3 * max(plan.coming.missing, plan.going.missing)
        if missing > 1.0:
            self.notes.append(f"No wholly clear way was found: the hand passes {missing:.1f} mm too near.")
        self._take_keys()
        judge = FrameJudge(
            self.armature, self.model, self._skins(), self._surface(), self.walls, view_layer=self.view_layer
        )
        refinement = Refinement(self.keys, plan, judge, self.held, self.request)
        for share in refinement.steps():
            yield 0.2 + 0.5 * share, "posing the hand"
        self.notes += filter(None, [check_reached(plan, self.keys, self.prop, self.target, self.path)])
        self.prop_keys = PropKeys(self.prop, self.keys, self.frames, self.held.place, attach=self.request.attach)
        for frame in self.prop_keys.write((self.scene.frame_start, self.scene.frame_end)):
            yield 0.7 + 0.1 * (frame - self.frames.approach) / max(self.frames.count, 1), "attaching the prop"
        for draft, keys in zip(self.drafts, (self.keys.kept_keys(), self.prop_keys.keys), strict=True):
            draft.lay_under(keys, self.scene)
        measured = Measured()
        for frame in measured.look(self.keys, self.prop, self.held.place, self.frames, judge):
            yield 0.8 + 0.2 * (frame - self.frames.approach) / self.frames.count, "looking at every frame"
        self.notes += measured.notes()
        self.report = self._report(measured, len(refinement.added))

    def _report(self, measured: Measured, added: int) -> AnimationReport:
        return AnimationReport(
            hand=self.hand.wrist,
            prop=self.prop.name,
            frames=self.frames,
            deepest_mm=1e3 * measured.depth,
            deepest_frame=measured.frame,
            drift_mm=1e3 * measured.drift,
            jump_mm=1e3 * measured.jump,
            bones=self.keys.bones,
            keys=sum(len(frames) for frames in self.keys.keys.values()),
            added=added,
            notes=tuple(self.notes),
        )

    def finish(self) -> AnimationReport:
        """Keep the animation, go back to the frame that was shown and tell what was made."""
        assert self.report is not None
        assert self.record is not None
        assert self.prop_keys is not None
        record = self.record
        record.keys, record.prop_keys = self.keys.kept_keys(), self.prop_keys.keys
        record.constraint, record.parented = self.prop_keys.constraint, self.prop_keys.parented
        store_animations(self.armature, [*self.others, record])
        for draft in self.drafts:
            draft.commit()
        self.drafts = []
        self.scene.frame_set(self.place[0], subframe=self.place[1])
        return self.report

    def cancel(self) -> None:
        """Leave everything as it was."""
        if self.prop_keys is not None:
            detach(self.prop, constraint=self.prop_keys.constraint, parented=self.prop_keys.parented)
        for draft in reversed(self.drafts):
            draft.rollback()
        self.drafts = []
        if self.attachment is not None:
            self.attachment.put_back()
        self.scene.frame_set(self.place[0], subframe=self.place[1])
        put_back(self.before, self.armature, self.prop, view_layer=self.view_layer)

    def _mover(self) -> WristMover | None:
        """What brings the hand to places; None where only a whole character could be moved."""
        _, mover = wrist_mover(self.armature, self.model, view_layer=self.view_layer)
        if isinstance(mover, ArmatureMover) and has_arm(self.armature, self.hand):
            return None
        return mover

    def _skins(self) -> list[Any]:
        return skin_objects(self.armature, without(self.prop, self.view_layer.objects))

    def _surface(self) -> Any:
        """The prop's surface where it is taken."""
        surface = surface_of(self.prop, self.view_layer.depsgraph)
        now = np.array(self.prop.matrix_world, dtype=np.float64)
        motion = self.held.place @ np.linalg.inv(now)
        return replace(surface, T_world_frame=rigid(motion @ surface.T_world_frame))

    def _begin(self) -> None:
        """Make room: drafts of both actions, without what the last animation left in them."""
        request, old = self.request, self.old
        span = (self.scene.frame_start, self.scene.frame_end)
        for obj in (self.armature, self.prop):
            draft = begin_draft(
                obj, f"Grasp {self.prop.name}", existing=request.existing, frames=span, others=self.drafts
            )
            self.drafts.append(draft)
            if draft.pushed:
                self.notes.append(f"'{draft.pushed}' of {obj.name} plays on below, as a strip of the NLA editor.")
        if old is not None:
            self.attachment = detach(self.prop, constraint=old.constraint, parented=old.parented)
            remove_keys(self.armature, old.keys)
            remove_keys(self.prop, old.prop_keys)
            insert_again(self.armature, old.taken)
            insert_again(self.prop, old.prop_taken)

    def _line(self) -> FloatArray | None:
        """The path where the prop is taken; read before anything is posed, as that may evaluate animation anew."""
        if self.path is None:
            return None
        self.scene.frame_set(self.frames.contact)
        return path_line(self.path, self.scene, self.view_layer)

    def _make_record(self) -> AnimationRecord:
        return AnimationRecord(
            hand=self.hand.wrist,
            prop=self.prop.name,
            target=self.target.name if self.target is not None else "",
            frames=asdict(self.frames),
            settings=self.request.to_json(),
            movement=self.held.movement,
            wrist=self.held.wrist.tolist(),
            place=self.held.place.tolist(),
            angles={name: row.tolist() for name, row in zip(self.model.names, self.held.angles, strict=True)},
            held={track.path: list(values) for track, values in self.held.values.items()},
            path=self.path.name if self.path is not None else "",
        )

    def _hold(self) -> None:
        """Bring hand and prop to the grasp, and see what its channels are where they are not known."""
        scene, held = self.scene, self.held
        scene.frame_set(self.frames.contact)
        if self.same_prop:
            # What other animations did to the prop before decides where it is taken.
            now = np.array(self.prop.matrix_world, dtype=np.float64)
            if apart(now, held.place) > 1e-6:
                self.held = held = moved_held(held, now)
        else:
            place_object(self.prop, held.place)
        if held.values:
            self.keys.write(held.values)
            self.view_layer.update()
            return
        self.view_layer.update()
        if self.keys.mover is not None:
            self.keys.mover.move(self.armature, self.model, held.wrist, view_layer=self.view_layer)
        write_angles(self.armature, self.model, held.angles, view_layer=self.view_layer)
        self.held = replace(held, values=self.keys.read())

    def _take_keys(self) -> None:
        """Have the user's keys in our range give way; they are kept in the record."""
        assert self.record is not None
        ours = key_places(each.keys for each in self.others)
        props = key_places(each.prop_keys for each in self.same_prop)
        for obj, paths, kept, taken in (
            (self.armature, {track.path for track in self.keys.tracks}, ours, self.record.taken),
            (self.prop, {"location", rotation_track(self.prop).path}, props, self.record.prop_taken),
        ):
            found = keys_between(obj, paths, self.frames.approach, self.frames.away)
            taken.extend(each for each in found if (each.path, round(each.frame)) not in kept)
            remove_between(obj, taken)
            if taken:
                self.notes.append(
                    f"{len(taken)} keys of '{obj.name}' in this range give way; they come back when the animation is "
                    "removed."
                )


def animate_grasp(
    armature: Any,
    hand: HandMap,
    prop: Any,
    request: AnimationRequest,
    *,
    scene: Any,
    view_layer: Any,
    target: Any = None,
    path: Any = None,
    obstacles: Iterable[Any] = (),
) -> AnimationReport:
    """Animate a held grasp in one go; see `GraspAnimation`.

    Raises:
        PrehendError: It cannot be animated. Everything is as it was.
    """
    work = GraspAnimation(
        armature, hand, prop, request, scene=scene, view_layer=view_layer, target=target, path=path, obstacles=obstacles
    )
    try:
        for _ in work.steps():
            pass
    except BaseException:
        work.cancel()
        raise
    return work.finish()
