"""Processes for jobs: forked, and from the beginning."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tightrope.running import job_nursery
from tightrope.running.job_nursery import JobNursery


@pytest.fixture(params=[True, False], ids=["forked", "alone"])
def nursery(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobNursery]:
    monkeypatch.setattr(job_nursery, "_CAN_FORK", request.param)
    found = JobNursery()
    yield found
    found.close()


def _tell(connection: Connection, *words: object) -> None:
    connection.send((os.getcwd(), os.environ.get("WORD"), words, os.getpid(), os.getppid()))
    connection.recv()


def test_it_has_our_folder_and_environment(
    nursery: JobNursery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for word in ("first", "second"):
        here = tmp_path / word
        here.mkdir()
        monkeypatch.chdir(here)
        monkeypatch.setenv("WORD", word)
        process, connection = nursery.start(_tell, 1, word, temporary=str(tmp_path))
        assert connection.recv()[:4] == (str(here), word, (1, word), process.pid)
        assert process.is_alive()
        connection.send("enough")
        process.join(30)
        assert process.exitcode == 0 and not process.is_alive()


def _end(connection: Connection, how: str) -> None:
    if how == "fail":
        sys.stderr.close()  # nobody needs to see it
        raise KeyError(how)
    if how == "leave":
        os._exit(7)
    time.sleep(600)


@pytest.mark.parametrize(("how", "code"), [("fail", 1), ("leave", 7), ("wait", -signal.SIGTERM)])
def test_how_it_ended(nursery: JobNursery, tmp_path: Path, how: str, code: int) -> None:
    process, connection = nursery.start(_end, how, temporary=str(tmp_path))
    if how == "wait":
        process.terminate()
    with pytest.raises(EOFError):
        connection.recv()
    process.join(30)
    assert process.exitcode == code
    process.kill()  # which is nothing now


needs_forks = pytest.mark.skipif(not job_nursery._CAN_FORK, reason="this system has no pidfd")


@needs_forks
def test_a_nursery_that_was_killed_is_replaced(tmp_path: Path) -> None:
    nursery = JobNursery()
    process, connection = nursery.start(_tell, temporary=str(tmp_path))
    os.kill(connection.recv()[4], signal.SIGKILL)
    process.join(30)  # it ends with its nursery
    assert process.exitcode == -signal.SIGKILL
    process, connection = nursery.start(_tell, temporary=str(tmp_path))
    assert connection.recv()[3] == process.pid
    nursery.close()
    with pytest.raises(EOFError):
        connection.recv()


@needs_forks
def test_a_copy_of_a_process_forks_and_ends_with_it(tmp_path: Path) -> None:
    """Of a process with one thread, like the workers of a local cluster."""
    script = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_job_nursery import _tell
from tightrope.running.job_nursery import JobNursery
process, connection = JobNursery.forked().start(_tell, temporary={str(tmp_path)!r})
_, _, _, own, above = connection.recv()
print(own, above, os.getpid(), flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    own, above, begin = map(int, done.stdout.split())
    assert len({own, above, begin}) == 3
    until = time.monotonic() + 30
    while any(_is_there(each) for each in (own, above)):
        assert time.monotonic() < until
        time.sleep(0.02)


def _is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
