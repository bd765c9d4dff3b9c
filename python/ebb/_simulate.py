# SPDX-License-Identifier: Apache-2.0
"""One simulation and what it measured."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Mapping, Optional, Sequence, Union

from . import _ebb, _input, _topology
from ._policy import Policy

if TYPE_CHECKING:
    import pandas

Columns = Dict[str, Any]
Messages = Union[Mapping[str, Any], Iterable[Sequence[int]]]
_MESSAGE = ("at_ps", "source", "destination", "bytes")


class Result:
    """What a simulation measured. Tables are made when they are asked for; numbers come from the simulator as arrays of
    numpy and never pass through text."""

    def __init__(self, run: _ebb.Run) -> None:
        self._run = run
        self._json: Optional[str] = None
        self._metrics: Optional[Dict[str, float]] = None

    @property
    def json(self) -> str:
        """The text that `ebb sim --json` prints for the same input, byte for byte."""
        if self._json is None:
            self._json = self._run.json()
        return self._json

    @property
    def configuration(self) -> str:
        """The resolved simulation file, with every default."""
        return self._run.configuration()

    @property
    def stalled(self) -> bool:
        """Whether the run ended because nothing moved any more although packets waited."""
        return self._run.stalled()

    @property
    def events(self) -> int:
        """Events of the whole run, for its speed."""
        return self._run.events()

    @property
    def metrics(self) -> Dict[str, float]:
        """The metrics of docs/results.md by name."""
        if self._metrics is None:
            columns = self._run.metrics()
            self._metrics = dict(zip(columns["name"], columns["value"]))
        return self._metrics

    def arrays(self, table: str) -> Columns:
        """The columns of a table by name: arrays of numpy, and lists of texts.

        metrics     name, unit, value
        states      how long the meters of a class were in each state
        channels    a row for each direction of a link
        series      end_ps by frame; busy_ps, sent_bits, queued_bits, energy_J, state by frame and channel
        histograms  name, upper_ps and count of the buckets of latencies"""
        makers = {"metrics": self._run.metrics, "states": self._run.states, "channels": self._run.channels,
                  "series": self._series, "histograms": self._histograms}
        if table not in makers:
            raise ValueError(f"no table '{table}'; there are {', '.join(makers)}")
        return makers[table]()

    def frame(self, table: str = "metrics") -> pandas.DataFrame:
        """A table of arrays() as a frame of pandas. A series has a row for each frame and channel."""
        import pandas

        columns = self.arrays(table)
        if table != "series":
            return pandas.DataFrame(columns)
        ends = columns.pop("end_ps")
        channels = range(columns["busy_ps"].shape[1])
        index = pandas.MultiIndex.from_product([ends, channels], names=["end_ps", "channel"])
        return pandas.DataFrame({name: values.reshape(-1) for name, values in columns.items()}, index=index, copy=False)

    def histogram(self, name: str) -> Columns:
        """upper_ps and count of one of packet_latency, message_latency and lateness, which runs with a deadline have."""
        known = self._run.histograms()
        if name not in known:
            raise ValueError(f"no histogram '{name}'; there are {', '.join(known)}")
        return known[name]

    def _series(self) -> Columns:
        columns = self._run.series()
        if columns is None:
            raise ValueError("the run kept no series; ask for one with the key 'series.every', as 100us")
        return columns

    def _histograms(self) -> Columns:
        import numpy

        known = self._run.histograms()
        names = [name for name, columns in known.items() for _ in columns["count"]]
        joined: Columns = {"name": names}
        for key in ("upper_ps", "count"):
            joined[key] = numpy.concatenate([columns[key] for columns in known.values()])
        return joined


def _messages_text(messages: Messages) -> str:
    """As a list of messages stands in a file (docs/sim/reference.md)."""
    table: Any = messages
    if hasattr(table, "keys"):
        columns = [table[name] for name in _MESSAGE]
        table = zip(*(column.tolist() if hasattr(column, "tolist") else column for column in columns))
    return "\n".join([",".join(_MESSAGE), *(",".join(map(str, one)) for one in table), ""])


def simulate(config: _input.Config, *, overrides: Optional[_input.Overrides] = None, topology: Any = None,
             messages: Optional[Messages] = None,
             policy: Optional[Union[Policy, str, Mapping[str, Any]]] = None, part_files: Iterable[_input.Path] = (),
             threads: int = 1, transcript: Optional[_input.Path] = None) -> Result:
    """Runs a simulation file, or a dict with its keys, as `ebb sim` does.

    overrides   values for keys of the file: {"policy.target": "75%"}, or texts as `--set` takes them
    topology    takes the place of the network of the file: an ebb.Topology, a graph of networkx or a list of edges, or a value
                for the key `topology`
    messages    take the place of the traffic of the file: rows of time in picoseconds, source, destination and bytes, where
                hosts are numbers, or a dict or frame with the columns at_ps, source, destination and bytes
    policy      takes the place of the policy of the file: an ebb.Policy, or a value for the key `policy`
    part_files  further part files
    threads     spreads the switches over threads, and changes nothing but the time that the run takes
    transcript  a file for what the policy saw and said

    Mistakes of the input raise InputError. Other threads of Python go on meanwhile, and Ctrl-C ends the run."""
    changes = _input.settings(overrides)
    made = [key for key, value in (("topology", topology), ("traffic", messages), ("policy", policy)) if value is not None]
    if topology is not None:
        changes += _input.settings({"topology": _topology.section(topology)})
    if messages is not None:
        changes += _input.settings({"traffic": {"messages": _messages_text(messages)}})
    python_policy = policy if isinstance(policy, Policy) else None
    if python_policy is not None:  # the file need not name another, and what it names is not looked at
        changes += ["policy=always-on"]
    elif policy is not None:
        changes += _input.settings({"policy": policy})
    request = _ebb.SimulateRequest(
        document=_input.document(config), overrides=changes, made_keys=made, data_folder=_input.data_folder(),
        part_files=_input.paths(part_files), threads=threads,
        transcript=None if transcript is None else os.fspath(transcript))
    return Result(_ebb.simulate(request, python_policy))
