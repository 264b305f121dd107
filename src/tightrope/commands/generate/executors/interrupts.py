"""Ctrl-C. It ends a search at once (search/loop.py catches it there). While the result is being assembled, the first
interrupt is only recorded, so that what was found is not lost; a second one ends the program."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_listens_to = signal.SIGINT


def listen_to(number: signal.Signals) -> None:
    """In a process of a pool: handle the signal that replaces the interrupt of the terminal."""
    global _listens_to
    _listens_to = number


@dataclass(slots=True)
class Heard:
    is_true: bool = False


@contextmanager
def finishing() -> Iterator[Heard]:
    """The first interrupt is only noted."""
    heard = Heard()
    before = signal.getsignal(_listens_to)

    def note(number: int, frame: object) -> None:
        heard.is_true = True
        signal.signal(number, before)

    try:
        signal.signal(_listens_to, note)
    except ValueError:  # not in the main thread: no interrupts here
        yield heard
        return
    try:
        yield heard
    finally:
        signal.signal(_listens_to, before)
