# SPDX-License-Identifier: Apache-2.0
"""Many simulations, and results files."""
from __future__ import annotations

import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional

from . import _ebb, _input

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Progress:
    """How far a sweep is: runs that are kept, of how many, how many are running, and how many failed."""

    done: int
    runs: int
    running: int
    failed: int


class Runs:
    """Runs with what was set for each and what each measured."""

    def __init__(self, columns: Dict[str, Any]) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns["key"])

    @property
    def failed(self) -> List[str]:
        """The error of each run that failed."""
        return [error for error, status in zip(self._columns["error"], self._columns["status"]) if status == "failed"]

    def frame(self) -> pandas.DataFrame:
        """A row for each run: label, seed and status, a column for each key that was set, as text, and a column for each
        metric, as a number. The index is the key of the run."""
        import pandas

        own = {name: self._columns[name] for name in ("label", "seed", "status")}
        index = pandas.Index(self._columns["key"], name="key")
        return pandas.DataFrame({**own, **self._columns["parameters"], **self._columns["metrics"]}, index=index)


def sweep(config: _input.Config, *, results: Optional[_input.Path] = None, jobs: int = 0, retry: bool = False,
          part_files: Iterable[_input.Path] = (), progress: Optional[Callable[[Progress], object]] = None) -> Runs:
    """Performs the runs of a sweep file, or of a dict with its keys, in which `base` may be a dict, too.

    results     the file that keeps the runs; those that it has are not done again. Without it nothing is kept
    jobs        runs at the same time; 0: one for each core
    retry       does runs again that failed
    part_files  further part files
    progress    called several times a second. What it raises, and Ctrl-C, stop the sweep when the runs under way have
                ended and are kept"""
    base_text = None
    if isinstance(config, Mapping):
        config = {"name": "sweep", **config}
        if isinstance(config.get("base"), Mapping):
            base_text = _input.to_json({"schema_version": 1, **config["base"]})
            config["base"] = "<dict>"
    report = None if progress is None else lambda *counts: progress(Progress(*counts))
    with tempfile.TemporaryDirectory() as folder:
        path = os.fspath(results) if results is not None else str(pathlib.Path(folder) / "runs.db")
        keys = _ebb.sweep(document=_input.document(config), base_text=base_text, data_folder=_input.data_folder(),
                          part_files=_input.paths(part_files), results=path, jobs=jobs, retry=retry, progress=report)
        return Runs(_ebb.read_runs(path, keys))


def read_results(path: _input.Path) -> Runs:
    """All runs of a results file (docs/results.md)."""
    return Runs(_ebb.read_runs(os.fspath(path), None))
