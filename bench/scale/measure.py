#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one run costs on threads and MPI ranks, and as the network grows (docs/scale.md).

  bench/scale/measure.py FOLDER speedup | growth | windows | all [--rounds N] [--csv FOLDER] [--quick]

FOLDER has ebb_bench_run: build/release/bench. Configurations are run in turn, so that what else the
machine does falls on all of them; ratios are what to read."""
import argparse
import csv
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FILES = HERE / "files"
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
MPIRUN = shutil.which("mpirun")

GROWTH = ["fbfly-512", "fbfly-3375", "dragonfly-16512", "fbfly-303750", "dragonfly-300024"]
REFERENCE = "fbfly-3375"


def run(options, file, ranks, threads, settings=()):
    start = [MPIRUN, "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    command = [*start, str(options.folder / "ebb_bench_run"), str(file), str(threads), *settings]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    result = json.loads(done.stdout)
    result["hops_per_s"] = result["packet_hops"] / result["seconds"]
    return result


def settings(**schedule):
    return [f"schedule.{key}={value}" for key, value in schedule.items()]


def table(options, name, rows):
    """Prints a Markdown table, and keeps it as CSV."""
    print("| " + " | ".join(rows[0]) + " |")
    print("|" + "---|" * len(rows[0]))
    for row in rows:
        print("| " + " | ".join(str(value) for value in row.values()) + " |")
    print()
    if options.csv:
        with open(options.csv / f"{name}.csv", "w", newline="") as out:
            writer = csv.DictWriter(out, rows[0])
            writer.writeheader()
            writer.writerows(rows)


def divisions():
    """(name, ranks, threads)"""
    ways = [("one thread", 1, 1), ("two threads", 1, 2)]
    return ways + [("two MPI ranks", 2, 1)] if MPIRUN else ways


def speedup(options):
    """3,375 hosts at 23 % load."""
    lengths = settings(warm_up="50us", measure="50us" if options.quick else "500us", tail_limit="1us")
    seconds = {name: [] for name, _, _ in divisions()}
    for _ in range(options.rounds):
        for name, ranks, threads in divisions():
            result = run(options, HERE.parent.parent / "examples/sim-isca10-uniform.yaml", ranks, threads, lengths)
            seconds[name].append(result["seconds"])
    alone = seconds["one thread"]
    rows = []
    for name, times in seconds.items():
        ratios = sorted(one / other for one, other in zip(alone, times))
        rows.append({"3,375 hosts, 23 % load": name,
                     "seconds": " ".join(f"{time:.2f}" for time in times),
                     "speed-up in sum": f"{sum(alone) / sum(times):.2f}",
                     "median of rounds": f"{statistics.median(ratios):.2f}",
                     "range": f"{ratios[0]:.2f} to {ratios[-1]:.2f}"})
    table(options, "speedup", rows)


def growth(options):
    names = GROWTH[:2] if options.quick else GROWTH
    lengths = settings(measure="100us") if options.quick else []
    for threads in (1, 2):
        results = {name: run(options, FILES / f"{name}.yaml", 1, threads, lengths) for name in names}
        reference = results[REFERENCE]["hops_per_s"]
        table(options, f"growth-{threads}", [
            {f"threads: {threads}": name,
             "hosts": f"{result['hosts']:,}",
             "channels": f"{result['channels']:,}",
             "simulated": f"{result['simulated_us']:.0f} us",
             "packet-hops": f"{result['packet_hops']:,}",
             "seconds": f"{result['seconds']:.1f}",
             "million packet-hops/s": f"{result['hops_per_s'] / 1e6:.2f}",
             "time per packet-hop, 3,375 hosts = 1": f"{reference / result['hops_per_s']:.2f}",
             "peak MB": f"{result['peak_mb']:.0f}"} for name, result in results.items()])


def expected_maximum(parts):
    """Of so many standard normal variables."""
    step, total, x = 0.001, 0.0, -8.0
    below = lambda value: 0.5 * (1 + math.erf(value / math.sqrt(2)))
    while x < 8:
        total += (x + step / 2) * (below(x + step) ** parts - below(x) ** parts)
        x += step
    return total


def predicted(alone, windows, parts, window_cost):
    """Seconds on `parts` cores: the work divided, the wait for the slowest, the windows themselves."""
    hops_here = alone["packet_hops"] / windows / parts
    return alone["seconds"] / parts * (1 + expected_maximum(parts) / math.sqrt(hops_here)) + windows * window_cost


def windows(options):
    """The model of docs/scale.md against measurement: link latency and load, two cores."""
    file = FILES / f"{REFERENCE}.yaml"
    lengths = settings(warm_up="20us", measure="30us" if options.quick else "300us")
    for name, ranks, threads in divisions()[1:]:
        # Hardly any traffic: a window costs what it costs by itself.
        idle = [run(options, file, ranks, threads, ["traffic.injection.load=0.01%", *settings(measure="2ms")])
                for _ in range(options.rounds)]
        cost = min(result["seconds"] / result["windows"] for result in idle)
        rows = []
        for load in ("2%", "10%", "30%"):
            for latency in ("50ns", "200ns", "800ns"):
                change = [f"traffic.injection.load={load}", f"hardware.link_latency={latency}", *lengths]
                pairs = [(run(options, file, 1, 1, change), run(options, file, ranks, threads, change))
                         for _ in range(options.rounds)]
                alone = min((pair[0] for pair in pairs), key=lambda result: result["seconds"])
                both = min((pair[1] for pair in pairs), key=lambda result: result["seconds"])
                model = predicted(alone, both["windows"], 2, cost)
                rows.append({name: load, "link latency": latency,
                             "windows": f"{both['windows']:,}",
                             "packet-hops per window": f"{both['packet_hops'] / both['windows']:.0f}",
                             "speed-up measured": f"{alone['seconds'] / both['seconds']:.2f}",
                             "model": f"{alone['seconds'] / model:.2f}"})
        print(f"{name}: an empty window costs {cost * 1e6:.1f} us\n")
        table(options, "windows-" + name.replace(" ", "-"), rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("what", choices=["speedup", "growth", "windows", "all"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="only to see that it runs")
    options = parser.parse_args()
    options.rounds = 1 if options.quick else options.rounds
    for name, measure in {"speedup": speedup, "growth": growth, "windows": windows}.items():
        if options.what in (name, "all"):
            measure(options)


main()
