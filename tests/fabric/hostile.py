#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile peers at every socket of a running controller, and hostile frames in its fabric: garbage, half and
oversized messages, a byte at a time, peers that do not read, a thousand idle connections, somebody who says to
be a switch that is there. Meanwhile links sleep and wake, no datagram is lost, and operators are answered in
time. Arguments: ebb, ebb-host, the traffic tool, then "metrics" when ebb can answer Prometheus."""
import json
import os
import pathlib
import random
import re
import resource
import select
import socket
import stat
import struct
import sys
import threading
import time

import bed
from live import Live, expect_carried

TOPOLOGY = "{family: complete, switches: 4, hosts: 1}"
SWITCHES = 4
WITH_METRICS = sys.argv[4:5] == ["metrics"]
# An operator is answered within. A controller that waited for a peer would do so for 5 s or more; what is less is a
# busy machine.
ANSWER_LIMIT_S = 4.0
GONE_LIMIT_S = 60.0    # a peer that must go has gone within: its own 5 or 10 s, after it waited at a full server
IDLE = {"listeners": 600, "control": 300, "metrics": 100}
# As docs/fabric/security.md has them.
MOST_UNKNOWN, MOST_CALLERS, MOST_SCRAPERS, LONGEST_LINE, NOTICES_AT_ONCE = 8, 32, 16, 200, 100
HELLO, ECHO_REQUEST, FEATURES_REQUEST, FEATURES_REPLY = 0, 2, 5, 6
DMP, PROBE = 0x88b5, 0x88b6
# Datagrams a second: so few that the buffer of a software switch, some 270 frames, holds them while a busy machine
# keeps it from running for a second or two (1.5 s were seen).
RATE = 50
CYCLED = ("s0-s1", "s2-s3")
QUIET_PORT = "p3"  # of s0, to s2: a link that is not cycled


def message(kind, body=b"", xid=1, length=None, version=4):
    return struct.pack(">BBHI", version, kind, 8 + len(body) if length is None else length, xid) + body


class Besieged(Live):
    def start(self):
        super().start(*(["--metrics", "0"] if WITH_METRICS else []))
        found = [re.search(r"http://([\d.]+):(\d+)/", line) for line in self.log if "metrics at" in line]
        self.metrics = (found[0].group(1), int(found[0].group(2))) if found else None

    def listener(self, switch):
        return str(bed.STATE / self.name / f"s{switch}" / "br0.controller")

    def control(self):
        return str(bed.STATE / self.name / "controller" / "control")

    def sockets(self):
        """Everywhere that a peer can connect."""
        return [self.listener(0), self.control()] + ([self.metrics] if self.metrics else [])

    def own_log(self):
        return "\n".join(line for line in self.log if "at the listener" not in line)

    def said(self, text):
        return sum(text in line for line in self.log)


def connect(where):
    peer = socket.socket(socket.AF_UNIX if isinstance(where, str) else socket.AF_INET)
    peer.settimeout(GONE_LIMIT_S)
    peer.connect(where)
    return peer


def has_gone(peer, seconds=GONE_LIMIT_S):
    """Reads until the other side closes; whether it did within the time."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            if select.select([peer], [], [], left)[0] and not peer.recv(65536):
                return True
        except OSError:
            return True
    return False


def send_all(peer, data):
    """As much as the other side takes."""
    try:
        peer.sendall(data)
    except OSError:
        pass


