# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prehend: hand posing and grasp authoring for Blender.

Nothing is imported at module level, so that the pure packages below can be used and tested without Blender.
"""


def register() -> None:
    """Add everything the extension brings to the running Blender."""
    from . import registration

    registration.register()


def unregister() -> None:
    """Remove everything `register` added."""
    from . import registration

    registration.unregister()
