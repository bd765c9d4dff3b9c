#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ebb fabric run --dry-run` on a live fabric with traffic: it says which links would sleep and what
that would save, and writes nothing to any switch. And `ebb fabric down` ends a running controller.
Arguments: ebb, ebb-host, the traffic tool."""
import re
import subprocess
import sys

import bed
from live import HASTY, Live, expect_carried

TOPOLOGY = "{family: fbfly, hosts: 2, dims: 3x3, rates: [10Mb/s]}"
POLICY = "policy: {name: stages, period: 500ms, high: 20%, low: 10%}\n"
MORE = "parts: {switch: cisco-nexus-9336c-fx2, setup: 100G LR}\n" + HASTY
SWITCHES = [f"s{number}" for number in range(9)]
# Of traffic and time, not of what was written.
MOVING = re.compile(r"(duration|n_packets|n_bytes|idle_age|hard_age)=[0-9.]+s?,? ?")


def held(fabric, switch):
    """Rules, groups and the settings of ports."""
    dump = lambda what: bed.must(*fabric.on(switch, "ovs-ofctl", "-O", "OpenFlow13", what, "br0"))
    ports = [line for line in dump("dump-ports-desc").splitlines() if "config" in line or "state" in line]
    return sorted(MOVING.sub("", dump("dump-flows")).splitlines()[1:]), sorted(dump("dump-groups").splitlines()[1:]), ports


def all_held(fabric):
    return {switch: held(fabric, switch) for switch in SWITCHES}


def check_writes_nothing(fabric, expected):
    before = all_held(fabric)
    load = fabric.traffic([("h2", "h5"), ("h8", "h16")], 100, 60)
    fabric.start("--dry-run", wait=False)
    fabric.wait_for(expected)
    lines = list(fabric.log)
    fabric.stop()
    result = fabric.finish(load, early=True)
    after = all_held(fabric)
    for switch in SWITCHES:
        bed.expect(before[switch] == after[switch], f"{switch} was written to:\n{before[switch]}\n{after[switch]}")
    return lines, result


def check_with_rules(fabric):
    fabric.kill()
    fabric.more += POLICY
    fabric.write_file(TOPOLOGY)
    lines, result = check_writes_nothing(fabric, "6 links would sleep")
    expect_carried(result, "by a dry run")
    saved = next(line for line in lines if "6 links would sleep" in line)
    bed.expect(re.search(r"[1-9][0-9.]* W of [1-9][0-9.]* W modelled would be saved", saved), f"watts: {saved}")
    bed.expect(not any("would be sent" in line for line in lines), f"switches have their rules: {lines}")
    bed.expect(sum("would sleep: the policy asked" in line for line in lines) == 6, f"each link once: {lines}")
    print(f"dry run: {saved.split('  ')[-1]}; rules, groups and ports of 9 switches as before, "
          f"0 of {result['sent']} datagrams lost")


def check_without_rules(fabric):
    for switch in SWITCHES:
        bed.must(*fabric.on(switch, "ovs-ofctl", "-O", "OpenFlow13", "del-flows", "br0"))
    lines, _ = check_writes_nothing(fabric, "all switches are here")
    told = [line for line in lines if "would be sent" in line]
    bed.expect(len(told) == 9, f"what switches would get is said: {lines}")
    print(f"dry run on switches without rules: nothing written; {told[0].split('  ')[-1]}")


def check_one_controller(fabric):
    """A second one is refused, and `down` ends the first."""
    fabric.start()
    fabric.wait_for(" asleep:")  # whose ports are down when the switches end
    second = bed.run(fabric.ebb, "fabric", "run", fabric.file, "--seconds", "1")
    bed.expect(second.returncode == 3 and "another controller leads" in second.stderr, f"a second controller: {second.stderr}")
    bed.must(fabric.ebb, "fabric", "down", fabric.name)
    try:
        code = fabric.controller.wait(timeout=5)
    except subprocess.TimeoutExpired:
        bed.expect(False, "the controller outlives its fabric")
    bed.expect(code == 0, f"the controller ends well: {code}")
    bed.expect(any("the fabric is taken down" in line for line in fabric.log), f"and says why: {fabric.log}")
    bed.expect(not bed.left_of(fabric.name), f"left: {bed.left_of(fabric.name)}")
    print("down: the controller ended by itself with code 0, nothing is left")


def main():
    bed.skip_unless_possible("ovs-ofctl")
    with Live(sys.argv[1:4], bed.own_name("d"), TOPOLOGY, more=MORE) as fabric:
        check_with_rules(fabric)
        check_without_rules(fabric)
        check_one_controller(fabric)


if __name__ == "__main__":
    bed.test(main)
