# SPDX-License-Identifier: Apache-2.0
"""Between controllers and switches: control messages come late, not for a while, or connections break; a switch
refuses changes of ports or groups, does not answer how much its ports sent, or says that a port is up which is down. A
message cannot be lost alone on a stream: what is lost on the way is a stall, and a stall that lasts is a broken
connection. Who wrote to which switch, and in which generation, is kept."""
import collections
import os
import selectors
import socket
import struct
import threading
import time

EXPERIMENTER, PORT_STATUS, FLOW_MOD, GROUP_MOD, PORT_MOD, MULTIPART_REPLY, ROLE_REQUEST = 4, 12, 14, 15, 16, 19, 24
WRITES = (EXPERIMENTER, FLOW_MOD, GROUP_MOD, PORT_MOD)
PORT_STATS, MASTER, BUNDLE_ADD = 4, 2, 2301
PORT_REFUSED, GROUP_REFUSED = struct.pack("!HH", 7, 4), struct.pack("!HH", 6, 14)  # eperm, both
PORT_DOWN, LINK_DOWN, LIVE = 1, 1, 4


def port_of(message):
    """(port, whether it shall go down) of a change of a port."""
    return struct.unpack("!I", message[8:12])[0], bool(message[27] & PORT_DOWN)


def is_about_groups(message):
    """Alone, or in a bundle."""
    return message[1] == GROUP_MOD or (message[1] == EXPERIMENTER and len(message) > 25
                                       and struct.unpack("!I", message[12:16])[0] == BUNDLE_ADD and message[25] == GROUP_MOD)


def said_up(message):
    """The same message about a port that is up."""
    config, state = struct.unpack("!II", message[48:56])
    return message[:48] + struct.pack("!II", config & ~PORT_DOWN, state & ~LINK_DOWN | LIVE) + message[56:]


class Side:
    """One direction of a connection."""

    def __init__(self, source, sink, to_switch, process):
        self.source, self.sink, self.to_switch, self.process = source, sink, to_switch, process
        self.data, self.waiting = b"", []
        self.other, self.generation, self.blocked = None, None, False

    def messages(self):
        while len(self.data) >= 4 and len(self.data) >= (length := struct.unpack("!H", self.data[2:4])[0]) > 0:
            yield self.data[:length]
            self.data = self.data[length:]

    def refuse(self, message, reason):
        self.other.waiting.append((0.0, refusal(message, reason)))


def refusal(message, reason):
    body = reason + message[:64]
    return struct.pack("!BBH", 4, 1, 8 + len(body)) + message[4:8] + body


