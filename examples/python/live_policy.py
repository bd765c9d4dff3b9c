#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A policy in Python for a fabric of real switches: live_policy.py [--live] [FABRIC FILE]

Simulates the fabric with its controller. With --live it controls the switches that `ebb fabric up` has made (root), until
Ctrl-C."""
import sys

import ebb


class SleepWhenLittleUsed(ebb.Policy):
    """Links sleep while no awake one is used more than `low` percent, and wake when one is used more than `high` percent."""

    acts_by = ("sleep",)
    sample_period = "500ms"

    def __init__(self, low: int = 10, high: int = 20) -> None:
        self.low, self.high = low, high
        self.parameters = {"low": low, "high": high}

    def decide(self, sample: ebb.Sample) -> ebb.Orders:
        orders = ebb.Orders(sample)
        awake = ~(sample.asleep | sample.changing)
        used = 100 * sample.busy_ps
        if not (used[awake] > self.low * sample.window_ps[awake]).any():
            orders.sleep(where=awake & ~sample.to_host)  # the controller keeps those awake that are needed
        elif (used > self.high * sample.window_ps).any():
            orders.wake(where=sample.asleep)
        return orders


def main() -> None:
    files = [word for word in sys.argv[1:] if word != "--live"] or ["examples/fabric-3x3.yaml"]
    if "--live" in sys.argv:
        ebb.control(files[0], policy=SleepWhenLittleUsed(), transcript="/tmp/live_policy.jsonl")
        replay = ebb.replay("/tmp/live_policy.jsonl", SleepWhenLittleUsed())
        print(f"{replay.samples} decisions, {'the same again' if replay.equal else replay.difference}")
    else:
        result = ebb.simulate(files[0], policy=SleepWhenLittleUsed())
        asleep = result.frame("states").query("state == 'asleep'")["share"].sum()
        print(f"power of channels {100 * result.metrics['power.relative']:.1f} %, asleep {100 * asleep:.1f} % of their time")


if __name__ == "__main__":
    main()
