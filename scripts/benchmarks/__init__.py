# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One module per benchmark: HELP, add_arguments and run, which gives a report; read without numpy or Blender."""
