#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One training step of ten seconds on 16,384 hosts, with flows: 128 groups of 128 hosts each compute 2.1 s and all-reduce
1 GB, four times. Prints what docs/models/flows.md says of it. Usage: studies/flows/training.py BUILD [GROUPS]"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

EBB = pathlib.Path(sys.argv[1]) / "apps/ebb/ebb"
GROUPS = int(sys.argv[2]) if len(sys.argv) > 2 else 128
RANKS = 128
FILE = """schema_version: 1
fidelity: flow
topology: {{family: clos, ports: 64, levels: 3, hosts: {hosts}}}
routing: up-down
traffic:
  jobs:
{jobs}
  reference: none
policy: {{name: on-demand, idle: 2us}}
parts: {{switch: isca10-chip-ideal, rate_table: ideal-sleep-link}}
"""

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    subprocess.run([EBB, "trace", "make", "all-reduce", "--set", f"ranks={RANKS}", "--set", "size=1GB", "--set", "algorithm=halving-doubling",
                    "--set", "compute=2100ms", "--set", "iterations=4", "--format", "goal-binary", "-o", folder / "group.bin"], check=True)
    jobs = "\n".join(f"    - {{name: group-{i}, program: group.bin, hosts: linear}}" for i in range(GROUPS))
    (folder / "step.yaml").write_text(FILE.format(hosts=GROUPS * RANKS, jobs=jobs))
    began = time.monotonic()
    done = subprocess.run([EBB, "sim", folder / "step.yaml", "--json"], check=True, capture_output=True, text=True)
    took = time.monotonic() - began

result = json.loads(done.stdout)
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
power = result["power"]
print(f"{GROUPS * RANKS:,} hosts, {result['message_latency']['count']:,} messages")
print(f"step      {max(job['time_ps'] for job in result['jobs']) / 1e12:.3f} s, account balances: {result['ledger_balances']}")
print(f"power     {100 * power['relative']:.1f} % of always-on")
print(f"took      {took:.0f} s, {memory:.2f} GiB")
