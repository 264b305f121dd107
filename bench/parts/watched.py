"""Wrappers for parts of the encoding that measure time, or replace the usual session by another one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

from tightrope.encoding.unit import encode
from tightrope.solving.backends import start_session
from tightrope.solving.session import Session


@dataclass(slots=True)
class Clock:
    """Seconds of the processor. `encoding` has the questions that it asks in it, whether a loop can go on."""

    encoding: float = 0.0
    asking: float = 0.0  # of the session, all questions


@contextmanager
def watched(*, is_incremental: bool = True) -> Iterator[Clock]:
    """While it lasts, encoding engines are measured."""
    clock = Clock()

    def timed_encode(*words: Any, **further: Any) -> Any:
        start = time.process_time()
        try:
            return encode(*words, **further)
        finally:
            clock.encoding += time.process_time() - start

    def timed_session(*words: Any, **further: Any) -> Any:
        return _Timed(start_session(*words, **further, is_incremental=is_incremental), clock)

    with (
        mock.patch("tightrope.encoding.unit.encode", timed_encode),
        mock.patch("tightrope.engines.encoding_engine.start_session", timed_session),
    ):
        yield clock


class _Timed:
    """A session."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session, self._clock = session, clock

    def ask(self, *words: Any) -> Any:
        start = time.process_time()
        try:
            return self._session.ask(*words)
        finally:
            self._clock.asking += time.process_time() - start

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)
