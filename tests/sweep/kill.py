#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sweep that is killed at random moments and started again: at the end every run is there exactly
once, and the content is that of a sweep nobody disturbed. Arguments: the program, then optionally a
seed for the moments (printed, so that a failure can be repeated)."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

EBB = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 32)
KILLS = 20

SIM = """schema_version: 1
topology: {family: fbfly, hosts: 4, dims: 4}
routing: minimal-adaptive
traffic: {pattern: uniform, injection: {name: poisson, load: 10%, size: 8KiB}}
policy: {name: epoch, target: 50%, epoch: 10us, channels: independent}
parts: {switch: isca10-chip-ideal}
schedule: {warm_up: 100us, measure: 1ms}
"""
SWEEP = """schema_version: 1
base: sim.yaml
vary:
  traffic.injection.load: [5%, 10%, 20%, 30%]
  policy.target: [25%, 50%, 75%]
seeds: 6
"""
RUNS = 4 * 3 * 6


def expect(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def sweep(folder, name, *more):
    return [EBB, "sweep", str(folder / "sweep.yaml"), "--results", str(folder / name), "--jobs", "2", *more]


def export(folder, name):
    return subprocess.run([EBB, "results", "export", "--json", str(folder / name)],
                          capture_output=True, text=True, check=True, timeout=60).stdout


def stored(folder, name):
    if not (folder / name).exists():
        return 0
    done = subprocess.run([EBB, "results", "export", "--json", str(folder / name)],
                          capture_output=True, text=True, timeout=60)
    # Killed before its tables were made.
    if done.returncode == 2 and "no results yet" in done.stderr:
        return 0
    expect(done.returncode == 0, f"a killed sweep leaves a file that can be read:\n{done.stderr}")
    return len(json.loads(done.stdout)["runs"])


def undisturbed(folder):
    began = time.monotonic()
    subprocess.run(sweep(folder, "whole.db"), check=True, capture_output=True, timeout=60)
    return time.monotonic() - began


def kill_often(folder, chance, seconds):
    """Each time after a random part of what a small share of the runs takes; returns the kills that
    hit a sweep at work."""
    hits, seen = 0, 0
    for _ in range(KILLS):
        process = subprocess.Popen(sweep(folder, "killed.db"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, 2 * seconds / KILLS))
        hits += process.poll() is None
        process.kill()
        process.wait()
        now = stored(folder, "killed.db")
        expect(now >= seen, "nothing that was stored is lost")
        seen = now
    return hits, seen


def main():
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "sim.yaml").write_text(SIM)
        (folder / "sweep.yaml").write_text(SWEEP)
        seconds = undisturbed(folder)
        hits, seen = kill_often(folder, chance, seconds)
        expect(hits >= KILLS // 2, f"kills come while the sweep is at work, {hits} of {KILLS} did")
        subprocess.run(sweep(folder, "killed.db"), check=True, capture_output=True, timeout=60)
        whole, killed = export(folder, "whole.db"), export(folder, "killed.db")
        keys = [run["key"] for run in json.loads(killed)["runs"]]
        expect(len(keys) == RUNS and len(set(keys)) == RUNS, f"{len(keys)} runs, {RUNS} were to be done, each once")
        expect(killed == whole, "the content is that of an undisturbed sweep")
        print(f"{RUNS} runs in {seconds:.1f} s; {hits} of {KILLS} kills hit, {seen} runs were stored by then; "
              f"the rest was done afterwards, and the content is the same")


if __name__ == "__main__":
    main()
