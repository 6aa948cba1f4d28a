# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a benchmark gives: a table with a sentence or two below it."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Column:
    """A column of the table and a key of the file."""

    key: str
    """Key of the rows' values, with its unit."""
    title: str
    """Heading."""
    form: str = ".1f"
    """How a number is printed."""


@dataclass
class Report:
    """Rows of figures; a row without figures carries the reason as its "note"."""

    name: str
    """The benchmark's."""
    title: str
    """What was measured, in one line."""
    columns: Sequence[Column]
    """The first one names the row."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Sentences below the table."""

    def text(self) -> str:
        """The table for people."""
        cells = [[each.title for each in self.columns]]
        cells += [[_cell(row, each) for each in self.columns] for row in self.rows]
        widths = [max(len(line[i]) for line in cells) for i in range(len(self.columns))]
        lines = [f"\n{self.title}\n"]
        for number, line in enumerate(cells):
            numbers = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))  # noqa: B905 (older Pythons)
            text = "  ".join([line[0].ljust(widths[0]), *numbers]).rstrip()
            note = self.rows[number - 1].get("note", "") if number else ""
            lines.append(f"{text}  {note}".rstrip())
        return "\n".join([*lines, "", *self.notes])

    def json(self) -> str:
        """The same for programs."""
        facts = {
            "schema_version": 1,
            "bench": self.name,
            "title": self.title,
            "date": time.strftime("%Y-%m-%d"),
            "machine": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
            "rows": self.rows,
            "notes": self.notes,
        }
        return json.dumps(facts, indent=2) + "\n"


def _cell(row: dict[str, Any], column: Column) -> str:
    value = row.get(column.key)
    if value is None:
        return "-"
    return value if isinstance(value, str) else format(value, column.form)
