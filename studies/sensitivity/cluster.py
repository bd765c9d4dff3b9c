#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows C3, C4 and C5 by assumption: what stands in the lost tables of Kim et al., varied one at a time around what ebb has chosen.

Prints the tables of docs/sensitivity. The networks are those of the rows: 15 switches wired at random, and an 8 x 8 mesh.
Two seeds of the traffic; +- is half of the distance between them. "s": saturated with a seed or more.
Usage: studies/sensitivity/cluster.py BUILD [C3|C4|C5]. About a minute of one core in all."""
import pathlib
import re
import sys
import tempfile

from assumed import SEEDS, cell, latency_us, print_head, print_line, share, simulate

ROWS = sys.argv[2:] or ["C3", "C4", "C5"]
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# As libs/study/repro/src/cluster_network.cpp has it.
FILE = """schema_version: 1
topology: {family: irregular, switches: 15, degree: 4, hosts: 1}
routing: up-down-nonminimal
traffic:
  pattern: uniform
  injection: {name: poisson, load: 20%, size: 1KiB}
  services: 2
policy: always-on
parts: {switch: kim-switch, components: kim-180nm}
hardware: {switching: store-and-forward, packet: 1KiB, input_buffer: 4KiB, output_buffer: 4KiB,
           output_selection: least-used, credits: own-wires, switch_latency: 64ns, link_latency: 10ns,
           nic: {doorbell: 1us, dma_setup: 200ns, dma_rate: 4Gb/s}, virtual_lanes: [{}, {}]}
schedule: {warm_up: 6ms, measure: 20ms, tail_limit: 20ms}
"""
MESH = ("topology={family: mesh, hosts: 1, dims: 8x8}", "schedule={warm_up: 4ms, measure: 6ms, tail_limit: 20ms}")
ONE_PATH = ("routing=shortest-path", "hardware.output_selection=first")
AT_70_NM = ("parts={switch: kim-70nm-switch, components: kim-70nm}",)
PACKET_BITS = 8192
SWITCH_PARTS = ("buffers_W", "crossbar_W", "arbiter_W", "tables_W", "logic_W")


# Parts that differ from those of parts/cluster.yaml in one thing.

def block(part):
    return re.search(rf"^  {part}:\n((?:    .*\n)+)", (ROOT / "parts/cluster.yaml").read_text(), re.M).group(1)


def variant(name, part, change):
    """The part under another name, its lines changed. Its values become assumed ones."""
    lines = re.sub(r"\{value: ([^,}]+), source: [^}]+\}", r"\1", change(block(part)))
    return f"  {name}:\n" + re.sub(r"source: \S+", "source: assumed", lines)


def scaled(factor, keys):
    """Numbers behind these keys times a factor; keys that begin a line take the numbers of the whole line."""
    def change(text):
        def line(match):
            words = match.group(0)
            if not re.match(rf"\s*({'|'.join(keys)}):", words):
                return words
            return re.sub(r"([\d.]+)(fJ|pJ|nJ|uW|mW)", lambda found: f"{float(found[1]) * factor:.6g}{found[2]}", words)
        return re.sub(r".*\n", line, text)
    return change


def lowest_step(share_of_full):
    """A rate table in which power goes straight from this share at the lowest step to 1 at the highest."""
    def change(text):
        shares = iter(share_of_full + (1 - share_of_full) * step / 6 for step in range(7))
        return re.sub(r"relative_power: [\d.]+", lambda _: f"relative_power: {next(shares):.3f}", text)
    return change


INSIDE = ("buffers", "crossbar", "arbiter", "tables", "logic")
PARTS = {
    "low-26": ("kim-dvs-link", lowest_step(0.256)),
    "low-40": ("kim-dvs-link", lowest_step(0.4)),
    "low-50": ("kim-dvs-link", lowest_step(0.5)),
    "inside-2": ("kim-180nm", scaled(2, INSIDE)),
    "inside-5": ("kim-180nm", scaled(5, INSIDE)),
    "inside-10": ("kim-180nm", scaled(10, INSIDE)),
    "logic-10": ("kim-180nm", scaled(10, ("logic",))),
    "data-10": ("kim-180nm", scaled(10, ("buffers", "crossbar"))),
    "logic-6-data-24": ("kim-180nm", lambda text: scaled(6, ("logic",))(scaled(24, ("buffers", "crossbar"))(text))),
    "link-half": ("kim-switch", scaled(0.5, ("power",))),
    "link-more": ("kim-switch", scaled(1.5, ("power",))),
    "leak-third": ("kim-70nm", lambda text: text.replace("26uW", "9uW")),
    "leak-triple": ("kim-70nm", lambda text: text.replace("26uW", "78uW")),
    "link-70-more": ("kim-70nm-switch", scaled(2, ("power",))),
}
HEAD = """schema_version: 1
sources:
  assumed: {title: "Varied by a study of sensitivity", date: 2026, evidence: assumed, note: One value differs from that of parts/cluster.yaml.}
