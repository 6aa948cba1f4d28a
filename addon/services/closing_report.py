# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a closed hand's skin does at an object's surface, finger by finger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import BoolArray, FloatArray, IntArray
from ..core.articulation import joint_frames
from ..hands.model import HandModel
from ..hands.posture import HandPose
from ..rig.models import SKIN_SPACING
from ..rig.shown_skin import FrameBox, shown_vertices
from ..solvers.closing import OBJECT, measure_near, near_gaps, place_volumes
from ..solvers.surface import ACCURACY, EXACT
from .closing_hands import closing_skin
from .surfaces import WorldSurface

TOUCHING = 2e-4
"""Skin nearer than this in [m] touches."""
NEAR = 2e-3
"""Distances under this in [m] are measured exactly; larger ones may be told too short."""
WEB = 0.15
"""How much farther than the nearest bone, in palm widths, one may be that takes the skin of a knuckle along."""
BESIDE = 0.1
"""Shown skin this far, in palm widths, from a hand's capsules and from its skin as it is computed is another's."""
_CHUNK = 64
_OFF = 4.0 * ACCURACY
"""What the grid's distances near the surface are hardly ever off by, in [m]."""


@dataclass(frozen=True)
class FingerReport:
    """One finger at the object."""

    name: str
    """Which."""
    closed: bool
    """Whether it was asked to close."""
    touching: bool
    """Whether its skin touches."""
    gap_mm: float
    """Distance of its nearest vertex in millimetres; negative is depth."""
    bones: tuple[str, ...]
    """Bones whose skin touches, root first."""
    stopped: bool = False
    """Whether it was the object that stopped it."""


@dataclass(frozen=True)
class CloseReport:
    """What became of closing a hand."""

    hand: str
    """Wrist bone."""
    prop: str
    """Name of the object."""
    movement: str
    """Key of the movement."""
    fingers: tuple[FingerReport, ...]
    """All fingers."""
    palm_gap_mm: float
    """Distance of the palm's nearest vertex in millimetres."""
    locked: tuple[str, ...] = ()
    """Bones that could not turn as wanted because channels of theirs are locked."""
    notes: tuple[str, ...] = ()
    """What a user should know, one sentence each."""

    @property
    def deepest_mm(self) -> float:
        """Depth of the deepest vertex in millimetres; 0 when nothing is inside."""
        return max(0.0, -self.palm_gap_mm, *(-finger.gap_mm for finger in self.fingers))

    def sentence(self) -> str:
        """The result in one line."""
        touching = [finger.name for finger in self.fingers if finger.touching]
        text = f"No finger reaches {self.prop}: bring the hand nearer, with the palm towards it"
        if touching:
            text = f"{', '.join(touching).capitalize()} on {self.prop}, deepest {self.deepest_mm:.2f} mm"
        for note in (*self.notes, *(("Left as locked: " + ", ".join(self.locked),) if self.locked else ())):
            text = f"{text}; {note.rstrip('.')}"
        return text


@dataclass(frozen=True, eq=False)
class Gaps:
    """Nearest skin of every joint's bone, and of the palm last, in [m]; infinite where there is none."""

    by_bone: FloatArray
    """Shape (m + 1,)."""
    model: HandModel
    """The hand."""
    shared: FloatArray | None = None
    """Deepest skin of the palm, or at a knuckle, that each finger may have taken along, in [m]; infinite where none is
    inside. Shape (f,)."""

    def of_finger(self, finger: int) -> float:
        """Nearest skin of a finger in [m], its palm bone left out."""
        joints = self.model.joints(self.model.fingers[finger])
        return float(self.by_bone[joints].min())

    @property
    def palm(self) -> float:
        """Nearest skin of the palm in [m]."""
        inner = [j for j, kind in enumerate(self.model.kinds) if kind == "metacarpal"]
        return float(self.by_bone[[*inner, -1]].min())


def measured_gaps(
    model: HandModel,
    angles: FloatArray,
    T_world_hand: FloatArray,
    surface: WorldSurface,
    *,
    exact: bool = True,
    within: float = NEAR,
) -> Gaps:
    """Gaps of the skin as it is computed; those above `within` in [m] may be told too short."""
    skin, wrists = closing_skin(model).fine, T_world_hand[None, :3]
    if exact:
        gaps = measure_near(skin, angles[None], wrists, surface.exact_distance, within=within).gaps
    else:
        gaps = near_gaps(skin, angles[None], wrists, surface.distance, within=within)
    return Gaps(gaps[0], model)


def shown_gaps(
    skins: list[Any],
    model: HandModel,
    angles: FloatArray,
    T_world_hand: FloatArray,
    surface: WorldSurface,
    *,
    depsgraph: Any,
) -> Gaps:
    """Gaps of the skin as Blender shows it, each vertex counted to the bone whose capsule it is nearest to."""
    hand = closing_skin(model).hand
    gaps = np.full(len(model.names) + 1, np.inf)
    sparse = model.skin is not None and model.skin.between is not None and bool(model.skin.between.any())
    spacing = SKIN_SPACING * hand.reach if sparse else np.inf
    box = FrameBox(surface.T_world_frame, surface.surface.low - NEAR, surface.surface.high + NEAR)
    place, radius = T_world_hand[:3, 3], 1.6 * hand.reach
    points = shown_vertices(skins, depsgraph, centre=place, radius=radius, box=box, spacing=spacing)
    if not len(points):
        return Gaps(gaps, model)
    distances = surface.distance(points)
    cell = surface.surface.box.cell
    near = np.flatnonzero(distances < NEAR + cell)
    if not len(near):
        return Gaps(gaps, model)
    points, distances = points[near], distances[near]
    every = np.arange(len(hand.volumes.joints))
    frames = joint_frames(model.articulation, angles[None])
    blocks = place_volumes(hand.volumes, every, frames, T_world_hand[None, :3])
    away = blocks.distances(np.zeros(len(points), dtype=np.int64), points)
    mine = np.flatnonzero(_of_hand(model, points, away, angles, T_world_hand))
    if not len(mine):
        return Gaps(gaps, model)
    points, distances, away = points[mine], distances[mine], away[mine]
    owners = hand.volumes.joints[np.argmin(away, axis=1)]
    np.minimum.at(gaps, owners, distances)
    # Those that may be a bone's nearest are measured exactly: grids are about a cell off away from the surface.
    lowest = gaps[owners]
    asked = np.flatnonzero(distances < lowest + np.where(lowest < EXACT * cell, _OFF, cell))
    distances[asked] = surface.exact_distance(points[asked])
    gaps[:] = np.inf
    np.minimum.at(gaps, owners, distances)
    return Gaps(gaps, model, _shared(model, hand.volumes.joints, away, owners, distances))