class Watch(threading.Thread):
    """An operator who asks all the time, and how long the answers take."""

    def __init__(self, fabric):
        super().__init__(daemon=True)
        self.fabric, self.took, self.failed, self.over = fabric, [], [], threading.Event()
        self.pushed_out = 0
        self.start()

    def run(self):
        while not self.over.wait(0.02):
            began = time.monotonic()
            try:
                # A crowd may push one out who has not yet asked: he asks again, and the time runs on.
                while not (answer := self.ask()):
                    self.pushed_out += 1
                if json.loads(answer)["link"] != "s0-s1":
                    self.failed.append(answer)
            except (OSError, ValueError, KeyError) as problem:
                self.failed.append(problem)
            self.took.append(time.monotonic() - began)

    def ask(self):
        answer = b""
        with connect(self.fabric.control()) as peer:
            try:
                peer.sendall(b"explain s0-s1\n")
                while not answer.endswith(b"\n") and (piece := peer.recv(65536)):
                    answer += piece
            except ConnectionError:
                return b""
        return answer

    def finish(self):
        self.over.set()
        self.join()
        bed.expect(not self.failed, f"{len(self.failed)} of {len(self.took)} questions failed: {self.failed[:3]}")
        bed.expect(max(self.took) < ANSWER_LIMIT_S, f"an operator waited {max(self.took):.3f} s")
        took = sorted(self.took)
        return len(took), 1000 * took[len(took) // 2], 1000 * took[-1]


def check_modes(fabric):
    for path in [fabric.listener(switch) for switch in range(SWITCHES)] + [fabric.control()]:
        mode = stat.S_IMODE(os.stat(path).st_mode)
        bed.expect(mode == 0o600, f"{path} is its owner's alone: {mode:o}")
    for switch in range(SWITCHES):
        mode = stat.S_IMODE(os.stat(pathlib.Path(fabric.listener(switch)).parent).st_mode)
        bed.expect(mode == 0o700, f"the folder of s{switch} is its owner's alone: {mode:o}")
    process = pathlib.Path(f"/proc/{fabric.controller.pid}")
    for entry in (process / "fd").iterdir():
        if int(entry.name) > 2 and os.readlink(entry).startswith("socket:"):
            flags = int(re.search(r"flags:\s+(\d+)", (process / "fdinfo" / entry.name).read_text()).group(1), 8)
            bed.expect(flags & os.O_CLOEXEC, f"descriptor {entry.name} does not outlive exec")


def check_garbage(fabric):
    chance = random.Random(1)
    pieces = [chance.randbytes(chance.randrange(1, 3000)) for _ in range(20)]
    pieces += [message(HELLO) + chance.randbytes(500) for _ in range(20)]
    pieces += [message(HELLO, length=length) + bytes(64) for length in range(8)]
    pieces += [message(HELLO) + message(FEATURES_REPLY, length=length) + bytes(64) for length in range(8)]
    pieces += [b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 20000, b"x" * (LONGEST_LINE + 1) + b"\n", b"\n" * 100000]
    peers = []
    for where in fabric.sockets():
        for piece in pieces:
            peer = connect(where)
            send_all(peer, piece)
            peers.append(peer)
    bed.expect(all(has_gone(peer) for peer in peers), "whoever sends garbage is left within its time")
    return len(peers)


def check_half(fabric):
    """Begun and never ended: the header of the longest message, half a line, half a request."""
    peers = []
    for where, half in zip(fabric.sockets(), (message(HELLO, length=65535), b"explain s0", b"GET /metrics HTT")):
        peers.append(connect(where))
        send_all(peers[-1], half)
    return peers


def byte_at_a_time(fabric, lasted):
    """Busy all the time, and never done. Notes how long it was borne with each."""
    peers = [(connect(where), time.monotonic()) for where in fabric.sockets()]
    while peers and time.monotonic() - peers[0][1] < GONE_LIMIT_S:
        for peer, began in list(peers):
            try:
                peer.sendall(b"\x04")
                if select.select([peer], [], [], 0)[0] and not peer.recv(65536):
                    raise ConnectionError
            except OSError:
                peers.remove((peer, began))
                lasted.append(time.monotonic() - began)
        time.sleep(0.05)


def check_flood_before_greeting(fabric):
    """Echo requests that we would have to answer, from somebody who has not said who he is and does not read."""
    peer = connect(fabric.listener(1))
    peer.settimeout(GONE_LIMIT_S)
    send_all(peer, message(HELLO) + message(ECHO_REQUEST, bytes(60000)) * 20)
    bed.expect(has_gone(peer), "somebody unknown does not fill our memory")


def check_no_reader(fabric):
    peer = connect(fabric.control())
    send_all(peer, b"explain s0-s1\n" * 5000)
    bed.expect(has_gone(peer), "an operator has so many lines")


def open_descriptors(fabric):
    return len(list(pathlib.Path(f"/proc/{fabric.controller.pid}/fd").iterdir()))


def check_idle(fabric, before):
    peers = []
    for number in range(IDLE["listeners"]):
        peers.append(connect(fabric.listener(number % SWITCHES)))
    for _ in range(IDLE["control"]):
        peers.append(connect(fabric.control()))
    for _ in range(IDLE["metrics"] if fabric.metrics else 0):
        peers.append(connect(fabric.metrics))
    held = open_descriptors(fabric) - before
    a_moment = 4  # the status file while it is written, a peer for whom another goes
    most = SWITCHES * MOST_UNKNOWN + MOST_CALLERS + MOST_SCRAPERS + a_moment
    bed.expect(held <= most, f"{held} descriptors held by {len(peers)} idle peers; at most {most}")
    return peers, held


def pretend(fabric, listener, datapath):
    """Says to be that switch; the kinds of messages that it is sent after that, until it is left."""
    peer = connect(fabric.listener(listener))
    send_all(peer, message(HELLO))
    heard, pretended, kinds = b"", False, []
    while True:
        try:
            piece = peer.recv(65536)
        except ConnectionError:
            return kinds
        if not piece:
            return kinds
        heard += piece
        while len(heard) >= 8 and len(heard) >= struct.unpack(">H", heard[2:4])[0]:
            kind, length, xid = heard[1], *struct.unpack(">HI", heard[2:8])
            heard = heard[length:]
            if pretended:
                kinds.append(kind)
            if kind == FEATURES_REQUEST:
                send_all(peer, message(FEATURES_REPLY, struct.pack(">QIBB2xII", datapath, 0, 254, 0, 0, 0), xid))
                pretended = True


def check_impostors(fabric):
    """At the listener of a switch that is here, as itself, as another one and as nobody."""
    since = len(fabric.log)
    for listener, datapath in ((0, 1), (0, 2), (1, 1), (2, 99), (3, 0), (3, 2**64 - 1)):
        kinds = pretend(fabric, listener, datapath)
        bed.expect(not kinds, f"nothing is said to one who says {datapath} at the listener of s{listener}: {kinds}")
    fabric.wait_for("unknown peer at the listener of s0 says to be a switch that is connected already: refused", 5, since)
    fabric.wait_for("unknown peer at the listener of s2 says that its number is 0x63: refused", 5, since)
    for _ in range(3 * NOTICES_AT_ONCE):
        pretend(fabric, 0, 1)
    told = fabric.said("at the listener of s0 ")
    bed.expect(told <= NOTICES_AT_ONCE + 60, f"{told} lines for {3 * NOTICES_AT_ONCE} impostors")
    bed.expect(not fabric.said("has gone"), "no switch was displaced:\n" + "\n".join(fabric.log[-20:]))
    return told


def dropped_dmp(fabric):
    """Frames that met the rule which drops requests for addresses between switches."""
    total = 0
    for switch in range(SWITCHES):
        flows = bed.must(*fabric.on(f"s{switch}", "ovs-ofctl", "-O", "OpenFlow13", "dump-flows", "br0"))
        rule = [line for line in flows.splitlines() if "dl_type=0x88b5" in line and "actions=drop" in line]
        bed.expect(len(rule) == 1, f"one rule that drops: {rule}")
        total += int(re.search(r"n_packets=(\d+)", rule[0]).group(1))
    return total


def send_frames(fabric, node, interface, ether_type, count):
    return int(bed.must(*fabric.on(node, sys.executable, __file__, "--frames", interface, str(ether_type), str(count))))


def check_frames(fabric):
    """Out of the port of a switch, as if over the cable from a neighbour; and out of a host."""
    before = dropped_dmp(fabric)
    answers = send_frames(fabric, "s0", QUIET_PORT, DMP, 200)
    bed.expect(answers == 0, f"{answers} answers to requests for addresses between switches")
    end = time.monotonic() + 10
    while (met := dropped_dmp(fabric) - before) < 200:
        bed.expect(time.monotonic() < end, f"{met} of 200 requests between switches were dropped")
        time.sleep(0.1)
    send_frames(fabric, "h3", "eth0", PROBE, 300)
    bed.expect(not fabric.said("wrong cable"), "a host cannot say where cables lead")
    flows = bed.must(*fabric.on("s3", "ovs-ofctl", "-O", "OpenFlow13", "dump-flows", "br0", "table=0,dl_type=0x88b6"))
    met = sum(int(count) for count in re.findall(r"n_packets=(\d+).*actions=drop", flows))
    bed.expect(met >= 300, f"the switch drops probes of a host: {flows}")


def frames(interface, ether_type, count):
    """Runs in a namespace: sends, and prints how many of this kind came in within a second."""
    peer = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ether_type))
    peer.bind((interface, ether_type))
    magic = b"ebb-dmp\x01" if ether_type == DMP else b"ebb-wire"
    frame = bytes.fromhex("0180c200000e02000000fffe") + struct.pack(">H", ether_type) + magic
    frame = (frame + bytes(16)).ljust(60, b"\0")
    for number in range(count):
        peer.send(frame)
        if number % 20 == 19:
            time.sleep(0.01)
    peer.settimeout(0.2)
    came, end = 0, time.monotonic() + 1
    while time.monotonic() < end:
        try:
            came += peer.recvfrom(2000)[1][2] != socket.PACKET_OUTGOING
        except TimeoutError:
            pass
    print(came)


