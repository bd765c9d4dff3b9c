# SPDX-License-Identifier: Apache-2.0
"""What goes wrong and when, and with what options controllers run, made from a seed alone: the same seed gives the
same schedule on every machine. At most one element that carries frames (a cable or a switch) is faulty at a time,
which is what the tables promise to survive; everything else goes wrong at any time, also together with it."""
import json
import random

SIDE = 3  # a flattened butterfly of SIDE x SIDE switches
SWITCHES = [f"s{number}" for number in range(SIDE * SIDE)]

# What `ebb fabric check` says may sleep: others can be drained only while these are awake.
SLEEPABLE = ["s1-s2", "s4-s5", "s7-s8", "s3-s6", "s4-s7", "s5-s8"]

# Each lane has one fault at a time; all lanes run together. A fault: what ends it, its shortest and longest time.
CARRIES = {
    "cut": ("mend", 3, 8),             # an end goes down
    "loss": ("mend", 9, 13),           # one direction loses everything, ports stay up
    "dead": ("mend", 9, 13),           # both directions do
    "lossy": ("mend", 3, 7),           # one direction loses a share
    "late": ("mend", 2, 5),            # frames of one direction are late
    "reorder": ("mend", 2, 5),         # they overtake each other
    "twice": ("mend", 2, 5),           # they come twice
    "swap": ("unswap", 8, 12),         # two cables of a switch are plugged the wrong way round
    "kill-switch": ("start-switch", 1, 7),
    "reboot-switch": ("start-switch", 2, 5),  # and its ports come up
}
CONTROLLERS = {
    "kill-leader": ("start-controllers", 1, 6), "kill-both": ("start-controllers", 1, 5),
    "stop-leader": ("go-on", 6, 9), "term-leader": ("start-controllers", 2, 6),
    "term-both": ("start-controllers", 3, 6), "dismiss": ("start-controllers", 2, 5),
}
STATE_FOLDER = {  # by where it is
    "folder": {"hide-state": ("show-state", 2, 5), "read-only": ("writable", 3, 6)},
    "small disk": {"fill-disk": ("free-disk", 3, 7), "read-only": ("writable", 3, 6)},
}
CHANNELS = {
    "delay": ("pass", 1, 7), "stall": ("pass", 1, 7), "disconnect": ("pass", 1, 7), "refuse": ("pass", 1, 7),
    "freeze": ("pass", 5, 9),          # port counters are not answered, everything else is
    "lie": ("pass", 3, 7),             # ports that go down are reported as up
    "refuse-groups": ("pass", 2, 5),
}
MIDDLE = {  # of a change of a link
    "leave-draining": ("end-middle", 5, 8),   # a switch leaves while its link is drained
    "refuse-return": ("end-middle", 5, 8),    # it refuses to use the link again
    "overtake": ("end-middle", 5, 8),         # a port refuses to go down, and says so when the link wakes again
}
PEERS = {"rogue": ("no-peers", 4, 7), "slow-peers": ("no-peers", 3, 8)}
AGENTS = {"kill-agent": ("start-agent", 1, 7)}
LOAD = {"load": ("no-load", 5, 12)}
OPERATORS = {"drain": ("undrain", 6, 16), "explain": ("no-question", 0.5, 1)}
RATES = {"fail-rate": ("rates-work", 1, 3)}


def cables():
    """Pairs of switches that differ in one coordinate."""
    numbers = range(SIDE * SIDE)
    return [f"s{a}-s{b}" for a in numbers for b in numbers
            if a < b and (a // SIDE == b // SIDE or a % SIDE == b % SIDE)]


def ends_of(cable):
    """Numbers of its switches; of "s1>s0", which is one direction of it, in that order."""
    return [int(name[1:]) for name in cable.replace(">", "-").split("-")]


def cable_of(direction):
    return "-".join(f"s{end}" for end in sorted(ends_of(direction)))


def line_of(cable):
    """The row or column that the cable is in: its detours are there, too."""
    a, b = ends_of(cable)
    return ("row", a // SIDE) if a // SIDE == b // SIDE else ("column", a % SIDE)


def switches_in(line):
    kind, number = line
    return [s for s in range(SIDE * SIDE) if (s // SIDE if kind == "row" else s % SIDE) == number]


def setup(seed):
    """How controllers of the seed run. What matters most takes turns, so that few seeds have all of it."""
    chance = random.Random(f"ebb chaos setup {seed}")
    return {"policy": ("epoch", "stages")[seed % 2], "metrics": seed % 3 != 1, "listen": ("tcp", "ssl", "")[seed // 2 % 3],
            "state": ("folder", "small disk")[seed // 2 % 2],
            **{option: chance.random() < 0.5 for option in ("log", "audit", "history")}}


def target_of(event, chance):
    if event in ("loss", "lossy", "late", "reorder", "twice"):
        return ">".join(chance.sample(chance.choice(cables()).split("-"), 2))
    if event in ("drain", "leave-draining", "refuse-return", "overtake") and chance.random() < 0.7:
        return chance.choice(SLEEPABLE)
    if event in ("cut", "dead", "drain", "explain", "fail-rate", "leave-draining", "refuse-return", "overtake"):
        return chance.choice(cables())
    if event == "swap":  # one cable of its row with one of its column: each line has lost one
        switch = chance.choice(range(SIDE * SIDE))
        lines = [("row", switch // SIDE), ("column", switch % SIDE)]
        return ",".join([f"s{switch}", *(f"s{chance.choice([s for s in switches_in(line) if s != switch])}" for line in lines)])
    if event in ("kill-switch", "reboot-switch", "delay", "stall", "disconnect", "lie", "refuse-groups", "kill-agent", "rogue"):
        return chance.choice(SWITCHES)
    return "all" if event in ("refuse", "freeze") else ""


def dealt(chance, events):
    """All of them in random order, again and again: few seeds have all of them."""
    while True:
        yield from chance.sample(sorted(events), len(events))


def one_after_another(chance, events, seconds, gap):
    """Each begins when the one before has ended, after a pause."""
    rows, at = [], chance.uniform(*gap)
    for event in dealt(chance, events):
        if at + 2 >= seconds:
            return rows
        ends_with, shortest, longest = events[event]
        target = target_of(event, chance)
        end = min(at + chance.uniform(shortest, longest), seconds)
        rows += [(round(at, 2), event, target), (round(end, 2), ends_with, target)]
        at = end + chance.uniform(*gap)


def make(seed, seconds):
    """[(seconds from the start, event, target)], in order of time."""
    chance, runs = random.Random(f"ebb chaos {seed}"), setup(seed)
    channels = {**CHANNELS, **(PEERS if runs["listen"] else {})}
    lanes = [(CARRIES, (2, 5)), ({**CONTROLLERS, **STATE_FOLDER[runs["state"]]}, (5, 12)), (channels, (1, 6)),
             (AGENTS, (2, 10)), (LOAD, (1, 5)), (OPERATORS, (1, 5))]
    if runs["policy"] == "epoch":  # no link sleeps by itself, so that each can be drained
        lanes += [(RATES, (1, 4)), (MIDDLE, (1, 4))]
    rows = []
    for events, gap in lanes:  # so that no end is taken for that of another
        rows += one_after_another(chance, events, seconds, gap)
    return sorted(rows)


def write(path, seed, seconds, rows):
    with open(path, "w") as file:
        json.dump({"seed": seed, "seconds": seconds, "setup": setup(seed), "events": rows}, file, indent=1)
        file.write("\n")


def read(path):
    with open(path) as file:
        kept = json.load(file)
    return kept["seed"], kept["seconds"], [tuple(row) for row in kept["events"]]
