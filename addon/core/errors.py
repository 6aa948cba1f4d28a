# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors that tell a user in one sentence what is wrong and what to do."""

from __future__ import annotations


class PrehendError(Exception):
    """Base of all errors that come from input, not from a bug."""


class ShapeError(PrehendError):
    """An array does not have the shape that its field documents."""

    def __init__(self, name: str, *, expected: tuple[int, ...], found: tuple[int, ...]) -> None:
        """Keep the field's name and both shapes."""
        super().__init__(f"Array '{name}' has shape {found}, expected {expected} (-1 is any length).")
        self.name = name
        self.expected = expected
        self.found = found


class UnknownChoiceError(PrehendError):
    """A name was given that is not one of the choices."""

    def __init__(self, kind: str, given: str, choices: tuple[str, ...]) -> None:
        """Keep what was asked for and what there is."""
        super().__init__(f"There is no {kind} '{given}'. Available: {', '.join(choices)}.")
        self.kind = kind
        self.given = given
        self.choices = choices


class OutputError(PrehendError):
    """A result could not be written where it was asked for."""
