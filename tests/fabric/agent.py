#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Agents beside real switches: on an overloaded link datagrams are lost without one and none with it; the
controller goes on as before; a killed agent leaves nothing that the next does not mend. Arguments: ebb, ebb-host,
the traffic tool, ebb-agent, then optionally `study`: what calmness does to the order of datagrams."""
import json
import os
import signal
import statistics
import sys
import time

import bed
from live import Live, expect_carried
from queue_watch import QueueWatch, diversions

# As examples/fabric-3x3.yaml. The cable from s1 (p4) to s2 runs at the middle of its rate table: software on a
# busy machine carries that without losses of its own.
TOPOLOGY = "{family: fbfly, hosts: 2, dims: 3x3, rates: [1Mb/s, 10Mb/s, 100Mb/s]}"
PORT, DETOUR = "p4", "p3"
HIGH = 6056  # bytes: four frames, above which a queue of 10 Mb/s is long
PAIRS = [("h2", "h4"), ("h3", "h5")]
BYTES, RATE = 1400, 500  # both pairs together 11.5 Mb/s on the wire
LIMIT_MS = 20
SILENT_S = 0.025  # longer than an agent waits between two changes


class WithAgents(Live):
    def __init__(self, programs, name):
        super().__init__(programs[:3], name, TOPOLOGY, up=("--agents",))
        self.agent_program = programs[3]

    def device(self, switch):
        return bed.STATE / self.name / switch

    def agent_pid(self, switch):
        return int((self.device(switch) / "ebb-agent.pid").read_text())

    def end_agent(self, switch, how=signal.SIGTERM):
        pid = self.agent_pid(switch)
        os.kill(pid, how)
        wait_until(lambda: not os.path.exists(f"/proc/{pid}") or "Z" in state_of(pid), "the agent ends")

    def start_agent(self, switch, *options):
        folder = str(self.device(switch))
        bed.must(*self.on(switch, self.agent_program, folder, f"--pidfile={folder}/ebb-agent.pid", "--detach", *options))
        wait_until(lambda: len(self.record(switch)["ports"]) == 4, "the agent watches four ports")

    def record(self, switch):
        return json.loads((self.device(switch) / "agent.json").read_text())

    def is_live(self, switch, port):
        text = bed.must(*self.on(switch, "ovs-ofctl", "-O", "OpenFlow13", "dump-ports-desc", "br0"))
        return "LIVE" in text.split(f"({port})")[1].split("speed")[0]

    def slow_down(self):
        """With the queue of every port of a testbed (libs/live/testbed/src/port_rates.cpp): a longer one would make the
        other ports of the switch lose frames and probes too."""
        bed.must("ip", "netns", "exec", f"ebb-{self.name}-s1", "tc", "qdisc", "replace", "dev", PORT, "root", "tbf",
                 "rate", "10mbit", "burst", "3200", "limit", "100000")

    def overload(self, seconds):
        load = self.traffic(PAIRS, RATE, seconds, "--bytes", str(BYTES))
        os.setpriority(os.PRIO_PROCESS, load.pid, -15)
        return load


def put_first(pid):
    """Other work on this machine must not look like a slow switch."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        os.setpriority(os.PRIO_PROCESS, int(thread), -15)


def state_of(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")")[1].split()[0]
    except OSError:
        return "Z"


