#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/fabric/switches.md: each spine of a leaf-spine of real switches 50 times, and each half of the spines
100 times, off and on again under load; the controller killed 40 times in the middle; then some cycles with outlets over SNMP
and with gNMI. As root:

  studies/fabric/switches.py build/release --cycles 50 --planes 100 --kills 40"""
import argparse
import pathlib
import subprocess
import sys

TEST = pathlib.Path(__file__).resolve().parents[2] / "tests/fabric/switches.py"
PROGRAMS = ("apps/ebb/ebb", "apps/ebb-host/ebb-host", "tests/ebb_fabric_traffic")


def run(build, *options):
    """What the test prints is what the document says; a failure ends the study."""
    print(f"$ tests/fabric/switches.py ... {' '.join(options)}", flush=True)
    done = subprocess.run([sys.executable, str(TEST), *(str(build / program) for program in PROGRAMS), *options,
                           "--beside", str(build / "apps/ebb-agentx/ebb-agentx")], check=False)
    return done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--cycles", type=int, default=50, help="of each spine")
    parser.add_argument("--planes", type=int, default=100, help="of each half of the spines")
    parser.add_argument("--kills", type=int, default=40, help="of the controller")
    parser.add_argument("--others", type=int, default=5, help="cycles of each spine by SNMP and by gNMI")
    parser.add_argument("--rate", type=int, default=50, help="datagrams a second of each of four flows")
    said = parser.parse_args()
    build = said.build.resolve()
    codes = [run(build, "--cycles", str(said.cycles), "--planes", str(said.planes), "--kills", str(said.kills), "--rate", str(said.rate))]
    if said.others:
        codes.append(run(build, "--drivers", "snmp,gnmi", "--cycles", str(said.others), "--planes", str(said.others), "--kills", "0",
                         "--rate", str(said.rate)))
    sys.exit(max(codes))


if __name__ == "__main__":
    main()
