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
import threading
import time

import bed
import chaos_schedule
from chaos_channel import Channels
from chaos_probe import AllPairs, frames_sent
from chaos_promise import Promise
from live import Live
from standby import Controller

TOPOLOGY = "{family: fbfly, hosts: 1, dims: 3x3, rates: [1Mb/s, 10Mb/s]}"
WAKE_LIMIT_S = 3
MORE = ("policy: {name: stages, period: 500ms, high: 25%, low: 10%}\n"
        f"safety: {{awake_for: 500ms, asleep_for: 500ms, calm: 1s, wake_limit: {WAKE_LIMIT_S}s, transitions_per_hour: 100000}}\n")
RATE = 10  # datagrams a second of each pair
LOAD = [("h0", "h4"), ("h5", "h1"), ("h8", "h3"), ("h2", "h6")]
LOAD_RATE, LOAD_BYTES = 250, 1200
DELAY_S = 0.2
# Lost in a row, that is 300 ms: the pair is cut off. Single ones are counted: machines stall.
IN_A_ROW = 3
# A link may carry everything at once and bursts; a loop fills it: more than 8,000 frames of this size a second.
MOST_FRAMES = 5000
RECOVERY_S = 60


class Chaos(Live):
    """With agents, two controllers, and something between them and the switches."""

    def __init__(self, programs, name):
        super().__init__(programs[:3], name, TOPOLOGY, more=MORE, up=("--agents",))
        self.agent_program = programs[3]
        self.boxes = {switch: bed.STATE / name / switch for switch in chaos_schedule.SWITCHES}
        self.channels = Channels(self.boxes)
        self.promise, self.stopped, self.asked, self.load = Promise(), [], [], None
        self.was_down = set()  # cables that slept when they were to be cut
        self.agents_to_start = set()
        self.done = []         # what happened: (when, event, target)

    def start(self, *_, **__):
        self.channels.__enter__()
        self.daemons = {switch: self.read_daemon(switch) for switch in self.boxes}
        self.start_controllers()
        end = time.monotonic() + 60
        while not any(controller.said("all switches are here") for controller in Controller.all):
            bed.expect(time.monotonic() < end, "a controller leads and sees all switches")
            time.sleep(0.05)

    def __exit__(self, *_):
        self.do("no-load", "")
        for controller in Controller.all:
            controller.end()
        for process in self.asked:
            process.kill()
            process.wait()
        if self.channels.thread.is_alive():
            self.channels.__exit__()
        super().__exit__()

    def space(self, switch):
        return f"ebb-{self.name}-{switch}"

    def do(self, event, target):
        now = time.monotonic()
        self.done.append((now, event, target))
        getattr(self, event.replace("-", "_"))(*([target] if target else []))

    # Cables and switches

    def end_of(self, cable):
        """The port of its first switch: hosts first, then the row, then the column."""
        one, other = (int(name[1:]) for name in cable.split("-"))
        side = chaos_schedule.SIDE
        row = [s for s in range(side * side) if s // side == one // side and s != one]
        column = [s for s in range(side * side) if s % side == one % side and s != one]
        return f"s{one}", f"p{2 + (row + column).index(other)}"

    def is_up(self, switch, port):
        shown = json.loads(bed.must("ip", "-n", self.space(switch), "-j", "link", "show", port))
        return "UP" in shown[0]["flags"]

    def cut(self, cable):
        switch, port = self.end_of(cable)
        if not self.is_up(switch, port):
            self.was_down.add(cable)  # nothing to cut, and who wakes it would mend it
            return
        self.promise.fails(time.monotonic(), "cut", cable)
        bed.must("ip", "-n", self.space(switch), "link", "set", port, "down")

    def mend(self, cable):
        if cable in self.was_down:
            return self.was_down.discard(cable)
        switch, port = self.end_of(cable)
        bed.must("ip", "-n", self.space(switch), "link", "set", port, "up")
        return self.promise.mended(time.monotonic(), "cut", cable)

    def read_daemon(self, switch):
        pid = int((self.boxes[switch] / "ovs-vswitchd.pid").read_text())
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
        pairs = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
        return words, dict(pair.split("=", 1) for pair in pairs if "=" in pair)

    def kill_switch(self, switch):
        self.promise.fails(time.monotonic(), "kill-switch", int(switch[1:]))
        os.kill(int((self.boxes[switch] / "ovs-vswitchd.pid").read_text()), signal.SIGKILL)

    def start_switch(self, switch):
        words, environment = self.daemons[switch]
        mine = (self.boxes[switch] / "br0.mgmt").stat().st_ino
        bed.must("ip", "netns", "exec", self.space(switch), *words, *([] if "--detach" in words else ["--detach"]),
                 env={**os.environ, **environment})
        end = time.monotonic() + 20
        while (inode := inode_of(self.boxes[switch] / "br0.mgmt")) in (mine, None):
            bed.expect(time.monotonic() < end, f"{switch} listens again: {inode}")
            time.sleep(0.01)
        self.channels.take_place(switch)
        self.promise.mended(time.monotonic(), "kill-switch", int(switch[1:]))
        self.start_agents_left([switch])

    # Controllers and control messages

    def alive(self):
        return [one for one in Controller.all if one.process.poll() is None]

    def leader(self):
        def generation(controller):
            led = [line for _, line in list(controller.lines) if "leads, generation" in line]
            return int(led[-1].split()[-1]) if led else 0
        return max(self.alive(), key=generation, default=None)

    def start_controllers(self):
        while len(self.alive()) < 2:
            Controller(self)
        self.promise.relieved(time.monotonic(), "no controller")

    def kill_leader(self):
        if not (leader := self.leader()):
            return
        leader.end()
        self.promise.troubled(time.monotonic(), "no controller")
        if self.alive():
            self.promise.relieved(time.monotonic(), "no controller")

    def kill_both(self):
        self.promise.troubled(time.monotonic(), "no controller")
        for controller in self.alive():
            controller.end()

    def stop_leader(self):
        if leader := self.leader():
            self.promise.troubled(time.monotonic(), "stopped")
            leader.signal(signal.SIGSTOP)
            self.stopped.append(leader)

    def go_on(self):
        for controller in self.stopped:
            controller.signal(signal.SIGCONT)
        self.stopped = []
        self.promise.relieved(time.monotonic(), "stopped")

    def trouble_channel(self, switch, mode):
        self.promise.troubled(time.monotonic(), "channel")
        for one in self.boxes if switch == "all" else [switch]:
            self.channels.set(one, mode, DELAY_S)

    def delay(self, switch):
        self.trouble_channel(switch, "delay")

    def stall(self, switch):
        self.trouble_channel(switch, "stall")

    def disconnect(self, switch):
        self.trouble_channel(switch, "disconnect")

    def refuse(self, switch):
        self.trouble_channel(switch, "refuse")

    def __getattr__(self, name):
        if name == "pass":
            return self.pass_all
        raise AttributeError(name)

    def pass_all(self, switch):
        switches = list(self.boxes) if switch == "all" else [switch]
        for one in switches:
            self.channels.set(one, "pass")
        self.promise.relieved(time.monotonic(), "channel")
        self.start_agents_left(switches)

    # Agents, load, operators

    def agent_pid(self, switch):
        return int((self.boxes[switch] / "ebb-agent.pid").read_text())

    def kill_agent(self, switch):
        os.kill(self.agent_pid(switch), signal.SIGKILL)

    def start_agents_left(self, switches):
        for switch in self.agents_to_start & set(switches):
            self.start_agent(switch)

    def start_agent(self, switch):
        """One whose switch is dead or not heard does not start, and says so after 20 s: it is started when that is over."""
        dead = any(kind == "kill-switch" and f"s{element}" == switch and end is None
                   for kind, element, _, end in self.promise.failures)
        if dead or self.channels.modes[switch][0] in ("stall", "disconnect"):
            self.agents_to_start.add(switch)
            return
        self.agents_to_start.discard(switch)
        folder = str(self.boxes[switch])
        done = bed.run(*self.on(switch, self.agent_program, folder, f"--pidfile={folder}/ebb-agent.pid", "--detach"))
        bed.expect(done.returncode == 0, f"the agent of {switch} starts: {done.stderr}")

    def begin_load(self):
        self.load = self.traffic(LOAD, LOAD_RATE, 600, "--bytes", str(LOAD_BYTES))

    def no_load(self):
        if self.load:
            self.load.send_signal(signal.SIGTERM)
            self.load.communicate(timeout=60)
        self.load = None

    def operator(self, verb, link):
        """May be refused, and may wait for a controller that hangs."""
        self.asked.append(subprocess.Popen([self.ebb, "fabric", verb, link, "--fabric", self.name],
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def take_out(self, link):
        self.operator("take-out", link)

    def put_back(self, link):
        self.operator("put-back", link)

    def ports_down(self):
        down = []
        for switch in self.boxes:
            shown = json.loads(bed.must("ip", "-n", self.space(switch), "-j", "link", "show"))
            down += [f"{switch} {port['ifname']}" for port in shown
                     if port["ifname"].startswith("p") and "UP" not in port["flags"]]
        return down


def inode_of(path):
    try:
        return path.stat().st_ino
    except OSError:
        return None


class Watch:
    """Looks at invariants every 200 ms."""

    def __init__(self, fabric):
        self.fabric, self.broken, self.most_asleep, self.busiest = fabric, [], 0, 0.0
        self.looks, self.longest_gap = 0, 0.0
        self.counts = {}
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self.thread.start()

    def finish(self):
        self.ends.set()
        self.thread.join()

    def _run(self):
        last = time.monotonic()
        while not self.ends.wait(0.2):
            self._count()
            self._read_status()
            self.looks += 1
            self.longest_gap = max(self.longest_gap, time.monotonic() - last)
            last = time.monotonic()

    def _breaks(self, what):
        if what not in [said for _, said in self.broken]:
            self.broken.append((time.monotonic(), what))

    def _count(self):
        for switch in self.fabric.boxes:
            frames, now = frames_sent(self.fabric.space(switch)), time.monotonic()
            at, before = self.counts.setdefault(switch, (now, frames))
            if now - at < 0.5:
                continue
            self.counts[switch] = (now, frames)
            for port, count in frames.items():
                rate = (count - before.get(port, count)) / (now - at)
                self.busiest = max(self.busiest, rate)
                if rate > MOST_FRAMES:
                    self._breaks(f"loop: {switch} {port} sends {rate:.0f} frames a second")

    def _read_status(self):
        try:
            status = json.loads((bed.STATE / self.fabric.name / "controller" / "status.json").read_text())
        except (OSError, ValueError):
            return
        asleep = [link["link"] for link in status["links"] if link["state"] == "asleep"]
        self.most_asleep = max(self.most_asleep, len(asleep))
        for link in status["links"]:
            # Operators may take out any link without which all are reached; a controller that begins has not seen
            # yet what another left diverted.
            if link["state"] in ("asleep", "draining") and not link["may_sleep"] and "policy" in link["why"]:
                self._breaks(f"{link['link']} of the core is {link['state']}")
        self._asleep_in_failure(asleep)

    def _asleep_in_failure(self, asleep):
        """A status is up to a second old, and written by a controller that works."""
        now, promise = time.monotonic(), self.fabric.promise
        for kind, element, begin, end in list(promise.failures):
            if end is None and promise.guided_for(2 * WAKE_LIMIT_S + 1.5, begin, now):
                left = [link for link in asleep if f"s{element}" not in link.split("-")]
                if left:
                    self._breaks(f"asleep though {kind} {element} {now - begin:.1f} s ago: {left}")


def recover(fabric, pairs):
    """Nothing is wrong any more: all is as it should be, within RECOVERY_S."""
    for link in chaos_schedule.cables():
        fabric.put_back(link)
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


def retire(fabric, pairs):
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
    for switch in fabric.boxes:
        for daemon in ("ovs-vswitchd", "ovsdb-server", "ebb-agent"):
            pid = (fabric.boxes[switch] / f"{daemon}.pid").read_text().strip()
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
    for switch, box in fabric.boxes.items():
        rows += [(change["at_s"], f"agent of {switch}: {change['port']} {change['change']}")
                 for change in json.loads((box / "agent.json").read_text())["changes"]]
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
        broken = [(time.monotonic(), what) for what in broken + retire(fabric, pairs)]
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
