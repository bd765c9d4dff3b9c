# SPDX-License-Identifier: Apache-2.0
"""What happened, checked after the fact: audit trail, what controllers said, what ports really did, and which datagrams
arrived, against the promises of chaos_promise.py. Each check is a function that yields (when, "check: what is wrong")."""
import bisect
import collections
import datetime
import json
import re

from chaos_cables import ports_of
from chaos_control import DRAIN_IDLE_S
from chaos_promise import DETECT_S, IN_FLIGHT_S, RESTART_S, SILENT, SLOW, SWITCH, lines_between
from chaos_schedule import cables, ends_of, line_of, switches_in
from standby import Controller

# Lost in a row, that is 500 ms: the pair is cut off. Fewer are counted: switches share processors with compilers.
IN_A_ROW = 5
BACK_S = 10.0      # until a link that was mended is used again
STALE_S = 1.5      # counters that are older say nothing
ANSWER_S = 10.0    # an order is answered within, or its connection is lost
COUNTED_S = 0.25   # what a controller knows of counters is up to so old: read each 100 ms, on a busy machine
LINE = re.compile(r"(s\d-s\d) (active|draining|asleep|waking|failed): (.*)")


class History:
    """Of a run that is over."""

    def __init__(self, fabric, watch, pairs):
        self.fabric, self.promise, self.pairs = fabric, fabric.promise, pairs
        self.samples, self.states = watch.samples, watch.states
        self.times = [at for at, _ in self.samples]
        self.controllers = list(Controller.all)
        self.links = collections.defaultdict(list)  # (when, state, why, controller), by link
        for controller in self.controllers:
            for at, line in controller.lines:
                if found := LINE.search(line):
                    self.links[found.group(1)].append((at, found.group(2), found.group(3), controller))
        for rows in self.links.values():
            rows.sort(key=lambda row: row[0])
        self.audit = list(self.read_audit())

    def read_audit(self):
        for line in self.fabric.audit_lines:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            yield at_of(row["time"]) + self.fabric.offset, row

    def state_of(self, link, at):
        """As the controllers said last before that time."""
        rows = self.links[link]
        found = bisect.bisect_left([row[0] for row in rows], at)
        return rows[found - 1][1] if found else "active"

    def leader_at(self, at):
        led = [(when, controller) for controller in self.controllers
               for when, line in controller.lines if "leads, generation" in line and when <= at]
        return max(led, key=lambda row: row[0], default=(0, None))[1]

    def quiet(self, begin, end):
        """Neither controllers nor their disks were in trouble."""
        return not self.promise.troubled_by(("no controller", "stopped", "state hidden", "disk", "dismissed"), begin, end, 3.0)


def at_of(text):
    """Seconds since 1970 of 2026-11-15T21:00:12.482Z."""
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc).timestamp()


def unexplained_losses(history):
    """(a) A datagram is lost only by a fault that was in force within its detection time."""
    row = {}
    for pair, number, at in history.pairs.lost():
        if history.promise.excuse(at, *pair) or history.pairs.stalled(at):
            continue
        first, last, count = row.get(pair, (at, number - 2, 0))
        row[pair] = (first, number, count + 1) if number == last + 1 else (at, number, 1)
        if row[pair][2] == IN_A_ROW:
            now = [f"{fault.kind} {fault.element} since {at - fault.begin:.1f} s" for fault in history.promise.faults
                   if fault.begin <= at and (fault.end is None or at <= fault.end)]
            yield row[pair][0], f"loss: h{pair[0]} does not reach h{pair[1]}{', ' if now else ''}{', '.join(now)}"


def came_twice(history):
    """A datagram arrives once, but on a cable that a relay is part of."""
    # A fault is noted when it has been made, and works from its first half on.
    odd = [at for at in history.pairs.twice
           if not history.promise.in_force((*SLOW, "swap"), at - IN_FLIGHT_S, at + IN_FLIGHT_S, IN_FLIGHT_S)]
    if odd:
        yield odd[0], f"twice: {len(odd)} datagrams came twice"


