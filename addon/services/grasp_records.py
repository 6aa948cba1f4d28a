# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasps as they are kept with a prop: JSON that another file, another character and the other hand can use."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.movements import hand_size
from ..hands.preshape import Preshape
from ..presets.movements import load_movements
from ..solvers.search import Candidate
from .grasp_problem import GraspProblem
from .surfaces import WorldSurface

GRASPS_KEY = "prehend_grasps"
"""Custom property of the prop: its grasps as JSON."""
SCHEMA_VERSION = 1
_MIRROR_SAMPLES = 300


class GraspRecordError(PrehendError):
    """Kept grasps are missing or damaged."""


@dataclass(frozen=True)
class GraspRecord:
    """One grasp of a prop."""

    movement: str
    """Key of the movement."""
    side: str
    """Which hand: "L", "R" or "" for a gripper."""
    wrist: tuple[tuple[float, ...], ...]
    """The hand's frame in the prop's own frame, rows of a 3 by 4 matrix in [m]."""
    hand_size: float
    """Palm width in [m] of the hand that it was found for."""
    hook: tuple[float, float, float]
    """Where the prop is taken, in its frame in [m]."""
    score: float
    """What it was ranked by."""
    terms: dict[str, float]
    """What the score is made of."""
    touching: tuple[str, ...]
    """Bones that touched."""
    deepest_mm: float
    """How deep the deepest skin was."""
    reason: str = ""
    """Why this movement was tried here."""
    preshape: Preshape | None = None
    """How fingers are curled before they close; None where they begin open."""
    picture: str = ""
    """A small picture, as `grasp_pictures` makes and reads it."""

    def hand_frame(self, surface: WorldSurface, model: HandModel) -> FloatArray:
        """Where a hand has to be for this grasp. Shape (4, 4).

        Args:
            surface: The prop where it is.
            model: The hand, of any size; one of the other side takes the mirrored grasp.
        """
        wrist = np.vstack([np.array(self.wrist), [0.0, 0.0, 0.0, 1.0]])
        hook = np.array(self.hook)
        if self.side and model.side and self.side != model.side:
            point, normal = symmetry_plane(surface)
            wrist = _mirrored(wrist, point, normal)
            hook = hook - 2.0 * float((hook - point) @ normal) * normal
        # A larger hand stands back, a smaller one comes nearer: the grasp is as wide as the hand.
        scale = hand_size(model) / self.hand_size
        wrist[:3, 3] = hook + scale * (wrist[:3, 3] - hook)
        return surface.T_world_frame @ wrist


def symmetry_plane(surface: WorldSurface) -> tuple[FloatArray, FloatArray]:
    """A point of the plane in which a prop is most nearly its own mirror image, and its normal, in the prop's frame.

    Planes through the middle are compared by how far the mirrored vertices lie off the surface, along the frame's own
    axes and along the directions in which the prop is long and flat.
    """
    points = surface.vertices[:: max(len(surface.vertices) // _MIRROR_SAMPLES, 1)]
    middle = 0.5 * (surface.surface.low + surface.surface.high)
    _, _, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    normals = np.concatenate([np.eye(3), axes])
    # Mirrors that stand upright are meant where others are as good.
    upright = surface.T_world_frame[2, :3]
    costs = [
        float(np.abs(surface.surface.exact_distance(points - 2.0 * ((points - middle) @ n)[:, None] * n)).mean())
        + 1e-4 * abs(float(n @ upright))
        for n in normals
    ]
    return middle, normals[int(np.argmin(costs))]


def _mirrored(wrist: FloatArray, point: FloatArray, normal: FloatArray) -> FloatArray:
    """The other hand's frame, seen in a mirror.

    The mirror swaps left and right; a hand's own x axis points to the thumb on one side and away from it on the other,
    so the mirrored frame is made right-handed again by turning its x axis round.
    """
    flip = np.eye(3) - 2.0 * np.outer(normal, normal)
    out = np.eye(4)
    out[:3, :3] = flip @ wrist[:3, :3] @ np.diag([-1.0, 1.0, 1.0])
    out[:3, 3] = point + flip @ (wrist[:3, 3] - point)
    return out


def record_candidate(
    candidate: Candidate,
    problem: GraspProblem,
    model: HandModel,
    surface: WorldSurface,
    prop: Any,
    hand: HandMap,
) -> GraspRecord:
    """A candidate in the form that is kept."""
    attempt = problem.problem.attempts[candidate.attempt]
    touching = [name for name, gap in zip(model.names, candidate.gaps[:-1], strict=True) if gap <= 2e-4]
    return GraspRecord(
        movement=problem.movements[candidate.attempt].key,
        side=model.side,
        wrist=tuple(tuple(float(value) for value in row) for row in candidate.wrist),
        hand_size=hand_size(model),
        hook=(float(attempt.hook[0]), float(attempt.hook[1]), float(attempt.hook[2])),
        score=candidate.score,
        terms={name: float(value) for name, value in candidate.terms.items() if np.isfinite(value)},
        touching=tuple(touching),
        deepest_mm=max(0.0, -1e3 * float(candidate.gaps.min())),
        reason=problem.reasons[candidate.attempt],
        preshape=problem.preshapes[candidate.attempt],
    )


def _preshape(entry: dict[str, Any] | None) -> Preshape | None:
    if entry is None:
        return None
    return Preshape(float(entry["knuckle_deg"]), float(entry["curl_deg"]), int(entry["fingers"]))


def store_candidates(prop: Any, records: list[GraspRecord], chosen: int) -> None:
    """Keep grasps with a prop, with the one that is shown."""
    entry = {"schema_version": SCHEMA_VERSION, "chosen": chosen, "grasps": [asdict(each) for each in records]}
    prop[GRASPS_KEY] = json.dumps(entry)


def has_grasps(prop: Any) -> bool:
    """Whether anything is kept with a prop; it may still turn out to be damaged."""
    return prop.get(GRASPS_KEY) is not None


def load_candidates(prop: Any) -> tuple[list[GraspRecord], int]:
    """The grasps that are kept with a prop, and which of them is shown.

    Raises:
        GraspRecordError: There are none, or they cannot be read.
    """
    text = prop.get(GRASPS_KEY) if prop is not None else None
    if text is None:
        name = f"'{prop.name}'" if prop is not None else "The prop"
        raise GraspRecordError(f"{name} has no kept grasps: press Grasp first.")
    try:
        entry = json.loads(str(text))
        records = [
            GraspRecord(
                **{
                    **each,
                    "wrist": tuple(tuple(map(float, row)) for row in each["wrist"]),
                    "hook": tuple(each["hook"]),
                    "touching": tuple(each["touching"]),
                    "preshape": _preshape(each.get("preshape")),
                }
            )
            for each in entry["grasps"]
        ]
        chosen = int(entry["chosen"])
        if entry["schema_version"] != SCHEMA_VERSION or not records or not 0 <= chosen < len(records):
            raise ValueError(entry["schema_version"])
        for each in records:
            numbers = np.array([*(value for row in each.wrist for value in row), *each.hook, each.hand_size])
            if [len(row) for row in each.wrist] != [4, 4, 4] or len(each.hook) != 3 or not each.hand_size > 0.0:
                raise ValueError(each.wrist)
            if not np.isfinite(numbers).all():
                raise ValueError(each.wrist)
    except (ValueError, TypeError, KeyError) as error:
        raise GraspRecordError(f"The grasps kept with '{prop.name}' are damaged: press Grasp again.") from error
    return records, chosen


def movement_titles() -> dict[str, str]:
    """What movements are called for people, by key."""
    return {key: each.title for key, each in load_movements().items()}
