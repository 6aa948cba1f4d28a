# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The half of the GUI tests that runs in pytest: a display, a Blender process on it, and pictures of it."""
