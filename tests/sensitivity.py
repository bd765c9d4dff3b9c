#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/sensitivity/tables.md has what studies/sensitivity prints, shown on row C5, the shortest: sensitivity.py BUILD"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    study = [sys.executable, ROOT / "studies/sensitivity/cluster.py", sys.argv[1], "C5"]
    printed = subprocess.run(study, check=True, capture_output=True, text=True).stdout.strip()
    if printed.count("\n") < 20:
        sys.exit(f"the study printed too little:\n{printed}")
    if printed not in (ROOT / "docs/sensitivity/tables.md").read_text():
        sys.exit(f"docs/sensitivity/tables.md has other lines than these:\n{printed}")


main()
