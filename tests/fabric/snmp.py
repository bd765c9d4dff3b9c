#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Switches managed over SNMP: links sleep and wake under load without a frame lost, ports really go
down, and PVIDs and rates that are set arrive at the switch. Arguments: ebb, ebb-host, the traffic
tool, the tool that gives one order, ebb-agentx, then optionally how many links sleep (6)."""
import os
import pathlib
import sys

import bed
from managed import Managed

LINKS = int(sys.argv[6]) if len(sys.argv) > 6 else 6


def order(fabric, switch, *words):
    return bed.run(sys.argv[4], fabric.socket(switch), *words)


def check_rates(fabric):
    done = order(fabric, 0, "rate", "3", "10Mb/s")
    bed.expect(done.returncode == 0, f"a rate is set: {done.stderr}")
    queue = bed.must("tc", "-n", f"ebb-{fabric.name}-s0", "qdisc", "show", "dev", "p3")
    bed.expect("rate 10Mbit" in queue, f"port 3 has it: {queue}")
    bed.expect("rate 100Mbit" in bed.must("tc", "-n", f"ebb-{fabric.name}-s0", "qdisc", "show", "dev", "p4"), "port 4 not")
    refused = order(fabric, 0, "rate", "3", "7Mb/s")
    bed.expect(refused.returncode == 1 and "no rate" in refused.stderr, f"7 Mb/s is refused: {refused.stderr}")
    bed.expect(order(fabric, 0, "rate", "3", "100Mb/s").returncode == 0, "and back")


def reaches(fabric, source, target):
    return bed.run(*fabric.on(source, "fping", "-q", "-r", "3", fabric.addresses[target])).returncode == 0


def check_pvids(fabric):
    """Where a switch forwards by VLAN, two hosts reach each other when they are in the same one."""
    for port in "1", "2":
        bed.must(*fabric.on("s0", "ovs-ofctl", "-O", "OpenFlow13", "add-flow", "br0", f"priority=60000,ip,in_port={port},actions=normal"))
    expected = {("1", "20"): False, ("2", "20"): True, ("1", "30"): False, ("2", "30"): True}
    for (port, vlan), together in expected.items():
        done = order(fabric, 0, "pvid", port, vlan)
        bed.expect(done.returncode == 0, f"a PVID is set: {done.stderr}")
        tag = bed.must(*fabric.on("s0", "ovs-vsctl", "get", "port", f"p{port}", "tag")).strip()
        bed.expect(tag == vlan, f"port {port} has VLAN {vlan}: {tag}")
        bed.expect(reaches(fabric, "h0", "h1") == together, f"port {port} in VLAN {vlan}: together {together}")
    bed.expect(order(fabric, 0, "pvid", "1", "4095").returncode == 1, "there is no VLAN 4095")


def check_lost_agent(fabric):
    """A switch without its agent is told of; its links stay awake, although OpenFlow would reach it."""
    pid = int((bed.STATE / fabric.name / "s4" / "snmpd.pid").read_text())
    since = len(fabric.log)
    os.kill(pid, 15)
    fabric.wait_for("s4 did not say", 30, since)
    since = len(fabric.log)
    fabric.ask("drain", "s3-s4")
    fabric.wait_for("s3-s4 active:", 30, since)
    bed.expect(not any("s3-s4 asleep" in line for line in fabric.log[since:]), "s3-s4 does not sleep")
    bed.expect("broken" in bed.must(fabric.ebb, "fabric", "list"), "the fabric is not whole")


def check_devices(fabric):
    community = fabric.folder / "community"
    community.write_text("ebb\n")
    community.chmod(0o600)
    fabric.check_devices(f"{{community_file: {community}}}")
    community.chmod(0o604)
    refused = bed.run(fabric.ebb, "fabric", "run", fabric.file, "--ports", "snmp", "--devices", fabric.folder / "devices.yaml")
    bed.expect(refused.returncode == 2 and "everyone may read" in refused.stderr, f"a secret that is none: {refused.stderr}")


def main():
    bed.skip_unless_possible("fping", "snmpd")
    if not pathlib.Path(sys.argv[5]).exists():
        print("skipped: built without SNMP")
        sys.exit(bed.SKIPPED)
    os.environ["PATH"] += os.pathsep + str(pathlib.Path(sys.argv[5]).parent)
    with Managed(sys.argv[1:4], bed.own_name("n"), "snmp") as fabric:
        misspelt = bed.run(fabric.ebb, "fabric", "run", fabric.file, "--ports", "smnp")
        bed.expect(misspelt.returncode == 2 and "snmp" in misspelt.stderr, f"a driver is named: {misspelt.stderr}")
        fabric.check_sleep(LINKS)
        check_devices(fabric)
        check_rates(fabric)
        check_pvids(fabric)
        check_lost_agent(fabric)
        name = fabric.name
    bed.expect(not bed.left_of(name), f"nothing is left: {bed.left_of(name)}")
    print("snmp: rates and PVIDs arrive; a lost agent is told of; nothing is left")


if __name__ == "__main__":
    bed.test(main)
