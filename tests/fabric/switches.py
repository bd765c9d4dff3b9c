#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole switches out of use and back on a leaf-spine of real switches: spines are drained under load one by one and two at a
time, lose their power, and come back with their rules before they carry a frame; the controller is killed in the middle; a
spine does not come back. Arguments: ebb, ebb-host, the traffic tool, then
  --cycles N    of each spine (1)
  --planes N    of two spines together (1)
  --kills N     of the controller while a spine is drained or comes back (3)
  --drivers D   testbed (the default), snmp, gnmi, or several: what switches the power. Kills are of the first
  --rate N      datagrams a second of each of the four flows (50)"""
import argparse
import os
import pathlib
import random
import re
import time
import urllib.request

import bed
from live import HASTY, Live, expect_carried

LEAVES, SPINES = 4, 4  # two hosts at each leaf
SWITCHES = [f"leaf{i}" for i in range(1, LEAVES + 1)] + [f"spine{i}" for i in range(1, SPINES + 1)]
PAIRS = [("h0", "h2"), ("h3", "h4"), ("h5", "h6"), ("h7", "h1")]
OUTLET = "1.3.6.1.4.1.8072.9999.9999.1.0"  # of ebb-agentx
START_LIMIT = 5  # seconds


def leaf_spine():
    hosts = [f"h{i}" for i in range(2 * LEAVES)]
    cables = [f"h{i},leaf{i // 2 + 1}" for i in range(2 * LEAVES)]
    cables += [f"leaf{leaf},spine{spine}" for leaf in range(1, LEAVES + 1) for spine in range(1, SPINES + 1)]
    return (f"schema_version: 1\nswitches: [{', '.join(SWITCHES)}]\nhosts: [{', '.join(hosts)}]\nrate_tables: [[100Mb/s]]\n"
            "...\na,b\n" + "\n".join(cables) + "\n")


class LeafSpine(Live):
    def __init__(self, programs, name, driver):
        super().__init__(programs, name, "{graph: network.yaml}", up=() if driver == "testbed" else (f"--{driver}",))
        (self.folder / "network.yaml").write_text(leaf_spine())
        self.driver = driver
        self.more = HASTY + self.power()

    def power(self):
        limit = f"start_limit: {START_LIMIT}s"
        if self.driver == "testbed":
            return f"switch_power: {{driver: testbed, {limit}}}\n"
        what = {"snmp": f"object: {OUTLET}", "gnmi": "component: switch"}[self.driver]
        outlets = "".join(f"    {name}: {{address: 'unix:{self.device(name)}/{self.driver}.sock', {what}}}\n" for name in SWITCHES[LEAVES:])
        access = ""
        if self.driver == "snmp":
            community = self.folder / "community"
            community.write_text("ebb\n")
            community.chmod(0o600)
            access = f"  snmp: {{community_file: {community}}}\n"
        return f"switch_power:\n  driver: {self.driver}\n  {limit}\n{access}  outlets:\n{outlets}"

    def device(self, switch):
        return bed.STATE / self.name / f"s{SWITCHES.index(switch)}"

    def has_daemons(self, switch):
        return bool([one for one in bed.daemons(self.device(switch)) if runs_switch(one)])

    def ask_all(self, verb, switches):
        return bed.run(self.ebb, "fabric", verb, *switches, "--fabric", self.name)

    def order(self, verb, switches):
        """As soon as cables are probed and counters read, and what was drained before has come to rest."""
        end = time.monotonic() + 20
        while (asked := self.ask_all(verb, switches)).returncode:
            early = re.search("no probe came|is waking|not known|failed less than|ask again|cannot be reached", asked.stderr)
            bed.expect(early and time.monotonic() < end, f"{verb} {switches}: {asked.stderr}")
            time.sleep(0.05)

    def states(self):
        return {one["switch"]: one["state"] for one in self.status()["switches_out"]}


def runs_switch(process):
    try:
        return os.readlink(f"/proc/{process}/exe").endswith(("ovs-vswitchd", "ovsdb-server"))
    except OSError:
        return False


def rules_come_first(log, switch):
    """Rules written, read back, then its links wake; none is used before the last of them can be."""
    order = [next((i for i, line in enumerate(log) if text in line), None)
             for text in (f"{switch} gets its rules", f"{switch} is here", f"switch {switch} returning:", f"{switch} waking:",
                          f"switch {switch} in use:")]
    bed.expect(None not in order and order == sorted(order), f"the order of its return: {order}\n" + "\n".join(log))
    first = next((i for i, line in enumerate(log) if f"-{switch} active:" in line), len(log))
    bed.expect(first > order[3], "no link is active before all are up:\n" + "\n".join(log))


def cycle(fabric, switches):
    """Out of use, without power, and back. Says how long each took."""
    since = len(fabric.log)
    began = time.monotonic()
    fabric.order("drain", switches)
    for switch in switches:
        fabric.wait_for(f"switch {switch} off:", 30, since)
    off = time.monotonic()
    for switch in switches:
        bed.expect(not fabric.has_daemons(switch), f"{switch} has no power")
    fabric.order("undrain", switches)
    for switch in switches:
        fabric.wait_for(f"switch {switch} in use:", 60, since)
    used = time.monotonic()
    for switch in switches:
        rules_come_first(fabric.log[since:], switch)
    return off - began, used - off


def check_cycles(fabric, rounds, sets, rate, what):
    load = fabric.traffic(PAIRS, rate, 36000)
    times = [cycle(fabric, switches) for _ in range(rounds) for switches in sets]
    result = fabric.finish(load, early=True)
    expect_carried(result, f"in {len(times)} cycles of {what}")
    print(f"{fabric.driver}: {rounds} cycles of each of {len(sets)} {what}: 0 of {result['sent']} datagrams lost; off within "
          f"{max(off for off, _ in times):.1f} s, in use again within {max(back for _, back in times):.1f} s, median "
          f"{sorted(back for _, back in times)[len(times) // 2]:.1f} s", flush=True)


def check_refused(fabric):
    refused = fabric.ask_all("drain", ["leaf2"])
    bed.expect(refused.returncode == 1 and "hosts hang on leaf2: h2, h3" in refused.stderr, f"a leaf: {refused.stderr}")
    refused = fabric.ask_all("drain", ["spine1", "sipne2"])
    bed.expect(refused.returncode == 1 and "no switch" in refused.stderr, f"a name: {refused.stderr}")
    refused = fabric.ask_all("drain", SWITCHES[LEAVES:])
    bed.expect(refused.returncode == 1, f"all spines: {refused.stderr}")
    print(f"refused: {refused.stderr.strip()}")


def check_kills(fabric, kills, rate):
    """The controller is killed at some moment of a drain or of a return. The next one ends what was begun, or undoes it."""
    moments = random.Random(28)
    load = fabric.traffic(PAIRS, rate, 36000)
    for _ in range(kills):
        off = list(fabric.states())
        fabric.order(*(("undrain", off) if off else ("drain", [moments.choice(SWITCHES[LEAVES:])])))
        time.sleep(moments.uniform(0, 0.8))
        fabric.kill()
        fabric.start()
        time.sleep(1.2)  # the status is of every second
        end = time.monotonic() + 60
        while set(fabric.states().values()) - {"off"}:
            bed.expect(time.monotonic() < end, f"comes to rest: {fabric.states()}\n" + "\n".join(fabric.log[-40:]))
            time.sleep(0.1)
    if fabric.states():
        cycle_back(fabric, list(fabric.states()))
    result = fabric.finish(load, early=True)
    found, pairs = fabric.all_pairs()
    bed.expect(found == pairs, f"{found} of {pairs} pairs of hosts reach each other")
    expect_carried(result, f"while the controller was killed {kills} times")
    print(f"killed {kills} times in the middle: 0 of {result['sent']} datagrams lost, all {pairs} pairs of hosts reach each other", flush=True)


def cycle_back(fabric, switches):
    since = len(fabric.log)
    fabric.order("undrain", switches)
    for switch in switches:
        fabric.wait_for(f"switch {switch} in use:", 60, since)


def check_lost(fabric, rate):
    """Its disk is gone: it cannot start. It is routed around and reported, and taken into use when it comes after all."""
    port = 20000 + os.getpid() % 20000
    fabric.stop()
    fabric.start("--metrics", str(port))
    fabric.order("drain", ["spine2"])
    fabric.wait_for("switch spine2 off:")
    disk = fabric.device("spine2") / "conf.db"
    disk.rename(disk.with_suffix(".away"))
    load = fabric.traffic(PAIRS, rate, 36000)
    fabric.order("undrain", ["spine2"])
    fabric.wait_for("ALARM: switch spine2 lost:", 30)
    time.sleep(1.2)  # the status is of every second
    bed.expect(fabric.states() == {"spine2": "lost"}, f"the status says so: {fabric.states()}")
    page = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read().decode()
    bed.expect('ebb_switch_out_of_use{switch="spine2",state="lost"} 1' in page, "the metrics say so")
    found, pairs = fabric.all_pairs()
    bed.expect(found == pairs, f"{found} of {pairs} pairs of hosts reach each other")
    disk.with_suffix(".away").rename(disk)
    fabric.wait_for("switch spine2 in use:", 60)
    expect_carried(fabric.finish(load, early=True), "while a spine was lost")
    print("lost: reported in the log, the status and the metrics; routed around; in use again when it started after all")


def main():
    bed.skip_unless_possible("fping", "ovs-ofctl")
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=3)
    for name, default in ("cycles", 1), ("planes", 1), ("kills", 3), ("rate", 50):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--drivers", default="testbed")
    parser.add_argument("--beside", default="", help="a program in whose folder ebb-agentx is")
    said = parser.parse_args()
    os.environ["PATH"] += os.pathsep + str(pathlib.Path(said.beside).parent)
    kills = said.kills
    for driver in said.drivers.split(","):
        check_driver(said, driver, kills)
        kills = 0


def check_driver(said, driver, kills):
    with LeafSpine(said.programs, bed.own_name("sw"), driver) as fabric:
        check_refused(fabric)
        spines = SWITCHES[LEAVES:]
        check_cycles(fabric, said.cycles, [[spine] for spine in spines], said.rate, "spines")
        if said.planes:
            check_cycles(fabric, said.planes, [spines[:2], spines[2:]], said.rate, "pairs of spines")
        if kills:
            check_kills(fabric, kills, said.rate)
            check_lost(fabric, said.rate)
        name = fabric.name
    bed.expect(not bed.left_of(name), f"nothing is left: {bed.left_of(name)}")


if __name__ == "__main__":
    bed.test(main)
