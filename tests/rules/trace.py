#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A real Open vSwitch, loaded with the tables of small networks, sends frames where the tables say: switch by
switch by `ofproto/trace`, with all ports up and with both ends of a link down. Argument: the program."""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from private_ovs import PrivateOvs, is_installed

EBB = sys.argv[1]
SKIPPED = 77
# Options, and whether frames are tagged with their class.
NETWORKS = [("fbfly hosts=2 dims=3x3 --backup-paths everywhere", False),
            ("fbfly hosts=2 dims=3x3 --backup-paths everywhere --classes", True),
            ("dragonfly p=1 a=3 h=2 --backup-paths everywhere", False),
            ("clos ports=4 levels=3 hosts=16 --backup-paths everywhere", False),
            ("clos ports=8 levels=2 hosts=32 --backup-paths everywhere", False),
            ("torus hosts=1 dims=3x3", False)]
PAIRS = 25
DEAD_LINKS = 3
REROUTED_TAG = 0x800000000000
LONGEST = 10  # seconds until a switch heeds the state of a port


def number(mac):
    return int(mac.replace(":", ""), 16)


def mac_text(value):
    return ":".join(f"{value:012x}"[i:i + 2] for i in range(0, 12, 2))


class Network:
    """The tables of a network as JSON, and what they say about a frame."""

    def __init__(self, options):
        words = [word for word in options.split() if word != "--classes"]
        made = subprocess.run([EBB, "rules", "export", *words, "--format", "json"], capture_output=True, text=True,
                              check=True, timeout=60)
        self.tables = {table["switch"]: table for table in json.loads(made.stdout)["tables"]}
        self.to = {name: {rule["port"]: rule["to"] for rule in table["rules"]} for name, table in self.tables.items()}
        self.fast_reroutes = {name: {one["port"]: one for one in table.get("fast_reroutes", [])}
                        for name, table in self.tables.items()}
        self.hosts = {}  # name: switch, port, address
        for name, table in self.tables.items():
            for rule in table["rules"]:
                if rule["to"].startswith("h"):
                    self.hosts[rule["to"]] = (name, rule["port"], number(rule["destination"]["value"]))

    def ports(self):
        others = {name: [port for one in reroutes.values() for port in [*one.get("untagged", []), one.get("backup", 0)]]
                  for name, reroutes in self.fast_reroutes.items()}
        return {name: max([*ports, *others[name]]) for name, ports in self.to.items()}

    def reroute(self, name, port, output, destination, down):
        """The first choice that is live: its port, and the destination as sent."""
        one = self.fast_reroutes[name][output]
        for other in one.get("untagged", []):
            if (name, other) not in down:
                return other, destination
        if destination & REROUTED_TAG:
            raise AssertionError(f"{name} has nothing left for a rerouted frame")
        tag = REROUTED_TAG if one.get("backup_tags", True) else 0
        return port if one.get("back") else one["backup"], destination | tag

    def back(self, name, port):
        """The port at the other end."""
        return next(p for p, other in self.to[self.to[name][port]].items() if other == name)

    def step(self, name, port, source, destination, down):
        """Output, destination as sent, class."""
        for rule in self.tables[name]["rules"]:  # descending by priority
            if rule.get("input", port) != port:
                continue
            pairs = (("destination", destination), ("source", source))
            if any(field in rule and value & number(rule[field]["mask"]) != number(rule[field]["value"])
                   for field, value in pairs):
                continue
            output = rule["port"]
            if rule["to"].startswith("h"):
                return output, destination & ~REROUTED_TAG, None
            if rule.get("use") == "primary" and (name, output) in down:
                return *self.reroute(name, port, output, destination, down), rule["class"]
            sent = destination & ~REROUTED_TAG if rule.get("clears_tag") else destination
            return output, sent, rule.get("class")
        raise AssertionError(f"{name} has no rule")


def traced(ovs, name, port, source, destination, cos, tagged):
    """The same as Open vSwitch says."""
    tag = f"dl_vlan=0,dl_vlan_pcp={cos}," if tagged and cos is not None else ""
    text = ovs.trace(name, f"in_port={port},{tag}dl_src={mac_text(source)},dl_dst={mac_text(destination)}")
    taken = re.findall(r"^\s+(?:output:(\d+)|IN_PORT)$", text, re.MULTILINE)[-1]
    output = int(taken) if taken else port
    sent = destination
    for bit in re.findall(r"load:(0x1|0)->NXM_OF_ETH_DST\[47\]", text):
        sent = sent | REROUTED_TAG if bit == "0x1" else sent & ~REROUTED_TAG
    classes = re.findall(r"set_field:(\d+)->vlan_pcp", text)
    popped = re.search(r"^\s+pop_vlan$", text, re.MULTILINE)
    return output, sent, int(classes[-1]) if classes and not popped else None


def same(done, meant, tagged):
    return done[:2] == meant[:2] and (not tagged or done[2] == meant[2])


def traced_in_time(ovs, meant, tagged, *frame):
    """What is done when it is what was meant, or after a while. A switch heeds a changed port in one of its next
    rounds, not before it answers."""
    until = time.monotonic() + LONGEST
    while True:
        done = traced(ovs, *frame, tagged)
        if same(done, meant, tagged) or time.monotonic() > until:
            return done
        time.sleep(0.01)


def walk(ovs, network, one, other, down, tagged):
    """From host to host; what the tables say must be what is done. The links taken."""
    name, port, source = network.hosts[one]
    destination = network.hosts[other][2]
    cos = None
    taken = []
    for _ in range(len(network.tables) + 1):
        meant = network.step(name, port, source, destination, down)
        done = traced_in_time(ovs, meant, tagged, name, port, source, destination, cos)
        if not same(done, meant, tagged):
            raise AssertionError(f"{one} to {other} at {name}: {done} is done, {meant} was meant")
        output, destination, cos = done
        if (name, output) in down:
            raise AssertionError(f"{one} to {other} at {name}: out of port {output}, which is down")
        if network.to[name][output] == other:
            if destination != network.hosts[other][2]:
                raise AssertionError(f"{other} gets a marked frame")
            return taken
        taken.append((name, output))
        name, port = network.to[name][output], network.back(name, output)
    raise AssertionError(f"{one} to {other}: in a loop")


def compare(ovs, options, tagged, dice):
    network = Network(options)
    ovs.add_bridges(network.ports())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([EBB, "rules", "make", *options.split(), "-o", folder], check=True, capture_output=True, timeout=60)
        for name in network.tables:
            groups = pathlib.Path(folder, f"{name}.groups")
            ovs.load(name, pathlib.Path(folder, f"{name}.flows"), groups if groups.exists() else None)
    pairs = [dice.sample(sorted(network.hosts), 2) for _ in range(PAIRS)]
    ways = [walk(ovs, network, one, other, set(), tagged) for one, other in pairs]
    rerouted = 0
    for name, port in dice.sample(sorted({end for way in ways for end in way if network.fast_reroutes[end[0]]}), DEAD_LINKS) \
            if any(network.fast_reroutes.values()) else []:
        ends = {(name, port), (network.to[name][port], network.back(name, port))}
        for bridge, number_of_port in ends:
            ovs.set_port(bridge, number_of_port, "down")
        for (one, other), way in zip(pairs, ways):
            if ends & set(way):
                walk(ovs, network, one, other, ends, tagged)
                rerouted += 1
        for bridge, number_of_port in ends:
            ovs.set_port(bridge, number_of_port, "up")
    if any(network.fast_reroutes.values()) and rerouted == 0:
        raise AssertionError(f"{options}: no frame met a dead link")
    ovs.remove_bridges(network.tables)
    print(f"{options}: {len(pairs)} pairs, {rerouted} of them again without a link")


def main():
    if not is_installed():
        print("no Open vSwitch: not tried")
        return SKIPPED
    dice = random.Random(1)
    with PrivateOvs() as ovs:
        for options, tagged in NETWORKS:
            compare(ovs, options, tagged, dice)
    return 0


if __name__ == "__main__":
    sys.exit(main())
