#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every program of examples/python runs and prints what it is to show: examples.py EBB, with the package on PYTHONPATH.

Exit code 77 (skipped) without networkx, numpy and pandas."""
import json
import re
import subprocess
import sys

import start
from start import ROOT, command_line


def run(name):
    done = subprocess.run([sys.executable, ROOT / "examples/python" / name], cwd=ROOT, capture_output=True, text=True,
                          timeout=250)
    assert done.returncode == 0, done.stderr
    return done.stdout


def epoch_policy():
    rows = re.findall(r"([\d.]+) % in Python, ([\d.]+) % in C\+\+", run("epoch_policy.py"))
    assert len(rows) == 2 and all(ours == theirs for ours, theirs in rows), rows


def live_policy():
    """Simulated; the test fabric.python_policy has it on real switches. Both need the live half."""
    import ebb
    if not hasattr(ebb._ebb, "ControllerRun"):
        return
    power, asleep = re.search(r"([\d.]+) %, asleep ([\d.]+) %", run("live_policy.py")).groups()
    assert 0 < float(asleep) < 100 and 50 < float(power) < 100, (power, asleep)


def load_sweep():
    rows = re.findall(r"^(\d+) +[\d.]+ +[\d.]+ +([\d.]+) +([\d.]+)$", run("load_sweep.py"), re.M)
    assert [int(load) for load, *_ in rows] == [5, 10, 20, 40], rows
    assert all(float(always_on) == 1 > float(epoch) for _, always_on, epoch in rows), rows


def topology_metrics():
    rows = re.findall(r"^(\w+) +(\d+) +(\d+) +(\d+) +(\d+) +[\d.]+$", run("topology_metrics.py"), re.M)
    assert [row[0] for row in rows] == ["fbfly", "torus", "dragonfly"], rows
    words = {"fbfly": ["hosts=4", "dims=4x4"], "torus": ["hosts=1", "dims=4x4x4"], "dragonfly": ["p=2", "a=4", "h=2"]}
    for family, hosts, switches, links, diameter in rows:
        info = json.loads(command_line("topo", "info", family, *words[family], "--json"))
        assert [int(hosts), int(switches), int(links), int(diameter)] == [
            info["hosts"], info["switches"], info["links"], info["diameter_links"]], family


def main():
    tests = {"epoch_policy.py": epoch_policy, "live_policy.py": live_policy, "load_sweep.py": load_sweep, "topology_metrics.py": topology_metrics}
    assert set(tests) == {path.name for path in (ROOT / "examples/python").glob("*.py")}
    for test in tests.values():
        test()
    return 0


if __name__ == "__main__":
    start.packages("networkx", "numpy", "pandas")
    sys.exit(main())
