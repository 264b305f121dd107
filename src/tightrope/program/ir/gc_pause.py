"""Pauses Python's cycle collector while many objects without cycles are created: it would only cost time.

After the pause, all of them are young, and the next object that is made would have the collector look at each: seconds
after a long search, when its time is over. So they become old first; old objects are looked at when there are many
more.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
