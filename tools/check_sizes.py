#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a C++ file is a chapter: at least 30 lines but for a reason, at most 500, on average at least 120.

tools/small_files.tsv names the files that may be smaller (a path pattern and the reason)."""
import fnmatch
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST, MOST, LEAST_AVERAGE = 30, 500, 120


def reasons():
    for line in (ROOT / "tools/small_files.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, reason = line.split("\t")
            yield pattern, reason


def main():
    tracked = subprocess.check_output(["git", "ls-files", "*.cpp", "*.hpp"], cwd=ROOT, text=True).split()
    lines = {name: len((ROOT / name).read_text().splitlines()) for name in tracked if (ROOT / name).is_file()}
    patterns = [pattern for pattern, _ in reasons()]
    errors = [f"{name}: {count} lines, at least {LEAST}: join it with what it is read with"
              for name, count in lines.items()
              if count < LEAST and not any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]
    errors += [f"{name}: {count} lines, at most {MOST}" for name, count in lines.items() if count > MOST]
    errors += [f"tools/small_files.tsv: no small file matches {pattern}" for pattern in patterns
               if not any(count < LEAST and fnmatch.fnmatch(name, pattern) for name, count in lines.items())]
    average = sum(lines.values()) / len(lines)
    if average < LEAST_AVERAGE:
        errors.append(f"{average:.1f} lines on average, at least {LEAST_AVERAGE}")
    print("\n".join(errors) if errors else f"sizes: {len(lines)} files, {average:.0f} lines on average")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
