#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a .case file and compares what a user sees with what the file says.

A case is a list of blocks:
    $ ebb topo info fbfly hosts=2 dims=4x3
    expected standard output and error, line by line
    exit 2                      (last line of a block; left out means exit 0)
A line `...` stands for any number of lines, `*` inside a line for any text. `/tmp/` in a command is a
folder of the case's own. With EBB_UPDATE=1 the file is rewritten with what the program printed."""
import fnmatch
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(text):
    current = None
    for line in text.splitlines():
        if line.startswith("$ "):
            if current:
                yield current
            current = (line[2:], [])
        elif current:
            current[1].append(line)
    if current:
        yield current


def run(ebb, command, scratch):
    words = shlex.split(command.replace("/tmp/", scratch + "/"))
    assert words[0] == "ebb", command
    result = subprocess.run([ebb] + words[1:], cwd=ROOT, capture_output=True, text=True, timeout=250)
    printed = (result.stdout + result.stderr).replace(scratch + "/", "/tmp/")
    lines = printed.rstrip("\n").splitlines()
    if result.returncode:
        lines.append(f"exit {result.returncode}")
    return lines


def line_matches(pattern, line):
    return fnmatch.fnmatchcase(line, re.sub(r"([\[?])", r"[\1]", pattern))


def matches(expected, actual):
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and line_matches(expected[0], actual[0]) and matches(expected[1:], actual[1:])


def main():
    with tempfile.TemporaryDirectory() as scratch:
        return check(sys.argv[1], pathlib.Path(sys.argv[2]), scratch)


def check(ebb, path, scratch):
    text = path.read_text()
    head = text.split("$ ", 1)[0]
    failed, updated = False, head
    for command, expected in blocks(text):
        while expected and not expected[-1]:
            expected.pop()
        actual = run(ebb, command, scratch)
        updated += f"$ {command}\n" + "".join(line + "\n" for line in actual) + "\n"
        if not matches(expected, actual):
            failed = True
            print(f"{path}: $ {command}\n--- expected\n" + "\n".join(expected) + "\n--- printed\n" + "\n".join(actual))
    if failed and os.environ.get("EBB_UPDATE"):
        path.write_text(updated.rstrip("\n") + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
