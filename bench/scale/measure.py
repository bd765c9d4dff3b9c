#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one run costs on threads and MPI ranks, and as the network grows (docs/scale.md).

  bench/scale/measure.py FOLDER speedup | growth | windows | all [--rounds N] [--csv FOLDER] [--quick]
  bench/scale/measure.py FOLDER paper [--csv FOLDER]
  bench/scale/measure.py FOLDER versus --other CHECKOUT     another version, built there as release
  bench/scale/measure.py FOLDER million

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


def run(options, file, ranks, threads, settings=(), folder=None):
    start = [MPIRUN, "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    command = [*start, str((folder or options.folder) / "ebb_bench_run"), str(file), str(threads), *settings]
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
    lengths = settings(warm_up="50us", measure="50us" if options.quick else "2ms", tail_limit="1us")
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


def versus(options):
    """Another version and this one in turn, on one thread: packet-hops per second, as a ratio. Each reads its own files;
    hosts send one message after the other, as they did before they could have several open."""
    uniform, large = "examples/sim-isca10-uniform.yaml", "bench/scale/files/fbfly-303750.yaml"
    short = settings(warm_up="50us", measure="50us" if options.quick else "1ms", tail_limit="1us")
    cases = {"3,375 hosts, 23 % load, always-on": (uniform, ["policy=always-on", *short]),
             "3,375 hosts, 23 % load, epoch": (uniform, short),
             "303,750 hosts, 10 % load, epoch": (large, settings(warm_up="20us", measure=options.large))}
    rows = []
    for name, (file, change) in cases.items():
        ratios, old, new = [], [], []
        for _ in range(options.rounds):
            old.append(run(options, options.other / file, 1, 1, change, options.other / "build/release/bench"))
            new.append(run(options, HERE.parent.parent / file, 1, 1, [*change, "hardware.open_messages=1"]))
            ratios.append(new[-1]["hops_per_s"] / old[-1]["hops_per_s"])
        rows.append({"one thread": name, "packet-hops": f"{new[0]['packet_hops']:,}",
                     "the same in both": "yes" if old[0]["packet_hops"] == new[0]["packet_hops"] else f"no, {old[0]['packet_hops']:,}",
                     "seconds before": " ".join(f"{one['seconds']:.1f}" for one in old),
                     "now": " ".join(f"{one['seconds']:.1f}" for one in new),
                     "median of ratios": f"{statistics.median(ratios):.2f}",
                     "range": f"{min(ratios):.2f} to {max(ratios):.2f}",
                     "peak MB before, now": f"{old[0]['peak_mb']:.0f}, {new[0]['peak_mb']:.0f}"})
    table(options, "versus", rows)


def million(options):
    """A million hosts, for some microseconds."""
    result = run(options, FILES / "fbfly-1012500.yaml", 1, 2)
    table(options, "million", [{"hosts": f"{result['hosts']:,}", "channels": f"{result['channels']:,}",
                                "simulated": f"{result['simulated_us']:.0f} us", "packet-hops": f"{result['packet_hops']:,}",
                                "seconds on two threads": f"{result['seconds']:.0f}", "peak MB": f"{result['peak_mb']:.0f}"}])


def expected_maximum(parts):
    """Of so many standard normal variables."""
    step, total, x = 0.001, 0.0, -8.0
    below = lambda value: 0.5 * (1 + math.erf(value / math.sqrt(2)))
    while x < 8:
        total += (x + step / 2) * (below(x + step) ** parts - below(x) ** parts)
        x += step
    return total


def predicted(alone, fixed, windows, parts, window_cost):
    """Seconds on `parts` cores: what is not divided, the work divided, the wait for the slowest, the
    windows themselves."""
    hops_here = alone["packet_hops"] / windows / parts
    divided = (alone["seconds"] - fixed) / parts * (1 + expected_maximum(parts) / math.sqrt(hops_here))
    return fixed + divided + windows * window_cost


def fastest(options, file, ways, change):
    """Of several rounds, for each (ranks, threads)."""
    rounds = [[run(options, file, ranks, threads, change) for ranks, threads in ways] for _ in range(options.rounds)]
    return [min(results, key=lambda result: result["seconds"]) for results in zip(*rounds)]


def windows(options):
    """The model of docs/scale.md against measurement: link latency and load, two cores."""
    file = FILES / f"{REFERENCE}.yaml"
    lengths = settings(warm_up="20us", measure="30us" if options.quick else "600us")
    for name, ranks, threads in divisions()[1:]:
        # Hardly any traffic: what is left is building the network, the policy, and windows.
        empty = ["traffic.injection.load=0.1%", "traffic.injection.size=2KiB", *lengths]
        idle, idle_windows = fastest(options, file, [(1, 1), (ranks, threads)], empty)
        cost = max(0, idle_windows["seconds"] - idle["seconds"]) / idle_windows["windows"]
        rows = []
        for load in ("2%", "10%", "30%"):
            for latency in ("50ns", "200ns", "800ns"):
                change = [f"traffic.injection.load={load}", f"hardware.link_latency={latency}", *lengths]
                alone, both = fastest(options, file, [(1, 1), (ranks, threads)], change)
                model = predicted(alone, idle["seconds"], both["windows"], 2, cost)
                rows.append({name: load, "link latency": latency,
                             "windows": f"{both['windows']:,}",
                             "packet-hops per window": f"{both['packet_hops'] / both['windows']:.0f}",
                             "speed-up measured": f"{alone['seconds'] / both['seconds']:.2f}",
                             "model": f"{alone['seconds'] / model:.2f}"})
        print(f"{name}: a window costs {cost * 1e6:.1f} us\n")
        table(options, "windows-" + name.replace(" ", "-"), rows)


# What `paper` assumes of a cluster: measured here where it can be, else said to be assumed.
HOP = 0.4e-6          # seconds per packet-hop on one core: growth table
POLICY = 0.02         # share of a run on one core that is sampling and policy, where every rank does all of it
THREAD_WINDOW = 1e-6  # seconds to meet, per doubling of the threads: measured with two
RANK_WINDOW = 3e-6    # seconds to meet, per doubling of the ranks: assumed for InfiniBand
CORES_PER_RANK = 32   # threads of one rank: assumed, a machine each


def on_paper(hosts, switches_on_path, load, latency, cores, undivided=0.0):
    """Speed-up of a run with 40 Gb/s links and packets of 2 KiB, by the model of docs/scale.md; `undivided` is the share of
    a run on one core that every rank does as a whole."""
    hops_per_s = hosts * load * 40e9 / (2048 * 8) * switches_on_path
    work = hops_per_s * latency * HOP  # seconds on one core for one window
    threads = min(cores, CORES_PER_RANK)
    ranks = max(1, cores // CORES_PER_RANK)
    meet = THREAD_WINDOW * math.log2(threads) + RANK_WINDOW * math.log2(ranks)
    hops_here = hops_per_s * latency / cores
    divided = work * (1 - undivided) / cores * (1 + expected_maximum(cores) / math.sqrt(hops_here))
    return work / (divided + work * undivided + meet) if cores > 1 else 1.0


def paper(options):
    """Extrapolation to more cores than there are here."""
    cases = {"3375 hosts": (3375, 2.9, 50e-9), "303750 hosts": (303750, 4.6, 50e-9),
             "million hosts": (1000000, 4.6, 50e-9), "million hosts and 20 m cables": (1000000, 4.6, 150e-9)}
    rows = []
    for cores in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024):
        row = {"cores": str(cores)}
        for name, (hosts, path, latency) in cases.items():
            row[name] = f"{on_paper(hosts, path, 0.1, latency, cores):.1f}"
        row["million hosts, a policy that looks across links"] = f"{on_paper(1000000, 4.6, 0.1, 50e-9, cores, POLICY):.1f}"
        rows.append(row)
    table(options, "paper", rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("what", choices=["speedup", "growth", "windows", "all", "paper", "versus", "million"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--other", type=pathlib.Path, help="of versus: a checkout of another version")
    parser.add_argument("--large", default="200us", help="of versus: how much is simulated of 303,750 hosts")
    parser.add_argument("--quick", action="store_true", help="only to see that it runs")
    options = parser.parse_args()
    options.rounds = 1 if options.quick else options.rounds
    for name, measure in {"speedup": speedup, "growth": growth, "windows": windows}.items():
        if options.what in (name, "all"):
            measure(options)
    for name, measure in {"paper": paper, "versus": versus, "million": million}.items():
        if options.what == name:
            measure(options)


main()
