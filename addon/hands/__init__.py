# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a hand is, as pure numpy: detection, model, postures. No Blender."""