parts:
"""


class Assumption:
    """A value of something that is lost: settings, and what policies have instead of their defaults."""

    def __init__(self, name, value, settings=(), load=None, **policy):
        self.name, self.value, self.settings, self.load = name, value, tuple(settings), load
        self.policy = {"window": "100us", "low": "20%", "high": "50%", "t_max": "20%", "close_window": "500us"} | policy

    def policies(self):
        """By the names of the paper's six combinations."""
        of = self.policy
        idle = f", t_idle: {of['t_idle']}" if "t_idle" in of else ""
        rates = f"window: {of['window']}, low: {of['low']}, high: {of['high']}"
        return {"none": "always-on", "dvs": f"{{name: dvs, {rates}}}",
                "dls": f"{{name: shutdown, window: {of['close_window']}, t_max: {of['t_max']}{idle}}}",
                "both": f"{{name: dvs-shutdown, {rates}, t_max: {of['t_max']}{idle}}}"}


def runs_of(assumption, policy, load, extra=()):
    """A run for each seed. The settings of the assumption come last, so that they prevail."""
    injection = () if any("injection=" in one for one in assumption.settings) else (
        f"traffic.injection.load={assumption.load or load}",)
    settings = (*extra, *injection, f"policy={assumption.policies()[policy]}", *assumption.settings)
    return [simulate(SIMULATION, settings, seed, ASSUMED_PARTS) for seed in SEEDS]


def switches_w(run):
    return sum(run["power"][part] for part in SWITCH_PARTS)


def per_packet(run, cards=False):
    """Microjoules of links and switches for each packet of 1 KiB that arrived."""
    watts = run["power"]["channels_W"] + switches_w(run) + (run["power"]["nic_W"] if cards else 0)
    seconds = (run["time"]["to_ps"] - run["time"]["from_ps"]) * 1e-12
    return 1e6 * watts * seconds * PACKET_BITS / run["traffic"]["delivered_bit"]


def over(ones, others, what):
    return [what(one) / what(other) for one, other in zip(ones, others)]


def saturated(*groups):
    return any(one["saturated"] for group in groups for one in group)


# C3: energy per packet on the irregular network.

LINK = "parts={{switch: kim-switch, rate_table: {}, components: kim-180nm}}"
COMPONENTS = "parts={{switch: kim-switch, components: {}}}"
ENERGY = [
    Assumption("none: what ebb has chosen", ""),
    Assumption("power of a link at 640 Mb/s (5.2 %)", "25.6 %", [LINK.format("low-26")]),
    Assumption("", "40 %", [LINK.format("low-40")]),
    Assumption("", "50 %", [LINK.format("low-50")]),
    Assumption("thresholds of DVS (20 to 50 %)", "10 to 30 %", low="10%", high="30%"),
    Assumption("", "40 to 70 %", low="40%", high="70%"),
    Assumption("window of DVS (100 us)", "20 us", window="20us"),
    Assumption("", "500 us", window="500us"),
    Assumption("T_max of DLS (20 %)", "60 %", t_max="60%"),
    Assumption("", "100 %", t_max="100%"),
    Assumption("load that is 20 % (of host links)", "10 %", load="10%"),
    Assumption("", "5 %", load="5%"),
    Assumption("links of a switch to others (4)", "3", ["topology.degree=3"]),
    Assumption("", "6", ["topology.degree=6"]),
    Assumption("", "8", ["topology.degree=8"]),
    Assumption("output selection (least used)", "queue", ["hardware.output_selection=queue"]),
    Assumption("energy inside switches (1)", "x 5", [COMPONENTS.format("inside-5")]),
    Assumption("", "x 10", [COMPONENTS.format("inside-10")]),
    Assumption("arrivals (Poisson)", "bursts at 50 %", ["traffic.injection={name: on-off, load: 20%, size: 1KiB, peak: 50%}"]),
    Assumption("", "bursts at 80 %", ["traffic.injection={name: on-off, load: 20%, size: 1KiB, peak: 80%}"]),
    Assumption("two at once: power at 640 Mb/s, and", "50 %, T_max 100 %", [LINK.format("low-50")], t_max="100%"),
    Assumption("", "50 %, 8 links", [LINK.format("low-50"), "topology.degree=8"]),
    Assumption("three: also T_max 100 %", "50 %, 8 links", [LINK.format("low-50"), "topology.degree=8"], t_max="100%"),
    Assumption("four: also 5 % load", "50 %, 8 links", [LINK.format("low-50"), "topology.degree=8"], load="5%", t_max="100%"),
]