def _of_hand(
    model: HandModel, points: FloatArray, away: FloatArray, angles: FloatArray, T_world_hand: FloatArray
) -> BoolArray:
    """Whether shown skin is the hand's or its arm's, and not that of a body beside which the hand hangs. Shape (n,).

    Args:
        model: The hand.
        points: Shown skin in the world in [m]. Shape (n, 3).
        away: Distances in [m] of the points from the hand's capsules. Shape (n, k).
        angles: Posture in [rad]. Shape (m, 3).
        T_world_hand: The hand's frame. Shape (4, 4).
    """
    beside = BESIDE * model.palm_width
    # What lies behind the wrist is the forearm.
    before = (points - T_world_hand[:3, 3]) @ T_world_hand[:3, 2] > 0.0
    mine = ~before | (away.min(axis=1) <= beside)
    rows = np.flatnonzero(~mine)
    if len(rows):
        fine = closing_skin(model).fine
        places = fine.all_positions(fine.motions(angles[None], T_world_hand[None, :3]))[0]
        for chunk in np.array_split(rows, len(rows) // _CHUNK + 1):
            off = np.linalg.norm(points[chunk, None] - places, axis=2).min(axis=1)
            mine[chunk] = off <= beside
    return mine


def _shared(
    model: HandModel, joints: IntArray, away: FloatArray, owners: IntArray, distances: FloatArray
) -> FloatArray:
    """Deepest skin of palm and knuckles, counted to every finger that is about as near as the nearest. Shape (f,).

    Skin between two fingers, or before a knuckle, moves with fingers other than the one it is nearest to.

    Args:
        model: The hand.
        joints: Joint of each capsule. Shape (k,).
        away: Distances in [m] of vertices from the capsules. Shape (n, k).
        owners: Joint that each vertex is nearest to, -1 for the palm. Shape (n,).
        distances: Distances in [m] of the vertices from the object. Shape (n,).
    """
    found = np.full(len(model.fingers), np.inf)
    roots = {-1, *(j for j, kind in enumerate(model.kinds) if kind == "metacarpal")}
    roots |= {model.joints(finger)[0] for finger in model.fingers}
    deep = np.flatnonzero(distances < 0.0)
    web = deep[np.isin(owners[deep], sorted(roots))]
    if not len(web):
        return found
    for number, finger in enumerate(model.fingers):
        mine = np.flatnonzero(np.isin(joints, model.joints(finger)))
        near = away[np.ix_(web, mine)].min(axis=1) < away[web].min(axis=1) + WEB * model.palm_width
        found[number] = distances[web[near]].min(initial=np.inf)
    return found


def report_fingers(gaps: Gaps, closed: BoolArray, stopped_by: IntArray) -> tuple[FingerReport, ...]:
    """One line for every finger.

    Args:
        gaps: Where its skin is.
        closed: Which were asked to close. Shape (f,).
        stopped_by: What stopped each joint, as in the solver. Shape (m,).
    """
    model = gaps.model
    out: list[FingerReport] = []
    for number, name in enumerate(model.fingers):
        joints = model.joints(name)
        gap = gaps.of_finger(number)
        bones = tuple(model.names[j] for j in joints if gaps.by_bone[j] <= TOUCHING)
        stopped = bool((stopped_by[joints] == OBJECT).any())
        out.append(FingerReport(name, bool(closed[number]), gap <= TOUCHING, 1e3 * gap, bones, stopped))
    return tuple(out)


@dataclass(frozen=True)
class Contact:
    """A bone's skin on the object."""

    finger: str
    """Finger of the bone; "palm" for the palm."""
    bone: str
    """The bone."""
    point: tuple[float, float, float]
    """Where, in the world in [m]."""
    normal: tuple[float, float, float]
    """The object's outward normal there."""
    distance_mm: float
    """Distance of the skin in millimetres; negative is depth."""


def contact_points(model: HandModel, pose: HandPose, surface: WorldSurface) -> list[Contact]:
    """Where the bones of a hand touch an object, by the skin as it is computed."""
    wrists = pose.T_world_hand[None, :3]
    near = measure_near(closing_skin(model).fine, pose.angles[None], wrists, surface.exact_distance, within=NEAR)
    rows = np.flatnonzero(near.gaps[0] <= TOUCHING)
    if not len(rows):
        return []
    found = surface.closest(near.points[0, rows])
    out: list[Contact] = []
    for row, place, normal in zip(rows.tolist(), found.points.tolist(), found.normals.tolist(), strict=True):
        palm = row == len(model.names)
        finger = "palm" if palm else model.fingers[int(model.finger_of[row])]
        bone = model.binding.wrist if palm else model.names[row]
        out.append(Contact(finger, bone, tuple(place), tuple(normal), 1e3 * float(near.gaps[0, row])))
    return out