class Channels:
    """In the place of each switch's management socket."""

    def __init__(self, devices):
        self.devices = devices  # of switches, by name
        self.modes = {switch: ("pass", 0.0) for switch in devices}
        self.refused = 0
        self.held = {}          # (switch, port): refusals to go down that are kept until it shall go up; [] at first
        self.writers = collections.defaultdict(dict)  # of (switch, generation): when each process wrote first
        self.sides, self.listeners = {}, {}
        self.lock = threading.Lock()
        self.select = selectors.DefaultSelector()
        self.ends = False
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        for switch in self.devices:
            self.take_place(switch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ends = True
        self.thread.join()
        for listener in self.listeners.values():
            listener.close()

    def take_place(self, switch):
        """Once the switch listens; again when its daemon was started again."""
        path = self.devices[switch] / "br0.mgmt"
        with self.lock:
            if old := self.listeners.pop(switch, None):
                self.select.unregister(old)
                old.close()
            os.rename(path, f"{path}.switch")
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
            listener.listen(16)
            self.listeners[switch] = listener
            self.select.register(listener, selectors.EVENT_READ, ("listener", switch))

    def set(self, switch, mode, seconds=0.0):
        with self.lock:
            self.modes[switch] = (mode, seconds)

    def hold_refusals(self, switch, port):
        """The port does not go down, and the switch, which is busy, says so when the port is told to go up again."""
        with self.lock:
            self.held[switch, port] = []

    def let_refusals_go(self, switch, port):
        with self.lock:
            self._release(self.held.pop((switch, port), []))

    @staticmethod
    def _release(held):
        for side, message in held:
            side.refuse(message, PORT_REFUSED)
            side.blocked = False
        held.clear()

    def _run(self):
        while not self.ends:
            for key, _ in self.select.select(0.02):
                what, switch = key.data[:2]
                with self.lock:
                    if what == "listener" and self.listeners.get(switch) is key.fileobj:
                        self._admit(switch, key.fileobj)
                    elif what == "side" and key.fileobj in self.sides:
                        self._take(switch, self.sides[key.fileobj])
            with self.lock:
                self._pass_on()

    def _admit(self, switch, listener):
        client, _ = listener.accept()
        process = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
        up = socket.socket(socket.AF_UNIX)
        try:
            if self.modes[switch][0] == "disconnect":
                raise OSError("not now")
            up.connect(f"{self.devices[switch] / 'br0.mgmt'}.switch")
        except OSError:
            client.close()
            up.close()
            return
        there, back = Side(client, up, True, process), Side(up, client, False, process)
        there.other, back.other = back, there
        for side in (there, back):
            self.sides[side.source] = side
            self.select.register(side.source, selectors.EVENT_READ, ("side", switch))

    def _close(self, side):
        for one in (side, side.other):
            if self.sides.pop(one.source, None):
                self.select.unregister(one.source)
                one.source.close()

    def _take(self, switch, side):
        try:
            got = side.source.recv(65536)
        except OSError:
            got = b""
        if not got:
            return self._close(side)
        side.data += got
        mode, seconds = self.modes[switch]
        for message in side.messages():
            message = self._to_switch(switch, side, mode, message) if side.to_switch else self._from_switch(mode, message)
            if message is None:
                continue
            due = time.monotonic() + seconds if mode == "delay" else 0.0
            side.waiting.append((max(due, side.waiting[-1][0] if side.waiting else 0.0), message))
        return None

    def _to_switch(self, switch, side, mode, message):
        kind = message[1]
        if kind == ROLE_REQUEST and struct.unpack("!I", message[8:12])[0] == MASTER:
            side.generation = struct.unpack("!Q", message[16:24])[0]
        if kind in WRITES and side.generation is not None:
            self.writers[switch, side.generation].setdefault(side.process, time.monotonic())
        if mode == "refuse" and kind == PORT_MOD:
            self.refused += 1
            return side.refuse(message, PORT_REFUSED)
        if mode == "refuse-groups" and is_about_groups(message):
            self.refused += 1
            return side.refuse(message, GROUP_REFUSED)
        return self._overtake(switch, side, message) if kind == PORT_MOD else message

    def _overtake(self, switch, side, message):
        port, down = port_of(message)
        held = self.held.get((switch, port))
        if held is None:
            return message
        if not down:
            self._release(held)
            return message
        side.blocked = True
        self.refused += 1
        return held.append((side, message))

    @staticmethod
    def _from_switch(mode, message):
        if mode == "freeze" and message[1] == MULTIPART_REPLY and struct.unpack("!H", message[8:10])[0] == PORT_STATS:
            return None
        return said_up(message) if mode == "lie" and message[1] == PORT_STATUS else message

    def _pass_on(self):
        now = time.monotonic()
        for source, side in list(self.sides.items()):
            if source not in self.sides:
                continue
            mode = self.modes[self.select.get_key(source).data[1]][0]
            if mode == "disconnect":
                self._close(side)
            elif mode != "stall" and not side.blocked:
                self._send_due(side, now)

    def _send_due(self, side, now):
        due = 0
        while due < len(side.waiting) and side.waiting[due][0] <= now:
            due += 1
        if not due:
            return
        data = b"".join(message for _, message in side.waiting[:due])
        del side.waiting[:due]
        try:
            side.sink.sendall(data)
        except OSError:
            self._close(side)
