#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/rigs.md: what is detected on a character of every known convention, and whether its hands move right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "scripts")]

HEADER = """# Rigs

Made by `python3 scripts/make_rigs_page.py`; do not edit. For every convention that Prehend knows a whole character is
built in code, with feet, hair and a body around the hands, detected, compared with its table bone by bone, and moved:

- **closes**: 20 degrees of flexion at every joint bring every fingertip nearer to the palm;
- **spreads**: 10 degrees of abduction, 20 for the little finger, move all neighbouring fingertips apart;
- **opposes**: flexion and abduction of the thumb's root bring its tip nearer to the little finger's base.

| convention | example | bones right | sure | closes | spreads | opposes |
|---|---|---|---|---|---|---|
"""


def main() -> None:
    """Write the page in an environment that has numpy."""
    try:
        import numpy  # noqa: F401 (asked for, not used)
    except ImportError:
        from launcher.environments import ensure
        from launcher.legs import unit_leg

        python = ensure(unit_leg((3, 11)).environment)
        sys.exit(subprocess.run([str(python), __file__], check=False).returncode)
    rows = [_row(convention) for convention in _conventions()]
    (CHECKOUT / "docs" / "rigs.md").write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")
    print(f"Wrote docs/rigs.md, {len(rows)} conventions")


def _conventions() -> list[Any]:
    from addon.presets.conventions import load_conventions

    # Grippers have no row of fingers to stand in the builder's hand; the suite tries them on the demo grippers.
    return sorted((each for each in load_conventions() if "index" in each.fingers), key=lambda each: each.title)


def _row(convention: Any) -> str:
    from addon.hands.detection import detect_hands
    from addon.presets.conventions import load_conventions
    from tests.unit.detection_rigs import character, expected_fingers

    # Names without a side stand on one hand alone, and "" asks for them.
    named = tuple(convention.sides)
    flat = convention.key in ("webxr_generic_hand", "babylon_hand")
    skeleton = character(convention, flat=flat).build() if "L" in named else _lone_hand(convention)
    hands = {hand.side: hand for hand in detect_hands(skeleton, load_conventions())}
    right = all(
        list(hands[side or "L"].fingers) == expected_fingers(convention, side)
        for side in named
        if (side or "L") in hands
    ) and len(hands) == len(named)
    sure = min((hand.confidence for hand in hands.values()), default=0.0)
    moves = [_moves(skeleton, hand) for hand in hands.values()]
    marks = ["yes" if moves and all(column) else "NO" for column in zip(*moves, strict=True)] or ["NO"] * 3
    example = expected_fingers(convention, named[0])[1].chain[0]
    return f"| {convention.title} | `{example}` | {'yes' if right else 'NO'} | {sure:.2f} | {' | '.join(marks)} |"


def _lone_hand(convention: Any) -> Any:
    from tests.unit.detection_rigs import RigBuilder, add_hand, arm_placement, expected_fingers

    rig = RigBuilder()
    add_hand(rig, convention.hand, expected_fingers(convention, ""), arm_placement("L"), flat=True)
    return rig.build()


def _moves(skeleton: Any, hand: Any) -> tuple[bool, bool, bool]:
    import numpy as np

    from addon.hands.build import build_model
    from addon.hands.forward import forward
    from addon.presets.limits import DEFAULT_LIMITS, load_limits

    model = build_model(skeleton, hand, load_limits(DEFAULT_LIMITS))
    rest = np.array(model.rest_angles)
    tips = forward(model, rest).tips
    bent = np.array(rest)
    spread = np.array(rest)
    opposed = np.array(rest)
    for finger in model.fingers:
        joints = model.joints(finger)
        bent[joints, 0] += np.radians(20.0)
        # The little finger leaves the ring finger only if it turns further than that does.
        spread[joints[0], 1] += np.radians({"middle": 0.0, "pinky": 20.0}.get(finger, 10.0))
    if "thumb" in model.fingers:
        opposed[model.joints("thumb")[0], :2] += np.radians(20.0)
    row = [f for f, name in enumerate(model.fingers) if name != "thumb"]
    towards = (forward(model, bent).tips - tips) @ model.approach
    closes = bool((towards[row] > 0.0).all())
    gaps, wide = (np.linalg.norm(np.diff(each[row], axis=0), axis=1) for each in (tips, forward(model, spread).tips))
    base = forward(model, rest).origins[model.joints(model.fingers[-1])[0]]
    thumb = model.fingers.index("thumb") if "thumb" in model.fingers else row[0]
    near = np.linalg.norm(forward(model, opposed).tips[thumb] - base) < np.linalg.norm(tips[thumb] - base)
    return closes, bool((wide > gaps).all()), bool(near)


if __name__ == "__main__":
    main()
