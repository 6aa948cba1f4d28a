# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vocabulary of the project as pure numpy: arrays, rotations, errors."""
