#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/fabric/chaos.md: one row for each seed, as soon as it has run. As root:

  studies/fabric/chaos.py build/release --seeds 20 --seconds 30

Schedules and logs go to the folder --keep."""
import argparse
import pathlib
import re
import subprocess
import sys

CHAOS = pathlib.Path(__file__).resolve().parents[2] / "tests/fabric/chaos.py"
PROGRAMS = ("apps/ebb/ebb", "apps/ebb-host/ebb-host", "tests/ebb_fabric_traffic", "apps/ebb-agent/ebb-agent")
CAUSES = ("cut", "cut, mended", "kill-switch", "kill-switch, mended", "unexplained")
HEADINGS = ("seed", "events", "sent", "lost: cut", "cut, mended", "dead switch", "dead switch, started", "unexplained",
            "port changes refused", "busiest port, frames/s", "recovered, s", "violations")
FIGURES = {  # what chaos.py prints
    "events": r"(\d+) events", "sent": r"(\d+) datagrams", "refused": r"(\d+) port changes refused",
    "busiest": r"busiest port (\d+)", "recovered": r"recovered in ([\d.]+)", "violations": r"(\d+) violations"}


def row(seed, text):
    figures = {name: re.search(pattern, text).group(1) for name, pattern in FIGURES.items()}
    lost = dict.fromkeys(CAUSES, 0)
    for count, cause in re.findall(r"(\d+) (" + "|".join(sorted(CAUSES, key=len, reverse=True)) + r")[,)]", text):
        lost[cause] = int(count)
    return [seed, figures["events"], f"{int(figures['sent']):,}", *(f"{lost[cause]:,}" for cause in CAUSES),
            *(figures[name] for name in ("refused", "busiest", "recovered", "violations"))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--keep", default=".")
    words = parser.parse_args()
    programs = [str((words.build / program).resolve()) for program in PROGRAMS]
    print(f"| {' | '.join(HEADINGS)} |\n{'|---' * len(HEADINGS)}|", flush=True)
    failed = 0
    for seed in range(words.first, words.first + words.seeds):
        done = subprocess.run([sys.executable, str(CHAOS), *programs, "--seed", str(seed), "--seconds", str(words.seconds),
                               "--keep", words.keep], capture_output=True, text=True)
        failed += done.returncode != 0
        print(f"| {' | '.join(map(str, row(seed, done.stdout)))} |" if "violations" in done.stdout
              else f"seed {seed}: {done.stdout}{done.stderr}", flush=True)
        if done.returncode:
            print(done.stdout + done.stderr, file=sys.stderr, flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
