#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A leaf-spine with parallel cables on real switches, as docs/guides/let-a-leaf-spine-sleep.md goes about it: a dry run that
says so in status and metrics, then links really asleep, all but one from each leaf, while datagrams go between all
leaves; all of them awake again at the end, and a status that says that it is of the past.
Arguments: ebb, ebb-host, the traffic tool."""
import json
import re
import socket
import sys
import time
import urllib.request

import bed
from live import HASTY, Live, expect_carried

# 3 leaves, 2 spines, 2 cables from each leaf to each spine: of 12 links 3 have to stay, one from each leaf.
TOPOLOGY = "{family: clos, ports: 8, levels: 2, hosts: 12, rates: [100Mb/s]}"
LINKS, LEAST = 12, 3
MORE = "parts: {switch: cisco-nexus-9336c-fx2, setup: 100G LR}\n" + HASTY
POLICY = "policy: {name: stages, period: 500ms, high: 40%, low: 10%}\n"
PAIRS = [("h0", "h4"), ("h4", "h8"), ("h8", "h0"), ("h1", "h9")]
LONGEST = 60  # seconds


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def status(fabric):
    asked = bed.run(fabric.ebb, "fabric", "status", "--fabric", fabric.name, "--json")
    return asked.returncode, json.loads(asked.stdout)


def asleep(fabric):
    return sum(link["state"] == "asleep" for link in status(fabric)[1]["links"])


def wait_until(true, what):
    end = time.monotonic() + LONGEST
    while not true():
        bed.expect(time.monotonic() < end, what)
        time.sleep(0.2)


def ports_down(fabric):
    """Of all switches; the local port of a bridge is always down."""
    down = 0
    for number in range(5):
        shown = bed.must(*fabric.on(f"s{number}", "ovs-ofctl", "-O", "OpenFlow13", "dump-ports-desc", "br0"))
        down += len(re.findall(r"^ \d+\(p\d+\)[^\n]*\n\s+config:\s+PORT_DOWN", shown, re.M))
    return down


def check_dry_run(fabric):
    port = free_port()
    fabric.start("--dry-run", "--metrics", str(port), wait=False)
    fabric.wait_for(f"dry run: {LINKS - LEAST} links would sleep")
    metrics = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read().decode()
    bed.expect(f"\nebb_dry_run_links_would_sleep {LINKS - LEAST}\n" in metrics, f"what would sleep: {metrics}")
    names = re.findall(r"^# TYPE (\S+)", metrics, re.M)
    done = [name for name in names if re.match(r"ebb_(actuated|orders|modelled_saved|modelled_power|policy)", name)]
    bed.expect(not done, f"names of what was done: {done}")
    wait_until(lambda: status(fabric)[1]["would"]["links_asleep"] == LINKS - LEAST, "status says what would sleep")
    text = bed.must(fabric.ebb, "fabric", "status", "--fabric", fabric.name)
    bed.expect("DRY RUN: nothing is changed; 9 of 12 links would be asleep, 0 are\n" in text, f"status: {text}")
    bed.expect(ports_down(fabric) == 0, "a dry run takes no port down")
    fabric.stop()
    print(f"dry run: {LINKS - LEAST} of {LINKS} links would sleep; no port is down, {len(names)} metrics, none of what was done")


def check_asleep(fabric):
    fabric.start()
    # Some fifty datagrams a second each: far below a tenth of the links.
    load = fabric.traffic(PAIRS, 50, 30)
    wait_until(lambda: asleep(fabric) == LINKS - LEAST, f"{LINKS - LEAST} links sleep: {status(fabric)[1]['links']}")
    bed.expect(ports_down(fabric) == 2 * (LINKS - LEAST), f"{ports_down(fabric)} ports are down")
    found, pairs = fabric.all_pairs()
    bed.expect(found == pairs, f"{found} of {pairs} pairs of hosts reach each other")
    result = fabric.finish(load, early=True)
    expect_carried(result, "asleep")
    print(f"asleep: {LINKS - LEAST} of {LINKS} links, {2 * (LINKS - LEAST)} ports down; all {pairs} pairs of hosts reach each "
          f"other, 0 of {result['sent']} datagrams lost")


def check_past(fabric):
    fabric.stop()
    bed.expect(ports_down(fabric) == 0, "everything is awake again")
    code, last = status(fabric)
    bed.expect(code == 3 and not last["controller"]["running"], f"exit code {code}: {last['controller']}")
    asked = bed.run(fabric.ebb, "fabric", "status", "--fabric", fabric.name)
    bed.expect(asked.returncode == 3 and asked.stdout.startswith("no controller runs on fabric"), f"first line: {asked.stdout[:200]}")
    print(f"ended: all ports up; status: {asked.stdout.splitlines()[0]}")


def main():
    bed.skip_unless_possible("ovs-ofctl", "fping")
    with Live(sys.argv[1:4], bed.own_name("leaf-spine-"), TOPOLOGY, more=MORE) as fabric:
        fabric.kill()
        fabric.more += POLICY
        fabric.write_file(TOPOLOGY)
        check_dry_run(fabric)
        check_asleep(fabric)
        check_past(fabric)


if __name__ == "__main__":
    bed.test(main)
