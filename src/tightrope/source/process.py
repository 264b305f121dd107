"""Run one command of the toolchain to its end: no shell, no input, a time limit, nothing left behind."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finished:
    """How the command ended. `status` is negative when a signal ended it."""

    status: int
    output: str
    messages: str  # what it wrote to stderr
    was_stopped: bool = False  # by the time limit
    wrote_too_much: bool = False  # then it was stopped, too


def run_command(
    command: Sequence[str],
    *,
    time_limit: float,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    output_limit: int | None = None,
) -> Finished:
    """Raises OSError when the command cannot be started. `output_limit`: the most bytes that it may write.

    The command leads a process group of its own, because a compiler driver starts further
    processes, and all of them must end with it: at the time limit and at Ctrl-C.
    """
    process = subprocess.Popen(
        list(command),
        cwd=folder,
        env=None if environment is None else dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with process:
        try:
            if output_limit is None:
                output, messages = process.communicate(timeout=time_limit)
            else:
                output, messages = _communicate(process, time_limit, output_limit)
        except subprocess.TimeoutExpired:
            _stop(process)
            output, messages = process.communicate()
            return Finished(process.returncode, _text(output), _text(messages), was_stopped=True)
        except _WroteTooMuch:
            _stop(process)
            process.wait()
            return Finished(process.returncode, "", "", was_stopped=True, wrote_too_much=True)
        except BaseException:
            _stop(process)
            raise
    return Finished(process.returncode, _text(output), _text(messages))


class _WroteTooMuch(Exception):
    pass


def _communicate(process: subprocess.Popen[bytes], time_limit: float, output_limit: int) -> tuple[bytes, bytes]:
    """As Popen.communicate, but with a limit for the output."""
    deadline, written = time.monotonic() + time_limit, 0
    kept: dict[object, list[bytes]] = {process.stdout: [], process.stderr: []}
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise subprocess.TimeoutExpired(process.args, time_limit)
            for key, _ in ready:
                chunk = os.read(key.fd, 1 << 20)
                kept[key.fileobj].append(chunk)
                written += len(chunk)
                if not chunk:
                    selector.unregister(key.fileobj)
            if written > output_limit:
                raise _WroteTooMuch
    process.wait(max(0.0, deadline - time.monotonic()))
    return b"".join(kept[process.stdout]), b"".join(kept[process.stderr])


def _stop(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):  # already gone, or no process groups on this system
        process.kill()


def _text(written: bytes) -> str:
    return written.decode("utf-8", errors="replace")
