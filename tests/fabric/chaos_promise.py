# SPDX-License-Identifier: Apache-2.0
"""What a fabric promises while things go wrong, by what really happened and when:

- While no cable and no switch has failed, every pair of hosts reaches each other, whatever happens to controllers,
  control messages, agents, operators and load.
- SETTLE_S after a cable was cut or a switch died, with controllers at work for as long: every pair but those whose
  host is at the dead switch or whose way leads through it (tables dodge cables, not switches).
- SETTLE_S after a cable was mended; RESTART_S after a switch was started again, with controllers at work: all again.
"""
from chaos_schedule import SIDE

SETTLE_S = 3.0
RESTART_S = 8.0
IN_FLIGHT_S = 0.3  # what was sent shortly before something failed
TAKEOVER_S = 3.0   # until another controller leads, and has what it needs


def transit(source, target):
    """The switch at the corner: frames go along the column of the source first, then along the row of the target."""
    return (target // SIDE) * SIDE + source % SIDE


class Promise:
    """Filled in as events happen; times in seconds, as of one clock."""

    def __init__(self):
        self.failures = []   # [kind, element, from, until or None]
        self.troubles = []   # [what, from, until or None] of controllers and control messages

    def fails(self, now, kind, element):
        self.failures.append([kind, element, now, None])

    def mended(self, now, kind, element):
        self._end(self.failures, (kind, element), now)

    def troubled(self, now, what):
        self.troubles.append([what, now, None])

    def relieved(self, now, what):
        self._end(self.troubles, (what,), now)

    @staticmethod
    def _end(rows, key, now):
        for row in rows:
            if tuple(row[:len(key)]) == key and row[-1] is None:
                row[-1] = now

    def excuse(self, now, source, target):
        """Why a datagram of this time may be lost; None: it may not."""
        for kind, element, begin, end in reversed(self.failures):  # the last one is the cause
            if now < begin - IN_FLIGHT_S:
                continue
            over = end is not None and now >= end - IN_FLIGHT_S
            if not over and kind == "kill-switch" and element in (source, target, transit(source, target)):
                return kind
            if not self._settled(now, kind, end if over else begin, over):
                return f"{kind}, mended" if over else kind
        return None

    def _settled(self, now, kind, change, over):
        if over and kind == "cut":
            return now > change + SETTLE_S + IN_FLIGHT_S
        return self.guided_for(RESTART_S if over else SETTLE_S, change, now)

    def guided_for(self, seconds, since, now):
        """Whether controllers were at work for so long in one piece."""
        free = since
        for _, begin, end in sorted(self.troubles, key=lambda row: row[1]):
            if begin > now:
                break
            if begin - free > seconds:
                return True
            free = max(free, end + TAKEOVER_S if end is not None else now)
        return now - free > seconds

    def since_mended(self, now):
        """Seconds since the last failure that began before this time was over."""
        ends = [end for *_, begin, end in self.failures if begin <= now and end is not None]
        return max(0.0, now - ends[-1]) if ends else 0.0
