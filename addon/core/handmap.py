# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones of an armature make up one hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from .errors import PrehendError

FINGER_NAMES = ("thumb", "index", "middle", "ring", "pinky")
"""Anatomical names; hands with other fingers use any other names."""


class HandMapError(PrehendError):
    """A stored hand map cannot be read."""


@dataclass(frozen=True)
class FingerMap:
    """The bones of one finger."""

    name: str
    """"thumb", "index", ... or any other name, unique within the hand."""
    chain: tuple[str, ...]
    """Bones that bend, root first. A thumb's chain starts with its metacarpal."""
    metacarpal: str | None = None
    """Bone inside the palm that carries the chain, if the rig has one."""
    tip: str | None = None
    """Bone whose head marks the fingertip, if the rig has one."""
    deform: tuple[str, ...] = ()
    """Bones that follow `chain` and deform the skin, one each; empty where the chain itself deforms."""


@dataclass(frozen=True)
class HandMap:
    """The bones of one hand of one armature."""

    side: str
    """"L", "R", or "" when unknown."""
    wrist: str
    """Root bone of the hand."""
    fingers: tuple[FingerMap, ...]
    """Thumb first where there is one, then across the palm."""
    convention: str = ""
    """Key of the naming convention that matched, "structure" when found by shape."""
    confidence: float = 1.0
    """0 (a guess) to 1 (certain)."""
    notes: tuple[str, ...] = ()
    """Why the map is unsure, one sentence each."""

    def bones(self) -> Iterator[str]:
        """All bones that the map names, wrist first."""
        yield self.wrist
        for finger in self.fingers:
            if finger.metacarpal is not None:
                yield finger.metacarpal
            yield from finger.chain
            if finger.tip is not None:
                yield finger.tip

    def finger(self, name: str) -> FingerMap:
        """A finger by name."""
        return next(finger for finger in self.fingers if finger.name == name)


def to_json(hand: HandMap) -> dict[str, Any]:
    """A hand map as plain data."""
    return {"schema_version": 1, **asdict(hand)}


def from_json(data: dict[str, Any]) -> HandMap:
    """A hand map from plain data.

    Raises:
        HandMapError: A field is missing, unknown or of the wrong kind.
    """
    fields = dict(data)
    if fields.pop("schema_version", None) != 1:
        raise HandMapError("This hand map was saved by another version of Prehend; detect the hand again.")
    try:
        fields["fingers"] = tuple(FingerMap(**_with_tuples(finger, "chain", "deform")) for finger in fields["fingers"])
        return HandMap(**_with_tuples(fields, "notes"))
    except (KeyError, TypeError, AttributeError) as error:
        raise HandMapError("The stored hand map is damaged; detect the hand again.") from error


def _with_tuples(fields: dict[str, Any], *names: str) -> dict[str, Any]:
    """JSON knows lists only; the frozen records hold tuples."""
    return {key: tuple(value) if key in names else value for key, value in fields.items()}
