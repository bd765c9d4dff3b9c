#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whatever goes wrong at random on a live fabric, hosts reach each other as chaos_promise.py says, and nothing is found
by chaos_history.py. Arguments: ebb, ebb-host, the traffic tool, ebb-agent; --seed N, --seconds S, or --replay FILE."""
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
import chaos_bpf
import chaos_history
import chaos_schedule
from chaos_fabric import Chaos
from chaos_probe import AllPairs
from chaos_watch import Watch, differences
from standby import Controller

RATE = 10  # datagrams a second of each pair
RECOVERY_S = 40


def not_recovered(fabric):
    """What is not as it should be, or is not what the controller says."""
    status = fabric.read_status()
    if not status:
        return ["state: no controller says anything"]
    found = [f"state: {switch} is away" for switch in status["switches_away"]]
    found += [f"state: {line}" for line in status["wrong_cables"]]
    found += [f"state: {link['link']} is {link['state']}: {link['why']}" for link in status["links"]
              if link["state"] not in ("active", "asleep")]
    return found + list(differences(fabric, status).values())


def recover(fabric, pairs):
    """Nothing is wrong any more: all is as it should be, within RECOVERY_S."""
    for link in chaos_schedule.cables():
        fabric.undrain(link)
        time.sleep(0.05)
    wanted, found, since = len(pairs.pairs), [], time.monotonic()
    while time.monotonic() < since + RECOVERY_S:
        time.sleep(0.5)
        found = not_recovered(fabric)
        if (answered := pairs.answered_since(time.monotonic() - 2)) != wanted:
            found.append(f"state: {answered} pairs of {wanted} answer")
        if not found:
            return time.monotonic() - since, []
    return RECOVERY_S, [f"{what}, {RECOVERY_S} s after the last fault" for what in found]


def shut_down(fabric, pairs):
    """The controllers leave: everything is awake then, and nothing is diverted."""
    broken, leader = [], fabric.leader()
    fabric.supervises.set()
    for controller in sorted(fabric.alive(), key=lambda one: one is leader):
        fabric.terminate(controller)
        try:
            controller.process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            broken.append("end: a controller does not end")
    if leader is None or leader.process.returncode != 0:
        broken.append(f"end: the leader ends with {leader and leader.process.returncode}")
    since = time.monotonic()
    time.sleep(2)
    if down := fabric.ports_down():
        broken.append(f"end: down after the end: {down}")
    if diverted := fabric.diverted():
        broken.append(f"end: diverted after the end: {diverted}")
    if (answered := pairs.answered_since(since)) != len(pairs.pairs):
        broken.append(f"end: after the end {answered} pairs of {len(pairs.pairs)} answer")
    for switch in fabric.devices:
        for daemon in ("ovs-vswitchd", "ovsdb-server", "ebb-agent"):
            pid = (fabric.devices[switch] / f"{daemon}.pid").read_text().strip()
            if not os.path.exists(f"/proc/{pid}"):
                broken.append(f"end: {daemon} of {switch} does not run")
    return broken


def losses(fabric, pairs):
    """Of each tenth of a second, for the log."""
    tenths = collections.Counter((int(10 * at) / 10, fabric.promise.excuse(at, *pair) or "unexplained")
                                 for pair, _, at in pairs.lost())
    return [(at, f"{count} datagrams lost: {why}") for (at, why), count in tenths.items()]


def run_schedule(fabric, rows):
    begin = time.monotonic()
    for at, event, target in rows:
        time.sleep(max(0.0, begin + at - time.monotonic()))
        fabric.do(event, target)
    return begin


def keep_log(path, fabric, broken, begin):
    """Everything that happened, in order of time."""
    rows = [(at, f"-- {event} {target}") for at, event, target in fabric.done]
    rows += [(at, f"!! {what}") for at, what in broken]
    rows += [(at, f"operator: {verb} {link}: {code} {said.splitlines()[:1]}") for at, verb, link, _, code, said in fabric.asked]
    for switch, device in fabric.devices.items():
        try:
            rows += [(change["at_s"], f"agent of {switch}: {change['port']} {change['change']}")
                     for change in json.loads((device / "agent.json").read_text())["changes"]]
        except (OSError, ValueError):
            pass
    for number, controller in enumerate(Controller.all):
        rows += [(at, f"controller {number}: {line}") for at, line in controller.lines]
        rows += [(controller.exited[0], f"controller {number} ended: {controller.exited[1]}")] if controller.exited else []
    path.write_text("".join(f"{at - begin:8.3f} {what}\n" for at, what in sorted(rows)))


def attempt(broken, call, otherwise):
    """What cannot be found out is a violation, and the rest goes on."""
    try:
        return call()
    except (Exception, SystemExit) as problem:
        broken.append((time.monotonic(), f"harness: {problem!r}"))
        return otherwise


def judge(fabric, watch, pairs, broken, seed, keep, begin):
    """Adds what history tells; keeps the log and the times of faults."""
    fabric.audit_lines = attempt([], lambda: fabric.audit_file().read_text().splitlines(), [])
    history = chaos_history.History(fabric, watch, pairs)
    broken += chaos_history.check(history) + watch.broken + fabric.problems
    stalls = [(at, f"the machine stood still for {until - at:.2f} s") for at, until in pairs.stalls]
    keep_log(keep / f"chaos-{seed}.log", fabric, broken + losses(fabric, pairs) + stalls, begin)
    (keep / f"chaos-{seed}.times.json").write_text(json.dumps(list(chaos_history.fault_times(history))) + "\n")


def run(programs, seed, rows, keep):
    name, broken = bed.own_name("c"), []
    with Chaos(programs, name, chaos_schedule.setup(seed)) as fabric:
        pairs, watch = AllPairs(fabric, RATE), Watch(fabric)
        pairs.start()
        watch.start()
        begin = run_schedule(fabric, rows)
        recovery, late = attempt(broken, lambda: recover(fabric, pairs), (RECOVERY_S, []))
        watch.finish()
        broken += [(time.monotonic(), what) for what in late + attempt(broken, lambda: shut_down(fabric, pairs), [])]
        pairs.finish()
        attempt(broken, lambda: judge(fabric, watch, pairs, broken, seed, keep, begin), None)
        causes = collections.Counter(fabric.promise.excuse(at, *pair) or "unexplained" for pair, _, at in pairs.lost())
        refused = fabric.channels.refused + sum(one.setter.failed for one in Controller.all if one.setter)
        noted = len(fabric.problems)
    broken += fabric.problems[noted:]  # of the end
    if left := bed.left_of(name):
        broken.append((begin, f"left: {left}"))
    report(seed, rows, causes, broken, begin,
           f"{pairs.count()} datagrams, {{}} lost ({{}}); up to {watch.most_asleep} links asleep, {refused} changes refused, "
           f"busiest port {watch.busiest:.0f} frames/s, {len(watch.samples)} looks, {len(pairs.stalls)} stalls of the machine, "
           f"recovered in {recovery:.1f} s")
    return not broken


def report(seed, rows, causes, broken, begin, text):
    lost = ", ".join(f"{count} {cause}" for cause, count in sorted(causes.items())) or "none"
    print(f"seed {seed}: {len(rows)} events, {text.format(sum(causes.values()), lost)}, {len(broken)} violations")
    for kind, count in sorted(collections.Counter(what.split(":")[0] for _, what in broken).items()):
        print(f"  {count} of {kind}, as")
        for at, what in sorted(row for row in broken if row[1].split(":")[0] == kind)[:3]:
            print(f"    {at - begin:.2f} s: {what}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--replay", help="a schedule that was kept")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("."), help="where schedules go")
    words = parser.parse_args()
    bed.skip_unless_possible("ovs-ofctl", "tc", "openssl")
    if why_not := chaos_bpf.why_not():
        print(f"skipped: frames cannot be lost here: {why_not}")
        sys.exit(bed.SKIPPED)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("FAILED: was asked to end"))  # and cleans up
    rows = chaos_schedule.make(words.seed, words.seconds)
    if words.replay:
        words.seed, words.seconds, rows = chaos_schedule.read(words.replay)
    path = words.keep / f"chaos-{words.seed}.json"
    chaos_schedule.write(path, words.seed, words.seconds, rows)
    if not run(words.programs, words.seed, rows, words.keep):
        sys.exit(f"FAILED: replay with --replay {path}")


if __name__ == "__main__":
    main()
