# SPDX-License-Identifier: Apache-2.0
"""Queues of a switch, seen from outside: what waits in each and what it has sent, by netlink, as often as
possible. Shares no code with the agent that it judges."""
import ctypes
import os
import socket
import struct
import threading
import time

RTM_NEWQDISC, RTM_GETQDISC, NLMSG_DONE = 36, 38, 3
NLM_F_REQUEST_DUMP = 0x301
TC_H_ROOT = 0xFFFFFFFF
TCA_STATS2, TCA_STATS_QUEUE, TCA_STATS_BASIC = 7, 3, 1
CLONE_NEWNET = 0x40000000


def socket_in(space):
    """A socket stays in the namespace in which it was made; the thread that made it ends there. Also the names
    of the interfaces of the namespace."""
    made = {}

    def make():
        libc = ctypes.CDLL(None, use_errno=True)
        with open(f"/run/netns/{space}") as file:
            if libc.setns(file.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), f"setns {space}")
        made["socket"] = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        made["names"] = {index: name for index, name in socket.if_nameindex()}

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    return made["socket"], made["names"]


def parts(data):
    at = 0
    while at + 4 <= len(data):
        length, kind = struct.unpack_from("HH", data, at)
        if length < 4:
            return
        yield kind & 0x3FFF, data[at + 4:at + length]
        at += (length + 3) & ~3


class QueueWatch:
    """`samples` are (time, {port: (bytes waiting, packets sent)})."""

    def __init__(self, space):
        self.socket, self.names = socket_in(space)
        self.samples, self.stopped = [], False
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped = True
        self.thread.join()
        self.socket.close()

    def _watch(self):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), -20)  # this thread
        while not self.stopped:
            self.samples.append((time.monotonic(), self.read()))
            time.sleep(0.001)

    def read(self):
        self.socket.send(struct.pack("IHHIIBxHiIII", 36, RTM_GETQDISC, NLM_F_REQUEST_DUMP, 1, 0, 0, 0, 0, 0, 0, 0))
        queues = {}
        while True:
            data = self.socket.recv(65536)
            at = 0
            while at + 16 <= len(data):
                length, kind = struct.unpack_from("IH", data, at)
                if kind == NLMSG_DONE:
                    return queues
                if kind == RTM_NEWQDISC:
                    self._take(data[at + 16:at + length], queues)
                at += (length + 3) & ~3

    def _take(self, body, queues):
        _, interface, _, parent, _ = struct.unpack_from("BxxxiIII", body)
        if parent != TC_H_ROOT or interface not in self.names:
            return
        for kind, data in parts(body[20:]):
            if kind == TCA_STATS2:
                found = dict(parts(data))
                waiting = struct.unpack_from("II", found[TCA_STATS_QUEUE])[1]
                packets = struct.unpack_from("QI", found[TCA_STATS_BASIC])[1]
                queues[self.names[interface]] = (waiting, packets)


def diversions(samples, port, detour, high, silent):
    """From each time that the queue of `port` was above `high` bytes to the next packet that its detour sent, in
    ms; only when the detour had been silent for so many seconds."""
    times, since, last_sent, quiet_from = [], None, None, None
    for at, queues in samples:
        waiting, sent = queues[port][0], queues[detour][1]
        if last_sent is None or sent != last_sent:
            if since is not None:
                times.append(1000 * (at - since))
                since = None
            quiet_from = at
        elif since is None and waiting > high and at - quiet_from > silent:
            since = at
        last_sent = sent
    return times