class Sleeper(threading.Thread):
    """Links sleep and wake as long as it lasts. On a busy machine a switch may be too slow to say that a link is
    quiet; that link then stays awake, as it should, and is drained again."""

    def __init__(self, fabric):
        super().__init__(daemon=True)
        self.fabric, self.over, self.problem = fabric, threading.Event(), None
        self.cycles, self.rolled_back = 0, 0
        self.start()

    def run(self):
        try:
            while not self.over.is_set():
                for link in CYCLED:
                    self.cycle(link)
        except SystemExit as problem:
            self.problem = problem

    def cycle(self, link):
        if self.insist("drain", link, (f"{link} asleep:", f"{link} active:")) == 0:
            self.cycles += 1
            self.insist("undrain", link, (f"{link} active:",))
            return
        self.rolled_back += 1
        end = time.monotonic() + 30
        while (asked := self.fabric.ask("undrain", link)).returncode != 0:  # nothing changes but that
            bed.expect(time.monotonic() < end, f"undrain {link}: {asked.stderr}")

    def insist(self, verb, link, texts):
        """Which of the lines came; asks again when a crowd pushed the question out."""
        since, end = len(self.fabric.log), time.monotonic() + 30
        while time.monotonic() < end:
            asked = self.fabric.ask(verb, link)
            again = time.monotonic() + (5 if asked.returncode == 0 else 0.2)
            while time.monotonic() < again:
                for which, text in enumerate(texts):
                    if any(text in line for line in self.fabric.log[since:]):
                        return which
                time.sleep(0.01)
        sys.exit(f"{verb} {link}: {asked.stdout}{asked.stderr}")

    def finish(self):
        self.over.set()
        self.join()
        bed.expect(self.problem is None, f"links sleep and wake: {self.problem}\n{self.fabric.own_log()}")
        bed.expect(self.cycles > 4 * self.rolled_back, f"{self.rolled_back} stayed awake, {self.cycles} slept")
        return self.cycles


