#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packets against flows: relative power, message latency, job time, and how much faster flows are.
Prints the tables of docs/models/flows.md. Usage: studies/flows/compare.py BUILD [workloads] [sizes] [job] [examples]"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(sys.argv[1])
EBB = BUILD / "apps/ebb/ebb"
ROOT = pathlib.Path(__file__).resolve().parents[2]
POLICIES = ("always-on", "{name: epoch, target: 50%, epoch: 10us, channels: independent}", "on-demand")
WORKLOADS = ("uniform", "search", "advert")
EXAMPLES = ("sim-fbfly-epoch", "sim-isca10-uniform", "sim-search", "sim-video", "sim-gpu-fabric", "sim-program", "sim-sleep",
            "sim-dragonfly-ugal", "sim-dynamic-topology")


def run(file, fidelity, *settings):
    """The result, and the seconds that it took."""
    command = [EBB, "sim", file, "--json", "--set", f"fidelity={fidelity}"]
    for setting in settings:
        command += ["--set", setting]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return json.loads(done.stdout), time.monotonic() - begin


def both(file, *settings):
    packet, of_packets = run(file, "packet", *settings)
    flow, of_flows = run(file, "flow", *settings)
    return packet, flow, of_packets / of_flows


def percent(packet, flow):
    return f"{100 * (flow / packet - 1):+.1f} %"


def row(name, packet, flow, faster):
    power = packet["power"]["relative"], flow["power"]["relative"]
    mean = packet["message_latency"]["mean_ps"], flow["message_latency"]["mean_ps"]
    p99 = packet["message_latency"]["p99_ps"], flow["message_latency"]["p99_ps"]
    print(f"| {name} | {100 * power[0]:.2f} | {100 * power[1]:.2f} | {percent(*power)} | {mean[0] / 1e6:.2f} | {mean[1] / 1e6:.2f} | "
          f"{percent(*mean)} | {percent(*p99)} | {faster:.1f} |", flush=True)


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
        subprocess.run([EBB, "trace", "make", "all-reduce", "--ranks", "512", "--size", "1MiB", "--algorithm", "halving-doubling",
                        "--compute", "200us", "--repeat", "5", "--format", "goal-binary", "-o", program], check=True)
        print("\n| policy | job time ms, packets | flows | | energy J, packets | flows | | times faster |\n|---|---|---|---|---|---|---|---|")
        for policy in (*POLICIES[:2], "{name: on-demand, idle: 2us}"):
            packet, flow, faster = both(ROOT / "studies/programs/allreduce.yaml", f"traffic.program={program}", f"policy={policy}",
                                        "traffic.reference=none")
            packet, flow = packet["jobs"][0], flow["jobs"][0]
            times, joules = (packet["time_ps"], flow["time_ps"]), (packet["energy_J"], flow["energy_J"])
            name = policy.split("name: ")[-1].split(",")[0]
            print(f"| `{name}` | {times[0] / 1e9:.3f} | {times[1] / 1e9:.3f} | {percent(*times)} | {joules[0]:.2f} | {joules[1]:.2f} | "
                  f"{percent(*joules)} | {faster:.1f} |", flush=True)


def compare_examples():
    heading("example")
    for example in EXAMPLES:
        row(f"`{example}`", *both(ROOT / f"examples/{example}.yaml"))


PARTS = {"workloads": compare_workloads, "sizes": compare_sizes, "job": compare_job, "examples": compare_examples}
for part in sys.argv[2:] or PARTS:
    PARTS[part]()
