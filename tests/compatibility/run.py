#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The promise of docs/compatibility.md: this version reads the files of the versions before it, and what it prints for
programs still has every key.

    run.py EBB [--live]              checks the folders of all versions
    run.py EBB [--live] --record     writes the folder of this version

A folder has the name of a version. Its YAML files were written for that version; `runs.db`, `transcript.jsonl` and
`keys.tsv` were made by it. `keys.tsv` has a line for each key of each command in commands.tsv that prints JSON or CSV: the
command, the path of the key with `[]` for the items of a list, and the types of its values."""
import argparse
import csv
import difflib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHORT = "--set topology.dims=2 --set schedule.warm_up=20us --set schedule.measure=30us --set schedule.tail_limit=20us"
TYPES = {dict: "object", list: "list", str: "text", bool: "boolean", int: "number", float: "number", type(None): "null"}


def commands(live):
    for line in (HERE / "commands.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, prints, command = line.split("\t")
            if live or not command.startswith(("fabric", "rules")):
                yield name, prints, command


def run(ebb, command, folder, scratch):
    words = shlex.split(command.replace("VERSION", str(folder)).replace("SCRATCH", scratch))
    done = subprocess.run([ebb, *words], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def json_keys(value, path, found):
    found.setdefault(path, set()).add(TYPES[type(value)])
    if isinstance(value, dict):
        for key, item in value.items():
            json_keys(item, f"{path}.{key}" if path else key, found)
    elif isinstance(value, list):
        for item in value:
            json_keys(item, f"{path}[]", found)
    return found


def keys(prints, text):
    """The types of the values of each key."""
    if prints == "csv":
        return {column: {"text"} for column in next(csv.reader(text.splitlines()))}
    return json_keys(json.loads(text), "", {})


def recorded(folder):
    found = {}
    for line in (folder / "keys.tsv").read_text().splitlines():
        name, path, types = line.split("\t")
        found.setdefault(name, {})[path] = set(types.split())
    return found


def lost_keys(before, now):
    """Keys that are gone or have values of another type; a value may become null, because nothing was measured."""
    for path, types in before.items():
        if path not in now:
            nearest = difflib.get_close_matches(path, now, 1)
            yield f"key '{path}' is gone" + (f"; '{nearest[0]}' is nearest" if nearest else "")
        elif not now[path] <= types | {"null"}:
            yield f"key '{path}' was {' or '.join(sorted(types))}, is {' or '.join(sorted(now[path]))}"


def problems(ebb, folder, live, scratch):
    shutil.copy(folder / "runs.db", scratch)  # one command adds a run
    before = recorded(folder)
    for name, prints, command in commands(live):
        code, text, errors = run(ebb, command, folder, scratch)
        if code and (code, prints) != (1, "answer"):
            yield f"{folder.name}: `ebb {command}` exits {code}: {errors.strip()}"
        elif prints in ("json", "csv") and name in before:
            for problem in lost_keys(before[name], keys(prints, text)):
                yield f"{folder.name}: `ebb {command}`: {problem}"


def record(ebb, folder, live, scratch):
    """Makes what the commands read first, then notes what they print."""
    (folder / "runs.db").unlink(missing_ok=True)
    for made in (f"sweep {folder}/sweep.yaml --jobs 1 --results {folder}/runs.db",
                 f"sim {folder}/simulation.yaml {SHORT} --transcript {folder}/transcript.jsonl"):
        code, _, errors = run(ebb, made, folder, scratch)
        assert code == 0, (made, errors)
    shutil.copy(folder / "runs.db", scratch)
    lines = []
    for name, prints, command in commands(live):
        code, text, errors = run(ebb, command, folder, scratch)
        assert code == 0, (command, errors)
        if prints in ("json", "csv"):
            lines += [f"{name}\t{path}\t{' '.join(sorted(types))}\n" for path, types in keys(prints, text).items() if path]
    (folder / "keys.tsv").write_text("".join(lines))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("ebb")
    arguments.add_argument("--live", action="store_true", help="this ebb has the live half")
    arguments.add_argument("--record", action="store_true", help="write the folder of this version")
    given = arguments.parse_args()
    folders = sorted(path.parent for path in HERE.glob("*/simulation.yaml"))
    with tempfile.TemporaryDirectory() as scratch:
        if given.record:
            version = re.search(r"project\(ebb VERSION ([\d.]+)", (HERE.parents[1] / "CMakeLists.txt").read_text())[1]
            if not (HERE / version).exists():
                shutil.copytree(folders[-1], HERE / version)
            record(given.ebb, HERE / version, given.live, scratch)
            return 0
        found = [problem for folder in folders for problem in problems(given.ebb, folder, given.live, scratch)]
    print("\n".join(found) if found else f"files of {', '.join(folder.name for folder in folders)} are read, no key is lost")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
