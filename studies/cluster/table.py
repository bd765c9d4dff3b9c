#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/cluster.md from results files of `ebb sweep`: table.py [--csv LOAD] FILE.db ...

A line per setup, three columns per load: energy of links and switches for each packet delivered, power of
the links against always-on, mean latency of messages. +- is the half width of the 95 % confidence interval
over the seeds, after Student. *: no other setup of the file has, on that network and at that load, both less
energy and less latency, by the means; setups that saturate in any seed are out of the race.

--csv LOAD prints, for one load, the curve of each policy: of its setups those that no other of the same policy
beats. A column for each policy, to be drawn by `ebb plot`.
"""
import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from runs import name, read, with_interval

LOAD = "traffic.injection.load"
PACKET_BITS = 8192  # 1 KiB
# Network cards are left out: no policy here changes what they take, and they take more than all the rest.
METERED = ("channels", "buffers", "crossbar", "arbiter", "tables", "logic")


def microjoules_per_packet(run):
    joules = sum(run["energy." + part] for part in METERED)
    return 1e6 * joules * PACKET_BITS / run["traffic.delivered"]


class Point:
    """The seeds of one setup at one load."""

    def __init__(self, runs):
        self.energy = [microjoules_per_packet(run) for run in runs]
        self.links = [100 * run["power.relative"] for run in runs]
        self.latency = [1e-6 * run["message_latency.mean"] for run in runs]
        self.saturated = sum(run["traffic.saturated"] for run in runs) > 0
        self.best = False

    def means(self):
        return sum(self.energy) / len(self.energy), sum(self.latency) / len(self.latency)

    def beats(self, other):
        (energy, latency), (others_energy, others_latency) = self.means(), other.means()
        no_worse = energy <= others_energy and latency <= others_latency
        return not self.saturated and no_worse and (energy, latency) != (others_energy, others_latency)


def mark_best(points):
    for point in points:
        point.best = not point.saturated and not any(other.beats(point) for other in points)


def points_of(path):
    """setup -> load -> point"""
    seeds = {}
    for (settings, _), run in read(path).items():
        setup = tuple(pair for pair in settings if pair[0] != LOAD)
        seeds.setdefault(setup, {}).setdefault(dict(settings)[LOAD], []).append(run)
    table = {setup: {load: Point(runs) for load, runs in loads.items()} for setup, loads in seeds.items()}
    rivals = {}
    for setup, loads in table.items():
        for load, point in loads.items():
            rivals.setdefault((network(setup), load), []).append(point)
    for points in rivals.values():
        mark_best(points)
    return table


def network(setup):
    return tuple(pair for pair in setup if pair[0].startswith("topology."))


def loads_of(table):
    return sorted({load for loads in table.values() for load in loads}, key=lambda load: float(load.rstrip("%")))


def label(setup):
    return name(setup).replace("{name: ", "").replace("}", "")


def by_number(setup):
    """Sorts 20% before 100%."""
    return [(word.isdigit(), int(word) if word.isdigit() else word) for word in re.split(r"(\d+)", label(setup))]


def cells(point):
    energy = ("* " if point.best else "") + with_interval(point.energy)
    latency = "saturated" if point.saturated else with_interval(point.latency)
    return [energy, with_interval(point.links, 1), latency]


def print_table(path, table):
    loads = loads_of(table)
    heads = [f"{load}: {what}" for load in loads for what in ("uJ per packet", "links %", "latency us")]
    print(f"| {pathlib.Path(path).stem} | " + " | ".join(heads) + " |")
    print("|---|" + "---:|" * len(heads))
    for setup in sorted(table, key=by_number):
        columns = [cell for load in loads for cell in cells(table[setup][load])]
        print(f"| {label(setup)} | " + " | ".join(columns) + " |")
    print()


def policy(setup):
    """Its name and how channels rest, where that was set."""
    words = label(setup).split(", ")
    return " ".join([words[0]] + [word.replace(":", "") for word in words if word.startswith("rest: ")])


def curve(points):
    mark_best(points)
    return sorted((point.means() for point in points if point.best), key=lambda means: means[1])


def print_curves(table, load):
    policies = {}
    for setup, loads in table.items():
        policies.setdefault(policy(setup), []).append(loads[load])
    names = sorted(policies)
    print("latency [us]," + ",".join(f"{one} [uJ]" for one in names))
    for column, one in enumerate(names):
        for energy, latency in curve(policies[one]):
            cells = [f"{energy:.4f}" if i == column else "" for i in range(len(names))]
            print(f"{latency:.3f}," + ",".join(cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--csv", metavar="LOAD")
    parser.add_argument("files", nargs="+", metavar="FILE.db")
    options = parser.parse_args()
    for path in options.files:
        table = points_of(path)
        if options.csv:
            print_curves(table, options.csv)
        else:
            print_table(path, table)


main()
