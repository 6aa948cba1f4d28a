# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Naming conventions: templates of the names that tools give to the bones of a hand, one TOML file each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from .toml import SCHEMA_VERSION, PresetError, check_keys, load_toml

RIGS_FOLDER = Path(__file__).parent / "rigs"

LAYERS = ("mechanism", "deform", "control")
"""What bones are for, least wanted first: where several layers lie on each other, controls are what one poses."""

_REQUIRED = {"title", "hand", "fingers"}
_OPTIONAL = {"notes", "layer", "prefix", "sides", "aliases"}
_FINGER_OPTIONAL = {"metacarpal", "tip", "optional"}


@dataclass(frozen=True)
class FingerTemplate:
    """Name templates of one finger's bones."""

    chain: tuple[str, ...]
    """Bones that bend, root first."""
    metacarpal: str | None = None
    """Bone inside the palm."""
    tip: str | None = None
    """Bone at the fingertip."""
    optional: bool = False
    """Whether some hands of this kind do without the finger."""

    def count(self) -> int:
        """How many names the template holds."""
        return len(self.chain) + (self.metacarpal is not None) + (self.tip is not None)


@dataclass(frozen=True)
class Convention:
    """Names of the bones of one kind of rig."""

    key: str
    """Short name, unique among the conventions."""
    title: str
    """Name shown to the user."""
    hand: str
    """Template of the wrist bone."""
    fingers: Mapping[str, FingerTemplate]
    """Templates by finger name, thumb first."""
    sides: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: {"": {}})
    """What the placeholders stand for, by "L" and "R"; "" alone where names carry no side."""
    prefix: str = ""
    """What usually stands before every name; other prefixes match too, less surely."""
    layer: str = "deform"
    """One of `LAYERS`."""
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {})
    """Other spellings of parts of names."""

    def spellings(self, template: str, side: str) -> list[str]:
        """The names that a template stands for on one side, the usual one first."""
        name = template
        for placeholder, value in self.sides[side].items():
            name = name.replace("{" + placeholder + "}", value)
        names = [name]
        for part, others in self.aliases.items():
            names += [name.replace(part, other) for other in others if part in name]
        return names

    def count(self) -> int:
        """How many names the convention holds for one hand."""
        return 1 + sum(finger.count() for finger in self.fingers.values())


def load_conventions(*folders: Path) -> list[Convention]:
    """The conventions that ship with Prehend and those in further folders; a later one of the same key wins.

    Raises:
        PresetError: A file is malformed.
    """
    found: dict[str, Convention] = {}
    for folder in (RIGS_FOLDER, *folders):
        for path in sorted(folder.glob("*.toml")):
            found[path.stem] = load_convention(path)
    return list(found.values())


def load_convention(path: Path) -> Convention:
    """A convention from its file; the file's name without its ending is the key.

    Raises:
        PresetError: The file is no TOML, lacks a key, has an unknown one or a value of the wrong kind.
    """
    name, data = path.name, load_toml(path)
    check_keys(name, data, required=_REQUIRED, optional=_OPTIONAL)
    layer = _text(name, data, "layer", default="deform")
    if layer not in LAYERS:
        raise PresetError(f"'{name}' has the layer '{layer}'; known are {', '.join(LAYERS)}.")
    fingers, aliases = _table(name, data, "fingers"), _table(name, data, "aliases")
    return Convention(
        key=path.stem,
        title=_text(name, data, "title"),
        hand=_text(name, data, "hand"),
        fingers={finger: _read_finger(f"{name}: {finger}", _table(name, fingers, finger)) for finger in fingers},
        sides=_read_sides(name, data),
        prefix=_text(name, data, "prefix", default=""),
        layer=layer,
        aliases={part: _texts(name, aliases, part) for part in aliases},
    )


def dump_convention(convention: Convention, *, source: str, license_id: str) -> str:
    """A convention as the text of its TOML file, which `load_convention` reads back."""
    lines = [f"schema_version = {SCHEMA_VERSION}", f"title = {_quote(convention.title)}", f"source = {_quote(source)}"]
    lines += [f"license = {_quote(license_id)}", f"layer = {_quote(convention.layer)}"]
    lines += [f"prefix = {_quote(convention.prefix)}"] if convention.prefix else []
    lines.append(f"hand = {_quote(convention.hand)}")
    if "" not in convention.sides:
        lines += ["", "[sides]"]
        for side, values in convention.sides.items():
            lines.append(f"{side} = {{ {', '.join(f'{key} = {_quote(value)}' for key, value in values.items())} }}")
    if convention.aliases:
        lines += ["", "[aliases]"]
        lines += [f"{_quote(part)} = {_quote_all(others)}" for part, others in convention.aliases.items()]
    for name, finger in convention.fingers.items():
        lines += ["", f"[fingers.{_quote(name)}]"]
        lines += [f"metacarpal = {_quote(finger.metacarpal)}"] if finger.metacarpal is not None else []
        lines.append(f"chain = {_quote_all(finger.chain)}")
        lines += [f"tip = {_quote(finger.tip)}"] if finger.tip is not None else []
        lines += ["optional = true"] if finger.optional else []
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    # TOML's basic strings are JSON's, except that DEL has to be escaped as well.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _quote_all(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(_quote(text) for text in texts)}]"


def _read_finger(name: str, data: dict[str, Any]) -> FingerTemplate:
    check_keys(name, data, required={"chain"}, optional=_FINGER_OPTIONAL, header=False)
    return FingerTemplate(
        chain=_texts(name, data, "chain"),
        metacarpal=_text(name, data, "metacarpal") if "metacarpal" in data else None,
        tip=_text(name, data, "tip") if "tip" in data else None,
        optional=data.get("optional", False) is True,
    )


def _read_sides(name: str, data: dict[str, Any]) -> dict[str, dict[str, str]]:
    if "sides" not in data:
        return {"": {}}
    sides = _table(name, data, "sides")
    check_keys(f"{name}: sides", sides, required={"L", "R"}, optional=set(), header=False)
    tables = {side: _table(name, sides, side) for side in sides}
    return {side: {key: _text(name, table, key) for key in table} for side, table in tables.items()}


def _text(name: str, data: dict[str, Any], key: str, *, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise PresetError(f"'{name}': {key} has to be a text.")
    return value


def _texts(name: str, data: dict[str, Any], key: str) -> tuple[str, ...]:
    values = data.get(key)
    if isinstance(values, list):
        texts = cast("list[object]", values)
        if texts and all(isinstance(text, str) for text in texts):
            return tuple(str(text) for text in texts)
    raise PresetError(f"'{name}': {key} has to be a list of texts.")


def _table(name: str, data: dict[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise PresetError(f"'{name}': {key} has to be a table.")
    return cast("dict[str, Any]", value)