def drained_by_hand(history):
    """(b) A link that an operator drained comes up for nobody else."""
    forgotten = [trouble.begin for trouble in history.promise.troubles if trouble.what == "state hidden"]
    asked = sorted(history.fabric.asked, key=lambda row: row[0])
    for number, (_, verb, link, end, code, _) in enumerate(asked):
        if verb != "drain" or code != 0:
            continue
        until = min([row[0] for row in asked[number + 1:] if row[1] == "undrain" and row[2] == link]
                    + [at for at in forgotten if at > end] + [history.times[-1] + 1])
        down = False
        for at, sample in history.samples[bisect.bisect_left(history.times, end):bisect.bisect_left(history.times, until)]:
            up = [f"{switch} {port}" for switch, port in ports_of(link) if sample.get((switch, port), (False,))[0]]
            if down and up and not rebooted(history, link, at):
                why = next((f"{state}: {text}" for when, state, text, _ in reversed(history.links[link]) if when <= at + 0.3), "")
                yield at, f"drained: {link} was drained by hand, and {' and '.join(up)} came up: {why}"
                break
            down = down or not up


def rebooted(history, link, at):
    return any(fault.kind == "reboot-switch" and fault.element in ends_of(link) and fault.begin <= at
               and (fault.end is None or not history.promise.guided_for(RESTART_S, fault.end, at, set(ends_of(link))))
               for fault in history.promise.faults)


def went_down_busy(history):
    """(c) No port goes down by order that sent frames within the idle time before, as far as counters can tell."""
    for (before, old), (at, new) in zip(history.samples, history.samples[1:]):
        for end, (up, _) in new.items():
            if up or not old.get(end, (False,))[0] or at - before > 2 * DRAIN_IDLE_S:
                continue
            cable = next((one for one in cables() if end in ports_of(one)), None)
            if not cable or history.state_of(cable, at + 0.2) not in ("draining", "asleep") \
                    or history.promise.in_force(("cut", "swap", *SWITCH), at - 1, at, 1.0) \
                    or history.promise.troubled_by(("delay", "stall"), at - 1, at, 1.0) or history.pairs.stalled(at):
                continue
            window = [sample[end][1] for when, sample in history.samples[max(0, bisect.bisect_left(history.times, at) - 8):]
                      if before - DRAIN_IDLE_S <= when <= before - COUNTED_S and end in sample]
            if window and window[-1] - window[0] > 0:
                yield at, f"idle: {end[0]} {end[1]} of {cable} went down {DRAIN_IDLE_S} s after it sent {window[-1] - window[0]} frames"


def two_leaders(history):
    """(d) In one generation one controller writes to a switch."""
    for (switch, generation), writers in history.fabric.channels.writers.items():
        if len(writers) > 1:
            yield max(writers.values()), f"leaders: processes {sorted(writers)} wrote to {switch} in generation {generation}"


def unanswered_orders(history):
    """(e) Every order is answered, or its connection was lost, or the controller ended."""
    if history.promise.troubled_by(("disk", "full disk", "state hidden"), 0, history.times[-1]):
        return  # lines are missing then
    waiting, last = {}, max((at for at, _ in history.audit), default=0)
    for at, row in history.audit:
        key = tuple(row.get(word) for word in ("order", "switch", "port", "does"))
        if row["event"] == "order":
            waiting.setdefault(key, []).append(at)
        elif row["event"] == "answer" and waiting.get(key):
            waiting[key].pop()
    for (_, switch, port, does), times in waiting.items():
        for at in times:
            gone = any(f"{switch} has gone" in line and at - 0.1 <= when <= at + ANSWER_S
                       for controller in history.controllers for when, line in controller.lines)
            ended = any(controller.exited and at - 0.1 <= controller.exited[0] <= at + ANSWER_S for controller in history.controllers)
            if not gone and not ended and at + ANSWER_S < last and history.quiet(at, at + ANSWER_S):
                yield at, f"orders: {does} of {switch} port {port} was never answered"


