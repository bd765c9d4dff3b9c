# SPDX-License-Identifier: Apache-2.0
"""Designs of networks: counted, priced and ranked."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional

from . import _ebb, _input

if TYPE_CHECKING:
    import pandas


class Plan:
    """Designs, best first."""

    def __init__(self, text: str) -> None:
        self._json = text

    @property
    def json(self) -> str:
        """The text that `ebb plan --json` prints for the same input, byte for byte."""
        return self._json

    @property
    def inputs(self) -> Dict[str, Any]:
        inputs: Dict[str, Any] = json.loads(self._json)["inputs"]
        return inputs

    @property
    def designs(self) -> List[Dict[str, Any]]:
        """What is known of each design; docs/plan.md has the keys."""
        designs: List[Dict[str, Any]] = json.loads(self._json)["designs"]
        return designs

    def frame(self) -> pandas.DataFrame:
        """A row for each design."""
        import pandas

        return pandas.DataFrame(self.designs)


def plan(config: Optional[_input.Config] = None, *, rank: str = "watts", top: int = 20, compare: bool = False,
         part_files: Iterable[_input.Path] = (), **keys: Any) -> Plan:
    """What `ebb plan` proposes for a plan file, or for a dict with its keys; `keys` stand for a dict.

    rank        watts, cost, switches, optical, worst-case or worst-case-minimal
    top         how many designs
    compare     the designs that the plan names, as `ebb plan compare` does
    part_files  further part files

        ebb.plan(hosts=1024, rate="40Gb/s", parts={"switch": "isca10-chip"})"""
    if config is None:
        config = keys
    elif isinstance(config, Mapping):
        config = {**config, **keys}
    elif keys:
        raise TypeError("keys are for a plan without a file")
    return Plan(_ebb.plan(document=_input.document(config), data_folder=_input.data_folder(),
                          part_files=_input.paths(part_files), rank=rank, top=top, compare=compare))
