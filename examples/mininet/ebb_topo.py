# SPDX-License-Identifier: Apache-2.0
"""The network of a fabric file in Mininet, for `ebb fabric run FILE --listen tcp:127.0.0.1:6653`:

    mn --custom examples/mininet/ebb_topo.py --topo ebb,examples/fabric-3x3.yaml \\
       --switch ovs,datapath=user,protocols=OpenFlow13 --controller remote,ip=127.0.0.1,port=6653

Datapath ids, port numbers and the addresses of hosts are those that ebb gives. `--link tc` gives links
their rates as well. EBB names the program, if `ebb` does not."""
import json
import os
import subprocess

from mininet.node import Host
from mininet.topo import Topo


class EbbHost(Host):
    """Computes its own checksums: a switch in user space does not."""

    def config(self, **params):
        done = super().config(**params)
        self.cmd(f"ethtool -K {self.defaultIntf()} tx off")
        return done


class EbbTopo(Topo):
    def build(self, file):
        made = subprocess.run([os.environ.get("EBB", "ebb"), "fabric", "up", file, "--dry-run", "--json"],
                              stdout=subprocess.PIPE, check=True).stdout
        network = json.loads(made)
        for switch in network["switches"]:
            self.addSwitch(switch["name"], dpid=f"{switch['datapath_id']:016x}")
        for host in network["hosts"]:
            self.addHost(host["name"], cls=EbbHost, mac=host["mac"], ip=host["address"])
        for cable in network["cables"]:
            a, b = cable["a"], cable["b"]
            self.addLink(a["node"], b["node"], self.number(a), self.number(b), bw=cable["rate_bit_per_s"] / 1e6)

    def number(self, end):
        """A host's only port is its eth0."""
        return end["port"] if self.isSwitch(end["node"]) else 0


topos = {"ebb": EbbTopo}
