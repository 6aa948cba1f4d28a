# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts how much in the ranking of grasps: one number for every weight that the solver knows."""

from __future__ import annotations

import ast
import inspect
from dataclasses import fields
from itertools import pairwise
from typing import Any

import bpy

from ..solvers.search.problem import Weights


def _described() -> dict[str, str]:
    """The sentence that stands below each weight in the solver's source."""
    body = ast.parse(inspect.getsource(Weights)).body[0].body  # type: ignore[attr-defined]
    return {
        each.target.id: str(note.value.value).rstrip(".")
        for each, note in pairwise(body)
        if isinstance(each, ast.AnnAssign)
        and isinstance(each.target, ast.Name)
        and isinstance(note, ast.Expr)
        and isinstance(note.value, ast.Constant)
    }


def _properties() -> dict[str, Any]:
    sentences = _described()
    return {
        each.name: bpy.props.FloatProperty(
            name=each.name.replace("_", " ").title(),
            description=sentences.get(each.name, ""),
            default=float(each.default),  # type: ignore[arg-type]
            min=0.0,
            soft_max=max(3.0 * float(each.default), 1.0),  # type: ignore[arg-type]
        )
        for each in fields(Weights)
    }


PrehendWeights = type(
    "PrehendWeights",
    (bpy.types.PropertyGroup,),
    {"__doc__": "What counts how much in the ranking of grasps.", "__annotations__": _properties()},
)
NAMES = tuple(each.name for each in fields(Weights))
"""All weights, in the solver's order."""
CLASSES = (PrehendWeights,)
