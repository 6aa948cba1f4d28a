# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One module per command: HELP, add_arguments, check (before Blender is loaded) and run (with Blender)."""
