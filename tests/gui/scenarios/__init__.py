# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the GUI tests do, one module each: `play(gui)` gives the steps. What must come of it, the tests say."""
