#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/fabric/chaos.md: one row for each seed, as soon as it has run; then what was found, by kind, and how
long faults took to be led around. As root:

  studies/fabric/chaos.py build/release --seeds 12 --seconds 60

Schedules, logs and times go to the folder --keep; `--found FILE` writes violations, three of each kind and seed."""
import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys

CHAOS = pathlib.Path(__file__).resolve().parents[2] / "tests/fabric/chaos.py"
PROGRAMS = ("apps/ebb/ebb", "apps/ebb-host/ebb-host", "tests/ebb_fabric_traffic", "apps/ebb-agent/ebb-agent")
FIGURES = {  # what chaos.py prints
    "events": r"(\d+) events", "sent": r"(\d+) datagrams", "lost": r"(\d+) lost", "unexplained": r"(\d+) unexplained",
    "most asleep": r"up to (\d+) links", "refused": r"(\d+) changes refused", "stalls": r"(\d+) stalls",
    "recovered, s": r"recovered in ([\d.]+)", "violations": r"(\d+) violations"}


def row(seed, text):
    found = [re.search(pattern, text) for pattern in FIGURES.values()]
    return [str(seed), *(one.group(1) if one else "0" for one in found)]


def violations(text):
    """By kind: how many, and the first of them."""
    kinds = {}
    for line in text.splitlines():
        if head := re.match(r"  (\d+) of (\w+), as$", line):
            kinds[head.group(2)] = (int(head.group(1)), [])
        elif re.match(r"    [\d.-]+ s: ", line) and kinds:
            list(kinds.values())[-1][1].append(line.strip())
    return kinds


def percentiles(values):
    ordered = sorted(values)
    return f"{statistics.median(ordered):.1f} | {ordered[int(0.9 * (len(ordered) - 1) + 0.5)]:.1f} | {ordered[-1]:.1f}"


def print_times(rows):
    """Of each kind of fault: until frames were led around it, and after it was mended until none was lost."""
    print("\n| fault | of them | never led around | until led around: median, s | p90 | worst | lost after it was mended: median, s | p90 | worst |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind in sorted({kind for kind, _, _ in rows}):
        around = [diverted for one, diverted, _ in rows if one == kind and diverted is not None]
        after = [later for one, _, later in rows if one == kind]
        print(f"| {kind} | {len(after)} | {len(after) - len(around)} | {percentiles(around) if around else '- | - | -'} | {percentiles(after)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--found", type=pathlib.Path, help="where violations go")
    words = parser.parse_args()
    # The folder of a build, or one with the four programs.
    programs = [path if (path := words.build / program).exists() else words.build / path.name for program in PROGRAMS]
    words.keep.mkdir(parents=True, exist_ok=True)
    print(f"| seed | {' | '.join(FIGURES)} |\n{'|---' * (len(FIGURES) + 1)}|", flush=True)
    failed, times, found, log = 0, [], collections.defaultdict(dict), []
    for seed in range(words.first, words.first + words.seeds):
        done = subprocess.run([sys.executable, str(CHAOS), *(str(path.resolve()) for path in programs), "--seed", str(seed),
                               "--seconds", str(words.seconds), "--keep", str(words.keep)], capture_output=True, text=True)
        failed += done.returncode != 0
        print(f"| {' | '.join(row(seed, done.stdout))} |" if "violations" in done.stdout
              else f"seed {seed}: {done.stdout}{done.stderr}", flush=True)
        for kind, (count, lines) in violations(done.stdout).items():
            found[kind][seed] = count
            log += [f"seed {seed}, {line}" for line in lines]
        if words.found:  # after every seed: a run of an hour may be cut off
            words.found.write_text("".join(f"{line}\n" for line in log))
        kept = words.keep / f"chaos-{seed}.times.json"
        times += json.loads(kept.read_text()) if kept.exists() else []
    if found:
        print("\n| violations of | in seeds (how many) |\n|---|---|")
    for kind, seeds in sorted(found.items()):
        print(f"| {kind} | {', '.join(f'{seed} ({count})' for seed, count in seeds.items())} |")
    if times:
        print_times(times)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
