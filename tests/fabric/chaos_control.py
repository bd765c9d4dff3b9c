# SPDX-License-Identifier: Apache-2.0
"""Faults of control channels, and peers that are no switches: what happens between controllers and switches. Each is a
method, named as in chaos_schedule.py."""
import socket
import ssl
import struct
import threading
import time

import bed
from chaos_cables import ports_of
from chaos_schedule import SLEEPABLE

DELAY_S = 0.2
DRAIN_IDLE_S = 0.3  # long enough to be seen by who looks at ports ten times a second
HELLO, ERROR, ECHO, FEATURES, MULTIPART, BARRIER, ROLE, EXPERIMENTER = 0, 1, 2, 5, 18, 20, 24, 4
SLAVE = 3
IDLE_PEERS = 40


def message(kind, xid, body=b""):
    return struct.pack("!BBHI", 4, kind, 8 + len(body), xid) + body


class Rogue(threading.Thread):
    """Says to be a switch that is not there, takes all that it is told, and denies that the controller is its MASTER.
    Its certificate, where it needs one, is of the right authority."""

    def __init__(self, addresses, number, certificates):
        super().__init__(daemon=True)
        self.addresses, self.number, self.certificates = addresses, number, certificates
        self.over = threading.Event()
        self.greeted = 0
        self.start()

    def run(self):
        threads = [threading.Thread(target=self._keep_on, args=(address,), daemon=True) for address in self.addresses]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _keep_on(self, address):
        while not self.over.wait(0.1):
            try:
                with self._connect(address) as stream:
                    self._serve(stream)
            except OSError:
                pass

    def _connect(self, address):
        kind, host, port = address.rsplit(":", 2)
        plain = socket.create_connection((host, int(port)), 2)
        if kind != "ssl":
            return plain
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.load_verify_locations(f"{self.certificates}/ours.pem")
        context.load_cert_chain(f"{self.certificates}/rogue.pem", f"{self.certificates}/rogue.key")
        return context.wrap_socket(plain)

    def _serve(self, stream):
        stream.settimeout(0.5)
        stream.sendall(message(HELLO, 1))
        data = b""
        while not self.over.is_set():
            try:
                got = stream.recv(65536)
            except TimeoutError:
                continue
            if not got:
                return
            data += got
            while len(data) >= 8 and len(data) >= (length := struct.unpack("!H", data[2:4])[0]) >= 8:
                stream.sendall(self._answer(data[:length]))
                data = data[length:]

    def _answer(self, asked):
        kind, xid, body = asked[1], struct.unpack("!I", asked[4:8])[0], asked[8:]
        if kind == FEATURES:
            self.greeted += 1
            return message(FEATURES + 1, xid, struct.pack("!QIBB2xII", self.number + 1, 0, 254, 0, 0, 0))
        if kind == ROLE:
            role, generation = struct.unpack("!I4xQ", body[:16])
            return message(ROLE + 1, xid, struct.pack("!I4xQ", role or SLAVE, generation))
        if kind == ECHO:
            return message(ECHO + 1, xid, body)
        if kind in (MULTIPART, BARRIER):
            return message(kind + 1, xid, body[:8] if kind == MULTIPART else b"")
        if kind == EXPERIMENTER and len(body) >= 16 and struct.unpack("!I", body[4:8])[0] == 2300:
            what = struct.unpack("!H", body[12:14])[0]
            return message(EXPERIMENTER, xid, body[:12] + struct.pack("!H", what + 1) + body[14:16])
        return b""


