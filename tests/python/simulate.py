#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ebb.simulate gives what `ebb sim` prints, its tables add up, and its errors are those of the command line:
simulate.py EBB, with the package on PYTHONPATH.

Prints what a call costs. Exit code 77 (skipped) without numpy and pandas."""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import start
from start import ROOT, command_line

numpy, pandas = start.packages("numpy", "pandas")
import ebb  # noqa: E402: after the check that it can be

EXAMPLE = "examples/sim-fbfly-epoch.yaml"
SHORT = {"schedule.warm_up": "50us", "schedule.measure": "200us"}
SIMULATION = {
    "topology": {"family": "fbfly", "hosts": 4, "dims": [4]},
    "routing": "minimal-adaptive",
    "traffic": {"pattern": "uniform", "injection": {"name": "poisson", "load": "15%", "size": "16KiB"}},
    "policy": {"name": "epoch", "target": 0.5, "channels": "independent"},
    "parts": {"switch": "isca10-chip-ideal"},
    "schedule": {"warm_up": "50us", "measure": "200us"},
    "seed": 7,
}


def same_bytes():
    for file, settings in ((EXAMPLE, SHORT), (EXAMPLE, {**SHORT, "policy": "always-on", "seed": 3}),
                           (EXAMPLE, {**SHORT, "policy.target": "75%", "topology.dims": [4, 4]}),
                           ("examples/sim-sleep.yaml", {**SHORT}), ("examples/sim-pause.yaml", {**SHORT})):
        options = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        assert ebb.simulate(file, overrides=settings).json == command_line("sim", file, "--json", *options), file
    fabric = "examples/fabric-3x3.yaml"
    words = ["schedule.warm_up=1s", "schedule.measure=3s", "traffic.injection.load=1%"]
    if hasattr(ebb._ebb, "ControllerRun"):  # a build with the live half
        expected = command_line("sim", fabric, "--json", *(word for one in words for word in ("--set", one)))
        assert ebb.simulate(fabric, overrides=words).json == expected and '"asleep"' in expected
    listed = [f"{key}={value}" for key, value in SHORT.items()]
    assert ebb.simulate(EXAMPLE, overrides=listed).json == ebb.simulate(pathlib.Path(EXAMPLE), overrides=SHORT).json
    assert ebb.simulate(EXAMPLE, overrides=SHORT, threads=2).json == ebb.simulate(EXAMPLE, overrides=SHORT).json


def dicts():
    result = ebb.simulate(SIMULATION)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(result.configuration)  # the resolved file says the same
        file.flush()
        assert ebb.simulate(file.name).json == command_line("sim", file.name, "--json") == result.json
    numbers = {**SIMULATION, "topology": {"family": "fbfly", "hosts": numpy.int64(4), "dims": [numpy.int32(4)]}}
    assert ebb.simulate(numbers).json == result.json


def messages():
    """A list of messages: rows, columns and a file give the same, and that is what `ebb sim` gives."""
    rows = [(1_000_000 * i, i % 16, (i + 5) % 16, 1000 + i) for i in range(200)]
    result = ebb.simulate(SIMULATION, messages=rows)
    columns = dict(zip(("at_ps", "source", "destination", "bytes"), numpy.array(rows).T))
    assert ebb.simulate(SIMULATION, messages=columns).json == result.json
    assert ebb.simulate(SIMULATION, messages=pandas.DataFrame(columns)).json == result.json
    assert ebb.simulate(SIMULATION, messages=iter(rows[::-1])).metrics == result.metrics, "in any order"
    measured = json.loads(result.json)["traffic"]
    assert measured["offered_bit"] == 8 * sum(size for at, _, _, size in rows if 50e6 <= at < 250e6), measured
    with tempfile.TemporaryDirectory() as folder:
        text = "at_ps,source,destination,bytes\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
        (pathlib.Path(folder) / "messages.csv").write_text(text)
        path = pathlib.Path(folder) / "sim.yaml"
        path.write_text(json.dumps({"schema_version": 1, **SIMULATION, "traffic": {"messages": "messages.csv"}}))
        assert ebb.simulate(path).json == command_line("sim", str(path), "--json") == result.json
        (pathlib.Path(folder) / "messages.csv").write_text(text + "5,0,99,1\n5,3,3,1\n")
        wrong = command_line("sim", str(path), code=2)
        assert f"{folder}/messages.csv:202: error: '99' is no host" in wrong and "messages.csv:203: error: a host sends" in wrong, wrong
    error = problems_of(SIMULATION, messages=[*rows[:3], (5, 0, 99, 1), (0.5, 1, 2, 3), (1, 2, 3)])
    assert [(one.file, one.path) for one in error.problems] == [(None, "traffic.messages")] * 3, error
    assert "message 3: '99' is no host" in str(error) and "message 4: '0.5' is no time" in str(error), error


def tables():
    result = ebb.simulate(SIMULATION, overrides={"series.every": "20us"})
    document = json.loads(result.json)
    metrics = result.frame("metrics").set_index("name")["value"]
    assert metrics["power.relative"] == document["power"]["relative"] == result.metrics["power.relative"]
    states = result.frame("states")
    shares = states[states["meter_class"].str.startswith("channel")].set_index("state")["share"]
    for state in document["channel_time"]:
        assert abs(shares[state["state"]] - state["share"]) < 1e-9, state
    channels = result.arrays("channels")
    measured = document["time"]["to_ps"] - document["time"]["from_ps"]
    assert len(channels["busy_ps"]) == 2 * document["network"]["links"]
    in_states = sum(values for name, values in channels.items() if name.endswith("_ps") and name != "busy_ps")
    assert (in_states == measured).all(), "a channel is in one state at any time"
    watts = channels["energy_J"].sum() / (measured * 1e-12)
    assert abs(watts - document["power"]["channels_W"]) < 1e-6 * watts
    assert channels["transitions"].sum() == document["changes_of_state"]
    series = result.arrays("series")
    assert series["busy_ps"].shape == (10, len(channels["busy_ps"])), series["busy_ps"].shape
    assert (series["busy_ps"].sum(axis=0) == channels["busy_ps"]).all(), "frames add up to the whole"
    assert (series["sent_bits"].sum(axis=0) == channels["sent_bits"]).all()
    assert abs(series["energy_J"].sum() / channels["energy_J"].sum() - 1) < 1e-9
    frame = result.frame("series")
    assert frame.loc[(series["end_ps"][3], 5), "busy_ps"] == series["busy_ps"][3, 5]
    del result  # what was taken from it stays
    assert series["busy_ps"].sum() == channels["busy_ps"].sum()
    assert not series["busy_ps"].flags.writeable


def histograms():
    result = ebb.simulate(SIMULATION)
    document = json.loads(result.json)
    for name in ("packet_latency", "message_latency"):
        one = result.histogram(name)
        assert one["count"].sum() == document[name]["count"] > 0
        assert (numpy.diff(one["upper_ps"]) > 0).all()
    frame = result.frame("histograms")
    assert frame.groupby("name")["count"].sum()["packet_latency"] == document["packet_latency"]["count"]
    for table, wrong in ((result.frame, "series"), (result.frame, "nonsense"), (result.histogram, "lateness")):
        try:
            table(wrong)
        except ValueError:
            continue
        assert False, f"{wrong} was not refused"


def problems_of(*args, **keys):
    try:
        ebb.simulate(*args, **keys)
    except ebb.InputError as error:
        return error
    raise AssertionError("no InputError")


def errors():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "wrong.yaml"
        path.write_text((ROOT / EXAMPLE).read_text().replace("uniform", "uniformly").replace("15%", "15 apples"))
        error = problems_of(path)
        assert str(error) + "\n" == command_line("sim", str(path), code=2), error
        assert len(error.problems) == 2 and isinstance(error, ValueError)
        first = error.problems[0]
        assert (first.file, first.line, first.path) == (str(path), 7, "traffic.pattern"), first
        assert "uniform" in first.message and first.column > 0
    error = problems_of(EXAMPLE, overrides={"routing": "valiantly"})
    assert str(error) + "\n" == command_line("sim", EXAMPLE, "--set", "routing=valiantly", code=2), error
    assert str(problems_of("missing.yaml")) + "\n" == command_line("sim", "missing.yaml", code=2)
    of_dict = problems_of({**SIMULATION, "routing": "valiantly", "colour": "green"}).problems
    assert [(one.file, one.line) for one in of_dict] == [(None, None)] * 2, of_dict
    assert {one.path for one in of_dict} == {"routing", "colour"}, of_dict
    try:
        ebb.simulate(SIMULATION, transcript="/nowhere/t.jsonl")
    except OSError as problem:
        assert "/nowhere/t.jsonl" in str(problem)
    else:
        raise AssertionError("a transcript that cannot be written")


def others_go_on():
    """The GIL is released: this thread counts while another simulates."""
    thread = threading.Thread(target=ebb.simulate, args=(EXAMPLE,))
    thread.start()
    longest, before = 0.0, time.perf_counter()
    while thread.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, before = max(longest, now - before), now
    thread.join()
    # A run takes a second or so; with the GIL held this thread would have waited for all of it.
    assert longest < 0.5, f"kept waiting for {longest:.2f} s"


def interrupt():
    code = f"import ebb; ebb.simulate({EXAMPLE!r}, overrides={{'schedule.measure': '10s', 'schedule.warm_up': '0s'}})"
    child = subprocess.Popen([sys.executable, "-c", "print('begun', flush=True);" + code], cwd=ROOT,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        child.stdout.readline()
        time.sleep(1)
        assert child.poll() is None, child.stderr.read()
        child.send_signal(signal.SIGINT)
        _, text = child.communicate(timeout=60)
    finally:
        child.kill()
    assert "KeyboardInterrupt" in text, text


def overhead():
    """Reading, checking, making, running and summing up a network of two hosts for a microsecond."""
    tiny = {**SIMULATION, "topology": {"family": "fbfly", "hosts": 2, "dims": [2]},
            "schedule": {"warm_up": "0s", "measure": "1us", "tail_limit": "1us"}}
    ebb.simulate(tiny)  # reads the parts
    times = []
    for _ in range(200):
        began = time.perf_counter()
        ebb.simulate(tiny)
        times.append(time.perf_counter() - began)
    times.sort()
    print(f"a call costs {1e3 * times[len(times) // 2]:.3f} ms (median of {len(times)}, with its run of a microsecond)")
    assert times[len(times) // 4] < 1e-3, times[len(times) // 4]


def main():
    for test in (same_bytes, dicts, messages, tables, histograms, errors, others_go_on, interrupt, overhead):
        test()
    return 0


if __name__ == "__main__":
    sys.exit(main())
