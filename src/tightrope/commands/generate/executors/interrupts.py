"""Ctrl-C. It ends a search at once (search/loop.py catches it there), also while the solver works. While the result is
being assembled, the first interrupt is only recorded, so that what was found is not lost; a second one ends the
program.

    Ctrl-C ──▶ the search ends ──▶ its tests are made ──▶ a row of the report
       └── GRACE seconds later: whatever is not finished is given up
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tightrope.deadline import Deadline
from tightrope.solving.interrupts import INTERRUPTIBLE

SWITCH = "TIGHTROPE_GRACE"  # other seconds, for tests on slow machines
GRACE = 0.6  # the rest of the second that users wait is for the report
_AGAIN = 0.3  # seconds until the next attempt, if the first was taken for the end of something else
_listens_to = signal.SIGINT


def grace() -> float:
    """Seconds that functions at work have after an interrupt."""
    return float(os.environ.get(SWITCH, GRACE))


def listen_to(number: signal.Signals) -> None:
    """In a process of a pool: handle the signal that replaces the interrupt of the terminal."""
    global _listens_to
    _listens_to = number


@contextmanager
def interruptible() -> Iterator[None]:
    """Around the work on one function: an interrupt ends a check of the solver, too; in the process of the command, the
    work is given up when the time for its end is over. (Other processes are ended by that one.)"""
    with INTERRUPTIBLE.listening(_listens_to):
        if _listens_to is not signal.SIGINT:
            yield
            return
        with _last_call():
            yield


@contextmanager
def _last_call() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):
        yield
        return

    def hear(number: int, frame: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, max(grace(), 1e-6), _AGAIN)
        signal.signal(number, before)
        before(number, frame)  # type: ignore[arg-type]

    def give_up(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    try:
        signal.signal(signal.SIGINT, hear)
    except ValueError:  # not in the main thread: no interrupts here
        yield
        return
    alarm = signal.signal(signal.SIGALRM, give_up)
    try:
        with _nothing_lost_is_told():
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, alarm)
        signal.signal(signal.SIGINT, before)


@contextmanager
def _nothing_lost_is_told() -> Iterator[None]:
    """Python drops an interrupt that comes while it cleans up or forks, and prints where. The next one comes soon
    (`_AGAIN`), so users need not know."""
    before = sys.unraisablehook

    def tell(lost: sys.UnraisableHookArgs) -> None:
        if lost.exc_type is not KeyboardInterrupt:
            before(lost)

    sys.unraisablehook = tell
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def on_first_interrupt(act: Callable[[], None]) -> Iterator[None]:
    """The first interrupt does this; the next one ends this process."""

    def hear(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        act()

    before = signal.getsignal(signal.SIGINT)
    with handling_interrupts(hear):
        yield


@contextmanager
def handling_interrupts(handler: Callable[[int, object], None] | signal.Handlers) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, handler)
    except ValueError:  # not in the main thread: no interrupts here
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass(slots=True)
class Heard:
    is_true: bool = False

    def hurry(self, deadline: Deadline) -> Deadline:
        """The deadline, which is over as soon as the interrupt is heard."""
        return replace(deadline, clock=lambda: max(deadline.clock(), deadline.end if self.is_true else 0.0))


@contextmanager
def finishing(was_heard: bool = False) -> Iterator[Heard]:
    """The first interrupt is only noted, unless there was one before (`was_heard`)."""
    heard = Heard(was_heard)
    if was_heard:
        yield heard
        return
    before = signal.getsignal(_listens_to)

    def note(number: int, frame: object) -> None:
        heard.is_true = True
        signal.signal(number, before)
        if callable(signal.getsignal(signal.SIGALRM)):  # see `_last_call`
            signal.setitimer(signal.ITIMER_REAL, max(grace(), 1e-6), _AGAIN)

    try:
        signal.signal(_listens_to, note)
    except ValueError:  # not in the main thread: no interrupts here
        yield heard
        return
    try:
        yield heard
    finally:
        signal.signal(_listens_to, before)
