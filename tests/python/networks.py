#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Topologies, plans, sweeps and lists from Python are those of the command line: networks.py EBB, with the package on
PYTHONPATH.

Exit code 77 (skipped) without networkx, numpy and pandas."""
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import start
from start import ROOT, command_line

networkx, _, _ = start.packages("networkx", "numpy", "pandas")
import ebb  # noqa: E402: after the check that it can be

BASE = {
    "topology": {"family": "fbfly", "hosts": 4, "dims": [4]},
    "routing": "minimal-adaptive",
    "traffic": {"pattern": "uniform", "injection": {"name": "poisson", "load": "15%", "size": "16KiB"}},
    "policy": "always-on",
    "parts": {"switch": "isca10-chip-ideal"},
    "schedule": {"warm_up": "20us", "measure": "100us"},
}
SWEEP = {"base": BASE, "vary": {"traffic.injection.load": ["5%", "20%"], "policy": ["always-on", {"name": "epoch"}]},
         "seeds": 2}


def topologies():
    made = ebb.topology("fbfly", hosts=4, dims=[4, 4], rates=["10Gb/s", "40Gb/s"])
    info = json.loads(command_line("topo", "info", "fbfly", "hosts=4", "dims=4x4", "--json"))
    assert (made.hosts, made.switches, made.links) == (info["hosts"], info["switches"], info["links"])
    assert made.parameters["dims"] == "4x4" and made.family == "fbfly", made.parameters
    graph = networkx.from_edgelist(made.edges())
    assert graph.number_of_nodes() == made.hosts + made.switches == len(made.nodes)
    assert graph.number_of_edges() == made.links
    switches = graph.subgraph(node for node in graph if node.startswith("s"))
    assert networkx.diameter(switches) == info["diameter_links"] == made.distances()["diameter_links"]
    assert graph["s0"]["h0"]["rate_bits_per_second"] == 40_000_000_000
    ends = made.edge_array()
    assert ends.shape == (made.links, 2) and not ends.flags.writeable
    named = [(made.nodes[a], made.nodes[b]) for a, b in ends]
    assert named == [edge[:2] for edge in made.edges()]
    del made
    assert ends.max() == len(graph) - 1, "the array keeps its memory"
    frame = ebb.topology("fbfly", hosts=4, dims="4x4").frame()
    assert (frame["length_m"] > 0).all() and set(frame["medium"]) <= {"electrical", "optical", "backplane"}


def graph_files():
    read = ebb.topology("examples/small-irregular.yaml")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "graph.yaml"
        read.save(path)
        again = ebb.topology(path)
        assert again.edges() == read.edges() and again.nodes == read.nodes
    made = ebb.topology("fbfly", hosts=2, dims=[3], rates=["2.5Gb/s", "5Gb/s", "10Gb/s", "20Gb/s", "40Gb/s"])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "graph.yaml"
        made.save(path)
        result = ebb.simulate({**BASE, "topology": {"graph": str(path)}})
        assert json.loads(result.json)["network"]["links"] == made.links
    parallel = ebb.topology("examples/six-switch-complete.yaml")
    graph = networkx.from_edgelist(parallel.edges(), create_using=networkx.MultiGraph)
    assert graph.number_of_edges() == parallel.links == 15 * 5 + 66
    for call, path in ((lambda: ebb.topology("fbfly", hosts=4, dims=[4], colour="red"), "topology.colour"),
                       (lambda: ebb.topology("fbfly", hosts=4), "topology"),
                       (lambda: ebb.topology("flattened", hosts=4), "topology.family")):
        try:
            call()
        except ebb.InputError as error:
            assert any(str(one.path).startswith(path) for one in error.problems), error
            assert all(one.file is None for one in error.problems), error
        else:
            raise AssertionError(path)
    try:
        ebb.topology("missing.yaml")
    except ebb.InputError as error:
        assert str(error) + "\n" == command_line("topo", "info", "missing.yaml", code=2)


def own_graphs():
    """A network of networkx, and one of edges, as the topology of a simulation; the file that says the same gives the same."""
    graph = networkx.petersen_graph()
    rates = ["2.5Gb/s", "5Gb/s", "10Gb/s", "20Gb/s", "40Gb/s"]
    made = ebb.topology(graph, hosts=2, rates=rates)
    assert (made.switches, made.hosts, made.links) == (10, 20, 15 + 20), made
    assert made.distances()["diameter_links"] == networkx.diameter(graph)
    base = {key: value for key, value in BASE.items() if key != "topology"}
    result = ebb.simulate({**base, "routing": "shortest-path"}, topology=made)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "same.yaml"
        path.write_text(result.configuration)
        assert command_line("sim", str(path), "--json") == result.json
        made.save(pathlib.Path(folder) / "graph.yaml")
        path.write_text(re.sub(r"(?m)^topology: .*$", "topology: {graph: graph.yaml}", result.configuration))
        by_file = json.loads(command_line("sim", str(path), "--json"))
    in_memory = json.loads(result.json)
    del by_file["configuration"], in_memory["configuration"]
    assert by_file == in_memory, "the path of a file is all that differs"
    labelled = networkx.relabel_nodes(graph, {node: f"rack-{node}" for node in graph})
    labelled.add_node("gateway", host=True)
    labelled.add_edge("rack-0", "gateway", rates=["10Gb/s"], length_m=3.5, medium="optical")
    own = ebb.topology(labelled, rates=["40Gb/s"])
    assert own.hosts == 1 and own.nodes[-1] == "gateway"
    cable = own.frame().query("to == 'gateway'").iloc[0]
    assert (cable["rate_bits_per_second"], cable["length_m"], cable["medium"]) == (10_000_000_000, 3.5, "optical"), cable
    first = ebb.topology("fbfly", hosts=2, dims=[3])
    again = ebb.topology(first.edges(), hosts=first.nodes[first.switches:])
    assert again.edges() == first.edges() and again.nodes == first.nodes
    for topology in (first, {"family": "fbfly", "hosts": 2, "dims": [3]}):
        network = json.loads(ebb.simulate(BASE, overrides={"topology": "{family: fbfly}"}, topology=topology).json)["network"]
        assert network["links"] == first.links, network


def expect_refused(*cases):
    """Each call raises an error that has the text."""
    for call, text in cases:
        try:
            call()
        except ValueError as error:
            assert text in str(error), error
        else:
            raise AssertionError(text)


def wrong_graphs():
    problems = {}
    try:
        ebb.topology([("a", "b"), ("b", "b"), ("b", "c", {"medium": "wireless"}), ("x", "y")], hosts=["x", "y"], rates=["40"])
    except ebb.InputError as error:
        problems = {one.path: one for one in error.problems}
    assert {"links[1]", "links[2].medium", "links[3]"} <= {str(path).split(".b")[0] for path in problems}, problems
    assert any(str(path).startswith("rate_tables[0]") for path in problems), problems
    assert all(one.file is None and one.line is None for one in problems.values()), problems
    expect_refused((lambda: ebb.topology([("a", "b")], hosts=["c"]), "'c'"), (lambda: ebb.topology([("a", "b", 7)]), "dict"))


def plans():
    file = "examples/exascale-plan.yaml"
    assert ebb.plan("examples/isca10-table-1.yaml", compare=True).json == command_line(
        "plan", "compare", "examples/isca10-table-1.yaml", "--json")
    small = ebb.plan(hosts=256, rate="40Gb/s", parts={"switch": "isca10-chip"}, rank="switches", top=3)
    words = ["--hosts", "256", "--rate", "40Gb/s", "--switch", "isca10-chip", "--rank", "switches", "--top", "3", "--json"]
    assert small.json == command_line("plan", *words)
    frame = small.frame()
    assert len(frame) == len(small.designs) == 3 and (frame["hosts_possible"] >= 256).all()
    assert frame["chips"].is_monotonic_increasing and small.inputs["hosts"] == 256
    expect_refused((lambda: ebb.plan(hosts=256, parts={"switch": "isca11-chip"}), "isca10-chip"),
                   (lambda: ebb.plan(hosts=256, parts={"switch": "isca10-chip"}, compare=True), "names no designs"),
                   (lambda: ebb.plan(file, rank="beauty"), "worst-case"))


def sweeps():
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "runs.db"
        runs = ebb.sweep(SWEEP, results=results, progress=seen.append)
        frame = runs.frame()
        assert len(runs) == len(frame) == 8 and not runs.failed
        assert set(frame["seed"]) == {1, 2} and set(frame["traffic.injection.load"]) == {"5%", "20%"}
        assert seen and seen[-1].done == seen[-1].runs == 8 and seen[-1].failed == 0, seen[-1:]
        always_on = frame[frame["policy"] == "always-on"]
        assert (always_on["power.relative"] == 1).all() and (frame["power.relative"] < 1).any()
        seen.clear()
        assert ebb.sweep(SWEEP, results=results, progress=seen.append).frame().equals(frame), "nothing is done again"
        assert ebb.read_results(results).frame().equals(frame)
        base, sweep = pathlib.Path(folder) / "base.yaml", pathlib.Path(folder) / "sweep.yaml"
        base.write_text(json.dumps({"schema_version": 1, **BASE}))
        sweep.write_text(json.dumps({"schema_version": 1, "name": "sweep", **SWEEP, "base": "base.yaml"}))
        command_line("sweep", str(sweep), "--results", str(results.with_name("other.db")))
        assert ebb.read_results(results.with_name("other.db")).frame().equals(frame), "keys, settings and metrics"
        assert ebb.sweep(sweep, jobs=1).frame().equals(frame)
    one = ebb.simulate(BASE, overrides={"traffic.injection.load": "20%", "seed": 2})
    row = always_on[(always_on["traffic.injection.load"] == "20%") & (always_on["seed"] == 2)].iloc[0]
    assert row["packet_latency.p99"] == one.metrics["packet_latency.p99"]


def stopped_sweeps():
    class Enough(Exception):
        pass

    def stop(progress):
        if progress.done >= 1:
            raise Enough
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "runs.db"
        try:
            ebb.sweep({**SWEEP, "seeds": 20}, results=results, jobs=1, progress=stop)
        except Enough:
            pass
        else:
            raise AssertionError("progress() was not heard")
        assert 1 <= len(ebb.read_results(results)) < 80
        long = {**SWEEP, "set": {"schedule.measure": "20ms"}, "seeds": 50}
        code = f"import ebb; print('begun', flush=True); ebb.sweep({long!r}, results={str(results)!r}, jobs=1)"
        child = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True)
        try:
            child.stdout.readline()
            time.sleep(2)
            assert child.poll() is None, child.stderr.read()
            child.send_signal(signal.SIGINT)
            assert "KeyboardInterrupt" in child.communicate(timeout=60)[1]
        finally:
            child.kill()
    for wrong, path in (({**SWEEP, "vary": {"traffic.injection.load": ["much"]}}, "vary"), ({"vary": {}}, "base")):
        try:
            ebb.sweep(wrong)
        except ebb.InputError as error:
            assert any(path in str(one) for one in error.problems), error
        else:
            raise AssertionError(path)


def lists():
    for name in ("families", "routings", "patterns", "injections", "sizes", "workloads", "policies"):
        entries, text = getattr(ebb, name)(), command_line("list", name)
        assert entries and all(f"{one.name}\n    {one.summary}" in text for one in entries), name
        for entry in entries:
            assert all(parameter.help in text for parameter in entry.parameters), entry
    epoch = next(one for one in ebb.policies() if one.name == "epoch")
    assert {one.name: one.default for one in epoch.parameters}["target"] == "50%"
    parts = ebb.parts()
    text = command_line("parts", "list")
    assert len(parts) > 10 and all(one.name in text for one in parts)


def main():
    for test in (topologies, graph_files, own_graphs, wrong_graphs, plans, sweeps, stopped_sweeps, lists):
        test()
    return 0


if __name__ == "__main__":
    sys.exit(main())
