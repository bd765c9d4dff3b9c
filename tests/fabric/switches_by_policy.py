#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The policy elastic on a leaf-spine of real switches: with little traffic it takes spines out of use and has their power switched off,
with more it has them back before they are needed; what an operator has drained it leaves alone; a controller that is killed leaves
to the next one what the policy has drained. Every datagram arrives. Arguments: ebb, ebb-host, the traffic tool, then
  --rounds N    of little and much traffic (1)"""
import argparse
import json
import time

import bed
from live import HASTY, Live, expect_carried
from switches import LEAVES, SPINES, SWITCHES, leaf_spine, rules_come_first, runs_switch

RATE = "2Mb/s"  # of each cable, so that a little is much
LITTLE, MUCH = 5, 60  # datagrams a second of each host, of 1400 bytes: 56 and 672 kb/s
# A leaf sends six times the load of its two hosts at most, so much of 2 Mb/s: 0.7 Mb/s, or 8.1 Mb/s, all spines.
POLICY = "policy: {name: elastic, channels: paired, margin: 500%, period: 500ms, hold: 1s}\n"
PARTS = "parts: {switch: cisco-nexus-9336c-fx2, setup: 100G LR}\n"
POWER = "switch_power: {driver: testbed, start_limit: 10s, drained_by: policy, min_off_time: 1s, min_use_time: 1s}\n"
HOSTS = 2 * LEAVES
PAIRS = [(f"h{i}", f"h{(i + 2) % HOSTS}") for i in range(HOSTS)]
KEPT, SPARE = SWITCHES[LEAVES:LEAVES + 2], SWITCHES[LEAVES + 2:]
LONGEST = 40  # seconds


class ElasticFabric(Live):
    def __init__(self, programs):
        super().__init__(programs, bed.own_name("el"), "{graph: network.yaml}", POLICY + PARTS + HASTY + POWER)
        (self.folder / "network.yaml").write_text(leaf_spine().replace("100Mb/s", RATE))

    def has_daemons(self, switch):
        state = bed.STATE / self.name / f"s{SWITCHES.index(switch)}"
        return any(runs_switch(one) for one in bed.daemons(state))

    def out(self):
        return {one["switch"]: (one["state"], one["by"]) for one in self.status()["switches_out"]}

    def wait_until_out(self, wanted):
        """The status is of every second."""
        end = time.monotonic() + LONGEST
        while (out := self.out()) != wanted:
            bed.expect(time.monotonic() < end, f"out of use should be {wanted}, not {out}:\n" + "\n".join(self.log[-40:]))
            time.sleep(0.1)

    def wait_until_used(self, switches, since):
        for switch in switches:
            self.wait_for(f"switch {switch} in use:", LONGEST, since)


def little(fabric):
    """Half of the spines are enough, and the policy keeps the first of equal ones."""
    load = fabric.traffic(PAIRS, LITTLE, 3600, "--bytes", "1400")
    fabric.wait_until_out({switch: ("off", "policy") for switch in SPARE})
    for switch in SPARE:
        bed.expect(not fabric.has_daemons(switch), f"{switch} has no power")
    check_watts(fabric)
    return load


def check_watts(fabric):
    """What links draw, and the boxes that have power: half of them have none, and neither have their ports."""
    status = fabric.status()
    modelled = status["modelled"]
    expected = sum(link["now_w"] for link in status["links"]) + modelled["boxes_w"] * len(KEPT) / SPINES
    bed.expect(modelled["boxes_w"] > 100 and abs(modelled["now_w"] - expected) < 0.1, f"{expected} W: {modelled}")


def much(fabric, load):
    result = fabric.finish(load, early=True)
    expect_carried(result, "while spines went off")
    since = len(fabric.log)
    began = time.monotonic()
    load = fabric.traffic(PAIRS, MUCH, 3600, "--bytes", "1400")
    fabric.wait_until_used(SPARE, since)
    took = time.monotonic() - began
    for switch in SPARE:
        rules_come_first(fabric.log[since:], switch)
    time.sleep(1)
    more = fabric.finish(load, early=True)
    expect_carried(more, "while spines came back")
    return result["sent"] + more["sent"], took


def check_rounds(fabric, rounds):
    back, sent = [], 0
    for _ in range(rounds):
        carried, took = much(fabric, little(fabric))
        back.append(took)
        sent += carried
    print(f"{rounds} rounds of little and much traffic: 0 of {sent} datagrams lost; {len(SPARE)} of {SPINES} spines off, "
          f"in use again within {max(back):.1f} s of more traffic, median {sorted(back)[len(back) // 2]:.1f} s", flush=True)


def check_explained(fabric):
    asked = bed.must(fabric.ebb, "fabric", "explain", SPARE[0], "--fabric", fabric.name)
    bed.expect("drained by the policy" in asked and "the policy wants it off" in asked, f"why it is off: {asked}")
    audit = [json.loads(line) for line in (bed.STATE / fabric.name / "controller" / "audit.jsonl").read_text().splitlines()]
    said = [line for line in audit if line.get("event") == "switch" and line["switch"] == SPARE[0]]
    bed.expect([line["state"] for line in said[:2]] == ["draining", "drained"] and {line["by"] for line in said} == {"policy"},
               f"the audit trail: {said}")


def check_killed(fabric):
    """The next controller finds what the policy has drained, and an operator makes one of them theirs."""
    load = little(fabric)
    check_explained(fabric)
    fabric.kill()
    fabric.start(wait=False)
    fabric.wait_for("leads, generation")
    fabric.wait_until_out({switch: ("off", "policy") for switch in SPARE})
    theirs, its = SPARE
    drained = fabric.ask("drain", theirs)
    bed.expect(drained.returncode == 0, f"an operator drains what is off already: {drained.stderr}")
    carried = fabric.finish(load, early=True)
    expect_carried(carried, "while a controller was killed")
    since = len(fabric.log)
    load = fabric.traffic(PAIRS, MUCH, 3600, "--bytes", "1400")
    fabric.wait_until_used([its], since)
    time.sleep(2)
    fabric.wait_until_out({theirs: ("off", "operator")})
    since = len(fabric.log)
    bed.expect(fabric.ask("undrain", theirs).returncode == 0, "undrained")
    fabric.wait_until_used([theirs], since)
    more = fabric.finish(load, early=True)
    expect_carried(more, "while one spine came back, and then the operator's")
    print(f"killed while spines were off: 0 of {carried['sent'] + more['sent']} datagrams lost; the operator's stayed off", flush=True)


def check_end(fabric):
    """A controller that ends brings back what the policy has drained."""
    load = little(fabric)
    fabric.stop()
    expect_carried(fabric.finish(load, early=True), "while the controller ended")
    bed.expect(all(fabric.has_daemons(switch) for switch in SPARE) and fabric.out() == {}, f"all are back: {fabric.out()}")
    print("ended: all spines are back")


def main():
    bed.skip_unless_possible("ovs-ofctl")
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=3)
    parser.add_argument("--rounds", type=int, default=1)
    said = parser.parse_args()
    with ElasticFabric(said.programs) as fabric:
        bed.expect(len(KEPT) + len(SPARE) == SPINES, "spines that stay, and the others")
        check_rounds(fabric, said.rounds)
        check_killed(fabric)
        check_end(fabric)
        name = fabric.name
    bed.expect(not bed.left_of(name), f"nothing is left: {bed.left_of(name)}")


if __name__ == "__main__":
    bed.test(main)
