#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What link-power policies save on a training step, and what they cost it, over the wake time of links: a step of Llama 3 405B on
1,024 GPUs with flows, or one of a small model on 64 GPUs with packets. A seed draws how much slower than the others each GPU
computes, and what switches draw by lot. Prints the tables of docs/ai.md: means with 95 % confidence intervals over the seeds.
A policy with a number, as in "on-demand:100", sleeps when a channel has been idle for so many times its wake time."""
import argparse
import pathlib
import tempfile
import time

from sleeping_links import WAKES, cells, patient, policies, run, with_interval

options = argparse.ArgumentParser(description=__doc__)
options.add_argument("build", type=pathlib.Path, help="as in build/release")
options.add_argument("fidelity", choices=["flow", "packet"])
options.add_argument("--wakes", default="1us,100us,10ms,1s")
options.add_argument("--policies", default="epoch,on-demand,wake-ahead,periodic,scheduled,perf-bound")
options.add_argument("--seeds", type=int, default=5, help="how many")
options.add_argument("--hardware", default="", help='as in "output_selection: random"')
options.add_argument("--spread", default="1%", help="by which GPUs compute slower at most")
ARGUMENTS = options.parse_args()
EBB = ARGUMENTS.build / "apps/ebb/ebb"
ITERATIONS = {"flow": 1, "packet": 3}

# Both are small steps of large models: fewer micro-batches, and with packets fewer layers, than a real run has. With flows one
# of eight equal rails is simulated, to which a GPU of each tensor group belongs.
STEPS = {
    "flow": ("ebb: training\nschema_version: 1\nmodel: llama3-405b\ntp: 8\ncp: 2\npp: 8\ndp: 8\nrails: one\nvirtual_stages: 1\nglobal_batch: 64\n"
             "peak_tflops: 1979\nmfu: 37%\n"),
    "packet": ("ebb: training\nschema_version: 1\nmodel: small.yaml\ntp: 8\npp: 4\ndp: 2\nglobal_batch: 8\niterations: 3\n"
               "peak_tflops: 989\nmfu: 50%\n"),
}
# A model of a thousandth of the size: packets of the real one would take hours.
SMALL = ("ebb: model\nschema_version: 1\nname: small\nform: llama\nlayers: 16\nhidden: 1024\nheads: 8\nkv_heads: 8\nhead_size: 128\nffn: 4096\n"
         "vocabulary: 32000\nsequence: 2048\n")
TOPOLOGY = {"flow": "{family: clos, ports: 16, levels: 2, hosts: 128, rates: [100Gb/s, 200Gb/s, 400Gb/s]}",
            "packet": "{family: clos, ports: 16, levels: 2, hosts: 64, rates: [100Gb/s, 200Gb/s, 400Gb/s]}"}


def chosen(wake):
    """Policies of a table by name, always-on first; those with a number sleep after many times their wake time."""
    known = policies(WAKES[wake])
    for name in ["always-on", *ARGUMENTS.policies.split(",")]:
        if ":" in name:
            policy, times = name.split(":")
            yield f"{policy}, idle {times} wake times", patient(policy, WAKES[wake], int(times))
        else:
            yield name, known[name]


def write_step(folder, seed):
    spread = f"spread: {ARGUMENTS.spread}\nseed: {seed}\n"
    (folder / "step.yaml").write_text(STEPS[ARGUMENTS.fidelity] + spread)
    (folder / "small.yaml").write_text(SMALL)


def main():
    bases = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print("| wake | policy | slowdown % | links % | between switches % | cluster % | waking % | queueing % | took s |")
        print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
        for wake in ARGUMENTS.wakes.split(","):
            for policy, text in chosen(wake):
                began = time.monotonic()
                pairs = []
                for seed in range(1, ARGUMENTS.seeds + 1):
                    if policy == "always-on" and seed in bases:
                        continue
                    write_step(folder, seed)
                    result = run(EBB, folder, "step.yaml", TOPOLOGY[ARGUMENTS.fidelity], ARGUMENTS.fidelity, wake, text,
                                 ARGUMENTS.hardware, seed)
                    base = bases.setdefault(seed, result)
                    pairs.append((result, base))
                if pairs:
                    print(f"| {wake} | {policy} | {cells(pairs)} | {time.monotonic() - began:.0f} |", flush=True)
    steps = [base["jobs"][0]["time_ps"] * 1e-12 / ITERATIONS[ARGUMENTS.fidelity] for base in bases.values()]
    print(f"A step with links that are always on takes {with_interval(steps, 4)} s.")


main()
