#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A standby replaces the leader however the leader is lost, and whatever both were asked to write or serve: the leader is
killed, hangs, or its control channels are cut; options that both have in common, or that cannot be opened at all, do not
keep the standby from leading. Prints a table of seconds until the standby is MASTER of all switches. Arguments: ebb, then
--all for every cell instead of a few."""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import bed
from live import HASTY
from partition import Partition
from remote import Bridges, SWITCHES

EBB = sys.argv[1]
ALL = "--all" in sys.argv
HANG_S = 2  # a lease that is not renewed for so long is taken over
LIMIT_S = {"killed": 2, "hung": HANG_S + 3, "partitioned": 30}
OPTIONS = ("none", "metrics", "log", "audit", "history", "listen", "transcript", "all")
FEW = {("openflow", "killed", "none"), ("openflow", "hung", "none"), ("openflow", "hung", "all"), ("tcp", "hung", "metrics"),
       ("tcp", "partitioned", "all")}
LEADER, STANDBY = "192.0.2.1", "192.0.2.2"


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def words_of(option, folder):
    """What both controllers are given. One file or one address for both, or a file in a folder that does not exist."""
    port = str(free_port())
    words = {"metrics": ("--metrics", port), "log": ("--log", f"{folder}/log.jsonl"), "audit": ("--audit", f"{folder}/missing/audit"),
             "history": ("--history", f"{folder}/history.csv"), "listen": ("--listen", "tcp:127.0.0.1:0"),
             "transcript": ("--transcript", f"{folder}/missing/transcript")}
    if option == "all":
        return [word for some in words.values() for word in some]
    return list(words.get(option, ()))


class Controller:
    """`ebb fabric run --standby`, and what it says with the time at which it said it."""

    def __init__(self, command):
        self.lines = []
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.rstrip()))

    def said(self, text):
        return [at for at, line in self.lines if text in line]

    def wait_for(self, text, seconds=30, count=1):
        end = time.monotonic() + seconds
        while len(self.said(text)) < count:
            if time.monotonic() > end or self.process.poll() is not None:
                raise TimeoutError(f"'{text}' {count} times within {seconds} s:\n" + "\n".join(line for _, line in self.lines[-30:]))
            time.sleep(0.01)
        return self.said(text)[count - 1]

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()


class OverSockets:
    """A test fabric: both controllers connect to the management sockets of the switches, by way of a network that can be
    partitioned."""

    def __init__(self, driver):
        self.driver, self.name = driver, bed.own_name({"openflow": "o", "snmp": "p", "gnmi": "q"}[driver])
        self.scratch = bed.scratch()
        self.folder = pathlib.Path(self.scratch.name)
        self.state = bed.STATE
        self.file = bed.fabric_file(self.folder, self.name, f"{{family: complete, switches: {SWITCHES}, hosts: 1}}", HASTY)

    def __enter__(self):
        bed.must(EBB, "fabric", "up", self.file, *([] if self.driver == "openflow" else [f"--{self.driver}"]))
        self.network = Partition([self.state / self.name / f"s{switch}" for switch in range(SWITCHES)])
        self.network.__enter__()
        return self

    def __exit__(self, *_):
        self.network.__exit__()
        bed.take_down(EBB, self.name)
        self.scratch.cleanup()

    def controller(self, words, _):
        return Controller([EBB, "fabric", "run", self.file, "--standby", "--ports", self.driver, *words])

    def ask(self, *words):
        return bed.run(EBB, "fabric", *words, "--fabric", self.name)

    def cut_off(self, leader):
        self.network.cut_off(leader.process.pid)

    def is_down(self):
        return "state DOWN" in bed.must("ip", "-n", f"ebb-{self.name}-s1", "-o", "link", "show", "p3")

    def connected(self):
        pass


class OverTcp(Bridges):
    """Switches that connect to the address of each controller. Without its address a controller is cut off, and no end of a
    connection hears of it."""

    def __init__(self):
        self.scratch = bed.scratch()
        super().__init__(self.scratch.name, HASTY)
        self.state = self.folder / "state"

    def __enter__(self):
        super().__enter__()
        self.connect_to(f"tcp:{LEADER}:6653", f"tcp:{STANDBY}:6653")
        return self

    def __exit__(self, *_):
        super().__exit__()
        self.scratch.cleanup()

    def address(self, does, address):
        return bed.run("ip", "-n", self.space, "addr", does, f"{address}/32", "dev", "lo")

    def controller(self, words, address):
        self.address("add", address)
        words = [word for word in words if word not in ("--listen", "tcp:127.0.0.1:0")]
        return Controller(self.inside(EBB, "fabric", "run", self.file, "--state", str(self.state), "--standby", "--listen",
                                      f"tcp:{address}:6653", "--other-machines", "--insecure", *words))

    def ask(self, *words):
        return bed.run(EBB, "fabric", *words, "--fabric", self.name, "--state", str(self.state))

    def cut_off(self, _):
        self.address("del", LEADER)

    def is_down(self):
        return "state DOWN" in bed.must("ip", "-n", self.space, "-o", "link", "show", "p12")

    def connected(self):
        time.sleep(2)  # switches try an address that did not answer again after a second


def insist(fabric, verb, link, seconds=20):
    end = time.monotonic() + seconds
    while (asked := fabric.ask(verb, link)).returncode:
        if time.monotonic() > end:
            raise TimeoutError(f"{verb} {link}: {asked.stderr}")
        time.sleep(0.1)


def lose(fabric, leader, failure):
    if failure == "partitioned":
        fabric.cut_off(leader)
    else:
        leader.process.send_signal(signal.SIGKILL if failure == "killed" else signal.SIGSTOP)
    return time.monotonic()


def check_cell(fabric, failure, option):
    """Seconds until the standby is MASTER of all switches; a sleeping link sleeps on and can be woken by the new leader."""
    words = words_of(option, fabric.folder)
    controllers = []
    try:
        leader = fabric.controller(words, LEADER)
        controllers.append(leader)
        leader.wait_for("all switches are here")
        other = fabric.controller(words, STANDBY)
        controllers.append(other)
        other.wait_for("stands by")
        fabric.connected()
        insist(fabric, "drain", "s1-s2")
        leader.wait_for("s1-s2 asleep:")
        lost = lose(fabric, leader, failure)
        took = other.wait_for(" is here", LIMIT_S[failure], SWITCHES) - lost
        other.wait_for("s1-s2 asleep: was found asleep")
        terms = {re.search(r"generation (\d+)", line).group(1) for _, line in other.lines if "leads, generation" in line}
        if len(terms) != 1 or not fabric.is_down():
            raise TimeoutError(f"one term and a port that is down: {terms}, {fabric.is_down()}")
        insist(fabric, "undrain", "s1-s2")
        other.wait_for("s1-s2 active:")
        return took
    finally:
        for controller in controllers:
            controller.end()
        shutil.rmtree(fabric.state / fabric.name / "controller", ignore_errors=True)


def rows():
    for fabric in ("openflow", "tcp", "snmp", "gnmi"):
        cells = [(failure, option) for failure in LIMIT_S for option in OPTIONS if ALL or (fabric, failure, option) in FEW]
        if cells:
            yield fabric, cells


def find_programs():
    """Of test fabrics with SNMP or gNMI, in the folders of the build."""
    apps = pathlib.Path(EBB).resolve().parents[1]
    for folder in ("ebb", "ebb-agentx", "ebb-gnmi-target"):
        os.environ["PATH"] += os.pathsep + str(apps / folder)
    return {"snmp": shutil.which("ebb-agentx") and shutil.which("snmpd"), "gnmi": shutil.which("ebb-gnmi-target")}


def main():
    bed.skip_unless_possible("ovs-vsctl")
    programs = find_programs()
    failed = []
    print(f"{'switches':10}{'leader':13}{'options':12}seconds until the standby is MASTER of all switches")
    for name, cells in rows():
        if not programs.get(name, True):
            print(f"{name:10}not built here")
            continue
        with OverTcp() if name == "tcp" else OverSockets(name) as fabric:
            for failure, option in cells:
                try:
                    took = f"{check_cell(fabric, failure, option):.2f}"
                except TimeoutError as problem:
                    took = "FAILED"
                    failed.append(f"{name}, {failure}, {option}: {problem}")
                print(f"{name:10}{failure:13}{option:12}{took}", flush=True)
    bed.expect(not failed, "\n\n".join(failed))


if __name__ == "__main__":
    main()
