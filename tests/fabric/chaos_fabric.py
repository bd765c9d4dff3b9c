# SPDX-License-Identifier: Apache-2.0
"""A live fabric on which everything can be made to go wrong: each event of chaos_schedule.py is a method."""
import json
import os
import pathlib
import signal
import subprocess
import time

import bed
import chaos_schedule
from chaos_channel import Channels
from chaos_promise import Promise
from live import Live
from standby import Controller

TOPOLOGY = "{family: fbfly, hosts: 1, dims: 3x3, rates: [1Mb/s, 10Mb/s]}"
WAKE_LIMIT_S = 3
MORE = ("policy: {name: stages, period: 500ms, high: 25%, low: 10%}\n"
        f"safety: {{min_awake_time: 500ms, min_sleep_time: 500ms, failure_holdoff: 1s, wake_limit: {WAKE_LIMIT_S}s, transitions_per_hour: 100000}}\n")
LOAD = [("h0", "h4"), ("h5", "h1"), ("h8", "h3"), ("h2", "h6")]
LOAD_RATE, LOAD_BYTES = 250, 1200
DELAY_S = 0.2


def inode_of(path):
    try:
        return path.stat().st_ino
    except OSError:
        return None


class Chaos(Live):
    """With agents, two controllers, and something between them and the switches."""

    def __init__(self, programs, name):
        super().__init__(programs[:3], name, TOPOLOGY, more=MORE, up=("--agents",))
        self.agent_program = programs[3]
        self.devices = {switch: bed.STATE / name / switch for switch in chaos_schedule.SWITCHES}
        self.channels = Channels(self.devices)
        self.promise, self.stopped, self.asked, self.load = Promise(), [], [], None
        self.was_down = set()  # cables that slept when they were to be cut
        self.agents_to_start = set()
        self.done = []         # what happened: (when, event, target)

    def start(self, *_, **__):
        self.channels.__enter__()
        self.daemons = {switch: self.read_daemon(switch) for switch in self.devices}
        self.start_controllers()
        end = time.monotonic() + 60
        while not any(controller.said("all switches are here") for controller in Controller.all):
            bed.expect(time.monotonic() < end, "a controller leads and sees all switches")
            time.sleep(0.05)

    def __exit__(self, *_):
        self.do("no-load", "")
        for controller in Controller.all:
            controller.end()
        for process in self.asked:
            process.kill()
            process.wait()
        if self.channels.thread.is_alive():
            self.channels.__exit__()
        super().__exit__()

    def space(self, switch):
        return f"ebb-{self.name}-{switch}"

    def do(self, event, target):
        now = time.monotonic()
        self.done.append((now, event, target))
        getattr(self, event.replace("-", "_"))(*([target] if target else []))

    # Cables and switches

    def end_of(self, cable):
        """The port of its first switch: hosts first, then the row, then the column."""
        one, other = (int(name[1:]) for name in cable.split("-"))
        side = chaos_schedule.SIDE
        row = [s for s in range(side * side) if s // side == one // side and s != one]
        column = [s for s in range(side * side) if s % side == one % side and s != one]
        return f"s{one}", f"p{2 + (row + column).index(other)}"

    def is_up(self, switch, port):
        shown = json.loads(bed.must("ip", "-n", self.space(switch), "-j", "link", "show", port))
        return "UP" in shown[0]["flags"]

    def cut(self, cable):
        switch, port = self.end_of(cable)
        if not self.is_up(switch, port):
            self.was_down.add(cable)  # nothing to cut, and who wakes it would mend it
            return
        self.promise.fails(time.monotonic(), "cut", cable)
        bed.must("ip", "-n", self.space(switch), "link", "set", port, "down")

    def mend(self, cable):
        if cable in self.was_down:
            return self.was_down.discard(cable)
        switch, port = self.end_of(cable)
        bed.must("ip", "-n", self.space(switch), "link", "set", port, "up")
        return self.promise.mended(time.monotonic(), "cut", cable)

    def read_daemon(self, switch):
        pid = int((self.devices[switch] / "ovs-vswitchd.pid").read_text())
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
        pairs = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
        return words, dict(pair.split("=", 1) for pair in pairs if "=" in pair)

    def kill_switch(self, switch):
        self.promise.fails(time.monotonic(), "kill-switch", int(switch[1:]))
        os.kill(int((self.devices[switch] / "ovs-vswitchd.pid").read_text()), signal.SIGKILL)

    def start_switch(self, switch):
        words, environment = self.daemons[switch]
        mine = (self.devices[switch] / "br0.mgmt").stat().st_ino
        bed.must("ip", "netns", "exec", self.space(switch), *words, *([] if "--detach" in words else ["--detach"]),
                 env={**os.environ, **environment})
        end = time.monotonic() + 20
        while (inode := inode_of(self.devices[switch] / "br0.mgmt")) in (mine, None):
            bed.expect(time.monotonic() < end, f"{switch} listens again: {inode}")
            time.sleep(0.01)
        self.channels.take_place(switch)
        self.promise.mended(time.monotonic(), "kill-switch", int(switch[1:]))
        self.start_agents_left([switch])

    # Controllers and control messages

    def alive(self):
        return [one for one in Controller.all if one.process.poll() is None]

    def leader(self):
        def generation(controller):
            led = [line for _, line in list(controller.lines) if "leads, generation" in line]
            return int(led[-1].split()[-1]) if led else 0
        return max(self.alive(), key=generation, default=None)

    def start_controllers(self):
        while len(self.alive()) < 2:
            Controller(self)
        self.promise.relieved(time.monotonic(), "no controller")

    def kill_leader(self):
        if not (leader := self.leader()):
            return
        leader.end()
        self.promise.troubled(time.monotonic(), "no controller")
        if self.alive():
            self.promise.relieved(time.monotonic(), "no controller")

    def kill_both(self):
        self.promise.troubled(time.monotonic(), "no controller")
        for controller in self.alive():
            controller.end()

    def stop_leader(self):
        if leader := self.leader():
            self.promise.troubled(time.monotonic(), "stopped")
            leader.signal(signal.SIGSTOP)
            self.stopped.append(leader)

    def go_on(self):
        for controller in self.stopped:
            controller.signal(signal.SIGCONT)
        self.stopped = []
        self.promise.relieved(time.monotonic(), "stopped")

    def trouble_channel(self, switch, mode):
        self.promise.troubled(time.monotonic(), "channel")
        for one in self.devices if switch == "all" else [switch]:
            self.channels.set(one, mode, DELAY_S)

    def delay(self, switch):
        self.trouble_channel(switch, "delay")

    def stall(self, switch):
        self.trouble_channel(switch, "stall")

    def disconnect(self, switch):
        self.trouble_channel(switch, "disconnect")

    def refuse(self, switch):
        self.trouble_channel(switch, "refuse")

    def __getattr__(self, name):
        if name == "pass":
            return self.pass_all
        raise AttributeError(name)

    def pass_all(self, switch):
        switches = list(self.devices) if switch == "all" else [switch]
        for one in switches:
            self.channels.set(one, "pass")
        self.promise.relieved(time.monotonic(), "channel")
        self.start_agents_left(switches)

    # Agents, load, operators

    def agent_pid(self, switch):
        return int((self.devices[switch] / "ebb-agent.pid").read_text())

    def kill_agent(self, switch):
        os.kill(self.agent_pid(switch), signal.SIGKILL)

    def start_agents_left(self, switches):
        for switch in self.agents_to_start & set(switches):
            self.start_agent(switch)

    def start_agent(self, switch):
        """One whose switch is dead or not heard does not start, and says so after 20 s: it is started when that is over."""
        dead = any(kind == "kill-switch" and f"s{element}" == switch and end is None
                   for kind, element, _, end in self.promise.failures)
        if dead or self.channels.modes[switch][0] in ("stall", "disconnect"):
            self.agents_to_start.add(switch)
            return
        self.agents_to_start.discard(switch)
        folder = str(self.devices[switch])
        done = bed.run(*self.on(switch, self.agent_program, folder, f"--pidfile={folder}/ebb-agent.pid", "--detach"))
        bed.expect(done.returncode == 0, f"the agent of {switch} starts: {done.stderr}")

    def begin_load(self):
        self.load = self.traffic(LOAD, LOAD_RATE, 600, "--bytes", str(LOAD_BYTES))

    def no_load(self):
        if self.load:
            self.load.send_signal(signal.SIGTERM)
            self.load.communicate(timeout=60)
        self.load = None

    def operator(self, verb, link):
        """May be refused, and may wait for a controller that hangs."""
        self.asked.append(subprocess.Popen([self.ebb, "fabric", verb, link, "--fabric", self.name],
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def drain(self, link):
        self.operator("drain", link)

    def undrain(self, link):
        self.operator("undrain", link)

    def ports_down(self):
        down = []
        for switch in self.devices:
            shown = json.loads(bed.must("ip", "-n", self.space(switch), "-j", "link", "show"))
            down += [f"{switch} {port['ifname']}" for port in shown
                     if port["ifname"].startswith("p") and "UP" not in port["flags"]]
        return down
