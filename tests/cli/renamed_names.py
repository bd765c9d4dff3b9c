#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives every name that changed to the program as it was: renamed_names.py EBB [live]

renamed_names.tsv has a row per name: where it stood, the old name, the new name. The program must refuse it with exit
code 2 and say the new name. Rows of `ebb fabric` are given only to a program with the live half (`live`). Every name of
libs/base/core/src/renamed_names.hpp has a row."""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SIM = "examples/sim-fbfly-epoch.yaml"
GRAPH = """schema_version: 1
{top}switches: 2
hosts: 2
rate_tables:
  - [10Gb/s]
links:
  - {{a: h0, b: s0}}
  - {{a: h1, b: s1}}
  - {{a: s0, b: s1, {link}}}
"""
FABRIC = """schema_version: 1
name: renamed
topology: {{family: fbfly, hosts: 1, dims: 3, rates: [100Mb/s]}}
policy: {policy}
safety: {safety}
"""
PARTS = """schema_version: 1
sources:
  here: {{title: "A test", date: 2026, evidence: assumed}}
parts:
  x: {part}
"""


def sim(place, old):
    """sim hardware | sim policy.on-demand | sim routing(value): what `--set` is given."""
    if place.endswith("(value)"):
        return ["--set", f"{place[:-7]}={old}"]
    kind, _, name = place.partition(".")
    if kind in ("policy", "workload", "pattern", "injection") and name:
        return ["--set", f"{kind}={{name: {name}, {old}: 1}}"]
    return ["--set", f"{place}.{old}=1" if place else f"{old}=1"]


def command(where, old, folder):
    kind, _, place = where.partition(" ")
    file = folder / f"{kind}.yaml"
    if kind == "option":
        return [word.replace("{}", old) for word in place.split()]
    if kind == "sim":
        return ["sim", SIM, *sim(place, old)]
    if kind == "fabric":
        policy = place.partition(".")[2] if place.startswith("policy.") else ""
        file.write_text(FABRIC.format(policy=f"{{name: {policy}, {old}: 1}}" if policy else "stages",
                                      safety=f"{{{old}: 1s}}" if place == "safety" else "{}"))
        return ["fabric", "check", str(file)]
    if kind == "graph":
        file.write_text(GRAPH.format(top="" if place else f"{old}: 1\n", link=f"{old}: 1" if place else "length: 1m"))
        return ["topo", "info", str(file)]
    if kind == "parts":
        is_value = place.endswith("(value)")
        part = f"{{kind: {old}}}" if is_value else f"{{kind: {place}, {old}: 1}}"
        file.write_text(PARTS.format(part=part))
        return ["parts", "list", "--parts", str(file)]
    raise SystemExit(f"renamed_names.tsv: nothing known of '{where}'")


def main():
    rows = [line.split("\t") for line in (HERE / "renamed_names.tsv").read_text().splitlines()
            if line and not line.startswith("#")]
    failed = []
    given = [row for row in rows if "live" in sys.argv[2:] or not re.match(r"(option )?fabric ", row[0])]
    for where, old, new in given:
        with tempfile.TemporaryDirectory() as folder:
            words = command(where, old, pathlib.Path(folder))
            done = subprocess.run([sys.argv[1], *words], cwd=ROOT, capture_output=True, text=True, timeout=60)
        if done.returncode != 2 or f"is now called '{new}'" not in done.stderr:
            failed.append(f"{where}: {old} -> {new}: exit {done.returncode}\n{done.stdout[-300:]}{done.stderr[:700]}")
    listed = re.findall(r'\{"([^"]+)",\s*"([^"]+)"\}', (ROOT / "libs/base/core/src/renamed_names.hpp").read_text())
    failed += [f"{old} -> {new} has no row" for old, new in listed if [old, new] not in [row[1:] for row in rows]]
    print("\n".join(failed))
    print(f"{len(given) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
