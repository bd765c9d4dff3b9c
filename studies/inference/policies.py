#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What link-power policies save while a language model serves requests, and what they cost, over the wake time of links: Llama 3 70B
with prefill and decode apart, and Mixtral 8x7B with its experts on two servers, both with flows. Prints the tables of docs/ai.md.
Usage: studies/inference/policies.py BUILD [apart|experts [WAKES [POLICIES [SEEDS]]]], as in "experts 1us,100us on-demand,scheduled 2".
A seed draws the requests and what switches draw by lot; tables have means with 95 % confidence intervals over five, or over SEEDS."""
import pathlib
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "training"))
from sleeping_links import WAKES, cells, policies, run, with_interval  # noqa: E402

EBB = pathlib.Path(sys.argv[1]) / "apps/ebb/ebb"
CHOSEN = sys.argv[2:3] or ["apart", "experts"]
CHOSEN_WAKES = sys.argv[3].split(",") if len(sys.argv) > 3 else ["1us", "100us"]
POLICIES = sys.argv[4].split(",") if len(sys.argv) > 4 else ["on-demand", "wake-ahead", "scheduled"]
SEEDS = int(sys.argv[5]) if len(sys.argv) > 5 else 5

HEAD = "ebb: inference\nschema_version: 1\npeak_tflops: 989\nmfu: 50%\nmemory_bandwidth: 3350GB/s\n"
SERVINGS = {
    "apart": HEAD + "model: llama3-70b\ntp: 8\npp: 2\ndisaggregated: {prefill: 2, decode: 2}\nmax_batch: 32\n"
                    "requests: {count: 200, rate: 20, prompt_tokens: 1024, output_tokens: 100, seed: SEED}\n",
    "experts": HEAD + "model: mixtral-8x7b\ntp: 2\nep: 8\nmax_batch: 64\n"
                      "requests: {count: 16, rate: 400, prompt_tokens: 512, output_tokens: 6, seed: SEED}\n",
}
# 64 or 16 GPUs and the front end.
TOPOLOGY = {"apart": "{family: clos, ports: 16, levels: 2, hosts: 72, down: 8, rates: [100Gb/s, 200Gb/s, 400Gb/s]}",
            "experts": "{family: clos, ports: 8, levels: 2, hosts: 20, down: 4, rates: [100Gb/s, 200Gb/s, 400Gb/s]}"}


def seeds_of(folder, serving, wake, policy):
    """A result for each seed."""
    for seed in range(1, SEEDS + 1):
        (folder / "requests.yaml").write_text(SERVINGS[serving].replace("SEED", str(seed)))
        yield run(EBB, folder, "requests.yaml", TOPOLOGY[serving], "flow", wake, policy, seed=seed)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for serving in CHOSEN:
            print(f"{serving}\n\n| wake | policy | slowdown % | links % | between switches % | cluster % | waking % | took s |")
            print("|---|---|---:|---:|---:|---:|---:|---:|")
            bases = list(seeds_of(folder, serving, "1us", "always-on"))
            for wake in CHOSEN_WAKES:
                for policy, text in policies(WAKES[wake]).items():
                    if policy not in POLICIES:
                        continue
                    began = time.monotonic()
                    pairs = list(zip(seeds_of(folder, serving, wake, text), bases))
                    print(f"| {wake} | {policy} | {cells(pairs, 5)} | {time.monotonic() - began:.0f} |", flush=True)
            jobs = [base["jobs"][0] for base in bases]
            computing = [100 * job["critical_path"]["computing_ps"] / job["time_ps"] for job in jobs]
            print(f"\nThe job takes {with_interval([job['time_ps'] * 1e-12 for job in jobs], 4)} s, of which its critical path computes for "
                  f"{with_interval(computing, 1)} %.\n")


main()
