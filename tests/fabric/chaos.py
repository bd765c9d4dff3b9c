#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whatever goes wrong at random on a live fabric, hosts reach each other as chaos_promise.py says, and no invariant
breaks. Arguments: ebb, ebb-host, the traffic tool, ebb-agent; --seed N, --seconds S, or --replay FILE."""
import argparse
import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import bed
import chaos_schedule
from chaos_fabric import Chaos
from chaos_probe import AllPairs
from chaos_watch import Watch
from standby import Controller

RATE = 10  # datagrams a second of each pair
# Lost in a row, that is 300 ms: the pair is cut off. Single ones are counted: machines stall.
IN_A_ROW = 3
RECOVERY_S = 60


def recover(fabric, pairs):
    """Nothing is wrong any more: all is as it should be, within RECOVERY_S."""
    for link in chaos_schedule.cables():
        fabric.undrain(link)
    wanted, why, since = len(pairs.pairs), "", time.monotonic()
    while time.monotonic() < since + RECOVERY_S:
        time.sleep(0.5)
        status = fabric.status()
        odd = [f"{link['link']} {link['state']}: {link['why']}" for link in status["links"]
               if link["state"] not in ("active", "asleep")]
        asleep = sum(link["state"] == "asleep" for link in status["links"])
        down, answered = fabric.ports_down(), pairs.answered_since(time.monotonic() - 2)
        why = f"away {status['switches_away']}, {odd}, asleep {asleep}, really down {down}, {answered} pairs of {wanted}"
        if not status["switches_away"] and not odd and len(down) == 2 * asleep and answered == wanted:
            return time.monotonic() - since, []
    return RECOVERY_S, [f"not recovered in {RECOVERY_S} s: {why}"]


def shut_down(fabric, pairs):
    """The controllers leave: everything is awake then."""
    broken, leader = [], fabric.leader()
    for controller in sorted(fabric.alive(), key=lambda one: one is leader):
        controller.signal(signal.SIGTERM)
        try:
            controller.process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            broken.append("a controller does not end")
    if leader is None or leader.process.returncode != 0:
        broken.append(f"the leader ends with {leader and leader.process.returncode}")
    since = time.monotonic()
    time.sleep(2)
    if down := fabric.ports_down():
        broken.append(f"down after the end: {down}")
    if (answered := pairs.answered_since(since)) != len(pairs.pairs):
        broken.append(f"after the end {answered} pairs of {len(pairs.pairs)} answer")
    for switch in fabric.devices:
        for daemon in ("ovs-vswitchd", "ovsdb-server", "ebb-agent"):
            pid = (fabric.devices[switch] / f"{daemon}.pid").read_text().strip()
            if not os.path.exists(f"/proc/{pid}"):
                broken.append(f"{daemon} of {switch} does not run")
    return broken


def judge(fabric, pairs):
    """Losses by cause; pairs that were cut off without one; how long after a failure was over something was lost."""
    causes, broken, row, longest = collections.Counter(), [], {}, 0.0
    for pair, number, at in pairs.lost():
        why = fabric.promise.excuse(at, *pair)
        causes[why or "unexplained"] += 1
        if why:
            longest = max(longest, fabric.promise.since_mended(at) if "mended" in why else 0.0)
            continue
        first, last, count = row.get(pair, (at, number - 2, 0))
        row[pair] = (first, number, count + 1) if number == last + 1 else (at, number, 1)
        if row[pair][2] == IN_A_ROW:
            broken.append((row[pair][0], f"h{pair[0]} does not reach h{pair[1]}"))
    return causes, broken, longest


def losses(fabric, pairs):
    """Of each tenth of a second, for the log."""
    tenths = collections.Counter((int(10 * at) / 10, fabric.promise.excuse(at, *pair) or "unexplained")
                                 for pair, _, at in pairs.lost())
    return [(at, f"{count} datagrams lost: {why}") for (at, why), count in tenths.items()]


def run_schedule(fabric, rows):
    begin = time.monotonic()
    for at, event, target in rows:
        time.sleep(max(0.0, begin + at - time.monotonic()))
        fabric.do("begin-load" if event == "load" else event, target)
    return begin


def keep_log(path, fabric, broken, begin):
    """Everything that happened, in order of time."""
    rows = [(at, f"-- {event} {target}") for at, event, target in fabric.done]
    rows += [(at, f"!! {what}") for at, what in broken]
    for switch, device in fabric.devices.items():
        rows += [(change["at_s"], f"agent of {switch}: {change['port']} {change['change']}")
                 for change in json.loads((device / "agent.json").read_text())["changes"]]
    for number, controller in enumerate(Controller.all):
        rows += [(at, f"controller {number}: {line}") for at, line in controller.lines]
    path.write_text("".join(f"{at - begin:8.3f} {what}\n" for at, what in sorted(rows)))


def run(programs, seed, rows, keep):
    name = bed.own_name("c")
    with Chaos(programs, name) as fabric:
        pairs, watch = AllPairs(fabric, RATE), Watch(fabric)
        pairs.start()
        watch.start()
        begin = run_schedule(fabric, rows)
        recovery, broken = recover(fabric, pairs)
        watch.finish()
        broken = [(time.monotonic(), what) for what in broken + shut_down(fabric, pairs)]
        pairs.finish()
        causes, cut_off, longest = judge(fabric, pairs)
        broken += cut_off + watch.broken
        if pairs.twice:
            broken.append((begin, f"{pairs.twice} datagrams came twice"))
        keep_log(keep / f"chaos-{seed}.log", fabric, broken + losses(fabric, pairs), begin)
        refused = fabric.channels.refused
    if left := bed.left_of(name):
        broken.append((begin, f"left: {left}"))
    lost = ", ".join(f"{count} {cause}" for cause, count in sorted(causes.items())) or "none"
    print(f"seed {seed}: {len(rows)} events, {pairs.count()} datagrams, {sum(causes.values())} lost ({lost}), the last {longest:.1f} s "
          f"after a repair; up to "
          f"{watch.most_asleep} links asleep, {refused} port changes refused, busiest port {watch.busiest:.0f} frames/s, "
          f"{watch.looks} looks, recovered in {recovery:.1f} s, {len(broken)} violations")
    for at, what in broken[:20]:
        print(f"  {at - begin:.2f} s: {what}")
    return not broken


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--replay", help="a schedule that was kept")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("."), help="where schedules go")
    words = parser.parse_args()
    bed.skip_unless_possible("ovs-ofctl")
    rows = chaos_schedule.make(words.seed, words.seconds)
    if words.replay:
        words.seed, words.seconds, rows = chaos_schedule.read(words.replay)
    path = words.keep / f"chaos-{words.seed}.json"
    chaos_schedule.write(path, words.seed, words.seconds, rows)
    if not run(words.programs, words.seed, rows, words.keep):
        sys.exit(f"FAILED: replay with --replay {path}")


if __name__ == "__main__":
    main()
