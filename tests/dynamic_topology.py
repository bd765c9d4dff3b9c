#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""In one run of examples/sim-dynamic-topology.yaml a flattened butterfly becomes a torus and then a mesh, and a flattened
butterfly again when there is more to do: by the states of its channels, period by period. Argument: the program."""
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIDE = 8  # switches in a line
PERIOD = 0.25  # ms
JUMP = 2.0  # ms, when there is more to do


def run(folder):
    results = pathlib.Path(folder, "runs.db")
    subprocess.run([sys.argv[1], "sim", "examples/sim-dynamic-topology.yaml", "--results", str(results)], cwd=ROOT,
                   capture_output=True, check=True)
    return sqlite3.connect(results)


def coordinates(name):
    number = int(name[1:])
    return number % SIDE, number // SIDE


def shape(awake):
    """What links between switches that are awake make: each a pair of switches."""
    lengths = set()
    for one, other in awake:
        (x, y), (u, v) = coordinates(one), coordinates(other)
        lengths.add(abs(x - u) + abs(y - v))
    count = len(awake)
    lines = 2 * SIDE
    if lengths == {1} and count == lines * (SIDE - 1):
        return "mesh"
    if lengths == {1, SIDE - 1} and count == lines * SIDE:
        return "torus"
    if count == lines * SIDE * (SIDE - 1) // 2:
        return "flattened butterfly"
    return f"{count} links"


def shapes(db):
    """At the end of each period."""
    ends = db.execute('SELECT channel, "from", "to" FROM channels').fetchall()
    names = {number: state for number, state in db.execute("SELECT state, name FROM residency WHERE class = 'channel'")}
    frames, channels, data = db.execute("SELECT frames, channels, data FROM series WHERE quantity = 'state'").fetchone()
    for frame in range(frames):
        states = data[frame * channels:(frame + 1) * channels]
        yield shape({(one, other) for channel, one, other in ends
                     if channel % 2 == 0 and one[0] == other[0] == "s" and names[states[channel]] != "asleep"})


def main():
    with tempfile.TemporaryDirectory() as folder:
        seen = list(shapes(run(folder)))
    for frame, one in enumerate(seen):
        print(f"{(frame + 1) * PERIOD:.2f} ms  {one}")
    before = seen[:int(JUMP / PERIOD)]
    order = [one for i, one in enumerate(before) if i == 0 or one != before[i - 1]]
    assert order[-2:] == ["torus", "mesh"], order
    assert seen[-1] == "flattened butterfly", seen[-1]


main()
