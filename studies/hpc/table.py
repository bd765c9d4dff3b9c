#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/hpc.md from a results file of `ebb sweep studies/hpc/compare-programs.yaml`: table.py FILE.db

A line per program, a column per policy. What is compared is the same program on the same hosts with links that are always on;
+- is the half width of the 95 % confidence interval over the placements, after Student.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from runs import read, with_interval

COLUMNS = {
    "Slowdown of the job, %": lambda run, base: 100 * (run["job.time"] / base["job.time"] - 1),
    "Energy of links, % of always-on": lambda run, base: 100 * run["job.energy"] / base["job.energy"],
    "Waking on the critical path, % of the job": lambda run, base: 100 * run["path.waking"] / run["job.time"],
}


def name_of(value):
    """Of a program or a policy, which is its name or a map with it."""
    return re.sub(r".*\bname: ([^,}]*).*", r"\1", value)


def main():
    compared = {}  # (program, policy) -> pairs of runs
    runs = read(sys.argv[1])
    bases = {(dict(settings)["traffic.program"], seed): run for (settings, seed), run in runs.items()
             if ("policy", "always-on") in settings}
    for (settings, seed), run in runs.items():
        keys = dict(settings)
        base = bases[keys["traffic.program"], seed]
        compared.setdefault((keys["traffic.program"], keys["policy"]), []).append((run, base))
    programs = list(dict.fromkeys(program for program, _ in compared))
    policies = list(dict.fromkeys(policy for _, policy in compared if policy != "always-on"))
    for title, column in COLUMNS.items():
        print(f"{title}:\n\n| program | time | " + " | ".join(name_of(policy) for policy in policies) + " |")
        print("|---|---:|" + "---:|" * len(policies))
        for program in programs:
            time = with_interval([base["job.time"] * 1e-9 for _, base in compared[program, "always-on"]])
            cells = [with_interval([column(*pair) for pair in compared[program, policy]]) for policy in policies]
            print(f"| {name_of(program)} | {time} ms | " + " | ".join(cells) + " |")
        print()


main()
