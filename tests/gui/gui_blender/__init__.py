# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The half of the GUI tests that runs inside Blender: events, finding widgets, recording what happened."""
