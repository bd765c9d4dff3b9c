#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Power and latency against load, by policy: load_sweep.py [RESULTS FILE]

With a results file the runs are kept, and the program goes on where it was stopped."""
import sys

import ebb

SIMULATION = {
    "topology": {"family": "fbfly", "hosts": 4, "dims": [4, 4]},
    "routing": "minimal-adaptive",
    "traffic": {"pattern": "uniform", "injection": {"name": "poisson", "load": "10%", "size": "16KiB"}},
    "policy": "always-on",
    "parts": {"switch": "isca10-chip-ideal"},
    "schedule": {"warm_up": "200us", "measure": "1ms"},
}
SWEEP = {
    "name": "load",
    "base": SIMULATION,
    "vary": {"traffic.injection.load": ["5%", "10%", "20%", "40%"], "policy": ["always-on", "epoch"]},
    "seeds": 3,
}


def show(progress: ebb.Progress) -> None:
    print(f"\r{progress.done} of {progress.runs} runs", end="", file=sys.stderr, flush=True)


def main() -> None:
    runs = ebb.sweep(SWEEP, results=sys.argv[1] if len(sys.argv) > 1 else None, progress=show)
    print(file=sys.stderr)
    frame = runs.frame()
    frame["load"] = frame["traffic.injection.load"].str.rstrip("%").astype(int)
    frame["p99 us"] = frame["packet_latency.p99"] * 1e-6
    steady = frame[frame["traffic.saturated"] == 0]  # the latency of a saturated network says nothing
    print(steady.pivot_table(index="load", columns="policy", values=["power.relative", "p99 us"]).round(3))


if __name__ == "__main__":
    main()
