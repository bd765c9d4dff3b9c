# SPDX-License-Identifier: Apache-2.0
"""Numbered datagrams between all pairs of hosts, all the time, and what ports of switches count."""
import ctypes
import fcntl
import os
import selectors
import socket
import struct
import threading
import time

PORT = 19000
NEWNET = 0x40000000
FORMAT = struct.Struct("!HHI")
LATE_S = 2.0  # later is lost
STALL_S = 0.15

libc = ctypes.CDLL(None, use_errno=True)


def enter(space):
    """This thread, and what it opens, from now on."""
    file = os.open(f"/run/netns/{space}", os.O_RDONLY)
    try:
        if libc.setns(file, NEWNET):
            raise OSError(ctypes.get_errno(), space)
    finally:
        os.close(file)


def in_thread(call, *words):
    made = []
    thread = threading.Thread(target=lambda: made.append(call(*words)))
    thread.start()
    thread.join()
    return made[0]


def open_socket(space, address):
    enter(space)
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    opened.bind((address, PORT))
    opened.setblocking(False)
    return opened


class AllPairs:
    """`sent[pair]` are times; `seen[pair]` the numbers that came."""

    def __init__(self, fabric, rate):
        self.hosts = list(fabric.addresses)
        self.addresses = [fabric.addresses[host] for host in self.hosts]
        self.sockets = [in_thread(open_socket, f"ebb-{fabric.name}-{host}", address)
                        for host, address in zip(self.hosts, self.addresses)]
        self.pairs = [(a, b) for a in range(len(self.hosts)) for b in range(len(self.hosts)) if a != b]
        self.sent = {pair: [] for pair in self.pairs}
        self.seen = {pair: set() for pair in self.pairs}
        self.twice, self.unsent, self.rate = [], 0, rate
        self.stalls = []  # when the sender came too late: the machine had no processor for it
        self.ends = threading.Event()
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self._send, self._receive)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def finish(self):
        self.ends.set()
        for thread in self.threads:
            thread.join()
        for one in self.sockets:
            one.close()

    def _send(self):
        begin, number = time.monotonic(), 0
        while not self.ends.is_set():
            for at, (a, b) in enumerate(self.pairs):
                if at % 9 == 0:  # not all at once
                    due = begin + (number + at / len(self.pairs)) / self.rate
                    time.sleep(max(0.0, due - time.monotonic()))
                    if (now := time.monotonic()) > due + STALL_S:
                        self.stalls.append((due, now))
                        begin += now - due
                times = self.sent[a, b]
                times.append(time.monotonic())
                try:
                    self.sockets[a].sendto(FORMAT.pack(a, b, len(times) - 1), (self.addresses[b], PORT))
                except OSError:  # never was in the network: ARP has no answer, or the interface is full
                    times.pop()
                    self.unsent += 1
            number += 1

    def _receive(self):
        select = selectors.DefaultSelector()
        for one in self.sockets:
            select.register(one, selectors.EVENT_READ)
        last = time.monotonic()
        while not self.ends.is_set() or time.monotonic() < last + LATE_S:
            if not self.ends.is_set():
                last = time.monotonic()
            for key, _ in select.select(0.1):
                try:
                    while True:
                        self._take(key.fileobj.recv(64))
                except OSError:
                    pass

    def _take(self, data):
        a, b, number = FORMAT.unpack(data[:FORMAT.size])
        if number in self.seen[a, b]:
            self.twice.append(self.sent[a, b][number])
        self.seen[a, b].add(number)

    def answered_since(self, at):
        """Pairs of which something arrived that was sent later."""
        return sum(any(number in self.seen[pair] for number in range(len(times) - 1, -1, -1) if times[number] > at)
                   for pair, times in self.sent.items())

    def stalled(self, at):
        """Whether the machine stood still about that time: nobody can tell whose fault it was then."""
        return any(begin - 0.5 < at < end + 0.5 for begin, end in self.stalls)

    def count(self):
        return sum(map(len, self.sent.values()))

    def lost(self):
        """[(pair, number, when it was sent)]"""
        return [(pair, number, at) for pair, times in self.sent.items() for number, at in enumerate(times)
                if number not in self.seen[pair]]


class PortLook:
    """Of each port of a switch: whether it is up, as its administrator wants it, and the frames it sent. For a thread
    that may stay in the namespace of the last switch."""
    FLAGS = 0x8913

    def __init__(self, fabric):
        self.spaces = {switch: fabric.space(switch) for switch in fabric.devices}
        self.sockets = {switch: in_thread(self._open, space) for switch, space in self.spaces.items()}

    @staticmethod
    def _open(space):
        enter(space)
        return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def close(self):
        for one in self.sockets.values():
            one.close()

    def _is_up(self, switch, port):
        try:
            flags = fcntl.ioctl(self.sockets[switch], self.FLAGS, struct.pack("16sh22x", port.encode(), 0))
        except OSError:  # a port that is just being moved
            return False
        return bool(struct.unpack_from("16sH", flags)[1] & 1)

    def look(self):
        found = {}
        for switch, space in self.spaces.items():
            enter(space)
            with open("/proc/thread-self/net/dev") as file:
                rows = [row.split(":") for row in file.readlines()[2:]]
            for name, counts in rows:
                if (port := name.strip()).startswith("p"):
                    found[switch, port] = (self._is_up(switch, port), int(counts.split()[9]))
        return found
