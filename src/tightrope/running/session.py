"""One command: a folder for all its temporary folders, and processes that end with it.

A command that is killed (`kill -9`) cannot clean up. So its temporary folders lie in one folder, which it keeps locked;
the system releases the lock of a dead process. The next command removes folders that nobody has locked. A process may
be killed before it has locked its folder: then the folder is empty, and removed when it is old enough.

    TMPDIR/tightrope-session-x7k2/lock        locked as long as the command lives
                               /tightrope-confirm-...
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

PREFIX = "tightrope-session-"
TO_LOCK = 60.0  # seconds in which a living process has surely locked its folder
_LOCK = "lock"


@contextlib.contextmanager
def session_folder() -> Iterator[None]:
    """Inside, temporary folders are created in a folder that is removed at the end, or by a later command."""
    before = tempfile.tempdir
    if lasting_folder() != Path(tempfile.gettempdir()):  # we are inside of one
        yield
        return
    try:
        _remove_abandoned(lasting_folder())
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = _take_lock(folder)
    except OSError:  # whoever needs a temporary folder will say what is wrong
        yield
        return
    tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before
        shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def lasting_folder() -> Path:
    """The temporary folder of the system, for what outlives the command, such as caches."""
    folder = Path(tempfile.gettempdir())
    while folder.name.startswith(PREFIX):
        folder = folder.parent
    return folder


def _take_lock(folder: Path) -> BinaryIO:
    """Nobody sees a lock file that is not locked."""
    file = (folder / "new").open("wb")
    fcntl.flock(file, fcntl.LOCK_EX)
    (folder / "new").rename(folder / _LOCK)
    return file


def _remove_abandoned(base: Path) -> None:
    for lock in base.glob(f"{PREFIX}*/{_LOCK}"):
        with contextlib.suppress(OSError), lock.open("rb") as file:  # not ours, gone, or in use
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
    for folder in base.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > TO_LOCK and not (folder / _LOCK).exists():
                shutil.rmtree(folder, ignore_errors=True)


def make_session_folder() -> Path:
    """A folder for a process that works for a command of another machine; whoever makes it removes it."""
    return Path(tempfile.mkdtemp(prefix=PREFIX))


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Inside, no other command takes the folder for abandoned."""
    with _take_lock(folder):
        yield


def join_session(folder: str, parent: int) -> None:
    """In a process that works for a command: use its temporary folder, and end with the process that started us."""
    tempfile.tempdir = folder
    end_with(parent)


def end_with(parent: int) -> None:
    """In a new process: end with the process that started us."""
    prctl = getattr(ctypes.CDLL(None), "prctl", lambda *words: 0)
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it was gone before; in a container, a living one may have the number 1
        os._exit(1)


_PR_SET_PDEATHSIG = 1
