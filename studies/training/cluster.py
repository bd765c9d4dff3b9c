#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a network that follows its traffic saves of the energy of a whole cluster, and how much longer jobs may take before that is
gone: the tables of docs/ai.md. Hosts draw idle power all the time and more while they compute, as in the jobs of `ebb sim`.
Usage: studies/training/cluster.py"""

IDLE, BUSY = 140.0, 700.0  # W of a GPU with its share of the server, idle and computing
COMPUTING = 0.84           # of the time
NETWORK = (0.04, 0.08, 0.12, 0.16)  # share of the cluster's energy
SAVED = (0.25, 0.50, 0.75, 0.90)    # of the network's energy
PUBLISHED = 0.09, 0.12, 0.75        # saving, share of the network, and the part of it that must be saved for both to hold

MEAN = IDLE + (BUSY - IDLE) * COMPUTING
BY_TIME = IDLE / MEAN  # of the energy of hosts: what grows with the time of a job


def energy(network, saved, slowdown):
    """Of the cluster, over that with links that are always on."""
    hosts = (1 - network) * (1 - BY_TIME + BY_TIME * (1 + slowdown))
    return hosts + network * (1 - saved) * (1 + slowdown)


def break_even(network, saved):
    return network * saved / ((1 - network) * BY_TIME + network * (1 - saved))


saving, share, part = PUBLISHED
assert abs(energy(share, part, 0) - (1 - saving)) < 1e-12
print("| network's share % | " + " | ".join(f"{100 * saved:.0f} % of it saved" for saved in SAVED) + " |")
print("|---:|" + "---:|" * len(SAVED))
for network in NETWORK:
    cells = [f"{100 * (1 - energy(network, saved, 0)):.1f} %, {100 * (1 - energy(network, saved, 0.01)):.1f} %, "
             f"{100 * break_even(network, saved):.0f} %" for saved in SAVED]
    print(f"| {100 * network:.0f} | " + " | ".join(cells) + " |")
