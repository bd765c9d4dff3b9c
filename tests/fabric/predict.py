#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What was simulated is what runs: `ebb sim` is given the file of a live fabric and its traffic, and says how much power its
links save; the live fabric saves as much, and what its policy saw and said replays byte for byte.

Arguments: ebb, ebb-host, the traffic tool; then optionally `--all` for every policy on every topology, or the names of
some of both."""
import json
import sys
import time

import bed
from live import Live, expect_carried

# The network, its hosts, how much further on each sends, and the most load that links which never sleep carry until others
# are awake: those of the Dragonfly are a tree, where six hosts share a link.
TOPOLOGIES = {
    "fbfly": ("{family: fbfly, hosts: 2, dims: 3x3, rates: [1Mb/s, 10Mb/s]}", 18, 5, 1),
    "clos": ("{family: clos, ports: 4, levels: 2, hosts: 8, rates: [1Mb/s, 10Mb/s]}", 8, 3, 1),
    "dragonfly": ("{family: dragonfly, p: 2, a: 3, h: 2, g: 3, rates: [1Mb/s, 10Mb/s]}", 18, 7, 0.08),
}
# Parameters, the loads of the two phases (of 10 Mb/s), the bytes of a datagram, and how many seconds the first phase takes at
# least. Under policies that act by idle times every datagram counts, so that they need some silence and a long time.
# One that decides on rates every half second, or caps them, leaves a link slow when more comes, and links that sleep take a
# tenth of a second to come back: what comes must fit the slow links and the detours, or it would be lost.
POLICIES = {
    "stages": ("period: 500ms, high: 20%, low: 10%", 0.01, 0.40, 1000, 10),
    "epoch": ("epoch: 500ms, target: 50%, channels: paired", 0.002, 0.04, 208, 10),
    "on-demand": ("idle: 200ms", 0.001, 0.20, 1000, 100),
    "history": ("idle: 200ms, period: 500ms", 0.001, 0.20, 1000, 100),
    "latency-budget": ("unit: 20ms, budget: 1s, message: 1KiB, period: 500ms", 0.001, 0.20, 1000, 100),
    "power-cap": ("channels: paired, share: 80%, idle: 200ms, period: 500ms", 0.0002, 0.04, 208, 60),
}
QUICK = [("stages", "fbfly")]
SAFETY = ("safety: {min_awake_time: 200ms, min_sleep_time: 200ms, failure_holdoff: 500ms, min_rate_time: 200ms, "
          "counter_interval: 20ms, transitions_per_hour: 100000, max_concurrent: 18}\n")
PARTS = "parts: {switch: dell-powerconnect-6248}\n"
SETTLE = 8  # seconds
HEADERS, RATE = 42, 10e6
LIMIT = 0.05  # of the larger share
DATAGRAMS = 100_000  # at least, of a run with --all


class Cell:
    """A policy on a topology."""

    def __init__(self, policy, topology, datagrams):
        self.policy, self.topology = policy, topology
        self.text, self.hosts, self.shift, most = TOPOLOGIES[topology]
        self.parameters, self.little, self.much, self.payload, least = POLICIES[policy]
        self.much = min(self.much, most)
        self.frame = self.payload + HEADERS
        self.long = max(10, int(1 + datagrams / (self.hosts * self.rate(self.much))))  # seconds of much
        self.calm = max(least, self.long)  # and of little

    def rate(self, load):
        """Datagrams a second."""
        return load * RATE / (8 * self.frame)

    def traffic(self, fabric, load, seconds, *options):
        return fabric.traffic(self.pairs(), self.rate(load), seconds, "--bytes", str(self.payload), "--poisson", *options)

    def more(self):
        return f"policy: {{name: {self.policy}, {self.parameters}}}\n" + SAFETY + PARTS

    def pairs(self):
        return [(f"h{host}", f"h{(host + self.shift) % self.hosts}") for host in range(self.hosts)]

    def settings(self, little, seconds):
        """Of the simulation: hosts send to one further on, little for so long, and for so many seconds in all."""
        injection = f"{{name: jump, before: {self.little}, load: {self.much}, at: {SETTLE + little:.3f}s, size: {self.frame}B}}"
        return [f"traffic={{pattern: {{name: shift, by: {self.shift}}}, injection: {injection}}}",
                f"schedule={{warm_up: {SETTLE}s, measure: {seconds:.3f}s, tail_limit: 5s}}",
                f"hardware={{packet: {self.frame}B}}"]


def simulated(fabric, cell, little, seconds):
    """Shares of the power and of the time of links between switches, saved and asleep."""
    words = [word for setting in cell.settings(little, seconds) for word in ("--set", setting)]
    report = json.loads(bed.must(fabric.ebb, "sim", fabric.file, "--json", *words))
    between = fabric.status()["modelled"]["all_awake_w"]
    power = report["power"]
    saved = (power["always_on_W"] - power["channels_W"]) / between
    links = report["network"]["links"]
    asleep = next(state["share"] for state in report["channel_time"] if state["state"] == "asleep")
    return saved, asleep * links / (links - cell.hosts)


def account(fabric):
    """Seconds, joules saved, seconds of links asleep."""
    time.sleep(1.2)  # until the status of this moment is written
    status = fabric.status()
    modelled = status["modelled"]
    return status["at_s"], modelled["saved_j"], status["at_s"] * modelled["asleep_share"]


def live(fabric, cell):
    """The same shares, the datagrams, and the seconds of little traffic and of all, as the controller counts time."""
    began = time.monotonic() - float(next(line for line in fabric.log if "all switches are here" in line).split()[0])
    loads = [cell.traffic(fabric, cell.little, SETTLE + cell.calm)]
    time.sleep(SETTLE - 1.2)
    begin = account(fabric)
    time.sleep(cell.calm)
    much = time.monotonic() - began
    loads.append(cell.traffic(fabric, cell.much, cell.long, "--port", "22000"))
    time.sleep(cell.long - 1.2)
    end = account(fabric)
    results = [fabric.finish(load) for load in loads]
    for result in results:
        expect_carried(result, f"with {cell.policy} on {cell.topology}")
    seconds = end[0] - begin[0]
    between = fabric.status()["modelled"]["all_awake_w"]
    shares = (end[1] - begin[1]) / seconds / between, (end[2] - begin[2]) / seconds
    return shares, sum(one["sent"] for one in results), (much - begin[0], seconds)


def compare(fabric, cell):
    if fabric.controller.poll() is None:
        fabric.stop()
    fabric.more = cell.more()
    fabric.write_file(cell.text)
    transcript = fabric.folder / "live.jsonl"
    fabric.start("--transcript", str(transcript))
    seen, sent, times = live(fabric, cell)
    meant = simulated(fabric, cell, *times)
    fabric.stop()
    replayed = bed.must(fabric.ebb, "validate", "replay", str(transcript)).strip()
    print(f"{cell.policy} on {cell.topology}: power saved {seen[0]:.3f} live, {meant[0]:.3f} simulated; asleep {seen[1]:.3f} live, "
          f"{meant[1]:.3f} simulated; 0 of {sent} datagrams lost; {replayed}", flush=True)
    return max(apart(a, b) for a, b in zip(seen, meant))


def compared(fabric, cell, attempts=3):
    """Again when the machine stalled: each run takes minutes, and the others are good."""
    for attempt in range(attempts):
        try:
            return compare(fabric, cell)
        except bed.MachineStalled as stall:
            if attempt + 1 == attempts:
                raise
            print(f"once more: {stall}", flush=True)


def apart(one, other):
    """As a share of the larger; links that hardly ever sleep are as good as awake."""
    return abs(one - other) / max(one, other, 0.01)


def chosen(words):
    if "--all" in words:
        return [(policy, topology) for topology in TOPOLOGIES for policy in POLICIES]
    policies = [word for word in words if word in POLICIES]
    topologies = [word for word in words if word in TOPOLOGIES]
    return [(policy, topology) for topology in topologies for policy in policies] or QUICK


def main():
    bed.skip_unless_possible("tc")
    cells = chosen(sys.argv[4:])
    far = []
    for topology in dict.fromkeys(topology for _, topology in cells):
        with Live(sys.argv[1:4], bed.own_name("p"), TOPOLOGIES[topology][0], more=SAFETY) as fabric:
            for policy in [one for one, other in cells if other == topology]:
                off = compared(fabric, Cell(policy, topology, DATAGRAMS if len(sys.argv) > 4 else 0))
                if off > LIMIT:
                    far.append(f"{policy} on {topology} by {off:.1%}")
    bed.expect(not far, "simulated and live differ: " + ", ".join(far))


if __name__ == "__main__":
    bed.test(main, attempts=1)
