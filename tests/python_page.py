#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs docs/python.md: its commands, then its Python, and looks at the numbers: python_page.py EBB [package]

`package`: the package ebb is on PYTHONPATH, and its part of the page is run, too. Exit code 77 (skipped) without pandas
or, for that part, networkx."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "python.md"


PACKAGE, FILES = PAGE.read_text().split("\n## Results files without the package\n")


def blocks(kind, text):
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.M | re.S)


def run_package(folder):
    """The part of the page about the package."""
    names = {}
    os.chdir(ROOT)  # where the examples are
    for block in blocks("python", PACKAGE):
        exec(block.replace("/tmp/", folder + "/"), names)  # the page's own code
    assert set(names["problems"]) == {"routing", "seed"}, names["problems"]
    assert len(names["power"]) == 10 and (names["power"] > 0).all(), names["power"]
    assert len(names["busiest"]) == 5 and len(names["asleep"]) > 0 and names["latency"]["count"].sum() > 0
    assert names["fbfly"].hosts == 512 and names["graph"].number_of_edges() == names["fbfly"].links
    assert names["petersen"].hosts == 40 and 0 < names["irregular"].metrics["power.relative"] < 1
    assert '"messages": 640' in names["ring_result"].json, names["ring_result"].json
    assert len(names["designs"]) == 5 and names["defaults"]["target"] == "50%"
    assert names["by_load"]["5%"] < names["by_load"]["20%"] < 1, names["by_load"]
    assert 0.2 < names["result"].metrics["power.relative"] < 1, names["result"].metrics


def main():
    try:
        import pandas
    except ImportError:
        print("skipped: needs python3-pandas")
        return 77
    if "package" in sys.argv[2:]:
        try:
            import networkx  # noqa: F401
        except ImportError:
            print("skipped: needs python3-networkx")
            return 77
        with tempfile.TemporaryDirectory() as folder:
            run_package(folder)
    with tempfile.TemporaryDirectory() as folder:
        for line in "".join(blocks("sh", FILES)).splitlines():
            words = shlex.split(line.replace("/tmp/", folder + "/"))
            subprocess.run([sys.argv[1], *words[1:]], cwd=ROOT, check=True, capture_output=True, timeout=250)
        code = [block.replace("/tmp/", folder + "/") for block in blocks("python", FILES)]
        assert len(code[0].splitlines()) == 5, "results in five lines"
        names = {}
        for block in code:
            exec(block, names)  # the page's own code
    runs, latency = names["runs"], names["latency"]
    # Two policies, four loads, three seeds.
    assert len(runs) == 24, len(runs)
    assert pandas.api.types.is_float_dtype(runs["load"]), runs["load"].dtype
    assert sorted(set(runs["load"])) == [0.05, 0.1, 0.2, 0.4], set(runs["load"])
    assert (abs(runs["traffic.offered_load"] - runs["load"]) < 0.1 * runs["load"]).all(), "offered is what was asked for"
    assert set(runs["policy name"]) == {"always-on", "epoch"}, set(runs["policy name"])
    assert (runs[runs["policy name"] == "always-on"]["power.relative"] == 1).all(), "always-on draws all power"
    assert latency["share"].iloc[-1] == 1 and latency["share"].is_monotonic_increasing
    return 0


if __name__ == "__main__":
    sys.exit(main())
