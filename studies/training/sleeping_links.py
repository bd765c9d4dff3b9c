# SPDX-License-Identifier: Apache-2.0
"""Jobs of language models on links that sleep: the policies by the wake time of a link, and a run of a job with one of them."""
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from runs import with_interval  # noqa: E402

PARTS = pathlib.Path(__file__).resolve().parent / "parts.yaml"
WAKES = {"1us": 1e-6, "100us": 1e-4, "10ms": 1e-2, "1s": 1.0}
FILE = """schema_version: 1
fidelity: {fidelity}
topology: {topology}
routing: up-down
hardware: {{{hardware}}}
seed: {seed}
traffic: {{program: {program}, hosts: linear, rendezvous_above: 1TiB, reference: none, host_idle_power: 140W, host_busy_power: 700W}}
policy: {policy}
parts: {{switch: switch-400g, rate_table: wakes-in-{wake}}}
"""


def duration(seconds):
    return f"{round(seconds * 1e9)}ns"


def policies(wake):
    """By name. A channel sleeps when it has been idle for as long as it takes to wake, at least a microsecond."""
    idle = duration(max(wake, 1e-6))
    look = max(wake / 10, 1e-3)  # seconds between two samples
    late = duration(1)  # of policies that decide once
    return {
        "always-on": "always-on",
        "epoch": f"{{name: epoch, epoch: {duration(max(10 * wake, 10 * look))}, channels: independent}}",
        "on-demand": f"{{name: on-demand, idle: {idle}, period: {late}}}",
        "wake-ahead": f"{{name: wake-ahead, idle: {idle}, hold: {duration(max(wake / 10, 5e-7))}, period: {late}}}",
        "periodic": f"{{name: periodic, idle: {idle}, ahead: {duration(wake + look)}, quiet: {duration(5 * look)}, "
                    f"period: {duration(look)}}}",
        "scheduled": f"{{name: scheduled, idle: {idle}, hold: {duration(max(wake / 10, 5e-7))}, period: {late}}}",
        "perf-bound": f"{{name: perf-bound, bound: 0.3%, shortest: {idle}, longest: 10s, period: {duration(10 * look)}}}",
    }


def patient(policy, wake, times):
    """An on-demand or scheduled policy whose channels sleep only when they have been idle for so many times their wake time."""
    hold = f", hold: {duration(10 * wake)}" if policy == "scheduled" else ""
    return f"{{name: {policy}, idle: {duration(times * wake)}{hold}, period: {duration(1)}}}"


def run(ebb, folder, program, topology, fidelity, wake, policy, hardware="", seed=1):
    """The result of a job whose program is a file of the folder."""
    file = folder / "sim.yaml"
    file.write_text(FILE.format(fidelity=fidelity, topology=topology, program=program, policy=policy, wake=wake, hardware=hardware,
                                seed=seed))
    done = subprocess.run([ebb, "sim", file, "--parts", PARTS, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{policy}: {done.stderr}")
    result = json.loads(done.stdout)
    assert result["jobs"][0]["done"] and result["ledger_balances"], policy
    return result


def compare(result, base):
    """In percent: the slowdown over the job with links that are always on; power of links, of those between switches and of the
    cluster, of always-on; how much of the critical path waits for links to wake, and how much of it for other messages."""
    job, reference = result["jobs"][0], base["jobs"][0]
    path = job["critical_path"]
    waking = sum(time for part, time in path.items() if part.startswith("waking"))
    cluster = (job["energy_J"] + job["hosts_energy_J"]) / (reference["energy_J"] + reference["hosts_energy_J"])
    return (100 * (job["time_ps"] / reference["time_ps"] - 1), 100 * result["power"]["relative"],
            100 * result["power"].get("between_switches_relative", float("nan")), 100 * cluster,
            100 * waking / job["time_ps"], 100 * path["queueing_ps"] / job["time_ps"])


def cells(pairs, columns=6):
    """Of a row: means over pairs of a result and its base, with intervals."""
    values = zip(*[compare(*pair)[:columns] for pair in pairs])
    return " | ".join(with_interval(list(column)) for column in values)
