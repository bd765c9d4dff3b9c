# SPDX-License-Identifier: Apache-2.0
"""Networks: switches and hosts joined by links."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Tuple

from . import _ebb, _input

if TYPE_CHECKING:
    import numpy
    import pandas
    from numpy.typing import NDArray


class Topology:
    """A network. Nodes have the names that ebb gives them: s0, s1, ... are switches and h0, h1, ... hosts, unless the
    graph file has names of its own."""

    def __init__(self, graph: _ebb.Graph) -> None:
        self._graph = graph

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


def topology(what: _input.Path, **parameters: Any) -> Topology:
    """A network of a family with its parameters, or that of a graph or topology file. A name with a dot or a slash is a
    file. Beside the parameters of the family, `rates` and `floor` are as in the section `topology` of a simulation file.

        ebb.topology("fbfly", hosts=8, dims=[8, 8], rates=["10Gb/s", "40Gb/s"])
        ebb.topology("examples/small-irregular.yaml")"""
    name = os.fspath(what)
    if "." not in name and "/" not in name:
        return Topology(_ebb.topology(_input.document({"topology": {"family": name, **parameters}})))
    if parameters:
        raise TypeError(f"{name} is a file, which has its parameters in it")
    return Topology(_ebb.topology(_input.document(name)))
