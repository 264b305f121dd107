"""Pauses Python's cycle collector while many objects without cycles are created: it would only cost time.

After the pause, all of them are young, and the next object that is made would have the collector look at each:
seconds after a long search, when its time is over. So they become old first. But then Python does not count them, and
hardly ever looks at old objects: whoever prepares one unit after the other asks for it in between (`Collector`).
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MUCH = 200 << 20  # bytes: a collection takes about as long as a small function


@contextmanager
def collector_paused() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            _make_old()
            gc.enable()


def _make_old() -> None:
    """All objects there are, at once. Objects that the caller has frozen must stay so; then nothing is done."""
    if gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()


def resident_bytes() -> int:
    """Of memory that this process has; 0 if the system does not say it."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


class Collector:
    """Collects between two units what the earlier ones have left in cycles, some megabytes each."""

    def __init__(self, used: Callable[[], int] = resident_bytes) -> None:
        self._used, self._kept = used, 0  # bytes, when it was asked first and after each collection

    def collect_if_grown(self, most: int = MUCH) -> bool:
        """If the process has grown by so much. True if it was necessary."""
        has_grown = self._kept > 0 and self._used() - self._kept >= most
        if has_grown:
            gc.collect()
        if has_grown or not self._kept:
            self._kept = self._used()
        return has_grown
