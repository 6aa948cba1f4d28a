# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Other people's tools, each in its own environment, made when first needed and spoken to in JSON."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from launcher.environments import Environment, ensure
from launcher.errors import SetupError

_MINUTES = 10


@dataclass(frozen=True)
class Peer:
    """A package and the script that drives it."""

    name: str
    """Shown in the table."""
    script: str
    """File beside this one; reads JSON from its input and prints JSON."""
    requirements: tuple[str, ...]
    """What pip installs."""
    python: tuple[int, int] = (3, 11)
    """Version of Python that it installs on."""
    most: int = 1_000_000
    """How many tasks it gets at most, for one that takes minutes."""

    @property
    def environment(self) -> Environment:
        """Where it is installed."""
        return Environment(f"bench-{self.script.rpartition('.')[0].replace('_', '-')}", self.python, self.requirements)


def ask(peer: Peer, question: dict[str, Any]) -> dict[str, Any]:
    """The peer's answer.

    Raises:
        SetupError: It could not be installed or gave none; one sentence says why.
    """
    python = ensure(peer.environment)
    script = Path(__file__).resolve().parent / peer.script
    try:
        done = subprocess.run(
            [str(python), str(script)],
            input=json.dumps(question),
            capture_output=True,
            text=True,
            check=False,
            timeout=60 * _MINUTES,
        )
    except subprocess.TimeoutExpired as error:
        raise SetupError(f"{peer.name} gave no answer within {_MINUTES} minutes.") from error
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        last = done.stderr.strip().splitlines()[-1:] or ["it gave no reason"]
        raise SetupError(f"{peer.name} stopped: {last[0]}")
    return json.loads(lines[-1])
