# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""System libraries that the Blender wheel links to, and the packages that bring them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from .errors import SetupError

_DEBIAN_PACKAGES = {
    "libX11.so": "libx11-6",
    "libXrender.so": "libxrender1",
    "libXxf86vm.so": "libxxf86vm1",
    "libXfixes.so": "libxfixes3",
    "libXi.so": "libxi6",
    "libxkbcommon.so": "libxkbcommon0",
    "libSM.so": "libsm6",
    "libICE.so": "libice6",
    "libXext.so": "libxext6",
    "libGL.so": "libgl1",
    "libEGL.so": "libegl1",
    "libgomp.so": "libgomp1",
}


def check_blender(python: Path) -> None:
    """See that `bpy` loads in an environment.

    Raises:
        SetupError: It does not; the message names the missing library and what to install.
    """
    done = subprocess.run([str(python), "-c", "import bpy"], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    raise SetupError(explain(done.stderr))


def explain(stderr: str) -> str:
    """One sentence for the error text of a failed `import bpy`."""
    missing = re.search(r"(lib[\w.+-]+\.so[\d.]*): cannot open shared object file", stderr)
    if missing:
        library = missing.group(1)
        stem = library[: library.index(".so") + 3]
        package = _DEBIAN_PACKAGES.get(stem)
        every = " ".join(sorted(_DEBIAN_PACKAGES.values()))
        advice = f"'apt-get install {every}'" if package else f"the package that brings {library}"
        return f"Blender needs the system library {library}, which is missing: install {advice} and run this again."
    last = stderr.strip().splitlines()[-1:] or ["it gave no reason"]
    return f"Blender does not start in this Python: {last[0]}"
