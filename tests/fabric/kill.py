#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ebb fabric up` is killed at random moments; `down` then leaves nothing of it, and all of what is
not its own: a namespace, a switch daemon, another fabric. Arguments: the program, then optionally a
seed for the moments (printed, so that a failure can be repeated)."""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

import bed

EBB = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 32)
KILLS = 10
TOPOLOGY = "{family: fbfly, hosts: 1, dims: 2x2, rates: [10Mb/s]}"


class Foreign:
    """What nobody asked ebb to touch; its names look like ebb's."""

    def __init__(self, folder):
        self.space = f"ebb-{bed.own_name('k')}x-s0"
        self.folder = pathlib.Path(folder) / "foreign"

    def __enter__(self):
        self.folder.mkdir()
        bed.must("ip", "netns", "add", self.space)
        bed.must("ovsdb-tool", "create", f"{self.folder}/conf.db", "/usr/share/openvswitch/vswitch.ovsschema")
        common = ["--detach", "-vconsole:emer", "-vsyslog:off", "-vfile:off"]
        bed.must("ovsdb-server", f"{self.folder}/conf.db", f"--remote=punix:{self.folder}/db.sock",
                 f"--unixctl={self.folder}/a.ctl", f"--pidfile={self.folder}/a.pid", *common)
        bed.must("ip", "netns", "exec", self.space, "ovs-vswitchd", f"unix:{self.folder}/db.sock",
                 f"--unixctl={self.folder}/b.ctl", f"--pidfile={self.folder}/b.pid", *common)
        self.processes = sorted(bed.daemons(self.folder))
        return self

    def check(self):
        bed.expect((pathlib.Path("/run/netns") / self.space).exists(), "the foreign namespace is there")
        bed.expect(len(self.processes) == 2 and sorted(bed.daemons(self.folder)) == self.processes,
                   "the foreign daemons run")

    def __exit__(self, *_):
        for pid in self.processes:
            subprocess.run(["kill", str(pid)])
        bed.run("ip", "netns", "del", self.space)


def kill_up(file, seconds):
    """Whether it was still at work."""
    process = subprocess.Popen([EBB, "fabric", "up", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    at_work = process.poll() is None
    process.kill()
    process.wait()
    return at_work


def kill_often(name, file, chance, seconds, foreign):
    hits, found = 0, []
    while hits < KILLS:
        hits += kill_up(file, chance.uniform(0, seconds))
        left = len(bed.left_of(name))
        if left:
            found.append(left)
            bed.must(EBB, "fabric", "down", name)
        time.sleep(0.3)  # something that outlived `down` would show now
        bed.expect(not bed.left_of(name), f"left after a kill: {bed.left_of(name)}")
        foreign.check()
    return found


def kill_before_ip_begins(folder):
    """`ip` goes on when `up` is killed, here a second later: `down` has to wait for it, else there are
    namespaces afterwards."""
    slow = pathlib.Path(folder) / "slow"
    slow.mkdir()
    (slow / "ip").write_text(f"#!/bin/sh\ntouch {slow}/begun\nsleep 1\nexec {shutil.which('ip')} \"$@\"\n")
    (slow / "ip").chmod(0o755)
    name = bed.own_name("s")
    process = subprocess.Popen([EBB, "fabric", "up", bed.fabric_file(folder, name, TOPOLOGY)],
                               env={**os.environ, "PATH": f"{slow}:{os.environ['PATH']}"})
    while not (slow / "begun").exists() and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    bed.must(EBB, "fabric", "down", name)
    time.sleep(1.5)
    bed.expect(not bed.left_of(name), f"made after `down`: {bed.left_of(name)}")


def main():
    bed.skip_unless_possible()
    print(f"seed {SEED}")
    name, other = bed.own_name("k"), bed.own_name("o")
    with bed.scratch() as folder, Foreign(folder) as foreign:
        file = bed.fabric_file(folder, name, TOPOLOGY)
        try:
            bed.must(EBB, "fabric", "up", bed.fabric_file(folder, other, "{family: complete, hosts: 1, switches: 2}"))
            standing = sorted(map(str, bed.left_of(other)))
            began = time.monotonic()
            bed.must(EBB, "fabric", "up", file)
            seconds = time.monotonic() - began
            bed.must(EBB, "fabric", "down", name)
            kill_before_ip_begins(folder)
            found = kill_often(name, file, random.Random(SEED), seconds, foreign)
            bed.expect(sorted(map(str, bed.left_of(other))) == standing, "the other fabric stands")
        finally:
            for mine in (name, other):
                bed.run(EBB, "fabric", "down", mine)
        bed.expect(not bed.left_of(other), "the other fabric is gone")
        print(f"up takes {seconds:.1f} s; {KILLS} kills left {found} things, `down` left none")


if __name__ == "__main__":
    main()
