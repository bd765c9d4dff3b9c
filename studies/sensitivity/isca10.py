#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows A7, A8, A11 and A12 by assumption: what the ISCA 2010 paper does not say, varied one at a time around ebb's default.

Prints the tables of docs/sensitivity. The network is an 8-ary 3-flat of 512 hosts; the paper's and the rows' has 3,375, which the
line of the defaults is to be compared with. Two seeds; +- is half of the distance between them. "s": saturated with a seed or more.
"=": nothing differs from the defaults. To save time not every assumption is tried on every row.
Usage: studies/sensitivity/isca10.py BUILD [A7|A11|A12]. About 12 minutes of one core in all."""
import pathlib
import sys
import tempfile

import closed_loop
from assumed import SEEDS, cell, latency_us, print_head, print_line, share, simulate

ROWS = sys.argv[2:] or ["A7", "A11", "A12"]
HERE = pathlib.Path(__file__).resolve().parent
HOSTS = 512
WORKLOADS = ("uniform", "search")  # of A11 and A12; Advert does as Search does
TRAFFIC = {"uniform": "{pattern: uniform, injection: {name: poisson, load: 23%, size: 512KiB}}",
           "search": "{workload: search}", "advert": "{workload: advert}"}
LOADS = {"uniform": "23%", "search": "6%", "advert": "5%"}
FILE = """schema_version: 1
topology: {family: fbfly, hosts: 8, dims: 8x8}
routing: minimal-adaptive
traffic: {pattern: uniform, injection: {name: poisson, load: 23%, size: 512KiB}}
policy: always-on
parts: {switch: isca10-chip-ideal}
hardware: {open_messages: 1}
"""
CLOSED_LOOP = "closed loop"
MEASURED, BY_RATE = "infiniband-1us-link", "infiniband-by-rate-link"  # rate tables of the measured switch
MIDDLE = ("5Gb/s", "10Gb/s", "20Gb/s")
FAST = ("10Gb/s", "20Gb/s", "40Gb/s")


class Assumption:
    """A value of something the paper does not say: settings, traffic in place of the default, parameters of the policy, and the
    rate table of the measured switch. And the rows that it is tried on."""

    def __init__(self, name, value, settings=(), traffic=None, policy="", profile=None, rows="A7 A11 A12"):
        self.name, self.value, self.settings, self.policy, self.profile = name, value, tuple(settings), policy, profile or MEASURED
        self.traffic = TRAFFIC | (traffic or {})
        self.rows = rows.split()


def bursts(peak):
    """Hosts that send 512 KiB to random hosts, in bursts of up to 32 with heavy tails, with the loads of the traces."""
    return {one: f"{{pattern: uniform, injection: {{name: on-off, load: {LOADS[one]}, size: 512KiB, peak: {peak}, longest: 32}}}}"
            for one in ("search", "advert")}


def services(**parameters):
    words = "".join(f", {key}: {value}" for key, value in parameters.items())
    return {one: f"{{workload: {one}{words}}}" for one in ("search", "advert")}


def sized(size):
    return {"uniform": f"{{pattern: uniform, injection: {{name: poisson, load: 23%, size: {size}}}}}"}


FILES = services(reads="50%", writes="50%")
BITS = ", bits: 8"
ASSUMPTIONS = [
    Assumption("none: ebb's defaults", ""),
    Assumption("input buffer (64 KiB)", "16 KiB", ["hardware.input_buffer=16KiB"]),
    Assumption("input buffer (64 KiB)", "1 MiB", ["hardware.input_buffer=1MiB"]),
    Assumption("output buffer (none)", "64 KiB", ["hardware.output_buffer=64KiB"], rows="A7 A12"),
    Assumption("open messages (1)", "16", ["hardware.open_messages=16"]),
    Assumption("packet (2 KiB)", "8 KiB", ["hardware.packet=8KiB"], rows="A7 A11"),
    Assumption("message of Uniform (512 KiB)", "64 KiB", [], sized("64KiB"), rows="A11 A12"),
    Assumption("Uniform waits for answers (no)", "yes", [], {"uniform": CLOSED_LOOP}, rows="A11 A12"),
    Assumption("answers of services (16, 4 kB)", "64 kB", [], services(answer="64kB"), rows="A7"),
    Assumption("files, of the data (55, 70 %)", "100 %", [], FILES),
    Assumption("bursts instead of services", "at 50 %", [], bursts("50%"), rows="A7"),
    Assumption("bursts instead of services", "at 100 %", [], bursts("100%")),
    Assumption("utilisation (exact)", "8 bits an epoch", [], None, BITS),
    Assumption("before a change (packets wait)", "drained", ["hardware.drain_from=0ns"]),
    Assumption("credits (wait for a change)", "own wires", ["hardware.credits=own-wires"], rows="A7"),
    Assumption("power at 5 to 20 Gb/s (by log of rate)", "by rate", profile=BY_RATE, rows="A7"),
    Assumption("two at once", "by rate, bursts at 100 %", [], bursts("100%"), profile=BY_RATE, rows="A7"),
    Assumption("two at once", "16 KiB, 16 open", ["hardware.input_buffer=16KiB", "hardware.open_messages=16"], rows="A12"),
    Assumption("two at once", "1 MiB, files", ["hardware.input_buffer=1MiB"], FILES, rows="A12"),
    Assumption("two at once", "256 KiB, bursts at 100 %", ["hardware.input_buffer=256KiB"], bursts("100%"), rows="A12"),
    Assumption("two at once", "1 MiB, bursts at 100 %", ["hardware.input_buffer=1MiB"], bursts("100%"), rows="A12"),
    Assumption("two at once", "8 bits, files", [], FILES, BITS, rows="A12"),
    Assumption("two at once", "8 bits, bursts at 100 %", [], bursts("100%"), BITS, rows="A12"),
]


def policy(assumption, channels="paired", target="50%", epoch="10us"):
    return f"policy={{name: epoch, channels: {channels}, target: {target}, epoch: {epoch}{assumption.policy}}}"


def schedule(workload, reactivation_us=1):
    """Shorter than the rows': Uniform settles soon, traces are as long for every run that is compared."""
    if reactivation_us > 10:
        return "schedule={warm_up: 6ms, measure: 8ms, tail_limit: 8ms}"
    if workload == "uniform":
        return "schedule={warm_up: 1ms, measure: 2ms, tail_limit: 10ms}"
    return "schedule={warm_up: 2ms, measure: 5ms, tail_limit: 5ms}"


