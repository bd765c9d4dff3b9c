#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two controllers of one fabric: one leads, the other stands by. The leader is killed, hangs, is told
that another leads, leaves, begins anew. Arguments: ebb, ebb-host, the traffic tool."""
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import bed
from live import Live, HASTY, expect_carried

TOPOLOGY = "{family: fbfly, hosts: 2, dims: 3x3}"
POLICY = "policy: {name: stages, period: 500ms, high: 40%, low: 10%}\n"
PAIRS = [("h2", "h5"), ("h8", "h16"), ("h17", "h3"), ("h4", "h12")]


class Controller:
    """`ebb fabric run --standby`, and what it says with the time at which it said it."""
    all = []

    def __init__(self, fabric):
        Controller.all.append(self)
        self.lines = []
        self.process = subprocess.Popen([fabric.ebb, "fabric", "run", fabric.file, "--standby"],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.rstrip()))

    def said(self, text, since=0):
        return [at for at, line in self.lines[since:] if text in line]

    def wait_for(self, text, seconds=30, since=0, count=1):
        end = time.monotonic() + seconds
        while len(self.said(text, since)) < count:
            bed.expect(time.monotonic() < end and self.process.poll() is None,
                       f"'{text}' {count} times within {seconds} s:\n" + self.text())
            time.sleep(0.01)
        return self.said(text, since)[count - 1]

    def text(self):
        return "\n".join(line for _, line in self.lines[-60:])

    def signal(self, number):
        self.process.send_signal(number)
        return time.monotonic()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def ready(controller, since=0):
    """It is MASTER of all switches."""
    return controller.wait_for(" is here", 30, since, count=9)


def state_of(fabric, link):
    return next(one for one in fabric.status()["links"] if one["link"] == link)["state"]


def wait_for_status(fabric, what, true, seconds=30):
    end = time.monotonic() + seconds
    while not true(fabric.status()):
        bed.expect(time.monotonic() < end, f"{what} within {seconds} s: {fabric.status()}")
        time.sleep(0.05)


def drain(fabric, link):
    """As soon as probes came through, and the policy has woken what it does not want asleep."""
    end = time.monotonic() + 20
    while (asked := fabric.ask("drain", link)).returncode:
        is_early = "no probe came" in asked.stderr or "would not reach" in asked.stderr or "not known" in asked.stderr
        bed.expect(is_early and time.monotonic() < end, f"drain {link}: {asked.stderr}")
        time.sleep(0.05)


def asleep(status):
    return [link["link"] for link in status["links"] if link["state"] == "asleep"]


def check_killed(fabric, leader):
    """Under load, with links asleep. The other goes on where it was."""
    other = Controller(fabric)
    other.wait_for("stands by")
    refused = bed.run(fabric.ebb, "fabric", "run", fabric.file)
    bed.expect(refused.returncode == 3 and "another controller leads" in refused.stderr, f"no third: {refused.stderr}")
    load = fabric.traffic(PAIRS, 2000, 60)
    drain(fabric, "s1-s2")
    leader.wait_for("s1-s2 asleep")
    wait_for_status(fabric, "the policy lets links sleep", lambda status: len(asleep(status)) >= 3)
    generation = fabric.status()["generation"]
    before = asleep(fabric.status())
    killed = leader.signal(signal.SIGKILL)
    took = ready(other) - killed
    bed.expect(took < 1, f"takes over in less than a second: {took:.3f} s\n" + other.text())
    bed.expect(not other.said("gets its rules"), "nothing is written that is right:\n" + other.text())
    bed.expect(not other.said("waking") and not other.said("failed"), "nothing that sleeps is woken:\n" + other.text())
    for link in before:
        other.wait_for(f"{link} asleep: was found asleep")
    wait_for_status(fabric, "a newer generation", lambda status: status["generation"] == generation + 1)
    since = len(other.lines)
    bed.expect(fabric.ask("undrain", "s1-s2").returncode == 0, "it is still drained, and can be undrained")
    other.wait_for("s1-s2 active", 30, since)
    other.wait_for("all switches are here")
    other.wait_for("s1-s2 asleep: the policy asked", 30, since)  # the policy goes on
    result = fabric.finish(load, early=True)
    expect_carried(result, "while another took over:\n" + other.text())
    print(f"leader killed: taken over in {1000 * took:.0f} ms with {len(before)} links asleep, "
          f"0 of {result['sent']} datagrams lost, no switch written to")
    return other


def check_stopped(fabric, leader, other):
    """A leader that hangs is taken over, and gives no orders when it comes back."""
    other.wait_for("stands by")
    load = fabric.traffic(PAIRS, 2000, 60)
    stopped = leader.signal(signal.SIGSTOP)
    took = ready(other) - stopped
    before = asleep(fabric.status())
    since = len(leader.lines)
    leader.signal(signal.SIGCONT)
    back = leader.wait_for("leads no longer", 10, since)
    leader.wait_for("stands by", 10, since)
    said = [line for _, line in leader.lines[since:] if any(state in line for state in ("draining", "waking", "asleep:"))]
    bed.expect(not said, f"it gives no orders: {said}")
    bed.expect(set(before) <= set(asleep(fabric.status())) or not before, "nothing was woken")
    result = fabric.finish(load, early=True)
    expect_carried(result, "while the leader was stopped:\n" + other.text())
    print(f"leader stopped: taken over after {took:.2f} s; became a standby when it continued, 0 of {result['sent']} datagrams lost")
    return other, leader


def message(kind, xid, body=b""):
    return struct.pack("!BBHI", 4, kind, 8 + len(body), xid) + body


def request_master(path, generation):
    """Another controller, that knows nothing of leases, requests the MASTER role of a switch; it stays as long as the socket."""
    switch = socket.socket(socket.AF_UNIX)
    switch.connect(path)
    switch.settimeout(10)
    switch.sendall(message(0, 1) + message(24, 2, struct.pack("!IIQ", 2, 0, generation)))
    data = b""
    while True:
        while len(data) < 8 or len(data) < struct.unpack("!H", data[2:4])[0]:
            data += switch.recv(4096)
        length = struct.unpack("!H", data[2:4])[0]
        if data[1] == 25:
            bed.expect(struct.unpack("!IIQ", data[8:24]) == (2, 0, generation), "the intruder is MASTER")
            return switch
        bed.expect(data[1] != 1, f"no error: {data[:length].hex()}")
        data = data[length:]


def check_switch_judges(fabric, leader):
    """A newer generation on one switch: it is quarantined, and the leader leads on. A leader that begins anew takes it back."""
    since = len(leader.lines)
    with request_master(str(bed.STATE / fabric.name / "s4" / "br0.mgmt"), 1000):
        leader.wait_for("s4 is quarantined for 5 s", 10, since)
        wait_for_status(fabric, "one switch is away", lambda status: status["switches_away"] == ["s4"])
        bed.expect(not leader.said("leads no longer", since), "one switch ends no term:\n" + leader.text())
    leader.wait_for("s4 is quarantined for 10 s: s4 has seen generation 1000", 20, since)
    leader.signal(signal.SIGHUP)
    leader.wait_for("leads, generation 1001", 20, since)
    ready(leader, since)
    print("a switch of which another controller is MASTER: quarantined; taken back with a newer generation after SIGHUP")


def check_most_switches_judge(fabric, leader):
    """A newer generation on five of nine switches: the leader steps back, and comes with a newer one."""
    since = len(leader.lines)
    others = [request_master(str(bed.STATE / fabric.name / f"s{switch}" / "br0.mgmt"), 2000) for switch in range(5)]
    leader.wait_for("leads no longer", 10, since)
    why = next(line for _, line in leader.lines[since:] if "leads no longer" in line)
    for other in others:
        other.close()
    leader.wait_for("leads, generation 2001", 20, since)
    ready(leader, since)
    print(f"five switches of which another controller is MASTER: {why.split('  ')[-1]}; then a newer generation")


def check_restart(fabric):
    """Nobody stands by: what was drained stays so, and changes of the last hour count."""
    fabric.more = "safety: {min_awake_time: 0s, min_sleep_time: 0s, failure_holdoff: 500ms, transitions_per_hour: 4}\n"
    fabric.write_file(TOPOLOGY)
    leader = Controller(fabric)
    leader.wait_for("all switches are here")
    for _ in range(2):
        since = len(leader.lines)
        drain(fabric, "s3-s4")
        leader.wait_for("s3-s4 asleep", 10, since)
        bed.expect(fabric.ask("undrain", "s3-s4").returncode == 0, "s3-s4 is undrained")
        leader.wait_for("s3-s4 active", 10, since)
    drain(fabric, "s6-s7")
    leader.wait_for("s6-s7 asleep")
    leader.signal(signal.SIGTERM)
    leader.process.wait(timeout=30)
    bed.expect(not leader.said("s6-s7 active"), "an operator has drained it: it stays down:\n" + leader.text())
    leader = Controller(fabric)
    leader.wait_for("s6-s7 asleep: was found asleep")
    refused = fabric.ask("drain", "s3-s4")
    bed.expect(refused.returncode == 1 and "too often" in refused.stderr, f"the budget is spent: {refused.stderr}")
    print("started again: what was drained was down all the time, the budget of changes is as spent as before")
    return leader


def check_anew(fabric, leader):
    """SIGHUP: the file is read again; a wrong one is not taken."""
    since = len(leader.lines)
    fabric.more = "policy: {name: nonsense}\n"
    fabric.write_file(TOPOLOGY)
    leader.signal(signal.SIGHUP)
    leader.wait_for("the file is not taken", 10, since)
    fabric.more = HASTY
    fabric.write_file(TOPOLOGY)
    leader.signal(signal.SIGHUP)
    leader.wait_for("begins anew", 10, since)
    ready(leader, since)
    leader.wait_for("s6-s7 asleep: was found asleep", 10, since)
    bed.expect(not leader.said("gets its rules", since), "nothing is written that is right:\n" + leader.text())
    leader.wait_for("all switches are here", 20, since)
    drain(fabric, "s3-s4")  # as often as one likes: the new file holds
    print("begun anew with another file: sleeping links stay so, no switch written to")


def check_left(fabric, leader):
    """One that leaves while another stands by wakes nothing."""
    other = Controller(fabric)
    other.wait_for("stands by")
    leader.wait_for("s3-s4 asleep")
    left = leader.signal(signal.SIGTERM)
    took = ready(other) - left
    leader.process.wait(timeout=10)
    bed.expect(leader.process.returncode == 0 and leader.said("leaves the fabric as it is"), leader.text())
    other.wait_for("s6-s7 asleep: was found asleep")
    bed.expect(not leader.said("the controller goes"), "nothing is woken:\n" + leader.text())
    print(f"leader left: handed over in {1000 * took:.0f} ms, links asleep as before")
    return other


def main():
    bed.skip_unless_possible("fping", "ovs-ofctl")
    with Live(sys.argv[1:4], bed.own_name("y"), TOPOLOGY, more=POLICY + HASTY) as fabric:
        fabric.stop()
        try:
            run_checks(fabric)
        finally:
            for controller in Controller.all:
                controller.end()


def run_checks(fabric):
    first = Controller(fabric)
    first.wait_for("all switches are here")
    second = check_killed(fabric, first)
    third = Controller(fabric)
    leader, waiting = check_stopped(fabric, second, third)
    waiting.end()
    check_switch_judges(fabric, leader)
    check_most_switches_judge(fabric, leader)
    leader.end()
    leader = check_restart(fabric)
    check_anew(fabric, leader)
    check_left(fabric, leader)


if __name__ == "__main__":
    bed.test(main)
