# SPDX-License-Identifier: Apache-2.0
"""A live fabric on which everything can be made to go wrong: each event of chaos_schedule.py is a method, here or in the
files of its kind: chaos_cables.py, chaos_control.py, chaos_processes.py."""
import json
import os
import pathlib
import re
import shutil
import signal
import threading
import time

import bed
import chaos_schedule
from chaos_cables import Cables, port_to
from chaos_channel import Channels
from chaos_control import DRAIN_IDLE_S, ControlChannels
from chaos_processes import Processes
from chaos_promise import Promise
from live import Live
from standby import Controller

TOPOLOGY = "{family: fbfly, hosts: 1, dims: 3x3, rates: [1Mb/s, 10Mb/s]}"
WAKE_LIMIT_S = 3
# The load below is 9 % of what all links of the core carry: it wakes what sleeps.
POLICIES = {"stages": "policy: {name: stages, period: 500ms, high: 8%, low: 4%}\n",
            "epoch": "policy: {name: epoch, epoch: 500ms, target: 40%}\n"}
SAFETY = (f"safety: {{min_awake_time: 500ms, min_sleep_time: 500ms, failure_holdoff: 1s, wake_limit: {WAKE_LIMIT_S}s, "
          f"drain_idle: {1000 * DRAIN_IDLE_S:.0f}ms, min_rate_time: 500ms, transitions_per_hour: 100000}}\n")
LOAD = [("h0", "h4"), ("h5", "h1"), ("h8", "h3"), ("h2", "h6")]
# By policy: what slow links carry until they are fast must fit through them.
LOAD_RATE, LOAD_BYTES = {"stages": 250, "epoch": 50}, 1200


