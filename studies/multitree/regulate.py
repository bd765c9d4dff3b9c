#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Row D3 by simulation: links of a multi-tree Ethernet closed by peak, and what HPL and the NAS benchmarks lose.

For each program the bytes between switches give the links that a peak leaves open (docs/models/regulation.md). The job
is simulated on the network that has these links alone; a packet takes the one with the shortest queue. Of all peaks the
one is looked for that saves most at less than 1 % loss. A seed draws what switches draw by lot; losses are means over five
seeds, with 95 % confidence intervals.
Usage: studies/multitree/regulate.py BUILD [PROGRAM...], programs as in "HPL, ranks by row".
"""
import collections
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from runs import with_interval  # noqa: E402

EBB = pathlib.Path(sys.argv[1]) / "apps/ebb/ebb"
FILE = pathlib.Path(__file__).with_name("regulate.yaml")
SWITCHES, LINKS = 6, 5
BASE_WATTS, PORT_WATTS = 40.9, 1.0  # of dell-powerconnect-6248
MOST_LOSS = 0.01
SEEDS = range(1, 6)

# HPL of 6 x 88 ranks, eight on a host with two cards: here a rank has four of them and a card, so that 6 x 22 ranks are on
# 22 hosts a switch. Both N = 234,960 and the operations in a second, assumed as 65 Gflop/s of a host, are divided by 20,
# so that the share of communication stays.
HPL = {"n": 11_748, "nb": 220, "grid": "6x22", "flops": 1_625_000_000}

# Operations in a second of a rank. Of CG, BT and FT from the computing times of Table 4; of the others assumed.
PROGRAMS = {
    "BT": ("nas-bt", {"class": "C", "ranks": 64, "iterations": 1, "flops": 866_000_000}),
    "CG": ("nas-cg", {"class": "C", "ranks": 64, "iterations": 1, "flops": 285_000_000}),
    "IS": ("nas-is", {"class": "C", "ranks": 64, "iterations": 1, "flops": 50_000_000}),
    "LU": ("nas-lu", {"class": "C", "ranks": 64, "iterations": 1, "flops": 866_000_000}),
    "MG": ("nas-mg", {"class": "C", "ranks": 64, "iterations": 1, "flops": 600_000_000}),
    "HPL, ranks by row": ("hpl", HPL | {"order": "row"}),
    "HPL, ranks by column": ("hpl", HPL | {"order": "column"}),
    "FT": ("nas-ft", {"class": "C", "ranks": 64, "iterations": 1, "flops": 601_000_000}),
}


def settings(parameters):
    return [word for key, value in parameters.items() for word in ("--set", f"{key}={value}")]


def amounts(text, hosts):
    """Bytes from switch to switch of a program in GOAL text; rank r is on host r, of so many on a switch."""
    sent, rank = collections.Counter(), 0
    for line in text.splitlines():
        if line.startswith("rank "):
            rank = int(line.split()[1])
        elif found := re.search(r"send (\d+)b to (\d+)", line):
            pair = rank // hosts, int(found[2]) // hosts
            if pair[0] != pair[1]:
                sent[pair] += int(found[1])
    return sent


def open_links(sent, peak):
    """By pair of switches, the busier direction decides."""
    links = {}
    for a in range(SWITCHES):
        for b in range(a + 1, SWITCHES):
            links[a, b] = min(LINKS, max(1, math.ceil(max(sent[a, b], sent[b, a]) / peak)))
    return links


def saved(links, hosts):
    full = SWITCHES * (BASE_WATTS + PORT_WATTS * (hosts + LINKS * (SWITCHES - 1)))
    return 2 * PORT_WATTS * sum(LINKS - count for count in links.values()) / full


def graph(links, hosts):
    """The network with so many links between each pair of switches, as a graph file."""
    rows = [f"h{host},s{host // hosts},electrical,2m" for host in range(SWITCHES * hosts)]
    rows += [f"s{a},s{b},electrical,2m" for (a, b), count in links.items() for _ in range(count)]
    head = f"schema_version: 1\nswitches: {SWITCHES}\nhosts: {SWITCHES * hosts}\nrate_tables:\n  - [1Gb/s]\n...\n"
    return head + "\n".join(["a,b,medium,length", *rows]) + "\n"


def job_times(name, parameters, hosts, links):
    """In picoseconds, of each seed."""
    program = "{" + ", ".join([f"name: {name}"] + [f"{key}: {value}" for key, value in parameters.items()]) + "}"
    with tempfile.NamedTemporaryFile("w", suffix=".graph") as file:
        file.write(graph(links, hosts))
        file.flush()
        command = [EBB, "sim", FILE, "--parts", FILE.with_name("parts.yaml"), "--json", "--set", f"topology={{graph: {file.name}}}",
                   "--set", f"traffic.program={program}"]
        outputs = [subprocess.run([*command, "--set", f"seed={seed}"], check=True, capture_output=True, text=True).stdout for seed in SEEDS]
        return [json.loads(output)["jobs"][0]["time_ps"] for output in outputs]


def best(name, parameters, hosts):
    """Times with all links, the most that is saved at less than 1 % loss and what is lost there, and the same where most is saved."""
    with tempfile.TemporaryDirectory() as folder:
        goal = pathlib.Path(folder) / "program.goal"
        subprocess.run([EBB, "trace", "make", name, *settings(parameters), "-o", goal], check=True)
        sent = amounts(goal.read_text(), hosts)
    steps = {}
    for amount in {max(sent[a, b], sent[b, a]) for a, b in sent}:
        for count in range(1, LINKS + 1):
            links = open_links(sent, amount / count)
            steps[saved(links, hosts)] = links
    whole = job_times(name, parameters, hosts, {pair: LINKS for pair in open_links(sent, 1)})
    loss = {}

    def loses(saving):
        if saving not in loss:
            times = job_times(name, parameters, hosts, steps[saving])
            loss[saving] = [1 - all_open / time for all_open, time in zip(whole, times)]
        return statistics.mean(loss[saving])

    savings = sorted(steps)
    low, high = -1, len(savings) - 1  # more links closed never make a job faster, so halves may be left out
    if loses(savings[high]) < MOST_LOSS:
        low = high
    while high - low > 1:
        middle = (low + high) // 2
        if loses(savings[middle]) < MOST_LOSS:
            low = middle
        else:
            high = middle
    kept = savings[low] if low >= 0 else 0
    return whole, kept, loss.get(kept, [0.0] * len(SEEDS)), savings[-1], loss[savings[-1]]


def percent(shares):
    return with_interval([100 * share for share in shares], 1) + " %"


def main():
    print("| program | time, all links | most saved at < 1 % loss | lost there | saved with one link a pair | lost there |\n|---|---|---|---|---|---|")
    for label in sys.argv[2:] or PROGRAMS:
        name, parameters = PROGRAMS[label]
        whole, kept, little, most, lost = best(name, parameters, 22 if name == "hpl" else 11)
        print(f"| {label} | {with_interval([time / 1e9 for time in whole], 1)} ms | {100 * kept:.1f} % | {percent(little)} | {100 * most:.1f} % | "
              f"{percent(lost)} |", flush=True)


main()
