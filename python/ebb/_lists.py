# SPDX-License-Identifier: Apache-2.0
"""What there is to choose from, as `ebb list` and `ebb parts list` print it."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Tuple

from . import _ebb, _input


@dataclass(frozen=True)
class Parameter:
    """`default` is None when a value must be given."""

    name: str
    help: str
    default: Optional[str]
    allowed: str


@dataclass(frozen=True)
class Entry:
    """Something that a file may name."""

    name: str
    summary: str
    parameters: Tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class Part:
    name: str
    kind: str
    summary: str


def _entries(rows: Iterable[Dict[str, Any]]) -> List[Entry]:
    return [Entry(row["name"], row["summary"], tuple(Parameter(**one) for one in row["parameters"])) for row in rows]


def families() -> List[Entry]:
    """Topology families."""
    return _entries(_ebb.families())


def routings() -> List[Entry]:
    return _entries(_ebb.routings())


def patterns() -> List[Entry]:
    """Traffic patterns."""
    return _entries(_ebb.patterns())


def injections() -> List[Entry]:
    """Injection processes."""
    return _entries(_ebb.injections())


def sizes() -> List[Entry]:
    """Distributions of message sizes."""
    return _entries(_ebb.sizes())


def workloads() -> List[Entry]:
    return _entries(_ebb.workloads())


def policies() -> List[Entry]:
    """Link-power policies."""
    return _entries(_ebb.policies())


def parts(files: Iterable[_input.Path] = ()) -> List[Part]:
    """The shipped parts and those of further part files."""
    rows = _ebb.parts(_input.data_folder(), _input.paths(files))
    return [Part(row["name"], row["kind"], row["summary"]) for row in rows]
