#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steps of published trainings, simulated with flows: prints published and simulated times as docs/programs/training.md has them.
The MFU of the computation is fitted to the smallest run of each table; the others follow.
Usage: studies/training/steps.py BUILD llama|megascale [GPUS...]"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

EBB = pathlib.Path(sys.argv[1]) / "apps/ebb/ebb"
TOLERANCE = 0.15
# "The Llama 3 Herd of Models", table 4: TFLOP/s of a GPU give the time of a step, 6 x 405.85e9 x 2,048 x 8,192 / (GPUs x TFLOP/s).
# "MegaScale: Scaling Large Language Model Training to More Than 10,000 GPUs", table 2.
TABLES = {
    "llama": {"model": "llama3-405b", "pp": 16, "virtual_stages": 8, "global_batch": 2048, "peak_tflops": 989, "scale_up": "450GB/s",
              "link": "400g", "published": {8192: 11.6, 16384: 6.2}},
    "megascale": {"model": "gpt3-175b", "pp": 8, "virtual_stages": 6, "global_batch": 6144, "peak_tflops": 312, "scale_up": "300GB/s",
                  "link": "200g", "published": {3072: 23.66, 6144: 12.21, 8192: 9.56, 12288: 6.34}},
}
TRAINING = """ebb: training
schema_version: 1
model: {model}
tp: 8
pp: {pp}
dp: {dp}
rails: one
virtual_stages: {virtual_stages}
global_batch: {global_batch}
peak_tflops: {peak_tflops}
mfu: {mfu:.4f}
scale_up: {scale_up}
"""
SIMULATION = """schema_version: 1
fidelity: flow
topology: {{family: clos, ports: 64, levels: 2, hosts: {hosts}}}
routing: up-down
traffic: {{program: step.yaml, reference: none}}
policy: always-on
parts: {{switch: ufispace-s9321-64e, rate_table: ethernet-{link}-link}}
"""
FREE = ["--latency", "0s", "--overhead", "0s", "--gap", "0s", "--gap-per-byte", "0s"]


def write(folder, table, gpus, mfu):
    (folder / "step.yaml").write_text(TRAINING.format(dp=gpus // (8 * table["pp"]), mfu=mfu, **table))
    (folder / "sim.yaml").write_text(SIMULATION.format(hosts=gpus // 8, **table))


def output(*command):
    return json.loads(subprocess.run([EBB, *command, "--json"], check=True, capture_output=True, text=True).stdout)


def free_step(folder, table, gpus, mfu):
    """Seconds on a network that costs nothing."""
    write(folder, table, gpus, mfu)
    return output("trace", "loggops", folder / "step.yaml", *FREE)["last_ps"] / 1e12


def simulated_step(folder, table, gpus, mfu):
    write(folder, table, gpus, mfu)
    return max(job["time_ps"] for job in output("sim", folder / "sim.yaml")["jobs"]) / 1e12


def fitted_mfu(folder, table, gpus, published):
    """Without a network a step takes a / mfu + c; what the network adds depends little on the MFU."""
    low, high = 0.4, 0.6
    at_low, at_high = free_step(folder, table, gpus, low), free_step(folder, table, gpus, high)
    a = (at_low - at_high) / (1 / low - 1 / high)
    c = at_high - a / high
    guess = a / (published - c)
    network = simulated_step(folder, table, gpus, guess) - (a / guess + c)
    return a / (published - c - network)


def main():
    table = TABLES[sys.argv[2]]
    runs = [int(gpus) for gpus in sys.argv[3:]] or list(table["published"])
    smallest = min(table["published"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        mfu = fitted_mfu(folder, table, smallest, table["published"][smallest])
        print(f"MFU of the computation, fitted to {smallest:,} GPUs: {100 * mfu:.1f} %")
        print("| GPUs | published s | simulated s | | without a network s | tolerance | simulation took s |\n|---|---|---|---|---|---|---|")
        failed = False
        for gpus in runs:
            published = table["published"][gpus]
            free = free_step(folder, table, gpus, mfu)
            began = time.monotonic()
            step = simulated_step(folder, table, gpus, mfu)
            took = time.monotonic() - began
            fitted = gpus == smallest
            failed |= abs(step / published - 1) > TOLERANCE
            print(f"| {gpus:,} | {published} | {step:.2f} | {100 * (step / published - 1):+.1f} % | {free:.2f} | "
                  f"{'fitted' if fitted else f'{100 * TOLERANCE:.0f} %'} | {took:.0f} |", flush=True)
    print(f"memory at most {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20:.1f} GiB")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
