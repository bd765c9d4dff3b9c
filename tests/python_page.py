#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs docs/python.md: its commands, then its Python, and looks at the numbers: python_page.py EBB

Exit code 77 (skipped) without pandas."""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "python.md"


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text(), re.M | re.S)


def main():
    try:
        import pandas
    except ImportError:
        print("skipped: needs python3-pandas")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for line in "".join(blocks("sh")).splitlines():
            words = shlex.split(line.replace("/tmp/", folder + "/"))
            subprocess.run([sys.argv[1], *words[1:]], cwd=ROOT, check=True, capture_output=True, timeout=250)
        code = [block.replace("/tmp/", folder + "/") for block in blocks("python")]
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
