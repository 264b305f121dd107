"""Ctrl-C while a solver works. Python handles signals between its own instructions only, and Bitwuzla does not return
before a check is over: seconds, or minutes. It asks a *terminator* now and then whether to stop, but an exception that
is raised there gets lost between its frames. So for the time of a check the signal is only noted; the terminator then
ends the check, and the signal is handled after it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]


class InterruptibleCheck:
    """`with` it around a check; it is itself the terminator. There is one for the process, as there is for signals."""

    __slots__ = ("_heard", "_is_checking", "_number", "_usual")

    def __init__(self) -> None:
        self._is_checking = self._heard = False
        self._number = signal.SIGINT
        self._usual: Handler = signal.default_int_handler

    def __enter__(self) -> None:
        self._is_checking = True

    def __exit__(self, *problem: object) -> None:
        self._is_checking = False
        if self._heard:
            self._heard = False
            self._usual(self._number, None)

    def __call__(self) -> bool:
        return self._heard

    @contextmanager
    def listening(self, number: signal.Signals = signal.SIGINT) -> Iterator[None]:
        """Inside, an interrupt ends a check. Elsewhere it does what it did before."""
        before = signal.getsignal(number)
        if not callable(before) or before == self._handle:  # interrupts are ignored, or we listen already
            yield
            return
        try:
            signal.signal(number, self._handle)
        except ValueError:  # not in the main thread: no interrupts here
            yield
            return
        self._number, self._usual = number, before
        try:
            yield
        finally:
            signal.signal(number, before)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._is_checking:
            self._heard = True
        else:
            self._usual(number, frame)


INTERRUPTIBLE = InterruptibleCheck()