def not_detected(history):
    """(f) A link that carries nothing any more has failed within the detection time, and is used again when mended; one
    that is woken carries frames only when it can."""
    for fault in history.promise.faults:
        end = fault.end or history.times[-1]
        if fault.kind not in (*SILENT, "cut"):
            continue
        rows = [(at, state) for at, state, _, _ in history.links[fault.element] if fault.begin < at < end]
        failed = [at for at, state in rows if state == "failed"]
        watched = history.promise.guided_for(DETECT_S, fault.begin, end, fault.switches())
        was = history.state_of(fault.element, fault.begin)
        if fault.used and was == "active" and not rows and watched:
            yield fault.begin + DETECT_S, f"detection: {fault.kind} {fault.element} for {end - fault.begin:.1f} s, and the link is active"
        woken = [at for (before, state), (at, then) in zip(rows, rows[1:]) if (state, then) == ("waking", "active")
                 and before > fault.begin + 0.1]
        if woken and fault.kind in SILENT:
            yield woken[0], f"woken: {fault.element} is used since {woken[0] - fault.begin:.1f} s after {fault.kind}, and carries nothing"
        again = fault.end and any(other is not fault and other.begin < fault.end + BACK_S and (other.end or end) > fault.end
                                  for other in history.promise.faults)
        if failed and fault.end and not again and fault.end + BACK_S < history.times[-1] \
                and history.promise.guided_for(BACK_S - 0.5, fault.end, fault.end + BACK_S, fault.switches()) \
                and history.state_of(fault.element, fault.end + BACK_S) == "failed":
            yield fault.end + BACK_S, f"detection: {fault.element} is still failed {BACK_S:.0f} s after {fault.kind} was mended"


def not_taken_over(history):
    """(g) Who stands by leads in time, whatever the options."""
    for at, kind, limit, leader in history.fabric.takeovers:
        if history.promise.troubled_by(("state hidden", "disk", "full disk", "dismissed"), at, at + limit, 3.0) \
                or any(history.pairs.stalled(at + part * limit / 4) for part in range(5)):
            continue
        resumed = next((when for when, event, _ in history.fabric.done if event == "go-on" and when > at), at + 99)
        led = [when for controller in history.controllers if controller is not leader
               for when, line in controller.lines if "leads, generation" in line and when > at]
        if resumed > at + limit and (not led or min(led) > at + limit):
            said = next((line.split("  ")[-1].strip() for controller in history.controllers if controller is not leader
                         for when, line in controller.lines if at < when < at + limit and "in use" in line), "")
            took = f"after {min(led) - at:.1f} s" if led else "by nobody"
            yield at, f"takeover: the leader {kind}, taken over {took}, not within {limit:.1f} s {said}"


def drained_at(history, at):
    """Links that operators had drained."""
    drained = set()
    for _, verb, link, end, code, _ in sorted(history.fabric.asked, key=lambda row: row[0]):
        if code == 0 and end <= at and verb in ("drain", "undrain"):
            (drained.add if verb == "drain" else drained.discard)(link)
    return drained


def ended_alone(history):
    """(h) A controller ends when it is asked to, and otherwise says by its exit code that something is wrong."""
    for number, controller in enumerate(history.controllers):
        if not controller.exited or controller.told in ("kill", "term"):
            continue
        at, code = controller.exited
        reasons = [what for what in ("state hidden", "disk", "full disk", "dismissed", "rogue") if history.promise.troubled_by((what,), at - 3, at, 1.0)]
        if code != 0 and set(reasons) & {"state hidden", "disk", "dismissed"}:
            continue  # a service manager starts it again
        found = bisect.bisect_left(history.times, at)
        sample = history.samples[min(found, len(history.samples) - 1)][1]
        meant = {end for link in drained_at(history, at) for end in ports_of(link)}
        down = sum(not up for end, (up, _) in sample.items() if end not in meant)
        if code == 0 and down == 0 and set(reasons) & {"state hidden", "dismissed"}:
            continue  # nothing was left asleep
        yield at, f"exit: controller {number} ended by itself with {code}, {down} ports down ({', '.join(reasons) or 'nothing was wrong with it'})"


def deposed_by_one(history):
    """(h) One peer does not end a term."""
    for trouble in history.promise.troubles:
        if trouble.what != "rogue":
            continue
        name = f"s{min(trouble.switches)}"
        for controller in history.controllers:
            said = [(at, line) for at, line in controller.lines if "leads no longer" in line and name in line
                    and trouble.begin < at < (trouble.end or at) + 2]
            if said:
                yield said[0][0], (f"rogue: a peer that says to be {name} ended a term {len(said)} times, "
                                   f"first after {said[0][0] - trouble.begin:.1f} s: {said[0][1].split('  ')[-1].strip()}")


