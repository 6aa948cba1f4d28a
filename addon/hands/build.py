# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand models from skeletons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..core.arrays import FloatArray
from ..core.handmap import HandMap
from ..core.limits import LimitSet
from ..core.skeleton import Skeleton
from .axes import Axes, find_axes
from .capsules import Bones, fit_capsules
from .chains import OUTSIDE, WRIST, Chains, followers, gather_chains
from .limits import find_limits
from .model import Binding, HandModel
from .palm import Palm, find_palm
from .skinning import RestSkin, SkinPoints, only_vertices, sample, take_hand, tip_of

MOST_SKIN_POINTS = 24_000
"""Skin points that a model keeps unless told otherwise: all of most hands, as each of them may touch."""


def build_model(
    skeleton: Skeleton,
    hand: HandMap,
    limits: LimitSet,
    *,
    skin: RestSkin | None = None,
    own_limits: dict[str, FloatArray] | None = None,
    most_skin_points: int = MOST_SKIN_POINTS,
) -> HandModel:
    """The model of one hand.

    Args:
        skeleton: Bones at rest in [m]; mirrored objects give mirrored bone frames.
        hand: Which of them make up the hand.
        limits: Where joint limits come from.
        skin: Skin in the same coordinates, for the hand's volume, its surface and fingertips without a bone.
        own_limits: Ranges in [rad] by bone name that replace those of `limits`, each of shape (3, 2).
        most_skin_points: How many skin points the model keeps.

    Raises:
        HandShapeError: The map does not make a hand on this skeleton.
    """
    chains = gather_chains(skeleton, hand)
    flesh = take_hand(skin, chains.attached, OUTSIDE) if skin is not None else None
    if flesh is not None and len(flesh.points):
        chains = gather_chains(skeleton, hand, tips=_tips_on_skin(chains, hand, only_vertices(flesh)))
    else:
        flesh = None
    palm = find_palm(chains, hand.side)
    axes = find_axes(chains, palm)
    R_skeleton_hand = palm.rotation
    rest = R_skeleton_hand.T @ axes.rest
    origins = (chains.heads - chains.wrist) @ R_skeleton_hand
    if flesh is not None:
        points = (flesh.points - chains.wrist) @ R_skeleton_hand
        flesh = replace(flesh, points=points)
    # What lies between vertices is there to be touched; what a hand measures goes by its vertices.
    volume = only_vertices(flesh) if flesh is not None else None
    lengths = np.linalg.norm(chains.ends - chains.heads, axis=1)
    signs = _signs(chains, palm, origins)
    rest_angles = axes.angles * signs
    offsets, zeros = _relative(chains, palm, axes, origins)
    return HandModel(
        side=palm.side,
        radial=palm.radial,
        names=chains.names,
        kinds=chains.kinds,
        fingers=chains.fingers,
        finger_of=chains.finger_of,
        parents=chains.parents,
        offsets=offsets,
        zeros=zeros,
        signs=signs,
        lengths=lengths,
        rest_angles=rest_angles,
        fans=_fans(chains, rest, signs),
        limits=find_limits(chains, rest_angles, limits, radial=palm.radial, own=own_limits),
        palm_width=palm.width,
        palm_length=palm.length,
        capsules=fit_capsules(_bones(chains, palm, rest, origins), volume),
        skin=sample(flesh, most_skin_points) if flesh is not None else None,
        binding=_bind(skeleton, hand, chains, palm, axes),
        notes=palm.notes,
    )


def _tips_on_skin(chains: Chains, hand: HandMap, flesh: SkinPoints) -> dict[str, FloatArray]:
    tips: dict[str, FloatArray] = {}
    for f, finger in enumerate(hand.fingers):
        last = chains.of(f)[-1]
        parent = int(chains.parents[last])
        before = chains.heads[last] - (chains.heads[parent] if parent != WRIST else chains.wrist)
        tip = tip_of(flesh, last, chains.heads[last], before)
        if tip is not None:
            tips[finger.name] = tip
    return tips


