#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The policy `epoch` in Python, beside the one of ebb: epoch_policy.py [SIMULATION FILE]

Both halve or double the rate of a link by its utilisation in the last epoch ("Energy Proportional Datacenter Networks",
Section 3.3), so their results are the same."""
import sys
from fractions import Fraction

import numpy

import ebb


class Epoch(ebb.Policy):
    acts_by = ("set_rate",)

    def __init__(self, target: str = "1/2", epoch: str = "10us", paired: bool = True) -> None:
        self.target, self.sample_period, self.paired = Fraction(target), epoch, paired
        self.parameters = {"target": target, "epoch": epoch, "channels": "paired" if paired else "independent"}

    def decide(self, sample: ebb.Sample) -> ebb.Orders:
        used = sample.busy_ps * self.target.denominator
        wanted = sample.window_ps * self.target.numerator
        level = sample.rate_level + numpy.sign(used - wanted)
        free = ~(sample.asleep | sample.changing)
        if self.paired:  # both directions of a link get the faster of their two wishes
            level = numpy.maximum(level, level[sample.reverse_index])
            free &= free[sample.reverse_index]
        level = numpy.clip(level, 0, sample.rate_levels - 1)
        orders = ebb.Orders(sample)
        orders.set_rate_level(level, where=free & (level != sample.rate_level))
        return orders


def main() -> None:
    file = sys.argv[1] if len(sys.argv) > 1 else "examples/sim-fbfly-epoch.yaml"
    for paired in (False, True):
        channels = "paired" if paired else "independent"
        ours = ebb.simulate(file, policy=Epoch(paired=paired))
        theirs = ebb.simulate(file, policy={"name": "epoch", "target": "50%", "channels": channels})
        print(f"{channels:12} power of channels {100 * ours.metrics['power.relative']:.4f} % in Python, "
              f"{100 * theirs.metrics['power.relative']:.4f} % in C++")


if __name__ == "__main__":
    main()