# 105 us for the message itself, some for queues and the answer: with this time to think the links are used for 23 %.
THINK_US = 300


def waiting_hosts(reactivation_us, seed):
    """Traffic of Uniform as a closed loop, measured from its beginning. A host has more to send than the time allows."""
    messages, measure = (90, "20ms") if reactivation_us > 10 else (30, "5ms")
    path = SIMULATION.with_name(f"closed-{messages}-{seed}.goal")
    if not path.exists():
        path.write_text(closed_loop.program(HOSTS, messages, THINK_US, seed))
    # A host has one message and its answers to others under way: they must not wait for that message.
    return (f"traffic={{program: {path}, rendezvous_above: 1TiB, reference: none}}", f"schedule={{measure: {measure}}}",
            "hardware.open_messages=16")


def run(assumption, workload, settings, seed, reactivation_us=1):
    traffic = assumption.traffic[workload]
    if traffic == CLOSED_LOOP:
        offered = waiting_hosts(reactivation_us, seed)
    else:
        offered = (f"traffic={traffic}", schedule(workload, reactivation_us))
    return simulate(SIMULATION, (*offered, *assumption.settings, *settings), seed, HERE / "parts.yaml")


def always_on(assumption, workload, seed, reactivation_us=1):
    """Poisson messages are the same in a short run as in a long one; those of traces are not."""
    if assumption.traffic[workload].startswith("{pattern: uniform, injection: {name: poisson"):
        reactivation_us = 1
    return run(assumption, workload, ("policy=always-on",), seed, reactivation_us)


def added_us(assumption, workload, run_of_seed, seed, reactivation_us=1):
    """Mean latency of messages over that of always-on. Half of the messages of a closed loop are answers: the sum of both counts."""
    both = 2 if assumption.traffic[workload] == CLOSED_LOOP else 1
    return both * (latency_us(run_of_seed) - latency_us(always_on(assumption, workload, seed, reactivation_us)))


def same_as_default(assumption, workload):
    changed = (assumption.settings or assumption.policy or assumption.profile != MEASURED
               or assumption.traffic[workload] != TRAFFIC[workload])
    return assumption is not ASSUMPTIONS[0] and not changed


def print_lines(row, workloads, columns):
    """The cells of each workload; "=" where the assumption does not concern it. The name of an assumption stands once."""
    last = None
    for assumption in (one for one in ASSUMPTIONS if row in one.rows):
        cells = []
        for workload in workloads:
            if same_as_default(assumption, workload):
                cells += ["="] * len(columns(ASSUMPTIONS[0], workload))
            else:
                cells += columns(assumption, workload)
        print_line(assumption.name if assumption.name != last else "", assumption.value, cells)
        last = assumption.name