class ControlChannels:
    """Of a fabric with `channels`, `promise`, `operator`."""

    def prepare_control(self):
        self.rogue, self.peers, self.tried, self.middle, self.troubled = None, [], [], None, []

    def trouble_channel(self, switch, mode):
        switches = list(self.devices) if switch == "all" else [switch]
        self.promise.troubled(time.monotonic(), mode, {int(one[1:]) for one in switches})
        for one in switches:
            self.channels.set(one, mode, DELAY_S)

    def delay(self, switch):
        self.trouble_channel(switch, "delay")

    def stall(self, switch):
        self.trouble_channel(switch, "stall")

    def disconnect(self, switch):
        self.trouble_channel(switch, "disconnect")

    def refuse(self, switch):
        self.trouble_channel(switch, "refuse")

    def freeze(self, switch):
        self.trouble_channel(switch, "freeze")

    def lie(self, switch):
        self.trouble_channel(switch, "lie")

    def refuse_groups(self, switch):
        self.trouble_channel(switch, "refuse-groups")

    def pass_all(self, switch):
        switches = list(self.devices) if switch == "all" else [switch]
        for one in switches:
            self.channels.set(one, "pass")
        for mode in ("delay", "stall", "disconnect", "refuse", "freeze", "lie", "refuse-groups"):
            self.promise.relieved(time.monotonic(), mode, {int(one[1:]) for one in switches})
        self.start_agents_left(switches)

    # What goes wrong in the middle of a change: an operator drains a link that is awake, this one or another

    def in_the_middle(self, cable, before, after):
        """In a thread of its own: `before` and `after` are told which link it is."""
        def work():
            end = time.monotonic() + 4
            while time.monotonic() < end:
                status = self.read_status() or {"links": []}
                awake = [link["link"] for link in status["links"] if link["state"] == "active"]
                for link in [one for one in (cable, *SLEEPABLE) if one in awake]:
                    if not self.leader() or any(self.channels.modes[switch][0] != "pass" for switch, _ in ports_of(link)):
                        continue
                    self.middle = link
                    before(link)
                    if self.ask_operator("drain", link) == 0:
                        return after(link)
                    self.forget_middle()
                time.sleep(0.2)
            return None
        self.middle = None
        self.tried.append(threading.Thread(target=work, daemon=True))
        self.tried[-1].start()

    def trouble_middle(self, switch, mode):
        self.troubled.append(switch)
        self.trouble_channel(switch, mode)

    def forget_middle(self):
        """As before, but for the link, which stays drained."""
        for switch, port in ports_of(self.middle) if self.middle else []:
            self.channels.let_refusals_go(switch, int(port[1:]))
            if switch in self.troubled:
                self.pass_all(switch)
        self.troubled = []
        self.promise.relieved(time.monotonic(), "overtake")

    def end_middle(self, _cable):
        for thread in self.tried:
            thread.join()
        self.tried = []
        self.forget_middle()
        if self.middle:
            self.operator("undrain", self.middle)
        self.middle = None

    def leave_draining(self, cable):
        """A switch leaves when its link is being drained: its own port has been quiet for long enough, and nothing is
        known yet of the other, whose switch is slow."""
        def leave(link):
            time.sleep(DRAIN_IDLE_S + DELAY_S)
            self.trouble_middle(ports_of(link)[1][0], "disconnect")
        self.in_the_middle(cable, lambda link: self.trouble_middle(ports_of(link)[0][0], "delay"), leave)

    def refuse_return(self, cable):
        """The link shall be used again when it is being drained, and a switch refuses to change its groups back."""
        def back(link):
            self.trouble_middle(ports_of(link)[0][0], "refuse-groups")
            self.ask_operator("undrain", link)
            time.sleep(DELAY_S)
            self.forget_middle()
        self.in_the_middle(cable, lambda link: None, back)

    def overtake(self, cable):
        """A port refuses to go down; when it says so, the link is told to wake already."""
        def hold(link):
            switch, port = ports_of(link)[0]
            self.channels.hold_refusals(switch, int(port[1:]))
            self.promise.troubled(time.monotonic(), "overtake", {int(switch[1:])})

        def wake_when_held(link):
            switch, port = ports_of(link)[0]
            end = time.monotonic() + 2.5
            while time.monotonic() < end and not self.channels.held.get((switch, int(port[1:]))):
                time.sleep(0.005)
            self.ask_operator("undrain", link)
        self.in_the_middle(cable, hold, wake_when_held)

    # Peers

    def listening_at(self):
        """Where controllers that run listen for switches elsewhere."""
        found = []
        for controller in self.alive():
            found += [line.split("listens at ")[1].split()[0] for _, line in controller.lines if "listens at " in line][-1:]
        return found

    def rogue_at(self, switch):
        self.disconnect(switch)  # its place is free
        self.promise.troubled(time.monotonic(), "rogue", {int(switch[1:])})
        if self.setup["listen"] == "tcp":  # without certificates nobody can tell it from the switch
            self.promise.fails(time.monotonic(), "rogue", int(switch[1:]))
        self.rogue = Rogue(self.listening_at(), int(switch[1:]), self.folder)

    def slow_peers(self):
        """Who connects and says nothing, or a byte."""
        for address in self.listening_at():
            _, host, port = address.rsplit(":", 2)
            for number in range(IDLE_PEERS):
                try:
                    peer = socket.create_connection((host, int(port)), 1)
                    peer.sendall(b"\x04"[:number % 2])
                    self.peers.append(peer)
                except OSError:
                    pass

    def no_peers(self, switch=None):
        if self.rogue and switch:
            self.rogue.over.set()
            self.rogue.join(5)
            self.rogue = None
            self.promise.relieved(time.monotonic(), "rogue")
            self.promise.mended(time.monotonic(), ("rogue",), int(switch[1:]))
            self.pass_all(switch)
        if self.rogue:
            self.rogue.over.set()
        for peer in self.peers:
            peer.close()
        self.peers = []


def make_certificates(folder):
    """An authority, and who it trusts: the controllers, the switches, and one of them that is in bad hands."""
    def openssl(*words):
        bed.must("openssl", *words, cwd=folder)
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=ours", "-keyout", "ours.key", "-out", "ours.pem")
    for name in ("controller", "rogue"):
        openssl("req", *key, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        openssl("x509", "-req", "-days", "2", "-in", f"{name}.csr", "-CA", "ours.pem", "-CAkey", "ours.key", "-CAcreateserial",
                "-out", f"{name}.pem")
