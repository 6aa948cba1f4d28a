# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user asks for when a grasp is animated, and what comes of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..core.errors import PrehendError, UnknownChoiceError
from ..rig.actions import LAYER, NEW
from ..solvers.animation import Durations, Frames

KEYS, CHILD_OF, PARENT = "KEYS", "CHILD_OF", "PARENT"
AUTO, BACK, POSE = "AUTO", "BACK", "POSE"
STAND_BACK = 0.16
"""How far in [m] a hand of the usual size stands back before it comes."""
CHOICES = {"attach": (KEYS, CHILD_OF, PARENT), "existing": (NEW, LAYER), "begin": (AUTO, BACK, POSE)}


class AnimationError(PrehendError):
    """A grasp that cannot be animated, and what to do about it."""


@dataclass(frozen=True)
class AnimationRequest:
    """How to animate."""

    start: int = 1
    """First frame."""
    durations: Durations = field(default_factory=Durations)
    """Frames of each part."""
    overlap: float = 0.2
    """How much later the last finger comes than the first, as part of closing; negative for earlier."""
    delays: tuple[int, ...] = ()
    """Frames by which each finger, thumb first, closes later than the first and opens earlier than the last; zeros
    leave that to the overlap."""
    smooth: bool = True
    """Whether motions ease in and out."""
    begin: str = AUTO
    """Where the hand comes from and goes to: standing back, the pose that the armature has there without it (its rest
    where nothing is keyed), or that pose only where the wrist is animated already."""
    back: float = STAND_BACK
    """How far in [m] a hand of the usual size stands back; others by their size."""
    lift: float = 0.05
    """How far in [m] the prop is lifted where it is carried."""
    lifts: bool = False
    """Whether it is lifted and put down again where nothing tells where to carry it."""
    path_here: bool = False
    """Whether a path is shifted to begin where the prop is, instead of the prop going to its start first."""
    releases: bool = True
    """Whether the hand lets go and leaves."""
    attach: str = KEYS
    """How the prop follows."""
    existing: str = NEW
    """What becomes of present animation."""
    bake: bool = False
    """Whether every frame is keyed."""
    movement: str = "auto"
    """Key of the movement that the hand opens with; "auto" takes what it was closed with."""
    add: bool = False
    """Whether another animation of the same hand and prop is added, instead of making the last one anew."""

    def __post_init__(self) -> None:
        """Check the choices.

        Raises:
            UnknownChoiceError: There is no such choice.
        """
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise UnknownChoiceError(name, getattr(self, name), choices)

    def to_json(self) -> dict[str, Any]:
        """In a form that can be kept."""
        return asdict(self)


def to_frames(seconds: float, scene: Any) -> int:
    """Whole frames of a time in [s] at the scene's rate, one at least."""
    rate = scene.render.fps / scene.render.fps_base
    return max(round(seconds * rate), 1)


@dataclass(frozen=True)
class AnimationReport:
    """What became of an animation, as Blender shows it frame by frame."""

    hand: str
    """Wrist bone."""
    prop: str
    """Name of the prop."""
    frames: Frames
    """When what happens."""
    deepest_mm: float
    """Depth of the deepest skin at any frame in millimetres."""
    deepest_frame: int
    """Where that is."""
    drift_mm: float
    """How far fingertips move on the prop while it is held, in millimetres."""
    jump_mm: float
    """How far the prop moves where it should be still, in millimetres."""
    bones: int
    """Bones that are keyed."""
    keys: int
    """Poses that were set, over all bones."""
    added: int
    """Frames at which poses were added to stay clear."""
    notes: tuple[str, ...] = ()
    """What a user should know, one sentence each."""

    def sentence(self) -> str:
        """The result in one line."""
        text = (
            f"{self.hand} takes {self.prop}, frames {self.frames.approach} to {self.frames.away}: {self.bones} bones "
            f"keyed, deepest {self.deepest_mm:.2f} mm"
        )
        return "; ".join([text, *(note.rstrip(".") for note in self.notes)])
