# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints of a hand at rest, read off a skeleton by a hand map: order, names and places, no axes yet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from ..core.errors import PrehendError
from ..core.handmap import FingerMap, HandMap
from ..core.limits import FINGER_JOINTS, THUMB_JOINTS
from ..core.rotations import unit
from ..core.skeleton import Skeleton

WRIST = -1
"""Index that stands for the wrist among joints."""
OUTSIDE = -2
"""Index of bones that are no part of the hand."""

# Last bone with the soft tissue of its tip over the bone before it: Buryanov, Kotiuk 2010, means.
TIP_RATIOS = {"thumb": 0.866, "index": 0.878, "middle": 0.811, "ring": 0.828, "pinky": 1.087}
USUAL_TIP_RATIO = 0.85
LONGEST_TIP_RATIO = 2.0
"""A last bone this many times longer than the one before it was not made to measure."""
LARGEST_TIP_BEND = 0.7
"""A last bone that turns off by more than this in [rad] does not point at its tip."""


FARTHEST_WRIST = 1.8
"""A wrist that is farther than this from its metacarpals, over their length, is an elbow."""


class HandShapeError(PrehendError):
    """A hand map and its skeleton do not make a hand."""


@dataclass(frozen=True, eq=False)
class Chains:
    """Joints of a hand at rest in the skeleton's coordinates, parents before children."""

    names: tuple[str, ...]
    """Bone that each joint turns. Length m."""
    kinds: tuple[str, ...]
    """Joint names as in `FINGER_JOINTS` and `THUMB_JOINTS`. Length m."""
    fingers: tuple[str, ...]
    """Finger names. Length f."""
    finger_of: IntArray
    """Index of each joint's finger. Shape (m,)."""
    parents: IntArray
    """Index of the joint before, `WRIST` for none. Shape (m,)."""
    heads: FloatArray
    """Joint positions in [m]. Shape (m, 3)."""
    ends: FloatArray
    """Next joint, or the fingertip, in [m]. Shape (m, 3)."""
    wrist: FloatArray
    """Position of the wrist in [m]. Shape (3,)."""
    attached: IntArray
    """Joint that each bone of the skeleton moves with, else `WRIST` or `OUTSIDE`. Shape (bones,)."""
    carrier: str
    """Bone that truly carries the fingers: the map's wrist, or on control rigs the bone that follows it."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m = len(self.names)
        set_field = object.__setattr__
        set_field(self, "finger_of", frozen_ints(self.finger_of, (m,), "finger_of"))
        set_field(self, "parents", frozen_ints(self.parents, (m,), "parents"))
        set_field(self, "heads", frozen_floats(self.heads, (m, 3), "heads"))
        set_field(self, "ends", frozen_floats(self.ends, (m, 3), "ends"))
        set_field(self, "wrist", frozen_floats(self.wrist, (3,), "wrist"))
        set_field(self, "attached", frozen_ints(self.attached, (-1,), "attached"))

    @property
    def directions(self) -> FloatArray:
        """Unit vectors from each joint to the next. Shape (m, 3)."""
        return unit(self.ends - self.heads)

    def of(self, finger: int, *, metacarpal: bool = True) -> list[int]:
        """Joints of one finger, root first."""
        return [
            j for j in np.flatnonzero(self.finger_of == finger).tolist() if metacarpal or self.kinds[j] != "metacarpal"
        ]


def gather_chains(skeleton: Skeleton, hand: HandMap, *, tips: dict[str, FloatArray] | None = None) -> Chains:
    """The joints that a hand map names.

    Args:
        skeleton: Bones at rest in [m].
        hand: Which of them make up the hand.
        tips: Fingertips in [m] by finger name, for fingers without a tip bone; others are estimated.

    Raises:
        HandShapeError: A bone is missing or named twice, there are fewer than two fingers, or one has no bones.
    """
    place = {name: k for k, name in enumerate(skeleton.names)}
    _check(hand, place)
    names: list[str] = []
    kinds: list[str] = []
    finger_of: list[int] = []
    parents: list[int] = []
    heads: list[FloatArray] = []
    ends: list[FloatArray] = []
    for number, finger in enumerate(hand.fingers):
        bones = ((finger.metacarpal,) if finger.metacarpal is not None else ()) + finger.chain
        points = [skeleton.heads[place[bone]] for bone in bones]
        points.append(_tip(skeleton, finger, place, (tips or {}).get(finger.name)))
        parents += [WRIST, *range(len(names), len(names) + len(bones) - 1)]
        names += bones
        kinds += joint_kinds(finger)
        finger_of += [number] * len(bones)
        heads += points[:-1]
        ends += points[1:]
    carrier = _carrier(skeleton, hand, place)
    wrist = _wrist_point(skeleton, hand, place)
    return Chains(
        names=tuple(names),
        kinds=tuple(kinds),
        fingers=tuple(finger.name for finger in hand.fingers),
        finger_of=np.array(finger_of),
        parents=np.array(parents),
        heads=np.array(heads),
        ends=_separated(np.array(heads), np.array(ends), np.array(parents), wrist),
        wrist=wrist,
        attached=_attach(skeleton, hand, place, tuple(names), carrier),
        carrier=carrier,
    )


def _wrist_point(skeleton: Skeleton, hand: HandMap, place: dict[str, int]) -> FloatArray:
    """Where the hand begins: at the wrist's head, or at the metacarpals where that is the elbow. Shape (3,).

    Robots and simple characters have no hand bone: all that is in the palm hangs on the forearm.
    """
    head = skeleton.heads[place[hand.wrist]]
    row = [finger for finger in hand.fingers if finger.name != "thumb"]
    inner = [finger for finger in row if finger.metacarpal is not None]
    if not inner or len(inner) < len(row):
        return head
    starts = np.array([skeleton.heads[place[str(finger.metacarpal)]] for finger in inner])
    knuckles = np.array([skeleton.heads[place[finger.chain[0]]] for finger in inner])
    start = starts.mean(axis=0)
    palm = float(np.linalg.norm(knuckles - starts, axis=1).mean())
    return start if float(np.linalg.norm(start - head)) > FARTHEST_WRIST * palm else head


def joint_kinds(finger: FingerMap) -> list[str]:
    """Names of a finger's joints, its metacarpal's first where it has one."""
    joints = THUMB_JOINTS if finger.name == "thumb" else FINGER_JOINTS
    first = [joints[0]] if finger.metacarpal is not None else []
    n = len(finger.chain)
    middles = [joints[2]] * max(n - 2, 0)
    return [*first, joints[1], *middles, joints[3]] if n > 1 else [*first, joints[1]]


def followers(skeleton: Skeleton, finger: FingerMap, wrist: str) -> dict[str, str]:
    """The bones that show where a finger's controls take the skin, by control.

    The map names those of the chain. The metacarpal's is the one that carries the first of them, if it lies on it.
    """
    out = dict(zip(finger.chain, finger.deform, strict=False))
    if finger.metacarpal is None or not finger.deform:
        return out
    place = {name: k for k, name in enumerate(skeleton.names)}
    base, first = place[finger.metacarpal], place[finger.chain[0]]
    carrier = int(skeleton.parents[place[finger.deform[0]]])
    if carrier < 0 or not skeleton.deform[carrier] or skeleton.names[carrier] in (finger.metacarpal, wrist):
        return out
    length = float(np.linalg.norm(skeleton.heads[first] - skeleton.heads[base]))
    if np.linalg.norm(skeleton.heads[carrier] - skeleton.heads[base]) < 0.1 * length:
        out[finger.metacarpal] = skeleton.names[carrier]
    return out


def _check(hand: HandMap, place: dict[str, int]) -> None:
    if len(hand.fingers) < 2:
        raise HandShapeError("A hand needs at least two fingers.")
    if len({finger.name for finger in hand.fingers}) < len(hand.fingers):
        raise HandShapeError("Two fingers of the hand have the same name.")
    for finger in hand.fingers:
        if not finger.chain:
            raise HandShapeError(f"Finger '{finger.name}' has no bones.")
    bones = list(hand.bones())
    missing = [name for name in bones if name not in place]
    if missing:
        raise HandShapeError(f"The armature has no bone '{missing[0]}'; detect the hand again.")
    for name in bones:
        if bones.count(name) > 1:
            raise HandShapeError(f"Bone '{name}' is used twice in the hand.")


def _tip(skeleton: Skeleton, finger: FingerMap, place: dict[str, int], measured: FloatArray | None) -> FloatArray:
    """The fingertip: its marker bone, else as measured on the skin, else from the last bone and usual proportions."""
    last = place[finger.chain[-1]]
    head = skeleton.heads[last]
    before = finger.chain[-2] if len(finger.chain) > 1 else finger.metacarpal
    previous = head - skeleton.heads[place[before]] if before is not None else np.zeros(3)
    usual = float(np.linalg.norm(previous)) * TIP_RATIOS.get(finger.name, USUAL_TIP_RATIO)
    if finger.tip is not None and np.linalg.norm(skeleton.heads[place[finger.tip]] - head) > 0.1 * usual:
        return skeleton.heads[place[finger.tip]]
    if measured is not None:
        return measured
    own = skeleton.tails[last] - head
    if usual <= 0.0:
        return skeleton.tails[last]
    straight = float(np.dot(unit(own), unit(previous)))
    length = float(np.linalg.norm(own))
    if straight > np.cos(LARGEST_TIP_BEND) and usual / LONGEST_TIP_RATIO < length < usual * LONGEST_TIP_RATIO:
        return skeleton.tails[last]
    return head + unit(previous) * usual


def _separated(heads: FloatArray, ends: FloatArray, parents: IntArray, wrist: FloatArray) -> FloatArray:
    """`ends`, but never on top of `heads`: a bone without length points on as the one before it."""
    out = ends.copy()
    size = float(np.max(np.linalg.norm(ends - wrist, axis=1)))
    if size <= 0.0:
        raise HandShapeError("All bones of the hand lie in one point.")
    for j, parent in enumerate(parents):
        if np.linalg.norm(out[j] - heads[j]) < 1e-6 * size:
            before = heads[parent] if parent >= 0 else wrist
            out[j] = heads[j] + unit(heads[j] - before) * 1e-6 * size
    return out


def _ancestors(skeleton: Skeleton, bone: int) -> list[int]:
    """The bone itself and its parents, nearest first."""
    out: list[int] = []
    while bone >= 0:
        out.append(bone)
        bone = int(skeleton.parents[bone])
    return out


def _carrier(skeleton: Skeleton, hand: HandMap, place: dict[str, int]) -> str:
    """Nearest bone that is a parent of all fingers, if it sits at the wrist; else the wrist itself."""
    lines = [_ancestors(skeleton, place[finger.metacarpal or finger.chain[0]])[1:] for finger in hand.fingers]
    if all(place[hand.wrist] in line for line in lines):
        return hand.wrist
    shared = [bone for bone in lines[0] if all(bone in line for line in lines)]
    wrist = skeleton.heads[place[hand.wrist]]
    reach = np.mean([np.linalg.norm(skeleton.heads[place[finger.chain[0]]] - wrist) for finger in hand.fingers])
    if shared and np.linalg.norm(skeleton.heads[shared[0]] - wrist) < 0.2 * reach:
        return skeleton.names[shared[0]]
    return hand.wrist


def _attach(skeleton: Skeleton, hand: HandMap, place: dict[str, int], names: tuple[str, ...], carrier: str) -> IntArray:
    own = {name: j for j, name in enumerate(names)}
    own |= {hand.wrist: WRIST, carrier: WRIST}
    for finger in hand.fingers:
        own |= {bone: own[control] for control, bone in followers(skeleton, finger, hand.wrist).items()}
        if finger.tip is not None:
            own[finger.tip] = own[finger.chain[-1]]
    out = np.full(len(skeleton.names), OUTSIDE)
    for k, name in enumerate(skeleton.names):
        parent = int(skeleton.parents[k])
        out[k] = own[name] if name in own else (out[parent] if parent >= 0 else OUTSIDE)
    return out
