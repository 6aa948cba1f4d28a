# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of the hands of flesh: the human hand, and what is derived from it."""

from __future__ import annotations

from dataclasses import replace

from .anthropometry import HUMAN, size_ratio
from .plan import FingerPlan, HandPlan, JointPlan, NailPlan, Section, ThumbPlan

PHALANGES = ("metacarpal", "proximal", "intermediate", "distal")

# Breadths and depths follow the means of adult hand surveys (PIP joint about 19 x 17 mm, DIP joint about 16 x 13 mm);
# joints lie nearer to the back than to the pad, as tendons and fat lie on the palm's side.
FINGER_SECTIONS = (
    Section(-1.0, side=8.6, back=8.2, pad=9.0),
    Section(0.0, side=9.4, back=9.2, pad=11.5),
    Section(0.35, side=9.6, back=8.6, pad=11.2),
    Section(0.65, side=8.9, back=7.4, pad=10.0),
    Section(0.86, side=8.9, back=7.3, pad=8.9),
    Section(1.0, side=9.2, back=7.7, pad=8.3),
    Section(1.16, side=8.8, back=7.0, pad=8.6),
    Section(1.5, side=8.2, back=6.1, pad=9.0),
    Section(1.84, side=7.9, back=5.9, pad=7.7),
    Section(2.0, side=8.1, back=6.0, pad=7.0),
    Section(2.2, side=7.9, back=5.5, pad=7.5),
    Section(2.5, side=7.9, back=4.9, pad=8.2),
    Section(2.75, side=7.6, back=4.6, pad=7.6),
    Section(3.0, side=7.1, back=4.4, pad=6.6),
)
THUMB_SECTIONS = (
    Section(-1.0, side=11.0, back=9.0, pad=13.0),
    Section(-0.4, side=10.6, back=8.6, pad=13.0),
    Section(0.0, side=11.0, back=9.6, pad=11.5),
    Section(0.3, side=10.0, back=8.4, pad=10.6),
    Section(0.65, side=9.6, back=7.6, pad=10.2),
    Section(0.86, side=10.3, back=7.8, pad=9.2),
    Section(1.0, side=10.7, back=8.0, pad=8.8),
    Section(1.18, side=10.5, back=7.0, pad=9.6),
    Section(1.5, side=10.6, back=6.0, pad=10.2),
    Section(1.75, side=10.2, back=5.4, pad=9.2),
    Section(2.0, side=9.4, back=5.0, pad=7.6),
)

# Ranges of motion of the healthy adult hand; the index and middle metacarpals do not move.
_PIP = JointPlan(rest_deg=9.0, flexion_deg=(0.0, 110.0))
_DIP = JointPlan(rest_deg=6.0, flexion_deg=(-5.0, 90.0))


def _mcp(rest_deg: float, spread: float) -> JointPlan:
    return JointPlan(rest_deg=rest_deg, flexion_deg=(-20.0, 90.0), spread_deg=(-spread, spread))


def _cmc(flexion: float) -> JointPlan:
    return JointPlan(flexion_deg=(0.0, flexion))


def _scaled(sections: tuple[Section, ...], factor: float) -> tuple[Section, ...]:
    return tuple(replace(s, side=s.side * factor, back=s.back * factor, pad=s.pad * factor) for s in sections)


def _finger(
    name: str,
    size_sd: float,
    *,
    base_mm: tuple[float, float, float],
    knuckle_mm: tuple[float, float],
    spread_deg: float,
    roll_deg: float,
    cmc_deg: float,
    mcp: JointPlan,
    thickness: float,
    web: float,
) -> FingerPlan:
    return FingerPlan(
        name=name,
        bones=PHALANGES,
        lengths_mm=HUMAN[name].lengths(size_sd),
        base_mm=base_mm,
        knuckle_mm=knuckle_mm,
        spread_deg=spread_deg,
        roll_deg=roll_deg,
        joints=(_cmc(cmc_deg), mcp, _PIP, _DIP),
        sections=_scaled(FINGER_SECTIONS, thickness),
        nail=NailPlan(root=0.38, width=0.75),
        web=web,
    )