def wait_until(condition, what, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        bed.expect(time.monotonic() < end, f"{what} within {seconds} s")
        time.sleep(0.02)


def out_of_order(result):
    return sum(stream["reordered"] for stream in result["streams"])


def check_without(fabric):
    fabric.end_agent("s1")
    bed.expect(not fabric.record("s1")["changes"], "nothing was diverted before")
    monitors = bed.must(*fabric.on("s1", "ovs-vsctl", "--bare", "--columns=cfm_mpid", "list", "Interface"))
    bed.expect(not monitors.strip(), "an agent that ends leaves nothing behind")
    result = fabric.finish(fabric.overload(3))
    bed.expect(result["lost"] > 0, "the link is overloaded")
    print(f"without an agent: {result['lost']} of {result['sent']} datagrams lost")


def check_with(fabric):
    fabric.start_agent("s1")
    with QueueWatch(f"ebb-{fabric.name}-s1") as watch:
        result = fabric.finish(fabric.overload(4))
    seen = diversions(watch.samples, PORT, DETOUR, HIGH, SILENT_S)
    time.sleep(1)  # the agent writes its record twice a second
    record = fabric.record("s1")
    own = [change["after_ms"] for change in record["changes"] if change["change"] == "suppressed"]
    print(f"with it: {result['lost']} of {result['sent']} datagrams lost, {out_of_order(result)} out of order; "
          f"{record['diversions']} diversions")
    bed.expect(own and len(seen) >= 3, f"diversions: {own}, seen from outside: {seen}")
    print(f"from a long queue to the switch's answer: median {statistics.median(own):.1f} ms, longest {max(own):.1f} ms; "
          f"to the first packet on the detour, seen from outside ({len(watch.samples)} samples): "
          f"median {statistics.median(seen):.1f} ms of {len(seen)}, longest {max(seen):.1f} ms")
    expect_carried(result, "with an agent")
    bed.expect(record["refusals"] == 0 and record["diversions"] >= 5, f"diversions: {record}")
    # The switch itself waits for a processor on a busy machine: that is not the agent's time.
    bed.expect(statistics.median(own) < LIMIT_MS and statistics.quantiles(seen)[0] < LIMIT_MS, "diverted in time")


def check_killed(fabric):
    """A suppression outlives an agent that is killed; the next one ends it."""
    load = fabric.overload(60)
    folder = str(fabric.device("s1"))
    fabric.end_agent("s1")
    fabric.start_agent("s1", "--least", "5s")  # so that a suppression lasts
    wait_until(lambda: not fabric.is_live("s1", PORT), "the port is suppressed")
    fabric.end_agent("s1", signal.SIGKILL)
    fabric.finish(load, early=True)
    bed.expect(not fabric.is_live("s1", PORT), "the suppression stays")
    bed.expect(os.path.exists(f"{folder}/ebb-agent.pid"), "it was killed")
    fabric.start_agent("s1")
    wait_until(lambda: fabric.is_live("s1", PORT), "the next agent ends the suppression")
    print("agent killed while a port is suppressed and started again: the port is live")


def check_sleep(fabric):
    """Links sleep and wake while agents divert. Not those that the overloaded link needs: without its detour it
    would be overloaded again."""
    links = [link for link in fabric.links() if link not in ("s0-s1", "s0-s2")][:8]
    before = fabric.record("s1")["diversions"]
    load = fabric.overload(600)
    for link in links:
        fabric.change("drain", link, "asleep")
        fabric.change("undrain", link, "active")
    result = fabric.finish(load, early=True)
    time.sleep(1)
    diverted = fabric.record("s1")["diversions"] - before
    print(f"{len(links)} links slept and woke meanwhile: {result['lost']} of {result['sent']} datagrams lost, {diverted} diversions")
    expect_carried(result, "while links slept")
    bed.expect(diverted > 0, "some diverted")


def check_safety(fabric):
    """The detour of a sleeping link is never suppressed, however long its queue: everyone is still reached."""
    fabric.change("drain", "s0-s1", "asleep")  # p3 of s1: its frames go by p4
    time.sleep(1)
    before = fabric.record("s1")["diversions"]
    load = fabric.overload(2)
    found, wanted = fabric.all_pairs()
    fabric.finish(load)
    time.sleep(1)
    bed.expect(found == wanted, f"{found} of {wanted} pairs reached")
    suppressed = fabric.record("s1")["diversions"] - before
    longest = next(port["most_waiting_bytes"] for port in fabric.record("s1")["ports"] if port["port"] == PORT)
    bed.expect(suppressed == 0 and longest > HIGH, f"the only path is not suppressed: {suppressed} times, {longest} bytes waited")
    fabric.change("undrain", "s0-s1", "active")
    failed = [line for line in fabric.log if "failed" in line]
    bed.expect(not failed, f"neither a full queue nor a suppression looks like a failure to the controller: {failed}")
    print(f"the detour of a sleeping link is never suppressed: {found} pairs reached; no link has failed for the controller")


def study(fabric):
    """Calmness against order: the longer between changes, the fewer overtake, until queues overflow."""
    fabric.end_agent("s1")
    for options in ([], ["--polls", "1", "--hold", "0s", "--least", "0s", "--low", "2.9ms"], ["--least", "50ms", "--hold", "20ms"],
                    ["--least", "100ms", "--hold", "50ms"], ["--least", "500ms", "--hold", "100ms"]):
        fabric.start_agent("s1", *options)
        result = fabric.finish(fabric.overload(8))
        fabric.end_agent("s1")
        record = fabric.record("s1")
        print(f"{' '.join(options) or 'as it is'}: {record['diversions']} diversions, {result['lost']} lost, "
              f"{out_of_order(result)} out of order of {result['sent']}")
    fabric.start_agent("s1")


def main():
    bed.skip_unless_possible("fping", "ovs-ofctl", "tc")
    name = bed.own_name("a")
    with WithAgents(sys.argv[1:5], name) as fabric:
        bed.expect(f"{name}" in bed.must(fabric.ebb, "fabric", "list"), "it is listed")
        for switch in range(9):
            wait_until(lambda s=f"s{switch}": len(fabric.record(s)["ports"]) == 4, f"the agent of s{switch} watches")
        fabric.slow_down()
        for pid in bed.daemons(bed.STATE / name):
            put_first(pid)
        if "study" in sys.argv[5:]:
            return study(fabric)
        check_without(fabric)
        check_with(fabric)
        check_sleep(fabric)
        check_safety(fabric)
        check_killed(fabric)
    bed.expect(not bed.left_of(name), f"nothing is left: {bed.left_of(name)}")


if __name__ == "__main__":
    bed.test(main)
