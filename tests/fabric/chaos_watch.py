# SPDX-License-Identifier: Apache-2.0
"""Invariants that hold on a live fabric at any time, whatever goes wrong."""
import json
import threading
import time

import bed
from chaos_fabric import WAKE_LIMIT_S
from chaos_probe import frames_sent

# A link may carry everything at once and bursts; a loop fills it: more than 8,000 frames of this size a second.
MOST_FRAMES = 5000


class Watch:
    """Looks at invariants every 200 ms."""

    def __init__(self, fabric):
        self.fabric, self.broken, self.most_asleep, self.busiest = fabric, [], 0, 0.0
        self.looks, self.longest_gap = 0, 0.0
        self.counts = {}
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self.thread.start()

    def finish(self):
        self.ends.set()
        self.thread.join()

    def _run(self):
        last = time.monotonic()
        while not self.ends.wait(0.2):
            self._count()
            self._read_status()
            self.looks += 1
            self.longest_gap = max(self.longest_gap, time.monotonic() - last)
            last = time.monotonic()

    def _breaks(self, what):
        if what not in [said for _, said in self.broken]:
            self.broken.append((time.monotonic(), what))

    def _count(self):
        for switch in self.fabric.devices:
            frames, now = frames_sent(self.fabric.space(switch)), time.monotonic()
            at, before = self.counts.setdefault(switch, (now, frames))
            if now - at < 0.5:
                continue
            self.counts[switch] = (now, frames)
            for port, count in frames.items():
                rate = (count - before.get(port, count)) / (now - at)
                self.busiest = max(self.busiest, rate)
                if rate > MOST_FRAMES:
                    self._breaks(f"loop: {switch} {port} sends {rate:.0f} frames a second")

    def _read_status(self):
        try:
            status = json.loads((bed.STATE / self.fabric.name / "controller" / "status.json").read_text())
        except (OSError, ValueError):
            return
        asleep = [link["link"] for link in status["links"] if link["state"] == "asleep"]
        self.most_asleep = max(self.most_asleep, len(asleep))
        for link in status["links"]:
            # Operators may drain any link without which all are reached; a controller that begins has not seen
            # yet what another left diverted.
            if link["state"] in ("asleep", "draining") and not link["may_sleep"] and "policy" in link["why"]:
                self._breaks(f"{link['link']} of the core is {link['state']}")
        self._asleep_in_failure(asleep)

    def _asleep_in_failure(self, asleep):
        """A status is up to a second old, and written by a controller that works."""
        now, promise = time.monotonic(), self.fabric.promise
        for kind, element, begin, end in list(promise.failures):
            if end is None and promise.guided_for(2 * WAKE_LIMIT_S + 1.5, begin, now):
                left = [link for link in asleep if f"s{element}" not in link.split("-")]
                if left:
                    self._breaks(f"asleep though {kind} {element} {now - begin:.1f} s ago: {left}")