def speeds_and_power(assumption, workload):
    """A7 and A8: power with the profile of the measured switch, and time at the speeds."""
    paired, independent = (
        [run(assumption, workload, (policy(assumption, channels), f"parts.rate_table={assumption.profile}"), seed) for seed in SEEDS]
        for channels in ("paired", "independent"))
    ratio = [share(one, *FAST) / share(other, *FAST) for one, other in zip(independent, paired)]
    return [*(cell([100 * one["power"]["relative"] for one in both], 1, any(one["saturated"] for one in both))
              for both in (paired, independent)),
            cell([share(one, "2.5Gb/s") for one in paired]),
            cell([share(one, "2.5Gb/s") for one in independent]),
            cell([share(one, *MIDDLE) for one in paired]),
            cell(ratio, 2)]


def print_a7():
    columns = [f"{one}: {what}" for one in ("Search", "Advert") for what in (
        "power paired %", "independent %", "at 2.5 Gb/s paired %", "independent %", "at 5 to 20 paired %",
        "at >= 10, indep. / paired")]
    published = ["near 42", "near 42", "> 50", "> 50", "not much", "0.5"]
    print_head("A7 and A8: power of the measured switch and time at each speed", columns, published * 2)
    print_lines("A7", ("search", "advert"), speeds_and_power)


def targets(assumption, workload):
    """A11: latency added at each target, its growth, and by how much power falls."""
    added, power = {}, {}
    saturated = {}
    for target in (25, 50, 75):
        runs = [run(assumption, workload, (policy(assumption, target=f"{target}%"),), seed) for seed in SEEDS]
        added[target] = [added_us(assumption, workload, one, seed) for one, seed in zip(runs, SEEDS)]
        power[target] = [100 * one["power"]["relative"] for one in runs]
        saturated[target] = any(one["saturated"] for one in runs)
    growth = [most / least for most, least in zip(added[75], added[25])]
    falls = [max(three) - min(three) for three in zip(*power.values())]
    return [*(cell(added[target], 0, saturated[target]) for target in added), cell(growth, 2), cell(falls)]


def print_a11():
    columns = [f"{one.title()}: {what}" for one in WORKLOADS for what in (
        "added at 25 % us", "50 % us", "75 % us", "75 / 25", "power falls, points")]
    published = ["", "10 to 50", "", "", "< 5", "", "10 to 50", "", "> 1.5", "< 5"]
    print_head("A11: targets of 25, 50 and 75 %", columns, published)
    print_lines("A11", WORKLOADS, targets)


TIMES = {"100ns": 0.1, "1us": 1, "10us": 10, "100us": 100}


def times(assumption, workload):
    """A12: latency added at each time of a change, and power at 1 and 100 us."""
    cells, power = [], {}
    for name, time in TIMES.items():
        if name == "100ns" and assumption is not ASSUMPTIONS[0]:
            cells.append("")  # the paper says nothing of it
            continue
        change = () if time == 1 else (f"parts.rate_change={name}",)
        runs = [run(assumption, workload, (policy(assumption, epoch=f"{10 * time:g}us"), *change), seed, time) for seed in SEEDS]
        added = [1e-3 * added_us(assumption, workload, one, seed, time) for one, seed in zip(runs, SEEDS)]
        cells.append(cell(added, 2, any(one["saturated"] for one in runs)))
        power[name] = [100 * one["power"]["relative"] for one in runs]
    return cells + [cell(power["1us"]), cell(power["100us"])]


def print_a12():
    columns = [f"{one.title()}: {what}" for one in WORKLOADS for what in (
        *(f"added at {time} ms" for time in TIMES), "power at 1 us %", "at 100 us %")]
    published = ["", "0.01 to 0.05", "1", "> 2", "", "100", "", "0.01 to 0.05", "1", "> 2", "", "2 to 5 more"]
    print_head("A12: a change takes 100 ns to 100 us, an epoch ten times that", columns, published)
    print_lines("A12", WORKLOADS, times)


def main():
    global SIMULATION
    with tempfile.TemporaryDirectory() as name:
        SIMULATION = pathlib.Path(name) / "isca10.yaml"
        SIMULATION.write_text(FILE)
        for row in ROWS:
            {"A7": print_a7, "A11": print_a11, "A12": print_a12}[row]()


if __name__ == "__main__":
    main()
