#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Policies in Python on real switches: the programs of examples/python, as they are, let links sleep and change their rates
without losing a datagram; what was recorded replays byte for byte; and a policy that raises, or never returns, leaves
every link awake under a controller that goes on. Arguments: ebb, ebb-host, the traffic tool, with the package ebb on
PYTHONPATH."""
import json
import pathlib
import signal
import sys
import time

import bed
from live import Live, expect_carried

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import start  # noqa: E402: of the tests of the package

start.packages("numpy")
import ebb  # noqa: E402: after the check that it can be

TOPOLOGY = "{family: fbfly, hosts: 1, dims: 3x3, rates: [1Mb/s, 10Mb/s, 100Mb/s]}"
MORE = ("safety: {min_awake_time: 200ms, min_sleep_time: 200ms, failure_holdoff: 500ms, min_rate_time: 200ms,"
        " transitions_per_hour: 100000, max_concurrent: 18}\nparts: {switch: dell-powerconnect-6248}\n")
SLEEPABLE = 6  # links of the nine switches
PAIRS = [("h4", "h5"), ("h5", "h8"), ("h8", "h7"), ("h7", "h4")]  # over links that may sleep


def policy_named(name):
    sleeping = start.example("live_policy").SleepWhenLittleUsed

    class Failing(sleeping):
        """Does something wrong once links sleep."""
        parameters = {}

        def decide(self, sample):
            if sample.asleep.sum() >= 2 * SLEEPABLE and not sample.changing.any():
                self.fail()
            return super().decide(sample)

    class Raising(Failing):
        def fail(self):
            raise ZeroDivisionError("as tests do")

    class Hanging(Failing):
        def fail(self):
            time.sleep(600)

    made = {"sleep": sleeping, "raise": Raising, "hang": Hanging}
    return start.example("epoch_policy").Epoch(epoch="500ms") if name == "epoch" else made[name]()


def control(file, policy, transcript):
    """Stands for the program of a user."""
    ebb.control(file, policy=policy_named(policy), transcript=transcript)


def begin(fabric, policy):
    if fabric.controller.poll() is None:
        fabric.stop()
    transcript = fabric.folder / f"{policy}.jsonl"
    fabric.start(policy, str(transcript), program=(sys.executable, "-u", __file__, "--control"))
    return transcript


def wait_until(fabric, condition, what, seconds=20):
    """By the controller's status, which it writes each second."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition(fabric.status()["links"]):
            return
        time.sleep(0.2)
    bed.expect(False, f"{what} within {seconds} s:\n" + "\n".join(fabric.log[-30:]))


def asleep(links):
    return sum(link["state"] == "asleep" for link in links)


def all_active(links):
    return all(link["state"] == "active" for link in links)


def check_replay(transcript, policy):
    replay = ebb.replay(transcript, policy)
    bed.expect(replay.equal and replay.samples > 3 and replay.actions > 0, f"what {transcript.name} recorded replays: {replay}")
    return replay


def end(fabric, what):
    bed.expect(fabric.controller.poll() is None, f"the controller runs {what}:\n" + "\n".join(fabric.log[-30:]))
    fabric.controller.send_signal(signal.SIGTERM)
    code = fabric.controller.wait(timeout=30)
    bed.expect(all_active(fabric.status()["links"]), f"every link is awake {what}: {fabric.status()['links']}")
    return code


def check_sleep(fabric):
    transcript = begin(fabric, "sleep")
    wait_until(fabric, lambda links: asleep(links) == SLEEPABLE, f"{SLEEPABLE} links sleep")
    load = fabric.traffic(PAIRS, 500, 4)
    result = fabric.finish(load)
    expect_carried(result, "under a policy in Python")
    bed.expect(end(fabric, "at the end") == 0, "\n".join(fabric.log[-30:]))
    replay = check_replay(transcript, policy_named("sleep"))
    print(f"sleep: {SLEEPABLE} links asleep, 0 of {result['sent']} datagrams lost, {replay.samples} decisions and {replay.actions} orders "
          "again byte for byte", flush=True)


def check_epoch(fabric):
    """Rates, by the policy of which there is one in C++: it says the same to what was seen."""
    transcript = begin(fabric, "epoch")
    wait_until(fabric, lambda links: all(link["rate"] == "1Mb/s" for link in links), "all links are slow")
    result = fabric.finish(fabric.traffic(PAIRS, 50, 3))
    expect_carried(result, "under the epoch policy in Python")
    bed.expect(end(fabric, "at the end") == 0, "\n".join(fabric.log[-30:]))
    replay = check_replay(transcript, policy_named("epoch"))
    first, *others = transcript.read_text().splitlines()
    header = json.loads(first)
    header["policy"] = "epoch"
    next(one for one in header["parameters"] if one["name"] == "target")["value"] = "50%"
    transcript.write_text("\n".join([json.dumps(header, separators=(",", ":")), *others, ""]))
    check_replay(transcript, None)
    print(f"epoch: all links slow, 0 of {result['sent']} datagrams lost, {replay.samples} decisions again byte for byte, "
          "in Python and in C++", flush=True)


def check_failure(fabric, policy, said, raised):
    begin(fabric, policy)
    load = fabric.traffic(PAIRS, 500, 600)
    fabric.wait_for("ALARM: the policy has failed")
    fabric.wait_for(f"is started again: {said}", 1)
    wait_until(fabric, all_active, "every link is awake")
    time.sleep(1.5)  # the policy would have decided three times
    status = fabric.status()
    bed.expect(all_active(status["links"]) and not status["switches_away"], f"links stay awake, switches stay: {status}")
    bed.expect("policy" in status["problems"], f"the status says it: {status['problems']}")
    result = fabric.finish(load, early=True)
    expect_carried(result, f"when the policy {policy}s")
    code = end(fabric, f"after the policy {policy}s")
    time.sleep(0.2)  # until the last lines are read
    bed.expect(code == 1 and any(raised in line for line in fabric.log), f"exit code {code}:\n" + "\n".join(fabric.log[-30:]))
    print(f"{policy}: every link awake again, 0 of {result['sent']} datagrams lost", flush=True)


def main():
    bed.skip_unless_possible("ovs-ofctl", "tc")
    with Live(sys.argv[1:4], bed.own_name("y"), TOPOLOGY, more=MORE) as fabric:
        check_sleep(fabric)
        check_epoch(fabric)
        check_failure(fabric, "raise", "ZeroDivisionError: as tests do", "ZeroDivisionError: as tests do")
        check_failure(fabric, "hang", "it has not decided within 1000 ms", "TimeoutError")


if __name__ == "__main__":
    if sys.argv[1] == "--control":
        control(*sys.argv[2:])
    else:
        bed.test(main)
