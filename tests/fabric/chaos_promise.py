# SPDX-License-Identifier: Apache-2.0
"""What a fabric promises while things go wrong, by what really happened and when:

- While no cable and no switch has failed, every pair of hosts reaches each other, whatever happens to controllers,
  control messages, agents, operators and load.
- Within its detection time after a fault began, with controllers at work for as long, a cable is rerouted around: every
  pair reaches each other but those whose host is at a dead switch or whose way leads through it (tables dodge cables,
  not switches). A cable whose ports went down is detected at once; one that loses everything although its ports are
  up, or that leads elsewhere, by three probes that are missed. Of one that loses a share nothing is promised, nor of
  the row or column of one while another link of it is drained by hand: that link stays down.
- SETTLE_S after a cable was mended; RESTART_S after a switch was started again, with controllers at work: all again.
"""
import dataclasses

from chaos_schedule import SIDE, line_of, switches_in

PROBE_S = 1.0
SLACK_S = 1.5      # more than promised, for a machine that is busy
DETECT_S = 3 * PROBE_S + SLACK_S
SETTLE_S = 3.0
RESTART_S = 8.0
IN_FLIGHT_S = 0.3  # what was sent shortly before something failed
TAKEOVER_S = 0.5   # until a controller that leads has what it needs
HANG_S = 2.0 + SLACK_S      # until another leads when the leader hangs; docs/fabric/standby.md
KILLED_S = 0.2 + SLACK_S    # when it was killed

SILENT = ("loss", "dead", "swap")          # ports stay up, nothing arrives
SLOW = ("late", "reorder", "twice")        # everything arrives
SWITCH = ("kill-switch", "reboot-switch")
# A controller that leads goes on as if nothing had happened.
HARMLESS = ("delay", "freeze", "lie", "full disk")


def transit(source, target):
    """The switch at the corner: frames go along the column of the source first, then along the row of the target."""
    return (target // SIDE) * SIDE + source % SIDE


def lines_between(source, target):
    """Rows and columns that frames of the pair are in, detours included."""
    corner = transit(source, target)
    return {line for line, used in ((("column", source % SIDE), corner != source),
                                    (("row", target // SIDE), corner != target)) if used}


@dataclasses.dataclass
class Fault:
    kind: str
    element: object          # a cable, or the number of a switch
    begin: float
    end: float = None
    used: bool = True        # it carried frames when it failed

    def lines(self):
        if self.kind in (*SWITCH, "rogue"):
            return {("row", self.element // SIDE), ("column", self.element % SIDE)}
        return {line_of(self.element)}

    def switches(self):
        return {switch for line in self.lines() for switch in switches_in(line)}


@dataclasses.dataclass
class Trouble:
    what: str
    switches: set            # whose control messages; None: of the controllers
    begin: float
    end: float = None


class Promise:
    """Filled in as events happen; times in seconds, as of one clock."""

    def __init__(self):
        self.faults, self.troubles = [], []
        self.drained = []  # by hand: [link, from, until or None]

    def fails(self, now, kind, element, used=True):
        self.faults.append(Fault(kind, element, now, used=used))
        return self.faults[-1]

    def mended(self, now, kinds, element):
        for fault in self.faults:
            if fault.kind in kinds and fault.element == element and fault.end is None:
                fault.end = now

    def troubled(self, now, what, switches=None, until=None):
        self.troubles.append(Trouble(what, switches and set(switches), now, until))

    def relieved(self, now, what, switches=None):
        """Of these switches; None: whichever they are."""
        for trouble in self.troubles:
            if trouble.what == what and switches in (None, trouble.switches) and (trouble.end is None or trouble.end > now):
                trouble.end = now

    def drains(self, now, link):
        self.drained.append([link, now, None])

    def undrains(self, now, link):
        for row in self.drained:
            if row[0] == link and row[2] is None:
                row[2] = now

    def drained_in(self, lines, now):
        return any(line_of(link) in lines and begin - IN_FLIGHT_S <= now and (end is None or now <= end + SETTLE_S)
                   for link, begin, end in self.drained)

    def excuse(self, now, source, target):
        """Why a datagram of this time may be lost; None: it may not."""
        for fault in reversed(self.faults):  # the last one is the cause
            if now < fault.begin - IN_FLIGHT_S:
                continue
            over = fault.end is not None and now >= fault.end - IN_FLIGHT_S
            shared = fault.lines() & lines_between(source, target)
            if fault.kind not in SWITCH and not shared:
                continue
            if fault.kind in SWITCH:
                concerned = not over and fault.element in (source, target, transit(source, target))
            else:
                concerned = not over and fault.kind in ("lossy", "rogue")
            concerned = concerned or (not over and self.drained_in(shared, now))
            if concerned or not self.settled(now, fault, over):
                return f"{fault.kind}, mended" if over else fault.kind
        return None

    def settled(self, now, fault, over):
        change = fault.end if over else fault.begin
        if fault.kind in SLOW:
            return now > change + 1.0
        if over and fault.kind not in (*SWITCH, "rogue"):
            return now > change + SETTLE_S + IN_FLIGHT_S
        limit = RESTART_S if over else DETECT_S if fault.kind in SILENT else SETTLE_S
        return self.guided_for(limit, change, now, fault.switches())

    def guided_for(self, seconds, since, now, switches):
        """Whether controllers were at work at these switches for so long in one piece."""
        free = since
        for trouble in sorted(self.troubles, key=lambda one: one.begin):
            if trouble.what in HARMLESS or (trouble.switches is not None and not trouble.switches & switches):
                continue
            if trouble.begin > now:
                break
            if trouble.begin - free > seconds:
                return True
            free = max(free, trouble.end + TAKEOVER_S if trouble.end is not None else now)
        return now - free > seconds

    def in_force(self, kinds, begin, end, after=0.0):
        """A fault of these kinds in this time, or shortly before."""
        return any(fault.kind in kinds and fault.begin <= end and (fault.end is None or fault.end + after >= begin)
                   for fault in self.faults)

    def troubled_by(self, whats, begin, end, after=0.0):
        return any(trouble.what in whats and trouble.begin <= end and (trouble.end is None or trouble.end + after >= begin)
                   for trouble in self.troubles)

    def since_mended(self, now):
        """Seconds since the last failure that began before this time was over."""
        ends = [fault.end for fault in self.faults if fault.begin <= now and fault.end is not None]
        return max(0.0, now - ends[-1]) if ends else 0.0
