"""Tools that run without a guard have the limits that others have, and leave this process as it is."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from tightrope.suite.guard import Limits
from tightrope.suite.native import run_tool_alone

ROOMY = Limits(seconds=20.0, memory=1 << 33)


def run(text: str, folder: Path, limits: Limits = ROOMY) -> tuple[int, str, bool]:
    ended = run_tool_alone((sys.executable, "-S", "-c", text), folder, limits)
    return ended.status, ended.output, ended.was_stopped


def test_it_runs_in_the_folder(tmp_path: Path) -> None:
    assert run("import os; print(os.getcwd())", tmp_path) == (0, f"{tmp_path}\n", False)


def test_this_process_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a guard was forked"))
    copies: list[int] = []
    os.register_at_fork(before=lambda: copies.append(1))
    assert run("print(1)", tmp_path)[1] == "1\n"
    assert not copies


def test_it_is_stopped_in_time(tmp_path: Path) -> None:
    start = time.monotonic()
    status, _, was_stopped = run("import time; time.sleep(60)", tmp_path, Limits(seconds=0.5, memory=1 << 33))
    assert was_stopped and status < 0 and time.monotonic() - start < 20


def test_it_has_limits(tmp_path: Path) -> None:
    asked = (
        "import resource as r, time; time.sleep(0.5)\n"
        "print(*(r.getrlimit(each)[1] for each in (r.RLIMIT_CPU, r.RLIMIT_AS, r.RLIMIT_FSIZE, r.RLIMIT_CORE)))"
    )
    status, output, _ = run(asked, tmp_path, Limits(seconds=7.0, memory=1 << 33, output=1 << 20))
    assert (status, output) == (0, f"8 {1 << 33} {1 << 20} 0\n")
