# SPDX-License-Identifier: Apache-2.0
"""Faults of processes and disks: controllers that are killed, hang, end, are dismissed, or have no place to write. Each is
a method, named as in chaos_schedule.py. Both controllers of a run have the same options, which are made from the seed; one
that ends by itself is started again, as a service manager would."""
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import threading
import time

import bed
from chaos_control import make_certificates
from chaos_promise import HANG_S, KILLED_S
from chaos_rates import RateSetter
from standby import Controller

SMALL_DISK = "4m"
RESTART_AFTER_S = 1.0
HANGS_FOR_S, TAKEN_S = 2.0, 0.5  # then another leads: what is promised holds whether it is kept or not


class ChaosController(Controller):
    """Also says when and how it ended, and what we had told it."""

    def __init__(self, fabric, words, setter=None):
        self.lines, self.told, self.exited, self.setter = [], None, None, setter
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.began = time.monotonic()
        Controller.all.append(self)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        super()._read()
        code = self.process.wait()
        self.exited = (time.monotonic(), code)

    def end(self):
        self.told = self.told or "kill"
        super().end()
        if self.setter:
            self.setter.close()

    def leads(self):
        """The generation, while it leads; else 0."""
        for _, line in reversed(list(self.lines)):
            if "leads no longer" in line:
                return 0
            if "leads, generation" in line:
                return int(line.split()[-1])
        return 0


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Processes:
    """Of a fabric with `setup`, `promise`, `folder`, `name`."""

    def prepare_processes(self):
        self.stopped, self.takeovers, self.hidden, self.lock = [], [], False, threading.RLock()
        self.state = bed.STATE / self.name / "controller"
        self.supervises = threading.Event()
        self.port = free_port()
        if self.setup["listen"] == "ssl":
            make_certificates(self.folder)

    def options(self):
        """The same for both."""
        where = self.state if self.setup["state"] == "small disk" else self.folder
        words = ["--metrics", str(self.port)] if self.setup["metrics"] else []
        for option, file in (("log", "log.jsonl"), ("audit", "audit.jsonl"), ("history", "history.csv")):
            words += [f"--{option}", str(where / file)] if self.setup[option] else []
        if kind := self.setup["listen"]:
            words += ["--listen", f"{kind}:127.0.0.1:0"]
        if kind == "ssl":
            words += ["--certificate", f"{self.folder}/controller.pem", "--key", f"{self.folder}/controller.key",
                      "--ca", f"{self.folder}/ours.pem"]
        return words

    def audit_file(self):
        own = self.state if self.setup["state"] == "small disk" or not self.setup["audit"] else self.folder
        return own / "audit.jsonl"

    def add_controller(self):
        words = [self.ebb, "fabric", "run", self.file, "--standby", *self.options()]
        setter = None
        if self.setup["policy"] == "epoch":
            setter = RateSetter(self.folder / f"rates{len(Controller.all)}")
            words = setter.words(words)
        return ChaosController(self, words, setter)

    def alive(self):
        return [one for one in Controller.all if one.process.poll() is None]

    def leader(self):
        """Of those that run, also when it hangs and another leads meanwhile; there may be none."""
        leads = [one for one in self.alive() if one.leads()]
        return max(leads, key=lambda one: one.leads(), default=None)

    def start_controllers(self):
        with self.lock:
            while len(self.alive()) < 2:
                self.add_controller()
        self.promise.relieved(time.monotonic(), "no controller")

    def supervise(self):
        """What ends by itself comes again. In a thread of its own."""
        while not self.supervises.wait(0.2):
            with self.lock:
                gone = [one for one in Controller.all if one.exited and not one.told]
                for one in gone:
                    if not self.hidden and time.monotonic() > one.exited[0] + RESTART_AFTER_S:
                        one.told = "started again"
                        if len(self.alive()) < 2:
                            self.add_controller()

    def ends_leader(self, kind, limit):
        """Whoever stands by must lead within the limit."""
        leader = self.leader()
        others = [one for one in self.alive() if one is not leader and one not in self.stopped and one.said("stands by")]
        if leader and others and not self.hidden:
            self.takeovers.append((time.monotonic(), kind, limit, leader))
        return leader, others

    def kill_leader(self):
        leader, others = self.ends_leader("killed", KILLED_S)
        if leader:
            leader.end()
            self.promise.troubled(time.monotonic(), "no controller", until=time.monotonic() + TAKEN_S if others else None)

    def kill_both(self):
        self.promise.troubled(time.monotonic(), "no controller")
        for controller in self.alive():
            controller.end()

    def stop_leader(self):
        leader, others = self.ends_leader("hung", HANG_S)
        if leader:
            self.promise.troubled(time.monotonic(), "stopped", until=time.monotonic() + HANGS_FOR_S + TAKEN_S if others else None)
            leader.signal(signal.SIGSTOP)
            self.stopped.append(leader)

    def go_on(self):
        for controller in self.stopped:
            if controller.process.poll() is None:
                controller.signal(signal.SIGCONT)
        self.stopped = []
        self.promise.relieved(time.monotonic(), "stopped")

    def terminate(self, controller):
        controller.told = "term"
        controller.signal(signal.SIGTERM)

    def term_leader(self):
        leader, others = self.ends_leader("asked to end", KILLED_S)
        if leader:
            self.terminate(leader)
            self.promise.troubled(time.monotonic(), "no controller", until=time.monotonic() + TAKEN_S if others else None)

    def term_both(self):
        """First who stands by, so that the leader leaves nobody behind."""
        leader = self.leader()
        self.promise.troubled(time.monotonic(), "no controller")
        for controller in sorted(self.alive(), key=lambda one: one is leader):
            self.terminate(controller)
            if controller is not leader:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    controller.process.wait(timeout=3)

    def dismiss(self):
        """A line at the control socket that is meant for `ebb fabric down`."""
        self.promise.troubled(time.monotonic(), "dismissed", until=time.monotonic() + TAKEN_S)
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as control:
            control.settimeout(1)
            control.connect(str(self.state / "control"))
            control.sendall(b"fabric goes\n")
            control.recv(100)

    # The state folder

    def mount_small_disk(self):
        self.state.mkdir(exist_ok=True)
        bed.must("mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK},mode=700", "tmpfs", str(self.state))

    def leave_disks(self):
        for attempt in range(6):
            if not self.state.is_mount():
                return
            bed.run("umount", *(["-l"] if attempt > 2 else []), str(self.state))

    def fill_disk(self):
        self.promise.troubled(time.monotonic(), "full disk")
        with contextlib.suppress(OSError), open(self.state / "ballast", "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def free_disk(self):
        (self.state / "ballast").unlink(missing_ok=True)
        self.promise.relieved(time.monotonic(), "full disk")

    def read_only(self):
        """For who opens files from now on. Who has some open goes on writing to them."""
        self.promise.troubled(time.monotonic(), "disk")
        aside = self.folder / "read-only"  # where nobody has a file open
        aside.mkdir(exist_ok=True)
        bed.must("mount", "--bind", str(self.state), str(aside))
        bed.must("mount", "-o", "remount,ro,bind", str(aside))
        bed.must("mount", "--bind", str(aside), str(self.state))
        bed.must("umount", str(aside))

    def writable(self):
        bed.run("umount", "-l", str(self.state))
        self.promise.relieved(time.monotonic() + 2 * RESTART_AFTER_S, "disk")

    def hide_state(self):
        self.promise.troubled(time.monotonic(), "state hidden")
        self.hidden = True
        os.rename(self.state, f"{self.state}.hidden")

    def show_state(self):
        if self.state.exists():  # somebody made another
            shutil.rmtree(f"{self.state}.hidden")
        else:
            os.rename(f"{self.state}.hidden", self.state)
        self.hidden = False
        self.promise.relieved(time.monotonic() + 2 * RESTART_AFTER_S, "state hidden")

    # Rates

    def fail_rate(self, _cable):
        for controller in self.alive():
            if controller.setter:
                controller.setter.fail_next()

    def rates_work(self, _cable):
        for controller in self.alive():
            if controller.setter:
                controller.setter.fail_next(False)


