# SPDX-License-Identifier: Apache-2.0
"""What the tests of `ebb trace` on files of other tools share. The files are not ebb's to give away: EBB_SAMPLES names a folder
with them, where they are at hand. The first argument of each test is ebb."""
import json
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
_failed = []


def expect(true, what):
    if not true:
        _failed.append(what)


def trace(*words):
    return subprocess.run([sys.argv[1], "trace", *map(str, words)], capture_output=True, text=True)


def info(path, *words):
    done = trace("info", path, "--json", *words)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def samples(folder):
    """The folder of that name, or None."""
    found = pathlib.Path(os.environ.get("EBB_SAMPLES", "/nonexistent")) / folder
    return found if found.is_dir() else None


def skip(why="EBB_SAMPLES names no folder with files of other tools"):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def finish(what):
    """Says that `what` is as it should be, or all that is not."""
    print("\n".join(_failed) if _failed else f"{what} as they should be")
    sys.exit(1 if _failed else 0)
