#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same messages on SimGrid and on ebb with `fidelity: flow`: messages per second of processor time, and mean message times.

  bench/flows/compare.py BUILD [--messages N] [--rounds N] [--quick]

BUILD has bench/ebb_bench_run and, where SimGrid is installed, bench/ebb_bench_simgrid; without that the exit code is 77.
Messages of 512 KiB go between random hosts with exponential gaps, at 23 % of host links of 40 Gb/s; links have a latency of
50 ns, switches none. SimGrid runs its model CM02, which has no fitted factors, without crosstraffic (channels of a link do not
share, as in ebb) and with it (SimGrid's default: a flow takes 5 % of its rate on the way back, too). Both use one thread. Runs
take turns, and the median of each counts. What it takes to build a network is left out: SimGrid is timed after that, and from
the time of ebb that of a run with one message is taken off. The exit code is 1 when mean message times without crosstraffic
differ by more than TOLERANCE on networks with the same choice of paths."""
import argparse
import dataclasses
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

SIZE = 512 * 1024  # bytes
RATE = 40e9        # bit/s
LOAD = 0.23
TOLERANCE = 0.10
MODELS = {"off": "--cfg=network/crosstraffic:0", "on": "--cfg=network/crosstraffic:1"}


@dataclasses.dataclass
class Case:
    """Networks are alike, not identical: as many hosts on as many switches with hosts, and about the same capacity between these."""
    name: str
    hosts: int
    simgrid: tuple      # family and topo_parameters
    topology: str       # of ebb
    routing: str
    same_choice: bool   # a path is chosen without a look at queues in both, or there is little to choose


FAT_TREE = ("fat-tree", "2;32,32;1,32;1,1")
CLOS = "{family: clos, levels: 2, ports: 64, hosts: 1024, down: 32}"
CASES = (
    # SimGrid's fat tree has one path to a destination, as have ebb's tables; `up-down` looks for short queues.
    Case("fat tree, 1,024 hosts, one path per destination (`tables`)", 1024, FAT_TREE, CLOS, "tables", True),
    Case("fat tree, 1,024 hosts, adaptive in ebb (`up-down`)", 1024, FAT_TREE, CLOS, "up-down", False),
    # Groups of 32 and 45 switches. A link between two groups is 16 times as fast in SimGrid, and there are 16 to 19 in ebb.
    Case("dragonfly, 1,024 hosts", 1024, ("dragonfly", "8,16;4,4;8,4;4"), "{family: dragonfly, p: 4, a: 32, h: 4, g: 8}", "minimal", True),
    Case("dragonfly, 3,375 hosts", 3375, ("dragonfly", "15,16;3,4;15,4;5"), "{family: dragonfly, p: 5, a: 45, h: 5, g: 15}", "minimal", True),
)
SIMULATION = """schema_version: 1
topology: {case.topology}
routing: {case.routing}
traffic: {{messages: {messages}}}
policy: always-on
parts: {{switch: isca10-chip-ideal, rate_table: ideal-link}}
hardware: {{link_latency: 50ns, switch_latency: 0ns}}
schedule: {{warm_up: 0ns, measure: {measure}ps, tail_limit: 100ms}}
fidelity: flow
"""


def output(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


def messages_of(case, count):
    """(time in ps, source, destination), ascending."""
    draw = random.Random(1)
    per_ps = case.hosts * LOAD * RATE / (8 * SIZE) / 1e12
    time, messages = 0.0, []
    for _ in range(count):
        time += draw.expovariate(per_ps)
        messages.append((round(time), *draw.sample(range(case.hosts), 2)))
    return messages


def write(folder, name, case, messages, measure):
    """The list of messages that both read, and ebb's simulation file."""
    lines = [f"{time},{source},{destination},{SIZE}\n" for time, source, destination in messages]
    (folder / f"{name}.csv").write_text("at_ps,source,destination,bytes\n" + "".join(lines))
    (folder / f"{name}.yaml").write_text(SIMULATION.format(case=case, messages=f"{name}.csv", measure=measure))


class Comparison:
    def __init__(self, case, options, folder):
        self.programs = options.build / "bench"
        self.case, self.count, self.folder = case, options.messages, folder
        messages = messages_of(case, self.count)
        measure = messages[-1][0] + 1
        write(folder, "all", case, messages, measure)
        write(folder, "one", case, messages[:1], measure)
        rounds = [self.round() for _ in range(options.rounds)]
        self.rate = {who: self.count / statistics.median(done[who] for done in rounds) for who in rounds[0]}

    def round(self):
        """Seconds of SimGrid by model and of ebb. Message times are the same in every round."""
        self.mean_us = {}
        seconds = {}
        for model, setting in MODELS.items():
            found = output([self.programs / "ebb_bench_simgrid", *self.case.simgrid, self.folder / "all.csv",
                            "--cfg=network/model:CM02", setting, "--log=root.thres:error"])
            self.mean_us[model], seconds[model] = found["mean_us"], found["seconds"]
        found, one = (output([self.programs / "ebb_bench_run", self.folder / f"{name}.yaml", "1"]) for name in ("all", "one"))
        if found["messages"] != self.count:
            sys.exit(f"{self.case.name}: {found['messages']} of {self.count} messages arrived in ebb")
        self.mean_us["ebb"] = found["mean_message_us"]
        seconds["ebb"] = found["processor_seconds"] - one["processor_seconds"]
        return seconds

    def difference(self):
        return self.mean_us["ebb"] / self.mean_us["off"] - 1

    def alike(self):
        return not self.case.same_choice or abs(self.difference()) <= TOLERANCE

    def row(self):
        rate, mean = self.rate, self.mean_us
        return (f"| {self.case.name} | {rate['off']:,.0f} | {rate['on']:,.0f} | {rate['ebb']:,.0f} | {rate['ebb'] / rate['off']:.1f} | "
                f"{rate['ebb'] / rate['on']:.1f} | {mean['off']:.1f} | {mean['on']:.1f} | {mean['ebb']:.1f} | {100 * self.difference():+.1f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--messages", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="only to see that it runs and simulates the same: few messages, one round")
    options = parser.parse_args()
    if options.quick:
        options.messages, options.rounds = 500, 1
    if not (options.build / "bench/ebb_bench_simgrid").exists():
        print("skipped: built without SimGrid (libsimgrid-dev)")
        return 77
    print(f"{options.messages:,} messages\n\n"
          "| network | messages/s, SimGrid | with crosstraffic | ebb | times as fast | as with crosstraffic | "
          "mean message us, SimGrid | with crosstraffic | ebb | beside SimGrid |\n" + "|---" * 10 + "|", flush=True)
    alike = True
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            comparison = Comparison(case, options, pathlib.Path(folder))
        print(comparison.row(), flush=True)
        alike = alike and comparison.alike()
    if not alike:
        print(f"mean message times differ by more than {100 * TOLERANCE:.0f} %")
    return 0 if alike else 1


sys.exit(main())
