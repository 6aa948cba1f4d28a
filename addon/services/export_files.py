# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that appear whole or not at all, and never in place of others unless asked to."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..core.errors import OutputError


def check_writable(paths: Sequence[Path], *, overwrite: bool) -> None:
    """See that files can be written, before any work is done.

    Raises:
        OutputError: A folder is missing or cannot be written, or a file exists and must not be replaced.
    """
    for path in paths:
        folder = path.absolute().parent
        if not folder.is_dir():
            raise OutputError(f"There is no folder {folder}: make it or choose another.")
        if path.is_dir():
            raise OutputError(f"{path} is a folder: give the name of a file.")
        if path.exists() and not overwrite:
            raise OutputError(f"{path} exists: choose another name or have it overwritten.")
        # A temporary file tells what neither permissions nor os.access do on all systems.
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise OutputError(f"{folder} cannot be written ({error.strerror}): choose another folder.") from error
        if path.exists() and not os.access(path, os.W_OK):
            raise OutputError(f"{path} is write-protected: choose another name.")


@contextmanager
def staged_files(folder: Path, *, overwrite: bool) -> Iterator[Path]:
    """A hidden folder beside the target; what is in it moves there when the block succeeds, else it is gone.

    Raises:
        OutputError: The files cannot be written, or one beside the wanted ones exists and must not be replaced.
    """
    try:
        # On the same disk, so that moving is a rename; the same file names, as files refer to each other by them.
        stage = Path(tempfile.mkdtemp(prefix=".prehend-", dir=folder))
    except OSError as error:
        raise OutputError(f"{folder} cannot be written ({error.strerror}): choose another folder.") from error
    try:
        yield stage
        made = sorted(path for path in stage.rglob("*") if path.is_file())
        targets = [folder / path.relative_to(stage) for path in made]
        there = next((path for path in targets if path.exists()), None)
        if there is not None and not overwrite:
            raise OutputError(f"{there} exists: choose another name or have it overwritten.")
        for path, target in zip(made, targets, strict=True):
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, target)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written ({error.strerror}): choose another folder.") from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)
