#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""VLAN trees on real switches, with the links closed that known traffic does not need: `ebb fabric
regulate` moves a complete graph of six switches with five links a pair from one traffic matrix to
another under load, and no datagram is lost. Arguments: ebb, ebb-host (not used), the traffic tool,
then optionally how often it moves forth and back (once, unless it says more)."""
import json
import pathlib
import re
import sys
import time

import bed
from live import Live, expect_carried

ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 1
TOPOLOGY = "{family: complete, switches: 6, hosts: 2, parallel: 5, rates: [1Mb/s, 10Mb/s, 100Mb/s]}"
PARTS = "parts: {switch: dell-powerconnect-6248, setup: 1000BASE-T}\n"
PAIRS = [("h0", "h2"), ("h3", "h1"), ("h4", "h10"), ("h11", "h6")]
PER_SECOND = 2000
# 300 MB between s0 and s1 need three links of 100 MB; 5 MB fit into a tenth of one.
RING = "from,to,amount\nh0,h2,200MB\nh1,h3,100MB\nh3,h1,10MB\nh4,h10,5MB\n"
# Now s2 and s5 have much to say, and s0 and s1 little.
OTHER = "from,to,amount\nh4,h10,450MB\nh0,h2,1MB\n"


class Trees(Live):
    """A fabric without a controller: VLAN trees are set once."""

    def start(self, *options, wait=True):
        pass

    def regulate(self, matrix, *options):
        words = [self.ebb, "fabric", "regulate", self.file, "--json", *options]
        if matrix:
            path = pathlib.Path(self.folder) / "matrix.csv"
            path.write_text(matrix)
            words += ["--traffic", str(path)]
        return json.loads(bed.must(*words))

    def ports(self):
        """By switch: which ports are down on purpose, as Open vSwitch says, but br0's own."""
        down = {}
        for switch in range(6):
            text = bed.must(*self.on(f"s{switch}", "ovs-ofctl", "-O", "OpenFlow13", "dump-ports-desc", "br0"))
            down[switch] = len(re.findall(r"\(p\d+\):[^(]*config: +PORT_DOWN", text))
        return down


def check_closed(fabric, report, open_by_bundle, other):
    """The report, and the ports themselves."""
    found = {bundle["between"]: bundle["open"] for bundle in report["lags"]}
    wanted = {name: open_by_bundle.get(name, other) for name in found}
    bed.expect(found == wanted, f"links that stay open: {found}, not {wanted}")
    closed = sum(5 - count for count in wanted.values())
    bed.expect(report["closed"] == closed, f"{report['closed']} closed, not {closed}")
    down = fabric.ports()
    bed.expect(sum(down.values()) == 2 * closed, f"{2 * closed} ports are down: {down}")
    return closed


def rate(report, bundle):
    return next(one["rate"] for one in report["lags"] if one["between"] == bundle)


def check_move(fabric):
    closed = check_closed(fabric, fabric.regulate(None), {}, 5)
    bed.expect(closed == 0, "all links are open at first")
    found, wanted = fabric.all_pairs()
    bed.expect(found == wanted, f"{found} of {wanted} pairs reached")
    load = fabric.traffic(PAIRS, PER_SECOND, 600, "--bytes", "40")
    begun = time.monotonic()
    moves = []
    for _ in range(ROUNDS):
        for matrix in (RING, OTHER, None):
            report = fabric.regulate(matrix, *(("--peak", "100MB") if matrix else ()))
            moves.append(report)
            time.sleep(1)
    result = fabric.finish(load, early=True)
    changed = sum(move["moved"]["closed"] + move["moved"]["opened"] for move in moves)
    print(f"{len(moves)} moves in {time.monotonic() - begun:.1f} s, {changed} links closed or opened, "
          f"{result['lost']} of {result['sent']} datagrams lost")
    expect_carried(result, "while links were regulated")
    bed.expect(moves[0]["moved"]["closed"] == 58 and moves[1]["moved"] == {
        "opened": 4, "closed": 2, "faster": 0, "slower": 0}, f"moves: {[move['moved'] for move in moves]}")


def check_states(fabric):
    """What each matrix closes, by the ports; slow links; everyone is still reached."""
    check_closed(fabric, fabric.regulate(RING, "--peak", "100MB"), {"s0-s1": 3}, 1)
    report = fabric.regulate(OTHER, "--peak", "100MB", "--slow")
    closed = check_closed(fabric, report, {"s2-s5": 5}, 1)
    bed.expect(rate(report, "s0-s1") == "1Mb/s" and rate(report, "s2-s5") == "100Mb/s", f"slow links: {report}")
    text = bed.must(*fabric.on("s0", "tc", "qdisc", "show", "dev", "p3"))
    bed.expect("rate 1Mbit" in text, f"s0-s1.1 is really slow: {text}")
    modelled = report["modelled"]
    bed.expect((modelled["all_open_w"], modelled["now_w"]) == (150, 10 + 14 * 0.5), f"watts: {modelled}")
    found, wanted = fabric.all_pairs()
    bed.expect(found == wanted, f"{found} of {wanted} pairs reached with {closed} links closed")
    print(f"{closed} of 75 links closed, all {wanted} pairs reached; {modelled['now_w']} W of {modelled['all_open_w']} W modelled")


def check_refused(fabric):
    path = pathlib.Path(fabric.folder) / "wrong.csv"
    path.write_text("from,to,amount\nh0,h99,1MB\nh1,h1,1MB\nh0,h2,7\n")
    wrong = bed.run(fabric.ebb, "fabric", "regulate", fabric.file, "--traffic", str(path))
    bed.expect(wrong.returncode == 2 and all(f"wrong.csv:{line}:" in wrong.stderr for line in (2, 3, 4)), wrong.stderr)


def main():
    bed.skip_unless_possible("fping", "ovs-ofctl", "tc")
    with Trees(sys.argv[1:4], bed.own_name("v"), TOPOLOGY, more=PARTS, hosts=False) as fabric:
        check_move(fabric)
        check_states(fabric)
        check_refused(fabric)


if __name__ == "__main__":
    bed.test(main)
