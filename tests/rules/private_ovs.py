# SPDX-License-Identifier: Apache-2.0
"""An Open vSwitch of our own: dummy ports, no privileges, a folder that goes when it ends.

    with PrivateOvs() as ovs:
        ovs.add_bridges({"s0": 4})                  # ports 1 to 4
        ovs.load("s0", "s0.flows", "s0.groups")
        ovs.trace("s0", "in_port=1,dl_dst=...")
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema"
PROGRAMS = ("ovsdb-tool", "ovsdb-server", "ovs-vswitchd", "ovs-vsctl", "ovs-ofctl", "ovs-appctl")


def path_with_sbin():
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def is_installed():
    return all(shutil.which(name, path=path_with_sbin()) for name in PROGRAMS) and os.path.exists(SCHEMA)


def has_ended(pid):
    """Whether only its entry is left, for a parent that has not asked yet."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


class PrivateOvs:
    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ebb-ovs-"))
        self.environment = dict(os.environ, PATH=path_with_sbin(), OVS_RUNDIR=str(self.folder),
                                OVS_LOGDIR=str(self.folder), OVS_DBDIR=str(self.folder))
        self.database = f"unix:{self.folder}/db.sock"
        try:
            self.run("ovsdb-tool", "create", f"{self.folder}/conf.db", SCHEMA)
            self.start("ovsdb-server", f"{self.folder}/conf.db", f"--remote=p{self.database}")
            self.start("ovs-vswitchd", self.database, "--enable-dummy", "--disable-system", "--disable-system-route")
            self.run("ovs-vsctl", f"--db={self.database}", "--no-wait", "init")
        except Exception:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in ("ovs-vswitchd", "ovsdb-server"):
            self.end(self.folder / f"{name}.pid")
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self, pid_file):
        """Ends the process of that file and waits: a daemon that ends late would take away new files."""
        if not pid_file.exists():
            return
        pid = int(pid_file.read_text())
        for number in [signal.SIGTERM] + [0] * 200 + [signal.SIGKILL]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                return
            if has_ended(pid):
                return
            time.sleep(0.05)

    def run(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)[:200]}: {done.stderr}")
        return done.stdout

    def start(self, name, *options):
        self.run(name, *options, "--detach", "--no-chdir", f"--pidfile={self.folder}/{name}.pid",
                 f"--unixctl={self.folder}/{name}.ctl", f"--log-file={self.folder}/{name}.log")

    def add_bridges(self, ports):
        command = []
        for bridge, count in ports.items():
            command += ["--", "add-br", bridge, "--", "set", "bridge", bridge, "datapath_type=dummy", "fail_mode=secure",
                        "protocols=OpenFlow10,OpenFlow13"]
            for port in range(1, count + 1):
                command += ["--", "add-port", bridge, f"{bridge}p{port}", "--", "set", "interface", f"{bridge}p{port}",
                            "type=dummy", f"ofport_request={port}"]
        self.run("ovs-vsctl", f"--db={self.database}", *command)

    def remove_bridges(self, bridges):
        command = [word for bridge in bridges for word in ("--", "del-br", bridge)]
        self.run("ovs-vsctl", f"--db={self.database}", *command)

    def load(self, bridge, flows, groups):
        if groups:
            self.run("ovs-ofctl", "-O", "OpenFlow13", "--bundle", "add-groups", bridge, str(groups))
        self.run("ovs-ofctl", "-O", "OpenFlow13", "--bundle", "replace-flows", bridge, str(flows))

    def tell(self, *words):
        """As ovs-appctl does, without a process for each request."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(f"{self.folder}/ovs-vswitchd.ctl")
            connection.sendall(json.dumps({"id": 0, "method": words[0], "params": words[1:]}).encode())
            text = b""
            while True:
                text += connection.recv(65536)
                try:
                    answer = json.loads(text)
                    break
                except ValueError:
                    continue
        if answer["error"] is not None:
            raise RuntimeError(f"{' '.join(words)[:200]}: {answer['error']}")
        return answer["result"]

    def set_port(self, bridge, port, state):
        self.tell("netdev-dummy/set-admin-state", f"{bridge}p{port}", state)

    def trace(self, bridge, flow):
        """A frame is not sent back by the port it came in by, although the trace names that output."""
        text = self.tell("ofproto/trace", bridge, flow)
        if "skipping output to input port" in text:
            raise AssertionError(f"{bridge} drops the frame {flow}:\n{text}")
        return text
