# SPDX-License-Identifier: Apache-2.0
"""Between controllers and switches: control messages come late, not for a while, or connections break, and a switch
refuses changes of ports. A message cannot be lost alone on a stream: what is lost on the way is a stall, and a stall that
lasts is a broken connection."""
import os
import selectors
import socket
import struct
import threading
import time

PORT_MOD = 16
NOT_PERMITTED = struct.pack("!HH", 7, 4)  # port mod failed: eperm


class Side:
    """One direction of a connection."""

    def __init__(self, source, sink, to_switch):
        self.source, self.sink, self.to_switch = source, sink, to_switch
        self.data, self.waiting = b"", []
        self.other = None

    def messages(self):
        while len(self.data) >= 4 and len(self.data) >= (length := struct.unpack("!H", self.data[2:4])[0]) > 0:
            yield self.data[:length]
            self.data = self.data[length:]


class Channels:
    """In the place of each switch's management socket."""

    def __init__(self, devices):
        self.devices = devices  # of switches, by name
        self.modes = {switch: ("pass", 0.0) for switch in devices}
        self.refused = 0
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
        up = socket.socket(socket.AF_UNIX)
        try:
            if self.modes[switch][0] == "disconnect":
                raise OSError("not now")
            up.connect(f"{self.devices[switch] / 'br0.mgmt'}.switch")
        except OSError:
            client.close()
            up.close()
            return
        there, back = Side(client, up, True), Side(up, client, False)
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
            if mode == "refuse" and side.to_switch and message[1] == PORT_MOD:
                self.refused += 1
                body = NOT_PERMITTED + message[:64]
                error = struct.pack("!BBH", 4, 1, 8 + len(body)) + message[4:8] + body
                side.other.waiting.append((0.0, error))
                continue
            due = time.monotonic() + seconds if mode == "delay" else 0.0
            side.waiting.append((max(due, side.waiting[-1][0] if side.waiting else 0.0), message))
        return None

    def _pass_on(self):
        now = time.monotonic()
        for source, side in list(self.sides.items()):
            if source not in self.sides:
                continue
            mode = self.modes[self.select.get_key(source).data[1]][0]
            if mode == "disconnect":
                self._close(side)
            elif mode != "stall":
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
