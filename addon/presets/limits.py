# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of joint limits, read from `hands/*.toml`."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

from ..core.errors import UnknownChoiceError
from ..core.limits import FINGER_JOINTS, THUMB_JOINTS, Coupling, LimitSet, NeighbourLimit, Range
from .toml import PresetError, check_keys, load_toml

FOLDER = Path(__file__).parent / "hands"
DEFAULT_LIMITS = "static"
CHANNELS = ("flexion_deg", "abduction_deg", "twist_deg")
"""Keys of a row, in the order of a joint's angles."""

_Row = tuple[Range | None, Range | None, Range | None]


def limit_sets() -> tuple[str, ...]:
    """Keys of all sets, the default first."""
    keys = {path.stem for path in FOLDER.glob("*.toml")}
    return (DEFAULT_LIMITS, *sorted(keys - {DEFAULT_LIMITS}))


@cache
def load_limits(key: str = DEFAULT_LIMITS) -> LimitSet:
    """A set of joint limits by key.

    Raises:
        UnknownChoiceError: There is no such set.
        PresetError: Its file is damaged.
    """
    if key not in limit_sets():
        raise UnknownChoiceError("set of joint limits", key, limit_sets())
    return parse_limits(key, load_toml(FOLDER / f"{key}.toml"))


def parse_limits(key: str, data: dict[str, Any]) -> LimitSet:
    """A set of joint limits from the content of its file.

    Raises:
        PresetError: A key is unknown or missing, or a range is none.
    """
    check_keys(key, data, required={"label", "limits"}, optional={"couplings", "neighbours"})
    try:
        return LimitSet(
            key=key,
            label=str(data["label"]),
            source=str(data["source"]),
            rows=_parse_rows(data["limits"]),
            couplings=tuple(Coupling(**row) for row in data.get("couplings", [])),
            neighbours=tuple(_parse_neighbour(dict(row)) for row in data.get("neighbours", [])),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PresetError(f"The joint limits '{key}' are damaged: {error}.") from error


def _parse_rows(limits: dict[str, dict[str, dict[str, Any]]]) -> dict[tuple[str, str], _Row]:
    rows: dict[tuple[str, str], _Row] = {}
    for finger, joints in limits.items():
        for joint, channels in joints.items():
            if joint not in (THUMB_JOINTS if finger == "thumb" else FINGER_JOINTS):
                raise ValueError(f"'{finger}' has no joint '{joint}'")
            required: set[str] = set(CHANNELS) if finger in ("thumb", "finger") else set()
            check_keys(f"{finger}.{joint}", channels, required=required, optional=set(CHANNELS), header=False)
            flexion, abduction, twist = (_radians(channels[c]) if c in channels else None for c in CHANNELS)
            rows[finger, joint] = (flexion, abduction, twist)
    for finger, joints in (("thumb", THUMB_JOINTS), ("finger", FINGER_JOINTS)):
        missing = [joint for joint in joints if (finger, joint) not in rows]
        if missing:
            raise ValueError(f"'{finger}' lacks {', '.join(missing)}")
    return rows


def _radians(value: Any) -> Range:
    low, high = (math.radians(float(angle)) for angle in value)
    if not low <= high:
        raise ValueError(f"{value} is no range")
    return low, high


def _parse_neighbour(row: dict[str, Any]) -> NeighbourLimit:
    return NeighbourLimit(difference=_radians(row.pop("difference_deg")), **row)