def slept_on_stale_counters(history):
    """(i) Nothing begins to sleep by a policy on counters that are not answered."""
    for trouble in history.promise.troubles:
        if trouble.what != "freeze":
            continue
        asked = sorted((at, link) for link, rows in history.links.items() for at, state, why, _ in rows
                       if state == "draining" and "policy" in why and trouble.begin + STALE_S < at < (trouble.end or at + 1))
        if asked:
            yield asked[0][0], (f"stale: {len(asked)} links were drained for the policy without counters, {asked[0][1]} "
                                f"{asked[0][0] - trouble.begin:.1f} s after the last")


def woken_far_away(history):
    """What has nothing to do with a failure sleeps on: a link without a switch in the row or column of what failed, over
    which it might have a detour."""
    pattern = re.compile(r"a link has failed: (s\d) to (s\d)|a switch has gone: (s\d)")
    woken = collections.defaultdict(set)
    for link, rows in history.links.items():
        for at, state, why, _ in rows:
            found = pattern.search(why)
            if state != "waking" or not found:
                continue
            a, b, switch = found.groups()
            near = {line_of(f"{a}-{b}")} if a else {line for line in map(line_of, cables()) if int(switch[1]) in switches_in(line)}
            beside = set().union(*(switches_in(line) for line in near))
            if not beside & set(map(int, re.findall(r"\d+", link))):
                woken[round(at), found.group(0)].add(link)
    for (at, why), links in sorted(woken.items()):
        yield at, f"scope: {len(links)} links in other rows and columns were woken: {why}"


def overtaken_orders(history):
    """What is said about an order that a newer one has replaced changes nothing."""
    orders = {}
    for at, row in history.audit:
        if row["event"] == "order":
            orders[row["order"]] = at  # numbers begin anew with each term
        if row["event"] != "answer" or row["ok"] or row["does"] != "port_down":
            continue
        newer = any(other["event"] == "order" and other["does"] == "port_up" and other["switch"] == row["switch"]
                    and other["port"] == row["port"] and orders.get(row["order"], at) < when <= at for when, other in history.audit)
        failed = [why for when, state, why, _ in history.links[row["link"]] if state == "failed" and at - 0.1 < when < at + 0.4]
        if newer and failed:
            yield at, f"overtaken: {row['link']} was told to wake, and failed by the answer to an older order: {failed[0]}"


def drained_without_both(history):
    """A link goes to sleep only while both its switches are there."""
    for at, row in history.audit:
        if row["event"] != "order" or row["does"] != "port_down" or not (leader := history.leader_at(at)):
            continue
        for end in ends_of(row["link"]):
            said = [(when, "gone" in line) for when, line in list(leader.lines)
                    if f" s{end} has gone" in line and when < at - 0.02 or f" s{end} is here" in line and when < at + 0.1]
            if said and said[-1][1]:
                yield at, f"leaving: {row['switch']} port {row['port']} of {row['link']} is told to go down {at - said[-1][0]:.2f} s after s{end} had gone"


CHECKS = (unexplained_losses, came_twice, drained_by_hand, went_down_busy, two_leaders, unanswered_orders, not_detected, not_taken_over,
          ended_alone, deposed_by_one, slept_on_stale_counters, woken_far_away, overtaken_orders, drained_without_both)


def check(history):
    """All violations; a check that breaks is one."""
    broken = []
    for one in CHECKS:
        try:
            broken += list(one(history))
        except Exception as problem:
            broken.append((history.times[-1], f"harness: {one.__name__}: {problem!r}"))
    return broken


def fault_times(history):
    """[kind, seconds until frames were led around it or None, seconds after it was mended until none was lost]"""
    lost = sorted((at, pair) for pair, _, at in history.pairs.lost())
    for fault in history.promise.faults:
        if fault.end is None or fault.kind in ("lossy", "rogue", *SLOW) or not fault.used:
            continue
        near = [at for at, pair in lost if fault.kind in SWITCH or fault.lines() & lines_between(*pair)]
        after = min([other.begin for other in history.promise.faults if other.begin > fault.end] + [fault.end + 15])
        during = [at for at in near if fault.begin - IN_FLIGHT_S <= at < fault.end]
        later = [at for at in near if fault.end <= at < after]
        diverted = max(0.0, during[-1] - fault.begin) + 1 / history.pairs.rate if during else 0.0
        lasted = during and during[-1] > fault.end - 2 * IN_FLIGHT_S
        if fault.kind in SWITCH:
            lasted = True  # nothing leads around a dead switch
        yield fault.kind, None if lasted else round(diverted, 2), round(later[-1] - fault.end, 2) if later else 0.0
