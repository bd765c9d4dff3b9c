# SPDX-License-Identifier: Apache-2.0
"""What both tables of sensitivity share: runs of `ebb sim` over seeds, and cells with the spread over them."""
import functools
import json
import pathlib
import subprocess
import sys

SEEDS = (1, 2)
EBB = pathlib.Path(sys.argv[1]) / "apps/ebb/ebb"


@functools.lru_cache(maxsize=None)
def simulate(file, settings, seed, parts=None):
    """The JSON result of a simulation file with `--set`s. Each run is done once, whichever tables look at it."""
    command = [EBB, "sim", file, "--json", "--set", f"seed={seed}"]
    command += [word for one in settings for word in ("--set", one)]
    command += ["--parts", parts] if parts else []
    done = subprocess.run(command, capture_output=True, text=True)
    # Exit code 1 is a run that saturates or does not settle; its result is there.
    if done.returncode not in (0, 1):
        sys.exit(f"{settings}: {done.stderr}")
    return json.loads(done.stdout)


def latency_us(run):
    return run["message_latency"]["mean_ps"] * 1e-6


def share(run, *states):
    """Per cent of the time of all channels in these states."""
    return 100 * sum(one["share"] for one in run["channel_time"] if one["state"] in states)


def cell(values, digits=1, saturated=False):
    """The mean over the seeds, and after +- half of the distance from the least to the most."""
    mean = sum(values) / len(values)
    text = f"{mean:.{digits}f} ±{(max(values) - min(values)) / 2:.{digits}f}"
    return text + " s" if saturated else text


def print_head(title, columns, published):
    """Columns in words, and what the paper has of each in the first line."""
    print(f"\n### {title}\n\n| assumption | value | " + " | ".join(columns) + " |")
    print("|---|---|" + "---:|" * len(columns))
    print("| published | | " + " | ".join(published) + " |", flush=True)


def print_line(assumption, value, cells):
    print(f"| {assumption} | {value} | " + " | ".join(cells) + " |", flush=True)