def besiege(fabric):
    load = fabric.traffic([("h0", "h1"), ("h2", "h0"), ("h1", "h2")], RATE, 600)
    before = open_descriptors(fabric)
    watch, sleeper = Watch(fabric), Sleeper(fabric)
    began = fabric.status()["at_s"]
    half, lasted = check_half(fabric), []
    slow = threading.Thread(target=byte_at_a_time, args=(fabric, lasted), daemon=True)
    slow.start()
    print(f"garbage and wrong lengths: {check_garbage(fabric)} peers, all left")
    check_flood_before_greeting(fabric)
    check_no_reader(fabric)
    slow.join()
    bed.expect(len(lasted) == len(fabric.sockets()), f"who sends a byte at a time is left within {GONE_LIMIT_S} s")
    print(f"a byte at a time: all left, the last after {max(lasted):.1f} s")
    bed.expect(all(has_gone(peer) for peer in half), "who never ends a message is left")
    idle, held = check_idle(fabric, before)
    print(f"{len(idle)} idle peers hold {held} descriptors")
    print(f"impostors: all refused, in {check_impostors(fabric)} lines")
    check_frames(fabric)
    print("requests for addresses between switches dropped, probes of a host as well")
    cycles = sleeper.finish()
    questions, median, worst = watch.finish()
    status = fabric.status()
    result = fabric.finish(load, early=True)
    bed.expect(status["at_s"] > began and not status["switches_away"], f"all switches are here: {status['switches_away']}")
    bed.expect(any(link["used"] > 0 for link in status["links"]), "counters are read")
    expect_carried(result, fabric.own_log())
    for peer in idle:
        peer.close()
    print(f"meanwhile {cycles} links slept and woke, 0 of {result['sent']} datagrams lost; {questions} questions of an "
          f"operator answered, median {median:.1f} ms, slowest {worst:.1f} ms")


def main():
    bed.skip_unless_possible("ovs-ofctl")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4096), most))
    with Besieged(sys.argv[1:4], bed.own_name("x"), TOPOLOGY) as fabric:
        check_modes(fabric)
        besiege(fabric)
        bed.expect(fabric.controller.poll() is None, "the controller runs")


if __name__ == "__main__":
    if sys.argv[1] == "--frames":
        frames(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        bed.test(main)
