#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What power policies cost a job, and what they save: an all-reduce of 512 ranks after each phase of computation.
Prints the tables of docs/programs.md. Usage: studies/programs/allreduce.py BUILD"""
import json
import pathlib
import subprocess
import sys
import tempfile

EBB = pathlib.Path(sys.argv[1]) / "apps/ebb/ebb"
FILE = pathlib.Path(__file__).with_name("allreduce.yaml")
MAKE = ("all-reduce", "--set", "ranks=512", "--set", "size=1MiB", "--set", "algorithm=halving-doubling", "--set", "compute=200us", "--set", "iterations=5")
POLICIES = ("always-on", "{name: epoch, target: 50%, epoch: 10us, channels: independent}", "{name: on-demand, idle: 2us}",
            "{name: latency-budget, budget: 2us, message: 64KiB, period: 50us}")
PARTS = {"computing": ("computing_ps",), "transmission": ("transmission_ps",), "waking, hosts' links": ("waking_hosts_ps",),
         "waking, level 1": ("waking_level_1_ps",), "waking, level 2": ("waking_level_2_ps",), "slower rates": ("slower_ps",),
         "queueing": ("queueing_ps",)}


def name_of(policy):
    return policy.split("name: ")[-1].split(",")[0]


def job_under(policy, program):
    command = [EBB, "sim", FILE, "--json", "--threads", "2", "--set", f"traffic.program={program}", "--set", f"policy={policy}"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["jobs"][0]


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "allreduce-512.bin"
        subprocess.run([EBB, "trace", "make", *MAKE, "--format", "goal-binary", "-o", program], check=True)
        jobs = {name_of(policy): job_under(policy, program) for policy in POLICIES}
    base = jobs["always-on"]
    print("| policy | time | slowdown | energy | of always-on | energy x time |\n|---|---|---|---|---|---|")
    for name, job in jobs.items():
        print(f"| `{name}` | {job['time_ps'] / 1e9:.3f} ms | {job['time_ps'] / base['time_ps']:.3f} | {job['energy_J']:.2f} J | "
              f"{100 * job['energy_J'] / base['energy_J']:.1f} % | {1000 * job['energy_delay_Js']:.1f} mJ s |")
    print("\n| critical path | " + " | ".join(f"`{name}`" for name in jobs) + " |\n|---|" + "---|" * len(jobs))
    for part, keys in PARTS.items():
        times = [sum(job["critical_path"][key] for key in keys) for job in jobs.values()]
        print(f"| {part} | " + " | ".join(f"{time / 1e6:,.1f} µs" for time in times) + " |")
    for job in jobs.values():
        path = dict(job["critical_path"])
        path.pop("messages")
        assert sum(path.values()) == job["time_ps"], "the parts of a critical path add up to the time of its job"


main()
