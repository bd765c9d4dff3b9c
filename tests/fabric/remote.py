#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Switches that are not a fabric of `ebb fabric up` and connect to an address: `ebb fabric run
--listen`, over TCP and over TLS with certificates on both sides, and to a second controller. Three bridges of one daemon in a
namespace of their own, where the controller runs as well. Arguments: ebb."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import bed

EBB = sys.argv[1]
SWITCHES = 3
SAFETY = "safety: {min_awake_time: 0s, min_sleep_time: 0s, failure_holdoff: 500ms}\n"


class Bridges:
    """Of a complete graph of three switches with a host each, as `ebb rules` numbers ports: hosts
    first, then the other switches in order."""

    def __init__(self, folder, more=SAFETY):
        self.folder, self.name = pathlib.Path(folder), bed.own_name("r")
        self.file = bed.fabric_file(folder, self.name, f"{{family: complete, switches: {SWITCHES}, hosts: 1}}", more)
        self.space = f"ebbt-{self.name}"
        self.environment = {**os.environ, **{f"OVS_{what}": str(self.folder) for what in ("RUNDIR", "LOGDIR", "DBDIR", "SYSCONFDIR")}}
        self.database = f"--db=unix:{self.folder}/db.sock"

    def inside(self, *words):
        return ("ip", "netns", "exec", self.space, *words)

    def __enter__(self):
        bed.must("ip", "netns", "add", self.space)
        bed.must("ip", "-n", self.space, "link", "set", "lo", "up")
        bed.must("ovsdb-tool", "create", f"{self.folder}/conf.db", "/usr/share/openvswitch/vswitch.ovsschema")
        quiet = ["--detach", "-vconsole:emer", "-vsyslog:off", "-vfile:off"]
        bed.must(*self.inside("ovsdb-server", f"{self.folder}/conf.db", f"--remote=punix:{self.folder}/db.sock",
                              "--pidfile", *quiet), env=self.environment)
        bed.must("ovs-vsctl", self.database, "--no-wait", "init")
        bed.must(*self.inside("ovs-vswitchd", f"unix:{self.folder}/db.sock", "--pidfile", *quiet), env=self.environment)
        for one in range(SWITCHES):
            for other in range(one + 1, SWITCHES):
                bed.must("ip", "-n", self.space, "link", "add", f"p{one}{other}", "type", "veth", "peer", "name", f"p{other}{one}")
            bed.must("ip", "-n", self.space, "link", "add", f"h{one}", "type", "veth", "peer", "name", f"eth{one}")
        for switch in range(SWITCHES):
            self.add_bridge(switch)
        return self

    def add_bridge(self, switch):
        ports = [f"h{switch}"] + [f"p{switch}{other}" for other in range(SWITCHES) if other != switch]
        words = ["add-br", f"b{switch}", "--", "set", "Bridge", f"b{switch}", "datapath_type=netdev", "fail_mode=secure",
                 "protocols=OpenFlow13", f"other_config:datapath-id={switch + 1:016x}"]
        for number, port in enumerate(ports, 1):
            words += ["--", "add-port", f"b{switch}", port, "--", "set", "Interface", port, f"ofport_request={number}"]
            bed.must("ip", "-n", self.space, "link", "set", port, "up")
        bed.must("ovs-vsctl", self.database, *words, env=self.environment)

    def connect_to(self, *targets):
        for switch in range(SWITCHES):
            bed.must("ovs-vsctl", self.database, "set-controller", f"b{switch}", *targets, env=self.environment)
        for controller in bed.must("ovs-vsctl", self.database, "--bare", "--columns=_uuid", "list", "Controller",
                                   env=self.environment).split():
            bed.must("ovs-vsctl", self.database, "set", "Controller", controller, "max_backoff=1000", env=self.environment)

    def use_certificates(self, name, authority):
        bed.must("ovs-vsctl", self.database, "set-ssl", f"{self.folder}/{name}.key", f"{self.folder}/{name}.pem",
                 f"{self.folder}/{authority}.pem", env=self.environment)

    def __exit__(self, *_):
        for daemon in ("ovs-vswitchd", "ovsdb-server"):
            path = self.folder / f"{daemon}.pid"
            if path.exists():
                os.kill(int(path.read_text()), signal.SIGTERM)
        end = time.monotonic() + 10
        while any((self.folder / f"{daemon}.pid").exists() for daemon in ("ovs-vswitchd", "ovsdb-server")) and time.monotonic() < end:
            time.sleep(0.05)
        bed.run("ip", "netns", "del", self.space)


def make_certificates(folder):
    """Two authorities; each signs what it says. All bridges are of one daemon, whose certificate names them all."""
    def openssl(*words):
        bed.must("openssl", *words, cwd=folder)
    for authority in ("ours", "foreign"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", f"/CN={authority}", "-keyout", f"{authority}.key", "-out", f"{authority}.pem")
    (folder / "names").write_text("subjectAltName=" + ",".join(f"DNS:s{switch}" for switch in range(SWITCHES)))
    for name, authority in (("controller", "ours"), ("switch", "ours"), ("s1", "ours"), ("unknown", "foreign")):
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                "-keyout", f"{name}.key", "-out", f"{name}.csr")
        openssl("x509", "-req", "-days", "2", "-in", f"{name}.csr", "-CA", f"{authority}.pem", "-CAkey", f"{authority}.key",
                "-CAcreateserial", "-out", f"{name}.pem", *(("-extfile", "names") if name == "switch" else ()))


class Remote:
    """The controller, in the namespace of the switches."""

    def __init__(self, bridges, *options, name="controller"):
        self.bridges = bridges
        folder = bridges.folder
        self.state = ("--state", f"{folder}/state")
        self.log = folder / f"{name}.log"
        self.process = subprocess.Popen(bridges.inside(EBB, "fabric", "run", bridges.file, *self.state, *options),
                                        stdout=self.log.open("w"), stderr=subprocess.STDOUT)

    def wait_for(self, text, seconds=30):
        self.wait_until(lambda: text in self.log.read_text(), f"'{text}'", seconds)

    def wait_until(self, true, what, seconds=30):
        end = time.monotonic() + seconds
        while not true():
            bed.expect(self.process.poll() is None, f"the controller runs:\n{self.log.read_text()}")
            bed.expect(time.monotonic() < end, f"{what} within {seconds} s:\n{self.log.read_text()}")
            time.sleep(0.05)

    def asked(self, *words):
        return bed.run(EBB, "fabric", *words, "--fabric", self.bridges.name, *self.state)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()


def port_of(remote):
    remote.wait_for("listens at ")
    return remote.log.read_text().split("listens at ")[1].split()[0].rsplit(":", 1)[1]


def check_control(remote, how):
    """Sleep and wake reach real ports."""
    remote.wait_for("all switches are here")
    remote.wait_until(lambda: remote.asked("drain", "s1-s2").returncode == 0, "a link is drained")
    remote.wait_for("s1-s2 asleep:")
    seen = bed.must("ip", "-n", remote.bridges.space, "-o", "link", "show", "p12")
    bed.expect("state DOWN" in seen, f"the port is down: {seen}")
    down = lambda: json.loads(remote.asked("status", "--json").stdout)["actuated"]["ports_down"]
    remote.wait_until(lambda: down() == 2, "the status, written each second, says that two ports are down")
    bed.expect(remote.asked("undrain", "s1-s2").returncode == 0, "it is undrained")
    remote.wait_for("s1-s2 active:")
    print(f"{how}: {SWITCHES} switches came, a link slept and woke")


def check_tcp(bridges):
    with Remote(bridges, "--listen", "tcp:127.0.0.1:0") as remote:
        bridges.connect_to(f"tcp:127.0.0.1:{port_of(remote)}")
        check_control(remote, "tcp")
    bed.expect(remote.process.returncode == 0, f"it ends well: {remote.process.returncode}")
    memory = bridges.folder / "state" / bridges.name / "controller"
    bed.expect(list(memory.glob("state.*.json")), "what the next controller must know is kept")


def check_standby(bridges):
    """Switches know both controllers, and the other becomes MASTER when the leader is killed."""
    options = ("--standby", "--listen", "tcp:127.0.0.1:0")
    with Remote(bridges, *options, name="first") as first, Remote(bridges, *options, name="second") as second:
        bridges.connect_to(*(f"tcp:127.0.0.1:{port_of(one)}" for one in (first, second)))
        end = time.monotonic() + 30
        while not (leads := [one for one in (first, second) if "all switches are here" in one.log.read_text()]):
            bed.expect(time.monotonic() < end, f"one leads:\n{first.log.read_text()}\n{second.log.read_text()}")
            time.sleep(0.05)
        leader, other = leads[0], second if leads[0] is first else first
        other.wait_for("stands by")
        leader.wait_until(lambda: leader.asked("drain", "s1-s2").returncode == 0, "a link is drained")
        leader.wait_for("s1-s2 asleep:")
        time.sleep(1)  # longer than a switch waits before it tries the other controller again
        leader.process.kill()
        killed = time.monotonic()
        other.wait_until(lambda: other.log.read_text().count(" is here") == SWITCHES, "the other is MASTER of all switches")
        took = time.monotonic() - killed
        bed.expect(took < 1, f"takes over in less than a second: {took:.2f} s\n{other.log.read_text()}")
        other.wait_for("s1-s2 asleep: was found asleep")
        bed.expect("gets its rules" not in other.log.read_text(), f"no switch is written to:\n{other.log.read_text()}")
        bed.expect(other.asked("undrain", "s1-s2").returncode == 0, "it is undrained")
        other.wait_for("s1-s2 active:")
    print(f"standby: taken over in {1000 * took:.0f} ms, a sleeping link slept on, no switch written to")


def check_tls(bridges):
    folder = bridges.folder
    make_certificates(folder)
    files = ("--certificate", f"{folder}/controller.pem", "--key", f"{folder}/controller.key", "--ca", f"{folder}/ours.pem")
    with Remote(bridges, "--listen", "ssl:127.0.0.1:0", *files) as remote:
        port = port_of(remote)
        # Trusts us, but has its certificate from somebody else.
        bridges.use_certificates("unknown", "ours")
        bridges.connect_to(f"ssl:127.0.0.1:{port}")
        remote.wait_for("an unknown peer is no switch of the fabric: TLS: the peer's certificate")
        bed.expect("is here" not in remote.log.read_text(), f"no unknown peer is let in:\n{remote.log.read_text()}")
        print("ssl: a switch with a certificate of another authority was refused")
        bridges.use_certificates("s1", "ours")
        for name in ("s0", "s2"):
            remote.wait_for(f"says to be {name}, but its certificate names s1: refused")
        remote.wait_for("s1 is here")
        bed.expect("s0 is here" not in remote.log.read_text(), f"no switch is let in by another's certificate:\n{remote.log.read_text()}")
        print("ssl: two switches that showed the certificate of a third were refused")
        bridges.use_certificates("switch", "ours")
        check_control(remote, "ssl")


def check_refusals(bridges):
    refusals = {("tcp:0.0.0.0:6653",): "--other-machines", ("ssl:127.0.0.1:6653",): "--certificate", ("unix:/x",): "tcp:",
                ("tcp:localhost:1",): "IPv4", ("tcp:0.0.0.0:6653", "--other-machines"): "--insecure"}
    for options, says in refusals.items():
        done = bed.run(EBB, "fabric", "run", bridges.file, "--state", f"{bridges.folder}/state", "--listen", *options)
        bed.expect(done.returncode == 2 and says in done.stderr, f"{options} is refused: {done.returncode} {done.stderr}")
    print(f"{len(refusals)} addresses were refused")


def main():
    bed.skip_unless_possible("ovs-vsctl", "openssl")
    with bed.scratch() as folder, Bridges(folder) as bridges:
        check_tcp(bridges)
        check_standby(bridges)
        check_tls(bridges)
        check_refusals(bridges)


if __name__ == "__main__":
    main()
