# SPDX-License-Identifier: Apache-2.0
"""A 3x3 fabric whose ports another protocol than OpenFlow switches and counts."""
import json
import re
import time

import bed
from live import Live, expect_carried

TOPOLOGY = "{family: fbfly, hosts: 2, dims: 3x3}"


class Managed(Live):
    def __init__(self, programs, name, by, *options):
        """`options` of run, beside --ports."""
        super().__init__(programs, name, TOPOLOGY, up=[f"--{by}"])
        self.by, self.options = by, options

    def start(self, *options, **more):
        super().start("--ports", self.by, *self.options, *options, **more)

    def socket(self, switch):
        return f"unix:{bed.STATE / self.name / f's{switch}'}/{self.by}.sock"

    def is_up(self, switch, port):
        text = bed.must("ip", "-n", f"ebb-{self.name}-s{switch}", "-j", "link", "show", f"p{port}")
        return "UP" in json.loads(text)[0]["flags"]

    def ports_down(self):
        return {(s, p) for s in range(9) for p in range(1, 7) if not self.is_up(s, p)}

    def check_devices(self, access):
        """The same where a file says where switches answer, with `access` to them."""
        self.stop()
        file = self.folder / "devices.yaml"
        switches = "".join(f"  s{i}: {self.socket(i)}\n" for i in range(8))
        file.write_text(f"schema_version: 1\n{self.by}: {access}\nswitches:\n{switches}")
        refused = bed.run(self.ebb, "fabric", "run", self.file, "--ports", self.by, "--devices", str(file))
        bed.expect(refused.returncode == 2 and "s8 has no address" in refused.stderr, f"what is missing is named: {refused}")
        file.write_text(file.read_text() + f"  s8: {self.socket(8)}\n")
        self.start("--devices", str(file))
        link = self.links()[-1]
        end = time.monotonic() + 20
        while (refused := self.ask("drain", link)).returncode:  # until its cables have been checked
            bed.expect(time.monotonic() < end, f"drain {link}: {refused.stderr}")
            time.sleep(0.1)
        self.wait_for(f"{link} asleep:", 30)
        bed.expect(len(self.ports_down()) == 2, f"{link} sleeps: {self.ports_down()} are down")
        self.change("undrain", link, "active", 30)
        bed.expect(not self.ports_down(), f"{link} is awake")

    def check_sleep(self, links):
        """Exactly the two ports of a sleeping link are down, and no datagram is lost."""
        load = self.traffic([("h2", "h5"), ("h8", "h16"), ("h17", "h3"), ("h4", "h12")], 1000, 600)
        asleep, awake = [], []
        for link in self.links()[:links]:
            began = time.monotonic()
            self.change("drain", link, "asleep", 30)
            asleep.append(time.monotonic() - began)
            ends = {int(end) for end in re.findall(r"\d+", link)}
            down = self.ports_down()
            bed.expect({switch for switch, _ in down} == ends and len(down) == 2, f"{link} sleeps: {down} are down")
            began = time.monotonic()
            self.change("undrain", link, "active", 30)
            awake.append(time.monotonic() - began)
            bed.expect(not self.ports_down(), f"{link} is awake: {self.ports_down()} are down")
        result = self.finish(load, early=True)
        expect_carried(result, f"while {links} links slept and woke")
        print(f"{self.by}: {links} links slept and woke, 0 of {result['sent']} datagrams lost, "
              f"slowest asleep in {max(asleep):.2f} s, awake in {max(awake):.2f} s")
