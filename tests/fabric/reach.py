#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fabric of nine real switches with the flows of `ebb rules export`: every host reaches every
other, ports have the numbers of the rules and the rates of the file, and nothing is left afterwards.
Argument: the program."""
import concurrent.futures
import json
import re
import subprocess
import sys

import bed

EBB = sys.argv[1]
NETWORK = "fbfly hosts=2 dims=3x3"
TOPOLOGY = "{family: fbfly, hosts: 2, dims: 3x3, rates: [1Mb/s, 10Mb/s, 100Mb/s]}"
SWITCHES, HOSTS = 9, 18


def flows_of_switches():
    text = bed.must(EBB, "rules", "export", *NETWORK.split())
    parts = re.split(r"^# (\S+)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def on(name, node, *words):
    return (EBB, "fabric", "exec", node, "--fabric", name, "--", *words)


def install(name):
    for switch, flows in flows_of_switches().items():
        socket = str(bed.STATE / name / switch / "br0.mgmt")
        bed.must("ovs-ofctl", "-O", "OpenFlow13", "--bundle", "add-flows", socket, "-", input=flows)


def check_ports(name):
    graph = json.loads(bed.must(EBB, "rules", "export", *NETWORK.split(), "--format", "json"))
    for number, table in enumerate(graph["tables"]):
        switch = table["switch"]
        shown = bed.must(*on(name, switch, "ovs-ofctl", "-O", "OpenFlow13", "show", "br0"))
        bed.expect(f"dpid:{number + 1:016x}" in shown, f"{switch} has datapath id {number + 1}:\n{shown}")
        ports = dict(re.findall(r"^ (\d+)\((p\d+)\)", shown, re.M))
        bed.expect(ports == {str(p): f"p{p}" for p in range(1, 7)}, f"ports of {switch}: {ports}")
        queue = bed.must(*on(name, switch, "tc", "qdisc", "show", "dev", "p1"))
        bed.expect("rate 100Mbit" in queue, f"p1 of {switch} has the top rate:\n{queue}")
        controller = bed.must(*on(name, switch, "ovs-vsctl", "get-controller", "br0")).strip()
        bed.expect(controller == f"unix:{bed.STATE}/{name}/{switch}/br0.controller", controller)


def addresses(file):
    rows = bed.must(EBB, "fabric", "up", file, "--dry-run").splitlines()[3:]
    return {row.split()[0]: row.split()[5] for row in rows if row.startswith("h")}


def reached_by(name, host, others, tries="3"):
    done = bed.run(*on(name, host, "fping", "-a", "-q", "-r", tries, *others))
    return set(done.stdout.split())


def check_pings(name, file):
    known = addresses(file)
    bed.expect(len(known) == HOSTS, f"{len(known)} hosts have an address")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        others = {host: [a for h, a in known.items() if h != host] for host in known}
        found = list(pool.map(lambda host: len(reached_by(name, host, others[host])), known))
    bed.expect(sum(found) == HOSTS * (HOSTS - 1), f"{sum(found)} of {HOSTS * (HOSTS - 1)} pairs: {found}")
    print(f"{sum(found)}/{HOSTS * (HOSTS - 1)} pairs reached")


SEND = "import socket, sys; s = socket.create_connection((sys.argv[1], 5001), 10); s.sendall(bytes(int(sys.argv[2]))); " \
       "s.shutdown(socket.SHUT_WR); s.recv(1)"
RECEIVE = """
import signal, socket, time
signal.alarm(30)
server = socket.create_server(("", 5001)); print("ready", flush=True)
peer = server.accept()[0]; began = time.monotonic(); size = 0
while piece := peer.recv(65536): size += len(piece)
print(size * 8 / (time.monotonic() - began) / 1e6)
"""


def tcp_rate(name, source, target, address, size):
    """In Mb/s. Segments whose checksum nobody made would not arrive at all."""
    with subprocess.Popen(on(name, target, sys.executable, "-c", RECEIVE), stdout=subprocess.PIPE, text=True) as server:
        bed.expect(server.stdout.readline() == "ready\n", "the receiver listens")
        bed.must(*on(name, source, sys.executable, "-c", SEND, address, str(size)))
        return float(server.stdout.readline())


def check_rates(name, file):
    """From h0 to h1 by way of s0 alone: p2 is the port to h1."""
    address = addresses(file)["h1"]
    full = tcp_rate(name, "h0", "h1", address, 2_000_000)
    bed.must(*on(name, "s0", "tc", "qdisc", "replace", "dev", "p2", "root", "tbf", "rate", "5mbit", "burst", "3200", "limit", "100000"))
    slow = tcp_rate(name, "h0", "h1", address, 500_000)
    bed.expect(10 < full < 110 and 2 < slow < 6, f"TCP at {full:.1f} and {slow:.1f} Mb/s where 100 and 5 are set")
    print(f"TCP: {full:.1f} Mb/s of 100, {slow:.1f} of 5")


def check_refusals(name, file):
    again = bed.run(EBB, "fabric", "up", file)
    bed.expect(again.returncode == 3 and f"ebb fabric down {name}" in again.stderr, "a name in use is refused")
    node = bed.run(*on(name, "h99", "true"))
    bed.expect(node.returncode == 2 and "unknown node 'h99'" in node.stderr, node.stderr)
    other = bed.run(EBB, "fabric", "down", name[:-1] + "x")
    bed.expect(other.returncode == 2 and f"did you mean '{name}'" in other.stderr, other.stderr)


def main():
    bed.skip_unless_possible("fping", "ovs-ofctl")
    name = bed.own_name("r")
    with bed.scratch() as folder:
        file = bed.fabric_file(folder, name, TOPOLOGY)
        try:
            bed.must(EBB, "fabric", "up", file, "--static-neighbours")
            bed.expect(re.search(rf"^{name} +9 +18 +36 +up$", bed.must(EBB, "fabric", "list"), re.M), "it is listed")
            check_ports(name)
            bed.expect(not reached_by(name, "h0", [addresses(file)["h1"]], "0"), "without flows nothing is forwarded")
            install(name)
            check_pings(name, file)
            check_rates(name, file)
            check_refusals(name, file)
        finally:
            down = bed.run(EBB, "fabric", "down", file)
        bed.expect(down.returncode == 0, down.stderr)
        bed.expect(not bed.left_of(name), f"left: {bed.left_of(name)}")


if __name__ == "__main__":
    main()