def energy(assumption):
    base, scaled_down = (runs_of(assumption, one, "20%", ONE_PATH) for one in ("none", "dvs"))
    adaptive, dls, dvs, both = (runs_of(assumption, one, "20%") for one in ("none", "dls", "dvs", "both"))
    latency = [100 * (ratio - 1) for ratio in over(scaled_down, base, latency_us)]
    return [cell(over(scaled_down, base, per_packet), 2, saturated(base, scaled_down)),
            cell(over(dls, adaptive, per_packet), 2, saturated(dls, adaptive)),
            cell(over(both, dvs, per_packet), 2, saturated(both, dvs)),
            cell(over(both, dvs, lambda run: run["power"]["between_switches_relative"]), 2),
            cell(over(scaled_down, base, lambda run: per_packet(run, True)), 2),
            cell([share(run, "asleep") for run in both]),
            cell([share(run, "640Mb/s") for run in dvs]),
            cell(latency, 0),
            cell([100 * (ratio - 1) for ratio in over(dls, adaptive, latency_us)])]


def print_c3():
    print_head("C3: energy per packet at 20 % load, irregular network",
               ["DVS / neither", "DLS / neither", "both / DVS", "both / DVS, links between switches", "DVS / neither, cards counted", "both: asleep %",
                "DVS: at 640 Mb/s %", "DVS adds latency %", "DLS adds latency %"],
               ["0.5", "< 1", "0.5", "0.5, if so counted", "", "half of the next", "", "500", "3"])
    for one in ENERGY:
        print_line(one.name, one.value, energy(one))


# C4: shutdown on the mesh.

ROUTING = "routing=up-down-nonminimal"
CLOSING = [
    Assumption("none: what ebb has chosen", ""),
    Assumption("low load (5 %)", "1 %", load="1%"),
    Assumption("", "2.5 %", load="2.5%"),
    Assumption("T_max (20 %)", "60 %", t_max="60%"),
    Assumption("", "100 %", t_max="100%"),
    Assumption("T_I (5 %)", "20 %", t_idle="20%"),
    Assumption("", "50 %", t_idle="50%"),
    Assumption("window (500 us)", "100 us", close_window="100us"),
    Assumption("", "2 ms", close_window="2ms"),
    Assumption("output selection (least used)", "queue", ["hardware.output_selection=queue"]),
    Assumption("buffer (4 packets)", "16 packets", ["hardware.input_buffer=16KiB", "hardware.output_buffer=16KiB"]),
    Assumption("a link wakes (at 640 Mb/s)", "at full rate", ["parts={switch: kim-switch, rate_table: kim-70nm-link, components: kim-180nm}"]),
    Assumption("energy inside switches (1)", "x 10", [COMPONENTS.format("inside-10")]),
    Assumption("arrivals (Poisson)", "bursts at 80 %", ["traffic.injection={name: on-off, load: 5%, size: 1KiB, peak: 80%}"]),
    Assumption("low load and T_max", "1 %, 100 %", load="1%", t_max="100%"),
]


def closing(assumption):
    extra = (*MESH, ROUTING)
    base, dls = (runs_of(assumption, one, "5%", extra) for one in ("none", "dls"))
    return [cell([100 * (1 - ratio) for ratio in over(dls, base, per_packet)], 1, saturated(base, dls)),
            cell([100 * (1 - run["power"]["between_switches_relative"]) for run in dls]),
            cell([share(run, "asleep") for run in dls]),
            cell([100 * (ratio - 1) for ratio in over(dls, base, latency_us)])]


