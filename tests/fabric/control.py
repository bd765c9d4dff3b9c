#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real switches under `ebb fabric run`: hosts get their addresses, all pairs are reached, and links
sleep and wake under load without a frame lost. Arguments: ebb, ebb-host, the traffic tool, then
optionally how often each link sleeps (once, unless it says more)."""
import sys

import bed
from live import Live, expect_carried

ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 1
# Rules of the table: hosts + 2 for each other port (unmarked, marked), + an uplink's bounce in a Clos.
# Beside them ARP, probes, DMP for each host and the drop of DMP elsewhere.
NETWORKS = {
    "fbfly": ("{family: fbfly, hosts: 2, dims: 3x3}", lambda switch: 2 + 2 * 4 + 3 + 2 + 4 + 3 * 2 + 5),
    "clos": ("{family: clos, ports: 4, levels: 3, hosts: 16}", None),
    "dragonfly": ("{family: dragonfly, p: 1, a: 3, h: 2, g: 4}", None),
    "complete": ("{family: complete, switches: 6, hosts: 1, parallel: 5}", None),
}


def check_reach(fabric):
    found, wanted = fabric.all_pairs()
    bed.expect(found == wanted, f"{found} of {wanted} pairs reached")
    return wanted


def cycle_links(fabric, pairs, rounds):
    """Every link sleeps and wakes in turn while datagrams and transfers run."""
    links = fabric.links()
    tcp = [option for source, target in pairs[:2] for option in ("--tcp", fabric.pair(target, source))]
    load = fabric.traffic(pairs, 2000, 600, *tcp, "--megabytes", "8")
    cycles = 0
    for _ in range(rounds):
        for link in links:
            fabric.change("drain", link, "asleep")
            fabric.change("undrain", link, "active")
            cycles += 1
    result = fabric.finish(load, early=True)
    expect_carried(result, f"in {cycles} cycles")
    for transfer in result["transfers"]:
        bed.expect(transfer["right"] == transfer["bytes"], f"a transfer arrived whole: {transfer}")
    return cycles, result["sent"]


def check_fbfly(programs):
    topology, rules = NETWORKS["fbfly"]
    with Live(programs, bed.own_name("c"), topology) as fabric:
        for switch in range(9):
            bed.expect(fabric.rules(f"s{switch}") == rules(switch), f"s{switch} has {fabric.rules(f's{switch}')} rules")
        pairs = check_reach(fabric)
        cycles, sent = cycle_links(fabric, [("h2", "h5"), ("h8", "h16"), ("h17", "h3"), ("h4", "h12")], ROUNDS)
        check_safety(fabric)
        print(f"fbfly: {pairs} pairs reached; {cycles} sleep and wake cycles, 0 of {sent} datagrams lost")


def check_safety(fabric):
    """No link goes without which somebody would be cut off."""
    fabric.change("drain", "s0-s1", "asleep")
    refused = fabric.ask("drain", "s0-s2")
    bed.expect(refused.returncode == 1 and "would not reach" in refused.stderr, f"refused: {refused.stderr}")
    bed.expect("no such link" in fabric.ask("drain", "s0-s9").stderr, "an unknown link is refused")
    check_reach(fabric)
    fabric.change("undrain", "s0-s1", "active")


def check_family(programs, family):
    with Live(programs, bed.own_name(family[0]), NETWORKS[family][0]) as fabric:
        pairs = check_reach(fabric)
        hosts = list(fabric.addresses)
        load = fabric.traffic([(hosts[0], hosts[-1]), (hosts[-1], hosts[1])], 500, 60)
        slept = 0
        for link in fabric.links()[::3]:
            if fabric.ask("drain", link).returncode == 0:
                fabric.wait_for(f"{link} asleep:")
                fabric.change("undrain", link, "active")
                slept += 1
        result = fabric.finish(load, early=True)
        bed.expect(slept > 0, "links of it can sleep")
        expect_carried(result, f"on {family}")
        print(f"{family}: {pairs} pairs reached; {slept} links slept and woke, 0 of {result['sent']} datagrams lost")


def main():
    bed.skip_unless_possible("fping", "ovs-ofctl")
    programs = sys.argv[1:4]
    check_fbfly(programs)
    for family in ("clos", "dragonfly", "complete"):
        check_family(programs, family)


if __name__ == "__main__":
    bed.test(main)
