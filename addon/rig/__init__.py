# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adapters between Blender's data and the pure packages. They decide nothing."""
