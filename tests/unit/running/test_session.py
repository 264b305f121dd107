"""Temporary folders of a command, and what becomes of those of a dead one."""

from __future__ import annotations

import ctypes
import os
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tightrope.running.session import PREFIX, TO_LOCK, _take_lock, join_session, lasting_folder, session_folder


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_temporary_folders_lie_in_one_that_is_removed(base: Path) -> None:
    with session_folder():
        folder = Path(tempfile.mkdtemp())
        assert folder.parent.name.startswith(PREFIX)
        assert lasting_folder() == base
    assert list(base.iterdir()) == []
    assert tempfile.gettempdir() == str(base)


def test_folders_of_dead_commands_are_removed_and_others_stay(base: Path) -> None:
    dead, beginning = base / f"{PREFIX}dead", base / f"{PREFIX}new"
    (dead / "inside").mkdir(parents=True)
    (dead / "lock").touch()
    beginning.mkdir()
    with session_folder(), session_folder():
        assert not dead.exists()
        assert beginning.exists(), "it has no lock yet"
        assert len(list(base.glob(f"{PREFIX}*/lock"))) == 1, "a session in a session is the same one"
        assert Path(tempfile.gettempdir()).parent == base


def test_folders_of_processes_that_died_before_they_had_a_lock_are_removed_later(base: Path) -> None:
    died, beginning, living = (base / f"{PREFIX}{name}" for name in ("died", "beginning", "living"))
    long_ago = time.time() - 2 * TO_LOCK
    for folder, date in ((died, long_ago), (beginning, time.time()), (living, long_ago)):
        folder.mkdir()
        if folder is living:
            lock = _take_lock(folder)
        os.utime(folder, (date, date))
    with session_folder(), lock:
        assert not died.exists()
        assert beginning.exists() and living.exists()


def test_a_folder_that_cannot_be_written_to_is_no_error(base: Path) -> None:
    tempfile.tempdir = str(base / "missing")
    with session_folder():
        assert not os.listdir(base)


@pytest.mark.parametrize(("parent", "is_gone"), [(1, False), (77, True)])
def test_a_command_may_be_the_first_process_of_a_container(
    base: Path, monkeypatch: pytest.MonkeyPatch, parent: int, is_gone: bool
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    monkeypatch.setattr(os, "getppid", lambda: 1)
    monkeypatch.setattr(os, "_exit", ended.append)
    join_session(str(base), parent)
    assert bool(ended) == is_gone
