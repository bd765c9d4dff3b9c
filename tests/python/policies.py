#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Policies in Python decide what those in C++ decide, are recorded and replayed like them, and fail clearly:
policies.py EBB [large], with the package on PYTHONPATH.

`large` compares the policies `epoch` on a flattened butterfly of 3,375 hosts and prints what each costs. Exit code 77
(skipped) without numpy and pandas."""
import hashlib
import json
import pathlib
import sys
import tempfile
import time

import start
from start import ROOT

numpy, _ = start.packages("numpy", "pandas")
import ebb  # noqa: E402: after the check that it can be

Epoch = start.example("epoch_policy").Epoch
SMALL = {
    "topology": {"family": "fbfly", "hosts": 4, "dims": [4, 4]},
    "routing": "minimal-adaptive",
    "traffic": {"pattern": "uniform", "injection": {"name": "poisson", "load": "25%", "size": "16KiB"}},
    "parts": {"switch": "isca10-chip-ideal"},
    "schedule": {"warm_up": "50us", "measure": "200us"},
}
SLEEPING = {**SMALL, "parts": {"switch": "isca10-chip-ideal", "rate_table": "ideal-sleep-link"}}


def recorded(folder, name, simulation, policy, **keys):
    path = pathlib.Path(folder) / name
    result = ebb.simulate(simulation, policy=policy, transcript=path, **keys)
    return path, result


def decisions(path):
    """All of a transcript but its header, which names the policy."""
    with open(path, "rb") as file:
        header = json.loads(file.readline())
        return header, hashlib.file_digest(file, "sha256").hexdigest()


def same_result(ours, theirs):
    a, b = json.loads(ours.json), json.loads(theirs.json)
    differing = [(x, y) for x, y in zip(a.pop("configuration").splitlines(), b.pop("configuration").splitlines()) if x != y]
    assert len(differing) == 1 and differing[0][0].startswith("policy: "), differing
    assert a == b


def epoch(simulation, folder):
    for paired in (False, True):
        words = {"name": "epoch", "target": "50%", "channels": "paired" if paired else "independent"}
        theirs, result = recorded(folder, "c++.jsonl", simulation, words)
        ours, own_result = recorded(folder, "python.jsonl", simulation, Epoch(paired=paired))
        (header, said), (own_header, own_said) = decisions(theirs), decisions(ours)
        assert own_said == said, "decision for decision, sample for sample"
        assert own_header["policy"] == "Epoch" and own_header["sample_period_ps"] == header["sample_period_ps"]
        assert result.metrics["power.relative"] < 1 and json.loads(result.json)["actions_done"] > 100
        same_result(own_result, result)
        yield paired, theirs, ours


def small_epoch():
    with tempfile.TemporaryDirectory() as folder:
        for paired, theirs, ours in epoch(SMALL, folder):
            for transcript in (theirs, ours):
                again = ebb.replay(transcript, Epoch(paired=paired))
                assert again.equal and again.samples > 20 and again.actions > 100 and again.outcomes == again.actions, again
            assert ebb.replay(theirs).equal, "the policy that the transcript names"
            other = ebb.replay(theirs, Epoch("1/3", paired=paired))
            assert not other.equal and "recorded" in other.difference, other
            try:
                ebb.replay(ours)
            except ebb.InputError as error:
                assert "Epoch" in str(error), error
            else:
                raise AssertionError("a policy that ebb does not know")


def threads():
    alone = ebb.simulate(SMALL, policy=Epoch())
    assert ebb.simulate(SMALL, policy=Epoch(), threads=2).json == alone.json


def triggers():
    """The policy on-demand: every channel is armed once."""
    class OnDemand(ebb.Policy):
        acts_by = ("sleep_when_idle",)
        sample_period = "1ms"
        armed = None

        def decide(self, sample):
            if self.armed is None:
                self.armed = numpy.zeros(len(sample), dtype=bool)
            now = ~self.armed & ~sample.changing
            orders = ebb.Orders(sample)
            orders.sleep_when_idle(now, idle_ps=1_000_000)
            self.armed |= now
            return orders

    with tempfile.TemporaryDirectory() as folder:
        words = {"name": "on-demand", "low_power_state": "sleep", "idle": "1us"}
        theirs, result = recorded(folder, "c++.jsonl", SLEEPING, words)
        ours, own_result = recorded(folder, "python.jsonl", SLEEPING, OnDemand())
        assert decisions(ours)[1] == decisions(theirs)[1]
        assert own_result.metrics["power.relative"] == result.metrics["power.relative"] < 1


def columns():
    """Every column has what the transcript says of the channels."""
    names = ("channel", "reverse", "device", "to_host", "tier", "rate_levels", "slowest_uw", "full_uw", "window_ps", "busy_ps",
             "wake_stall_ps", "sent_bits", "queued_bits", "rate_level")

    class Keeper(Epoch):
        def __init__(self):
            super().__init__(epoch="1us")  # often enough to see channels that change
            self.samples = []

        def decide(self, sample):
            kept = {name: getattr(sample, name) for name in (*names, "asleep", "changing", "changing_until_ps")}
            self.samples.append((sample.at_ps, kept))
            assert (sample.channel[sample.reverse_index] == sample.reverse).all()
            return super().decide(sample)

    with tempfile.TemporaryDirectory() as folder:
        policy = Keeper()
        path, _ = recorded(folder, "t.jsonl", SMALL, policy)
        told = [one for one in map(json.loads, path.read_text().splitlines()) if one["kind"] == "sample"]
    assert len(told) == len(policy.samples) > 100
    changed = 0
    for one, (at_ps, kept) in zip(told, policy.samples):
        assert one["at_ps"] == at_ps
        for name in names:
            assert [channel[name] for channel in one["channels"]] == kept[name].tolist(), name
        assert [channel["mode"] == "asleep" for channel in one["channels"]] == kept["asleep"].tolist()
        assert [channel.get("changing_until_ps", 0) for channel in one["channels"]] == kept["changing_until_ps"].tolist()
        assert ["changing_until_ps" in channel for channel in one["channels"]] == kept["changing"].tolist()
        changed += kept["changing"].sum()
    assert changed > 0, "some channel was changing"


def orders_of_one_channel():
    """Orders ascend by channel, and those of one channel stay in the order in which they were given."""
    class Twice(ebb.Policy):
        acts_by = ("set_rate",)

        def decide(self, sample):
            orders = ebb.Orders(sample)
            if sample.at_ps == 0:
                orders.set_rate_level(0, where=sample.channel < 2)
                orders.wake(sample.channel < 2)
                assert len(orders) == 4
            return orders

    with tempfile.TemporaryDirectory() as folder:
        path, _ = recorded(folder, "t.jsonl", SMALL, Twice())
        actions = json.loads(path.read_text().splitlines()[2])["actions"]
        assert [(one["channel"], one["do"]) for one in actions] == [
            (0, "set_rate_level"), (0, "wake"), (1, "set_rate_level"), (1, "wake")], actions


def next_hops_and_outcomes():
    class Listener(ebb.Policy):
        acts_by = ("set_rate",)
        needs_next_hops = True

        def __init__(self):
            self.outcomes = []

        def set_next_hops(self, next_hops):
            self.next_hops = next_hops

        def decide(self, sample):
            orders = ebb.Orders(sample)
            orders.set_rate_level(0)  # to those that have another level
            return orders

        def on_outcome(self, outcome):
            self.outcomes.append((outcome.channel, outcome.order, outcome.reason, outcome.rate_level))

    with tempfile.TemporaryDirectory() as folder:
        policy = Listener()
        path, _ = recorded(folder, "t.jsonl", SMALL, policy)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        sets, hops = lines[1]["next_hops"], policy.next_hops
        assert len(sets) == len(hops.device) > 0
        for i, one in enumerate(sets):
            assert one["device"] == hops.device[i] and one["destination"] == hops.destination[i]
            assert one["channels"] == hops.channels[hops.first[i]:hops.first[i + 1]].tolist()
        answered = [line for line in lines if line["kind"] == "outcome"]
        assert len(policy.outcomes) == len(answered) > 0
        assert policy.outcomes[0] == (0, "set_rate_level", "done", 0), policy.outcomes[0]


def failure(decide, simulation=SMALL, **members):
    kind = type("Failing", (ebb.Policy,), {"decide": decide, "acts_by": ("set_rate",), **members})
    try:
        ebb.simulate(simulation, policy=kind(), threads=2)
    except Exception as error:  # noqa: BLE001: which one it is is looked at
        return error
    raise AssertionError("nothing was raised")


def failures():
    class Own(Exception):
        pass

    def raises(self, sample):
        if sample.at_ps > 0:
            raise Own("here")

    def order(give):
        def decide(self, sample):
            orders = ebb.Orders(sample)
            give(orders, sample)
            return orders
        return decide

    kept = []

    def keeps(self, sample):
        kept.append(sample)
        return ebb.Orders(kept[0])

    assert isinstance(failure(raises), Own)
    assert "rate levels 0 to" in str(failure(order(lambda orders, sample: orders.set_rate_level(200))))
    assert "mask" in str(failure(order(lambda orders, sample: orders.wake(numpy.array([1, 2])))))
    assert "mask" in str(failure(order(lambda orders, sample: orders.wake(numpy.ones(3, dtype=bool)))))
    assert "whole number" in str(failure(order(lambda orders, sample: orders.set_rate_level(0.5))))
    assert "acts_by" in str(failure(order(lambda orders, sample: orders.sleep())))
    assert "another sample" in str(failure(keeps))
    try:
        kept[0].busy_ps
    except ValueError as error:
        assert "has ended" in str(error)
    else:
        raise AssertionError("a sample that has ended")
    assert isinstance(failure(lambda self, sample: 3), TypeError)
    refused = failure(lambda self, sample: None, acts_by=("sleep_when_idle",))
    assert isinstance(refused, ebb.InputError), refused
    assert str(refused).startswith("error: 'Failing' can change nothing here") and refused.problems[0].file is None, refused
    assert isinstance(failure(lambda self, sample: None, acts_by=("fly",)), ValueError)
    assert "plain words" in str(failure(lambda self, sample: None, name="a, b"))
    assert isinstance(failure(lambda self, sample: None, sample_period="10 apples"), ebb.InputError)


def large():
    file = str(ROOT / "examples/sim-isca10-uniform.yaml")
    keys = {"overrides": {"schedule.warm_up": "0s", "schedule.measure": "300us", "schedule.tail_limit": "10us"}}
    words = {"name": "epoch", "target": "50%", "channels": "independent"}
    with tempfile.TemporaryDirectory() as folder:
        theirs, result = recorded(folder, "c++.jsonl", file, words, **keys)
        ours, own_result = recorded(folder, "python.jsonl", file, Epoch(paired=False), **keys)
        assert decisions(ours)[1] == decisions(theirs)[1], "decision for decision"
        same_result(own_result, result)
        cost = {}
        for name, policy in (("C++", lambda: None), ("Python", lambda: Epoch(paired=False))):
            replays = [ebb.replay(theirs, policy()) for _ in range(3)]
            assert all(one.equal for one in replays), name
            cost[name] = min(one.decide_seconds / one.samples for one in replays)
    print(f"{replays[0].samples} samples, {replays[0].actions} orders; a decision takes {1e6 * cost['C++']:.0f} us in C++ and "
          f"{1e6 * cost['Python']:.0f} us in Python: {cost['Python'] / cost['C++']:.2f} times as long")
    runs = {}
    for name, policy in (("C++", words), ("Python", Epoch(paired=False))):
        began = time.perf_counter()
        ebb.simulate(file, policy=policy)
        runs[name] = time.perf_counter() - began
    print(f"the run of the file takes {runs['C++']:.2f} s with C++ and {runs['Python']:.2f} s with Python")
    assert cost["Python"] < 6 * cost["C++"], "three times as long, and room for a busy machine"


def main():
    if "large" in sys.argv[2:]:
        large()
        return 0
    for test in (small_epoch, threads, triggers, columns, orders_of_one_channel, next_hops_and_outcomes, failures):
        test()
    return 0


if __name__ == "__main__":
    sys.exit(main())
