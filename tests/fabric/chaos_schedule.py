# SPDX-License-Identifier: Apache-2.0
"""What goes wrong and when, made from a seed alone: the same seed gives the same schedule on every machine.
At most one element that carries frames (a cable or a switch) has failed at a time, which is what the tables
promise to survive; everything else goes wrong at any time, also together with it."""
import json
import random

SIDE = 3  # a flattened butterfly of SIDE x SIDE switches
SWITCHES = [f"s{number}" for number in range(SIDE * SIDE)]
LONGEST_S = 7.0  # that something stays wrong

# What begins, and what ends it; None: it is over at once.
CARRIES = {"cut": "mend", "kill-switch": "start-switch"}
GUIDES = {"kill-leader": "start-controllers", "kill-both": "start-controllers", "stop-leader": "go-on",
          "delay": "pass", "stall": "pass", "disconnect": "pass", "refuse": "pass",
          "kill-agent": "start-agent", "load": "no-load", "drain": "undrain"}


def cables():
    """Pairs of switches that differ in one coordinate."""
    numbers = range(SIDE * SIDE)
    return [f"s{a}-s{b}" for a in numbers for b in numbers
            if a < b and (a // SIDE == b // SIDE or a % SIDE == b % SIDE)]


def target_of(event, chance):
    if event in ("cut", "drain"):
        return chance.choice(cables())
    if event in ("kill-switch", "delay", "stall", "disconnect", "kill-agent"):
        return chance.choice(SWITCHES)
    return "all" if event == "refuse" else ""


def one_after_another(chance, events, seconds, gap):
    """Each begins when the one before has ended, after a pause."""
    rows, at = [], chance.uniform(*gap)
    while at + 2 < seconds:
        event = chance.choice(sorted(events))
        target = target_of(event, chance)
        end = min(at + chance.uniform(1.0, LONGEST_S), seconds)
        rows += [(round(at, 2), event, target), (round(end, 2), events[event], target)]
        at = end + chance.uniform(*gap)
    return rows


def make(seed, seconds):
    """[(seconds from the start, event, target)], in order of time."""
    chance = random.Random(f"ebb chaos {seed}")
    rows = one_after_another(chance, CARRIES, seconds, (2.0, 6.0))
    own = [{event: GUIDES[event] for event in events} for events in
           (("kill-leader", "kill-both", "stop-leader"), ("delay", "stall", "disconnect", "refuse"),
            ("kill-agent",), ("load",), ("drain",))]
    for events in own:  # one line of events each, so that no end is taken for that of another
        rows += one_after_another(chance, events, seconds, (1.0, 6.0))
    return sorted(rows)


def write(path, seed, seconds, rows):
    with open(path, "w") as file:
        json.dump({"seed": seed, "seconds": seconds, "events": rows}, file, indent=1)
        file.write("\n")


def read(path):
    with open(path) as file:
        kept = json.load(file)
    return kept["seed"], kept["seconds"], [tuple(row) for row in kept["events"]]
