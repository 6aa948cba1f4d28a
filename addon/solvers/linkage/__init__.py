# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jointed mechanisms on quaternion logarithms: model, limits, kinematics and steps behind the iterative solvers.

After M. E. Bartelink, "Global inverse kinematics solver for linked mechanisms under joint limits and contacts" (MSc
thesis, Utrecht University, 2012), called "the thesis" in this package; its algorithms are cited by number.
"""
