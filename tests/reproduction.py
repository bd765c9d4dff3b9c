#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/reproduction is what `ebb repro report` gives now.

    reproduction.py EBB computed    the rows that are computed, in seconds
    reproduction.py EBB simulated   all rows but the lengthy ones, in minutes
    reproduction.py EBB every       every row and every file; tens of minutes on small machines

Drawings are compared when this machine's gnuplot is of the version that drew the committed ones."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMITTED = ROOT / "docs" / "reproduction"
SKIPPED = 77


def overview(page):
    """Line of the first table by row id."""
    return {match.group(1): match.group(0) for match in re.finditer(r"^\| \[?([A-Z]\d+)\b.*\|$", page, re.M)}


def sections(page):
    parts = re.split(r'^(?=## <a id=")', page, flags=re.M)[1:]
    return {re.match(r'## <a id="(\w+)"', part).group(1): part.rstrip() for part in parts}


def rows_of(ebb, which):
    """Ids by the status that `ebb repro list` shows."""
    left_out = {"computed": ("simulated", "lengthy", "live"), "simulated": ("lengthy", "live"), "every": ()}[which]
    lines = subprocess.run([ebb, "repro", "list"], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    status = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines}
    return [row for row, rest in status.items() if not rest.startswith(left_out)]


def same_gnuplot(folder, name):
    version = re.compile(r"Produced by (GNUPLOT [^<]*?) *<")
    ours, theirs = ((place / name).read_text() for place in (folder, COMMITTED))
    return version.search(ours).group(1) == version.search(theirs).group(1)


def page_problems(folder, rows):
    committed = (COMMITTED / "README.md").read_text()
    page = (folder / "README.md").read_text()
    for row in rows:
        for part in (overview, sections):
            if part(committed).get(row) != part(page).get(row):
                yield f"README.md: {row} differs:\n{part(committed).get(row)}\n--- now\n{part(page).get(row)}"


def value_problems(folder, rows):
    def lines(place):
        return [line for line in (place / "values.csv").read_text().splitlines() if line.split(",")[0] in rows]
    if lines(COMMITTED) != lines(folder):
        yield "values.csv differs"


def figure_problems(folder, rows):
    def names(place):
        return {file.name for file in place.iterdir() if file.name.split("-")[0] in rows}
    for name in sorted(names(COMMITTED) ^ names(folder)):
        yield f"{name} is only on one side"
    for name in sorted(names(COMMITTED) & names(folder)):
        if name.endswith(".svg") and not same_gnuplot(folder, name):
            continue
        if (COMMITTED / name).read_bytes() != (folder / name).read_bytes():
            yield f"{name} differs"


def main():
    ebb, which = sys.argv[1:]
    if not shutil.which("gnuplot"):
        print("no gnuplot: not compared")
        return SKIPPED
    rows = rows_of(ebb, which)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        done = subprocess.run([ebb, "repro", "report", "-o", scratch, *rows])
        if done.returncode > 1:  # 1: a value differs from the published one, and the page says so
            return done.returncode
        found = [*page_problems(folder, rows), *value_problems(folder, rows), *figure_problems(folder, rows)]
    print("\n".join(found) if found else f"{len(rows)} rows are as committed")
    if found:
        print("after a change that is meant: ebb repro report -o docs/reproduction")
    return 1 if found or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
