#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Open vSwitch reads every line that `ebb rules export` and `ebb rules vlans` write, and understands as many flows.
Argument: the program."""
import shutil
import subprocess
import sys

EBB = sys.argv[1]
NETWORKS = ["fbfly hosts=2 dims=3x3", "dragonfly p=2 a=4 h=2", "clos ports=4 levels=3 hosts=16", "torus hosts=1 dims=4x4"]
SKIPPED = 77


def all_read(command):
    flows = subprocess.run([EBB, "rules", *command], capture_output=True, text=True, check=True, timeout=60).stdout
    wanted = sum(not line.startswith("#") for line in flows.splitlines())
    read = subprocess.run(["ovs-ofctl", "-OOpenFlow13", "parse-flows", "-"], input=flows, capture_output=True,
                          text=True, timeout=60)
    understood = sum("FLOW_MOD" in line for line in read.stdout.splitlines())
    if read.returncode == 0 and understood == wanted > 0:
        return True
    print(f"{command}: {understood} of {wanted} flows\n{read.stderr}")
    return False


def main():
    if not shutil.which("ovs-ofctl"):
        print("no ovs-ofctl: not tried")
        return SKIPPED
    for network in NETWORKS:
        for detail in ("flat", "per-switch", "per-group", "compact"):
            if not all_read(["export", *network.split(), "--detail", detail]):
                return 1
        if not all_read(["vlans", *network.split(), "--format", "openflow"]):
            return 1
    print("every flow was read")
    return 0


if __name__ == "__main__":
    sys.exit(main())
