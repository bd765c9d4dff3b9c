# SPDX-License-Identifier: Apache-2.0
"""What is really so on a live fabric, looked at all the time: ports, what they send, what the controller says of links,
rates. Kept for chaos_history.py; invariants that hold at any moment are checked at once."""
import threading
import time

from chaos_cables import ports_of
from chaos_fabric import WAKE_LIMIT_S
from chaos_probe import PortLook
from chaos_promise import DETECT_S, SWITCH
from chaos_schedule import ends_of, line_of
from standby import Controller

# A link may carry everything at once and bursts; a loop fills it: more than 8,000 frames of this size a second.
MOST_FRAMES = 5000
EVERY_S, SLOWLY_S = 0.1, 1.0
OLDEST_S = 2.5  # of a status, which is written each second: an older one says nothing about now
DIFFER_S = 3.0  # at most: an order is repeated each second until it was carried out


def differences(fabric, status):
    """Where a link is not what the controller says of it: ports, groups, rates. By link, the first that is found."""
    found, down, diverted, rates = {}, set(fabric.ports_down()), fabric.diverted(), fabric.rates()
    for link in status["links"]:
        name, ends, asleep = link["link"], ports_of(link["link"]), link["state"] == "asleep"
        said = f"{name} is {link['state']}"
        around = [way for way in (name.replace("-", ">"), ">".join(reversed(name.split("-")))) if way in diverted]
        odd = [f"rates: {name} is said to run at {link['rate']}, and {switch} {port} at {rates[switch, port]:g} Mb/s"
               for switch, port in ends if (switch, port) in rates and f"{rates[switch, port]:g}Mb/s" != link["rate"]]
        odd += [f"groups: {said}, and diverted at {len(around)} of its ends"] if len(around) != (2 if asleep else 0) else []
        odd += [f"ports: {said}, and {switch} {port} is {'up' if asleep else 'down'}"
                for switch, port in ends if (f"{switch} {port}" in down) != asleep]
        if odd:
            found[name] = odd[0]
    return found


class Watch:
    """`samples` are (when, {(switch, port): (up, frames sent)}), `states` (when, {link: state})."""

    def __init__(self, fabric):
        self.fabric, self.broken, self.busiest, self.most_asleep = fabric, [], 0.0, 0
        self.samples, self.states = [], []
        self.counted = None
        self.differ = {}  # by link: since when it is not what is said of it, what, and the state that it was in
        self.ends = threading.Event()
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self._run, self._run_slowly)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def finish(self):
        self.ends.set()
        for thread in self.threads:
            thread.join()

    def _breaks(self, what):
        if what.split(" ")[:2] not in [said.split(" ")[:2] for _, said in self.broken]:
            self.broken.append((time.monotonic(), what))

    def _run(self):
        ports = PortLook(self.fabric)
        while not self.ends.wait(EVERY_S):
            self.samples.append((time.monotonic(), ports.look()))
            self._count(*self.samples[-1])
            if len(self.samples) % 2 == 0:
                self._read_status()
        ports.close()

    def _count(self, now, sample):
        at, before = self.counted = self.counted or (now, sample)
        if now - at < 0.5:
            return
        self.counted = (now, sample)
        for (switch, port), (_, frames) in sample.items():
            rate = (frames - before.get((switch, port), (True, frames))[1]) / (now - at)
            self.busiest = max(self.busiest, rate)
            if rate > MOST_FRAMES and not self.fabric.promise.in_force(("swap",), at, now, DETECT_S):
                self._breaks(f"loop: {switch} {port} sends {rate:.0f} frames a second")

    def _read_status(self):
        if not (status := self.fabric.read_status(OLDEST_S)):
            return
        self.states.append((time.monotonic(), {link["link"]: link["state"] for link in status["links"]}))
        asleep = [link["link"] for link in status["links"] if link["state"] == "asleep"]
        self.most_asleep = max(self.most_asleep, len(asleep))
        for link in status["links"]:
            # Operators may drain any link without which all are reached; a controller that begins has not seen
            # yet what another left diverted.
            if link["state"] in ("asleep", "draining") and not link["may_sleep"] and link["why"] == "the policy asked":
                self._breaks(f"core: {link['link']} of the core is {link['state']}")
        self._asleep_in_failure([link["link"] for link in status["links"] if link["state"] == "asleep"
                                 and "drained" not in link["why"] and "operator" not in link["why"]])

    def _asleep_in_failure(self, asleep):
        """In the row or column of a failure everything is awake that can be. A status is up to a second old, and written
        by a controller that works."""
        now, promise = time.monotonic(), self.fabric.promise
        for fault in list(promise.faults):
            if fault.end is None and fault.kind in ("cut", *SWITCH) and fault.used \
                    and promise.guided_for(2 * WAKE_LIMIT_S + 1.5, fault.begin, now, set(range(9))):
                gone = fault.element if fault.kind in SWITCH else None
                left = [link for link in asleep if line_of(link) in fault.lines() and gone not in ends_of(link)]
                if left:
                    self._breaks(f"asleep: {left} though {fault.kind} {fault.element} {now - fault.begin:.1f} s ago")

    def _run_slowly(self):
        while not self.ends.wait(SLOWLY_S):
            try:
                self._compare()
            except (OSError, SystemExit):  # a switch that is dead
                continue

    def _compare(self):
        """What is said of links and what is so may differ while they change, not for longer."""
        now, status, promise = time.monotonic(), self.fabric.read_status(OLDEST_S), self.fabric.promise
        if not status:
            return
        odd = differences(self.fabric, status)
        for link in status["links"]:
            name = link["link"]
            what = odd.get(name) if link["state"] in ("active", "asleep") else None
            if what and what.startswith("rates:") and self._changes_rate(name, now):
                continue  # it is not known which of its rates the status means: neither right nor wrong
            since, before, state = self.differ.get(name, (now, None, None))
            if what is None or what != before or link["since_s"] != state:
                self.differ[name] = (now, what, link["since_s"])
            elif promise.guided_for(DIFFER_S, since, now, set(ends_of(name))) and not self._faulty(name, now):
                self._breaks(f"{what}, for {now - since:.1f} s")

    def _changes_rate(self, link, now):
        """The controller said so since the status was written, at most a second and a bit ago."""
        said = f" {link} active: at "
        return any(now - at < 1.2 and said in line for one in Controller.all for at, line in one.lines)

    def _faulty(self, link, now):
        """The link itself, or one of its switches."""
        return any((fault.kind == "cut" and fault.element == link or fault.kind in SWITCH and fault.element in ends_of(link))
                   and (fault.end is None or fault.end + DIFFER_S > now) for fault in self.fabric.promise.faults)
