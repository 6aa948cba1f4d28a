# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds Pythons, makes environments and starts commands in them. Standard library only."""
