#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A network of Mininet under `ebb fabric run --listen`: everyone reaches everyone, links sleep, and
everyone still does. All in a namespace of its own, with an Open vSwitch of its own. Arguments: ebb."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import bed

EBB = str(pathlib.Path(sys.argv[1]).resolve())
TOPO = pathlib.Path(__file__).resolve().parents[2] / "examples" / "mininet" / "ebb_topo.py"
HOSTS, SLEEPERS = 9, 6
PYTHON = "/usr/bin/python3"  # Debian's own, which has the package


def wait_in_shell(log, text, times):
    """A line of Mininet's command language."""
    return f"sh timeout 30 sh -c 'until [ $(grep -c \"{text}\" {log}) -ge {times} ]; do sleep 0.1; done'\n"


def file_of(folder):
    path = pathlib.Path(folder) / "net.yaml"
    # Links may sleep when the first round of pings is over.
    path.write_text(f"schema_version: 1\nname: {bed.own_name('m')}\ntopology: {{family: fbfly, hosts: 1, dims: 3x3}}\n"
                    "policy: {name: stages, period: 500ms, high: 40%, low: 10%}\nsafety: {min_awake_time: 8s}\n")
    return str(path)


class Space:
    """A namespace with the daemons of an Open vSwitch, which `mn` finds by OVS_RUNDIR."""

    def __init__(self, folder):
        self.name, self.folder = f"ebbt-{bed.own_name('m')}", pathlib.Path(folder)
        self.environment = {**os.environ, "EBB": EBB, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                            **{f"OVS_{what}": folder for what in ("RUNDIR", "LOGDIR", "DBDIR", "SYSCONFDIR")}}

    def words(self, *words):
        return ("ip", "netns", "exec", self.name, *words)

    def __enter__(self):
        bed.must("ip", "netns", "add", self.name)
        bed.must("ip", "-n", self.name, "link", "set", "lo", "up")
        quiet = ["--pidfile", "--detach", "-vconsole:emer", "-vsyslog:off", "-vfile:off"]
        bed.must("ovsdb-tool", "create", f"{self.folder}/conf.db", "/usr/share/openvswitch/vswitch.ovsschema")
        bed.must(*self.words("ovsdb-server", f"{self.folder}/conf.db", f"--remote=punix:{self.folder}/db.sock", *quiet),
                 env=self.environment)
        bed.must("ovs-vsctl", "--no-wait", "init", env=self.environment)
        bed.must(*self.words("ovs-vswitchd", f"unix:{self.folder}/db.sock", *quiet), env=self.environment)
        return self

    def __exit__(self, *_):
        pids = [self.folder / f"{daemon}.pid" for daemon in ("ovs-vswitchd", "ovsdb-server")]
        for path in pids:
            if path.exists():
                os.kill(int(path.read_text()), signal.SIGTERM)
        end = time.monotonic() + 10
        while any(path.exists() for path in pids) and time.monotonic() < end:
            time.sleep(0.05)
        bed.run("ip", "netns", "del", self.name)


def ping_twice(space, folder, file):
    """What Mininet says, and the controller's log."""
    log = f"{folder}/log"
    with open(log, "w") as lines:
        controller = subprocess.Popen(space.words(EBB, "fabric", "run", file, "--listen", "tcp:127.0.0.1:6653", "--state", f"{folder}/state"),
                                      stdout=lines, stderr=subprocess.STDOUT)
    script = pathlib.Path(folder) / "script"
    script.write_text(wait_in_shell(log, "all switches are here", 1) + "pingall\n"
                      + wait_in_shell(log, "asleep: the policy asked", SLEEPERS) + "pingall\nexit\n")
    try:
        mn = [PYTHON, "/usr/bin/mn", "--custom", str(TOPO), "--topo", f"ebb,{file}", "--switch", "ovs,datapath=user,protocols=OpenFlow13",
              "--controller", "remote,ip=127.0.0.1,port=6653", "--test", "none", "--post", str(script)]
        said = subprocess.run(space.words(*mn), env=space.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180)
    finally:
        controller.terminate()
        controller.wait(timeout=30)
    return said.stdout + said.stderr, pathlib.Path(log).read_text()


def main():
    bed.skip_unless_possible("mn", "ping")
    with bed.scratch() as folder, Space(folder) as space:
        said, log = ping_twice(space, folder, file_of(folder))
    rounds = re.findall(r"\((\d+)/(\d+) received\)", said)
    pairs = str(HOSTS * (HOSTS - 1))
    bed.expect(rounds == [(pairs, pairs)] * 2, f"two rounds of pings, all answered: {rounds}\n{said}\n{log}")
    asleep = len(re.findall("asleep: the policy asked", log))
    bed.expect(asleep == SLEEPERS, f"{asleep} links slept")
    print(f"mininet: {pairs} of {pairs} pings answered, {asleep} links went to sleep, {pairs} of {pairs} again")


if __name__ == "__main__":
    main()
