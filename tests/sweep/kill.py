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
KILLS = 10

SIM = """schema_version: 1
topology: {family: fbfly, hosts: 4, dims: 4}
routing: minimal-adaptive
policy: {name: epoch, target: 50%, epoch: 10us, channels: independent}
parts: {switch: isca10-chip-ideal}
"""
# Traffic, and the key of it that is varied: of hosts that send by themselves, and of a program.
TRAFFIC = {
    "messages": ("traffic: {pattern: uniform, injection: {name: poisson, load: 10%, size: 8KiB}}\n"
                 "schedule: {warm_up: 100us, measure: 1ms}\n", "traffic.injection.load: [5%, 10%, 20%, 30%]"),
    "a program": ("traffic: {program: program.goal, hosts: random}\n", "traffic.send_overhead: [0s, 10ns, 100ns, 1us]"),
}
SWEEP = """schema_version: 1
base: sim.yaml
vary:
  {key}
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


def check_whole(folder, name, whole):
    killed = export(folder, name)
    keys = [run["key"] for run in json.loads(killed)["runs"]]
    expect(len(keys) == RUNS and len(set(keys)) == RUNS, f"{len(keys)} runs, {RUNS} were to be done, each once")
    expect(killed == whole, "the content is that of an undisturbed sweep")


def kill_often(folder, chance, seconds, whole):
    """Kills at random moments until as many as wanted have hit a sweep at work. One that came to its
    end before is checked, and another begun with shorter patience. Returns the unfinished sweep."""
    hits, sweeps, seen = 0, 1, 0
    patience = 2 * seconds / KILLS
    while hits < KILLS:
        name = f"killed{sweeps}.db"
        process = subprocess.Popen(sweep(folder, name), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, patience))
        at_work = process.poll() is None
        process.kill()
        process.wait()
        now = stored(folder, name)
        expect(now >= seen, "nothing that was stored is lost")
        hits, seen = hits + at_work, now
        if not at_work:
            check_whole(folder, name, whole)
            sweeps, seen, patience = sweeps + 1, 0, patience / 2
    return name, seen


def kill_sweeps_of(what, chance):
    traffic, key = TRAFFIC[what]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "sim.yaml").write_text(SIM + traffic)
        (folder / "sweep.yaml").write_text(SWEEP.format(key=key))
        subprocess.run([EBB, "trace", "make", "all-reduce", "--set", "ranks=16", "--set", "size=64KiB", "--set", "compute=20us", "--set", "iterations=4",
                        "-o", str(folder / "program.goal")], check=True)
        seconds = undisturbed(folder)
        whole = export(folder, "whole.db")
        name, seen = kill_often(folder, chance, seconds, whole)
        subprocess.run(sweep(folder, name), check=True, capture_output=True, timeout=60)
        check_whole(folder, name, whole)
        print(f"{what}: {RUNS} runs in {seconds:.1f} s; after {KILLS} kills {seen} were stored; the rest was done "
              f"afterwards, and the content is the same")


def main():
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    for what in TRAFFIC:
        kill_sweeps_of(what, chance)


if __name__ == "__main__":
    main()