def human_plan(size_sd: float) -> HandPlan:
    """The adult human hand."""
    fingers = (
        _finger("index", size_sd, base_mm=(13.0, 0.0, 26.0), knuckle_mm=(29.0, 1.0), spread_deg=7.0, roll_deg=6.0,
                cmc_deg=0.0, mcp=_mcp(6.0, 20.0), thickness=1.0, web=0.43),
        _finger("middle", size_sd, base_mm=(3.0, 1.5, 32.0), knuckle_mm=(8.5, 3.0), spread_deg=1.0, roll_deg=1.0,
                cmc_deg=0.0, mcp=_mcp(7.0, 15.0), thickness=1.03, web=0.42),
        _finger("ring", size_sd, base_mm=(-7.0, 1.0, 31.0), knuckle_mm=(-11.5, 1.5), spread_deg=-5.5, roll_deg=-4.0,
                cmc_deg=8.0, mcp=_mcp(8.0, 15.0), thickness=0.97, web=0.41),
        _finger("pinky", size_sd, base_mm=(-15.0, -1.0, 28.0), knuckle_mm=(-29.5, -2.5), spread_deg=-13.5,
                roll_deg=-9.0, cmc_deg=15.0, mcp=_mcp(8.0, 20.0), thickness=0.86, web=0.41),
    )  # fmt: skip
    thumb = FingerPlan(
        name="thumb",
        bones=("metacarpal", "proximal", "distal"),
        lengths_mm=HUMAN["thumb"].lengths(size_sd),
        base_mm=(20.0, -8.0, 20.0),
        knuckle_mm=(0.0, 0.0),
        spread_deg=0.0,
        roll_deg=0.0,
        joints=(
            JointPlan(flexion_deg=(-20.0, 45.0), twist_deg=(-40.0, 15.0), spread_deg=(-35.0, 25.0)),
            JointPlan(rest_deg=12.0, flexion_deg=(-10.0, 60.0), spread_deg=(-10.0, 10.0)),
            JointPlan(rest_deg=10.0, flexion_deg=(-15.0, 80.0)),
        ),
        sections=THUMB_SECTIONS,
        nail=NailPlan(root=0.44, width=0.72),
        segments=(8, 6),
    )
    return HandPlan(
        thumb=ThumbPlan(finger=thumb, abduction_deg=40.0, lift_deg=18.0, nail_deg=76.0),
        fingers=fingers,
        girth=size_ratio(size_sd),
    )


def six_finger_plan(size_sd: float) -> HandPlan:
    """A human hand with a second middle finger."""
    human = human_plan(size_sd)
    index, middle, ring, pinky = human.fingers
    thumb = human.thumb.finger
    return replace(
        human,
        fingers=(
            replace(index, base_mm=(17.0, 0.0, 26.0), knuckle_mm=(39.5, 0.5), spread_deg=9.5),
            replace(middle, base_mm=(7.5, 1.5, 31.0), knuckle_mm=(19.0, 3.0), spread_deg=4.5, roll_deg=2.0),
            replace(
                middle, name="extra", base_mm=(-1.0, 2.0, 32.0), knuckle_mm=(-1.5, 3.2), spread_deg=-0.5, roll_deg=-1.0
            ),
            replace(ring, base_mm=(-10.0, 1.0, 31.0), knuckle_mm=(-21.5, 1.5), spread_deg=-6.0),
            replace(pinky, base_mm=(-18.0, -1.0, 28.0), knuckle_mm=(-40.0, -2.5), spread_deg=-14.0),
        ),
        thumb=replace(human.thumb, finger=replace(thumb, base_mm=(29.0, -8.0, 20.0))),
        wrist_mm=(32.0, 18.0),
    )


def cartoon_plan(size_sd: float) -> HandPlan:
    """A chunky hand with a thumb, an index and a middle finger."""
    human = human_plan(size_sd)
    index, middle, _, _ = human.fingers
    thumb = human.thumb.finger
    fingers = tuple(
        replace(
            finger,
            lengths_mm=_shortened(finger.lengths_mm, 0.86),
            base_mm=(side * 10.0, 0.0, 25.0),
            knuckle_mm=(side * 22.0, 1.0),
            spread_deg=side * 6.0,
            roll_deg=side * 5.0,
            sections=_scaled(finger.sections, 1.8),
            web=0.52,
        )
        for finger, side in ((index, 1.0), (middle, -1.0))
    )
    return replace(
        human,
        fingers=fingers,
        thumb=replace(
            human.thumb,
            finger=replace(
                thumb,
                lengths_mm=_shortened(thumb.lengths_mm, 0.94),
                base_mm=(22.0, -8.0, 20.0),
                sections=_scaled(thumb.sections, 1.42),
            ),
        ),
        wrist_mm=(30.0, 20.0),
        relief=0.55,
    )


def _shortened(lengths_mm: tuple[float, ...], factor: float) -> tuple[float, ...]:
    """A finger's lengths with shorter phalanges and the same metacarpal."""
    return (lengths_mm[0], *(length * factor for length in lengths_mm[1:]))
