#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sweep on any number of threads and MPI ranks has the same content and prints the same summary;
mistakes are told before the first run; a run that fails stops no other; Ctrl-C leaves a valid file and
says how to go on. Arguments: the program, mpirun (or nothing without MPI)."""
import csv
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

EBB = sys.argv[1]
MPIRUN = sys.argv[2] if len(sys.argv) > 2 else ""
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   ASAN_OPTIONS="detect_leaks=0")  # MPI leaves memory behind when it ends
PATIENCE = 120  # seconds

SIM = """schema_version: 1
topology: {family: fbfly, hosts: 2, dims: 4}
routing: minimal-adaptive
traffic: {pattern: uniform, injection: {name: poisson, load: 10%, size: 8KiB}}
policy: {name: epoch, target: 50%, epoch: 10us, channels: independent}
parts: {switch: isca10-chip-ideal}
schedule: {warm_up: 50us, measure: 100us}
"""
SWEEP = """schema_version: 1
base: sim.yaml
set: {series.every: 20us}
vary: {traffic.injection.load: [5%, 10%, 20%]}
seeds: 4
"""


def expect(true, what, done=None):
    if not true:
        sys.exit(f"FAILED: {what}" + (f"\n{done.returncode}\n{done.stdout}\n{done.stderr}" if done else ""))


def run(*command):
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)


def sweep(folder, name, start, *more):
    done = run(*start, EBB, "sweep", str(folder / "sweep.yaml"), "--results", str(folder / name), *more)
    expect(done.returncode == 0 and not done.stderr, f"{name}: quiet in a pipe", done)
    export = run(EBB, "results", "export", "--json", str(folder / name))
    expect(export.returncode == 0, "export", export)
    return done.stdout, export.stdout


def same_content(folder):
    alone = sweep(folder, "alone.db", [], "--jobs", "1")
    expect(len(json.loads(alone[1])["runs"]) == 12, "12 runs")
    expect(sweep(folder, "threads.db", [], "--jobs", "3") == alone, "three threads give the same")
    expect(sweep(folder, "alone.db", [], "--jobs", "2") == alone, "nothing is left to do")
    if not MPIRUN:
        return
    for ranks in (2, 4):
        start = [MPIRUN, "--oversubscribe", "-n", str(ranks)]
        expect(sweep(folder, f"ranks{ranks}.db", start) == alone, f"{ranks} ranks give the same")


def table(folder, name):
    with open(folder / "tables" / name, newline="") as file:
        return list(csv.DictReader(file))


def tables(folder):
    """What the CSV files say is what the JSON says."""
    done = run(EBB, "results", "export", str(folder / "alone.db"), "--csv", str(folder / "tables"))
    expect(done.returncode == 0, "CSV", done)
    runs = json.loads(run(EBB, "results", "export", "--json", str(folder / "alone.db")).stdout)["runs"]
    rows = {row["key"]: row for row in table(folder, "runs.csv")}
    expect(len(rows) == len(runs), "a line per run")
    for one in runs:
        for metric in one["metrics"]:
            column = metric["name"] + ("" if metric["unit"] == "1" else "_" + metric["unit"])
            expect(float(rows[one["key"]][column]) == metric["value"], f"{column} of {one['key']}")
        expect(rows[one["key"]]["traffic.injection.load"] == one["parameters"]["traffic.injection.load"], "parameters")
    for name, count in [("histograms.csv", lambda one: sum(len(buckets) for buckets in one["histograms"].values())),
                        ("residency.csv", lambda one: len(one["residency"])),
                        ("channels.csv", lambda one: len(one["channels"])),
                        ("series.csv", lambda one: len(one["series"]["state"]))]:
        expect(len(table(folder, name)) == sum(map(count, runs)) > 0, name)


def one_run_over_ranks(folder):
    """A single network spread over ranks keeps the same channels and series as one process."""
    kept = []
    for ranks in (1, 3):
        name = str(folder / f"sim{ranks}.db")
        done = run(MPIRUN, "--oversubscribe", "-n", str(ranks), EBB, "sim", str(folder / "sim.yaml"),
                   "--set", "series.every=20us", "--results", name)
        expect(done.returncode == 0, f"ebb sim on {ranks} ranks", done)
        kept.append(run(EBB, "results", "export", "--json", name).stdout)
    expect(json.loads(kept[0])["runs"][0]["series"], "a series was kept")
    expect(kept[0] == kept[1], "a series is the same on three ranks")


def mistakes(folder):
    (folder / "bad.yaml").write_text(SWEEP.replace("[5%, 10%, 20%]", "[5%, 150%]").replace("20us", "20u"))
    done = run(EBB, "sweep", str(folder / "bad.yaml"), "--results", str(folder / "bad.db"))
    expect(done.returncode == 2 and "bad.yaml:3:21: error: " in done.stderr and "bad.yaml:4:37: error: " in done.stderr,
           "every mistake is told, at the sweep file", done)
    expect(not (folder / "bad.db").exists(), "nothing is run before everything is right")


def failing_run(folder):
    """One run needs more memory than there is; the others are done, and it is, when asked for again."""
    (folder / "memory.yaml").write_text(
        "schema_version: 1\nbase: sim.yaml\nvary: {series.every: [50us, 1ns, 25us]}\n")
    command = [EBB, "sweep", str(folder / "memory.yaml"), "--results", str(folder / "memory.db"), "--jobs", "1"]
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (160 << 20, 160 << 20))
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, preexec_fn=limit)
    expect(done.returncode == 1 and "series.every=1ns: std::bad_alloc" in done.stdout, "the failed run is told", done)
    expect(run(EBB, "results", "list", str(folder / "memory.db")).stdout.count(" done") == 2, "the others are done")
    expect(run(*command).returncode == 1, "it is not repeated by itself")
    again = run(*command, "--retry")
    expect(again.returncode == 0 and "failed" not in again.stdout, "it is repeated when asked for", again)


def shared(folder):
    """Two sweeps on one file do each run once, and both say so; the file is that of one sweep."""
    (folder / "shared.yaml").write_text(SWEEP.replace("seeds: 4", "seeds: 60"))
    start = [EBB, "sweep", str(folder / "shared.yaml"), "--jobs", "1", "--results"]
    expect(run(*start, str(folder / "one.db")).returncode == 0, "one sweep alone")
    both = [subprocess.Popen([*start, str(folder / "both.db")], env=ENVIRONMENT, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ended = [process.communicate(timeout=PATIENCE) for process in both]
    for process, (output, errors) in zip(both, ended):
        expect(process.returncode == 0, f"a sweep that shares ends well: {errors}")
        expect("both.db: another sweep writes to it too; the two share the runs" in errors, f"it says so: {errors}")
        expect(output == ended[0][0], "both print the whole summary")
    exports = [run(EBB, "results", "export", "--json", str(folder / name)).stdout for name in ("one.db", "both.db")]
    expect(exports[0] == exports[1], "the same content as from one sweep")
    expect(not list(folder.glob("*-claims")), "no claims are left behind")


def interrupt(folder):
    (folder / "long.yaml").write_text(SWEEP.replace("20us", "1ms").replace("seeds: 4", "seeds: 400"))
    process = subprocess.Popen([EBB, "sweep", str(folder / "long.yaml"), "--results", str(folder / "long.db"), "--jobs", "2"],
                               env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    started = time.monotonic()
    while not (folder / "long.db").exists():
        expect(time.monotonic() - started < PATIENCE and process.poll() is None, "the sweep starts")
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    expect(process.returncode == -signal.SIGINT, f"ends by the signal, got {process.returncode}: {errors}")
    expect("interrupted: " in errors and "the same command does the rest" in errors, f"says how to go on: {errors}")
    listed = run(EBB, "results", "list", str(folder / "long.db"))
    expect(listed.returncode == 0, "the file is valid", listed)
    expect(not (folder / "long.db-wal").exists(), "and closed")
    kept = int(errors.split("interrupted: ")[1].split()[0])
    expect(len(listed.stdout.splitlines()) == kept + 2, "it says how many runs are there", listed)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "sim.yaml").write_text(SIM)
        (folder / "sweep.yaml").write_text(SWEEP)
        same_content(folder)
        tables(folder)
        if MPIRUN:
            one_run_over_ranks(folder)
        mistakes(folder)
        if not os.environ.get("EBB_SANITIZED"):  # sanitizers need address space of their own
            failing_run(folder)
        shared(folder)
        interrupt(folder)
        print("the same content on threads" + (" and ranks" if MPIRUN else "") + "; mistakes first; Ctrl-C leaves a valid file")


if __name__ == "__main__":
    main()
