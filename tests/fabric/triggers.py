#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Policies that act by triggers, on real switches: links that nobody uses sleep or run slowly by themselves, wake or speed
up for the traffic that wants them, and no datagram is lost. Arguments: ebb, ebb-host, the traffic tool, then optionally how
often traffic comes and goes (once, unless it says more)."""
import sys
import time

import bed
from live import Live, expect_carried

ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 1
TOPOLOGY = "{family: fbfly, hosts: 1, dims: 3x3, rates: [1Mb/s, 10Mb/s, 100Mb/s]}"
SAFETY = ("safety: {min_awake_time: 200ms, min_sleep_time: 200ms, failure_holdoff: 500ms, link_up_hold: 50ms, drain_idle: 50ms,"
          " min_rate_time: 200ms, counter_interval: 20ms, transitions_per_hour: 100000, max_concurrent: 18}\n")
SLEEPING = ("name: on-demand, idle: 200ms", "name: history, idle: 200ms, period: 500ms",
            "name: latency-budget, unit: 20ms, budget: 1s, message: 1KiB, period: 500ms")
SLOWING = ("name: on-demand, low_power_state: slowest, idle: 200ms",
           "name: power-cap, channels: paired, share: 80%, idle: 200ms, period: 500ms")
PER_SECOND, SECONDS = 200, 6


def begin(fabric, policy):
    if fabric.controller and fabric.controller.poll() is None:
        fabric.stop()
    fabric.more = SAFETY + f"policy: {{{policy}}}\nparts: {{switch: dell-powerconnect-6248}}\n"
    fabric.write_file(TOPOLOGY)
    fabric.start()


def wait_until(fabric, condition, what, seconds=30):
    """By the controller's status, which it writes each second."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        links = fabric.status()["links"]
        if condition(links):
            return links
        time.sleep(0.2)
    bed.expect(False, f"{what} within {seconds} s:\n" + "\n".join(fabric.log[-30:]))


def ends(links):
    """A pair of hosts at both ends of each link: their datagrams take it, both ways."""
    pairs = [tuple(f"h{switch[1:]}" for switch in link["link"].split("-")) for link in links]
    return pairs + [(b, a) for a, b in pairs]


def use_and_leave(fabric, chosen, is_saving, policy):
    """Traffic over the chosen links: they come back, carry it, and save power again when it is over."""
    names = {link["link"] for link in chosen}
    since = len(fabric.log)
    began = time.monotonic()
    load = fabric.traffic(ends(chosen), PER_SECOND, SECONDS)
    wait_until(fabric, lambda links: not any(is_saving(link) for link in links if link["link"] in names), "links are back", 10)
    back = time.monotonic() - began
    result = fabric.finish(load)
    expect_carried(result, f"with {policy}")
    wait_until(fabric, lambda links: all(is_saving(link) for link in links if link["link"] in names), "links save power again")
    wanted = sum("frames want it" in line for line in fabric.log[since:])
    bed.expect(wanted >= len(names), f"links came back for what was sent: {fabric.log[since:]}")
    bed.expect(not any("ALARM" in line for line in fabric.log), f"no alarm: {fabric.log}")
    return result["sent"], back


def check(fabric, policy, is_saving, least):
    begin(fabric, policy)
    # Over a link that never sleeps: latency-budget learns from messages that arrive.
    some = fabric.traffic([("h0", "h1")], 20, 600) if "budget" in policy else None
    links = wait_until(fabric, lambda links: sum(is_saving(link) for link in links) >= least, f"{least} links save power")
    chosen = [link for link in links if is_saving(link)][:6]
    sent, slowest = 0, 0.0
    for _ in range(ROUNDS):
        more, back = use_and_leave(fabric, chosen, is_saving, policy)
        sent, slowest = sent + more, max(slowest, back)
    if some:
        expect_carried(fabric.finish(some, early=True), f"over the core with {policy}")
    print(f"{policy}: {len(chosen)} links came back within {slowest:.1f} s and saved power again {ROUNDS} times, "
          f"0 of {sent} datagrams lost", flush=True)


def main():
    bed.skip_unless_possible("ovs-ofctl", "tc")
    with Live(sys.argv[1:4], bed.own_name("t"), TOPOLOGY, more=SAFETY) as fabric:
        for policy in SLEEPING:
            check(fabric, policy, lambda link: link["state"] == "asleep", 6)
        for policy in SLOWING:
            check(fabric, policy, lambda link: link["rate"] == "1Mb/s", 18)


if __name__ == "__main__":
    bed.test(main)
