# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command puts out: folders tried before the work and filled at once after it, and a quiet Blender."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from .errors import SetupError


def check_folder(folder: Path, *, option: str = "--out") -> None:
    """See that files can be written into `folder`, which need not exist yet; leaves nothing behind.

    Args:
        folder: The folder.
        option: What the user gave it with, for the message.

    Raises:
        SetupError: They cannot.
    """
    existing = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    if not existing.is_dir():
        raise SetupError(f"{existing} is a file, not a folder: choose another {option}.")
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        raise SetupError(f"{existing} cannot be written ({error.strerror}): choose another {option}.") from error


def check_new(paths: Iterable[Path], *, overwrite: bool) -> None:
    """See that files that a command would write do not exist, before it works for long.

    Args:
        paths: The files.
        overwrite: Whether they may be replaced.

    Raises:
        SetupError: One exists.
    """
    there = [path for path in paths if path.exists()]
    if there and not overwrite:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        verb = "exist" if more else "exists"
        raise SetupError(f"{there[0]}{more} {verb}: choose another --out, or add --overwrite to replace.")


def add_overwrite(parser: argparse.ArgumentParser, what: str = "files") -> None:
    """The option that lets a command replace files."""
    parser.add_argument(
        "--overwrite", action="store_true", help=f"replace {what} already there (default: refuse, before any work)"
    )


@contextlib.contextmanager
def staged(folder: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A folder to write into; its files move to `folder` when the block succeeds, else they are gone.

    Args:
        folder: Where the files go; folders in the stage become folders there.
        overwrite: Whether files that exist are replaced.

    Raises:
        SetupError: The files cannot be written, or exist and must not be replaced.
    """
    check_folder(folder)
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Inside the target, so that moving is a rename on the same disk.
        stage = Path(tempfile.mkdtemp(prefix=".partial-", dir=folder))
        try:
            yield stage
            moves = [(path, folder / path.relative_to(stage)) for path in sorted(stage.rglob("*")) if not path.is_dir()]
            # Once more: somebody may have written there meanwhile.
            check_new((target for _, target in moves), overwrite=overwrite)
            for path, target in moves:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(path, target)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
    except BaseException as error:
        for each in made:
            with contextlib.suppress(OSError):
                each.rmdir()
        if isinstance(error, OSError):
            raise SetupError(f"{folder} cannot be written ({error.strerror}): choose another --out.") from error
        raise


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep the lines that Blender and its importers print, partly past Python, off the screen."""
    sys.stdout.flush()
    sys.stderr.flush()
    saved = [os.dup(stream) for stream in (1, 2)]
    swallowed = io.StringIO()
    try:
        with open(os.devnull, "w") as nothing:
            for stream in (1, 2):
                os.dup2(nothing.fileno(), stream)
            with contextlib.redirect_stdout(swallowed), contextlib.redirect_stderr(swallowed):
                yield
    finally:
        for stream, copy in zip((1, 2), saved):  # noqa: B905 (read by older Pythons too)
            os.dup2(copy, stream)
            os.close(copy)
