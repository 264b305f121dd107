"""Ctrl-C. It ends a search at once (search/loop.py catches it there); while the result is being put together it is
heard, but not obeyed until it comes again: what was found is not thrown away."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_listens_to = signal.SIGINT


def listen_to(number: signal.Signals) -> None:
    """In a process of a pool: the signal that stands for the terminal's."""
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
    except ValueError:  # not in the main thread: nobody interrupts us here
        yield heard
        return
    try:
        yield heard
    finally:
        signal.signal(_listens_to, before)
