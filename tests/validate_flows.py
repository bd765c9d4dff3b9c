#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ebb validate flows` on two examples: rates that follow the load, and channels that sleep. With flows the power is within 5 % of that
with packets, and the mean message latency within 10 %. Argument: the program."""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ["examples/sim-fbfly-epoch.yaml", "examples/sim-sleep.yaml"]
MOST = {"power.relative": 0.05, "message_latency.mean": 0.10}  # share of the value with packets


def problems(compared):
    """The differences are also formed here: the program must not say a smaller one than there is."""
    metrics = {metric["name"]: metric for metric in compared["metrics"]}
    for name, most in MOST.items():
        if name not in metrics:  # of a saturated run nothing is told of latencies
            yield f"{compared['file']}: no {name} of both runs"
            continue
        packet, flow = metrics[name]["packet"], metrics[name]["flow"]
        difference = flow / packet - 1
        print(f"{compared['file']:32}{name:24}{100 * difference:+8.2f} %")
        if abs(difference) > most:
            yield f"{compared['file']}: {name} is {flow:g} with flows and {packet:g} with packets: more than {100 * most:g} % apart"
        if abs(difference - metrics[name]["difference"]) > 1e-9:
            yield f"{compared['file']}: the difference of {name} is {difference}, not {metrics[name]['difference']}"
    for run in ("packet", "flow"):
        total = sum(state[run] for state in compared["states"])
        if abs(total - 1) > 1e-9:
            yield f"{compared['file']}: shares of states with {run} add up to {total}"
    if not metrics["packet_latency.count"]["packet"] > 0:
        yield f"{compared['file']}: no packets"
    if not compared["wall_clock_ratio"] > 0:
        yield f"{compared['file']}: no wall-clock ratio"


def main():
    done = subprocess.run([sys.argv[1], "validate", "flows", *FILES, "--json"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    compared = json.loads(done.stdout)
    assert [one["file"] for one in compared] == FILES, compared
    found = [problem for one in compared for problem in problems(one)]
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
