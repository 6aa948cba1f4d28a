# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: parses, then runs the command here if Blender is at hand, else in an environment that has it."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from .environments import blender_environment, ensure
from .errors import BAD_INPUT, SetupError
from .interpreters import find_python
from .libraries import explain
from .wheels import PREFERRED, WHEELS, Wheel, wheel

COMMANDS = ("demo", "detect", "close", "grasp", "poses", "export", "turntable", "build", "bench")
_INSIDE = "PREHEND_INSIDE"


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is, and exit with 2."""
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see '{self.prog} --help'.\n")


def main() -> int:
    """Run the command line and give its exit code."""
    try:
        return _main(_arguments())
    except SetupError as error:
        print(f"prehend: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; Python must not complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("prehend: stopped.", file=sys.stderr)
        return 130


def leave(code: int) -> NoReturn:
    """End the process; with Blender as a Python module at once, as its own clean-up now and then waits for ever."""
    bpy = sys.modules.get("bpy")
    if bpy is not None and not bpy.app.binary_path:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _main(arguments: list[str]) -> int:
    # The name is looked up before argparse does, whose own message spells all choices as a Python list.
    name = next((each for each in arguments if not each.startswith("-")), None)
    if name is not None and name not in COMMANDS:
        raise SetupError(f"there is no command '{name}'; the commands are {', '.join(COMMANDS)}.")
    arguments = joined_numbers(arguments)
    options = _parser().parse_args(arguments)
    command = _command(options.command)
    command.check(options)
    if _has_blender():
        return _run_here(command, options)
    return _run_in_environment(options.wheel, arguments)


def joined_numbers(arguments: list[str]) -> list[str]:
    """Arguments with lists of numbers that begin with a minus joined to their options.

    `--hook -0.1,0,0` would be read as two options, as argparse knows single negative numbers only.
    """
    out: list[str] = []
    for each in arguments:
        if out and out[-1].startswith("--") and "=" not in out[-1] and re.match(r"-[\d.][^,]*,", each):
            out[-1] = f"{out[-1]}={each}"
        else:
            out.append(each)
    return out


def _arguments() -> list[str]:
    """Arguments meant for this program: inside Blender those after `--`."""
    if "bpy" in sys.modules:
        return sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    return sys.argv[1:]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="prehend", description="Hand posing and grasp authoring, without a window.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        command = _command(name)
        sub = commands.add_parser(name, help=command.HELP, description=command.HELP)
        sub.add_argument(
            "--wheel", choices=[each.series for each in WHEELS], help="Blender version to run in (default: newest LTS)"
        )
        command.add_arguments(sub)
    return parser


def _command(name: str) -> ModuleType:
    return importlib.import_module(f"commands.{name}")


def _has_blender() -> bool:
    try:
        import bpy  # noqa: F401 (asked for, not used)
    except ImportError as error:
        if os.environ.get(_INSIDE):
            raise SetupError(explain(str(error))) from error
        return False
    return True


def _run_here(command: ModuleType, options: argparse.Namespace) -> int:
    from addon.core.errors import PrehendError

    try:
        return int(command.run(options) or 0)
    except PrehendError as error:
        raise SetupError(str(error)) from error


def _run_in_environment(series: str | None, arguments: list[str]) -> int:
    python = ensure(blender_environment(choose_wheel(series)))
    script = Path(__file__).resolve().parents[1] / "prehend.py"
    # Matrices here are small: further threads of numpy's would only wait for each other, and a batch has its own use
    # for the other cores.
    environ = {"OPENBLAS_NUM_THREADS": "1", **os.environ, _INSIDE: "1"}
    return subprocess.run([str(python), str(script), *arguments], env=environ, check=False).returncode


def choose_wheel(series: str | None) -> Wheel:
    """The asked-for wheel, else the newest long-term one that a Python on this machine fits, this one first.

    Raises:
        SetupError: No Python that any wheel installs on.
    """
    if series is not None:
        return wheel(series)
    preferred = [wheel(each) for each in PREFERRED]
    for each in preferred:
        if each.python == sys.version_info[:2]:
            return each
    for each in preferred:
        if find_python(each.python) is not None:
            return each
    wanted = " or ".join(".".join(map(str, each.python)) for each in preferred)
    raise SetupError(
        f"Python {wanted} is needed and none was found on PATH: install one (python.org or your system's package "
        f"manager, with its venv module) and run this again."
    )
