#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Switches managed by gNMI: links sleep and wake under load without a frame lost, ports really go
down, speeds arrive in tc and VLANs in the switch, a target that was killed is told of and heard again.
Arguments: ebb, ebb-host, the traffic tool, the tool that gives one order, then optionally how many links
sleep (6)."""
import os
import subprocess
import sys

import bed
from managed import Managed

LINKS = int(sys.argv[5]) if len(sys.argv) > 5 else 6


def order(fabric, switch, *words):
    return bed.run(sys.argv[4], fabric.socket(switch), *words)


def check_orders(fabric):
    done = order(fabric, 0, "rate", "3", "10")
    bed.expect(done.returncode == 0, f"a speed is set: {done.stderr}")
    queues = [bed.must("tc", "-n", f"ebb-{fabric.name}-s0", "qdisc", "show", "dev", port) for port in ("p3", "p4")]
    bed.expect("rate 10Mbit" in queues[0] and "rate 100Mbit" in queues[1], f"port 3 alone has it: {queues}")
    bed.expect(order(fabric, 0, "rate", "3", "100").returncode == 0, "and back")
    done = order(fabric, 0, "pvid", "1", "20")
    tag = bed.must(*fabric.on("s0", "ovs-vsctl", "get", "port", "p1", "tag")).strip()
    bed.expect(done.returncode == 0 and tag == "20", f"the switch has the VLAN: {tag} {done.stderr}")
    for words in (("rate", "99", "10"), ("pvid", "1", "4095"), ("port", "99", "down")):
        refused = order(fabric, 0, *words)
        bed.expect(refused.returncode == 1 and refused.stderr, f"{words} is refused in words")


def check_lost_target(fabric):
    """Without its target a switch is told of; when it is back, it is used again."""
    pid = int((bed.STATE / fabric.name / "s4" / "gnmi-target.pid").read_text())
    words = open(f"/proc/{pid}/cmdline").read().split("\0")[:-1]
    since = len(fabric.log)
    os.kill(pid, 15)
    fabric.wait_for("s4 did not say its counters", 30, since)
    bed.expect("broken" in bed.must(fabric.ebb, "fabric", "list"), "the fabric is not whole")
    subprocess.run(["ip", "netns", "exec", f"ebb-{fabric.name}-s4", *words], check=True, timeout=60)
    link = next(link for link in fabric.links() if "s4-" in link)
    fabric.change("drain", link, "asleep", 30)
    fabric.change("undrain", link, "active", 30)


def main():
    bed.skip_unless_possible("fping", "tc")
    with Managed(sys.argv[1:4], bed.own_name("g"), "gnmi", "--modules") as fabric:
        fabric.check_sleep(LINKS)
        fabric.check_devices("{values: json_ietf, modules: transceiver-p}")
        check_orders(fabric)
        check_lost_target(fabric)
        name = fabric.name
    bed.expect(not bed.left_of(name), f"nothing is left: {bed.left_of(name)}")
    print("gnmi: speeds and VLANs arrive; a target that was killed is told of and used again; nothing is left")


if __name__ == "__main__":
    bed.test(main)
