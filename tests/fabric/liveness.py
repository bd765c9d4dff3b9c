#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cables that lose frames while their ports stay up, on real switches: how long until the link is diverted, and what was
lost. Arguments: ebb, ebb-host, the traffic tool; --times N of each, --interval MS between probes."""
import argparse
import statistics
import time

import bed
from live import Live, expect_carried

TOPOLOGY = "{family: fbfly, hosts: 2, dims: 3x3}"
RATE = 500  # datagrams a second, each way
ENDS = {"s1": "p4", "s2": "p4"}  # of the link between s1 and s2, which carries frames of h2 and h5
LOAD = [("h2", "h5"), ("h5", "h2")]
# What a busy machine adds: the program that breaks the cable, and a timer that is late.
GRACE_S = 0.15


class Cable:
    """The cable between s1 and s2. A queue without places loses everything that its port sends."""

    def __init__(self, fabric):
        self.fabric = fabric
        self.queues = {}

    def _tc(self, switch, *words):
        return bed.must("ip", "netns", "exec", f"ebb-{self.fabric.name}-{switch}", "tc", "qdisc", *words).split()

    def lose(self, switch):
        words = self._tc(switch, "show", "dev", ENDS[switch], "root")
        self.queues[switch] = [words[1], "rate", words[words.index("rate") + 1], "burst", words[words.index("burst") + 1],
                               "latency", words[words.index("lat") + 1]]
        self._tc(switch, "replace", "dev", ENDS[switch], "root", "pfifo", "limit", "0")

    def mend(self):
        for switch, queue in self.queues.items():
            self._tc(switch, "replace", "dev", ENDS[switch], "root", *queue)
        self.queues = {}


def moment(fabric, text, since, seconds):
    """When the controller said it."""
    fabric.wait_for(text, seconds, since)
    return time.monotonic()


def broken(fabric, switches, interval):
    """(seconds until it was diverted, datagrams lost, seconds until it carried frames again)"""
    cable, since = Cable(fabric), len(fabric.log)
    load = fabric.traffic(LOAD, RATE, 3600)
    time.sleep(0.5 + 0.37 * interval)  # at another moment of the cycle each time
    began = time.monotonic()
    try:
        for switch in switches:
            cable.lose(switch)
        diverted = moment(fabric, "s1-s2 failed", since, 10 * interval) - began
    finally:
        cable.mend()
    mended = time.monotonic()
    back = moment(fabric, "s1-s2 active", since, 200 * interval) - mended
    time.sleep(0.3)
    return diverted, fabric.finish(load, early=True), back


def summary(values):
    return f"median {statistics.median(values):.2f}, worst {max(values):.2f}"


def check_broken(programs, what, switches, times, interval):
    """A fabric each time, so that the link has no bad past."""
    rows = []
    for _ in range(times):
        with Live(programs, bed.own_name("v"), TOPOLOGY, more=safety(interval)) as fabric:
            rows.append(broken(fabric, switches, interval))
    for diverted, result, _ in rows:
        bed.expect(diverted <= 3 * interval + GRACE_S, f"{what}: diverted after {diverted:.2f} s, of {3 * interval:.2f} s")
        expect_carried(result, f"after {what}", lost=(3 * interval + GRACE_S) * RATE * 2)
    print(f"{what}, probes every {interval:.1f} s, {times} times: diverted after s: {summary([row[0] for row in rows])}; "
          f"lost of {2 * RATE} a second: {summary([row[1]['lost'] for row in rows])}; used again after s: "
          f"{summary([row[2] for row in rows])}", flush=True)


def check_dead_when_woken(programs, interval):
    """Its ports come up, and nothing comes through: it is not used."""
    with Live(programs, bed.own_name("v"), TOPOLOGY, more=safety(interval, ", wake_limit: 3s")) as fabric:
        fabric.change("drain", "s1-s2", "asleep")
        cable = Cable(fabric)
        for switch in ENDS:
            cable.lose(switch)
        load = fabric.traffic(LOAD, RATE, 8)
        since = len(fabric.log)
        bed.expect(fabric.ask("undrain", "s1-s2").returncode == 0, "it is asked to wake")
        fabric.wait_for("s1-s2 failed", 10, since)
        result = fabric.finish(load)
        expect_carried(result, "with a dead cable that was woken")
        cable.mend()
        fabric.wait_for("s1-s2 active", 60, since)
    print(f"a dead cable that was woken: 0 of {result['sent']} datagrams lost")


def safety(interval, more=""):
    return ("safety: {min_awake_time: 0s, min_sleep_time: 0s, failure_holdoff: 500ms, transitions_per_hour: 100000, "
            f"probe_interval: {int(1000 * interval)}ms{more}}}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=3)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--interval", type=int, default=500, help="milliseconds between probes")
    words = parser.parse_args()
    bed.skip_unless_possible("tc", "ovs-ofctl")
    interval = words.interval / 1000
    check_broken(words.programs, "a cable that loses frames one way", ["s1"], words.times, interval)
    check_broken(words.programs, "a dead cable whose ports stay up", ["s1", "s2"], words.times, interval)
    check_dead_when_woken(words.programs, interval)


if __name__ == "__main__":
    bed.test(main)
