"""Processes that lose their parent: whoever adopts them can find and end them, wherever they have moved to."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
_prctl = getattr(ctypes.CDLL(None), "prctl", lambda *words: 0)


def adopt_orphans() -> None:
    """From now on, orphans among our descendants become our children. Where the system cannot do that, they do not."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_descendants(process: int) -> None:
    """End all processes below this one, where the system can tell which they are."""
    for each in _descendants(process):
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGKILL)


def _descendants(process: int) -> list[int]:
    try:
        children = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except (OSError, ValueError):
        return []
    return children + [below for child in children for below in _descendants(child)]
