#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/policies.md from results files of `ebb sweep`: table.py FILE.db ...

A line per setup. What is added is against always-on under the same traffic and seed; +- is the half
width of the 95 % confidence interval over the seeds, after Student.
"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from runs import name, read, with_interval

TRAFFIC = ("traffic.", "topology.")  # keys that say which runs meet the same messages ...
HARDWARE = ("hardware.",)  # ... and on what, unless always-on ran on one hardware for all
SLOWEST = 1 / 16  # power of the slowest step of the rate table


def only(settings, prefixes):
    return tuple(pair for pair in settings if pair[0].startswith(prefixes))


def base_of(bases, settings, seed):
    same = bases.get((only(settings, TRAFFIC + HARDWARE), seed))
    return same or bases[only(settings, TRAFFIC), seed]


def is_always_on(settings):
    return ("policy", "always-on") in settings


def compare(run, base):
    """What a run shows beside always-on, by column."""
    ideal = run["power.ideal_relative"]
    latency = {name: [one.get("message_latency." + name, math.nan) for one in (run, base)]
               for name in ("mean", "p99")}  # not a number where no message arrived in time
    channels = 2 * run["network.links"]
    return {
        "power %": 100 * run["power.relative"],
        "W per host": run["power.channels"] / run["network.hosts"],
        "x ideal": run["power.relative"] / ideal,
        "x bound": run["power.relative"] / (ideal + (1 - ideal) * SLOWEST),
        "added mean us": (latency["mean"][0] - latency["mean"][1]) * 1e-6,
        "added mean %": 100 * (latency["mean"][0] / latency["mean"][1] - 1),
        "added p99 %": 100 * (latency["p99"][0] / latency["p99"][1] - 1),
        "accepted, of always-on %": 100 * run["traffic.delivered"] / base["traffic.delivered"],
        "changes /channel/ms": run["channels.changes"] / channels / (run["time.measured"] * 1e-9),
    }


def lines(path):
    runs = read(path)
    bases = {(only(settings, TRAFFIC + HARDWARE), seed): run
             for (settings, seed), run in runs.items() if is_always_on(settings)}
    setups = {}
    for (settings, seed), run in runs.items():
        base = base_of(bases, settings, seed)
        setups.setdefault(settings, []).append((compare(run, base), run["traffic.saturated"]))
    for settings, seeds in setups.items():
        columns = {key: with_interval([row[key] for row, _ in seeds]) for key in seeds[0][0]}
        saturated = int(sum(flag for _, flag in seeds))
        note = f" ({saturated} of {len(seeds)} saturated)" if saturated else ""
        yield name(settings) + note, columns


def main():
    for path in sys.argv[1:]:
        rows = sorted(lines(path), key=lambda row: row[0])
        print(f"| {path.rsplit('/', 1)[-1].removesuffix('.db')} | " + " | ".join(rows[0][1]) + " |")
        print("|---|" + "---:|" * len(rows[0][1]))
        for setup, columns in rows:
            print(f"| {setup} | " + " | ".join(columns.values()) + " |")
        print()


main()
