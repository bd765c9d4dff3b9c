# SPDX-License-Identifier: Apache-2.0
"""The controller of live fabrics, with a policy that is written in Python."""
from __future__ import annotations

import copy
import difflib
import os
import signal
import threading
import traceback
from contextlib import contextmanager
from typing import Any, Iterator, Mapping, Optional

from . import _ebb, _input
from ._policy import Policy


def control(file: _input.Path, *, policy: Optional[Policy] = None, **options: Any) -> None:
    """Controls the switches of a fabric file as `ebb fabric run` does, until Ctrl-C, SIGTERM or the end of `seconds`.
    Then every link is woken, and the call returns.

    policy   takes the place of the policy of the file; without it the policy of the file decides
    options  those of `ebb fabric run`, with _ for -: transcript="run.jsonl", seconds=60, dry_run=True

    A policy that raises an exception, or takes longer than a second, decides no more: the controller says so, wakes every
    link and goes on without it. When the controller has ended, the exception is raised here. Mistakes of the file, the
    options or the policy raise InputError before any switch is touched; what fails outside raises OSError."""
    if not hasattr(_ebb, "ControllerRun"):
        raise NotImplementedError("this package was built without the live half; build it with -DEBB_LIVE=ON")
    run = _ebb.ControllerRun(_run_options(file, options), _input.data_folder(), policy)
    with _stopped_by_signals(run):
        failure = _decide_while_running(run, policy)
    run.finish()
    if failure is not None:
        raise failure
    if run.given_up():
        raise TimeoutError("decide() took longer than a second, and the controller went on without the policy")


def _run_options(file: _input.Path, options: Mapping[str, Any]) -> _ebb.RunOptions:
    given = _ebb.RunOptions(os.fspath(file))
    known = [name for name in dir(given) if not name.startswith("_")]
    for name, value in options.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            raise TypeError(f"no option '{name}'" + (f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(known)}"))
        setattr(given, name, os.fspath(value) if isinstance(value, os.PathLike) else value)
    return given


@contextmanager
def _stopped_by_signals(run: _ebb.ControllerRun) -> Iterator[None]:
    """Ctrl-C and SIGTERM stop the controller, and end a decision that is under way. Python gives signals to its main thread
    alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: Any) -> None:
        if run.stop():
            raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _decide_while_running(run: _ebb.ControllerRun, policy: Optional[Policy]) -> Optional[BaseException]:
    """Lets the policy decide whenever the controller asks. Returns what it raised."""
    failure: Optional[BaseException] = None
    fresh: Any = None
    latest = None
    while run.is_running():
        try:  # from the moment in which wait() returns a session, a signal raises KeyboardInterrupt
            session = run.wait()
            if session is None:
                continue
            if session != latest:  # a policy keeps state, so each session begins with the one that was given
                fresh, latest = _ebb.LivePolicy(copy.deepcopy(policy)), session
            run.decide(fresh)
        except BaseException as error:  # noqa: B902: whatever a policy raises must not end the controller
            if run.fail(_in_a_line(error)):
                failure = error
                traceback.print_exc()
    return failure


def _in_a_line(error: BaseException) -> str:
    """What was raised, and where."""
    text = "".join(traceback.format_exception_only(type(error), error)).strip().replace("\n", " ")
    frames = traceback.extract_tb(error.__traceback__)
    return f"{text} ({frames[-1].filename}:{frames[-1].lineno})" if frames else text
