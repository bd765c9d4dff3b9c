# SPDX-License-Identifier: Apache-2.0
"""Faults of cables and switches: what a network can do to frames. Each fault is a method, named as in
chaos_schedule.py, and knows how it ends. Frames are lost, or taken elsewhere, in the kernel (chaos_bpf.py)."""
import collections
import heapq
import json
import os
import pathlib
import random
import select
import signal
import socket
import threading
import time

import bed
import chaos_bpf
from chaos_probe import enter, in_thread
from chaos_schedule import SIDE, cable_of, ends_of

SHARE_LOST = 0.3
LATE_S, REORDER_S = 0.15, 0.08
MOST_FRAMES = 1000  # a second through a relay: wrong cables may make a loop
OUTGOING = 4  # of AF_PACKET: sent by ourselves


def port_to(switch, other):
    """The port of a switch that leads to another: hosts first, then the row, then the column."""
    row = [s for s in range(SIDE * SIDE) if s // SIDE == switch // SIDE and s != switch]
    column = [s for s in range(SIDE * SIDE) if s % SIDE == switch % SIDE and s != switch]
    return f"p{2 + (row + column).index(other)}"


def ports_of(cable):
    """[(switch, port)] of both ends."""
    a, b = ends_of(cable)
    return [(f"s{a}", port_to(a, b)), (f"s{b}", port_to(b, a))]


def in_space(space, call, *words):
    def work():
        enter(space)
        return call(*words)
    return in_thread(work)


def attach(space, port, make):
    """A program at a port of this namespace. In a thread of its own."""
    return in_space(space, lambda: chaos_bpf.on_arrival(make(), socket.if_nametoindex(port)))


class Tap:
    """At a port: takes frames that arrive there, and lets others arrive there instead."""

    def __init__(self, space, port):
        self.space, self.inner, self.outer = space, f"x{port}i", f"x{port}o"
        for words in (("add", self.inner, "type", "veth", "peer", "name", self.outer), ("set", self.inner, "up"), ("set", self.outer, "up")):
            bed.must("ip", "-n", space, "link", *words)
        self.socket, self.arrives, self.takes = in_space(space, self._open, port)

    def _open(self, port):
        opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        opened.bind((self.outer, 3))
        opened.setblocking(False)
        index = socket.if_nametoindex
        return (opened, chaos_bpf.into(index(port), index(self.inner)),
                chaos_bpf.on_arrival(chaos_bpf.leave_for(index(self.inner)), index(port)))

    def fileno(self):
        return self.socket.fileno()

    def taken(self):
        try:
            while True:
                frame, where = self.socket.recvfrom(4096)
                if where[2] != OUTGOING:
                    yield frame
        except OSError:
            return

    def put(self, frame):
        try:
            self.socket.send(chaos_bpf.MAGIC + frame)
        except OSError:
            pass

    def take_no_more(self):
        """What is on its way still arrives."""
        chaos_bpf.replace(self.takes, chaos_bpf.leave_for(None))

    def close(self):
        os.close(self.takes)
        os.close(self.arrives)
        self.socket.close()
        bed.run("ip", "-n", self.space, "link", "del", self.inner)


class Relay:
    """Frames that arrive at ports are late, overtake each other, come twice, or arrive elsewhere. Ways are pairs of
    (namespace, port): from where to where."""

    def __init__(self, kind, ways):
        self.kind, self.ends, self.chance = kind, False, random.Random(kind)
        places = sorted({place for way in ways for place in way})
        self.taps = {place: Tap(*place) for place in places}
        self.leads_to = {self.taps[here]: self.taps[there] for here, there in ways}
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _due(self, now):
        times = {"twice": [now, now], "late": [now + LATE_S], "reorder": [now + self.chance.uniform(0, REORDER_S)]}
        return times.get(self.kind, [now])

    def _run(self):
        waiting, number, second, passed = [], 0, 0, 0
        while not self.ends or waiting:
            if second != (second := int(time.monotonic())):
                passed = 0
            wait = min(0.05, waiting[0][0] - time.monotonic()) if waiting else 0.05
            for tap in select.select(list(self.leads_to), [], [], max(0.0, wait))[0]:
                for frame in tap.taken():
                    passed += 1
                    if passed > MOST_FRAMES * len(self.leads_to):
                        continue
                    for due in self._due(time.monotonic()):
                        number += 1
                        heapq.heappush(waiting, (due, number, self.leads_to[tap], frame))
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, tap, frame = heapq.heappop(waiting)
                tap.put(frame)

    def close(self):
        for tap in self.taps.values():  # frames take the direct way again
            tap.take_no_more()
        time.sleep(0.01)
        self.ends = True
        self.thread.join()
        time.sleep(0.01)
        for tap in self.taps.values():
            tap.close()


class Cables:
    """Of a fabric with `space`, `promise`, `devices`, `channels`."""

    def prepare_cables(self):
        self.undo = collections.defaultdict(list)  # by target: what mends it

    def is_up(self, switch, port):
        shown = json.loads(bed.must("ip", "-n", self.space(switch), "-j", "link", "show", port))
        return "UP" in shown[0]["flags"]

    def is_used(self, cable):
        return all(self.is_up(*end) for end in ports_of(cable))

    def set_port(self, switch, port, state):
        bed.must("ip", "-n", self.space(switch), "link", "set", port, state)

    def cut(self, cable):
        switch, port = ports_of(cable)[0]
        if not self.is_used(cable):
            return  # nothing to cut, and who wakes it would mend it
        self.promise.fails(time.monotonic(), "cut", cable)
        self.set_port(switch, port, "down")
        self.undo[cable].append(lambda: self.set_port(switch, port, "up"))

    def mend(self, target):
        for call in self.undo.pop(target, []):
            call()
        kinds = ("cut", "loss", "dead", "lossy", "late", "reorder", "twice")
        self.promise.mended(time.monotonic(), kinds, cable_of(target))

    def lose(self, kind, target, arriving_at, share):
        """Frames that arrive at these ports are lost."""
        cable = cable_of(target)
        used = self.is_used(cable)
        for switch, port in arriving_at:
            program = attach(self.space(switch), port, lambda: chaos_bpf.drop_share(share))
            self.undo[target].append(lambda program=program: os.close(program))
        self.promise.fails(time.monotonic(), kind, cable, used)

    def loss(self, direction):
        a, b = ends_of(direction)
        self.lose("loss", direction, [(f"s{b}", port_to(b, a))], 1)

    def dead(self, cable):
        self.lose("dead", cable, ports_of(cable), 1)

    def lossy(self, direction):
        a, b = ends_of(direction)
        self.lose("lossy", direction, [(f"s{b}", port_to(b, a))], SHARE_LOST)

    def slow(self, kind, direction):
        a, b = ends_of(direction)
        self.promise.fails(time.monotonic(), kind, cable_of(direction))
        port = (self.space(f"s{b}"), port_to(b, a))
        self.undo[direction].append(Relay(kind, [(port, port)]).close)

    def late(self, direction):
        self.slow("late", direction)

    def reorder(self, direction):
        self.slow("reorder", direction)

    def twice(self, direction):
        self.slow("twice", direction)

    # Two cables of one switch, plugged the wrong way round there

    def swap(self, target):
        hub, one, other = (int(name[1:]) for name in target.split(","))
        here = [(self.space(f"s{hub}"), port_to(hub, end)) for end in (one, other)]
        there = [(self.space(f"s{end}"), port_to(end, hub)) for end in (one, other)]
        used = [self.is_used(cable_of(f"s{hub}-s{end}")) for end in (one, other)]
        self.undo[target].append(Relay("swap", [tuple(here), tuple(reversed(here)), tuple(there), tuple(reversed(there))]).close)
        for end, was_used in zip((one, other), used):
            self.promise.fails(time.monotonic(), "swap", cable_of(f"s{hub}-s{end}"), was_used)

    def unswap(self, target):
        for call in self.undo.pop(target, []):
            call()
        hub, one, other = target.split(",")
        for end in (one, other):
            self.promise.mended(time.monotonic(), ("swap",), cable_of(f"{hub}-{end}"))

    # Switches

    def read_daemon(self, switch):
        pid = int((self.devices[switch] / "ovs-vswitchd.pid").read_text())
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
        pairs = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
        return words, dict(pair.split("=", 1) for pair in pairs if "=" in pair)

    def kill_switch(self, switch):
        self.promise.fails(time.monotonic(), "kill-switch", int(switch[1:]))
        os.kill(int((self.devices[switch] / "ovs-vswitchd.pid").read_text()), signal.SIGKILL)

    def reboot_switch(self, switch):
        """Unlike a daemon that was killed, a switch begins with all its ports up."""
        self.promise.fails(time.monotonic(), "reboot-switch", int(switch[1:]))
        os.kill(int((self.devices[switch] / "ovs-vswitchd.pid").read_text()), signal.SIGKILL)
        for port in range(1, 2 * SIDE):
            self.set_port(switch, f"p{port}", "up")

    def start_switch(self, switch):
        words, environment = self.daemons[switch]
        mine = (self.devices[switch] / "br0.mgmt").stat().st_ino
        bed.must("ip", "netns", "exec", self.space(switch), *words, *([] if "--detach" in words else ["--detach"]),
                 env={**os.environ, **environment})
        end = time.monotonic() + 20
        while (inode := inode_of(self.devices[switch] / "br0.mgmt")) in (mine, None):
            bed.expect(time.monotonic() < end, f"{switch} listens again: {inode}")
            time.sleep(0.01)
        self.channels.take_place(switch)
        self.promise.mended(time.monotonic(), ("kill-switch", "reboot-switch"), int(switch[1:]))
        self.start_agents_left([switch])

    def mend_all(self):
        """Whatever a schedule left, and for the end of a run that broke off."""
        for target in list(self.undo):
            self.unswap(target) if "," in target else self.mend(target)


def inode_of(path):
    try:
        return path.stat().st_ino
    except OSError:
        return None
