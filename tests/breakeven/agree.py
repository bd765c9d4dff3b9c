#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rule `timeout` of `ebb breakeven` against the packet simulator, on a network that has no channels
but those of hosts: agree.py EBB. Both must sleep for the same share of the time."""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
POINTS = 0.002  # packets of two messages may alternate at an output, which the model does not know


def answer(*command):
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def simulated(ebb, rate_table, idle):
    run = answer(ebb, "sim", str(HERE / "star.yaml"), "--parts", str(HERE / "slow-wake.yaml"), "--set",
                 f"parts.rate_table={rate_table}", "--set", f"policy.idle={idle}", "--json")
    return next(part["share"] for part in run["channel_time"] if part["state"] == "asleep")


def modelled(ebb, rate_table):
    study = answer(ebb, "breakeven", "--parts", str(HERE / "slow-wake.yaml"), "--part", rate_table, "--workload",
                   "poisson", "load=10%", "size=50kB", "--hosts", "16", "--time", "20ms", "--json")
    return next(c["workloads"][0]["own"]["timeout"]["low_power_share"] for c in study["channels"] if c["state"] == "asleep")


def main():
    failed = 0
    for rate_table, idle in (("ideal-sleep-link", "1us"), ("slow-wake", "10us")):
        seen, expected = simulated(sys.argv[1], rate_table, idle), modelled(sys.argv[1], rate_table)
        agree = abs(seen - expected) < POINTS
        failed += not agree
        print(f"{rate_table}: asleep {seen:.4f} simulated, {expected:.4f} by the model{'' if agree else ': DIFFERS'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
