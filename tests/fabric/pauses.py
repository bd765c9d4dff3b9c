#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Agents and sleeping links: bursts make queues long whose detours end with a link that sleeps. Nothing is lost.
Arguments: ebb, ebb-host, the traffic tool, ebb-agent."""
import socket
import sys
import time

import bed
from chaos_fabric import Chaos
from chaos_probe import AllPairs, enter, in_thread

BURSTS, IN_A_BURST, BYTES = 35, 14, 1200  # 13 ms of a link at 10 Mb/s, every 200 ms: too little to wake links
PAIRS = [("h0", "h4"), ("h3", "h4"), ("h5", "h1")]
MAY_SLEEP = 6
# How controllers run: a policy that lets links sleep, and nothing else.
SETUP = {"policy": "stages", "state": "folder", "listen": "", "metrics": False, "log": False, "audit": False, "history": False}


def socket_in(space):
    enter(space)
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def asleep(fabric):
    return [link["link"] for link in fabric.status()["links"] if link["state"] == "asleep"]


def main():
    bed.skip_unless_possible("ovs-ofctl")
    with Chaos(sys.argv[1:5], bed.own_name("p"), SETUP) as fabric:
        end = time.monotonic() + 30
        while len(asleep(fabric)) < MAY_SLEEP:
            bed.expect(time.monotonic() < end, f"{MAY_SLEEP} links sleep: {asleep(fabric)}")
            time.sleep(0.2)
        pairs = AllPairs(fabric, 10)
        pairs.start()
        sockets = {source: in_thread(socket_in, f"ebb-{fabric.name}-{source}") for source, _ in PAIRS}
        for _ in range(BURSTS):
            for source, target in PAIRS:
                for _ in range(IN_A_BURST):
                    sockets[source].sendto(bytes(BYTES), (fabric.addresses[target], 19999))
            time.sleep(0.2)
        slept = asleep(fabric)
        pairs.finish()
        lost = pairs.lost()
        print(f"{BURSTS} bursts with {len(slept)} links asleep: {len(lost)} of {pairs.count()} datagrams lost")
        bed.expect("s4-s5" in slept, f"the detour of s3 to s4 slept: {slept}")
        bed.expect(len(lost) < 3, f"lost: {lost}")  # a machine that stalls may lose one


if __name__ == "__main__":
    main()
