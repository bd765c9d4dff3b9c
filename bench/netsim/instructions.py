#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions that the simulator takes per packet-hop, and compares them with the recorded figures.

    instructions.py BUILD_FOLDER            fails when one has grown by more than 3 %
    instructions.py BUILD_FOLDER --record   writes the figures that it counts

Valgrind counts instructions of `netsim::run` alone, on short fixed runs: the same number on any machine that has the
same compiler and libraries, however busy it is. A change that makes the simulator slower on purpose changes
instructions.tsv in the same commit."""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE / "instructions.tsv"
NETWORK = HERE.parent / "scale/files/fbfly-512.yaml"
MOST_GROWTH = 0.03
COMMON = ["schedule.warm_up=5us", "schedule.measure=45us", "schedule.tail_limit=0s", "traffic.injection.size=8KiB",
          "traffic.injection.load=23%"]


def counted(program, settings):
    """Instructions of netsim::run per packet through a switch."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=ebb::netsim::run(*",
               str(program), str(NETWORK), "1", *COMMON, *settings]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    instructions = int(re.search(r"Collected : (\d+)", done.stderr).group(1))
    return instructions / json.loads(done.stdout)["packet_hops"]


def read_figures():
    rows = []
    for line in FIGURES.read_text().splitlines():
        if not line.startswith("#"):
            name, settings, figure = line.split("\t")
            rows.append((name, settings.split(), float(figure)))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("skipped: no valgrind")
        return 77
    program = options.folder / "bench/ebb_bench_run"
    rows = read_figures()
    figures = [counted(program, settings) for _, settings, _ in rows]
    print(f"{'run':<12} {'recorded':>9} {'counted':>9} {'change':>8}   instructions per packet-hop")
    grown = []
    for (name, _, recorded), figure in zip(rows, figures):
        change = figure / recorded - 1 if recorded else 0
        print(f"{name:<12} {recorded:>9.1f} {figure:>9.1f} {100 * change:>+7.1f} %")
        if change > MOST_GROWTH:
            grown.append(name)
    if options.record:
        head = [line for line in FIGURES.read_text().splitlines() if line.startswith("#")]
        body = [f"{name}\t{' '.join(settings)}\t{figure:.1f}" for (name, settings, _), figure in zip(rows, figures)]
        FIGURES.write_text("\n".join(head + body) + "\n")
        return 0
    if grown:
        print(f"slower by more than {100 * MOST_GROWTH:.0f} %: {', '.join(grown)}. If that is meant, record it: "
              f"{pathlib.Path(__file__).name} {options.folder} --record")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
