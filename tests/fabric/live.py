# SPDX-License-Identifier: Apache-2.0
"""A fabric with its controller, and traffic through it: what the tests of `ebb fabric run` share."""
import json
import pathlib
import re
import signal
import subprocess
import threading
import time

import bed

# Links may change as often as a test likes.
HASTY = "safety: {min_awake_time: 0s, min_sleep_time: 0s, failure_holdoff: 500ms, transitions_per_hour: 100000}\n"


# What a machine that keeps up does not do: the sender of a load late by so much, a datagram so long on its way through
# a network that is not overloaded, so much of the processors' time given to other machines.
LATE_MS, SLOW_MS, STOLEN = 20, 100, 0.02


def processor_time():
    """(all, given to other machines), in ticks."""
    ticks = [int(word) for word in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return sum(ticks), ticks[7]


def stall(result):
    """What shows that the machine stalled, in words, or nothing."""
    signs = [(result["late_ms"], LATE_MS, "the sender was late by {:.0f} ms"),
             (result["latency_ms"]["max"], SLOW_MS, "a datagram took {:.0f} ms"),
             (result["stolen"], STOLEN, "other machines had {:.1%} of the processors")]
    return ", ".join(text.format(value) for value, limit, text in signs if value >= limit)


def expect_carried(result, what, lost=0):
    """No more than so many were lost. If more were, and the machine stalled meanwhile, switches had no processor to carry them."""
    if result["lost"] <= lost:
        return
    if stall(result):
        raise bed.MachineStalled(f"{result['lost']} of {result['sent']} datagrams lost {what}; {stall(result)}")
    bed.expect(False, f"{result['lost']} of {result['sent']} datagrams lost {what}: late by {result['late_ms']:.1f} ms, slowest "
                      f"{result['latency_ms']['max']:.1f} ms, stolen {result['stolen']:.2%}: {result}")


class Live:
    """`with Live(programs, name, topology) as fabric:` is up, controlled, and its hosts have asked for
    their addresses."""

    def __init__(self, programs, name, topology, more=HASTY, hosts=True, up=()):
        self.ebb, self.host_client, self.traffic_tool = programs
        self.name, self.topology, self.more, self.hosts, self.up = name, topology, more, hosts, up
        self.scratch = bed.scratch()
        self.folder = pathlib.Path(self.scratch.name)
        self.controller = None
        self.senders = []
        self.log = []

    def __enter__(self):
        self.file = str(self.folder / f"{self.name}.yaml")
        self.write_file(self.topology)
        try:
            bed.must(self.ebb, "fabric", "up", self.file, *self.up)
            self.addresses = self.read_addresses()
            self.start()
            if self.hosts:
                self.give_addresses()
        except BaseException:
            self.__exit__()
            raise
        return self

    def up(self):
        bed.must(self.ebb, "fabric", "up", self.file)

    def __exit__(self, *_):
        for sender in self.senders:
            sender.kill()
        if self.controller:
            self.kill()
        bed.take_down(self.ebb, self.name)
        self.scratch.cleanup()

    def write_file(self, topology):
        pathlib.Path(self.file).write_text(
            f"schema_version: 1\nname: {self.name}\ntopology: {topology}\n{self.more}")

    def read_addresses(self):
        rows = bed.must(self.ebb, "fabric", "up", self.file, "--dry-run").splitlines()[3:]
        return {row.split()[0]: row.split()[5] for row in rows if row.startswith("h")}

    def start(self, *options, wait=True, program=None):
        """`program`: what controls the fabric in the place of `ebb fabric run`."""
        self.log = []
        self.controller = subprocess.Popen([*(program or (self.ebb, "fabric", "run")), self.file, *options],
                                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # A pipe that nobody reads would stop the controller.
        threading.Thread(target=self._read, args=(self.controller,), daemon=True).start()
        if wait:
            self.wait_for("all switches are here")

    def _read(self, process):
        for line in process.stdout:
            self.log.append(line.rstrip())

    def wait_for(self, text, seconds=30, since=0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if any(text in line for line in self.log[since:]):
                return
            bed.expect(self.controller.poll() is None, "the controller runs:\n" + "\n".join(self.log))
            time.sleep(0.01)
        bed.expect(False, f"'{text}' within {seconds} s:\n" + "\n".join(self.log[-40:]))

    def kill(self):
        self.controller.kill()
        self.controller.wait()

    def stop(self):
        self.controller.send_signal(signal.SIGTERM)
        self.controller.wait(timeout=30)

    def on(self, node, *words):
        return (self.ebb, "fabric", "exec", node, "--fabric", self.name, "--", *words)

    def give_addresses(self):
        """Each host asks its switch (DMP) and takes what it gets."""
        for host, address in self.addresses.items():
            got = bed.must(*self.on(host, self.host_client, "eth0", "--ip"))
            bed.expect(got.split()[2] == address, f"{host} gets {address}: {got}")

    def status(self):
        """The last that a controller wrote, also one that has ended: then the exit code is 3."""
        return json.loads(bed.run(self.ebb, "fabric", "status", "--fabric", self.name, "--json").stdout)

    def links(self):
        return [link["link"] for link in self.status()["links"]]

    def ask(self, verb, link):
        return bed.run(self.ebb, "fabric", verb, link, "--fabric", self.name)

    def change(self, verb, link, state, seconds=10):
        since = len(self.log)
        done = self.ask(verb, link)
        bed.expect(done.returncode == 0, f"{verb} {link}: {done.stderr}")
        self.wait_for(f"{link} {state}:", seconds, since)

    def pair(self, source, target):
        return f"{source}:{target}:{self.addresses[target]}"

    def traffic(self, pairs, rate, seconds, *options):
        """Begins; `finish` says what became of it."""
        words = [self.traffic_tool, "--namespaces", f"ebb-{self.name}", "--rate", str(rate), "--seconds", str(seconds)]
        for source, target in pairs:
            words += ["--pair", self.pair(source, target)]
        self.senders.append(subprocess.Popen([*words, *options], stdout=subprocess.PIPE, text=True))
        self.senders[-1].begin = processor_time()
        return self.senders[-1]

    def finish(self, process, early=False):
        if early:
            process.send_signal(signal.SIGTERM)
        text, _ = process.communicate(timeout=300)
        bed.expect(process.returncode == 0, f"the traffic ends well: {text}")
        every, stolen = (end - begin for begin, end in zip(process.begin, processor_time()))
        return {**json.loads(text), "stolen": stolen / max(every, 1)}

    def all_pairs(self):
        """How many pairs of hosts reach each other, of how many."""
        found = 0
        for host in self.addresses:
            others = [address for other, address in self.addresses.items() if other != host]
            found += len(bed.run(*self.on(host, "fping", "-a", "-q", "-r", "3", *others)).stdout.split())
        return found, len(self.addresses) * (len(self.addresses) - 1)

    def rules(self, switch):
        text = bed.must(*self.on(switch, "ovs-ofctl", "-O", "OpenFlow13", "dump-flows", "br0"))
        return len(re.findall(r"cookie=", text))


def silence(result):
    return max(stream["longest_silence_ms"] for stream in result["streams"])
