# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand models as the closing solver wants them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..hands.model import HandModel
from ..solvers.closing import ClosingHand, ClosingSkin, Probes, Volumes, build_skin


@lru_cache(maxsize=8)
def closing_skin(model: HandModel) -> ClosingSkin:
    """Joints, volumes and skin of a hand; a bare armature's capsules are its skin."""
    capsules = model.capsules
    hand = ClosingHand(
        articulation=model.articulation,
        finger_of=model.finger_of,
        rest_angles=model.rest_angles,
        volumes=Volumes(capsules.joints, np.stack([capsules.starts, capsules.ends], axis=1), capsules.radii),
        thumb=model.fingers.index("thumb") if "thumb" in model.fingers else -1,
        followers=model.limits.followers,
        leaders=model.limits.leaders,
        ratios=model.limits.ratios,
    )
    if model.skin is None:
        return build_skin(hand, None)
    skin = model.skin
    volume = np.zeros(len(skin.points), dtype=np.bool_) if skin.volume is None else skin.volume
    return build_skin(hand, Probes(skin.points, skin.joints, skin.weights, np.zeros(len(skin.points)), volume))
