# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bone lengths of the adult human hand.

Source: A. Buryanov and V. Kotiuk, "Proportions of hand segments", International Journal of Morphology 28(3), 2010,
pages 755-758; mean and standard deviation of 66 adults, read from radiographs.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """Mean and standard deviation of one length."""

    mean_mm: float
    """Mean in [mm]."""
    sd_mm: float
    """Standard deviation in [mm]."""

    def at(self, size_sd: float) -> float:
        """The length in [mm] that lies `size_sd` standard deviations from the mean."""
        return self.mean_mm + size_sd * self.sd_mm


@dataclass(frozen=True)
class FingerSamples:
    """The measured lengths of one finger."""

    metacarpal: Sample
    """Carpus to knuckle."""
    phalanges: tuple[Sample, ...]
    """Bones from the knuckle outwards: three, or two for a thumb."""
    soft_tip: Sample
    """Soft tissue beyond the end of the last bone."""

    def lengths(self, size_sd: float) -> tuple[float, ...]:
        """Metacarpal and phalanges in [mm]; the last one reaches to the end of the soft tissue."""
        bones = [sample.at(size_sd) for sample in (self.metacarpal, *self.phalanges)]
        bones[-1] += self.soft_tip.at(size_sd)
        return tuple(bones)


def _finger(metacarpal: Sample, *phalanges: Sample, tip: Sample) -> FingerSamples:
    return FingerSamples(metacarpal=metacarpal, phalanges=phalanges, soft_tip=tip)


HUMAN: dict[str, FingerSamples] = {
    "thumb": _finger(Sample(46.22, 3.94), Sample(31.57, 3.13), Sample(21.67, 1.60), tip=Sample(5.67, 0.61)),
    "index": _finger(
        Sample(68.12, 6.27), Sample(39.78, 4.94), Sample(22.38, 2.51), Sample(15.82, 2.26), tip=Sample(3.84, 0.59)
    ),
    "middle": _finger(
        Sample(64.60, 5.38), Sample(44.63, 3.81), Sample(26.33, 3.00), Sample(17.40, 1.85), tip=Sample(3.95, 0.61)
    ),
    "ring": _finger(
        Sample(58.00, 5.06), Sample(41.37, 3.87), Sample(25.65, 3.29), Sample(17.30, 2.22), tip=Sample(3.95, 0.60)
    ),
    "pinky": _finger(
        Sample(53.69, 4.36), Sample(32.74, 2.77), Sample(18.11, 2.54), Sample(15.96, 2.45), tip=Sample(3.73, 0.62)
    ),
}
"""Lengths by finger."""


def size_ratio(size_sd: float) -> float:
    """How much larger a hand is than the mean one: the ratio of its middle fingers, metacarpal included."""
    middle = HUMAN["middle"]
    return sum(middle.lengths(size_sd)) / sum(middle.lengths(0.0))
