# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One way to call every solver: a chain, a target and options, whose kind says which solver is meant.

| options | solver |
|---|---|
| `ClosedFormOptions` | closed form (Duits 2015), one to three bones |
| `DlsOptions` | damped least squares; transpose, pseudo-inverse and null space by `method` and `rest` |
| `CcdOptions` | cyclic coordinate descent, with its fall-back |
| `TableOptions` | lookup by distance (Lu 1997), three bones in one plane |
| `ContactOptions` | damped least squares among obstacles, responses 1, 1+delta, 2 and 3 |
| None | closed form where there is one, damped least squares elsewhere and for orientations |

Mechanisms with several effectors are no chains; they are solved by `effectors`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import ccd, closed_form, contact_ik, dls, table
from .ccd import CcdOptions
from .chain import Chain, ChainError, IkResult
from .closed_form import ClosedFormOptions
from .contact_ik import ContactOptions
from .dls import DlsOptions
from .table import TableOptions

Options = ClosedFormOptions | DlsOptions | CcdOptions | TableOptions | ContactOptions


def solve(chain: Chain, target: ArrayLike, options: Options | None = None) -> IkResult:
    """Angles that bring a chain's tip to a target, or as near as they can.

    Args:
        chain: The chain, its base at the origin of the target's frame.
        target: Position in [m], shape (3,), or position and orientation (quaternion wxyz), shape (7,).
        options: How to work; their kind chooses the solver.

    Raises:
        ChainError: The target is malformed, or the solver that was chosen cannot do this chain or this target.
    """
    wanted = np.asarray(target, dtype=np.float64)
    if options is None:
        plain = wanted.shape == (3,) and closed_form.supports(chain)
        options = ClosedFormOptions() if plain else DlsOptions()
    if isinstance(options, ClosedFormOptions | TableOptions) and wanted.shape == (7,):
        raise ChainError("This method brings a tip to a position only: choose an iterative one for orientations.")
    if isinstance(options, ClosedFormOptions):
        return closed_form.solve(chain, wanted, options)
    if isinstance(options, TableOptions):
        return table.solve(chain, wanted, options)
    if isinstance(options, CcdOptions):
        return ccd.solve(chain, wanted, options)
    if isinstance(options, ContactOptions):
        return contact_ik.solve(chain, wanted, options)
    return dls.solve(chain, wanted, options)
