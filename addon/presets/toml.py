# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading data files: one header for all, unknown keys refused."""

from __future__ import annotations

import tomllib
from importlib.resources.abc import Traversable
from typing import Any

from ..core.errors import PrehendError

SCHEMA_VERSION = 1
_HEADER = {"schema_version", "source", "license"}


class PresetError(PrehendError):
    """A data file is damaged or from another version."""


def load_toml(path: Traversable) -> dict[str, Any]:
    """Content of a TOML file.

    Raises:
        PresetError: The file cannot be parsed.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PresetError(f"{path.name} is not valid TOML: {error}.") from error


def check_keys(name: str, data: dict[str, Any], *, required: set[str], optional: set[str], header: bool = True) -> None:
    """Refuse a table that lacks a key, has one that nobody reads, or was written for another version.

    Raises:
        PresetError: One of these.
    """
    required = required | (_HEADER if header else set())
    missing, unknown = required - data.keys(), data.keys() - required - optional
    if missing or unknown:
        parts = [f"lacks {', '.join(sorted(missing))}"] if missing else []
        parts += [f"has the unknown {', '.join(sorted(unknown))}"] if unknown else []
        raise PresetError(f"'{name}' {' and '.join(parts)}.")
    if header and data["schema_version"] != SCHEMA_VERSION:
        raise PresetError(f"'{name}' has schema_version {data['schema_version']}; this Prehend reads {SCHEMA_VERSION}.")
