#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packets against flows: relative power, message latency, job time, and how much faster flows are.
Prints the tables of docs/models/flows.md. Usage: studies/flows/compare.py BUILD [workloads] [sizes] [job] [examples]"""
import json
import pathlib
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(sys.argv[1])
EBB = BUILD / "apps/ebb/ebb"
ROOT = pathlib.Path(__file__).resolve().parents[2]
POLICIES = ("always-on", "{name: epoch, target: 50%, epoch: 10us, channels: independent}", "on-demand")
WORKLOADS = ("uniform", "search", "advert")
EXAMPLES = ("sim-fbfly-epoch", "sim-isca10-uniform", "sim-search", "sim-video", "sim-gpu-fabric", "sim-program", "sim-sleep",
            "sim-dragonfly-ugal", "sim-dynamic-topology")


def both(file, *settings):
    """What `ebb validate flows` prints of a file: metrics by name, jobs, and how much faster flows were."""
    command = [EBB, "validate", "flows", file, "--json"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    found = json.loads(done.stdout)[0]
    return {metric["name"]: metric for metric in found["metrics"]}, found["jobs"], found["wall_clock_ratio"]


def values(metric, scale, digits=2):
    """Of packets, of flows, and by how much they differ."""
    return f"{scale * metric['packet']:.{digits}f} | {scale * metric['flow']:.{digits}f} | {100 * metric['difference']:+.1f} %"


def row(name, metrics, _jobs, faster):
    p99 = 100 * metrics["message_latency.p99"]["difference"]
    print(f"| {name} | {values(metrics['power.relative'], 100)} | {values(metrics['message_latency.mean'], 1e-6)} | {p99:+.1f} % | {faster:.1f} |",
          flush=True)


def heading(first):
    print(f"\n| {first} | power %, packets | flows | | mean latency us, packets | flows | | p99 | times faster |\n|---|---|---|---|---|---|---|---|---|")


def compare_workloads():
    heading("workload, policy")
    for workload in WORKLOADS:
        for policy in POLICIES:
            name = policy.split("name: ")[-1].split(",")[0]
            row(f"{workload}, `{name}`", *both(ROOT / f"studies/policies/{workload}.yaml", f"policy={policy}"))


def compare_sizes():
    heading("message")
    for size, measure in (("2KiB", "100us"), ("16KiB", "200us"), ("64KiB", "400us"), ("512KiB", "1ms"), ("4MiB", "6ms"), ("100MB", "30ms")):
        row(size, *both(ROOT / "studies/policies/uniform.yaml", f"traffic.injection.size={size}", "schedule.warm_up=200us",
                        f"schedule.measure={measure}"))


def compare_job():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "allreduce-512.bin"
        subprocess.run([EBB, "trace", "make", "all-reduce", "--set", "ranks=512", "--set", "size=1MiB", "--set", "algorithm=halving-doubling",
                        "--set", "compute=200us", "--set", "iterations=5", "--format", "goal-binary", "-o", program], check=True)
        print("\n| policy | job time ms, packets | flows | | energy J, packets | flows | | times faster |\n|---|---|---|---|---|---|---|---|")
        for policy in (*POLICIES[:2], "{name: on-demand, idle: 2us}"):
            metrics, jobs, faster = both(ROOT / "studies/programs/allreduce.yaml", f"traffic.program={program}", f"policy={policy}",
                                         "traffic.reference=none")
            name = policy.split("name: ")[-1].split(",")[0]
            print(f"| `{name}` | {values(jobs[0], 1e-9, 3)} | {values(metrics['job.energy'], 1)} | {faster:.1f} |", flush=True)


def compare_examples():
    heading("example")
    for example in EXAMPLES:
        row(f"`{example}`", *both(ROOT / f"examples/{example}.yaml"))


PARTS = {"workloads": compare_workloads, "sizes": compare_sizes, "job": compare_job, "examples": compare_examples}
for part in sys.argv[2:] or PARTS:
    PARTS[part]()
