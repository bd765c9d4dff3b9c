#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ebb sim` under mpirun: the same bytes on any number of ranks and threads, and what happens when
ranks disagree or one is lost. Arguments: the program, mpirun."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

EBB, MPIRUN = sys.argv[1:3]
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   ASAN_OPTIONS="detect_leaks=0")  # MPI leaves memory behind when it ends
PATIENCE = 120  # seconds

NETWORKS = {
    "fbfly": ("{family: fbfly, hosts: 3, dims: 4x4}", "minimal-adaptive"),
    "clos": ("{family: clos, levels: 3, ports: 6, hosts: 54}", "up-down"),
    "dragonfly": ("{family: dragonfly, p: 2, a: 4, h: 2}", "ugal"),
    "irregular": ("{family: irregular, switches: 12, hosts: 2, degree: 4}", "shortest-path"),
}
POLICIES = {
    "rate": ("{name: epoch, epoch: 5us, channels: independent}", "isca10-chip-ideal"),
    "sleep": ("{name: on-demand, idle: 500ns, period: 10us}", "isca10-chip-ideal, rate_table: ideal-sleep-link"),
}


def simulation_text(network, policy, measure="30us"):
    topology, routing = NETWORKS[network]
    rule, chip = POLICIES[policy]
    return f"""schema_version: 1
topology: {topology}
routing: {routing}
traffic:
  pattern: uniform
  injection: {{name: poisson, load: 20%, size: 8KiB}}
policy: {rule}
parts: {{switch: {chip}}}
schedule: {{warm_up: 20us, measure: {measure}, tail_limit: 100us}}
"""


def mpirun(ranks, command):
    return [MPIRUN, "--oversubscribe", "-n", str(ranks), *command]


def run(command):
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)


def expect(true, what, done=None):
    if not true:
        sys.exit(f"FAILED: {what}" + (f"\n{done.returncode}\n{done.stdout}\n{done.stderr}" if done else ""))


def outputs(folder, file, start, threads):
    transcript = folder / "transcript"
    done = run([*start, EBB, "sim", str(file), "--json", "--threads", str(threads), "--transcript", str(transcript)])
    expect(done.returncode == 0, f"{file.name} on {start} x {threads}", done)
    return done.stdout, transcript.read_bytes()


def same_bytes(folder):
    for network in NETWORKS:
        for policy in POLICIES:
            file = folder / f"{network}-{policy}.yaml"
            file.write_text(simulation_text(network, policy))
            alone = outputs(folder, file, [], 1)
            expect(len(alone[1]) > 1000, "a transcript with something in it")
            for ranks, threads in [(1, 1), (2, 1), (3, 1), (4, 1), (2, 2)]:
                together = outputs(folder, file, mpirun(ranks, []), threads)
                expect(together == alone, f"{file.name}: {ranks} ranks x {threads} threads differ from one process")
            print(f"{file.name}: the same on 1, 2, 3, 4 ranks and 2 ranks x 2 threads")


def by_rank(first, others):
    """A command that is another one on rank 0."""
    return ["sh", "-c", f'if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then exec {first}; else exec {others}; fi']


def disagreement(folder):
    one, other = folder / "one.yaml", folder / "other.yaml"
    one.write_text(simulation_text("fbfly", "rate"))
    other.write_text(simulation_text("fbfly", "rate", measure="31us"))
    done = run(mpirun(3, by_rank(f"{EBB} sim {one}", f"{EBB} sim {other}")))
    expect(done.returncode == 2, "different files end with 2", done)
    message = "error: the simulation differs between ranks: not as on rank 0 on 1, 2"
    expect(done.stderr.count(message) == 1 and not done.stdout, "a difference is told once", done)

    done = run(mpirun(2, by_rank(f"{EBB} sim {one}", f"{EBB} sim {folder}/nowhere.yaml")))
    expect(done.returncode == 2 and "rank 1 of 2: " in done.stderr and "nowhere.yaml" in done.stderr,
           "a file missing on one rank is told", done)

    one.write_text(simulation_text("fbfly", "rate").replace("epoch, epoch", "epohc, epoch"))
    done = run(mpirun(2, [EBB, "sim", str(one)]))
    expect(done.returncode == 2 and done.stderr.count("epohc") == 1, "a common mistake is told once", done)

    one.write_text(simulation_text("irregular", "rate").replace("switches: 12", "switches: 3").replace("degree: 4", "degree: 2"))
    done = run(mpirun(4, [EBB, "sim", str(one)]))
    expect(done.returncode == 2 and "4 ranks for a network of 3 switches" in done.stderr, "too many ranks", done)
    print("ranks that disagree end in order, with one message")


def lost_rank(folder):
    file = folder / "long.yaml"
    file.write_text(simulation_text("fbfly", "rate", measure="10s"))
    pids = folder / "pids"
    command = ["sh", "-c", f"echo $$ >> {pids}; exec {EBB} sim {file}"]
    process = subprocess.Popen(mpirun(2, command), env=ENVIRONMENT, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    try:
        started = time.monotonic()
        while not pids.exists() or len(pids.read_text().split()) < 2:
            expect(time.monotonic() - started < PATIENCE, "both ranks start")
            time.sleep(0.05)
        time.sleep(2)  # into the run
        os.kill(int(pids.read_text().split()[0]), signal.SIGKILL)
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    expect(process.returncode != 0 and "signal 9" in errors, f"a lost rank ends the run: {errors}")
    print("a lost rank ends the run, and mpirun says so")


with tempfile.TemporaryDirectory() as name:
    same_bytes(pathlib.Path(name))
    disagreement(pathlib.Path(name))
    lost_rank(pathlib.Path(name))
