# SPDX-License-Identifier: Apache-2.0
"""Power of datacenter and HPC networks: simulations, sweeps, plans, topologies and live fabrics of ebb from Python.

    import ebb
    result = ebb.simulate("examples/sim-fbfly-epoch.yaml", overrides={"traffic.injection.load": "23%"})
    print(result.metrics["power.relative"])
    result.frame("channels")

docs/python.md describes every function with examples."""
from ._ebb import VERSION as __version__
from ._ebb import Orders, Outcome, Sample
from ._control import control
from ._errors import InputError, Problem
from ._lists import Entry, Parameter, Part, families, injections, parts, patterns, policies, routings, sizes, workloads
from ._plan import Plan, plan
from ._policy import NextHops, Policy, Replay, replay
from ._simulate import Result, simulate
from ._sweep import Progress, Runs, read_results, sweep
from ._topology import Topology, topology

__all__ = [
    "Entry", "InputError", "NextHops", "Orders", "Outcome", "Parameter", "Part", "Plan", "Policy", "Problem", "Progress",
    "Replay", "Result", "Runs", "Sample", "Topology", "__version__", "control", "families", "injections", "parts", "patterns",
    "plan", "policies", "read_results", "replay", "routings", "simulate", "sizes", "sweep", "topology", "workloads",
]

for _name in __all__:  # messages and help name what users import
    if getattr(globals()[_name], "__module__", "").startswith("ebb."):
        globals()[_name].__module__ = "ebb"
