#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What links alone and whole switches save of the power of a network of four planes in a day, and what they cost in latency: 162 hosts,
56 measured boxes (parts.yaml). Prints the tables of docs/models/switches.md.
Usage: studies/planes/compare.py BUILD flow|packet [HOW MANY RUNS AT A TIME]. Some minutes of one processor."""
import concurrent.futures
import json
import math
import pathlib
import subprocess
import sys
import tempfile

EBB = pathlib.Path(sys.argv[1]) / "apps/ebb/ebb"
FIDELITY = sys.argv[2]
AT_A_TIME = int(sys.argv[3]) if len(sys.argv) > 3 else 1
HERE = pathlib.Path(__file__).resolve().parent

# load(t) = 35 % - 25 % cos(2 pi (t - 4 h) / 24 h) in steps of four hours from 4:00 on: 10, 22.5, 47.5, 60, 47.5 and 22.5 %.
DAY = {10: 1, 22.5: 2, 47.5: 2, 60: 1}

SIM = """schema_version: 1
topology: {{family: clos, levels: 2, ports: 36, hosts: 162, planes: 4}}
routing: up-down
traffic:
  pattern: uniform
  injection: {{name: poisson, size: 64KiB, load: {load}%}}
policy: {policy}
parts: {{switch: nexus-100g-lr, rate_table: port-down{switch}}}
hardware: {{low_power_penalty: 1MiB, output_selection: {selection}}}
fidelity: {fidelity}
schedule: {{warm_up: 2ms, measure: 1ms, tail_limit: 5ms}}
"""
POLICIES = {
    "always-on": ("always-on", ""),
    "on-demand": ("{name: on-demand, idle: 10us}", ""),  # as long as a wake takes
    "elastic": ("{name: elastic, margin: 50%, hold: 1ms, period: 100us}", ", switch_sleep: {power: 0W, wake: 100us}"),
}


def run(name, load):
    policy, switch = POLICIES[name]
    text = SIM.format(policy=policy, switch=switch, load=load, fidelity=FIDELITY, selection="queue" if FIDELITY == "flow" else "credits")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sim.yaml"
        path.write_text(text)
        done = subprocess.run([EBB, "sim", path, "--parts", HERE / "parts.yaml", "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def share_above(latency, value):
    """Of the messages of a run, those slower than a value: between the quantiles that are known the logarithm of the share falls evenly."""
    points = [(0, 1), (latency["p50_ps"], 0.5), (latency["p99_ps"], 0.01), (latency["p99_9_ps"], 0.001), (latency["most_ps"] + 1, 1e-6)]
    for (low, above), (high, below) in zip(points, points[1:]):
        if value < high:
            part = (value - low) / (high - low)
            return math.exp((1 - part) * math.log(above) + part * math.log(below))
    return 0


def p99_of_day(runs):
    """Of all messages of the day."""
    messages = {load: DAY[load] * result["message_latency"]["count"] for load, result in runs.items()}
    low, high = 0, max(result["message_latency"]["most_ps"] for result in runs.values())
    while high - low > 1000:
        middle = (low + high) / 2
        slower = sum(messages[load] * share_above(runs[load]["message_latency"], middle) for load in runs)
        low, high = (middle, high) if slower > 0.01 * sum(messages.values()) else (low, middle)
    return high


def watts(runs, key):
    """The mean of the day."""
    return sum(DAY[load] * runs[load]["power"][key] for load in runs) / sum(DAY[load] for load in runs)


def row(name, at, runs, base, p99):
    links = watts(base, "channels_W") - watts(runs, "channels_W")
    cores = watts(base, "switch_cores_W") - watts(runs, "switch_cores_W")
    total = watts(base, "channels_W") + watts(base, "switch_cores_W")
    now = p99(runs)
    print(f"| {at} | {name} | {100 * links / total:.1f} | {100 * cores / total:.1f} | {100 * (links + cores) / total:.1f} | "
          f"{now / 1e6:.1f} | {now / p99(base):.2f} |")


with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
    waiting = {(name, load): pool.submit(run, name, load) for load in DAY for name in POLICIES}
results = {name: {load: waiting[name, load].result() for load in DAY} for name in POLICIES}
print("| load % | policy | saved by links % | by switches % | by both % | p99 us | over always-on |")
print("|---:|---|---:|---:|---:|---:|---:|")
for load in DAY:
    for name in POLICIES:
        row(name, load, {load: results[name][load]}, {load: results["always-on"][load]},
            lambda runs: next(iter(runs.values()))["message_latency"]["p99_ps"])
for name in POLICIES:
    row(name, "the day", results[name], results["always-on"], p99_of_day)
