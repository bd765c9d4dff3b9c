# SPDX-License-Identifier: Apache-2.0
"""Power of datacenter and HPC networks: simulations of ebb from Python.

    import ebb
    result = ebb.simulate("examples/sim-fbfly-epoch.yaml", overrides={"traffic.injection.load": "23%"})
    print(result.metrics["power.relative"])
    result.frame("channels")

docs/python.md describes every function with examples."""
from ._ebb import VERSION as __version__
from ._errors import InputError, Problem
from ._simulate import Result, simulate

__all__ = [
    "InputError", "Problem", "Result", "__version__", "simulate",
]

for _name in __all__:  # messages and help name what users import
    if getattr(globals()[_name], "__module__", "").startswith("ebb."):
        globals()[_name].__module__ = "ebb"
