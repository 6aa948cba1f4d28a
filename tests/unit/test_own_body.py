# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a finger the hand's own palm stops."""

from __future__ import annotations

import closing_hands as hands
import numpy as np

from addon.services.closing_hands import closing_skin


def test_the_palm_stops_fingertips_and_not_what_stays_beside_its_knuckle() -> None:
    skin = closing_skin(hands.demo_model())
    for skinned in (skin.coarse, skin.fine):
        hand, guards = skinned.hand, skinned.guards
        for chain in hand.chains:
            joints = chain[chain >= 0]
            before, last = int(joints[-2]), int(joints[-1])
            assert guards[skinned.probes.owners == last].all()
            own = np.flatnonzero(skinned.probes.owners == before)
            start, end = hand.rest.origins[before], hand.rest.origins[last]
            from_start = np.linalg.norm(skinned.probes.points[own] - start, axis=1)
            from_end = np.linalg.norm(skinned.probes.points[own] - end, axis=1)
            np.testing.assert_array_equal(guards[own], from_end <= from_start)
            others = np.isin(skinned.probes.owners, joints[:-2])
            assert not guards[others].any()