def _signs(chains: Chains, palm: Palm, origins: FloatArray) -> FloatArray:
    """Signs that make flexion, abduction and twist mean the same on left and right hands. Shape (m, 3).

    A finger on the +x side of the middle one spreads towards +x. The middle finger itself counts towards the thumb, the
    thumb out of the palm's plane. Mirroring a hand turns the sense of both y and z turns.
    """
    mirror = -1.0 if palm.side == "L" else 1.0
    roots = [chains.of(f, metacarpal=False)[0] for f in range(len(chains.fingers))]
    row = [f for f, name in enumerate(chains.fingers) if name != "thumb"]
    across = origins[roots][:, 0]
    centre = across[chains.fingers.index("middle")] if "middle" in chains.fingers else np.mean(across[row])
    signs = np.tile([1.0, mirror, mirror], (len(chains.names), 1))
    for f in row:
        away = float(across[f] - centre)
        if not palm.radial and abs(away) > 0.02 * palm.width:
            signs[chains.of(f), 1] = np.sign(away)
    return signs


def _relative(chains: Chains, palm: Palm, axes: Axes, origins: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Offsets (m, 3) and zero frames (m, 3, 3) of the joints in the frames before them."""
    rest, zero = palm.rotation.T @ axes.rest, palm.rotation.T @ axes.zero
    offsets, zeros = origins.copy(), zero.copy()
    for j, parent in enumerate(chains.parents):
        if parent != WRIST:
            offsets[j] = (origins[j] - origins[parent]) @ rest[parent]
            zeros[j] = rest[parent].T @ zero[j]
    return offsets, zeros


def _fans(chains: Chains, rest: FloatArray, signs: FloatArray) -> FloatArray:
    roots = [chains.of(f, metacarpal=False)[0] for f in range(len(chains.fingers))]
    directions = rest[roots][:, :, 2]
    return np.arctan2(directions[:, 0], directions[:, 2]) * signs[roots, 1]


def _bones(chains: Chains, palm: Palm, rest: FloatArray, origins: FloatArray) -> Bones:
    directions = chains.directions @ palm.rotation
    lengths = np.linalg.norm(chains.ends - chains.heads, axis=1)
    return Bones(
        rotations=rest,
        origins=origins,
        lengths=lengths,
        directions=directions,
        finger_of=chains.finger_of,
        metacarpal=tuple(kind == "metacarpal" for kind in chains.kinds),
        thumb=chains.fingers.index("thumb") if "thumb" in chains.fingers else -1,
    )


def _bind(skeleton: Skeleton, hand: HandMap, chains: Chains, palm: Palm, axes: Axes) -> Binding:
    place = {name: k for k, name in enumerate(skeleton.names)}
    readers = {name: name for name in chains.names}
    for finger in hand.fingers:
        readers |= followers(skeleton, finger, hand.wrist)
    R_skeleton_bone = skeleton.rotations[[place[name] for name in chains.names]]
    R_skeleton_reader = skeleton.rotations[[place[readers[name]] for name in chains.names]]
    carrier = place[chains.carrier]
    hand_in_carrier = np.eye(4)
    hand_in_carrier[:3, :3] = skeleton.rotations[carrier].T @ palm.rotation
    hand_in_carrier[:3, 3] = skeleton.rotations[carrier].T @ (chains.wrist - skeleton.heads[carrier])
    return Binding(
        wrist=hand.wrist,
        carrier=chains.carrier,
        hand_in_carrier=hand_in_carrier,
        joint_in_bone=np.swapaxes(R_skeleton_bone, -1, -2) @ axes.rest,
        readers=tuple(readers[name] for name in chains.names),
        joint_in_reader=np.swapaxes(R_skeleton_reader, -1, -2) @ axes.rest,
        loose=_loose(skeleton, hand, chains, place, readers),
        tips=tuple(finger.tip for finger in hand.fingers),
    )


def _loose(
    skeleton: Skeleton, hand: HandMap, chains: Chains, place: dict[str, int], readers: dict[str, str]
) -> tuple[str, ...]:
    """Joints and tips whose bone is no descendant of the bone that should carry it, nor of one that follows that."""
    pairs: list[tuple[str, str]] = [
        (name, chains.names[parent] if parent != WRIST else chains.carrier)
        for name, parent in zip(chains.names, map(int, chains.parents), strict=True)
    ]
    pairs += [(finger.tip, finger.chain[-1]) for finger in hand.fingers if finger.tip is not None]
    return tuple(
        name
        for name, carrier in pairs
        if not any(_descends(skeleton, place[name], place[b]) for b in (carrier, readers.get(carrier, carrier)))
    )


def _descends(skeleton: Skeleton, bone: int, ancestor: int) -> bool:
    while bone >= 0:
        bone = int(skeleton.parents[bone])
        if bone == ancestor:
            return True
    return False
