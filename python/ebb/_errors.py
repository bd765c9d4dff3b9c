# SPDX-License-Identifier: Apache-2.0
"""What is wrong with an input, as the command line says it."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence


@dataclass(frozen=True)
class Problem:
    """One mistake and its place. A dict has no file and no lines: its problems have a path only."""

    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    path: Optional[str]
    text: str

    def __str__(self) -> str:
        return self.text


class InputError(ValueError):
    """A file, a dict or an argument has mistakes: all of them are in `problems`. The text of the exception is what
    the command line prints for the same input, a line for each problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
