# SPDX-License-Identifier: Apache-2.0
"""Networks: switches and hosts joined by links."""
from __future__ import annotations

import json
import numbers
import operator
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _ebb, _input

if TYPE_CHECKING:
    import numpy
    import pandas
    from numpy.typing import NDArray

_Edge = Tuple[Any, Any, Mapping[str, Any]]


class Topology:
    """A network. Nodes have the names that ebb gives them: s0, s1, ... are switches and h0, h1, ... hosts, unless the
    graph file has names of its own."""

    def __init__(self, graph: _ebb.Graph, keys: Dict[str, Any]) -> None:
        self._graph = graph
        self._section = keys

    def __repr__(self) -> str:
        return f"<ebb.Topology {self.family}: {self.hosts} hosts, {self.switches} switches, {self.links} links>"

    @property
    def family(self) -> str:
        return self._graph.family()

    @property
    def parameters(self) -> Dict[str, str]:
        """Of the family, with every default."""
        return self._graph.parameters()

    @property
    def hosts(self) -> int:
        return self._graph.hosts()

    @property
    def switches(self) -> int:
        return self._graph.switches()

    @property
    def links(self) -> int:
        return len(self._graph.ends())

    @property
    def nodes(self) -> List[str]:
        """Names by number: first the switches, then the hosts."""
        return self._graph.names()

    def edges(self) -> List[Tuple[str, str, Dict[str, Any]]]:
        """Links as networkx takes them: networkx.from_edgelist(t.edges(), create_using=networkx.MultiGraph). A MultiGraph
        keeps parallel links, which a Graph joins."""
        columns = self._graph.links()
        rates, lengths = columns["rate_bits_per_second"].tolist(), columns["length_m"].tolist()
        return [(a, b, {"rate_bits_per_second": rate, "length_m": length, "medium": medium}) for a, b, rate, length, medium
                in zip(columns["from"], columns["to"], rates, lengths, columns["medium"])]

    def edge_array(self) -> NDArray[numpy.uint32]:
        """The numbers of the nodes at both ends of each link, links by 2: the memory of the network itself, not a
        copy. Link i carries channel 2 i from its first node to its second, and channel 2 i + 1 back."""
        return self._graph.ends()

    def frame(self) -> pandas.DataFrame:
        """A row for each link."""
        import pandas

        return pandas.DataFrame(self._graph.links())

    def distances(self) -> Mapping[str, Any]:
        """diameter_links and distance_mean_switches, measured on the network; exact is False when they are sampled."""
        return self._graph.distances()

    def save(self, path: _input.Path) -> None:
        """Writes a graph file (docs/graph-file.md), which topology() and simulations read."""
        self._graph.save(os.fspath(path))


def topology(what: Any, **parameters: Any) -> Topology:
    """A network of a family with its parameters, that of a graph or topology file, or one that is made of edges. A text with a
    dot or a slash is a file. Beside the parameters of the family, `rates` and `floor` are as in the section `topology` of a
    simulation file.

        ebb.topology("fbfly", hosts=8, dims=[8, 8], rates=["10Gb/s", "40Gb/s"])
        ebb.topology("examples/small-irregular.yaml")

    Edges are a graph of networkx, or pairs of nodes, each with a dict of attributes if it has any: `rates`, slow to fast, or
    `rate_bits_per_second`, `length_m` and `medium`, as Topology.edges() gives them. `rates` is for edges that have none.
    `hosts` names the nodes that are hosts, or is a number of hosts for each switch; without it nodes of networkx with
    the attribute `host` are.

        ebb.topology(networkx.petersen_graph(), hosts=4, rates=["10Gb/s", "40Gb/s"])"""
    if not isinstance(what, (str, os.PathLike)):
        return _made(_graph_section(what, **parameters))
    name = os.fspath(what)
    if "." not in name and "/" not in name:
        return _made({"family": name, **parameters})
    if parameters:
        raise TypeError(f"{name} is a file, which has its parameters in it")
    return Topology(_ebb.topology(_input.document(name)), {"graph": os.path.abspath(name)})


def section(what: Any) -> Dict[str, Any]:
    """As the key `topology` of a simulation takes it."""
    if isinstance(what, Mapping):
        return dict(what)
    return dict((what if isinstance(what, Topology) else topology(what))._section)


def _made(keys: Dict[str, Any]) -> Topology:
    return Topology(_ebb.topology(_input.document({"topology": keys})), keys)


def _graph_section(edges: Any, hosts: Any = None, rates: Optional[Sequence[str]] = None) -> Dict[str, Any]:
    """The text of a graph file (docs/graph-file.md)."""
    pairs = [_edge(one) for one in (edges.edges(data=True) if hasattr(edges, "edges") else edges)]
    nodes = list(dict.fromkeys([*getattr(edges, "nodes", ()), *(end for a, b, _ in pairs for end in (a, b))]))
    per_switch = operator.index(hosts) if isinstance(hosts, numbers.Integral) else 0
    if hosts is None and hasattr(edges, "nodes"):
        hosts = [node for node, data in edges.nodes(data=True) if data.get("host")]
    named = set() if per_switch or hosts is None else set(hosts)
    unknown = named.difference(nodes)
    if unknown:
        raise ValueError(f"'hosts' names {sorted(map(str, unknown))}, which no edge has")
    switches = [node for node in nodes if node not in named]
    more: List[_Edge] = [(f"h{i}", switches[i // per_switch], {}) for i in range(per_switch * len(switches))]
    tables: Dict[str, int] = {}
    links = [_link(a, b, data, rates, tables) for a, b, data in [*more, *pairs]]
    graph = {"schema_version": 1, "switches": [str(node) for node in switches],
             "hosts": [name for name, _, _ in more] or [str(node) for node in nodes if node in named],
             "rate_tables": [json.loads(table) for table in tables], "links": links}
    return {"graph": _input.to_json(graph) + "\n"}


def _edge(edge: Any) -> _Edge:
    a, b, *data = edge
    if len(data) > 1 or (data and not isinstance(data[0], Mapping)):
        raise ValueError(f"an edge is two nodes and a dict of attributes, not {edge!r}")
    return a, b, data[0] if data else {}


def _link(a: Any, b: Any, data: Mapping[str, Any], rates: Optional[Sequence[str]], tables: Dict[str, int]) -> Dict[str, Any]:
    own = data.get("rates", rates)
    if own is None:
        own = [f"{data['rate_bits_per_second']}b/s"] if "rate_bits_per_second" in data else ["40Gb/s"]
    link = {"a": str(a), "b": str(b), "rate_table": tables.setdefault(_input.to_json(list(own)), len(tables))}
    if "medium" in data:
        link["medium"] = data["medium"]
    if "length_m" in data:
        link["length"] = f"{round(1000 * data['length_m'])}mm"
    return link
