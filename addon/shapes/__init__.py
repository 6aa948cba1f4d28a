# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Generators of the demo hands and props as plain arrays. No Blender."""
