# SPDX-License-Identifier: Apache-2.0
"""Between controllers on this machine and the management sockets of a test fabric. A controller can be cut off from all
switches while the others go on: nothing passes on its connections, old and new, and neither end hears of it, as when a
cable of the management network is cut."""
import os
import selectors
import socket
import struct
import threading

SOCKETS = ("br0.mgmt", "snmp.sock", "gnmi.sock")  # of a switch: OpenFlow, SNMP and gNMI


class Partition:
    """`with Partition(folders of switches) as network:`, then `network.cut_off(process id)`."""

    def __init__(self, folders):
        self.paths = [folder / name for folder in folders for name in SOCKETS if (folder / name).exists()]
        self.away = set()  # process ids
        self.peers = {}    # of a connection: the connection at its other side, and the controller's process
        self.listeners = []
        self.lock = threading.Lock()
        self.select = selectors.DefaultSelector()
        self.ends = False
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        for path in self.paths:
            os.rename(path, f"{path}.switch")
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
            listener.listen(16)
            self.listeners.append(listener)
            self.select.register(listener, selectors.EVENT_READ, path)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ends = True
        self.thread.join()
        for one in [*self.listeners, *self.peers]:
            one.close()
        for path in self.paths:
            os.rename(f"{path}.switch", path)

    def cut_off(self, process):
        with self.lock:
            self.away.add(process)

    def _run(self):
        while not self.ends:
            for key, _ in self.select.select(0.02):
                if key.data:
                    self._admit(key.fileobj, key.data)
                elif key.fileobj in self.peers:
                    self._pass_on(key.fileobj)

    def _admit(self, listener, path):
        controller, _ = listener.accept()
        process = struct.unpack("3i", controller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
        switch = socket.socket(socket.AF_UNIX)
        switch.connect(f"{path}.switch")
        for one, other in ((controller, switch), (switch, controller)):
            self.peers[one] = (other, process)
            self.select.register(one, selectors.EVENT_READ)

    def _pass_on(self, source):
        """What a controller that is cut off says is lost, also that it closes the connection."""
        sink, process = self.peers[source]
        data = receive(source)
        with self.lock:
            away = process in self.away
        if away and data:
            return
        if data and send(sink, data):
            return
        for one in (source,) if away else (source, sink):
            self.select.unregister(one)
            del self.peers[one]
            one.close()


def receive(source):
    try:
        return source.recv(65536)
    except OSError:
        return b""


def send(sink, data):
    try:
        sink.sendall(data)
        return True
    except OSError:
        return False
