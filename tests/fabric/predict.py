#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What was simulated is what runs: the simulator, given the traffic and the policy of a live fabric,
says for how much of the time its links sleep; and what the live policy saw and said replays byte for
byte. Arguments: ebb, ebb-host, the traffic tool."""
import json
import pathlib
import sys
import time

import bed
from live import HASTY, Live

TOPOLOGY = "{family: fbfly, hosts: 2, dims: 3x3, rates: [10Mb/s]}"
POLICY = "policy: {name: stages, period: 500ms, high: 20%, low: 10%}\n"
PHASE = 10  # seconds of little, then of much
SHIFT, FRAME, PAYLOAD = 5, 1042, 1000
LITTLE, MUCH = 0.01, 0.40  # of 10 Mb/s
PARTS = pathlib.Path(__file__).parent / "parts.yaml"
# A host sends to the one five further on; coordinate 0 stands in for links that sleep.
SIMULATION = f"""
schema_version: 1
topology: {TOPOLOGY}
routing: sparse-star
traffic: {{pattern: {{name: shift, by: {SHIFT}}},
          injection: {{name: jump, before: {LITTLE}, load: {MUCH}, at: {PHASE}s, size: {FRAME}B}}}}
{POLICY}parts: {{switch: veth-switch}}
hardware: {{packet: {FRAME}B, input_buffer: 64KiB, low_power_penalty: 32KiB}}
schedule: {{warm_up: 0s, measure: {2 * PHASE}s, tail_limit: 5s}}
"""


def predicted(ebb, folder):
    """Share of the time in which links between switches sleep; they are half of the links."""
    path = folder / "sim.yaml"
    path.write_text(SIMULATION)
    report = json.loads(bed.must(ebb, "sim", str(path), "--parts", str(PARTS), "--json"))
    return 2 * next(state["share"] for state in report["channel_time"] if state["state"] == "asleep")


def rate(load):
    return load * 10e6 / (8 * FRAME)


def asleep_seconds(fabric):
    status = fabric.status()
    return status["at_s"], status["at_s"] * status["modelled"]["asleep_share"]


def measured(fabric):
    pairs = [(f"h{host}", f"h{(host + SHIFT) % 18}") for host in range(18)]
    begin = asleep_seconds(fabric)
    loads = []
    for load, port in ((LITTLE, "21000"), (MUCH, "22000")):
        loads.append(fabric.traffic(pairs, rate(load), PHASE, "--bytes", str(PAYLOAD), "--port", port))
        time.sleep(PHASE)
    time.sleep(1)  # until the status of that moment is written
    end = asleep_seconds(fabric)
    for load, process in zip((LITTLE, MUCH), loads):
        result = fabric.finish(process)
        print(f"load {load:.0%}: {result['lost']} of {result['sent']} datagrams lost")
    return (end[1] - begin[1]) / (end[0] - begin[0])


def main():
    bed.skip_unless_possible()
    programs = sys.argv[1:4]
    with Live(programs, bed.own_name("p"), TOPOLOGY, more=POLICY + HASTY) as fabric:
        fabric.kill()
        transcript = fabric.folder / "live.jsonl"
        fabric.start("--transcript", str(transcript))
        time.sleep(1)
        live = measured(fabric)
        fabric.stop()
        print(bed.must(fabric.ebb, "validate", "replay", str(transcript)).strip())
        simulated = predicted(fabric.ebb, fabric.folder)
    off = live / simulated - 1
    print(f"links asleep: {live:.3f} of the time live, {simulated:.3f} simulated, {off:+.1%}")
    bed.expect(abs(off) <= 0.10, f"simulated and live differ by {off:+.1%}")


if __name__ == "__main__":
    main()
