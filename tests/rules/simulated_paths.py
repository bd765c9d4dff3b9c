#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packets of the simulator take, switch by switch, the path that a real Open vSwitch sends frames, with all links up and
with any one of them down. Arguments: the program, ebb_simulated_paths, and perhaps --all for all of its networks."""
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from private_ovs import PrivateOvs, is_installed

EBB, PATHS = sys.argv[1:3]
SKIPPED = 77
PAIRS = 40  # with all links up
PAIRS_OF_A_LINK = 2  # that used it, without it
FEW = 8  # networks, of those that --all takes
REROUTED_TAG = 0x800000000000
LONGEST = 10  # seconds until a switch heeds the state of a port


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=120).stdout


class Network:
    """Cables and addresses."""

    def __init__(self, words):
        self.words = words
        self.peer = {}  # (node, port): (node, port)
        self.link = {}  # (switch, port): name of its link
        for line in run(PATHS, "--cables", *words).splitlines():
            one, port, other, its_port, name = line.split()
            ends = (one, int(port)), (other, int(its_port))
            self.peer[ends[0]], self.peer[ends[1]] = ends[1], ends[0]
            self.link[ends[0]] = self.link[ends[1]] = name
        self.ends = {}  # name of a link between switches: its two ends
        for end, name in self.link.items():
            if end[0][0] == self.peer[end][0][0] == "s":
                self.ends.setdefault(name, []).append(end)
        self.hosts = sorted(node for node, _ in self.peer if node[0] == "h")
        self.switches = sorted({node for node, _ in self.peer if node[0] == "s"})
        self.mac = {}

    def ports(self):
        return {name: max(port for node, port in self.peer if node == name) for name in self.switches}

    def load(self, ovs):
        ovs.add_bridges(self.ports())
        with tempfile.TemporaryDirectory() as folder:
            run(EBB, "rules", "make", *self.words, "--backup-paths", "everywhere", "-o", folder)
            for name in self.switches:
                flows, groups = (pathlib.Path(folder, f"{name}.{kind}") for kind in ("flows", "groups"))
                ovs.load(name, flows, groups if groups.exists() else None)
                self.find_hosts(name, flows.read_text())

    def find_hosts(self, switch, flows):
        """Hosts of a switch, by the rules that send to their ports."""
        for mac, port in re.findall(r"dl_dst=((?:[0-9a-f]{2}:){5}[0-9a-f]{2}).*?output:(\d+)", flows):
            host = self.peer[switch, int(port)][0]
            if host[0] == "h":
                self.mac.setdefault(host, mac)


def traced(ovs, switch, port, source, destination):
    """Where a real switch sends the frame: its output, and the destination as sent."""
    text = ovs.trace(switch, f"in_port={port},dl_src={source},dl_dst={destination}")
    outputs = re.findall(r"^\s+(?:output:(\d+)|IN_PORT)$", text, re.MULTILINE)
    if not outputs:
        return None, destination
    sent = int(destination.replace(":", ""), 16)
    for bit in re.findall(r"load:(0x1|0)->NXM_OF_ETH_DST\[47\]", text):
        sent = sent | REROUTED_TAG if bit == "0x1" else sent & ~REROUTED_TAG
    return (int(outputs[-1]) if outputs[-1] else port), ":".join(f"{sent:012x}"[i:i + 2] for i in range(0, 12, 2))


def real_path(ovs, network, one, other):
    """As the simulator writes it."""
    at, port = network.peer[one, 1]
    destination = network.mac[other]
    taken = []
    for _ in range(2 * len(network.switches) + 2):
        output, destination = traced(ovs, at, port, network.mac[one], destination)
        taken.append(f"{at}:{output}")
        if output is None or network.peer[at, output][0] == other:
            return " ".join(taken)
        at, port = network.peer[at, output]
    return " ".join(taken)


def compare(ovs, network, requests, answers):
    """Requests of one link, which is down; a switch heeds that in one of its next rounds."""
    until = time.monotonic() + LONGEST
    for request, meant in zip(requests, answers):
        done = real_path(ovs, network, *request[:2])
        while done != meant and time.monotonic() < until:
            time.sleep(0.01)
            done = real_path(ovs, network, *request[:2])
        if done != meant:
            raise AssertionError(f"{' '.join(network.words)}: {request[0]} to {request[1]} without {request[2]}: "
                                 f"{meant} in the simulator, {done} on Open vSwitch")


def simulated(network, requests):
    text = "".join(" ".join(one) + "\n" for one in requests)
    try:
        answers = run(PATHS, *network.words, text=text).splitlines()
    except subprocess.CalledProcessError as error:
        raise AssertionError(f"{' '.join(network.words)}: {error.stderr}") from error
    return answers


def without_links(network, paths):
    """For each link between switches, pairs that used it."""
    users = {}
    for (one, other, _), path in paths.items():
        for hop in path.split():
            switch, port = hop.split(":")
            name = network.link[switch, int(port)]
            if name in network.ends:
                users.setdefault(name, []).append((one, other, name))
    return {name: pairs[:PAIRS_OF_A_LINK] for name, pairs in sorted(users.items())}


def cuts_off(network, requests):
    """Links without which somebody is not reached: the simulator refuses to be without them."""
    try:
        simulated(network, requests)
        return False
    except AssertionError as error:
        if "does not reach" not in str(error):
            raise
        return True


def try_network(ovs, words, dice):
    network = Network(words)
    if len(network.hosts) < 2:
        return 0, 0, 0
    network.load(ovs)
    # All pairs show which links are used; some of them are compared.
    every = [(one, other, "-") for one in network.hosts for other in network.hosts if one != other]
    paths = dict(zip(every, simulated(network, every)))
    chosen = dice.sample(every, min(PAIRS, len(every)))
    compare(ovs, network, chosen, [paths[one] for one in chosen])
    hops, links = sum(len(paths[one].split()) for one in chosen), 0
    count = len(chosen)
    for name, requests in without_links(network, paths).items():
        if cuts_off(network, requests):
            continue
        answers = simulated(network, requests)
        for bridge, port in network.ends[name]:
            ovs.set_port(bridge, port, "down")
        compare(ovs, network, requests, answers)
        for bridge, port in network.ends[name]:
            ovs.set_port(bridge, port, "up")
        links += 1
        count += len(requests)
        hops += sum(len(one.split()) for one in answers)
    ovs.remove_bridges(network.switches)
    return count, hops, links


def main():
    if not is_installed():
        print("no Open vSwitch: not tried")
        return SKIPPED
    dice = random.Random(1)
    networks = run(PATHS, "--networks").splitlines()
    if "--all" not in sys.argv:
        networks = networks[::len(networks) // FEW]
    total = [0, 0, 0]
    with PrivateOvs() as ovs:
        for line in networks:
            done = try_network(ovs, line.split(), dice)
            print(f"{line}: {done[0]} packets, {done[1]} hops, {done[2]} links down", flush=True)
            total = [sum(pair) for pair in zip(total, done)]
    print(f"{len(networks)} networks: {total[0]} packets, {total[1]} hops, {total[2]} links down, all as in the simulator")
    if min(total) == 0:
        raise AssertionError("nothing was compared")
    return 0


if __name__ == "__main__":
    sys.exit(main())