def print_c4():
    print_head("C4: shutdown on the 8 x 8 mesh at low load",
               ["saved of links and switches %", "saved of links between switches %", "asleep %", "latency added %"],
               ["38", "38, if so counted", "", "4"])
    for one in CLOSING:
        print_line(one.name, one.value, closing(one))


# C5: what links take of links and switches.

SHARES_180 = [
    Assumption("none: what ebb has chosen", ""),
    Assumption("energy inside switches (1)", "x 2", [COMPONENTS.format("inside-2")]),
    Assumption("", "x 5", [COMPONENTS.format("inside-5")]),
    Assumption("", "x 10", [COMPONENTS.format("inside-10")]),
    Assumption("its logic alone (8.1 mW)", "x 10", [COMPONENTS.format("logic-10")]),
    Assumption("its buffers and crossbar alone", "x 10", [COMPONENTS.format("data-10")]),
    Assumption("two at once: logic, and buffers and crossbar", "x 6, x 24", [COMPONENTS.format("logic-6-data-24")]),
    Assumption("power of a link (70.9 mW)", "x 0.5", ["parts={switch: link-half, components: kim-180nm}"]),
    Assumption("", "x 1.5", ["parts={switch: link-more, components: kim-180nm}"]),
    Assumption("packet (1 KiB)", "256 B", ["hardware.packet=256B", "hardware.input_buffer=1KiB", "hardware.output_buffer=1KiB",
                                           "traffic.injection.size=256B"]),
]


def links_percent(run):
    links = run["power"]["channels_W"]
    return 100 * links / (links + switches_w(run))


def shares_180(assumption):
    by_load = [runs_of(assumption, "none", load, ONE_PATH) for load in ("20%", "40%", "60%")]
    cards = [100 * run["power"]["channels_W"] / (run["power"]["channels_W"] + switches_w(run) + run["power"]["nic_W"])
             for run in by_load[0]]
    return [*(cell([links_percent(run) for run in runs], 1, saturated(runs)) for runs in by_load), cell(cards),
            cell(over(by_load[2], by_load[0], switches_w), 2)]


SHARES_70 = [
    Assumption("none: what ebb has chosen", ""),
    Assumption("leakage of a cell (26 uW)", "/ 3", ["parts={switch: kim-70nm-switch, components: leak-third}"]),
    Assumption("", "x 3", ["parts={switch: kim-70nm-switch, components: leak-triple}"]),
    Assumption("power of a link (8.5 mW)", "x 2", ["parts={switch: link-70-more, components: kim-70nm}"]),
    Assumption("virtual lanes (2)", "1", ["hardware.virtual_lanes=[{}]", "traffic.services=1"]),
    Assumption("", "4", ["hardware.virtual_lanes=[{}, {}, {}, {}]", "traffic.services=4"]),
    Assumption("buffer (4 packets)", "2 packets", ["hardware.input_buffer=2KiB", "hardware.output_buffer=2KiB"]),
    Assumption("", "8 packets", ["hardware.input_buffer=8KiB", "hardware.output_buffer=8KiB"]),
    Assumption("load (10 %)", "30 %", load="30%"),
]


def shares_70(assumption):
    runs = runs_of(assumption, "none", "10%", (*MESH, "routing=dimension-order", *AT_70_NM))
    return [cell([links_percent(run) for run in runs], 1, saturated(runs))]


def print_c5():
    print_head("C5: links of links and switches at 180 nm, irregular network, one path",
               ["at 20 % load %", "at 40 %", "at 60 %", "at 20 %, of links, switches and cards %", "switches, 60 / 20 % load"],
               ["80", "", "", "", "almost 2"])
    for one in SHARES_180:
        print_line(one.name, one.value, shares_180(one))
    print_head("C5: links of links and switches at 70 nm, mesh", ["links %"], ["50"])
    for one in SHARES_70:
        print_line(one.name, one.value, shares_70(one))


def main():
    global SIMULATION, ASSUMED_PARTS
    with tempfile.TemporaryDirectory() as name:
        SIMULATION, ASSUMED_PARTS = pathlib.Path(name) / "cluster.yaml", pathlib.Path(name) / "parts.yaml"
        SIMULATION.write_text(FILE)
        ASSUMED_PARTS.write_text(HEAD + "".join(variant(name, part, change) for name, (part, change) in PARTS.items()))
        for row, show in {"C3": print_c3, "C4": print_c4, "C5": print_c5}.items():
            if row in ROWS:
                show()


if __name__ == "__main__":
    main()
