# SPDX-License-Identifier: Apache-2.0
"""Policies that are written in Python."""
from __future__ import annotations

import abc
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _ebb, _input
from ._ebb import Orders, Outcome, Sample

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Numbers = NDArray[numpy.int64]


@dataclass(frozen=True)
class NextHops:
    """The next-hop sets of the routing: by set i a packet that is at device[i] for destination[i] may leave by any of
    channels[first[i]:first[i + 1]], so at least one of them must stay open."""

    device: Numbers
    destination: Numbers
    first: Numbers
    channels: Numbers


class Policy(abc.ABC):
    """A policy decides the states of channels from samples. The same samples must give the same orders: a policy reads
    no clock and no file, and draws chance from a seed of its own. It keeps state, so each run needs a fresh one.

    name           stands in results and transcripts; the name of the class unless given
    parameters     stand beside it
    sample_period  how often decide() is called: a text such as "10us", or picoseconds
    acts_by        by what it saves power: set_rate, sleep, sleep_of_tiers, slow_when_idle, sleep_when_idle,
                   wake_when_announced, wake_when_planned. A network
                   whose channels can do none of them refuses the policy before the run
    shortest_idle  the shortest idle time after which its triggers save power, which a live fabric needs to know
    needs_next_hops  whether set_next_hops() is to be called before the first sample"""

    name: str = ""
    parameters: Mapping[str, Any] = {}
    sample_period: Union[str, int] = "10us"
    acts_by: Sequence[str] = ()
    shortest_idle: Union[str, int, None] = None
    needs_next_hops: bool = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    @abc.abstractmethod
    def decide(self, sample: Sample) -> Optional[Orders]:
        """What channels should do, from what they did since the last sample; None changes nothing."""

    def set_next_hops(self, next_hops: NextHops) -> None:
        """Called once, before the first sample, if needs_next_hops."""

    def on_outcome(self, outcome: Outcome) -> None:
        """What became of an order. Called for each order when a class defines it, which costs time."""


@dataclass(frozen=True)
class Replay:
    """How a policy answered the samples of a transcript, and how long its decisions took together."""

    samples: int
    actions: int
    outcomes: int
    difference: Optional[str]
    decide_seconds: float

    @property
    def equal(self) -> bool:
        """Whether it gave every recorded order again and no other."""
        return self.difference is None


def replay(transcript: _input.Path, policy: Optional[Policy] = None) -> Replay:
    """Feeds the samples and outcomes of a transcript to a fresh policy and compares its orders with the recorded ones,
    byte for byte. Without a policy the one that the transcript names is made, as `ebb validate replay` does."""
    return Replay(**_ebb.replay(os.fspath(transcript), policy))
