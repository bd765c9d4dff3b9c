#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Timelines of real runs, read again: the integral of the watts is the energy of the ledger, both forms say the same, and
neither depends on the number of threads. Usage: run.py EBB, or run.py EBB --cost for what a timeline costs."""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

import timeline_file

EBB = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "examples")

# Rates that follow the load, channels that sleep and wake, a chip with power of its own, a program.
RUNS = [
    ["sim-fbfly-epoch.yaml", "--set", "schedule={warm_up: 20us, measure: 100us, tail_limit: 100us}"],
    ["sim-fbfly-epoch.yaml", "--set", "schedule={warm_up: 20us, measure: 100us}", "--set", "parts.switch=isca10-chip"],
    ["sim-sleep.yaml", "--set", "schedule={warm_up: 50us, measure: 500us}", "--set", "topology.hosts=16"],
    ["sim-program.yaml", "--set", "topology.hosts=16"],
]


def ebb(*arguments, code=0):
    ran = subprocess.run([EBB, *arguments], capture_output=True, text=True, cwd=HERE)
    assert ran.returncode == code, f"{arguments}: {ran.returncode}\n{ran.stderr}"
    return ran


def simulate(run, path, *more):
    file, *settings = run
    return ebb("sim", os.path.join(EXAMPLES, file), *settings, "--timeline", path, *more)


def energies(run, folder):
    """In joules, exactly as the program has them."""
    results = os.path.join(folder, "run.db")
    simulate(run, os.path.join(folder, "unused.json"), "--results", results)
    exported = json.loads(ebb("results", "export", results, "--json").stdout)
    os.remove(results)
    metrics = {m["name"]: m["value"] for m in exported["runs"][0]["metrics"]}
    return metrics["energy.channels"], metrics["energy.switch_cores"]


def measured(timeline):
    found = [s for s in timeline.track("run", "phases").slices if s[2] == "measured"]
    assert len(found) == 1
    return found[0][:2]


def check_integral(timeline, channels, cores):
    """Sums are of whole attojoules, which become joules as the program makes them."""
    begin, end = measured(timeline)
    power = timeline.of_group("power")
    total = timeline_file.integral(timeline.track("power", "total"), begin, end)
    tiers = [timeline_file.integral(t, begin, end) for t in power if t.name.startswith("channels")]
    of_cores = [timeline_file.integral(t, begin, end) for t in power if t.name == "switch cores"]
    assert all(t.unit == "W" for t in power)
    assert sum(tiers) + sum(of_cores) == total
    assert float(sum(tiers)) / 1e18 == channels, f"{sum(tiers)} aJ, {channels} J"
    assert float(sum(of_cores)) / 1e18 == cores, f"{of_cores} aJ, {cores} J"


def check_states(timeline):
    """Every channel is in one state at any time of the run."""
    end = max(s[1] for s in timeline.track("run", "phases").slices)
    channels = timeline.of_group("channels")
    assert channels
    for track in channels:
        at = 0
        for begin, until, _ in track.slices:
            assert begin == at, f"{track.name}: a gap at {at} ps"
            at = until
        assert at == end // 1000 * 1000 or at == end, f"{track.name} ends at {at} ps of {end}"


def check_flows(timeline):
    assert timeline.flows_out and timeline.flows_out.keys() == timeline.flows_in.keys()
    for number, (_, sent) in timeline.flows_out.items():
        assert timeline.flows_in[number][1] == sent


def rounded(timeline):
    slices = {(t.group, t.name): [(b // 1000, e // 1000, n) for b, e, n in t.slices] for t in timeline.tracks if not t.unit}
    values = {(t.group, t.name): sorted(t.values) for t in timeline.tracks if t.unit}
    return slices, values


def check_protobuf(path):
    protoc = shutil.which("protoc")
    if not protoc:
        return
    with open(path, "rb") as file:
        raw = subprocess.run([protoc, "--decode_raw"], stdin=file, capture_output=True, check=True)
        assert raw.stdout.startswith(b"1 {")
    with open(path, "rb") as file:
        text = subprocess.run([protoc, f"--proto_path={HERE}", "--decode=ebb.timeline.Trace", "perfetto_subset.proto"],
                              stdin=file, capture_output=True, check=True, text=True).stdout
    # A field that the subset does not have is printed by its number.
    strange = [line for line in text.splitlines() if line.strip()[:1].isdigit()]
    assert not strange, strange[:3]
    assert text.count("track_event {") > 100


def check_run(run, folder):
    paths = [os.path.join(folder, name) for name in ("run.json", "run.pftrace")]
    said = [simulate(run, path, "--json").stdout for path in paths]
    without = ebb("sim", os.path.join(EXAMPLES, run[0]), *run[1:], "--json").stdout
    assert said[0] == said[1] == without, "a timeline changes nothing"
    chrome, perfetto = (timeline_file.read(path) for path in paths)
    channels, cores = energies(run, folder)
    for timeline in chrome, perfetto:
        check_integral(timeline, channels, cores)
        check_states(timeline)
        check_flows(timeline)
    assert rounded(chrome) == rounded(perfetto)
    check_protobuf(paths[1])
    for path in paths:
        simulate(run, path + ".threads" + os.path.splitext(path)[1], "--threads", "3")
        threads = open(path + ".threads" + os.path.splitext(path)[1], "rb").read()
        assert threads == open(path, "rb").read(), f"{path} depends on threads"


def check_limit(folder):
    path = os.path.join(folder, "cut.json")
    ran = simulate(RUNS[0], path, "--timeline-events", "1000")
    assert "the timeline ends at " in ran.stderr and "it may have 1000 events" in ran.stderr
    timeline = timeline_file.read(path)
    (at, text), = timeline.track("run", "phases").marks
    assert text.startswith("the timeline ends here")
    assert all(end <= at for t in timeline.tracks for _, end, _ in t.slices)
    assert all(t.slices[-1][1] == at for t in timeline.of_group("channels"))


def check_refusals(folder):
    ran = ebb("sim", os.path.join(EXAMPLES, RUNS[0][0]), "--timeline", os.path.join(folder, "run.csv"), code=2)
    assert ".pftrace" in ran.stderr and ".json" in ran.stderr
    ebb("sim", os.path.join(EXAMPLES, RUNS[0][0]), "--timeline", os.path.join(folder, "none", "run.json"), code=3)


def check_fabric(folder):
    """One link of 18 sleeps for 7 s: of its two ports the model says what that saves."""
    if subprocess.run([EBB, "fabric", "timeline", "--help"], capture_output=True).returncode != 0:
        return  # built without the live half
    for form in ".json", ".pftrace":
        path = os.path.join(folder, "fabric" + form)
        ran = ebb("fabric", "timeline", os.path.join(EXAMPLES, "fabric-3x3.yaml"), "audit.jsonl", "-o", path)
        assert ran.stderr == "audit.jsonl:10: repaired: 1 lines, of which this is the first: no line of an audit trail, left out\n"
        timeline = timeline_file.read(path)
        states = [(begin // 10**9, end // 10**9, name) for begin, end, name in timeline.track("links", "s1-s2").slices]
        assert states == [(0, 2035, "active"), (2035, 2135, "draining"), (2135, 9135, "asleep"), (9135, 9300, "waking"),
                          (9300, 10000, "active")], states
        watts = timeline.track("power", "links between switches, modelled")
        awake, asleep = watts.values[0][1], watts.values[1][1]
        assert timeline_file.integral(watts, 0, 10**13) == awake * 10**10 - (awake - asleep) * 7 * 10**9
        check = json.loads(ebb("fabric", "check", os.path.join(EXAMPLES, "fabric-3x3.yaml"), "--json").stdout)
        assert round(check["modelled"]["all_awake_w"] * 1e9) == awake, (check["modelled"], awake)


def processor_seconds(*arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ebb(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def print_costs(folder):
    """Processor time with and without a timeline, the least of three runs of each, in turns."""
    for file in "sim-fbfly-epoch.yaml", "sim-sleep.yaml":
        plain = ["sim", os.path.join(EXAMPLES, file)]
        paths = [os.path.join(folder, name) for name in ("cost.pftrace", "cost.json")]
        seconds = {None: [], **{path: [] for path in paths}}
        for _ in range(3):
            for path, taken in seconds.items():
                taken.append(processor_seconds(*plain, *(["--timeline", path] if path else [])))
        least = min(seconds[None])
        print(f"{file}: {least:.2f} s without")
        for path in paths:
            print(f"  {os.path.splitext(path)[1]}: {min(seconds[path]) / least:.2f} times as long, {os.path.getsize(path) / 1e6:.1f} MB")


with tempfile.TemporaryDirectory() as folder:
    if sys.argv[2:] == ["--cost"]:
        print_costs(folder)
        sys.exit()
    for run in RUNS:
        check_run(run, folder)
    check_limit(folder)
    check_refusals(folder)
    check_fabric(folder)
print("timelines are what happened")
