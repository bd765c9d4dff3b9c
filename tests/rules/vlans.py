#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Walks every pair of hosts through the flows of `ebb rules vlans --format openflow`, as a switch would apply them:
each frame arrives, untagged, over no more switches than the network has. Argument: the program."""
import re
import subprocess
import sys

EBB = sys.argv[1]
NETWORKS = ["complete switches=6 hosts=2 parallel=5", "tree switches=6 hosts=2", "torus hosts=1 dims=3x3",
            "clos ports=4 levels=2 hosts=8", "dragonfly p=2 a=4 h=2"]


def ebb(*command):
    return subprocess.run([EBB, *command], capture_output=True, text=True, check=True, timeout=60).stdout


def flows_of(network):
    flows, switch = {}, None
    for line in ebb("rules", "vlans", *network.split(), "--format", "openflow").splitlines():
        if line.startswith("# "):
            switch = flows.setdefault(line[2:], [])
        else:
            switch.append(dict(re.findall(r"(table|priority|in_port|dl_vlan|dl_dst)=([^,]+)", line), text=line,
                               tagged="vlan_tci" in line or "dl_vlan" in line))
    return flows


def best(flows, table, port, vlan, target):
    matching = [flow for flow in flows if flow["table"] == table and flow.get("in_port", port) == port
                and flow.get("dl_dst", target) == target and flow.get("dl_vlan", vlan) == vlan
                and (not flow["tagged"] or vlan)]
    matching.sort(key=lambda flow: -int(flow["priority"]))
    if not matching or (len(matching) > 1 and matching[0]["priority"] == matching[1]["priority"]):
        raise AssertionError(f"{len(matching)} flows of table {table} for {vlan} {target}: {matching}")
    return matching[0]["text"]


def arrives(flows, peers, switch, port, target):
    """Where a frame comes out, and by how many switches."""
    vlan = None
    for steps in range(1, len(flows) + 1):
        entry = best(flows[switch], "0", port, vlan, target)
        pushed = re.search(r"set_field:(\d+)->vlan_vid", entry)
        vlan = str(int(pushed.group(1)) - 0x1000) if pushed else vlan
        action = best(flows[switch], "1", port, vlan, target)
        port = re.search(r"output:(\d+)", action).group(1)
        node, port = peers[switch, port]
        if node not in flows:
            return node, "pop_vlan" in action, steps
        switch = node
    raise AssertionError("the frame runs in a loop")


def ports(network):
    """(node, port) -> (node, port) of the other end, from the exported graph."""
    count, peers = {}, {}
    for a, b in links(network):
        ends = []
        for node in (a, b):
            count[node] = count.get(node, 0) + 1
            ends.append((node, str(count[node])))
        peers[ends[0]], peers[ends[1]] = ends[1], ends[0]
    return peers


def links(network):
    dot = ebb("topo", "export", *network.split(), "--format", "dot")
    return re.findall(r'"?(\w+)"? -- "?(\w+)"?', dot)


def main():
    for network in NETWORKS:
        flows, peers = flows_of(network), ports(network)
        hosts = sorted({node for node, _ in peers if node not in flows}, key=lambda name: int(name[1:]))
        macs = {}
        for (node, port), (host, _) in peers.items():
            if host in hosts:
                macs[host] = next(flow["dl_dst"] for flow in flows[node]
                                  if flow["text"].endswith(f"actions=pop_vlan,output:{port}"))
        for source in hosts:
            switch, port = peers[source, "1"]
            for target in hosts:
                if source == target:
                    continue
                found, untagged, _ = arrives(flows, peers, switch, port, macs[target])
                if found != target or not untagged:
                    print(f"{network}: {source} to {target} comes to {found}, untagged: {untagged}")
                    return 1
        print(f"{network}: {len(hosts) * (len(hosts) - 1)} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
