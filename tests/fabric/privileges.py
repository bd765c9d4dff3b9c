#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What programs may do at least, as their systemd units give it: a controller as a user without any
capability, who is ready and alive by systemd's protocol; the client of a host with two, and neither
alone. Arguments: ebb, ebb-host, then optionally ebb-agent (root without capabilities)."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import bed

EBB, HOST_CLIENT = sys.argv[1:3]
AGENT = sys.argv[3] if len(sys.argv) > 3 else None
NOBODY = 65534


def with_capabilities(*capabilities, user=NOBODY):
    """What systemd's CapabilityBoundingSet, AmbientCapabilities, User and NoNewPrivileges make."""
    some = ",".join(["-all", *(f"+{one}" for one in capabilities)])
    return ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", f"--bounding-set={some}",
            f"--inh-caps={some}", f"--ambient-caps={some}", "--no-new-privs")


def wait_until(true, what, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        bed.expect(time.monotonic() < end, f"{what} within {seconds} s")
        time.sleep(0.05)


class Fabric:
    """Its folders belong to the user of the controller, as systemd's RuntimeDirectory= does it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.name = bed.own_name("v")
        self.state = ("--state", str(self.folder / "state"))
        self.file = bed.fabric_file(folder, self.name, "{family: complete, switches: 3, hosts: 1}",
                                    "safety: {min_awake_time: 0s, min_sleep_time: 0s, failure_holdoff: 0s}\n")

    def __enter__(self):
        bed.must(EBB, "fabric", "up", self.file, *self.state)
        self.folder.chmod(0o755)
        home = self.folder / "state" / self.name
        for path in (home, *(home / f"s{number}" for number in range(3))):
            os.chown(path, NOBODY, NOBODY)
        return self

    def __exit__(self, *_):
        bed.take_down(EBB, self.name, *self.state, state=self.folder / "state")

    def ask(self, *words):
        return bed.run(EBB, "fabric", *words, *self.state, "--fabric", self.name)

    def link_state(self, link):
        status = json.loads(self.ask("status", "--json").stdout)
        return next(one["state"] for one in status["links"] if one["link"] == link)

    def on(self, node, *words):
        return ("ip", "netns", "exec", f"ebb-{self.name}-{node}", *words)


class Controller:
    """Without capabilities, and with somebody who listens to what it tells systemd."""

    def __init__(self, fabric):
        self.ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.ear.bind(str(fabric.folder / "notify"))
        os.chmod(fabric.folder / "notify", 0o666)
        self.log = fabric.folder / "log"
        environment = os.environ | {"NOTIFY_SOCKET": str(fabric.folder / "notify")}
        self.process = subprocess.Popen([*with_capabilities(), EBB, "fabric", "run", fabric.file, *fabric.state],
                                        stdout=self.log.open("w"), stderr=subprocess.STDOUT, env=environment)

    def hear(self, seconds=60):
        self.ear.settimeout(seconds)
        try:
            return self.ear.recv(100).decode()
        except TimeoutError:
            return f"nothing within {seconds} s:\n{self.log.read_text()}"

    def capabilities(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return dict(line.split(":\t") for line in status.splitlines() if line.startswith(("Cap", "Uid")))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def check_controller(fabric):
    with Controller(fabric) as controller:
        heard = [controller.hear() for _ in range(4)]
        bed.expect(sorted(heard) == ["READY=1", *3 * ["WATCHDOG=1"]], f"systemd hears that it is ready and alive: {heard}")
        has = controller.capabilities()
        bed.expect(all(int(has[kind], 16) == 0 for kind in ("CapEff", "CapPrm", "CapBnd")), f"it has no capability: {has}")
        wait_until(lambda: fabric.ask("drain", "s1-s2").returncode == 0, "s1-s2 is drained")
        wait_until(lambda: fabric.link_state("s1-s2") == "asleep", "s1-s2 asleep")
        wait_until(lambda: fabric.ask("undrain", "s1-s2").returncode == 0, "s1-s2 is undrained")
        wait_until(lambda: fabric.link_state("s1-s2") == "active", "s1-s2 active")
        print("controller: no capability, user nobody: ready, alive, a link slept and woke")
        check_host(fabric)
        if AGENT:
            check_agent(fabric)
        bed.expect(controller.stop() == 0, f"it ends well:\n{controller.log.read_text()}")
        while (said := controller.hear(1)).startswith("WATCHDOG"):
            pass
        bed.expect(said == "STOPPING=1", f"systemd hears that it stops: {said}")


def check_host(fabric):
    def take_address(*capabilities):
        return bed.run(*fabric.on("h0", *with_capabilities(*capabilities), HOST_CLIENT, "eth0", "--ip"))
    for alone in ("net_raw", "net_admin"):
        refused = take_address(alone)
        bed.expect(refused.returncode == 3, f"ebb-host with {alone} alone: {refused}")
    taken = take_address("net_raw", "net_admin")
    bed.expect(taken.returncode == 0, f"ebb-host with both: {taken.stderr}")
    print(f"host: net_raw and net_admin, user nobody: {taken.stdout.strip()}")


def ports_watched(device):
    """It writes a record when it begins, and finds its ports later."""
    record = device / "agent.json"
    return [one["port"] for one in json.loads(record.read_text())["ports"]] if record.exists() else None


def check_agent(fabric):
    device = fabric.folder / "state" / fabric.name / "s1"
    # As Debian starts Open vSwitch: the number of the process is in the name.
    process = (device / "ovs-vswitchd.pid").read_text().strip()
    (device / "ovs-vswitchd.ctl").rename(device / f"ovs-vswitchd.{process}.ctl")
    os.chown(device, 0, 0)  # as /run/openvswitch: without capabilities root writes to its own folders alone
    with subprocess.Popen([*fabric.on("s1", *with_capabilities(user=0), AGENT, str(device))]) as agent:
        try:
            wait_until(lambda: ports_watched(device) == ["p2", "p3"], "the agent watches the ports of s1 to switches")
            bed.expect(agent.poll() is None, "the agent runs")
        finally:
            agent.terminate()
    print("agent: root without capabilities: watches p2 and p3 of s1")


def main():
    bed.skip_unless_possible("setpriv")
    with bed.scratch() as folder, Fabric(folder) as fabric:
        check_controller(fabric)
    bed.expect(not bed.left_of(fabric.name), "nothing is left")


if __name__ == "__main__":
    main()