class Chaos(Cables, ControlChannels, Processes, Live):
    """With agents, two controllers, and something between them and the switches."""

    def __init__(self, programs, name, setup):
        super().__init__(programs[:3], name, TOPOLOGY, more=POLICIES[setup["policy"]] + SAFETY, up=("--agents",))
        self.agent_program, self.setup = programs[3], setup
        self.devices = {switch: bed.STATE / name / switch for switch in chaos_schedule.SWITCHES}
        self.channels = Channels(self.devices)
        self.promise, self.load = Promise(), None
        self.asked = []          # of operators: [begin, verb, link, end, exit code, what was said]
        self.agents_to_start = set()
        self.done = []           # what happened: (when, event, target)
        self.problems = []       # of ours: (when, what)
        self.offset = 0.0        # between the clock of an audit trail and ours
        self.audit_lines = []    # when the run is over
        Controller.all.clear()
        self.prepare_cables()
        self.prepare_control()

    def start(self, *_, **__):
        self.prepare_processes()
        if self.setup["state"] == "small disk":
            self.mount_small_disk()
        self.channels.__enter__()
        self.daemons = {switch: self.read_daemon(switch) for switch in self.devices}
        self.offset = time.monotonic() - time.time()
        self.start_controllers()
        end = time.monotonic() + 60
        while not any(controller.said("all switches are here") for controller in Controller.all):
            bed.expect(time.monotonic() < end, "a controller leads and sees all switches:\n"
                       + "\n".join(controller.text() for controller in Controller.all))
            time.sleep(0.05)
        threading.Thread(target=self.supervise, daemon=True).start()

    def __exit__(self, *_):
        """All of it, whatever has gone wrong before."""
        for step in (self.no_load, self.no_peers, self.stop_processes, self.mend_all, self.stop_channels, self.leave_disks,
                     self.remove_hidden, super().__exit__):
            try:
                step()
            except BaseException as problem:  # also that of bed.expect
                self.problems.append((time.monotonic(), f"at the end: {problem!r}"))

    def stop_processes(self):
        if hasattr(self, "supervises"):
            self.supervises.set()
        for controller in Controller.all:
            controller.end()

    def stop_channels(self):
        if self.channels.thread.is_alive():
            self.channels.__exit__()

    def remove_hidden(self):
        shutil.rmtree(f"{bed.STATE / self.name / 'controller'}.hidden", ignore_errors=True)

    def space(self, switch):
        return f"ebb-{self.name}-{switch}"

    def do(self, event, target):
        """What cannot be done is noted, and the rest goes on."""
        self.done.append((time.monotonic(), event, target))
        own = {"pass": "pass_all", "load": "begin_load", "rogue": "rogue_at"}
        try:
            getattr(self, own.get(event, event.replace("-", "_")))(*([target] if target else []))
        except (Exception, SystemExit) as problem:
            self.problems.append((time.monotonic(), f"harness: {event} {target}: {problem!r}"))

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
        dead = any(fault.kind in ("kill-switch", "reboot-switch") and f"s{fault.element}" == switch and fault.end is None
                   for fault in self.promise.faults)
        if dead or self.channels.modes[switch][0] in ("stall", "disconnect", "freeze"):
            self.agents_to_start.add(switch)
            return
        self.agents_to_start.discard(switch)
        folder = str(self.devices[switch])
        done = bed.run(*self.on(switch, self.agent_program, folder, f"--pidfile={folder}/ebb-agent.pid", "--detach"))
        bed.expect(done.returncode == 0, f"the agent of {switch} starts: {done.stderr}")

    def begin_load(self):
        self.load = self.traffic(LOAD, LOAD_RATE[self.setup["policy"]], 600, "--bytes", str(LOAD_BYTES),
                                 "--port", str(20000 + 100 * (len(self.senders) % 100)))

    def no_load(self):
        """It goes on for some seconds, to wait for what is late."""
        if self.load:
            self.load.send_signal(signal.SIGTERM)
            threading.Thread(target=self.load.communicate, daemon=True).start()
        self.load = None

    def ask_operator(self, verb, link):
        """Its exit code. May be refused, and may wait for a controller that hangs."""
        row = [time.monotonic(), verb, link, None, None, ""]
        self.asked.append(row)
        if verb == "drain":
            self.promise.drains(row[0], link)
        done = bed.run(self.ebb, "fabric", verb, link, "--fabric", self.name)
        row[3:] = [time.monotonic(), done.returncode, (done.stdout + done.stderr).strip()]
        if (verb, done.returncode) in (("undrain", 0), ("drain", 1), ("drain", 3)):
            self.promise.undrains(row[3], link)
        return done.returncode

    def operator(self, verb, link):
        threading.Thread(target=self.ask_operator, args=(verb, link), daemon=True).start()

    def drain(self, link):
        self.operator("drain", link)

    def undrain(self, link):
        self.operator("undrain", link)

    def explain(self, link):
        self.operator("explain", link)

    def no_question(self, _link):
        pass

    # What is really so

    def ports_down(self):
        down = []
        for switch in self.devices:
            shown = json.loads(bed.must("ip", "-n", self.space(switch), "-j", "link", "show"))
            down += [f"{switch} {port['ifname']}" for port in shown
                     if port["ifname"].startswith("p") and "UP" not in port["flags"]]
        return down

    def first_outputs(self, switch):
        """Of the group of each port to a switch: the port that frames leave by while all ports are live."""
        text = bed.must("ovs-ofctl", "-O", "OpenFlow13", "dump-groups", f"{self.devices[switch]}/br0.mgmt.switch")
        return {f"p{group}": f"p{port}" for group, port in re.findall(r"group_id=(\d+),type=ff,bucket=watch_port:(\d+)", text)}

    def diverted(self):
        """Directions that frames are led around: "s1>s2"."""
        found = []
        for number in range(len(self.devices)):
            outputs = self.first_outputs(f"s{number}")
            found += [f"s{number}>s{other}" for cable in chaos_schedule.cables() for other in chaos_schedule.ends_of(cable)
                      if number in chaos_schedule.ends_of(cable) and other != number
                      and outputs.get(port_to(number, other)) != port_to(number, other)]
        return sorted(found)

    def rates(self):
        """Of ports, in Mb/s, as the kernel has them."""
        found = {}
        for switch in self.devices:
            for queue in json.loads(bed.must("tc", "-n", self.space(switch), "-j", "qdisc", "show")):
                if queue["kind"] == "tbf":
                    found[switch, queue["dev"]] = queue["options"]["rate"] * 8 / 1e6
        return found

    def read_status(self, oldest=60.0):
        """As it was written last, not longer ago than that; None while there is none."""
        path = pathlib.Path(bed.STATE) / self.name / "controller" / "status.json"
        try:
            return json.loads(path.read_text()) if time.time() - path.stat().st_mtime < oldest else None
        except (OSError, ValueError):
            return None
