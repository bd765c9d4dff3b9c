#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Connection matrices of htsim in ebb's packet simulator, between the bound of their payload and the bound that htsim's own
validation sets on the last flow. Prints the table of docs/programs/flows.md; fails when a time is below its payload.
The matrices are htsim's: EBB_SAMPLES names a folder with htsim/cm/NAME. Usage: studies/programs/htsim.py BUILD"""
import json
import os
import pathlib
import re
import subprocess
import sys

EBB = pathlib.Path(sys.argv[1]) / "apps/ebb/ebb"
FILE = pathlib.Path(__file__).with_name("htsim.yaml")
RATE = 100e9  # bit/s
# Ports of a switch of the fat tree; the bound of htsim's validation for EQDS, us.
MATRICES = {
    "one.cm": (4, 180),
    "bidir.cm": (4, 190),
    "incast.cm": (4, 2_500),
    "perm_16n_16c_2MB.cm": (4, 210),
    "outcast_incast.cm": (8, 2_500),
    "incast_128.cm": (8, 23_000),
}


def payload_bound(matrix):
    """The most that one node sends or receives, at the rate of its link, in us."""
    sent, received = {}, {}
    for source, destination, size in re.findall(r"^(\d+)->(\d+) .*size (\d+)", matrix.read_text(), re.M):
        sent[source] = sent.get(source, 0) + int(size)
        received[destination] = received.get(destination, 0) + int(size)
    return max([*sent.values(), *received.values()]) * 8 / RATE * 1e6


def time_of(matrix, ports):
    words = ("--set", f"traffic.program={matrix}", "--set", f"topology.ports={ports}", "--set", f"topology.hosts={ports ** 3 // 4}")
    done = subprocess.run([EBB, "sim", FILE, "--json", *words], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["jobs"][0]["time_ps"] / 1e6


def main():
    folder = pathlib.Path(os.environ.get("EBB_SAMPLES", "/nonexistent")).resolve() / "htsim/cm"
    if not folder.is_dir():
        print("skipped: EBB_SAMPLES names no folder with files of other tools")
        return 77
    failed = False
    print("| matrix | payload | `ebb` | bound of htsim |\n|---|---|---|---|")
    for name, (ports, bound) in MATRICES.items():
        least, found = payload_bound(folder / name), time_of(folder / name, ports)
        failed = failed or found < least
        print(f"| `{name}` | {least:,.0f} µs | {found:,.1f} µs | {bound:,} µs{', exceeded' if found > bound else ''} |", flush=True)
    return 1 if failed else 0


sys.exit(main())
