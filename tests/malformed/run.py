#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives every malformed file to ebb: exit code 2, and each error that the file's first lines promise
as `# expect: LINE:COLUMN: error: MESSAGE` must be printed with the file's name before it."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
COMMANDS = {"fabrics": ["fabric", "up", "--dry-run"], "graphs": ["topo", "check"],
            "imports": ["parts", "import", "--date", "2025", "--ports", "birch=8"], "parts": ["parts", "check"], "plans": ["plan"], "sims": ["sim"],
            "sweeps": ["sweep", "--dry-run"]}


def problems(ebb, command, path):
    expected = [line[len("# expect: "):] for line in path.read_text(errors="replace").splitlines()
                if line.startswith("# expect: ")]
    result = subprocess.run([ebb] + command + [path.name], cwd=path.parent, capture_output=True, text=True, timeout=60)
    if not expected:
        yield "no '# expect:' line"
    if result.returncode != 2:
        yield f"exit code {result.returncode}, not 2"
    printed = result.stderr.splitlines()
    for line in expected:
        separator = ":" if line[:1].isdigit() else ": "
        if f"{path.name}{separator}{line}" not in printed:
            yield f"expected '{path.name}{separator}{line}', printed:\n" + result.stderr


def main():
    ebb, kind = sys.argv[1], sys.argv[2]
    files = sorted((HERE / kind).glob("*.yaml"))
    failed = 0
    for path in files:
        for problem in problems(ebb, COMMANDS[kind], path):
            failed += 1
            print(f"{kind}/{path.name}: {problem}")
    print(f"{len(files)} malformed {kind}, {failed} problems")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
