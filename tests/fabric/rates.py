#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links of real switches run slowly while little is sent and fast when more is, by a policy of the
simulator, and no datagram is lost when they change. Arguments: ebb, ebb-host, the traffic tool, then
optionally how often the load comes and goes (twice, unless it says more)."""
import re
import sys
import time

import bed
from live import HASTY, Live

ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 2
TOPOLOGY = "{family: complete, switches: 3, hosts: 1, rates: [2Mb/s, 20Mb/s, 200Mb/s]}"
POLICY = "policy: {name: epoch, epoch: 500ms, target: 40%}\nparts: {switch: dell-powerconnect-6248}\n"
SAFETY = HASTY.replace("failure_holdoff: 500ms", "failure_holdoff: 500ms, min_rate_time: 500ms")
PER_SECOND = 2000
# Bytes: 2,000 a second are 1.3 and 10.3 Mb/s with all headers. Each is more than the policy's target
# at the slower rate, and less than that rate carries: nothing has to wait until the policy notices.
SMALL, LARGE = 40, 600
PORTS = {("s0", "s1"): ("p2", "p2"), ("s0", "s2"): ("p3", "p2"), ("s1", "s2"): ("p3", "p3")}


def bucket(fabric, switch, port):
    """Rate of a port in Mb/s, and the frames that its queue has dropped, as tc says."""
    text = bed.must(*fabric.on(switch, "tc", "-s", "qdisc", "show", "dev", port))
    number, unit = re.search(r"rate (\d+)(K|M)bit", text).groups()
    return int(number) / (1000 if unit == "K" else 1), int(re.search(r"dropped (\d+)", text).group(1))


def rates(fabric):
    """By link, in Mb/s; both ends have the same."""
    found = {}
    for ends, ports in PORTS.items():
        both = tuple(bucket(fabric, end, port)[0] for end, port in zip(ends, ports))
        found["-".join(ends)] = both[0] if both[0] == both[1] else both
    return found


def slow_down(fabric):
    """Without traffic all links go to the slowest rate."""
    end = time.monotonic() + 30
    while set(rates(fabric).values()) != {2} and time.monotonic() < end:
        time.sleep(0.2)
    bed.expect(set(rates(fabric).values()) == {2}, f"idle links are slow: {rates(fabric)}\n" + "\n".join(fabric.log))


def dropped(fabric):
    return sum(bucket(fabric, end, port)[1] for ends, ports in PORTS.items() for end, port in zip(ends, ports))


def said(fabric, link):
    return {one["link"]: one["rate"] for one in fabric.status()["links"]}[link]


def load_link(fabric, size, port, rate):
    """Begins to send and waits until the controller has made the link so fast. Nothing else is asked: a
    program that looks at queues can stop a software switch for so long that datagrams are lost."""
    since = len(fabric.log)
    load = fabric.traffic([("h0", "h1")], PER_SECOND, 600, "--bytes", str(size), "--port", port)
    fabric.wait_for(f"s0-s1 active: at {rate}:", since=since)
    time.sleep(0.5)
    return load


def check_steps(fabric):
    """Only the link that is used is fast, as fast as it has to be."""
    sent = lost = 0
    for _ in range(ROUNDS):
        slow_down(fabric)
        since = len(fabric.log)
        loads = [load_link(fabric, SMALL, "21000", "20Mb/s"), load_link(fabric, LARGE, "22000", "200Mb/s")]
        for result in [fabric.finish(load, early=True) for load in loads]:
            sent, lost = sent + result["sent"], lost + result["lost"]
        fabric.wait_for("s0-s1 active: at 2Mb/s:", since=since)
        others = [line for line in fabric.log[since:] if "s0-s2" in line or "s1-s2" in line]
        bed.expect(not others, f"links that are not used stay slow: {others}")
    changes = sum(" active: at " in line for line in fabric.log)
    print(f"{changes} changes of rate, {lost} of {sent} datagrams lost, {dropped(fabric)} frames dropped by queues")
    bed.expect(lost == 0 and dropped(fabric) == 0, "nothing is lost when rates change")


def check_throughput(fabric):
    """A transfer begins at 2 Mb/s, where it would take 40 s, and makes its link fast."""
    slow_down(fabric)
    since = len(fabric.log)
    transfer = fabric.traffic([], 1, 1, "--tcp", fabric.pair("h0", "h1"), "--megabytes", "10")
    fabric.wait_for("s0-s1 active: at 200Mb/s:", since=since)
    fastest = rates(fabric)
    result = fabric.finish(transfer)["transfers"][0]
    print(f"10 MB by TCP from slow links: {result['seconds']:.1f} s, rates under way {fastest}")
    bed.expect(fastest["s0-s1"] == 200 and fastest["s0-s2"] == 2, f"tc says so: {fastest}")
    bed.expect(result["right"] == result["bytes"] and result["seconds"] < 30, f"{result}")


def check_watts(fabric):
    """A port of that switch draws 1 W, and 0.25 W at a hundredth of the rate."""
    time.sleep(1.1)  # until the status of that moment is written
    modelled = fabric.status()["modelled"]
    bed.expect(said(fabric, "s0-s1") == "2Mb/s", f"status says the rate: {fabric.status()['links'][0]}")
    bed.expect((modelled["all_awake_w"], modelled["now_w"]) == (6, 1.5), f"watts by rate: {modelled}")


def check_killed(fabric):
    """The next controller finds links as they are; one that goes leaves them at full rate."""
    fabric.kill()
    fabric.start()
    fabric.wait_for("s0-s1 active: at 2Mb/s: was found so")
    fabric.stop()
    bed.expect(set(rates(fabric).values()) == {200}, f"full rate when the controller has gone: {rates(fabric)}")


def check_dry_run(fabric):
    fabric.start("--dry-run", wait=False)
    fabric.wait_for("would run at 20Mb/s: the policy asked")
    bed.expect(set(rates(fabric).values()) == {200}, f"a dry run changes nothing: {rates(fabric)}")


def main():
    bed.skip_unless_possible("tc")
    with Live(sys.argv[1:4], bed.own_name("r"), TOPOLOGY, more=POLICY + SAFETY) as fabric:
        check_steps(fabric)
        check_throughput(fabric)
        slow_down(fabric)
        check_watts(fabric)
        check_killed(fabric)
        check_dry_run(fabric)


if __name__ == "__main__":
    main()
