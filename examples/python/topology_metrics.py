#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks of ebb in networkx: topology_metrics.py

Prints for some networks of about 64 hosts what networkx computes on the links between switches."""
from typing import Any, Dict

import networkx

import ebb

NETWORKS: Dict[str, Dict[str, Any]] = {"fbfly": {"hosts": 4, "dims": [4, 4]}, "torus": {"hosts": 1, "dims": [4, 4, 4]},
                                      "dragonfly": {"p": 2, "a": 4, "h": 2}}


def main() -> None:
    print(f"{'network':12}{'hosts':>6}{'switches':>9}{'links':>6}{'diameter':>9}{'mean distance':>14}")
    for family, parameters in NETWORKS.items():
        made = ebb.topology(family, **parameters)
        graph = networkx.from_edgelist(made.edges(), create_using=networkx.MultiGraph)
        switches = graph.subgraph(made.nodes[:made.switches])
        print(f"{family:12}{made.hosts:>6}{made.switches:>9}{made.links:>6}{networkx.diameter(switches):>9}"
              f"{networkx.average_shortest_path_length(switches):>14.3f}")


if __name__ == "__main__":
    main()
