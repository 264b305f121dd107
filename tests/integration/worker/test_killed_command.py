"""`kill -9` of the command at any moment leaves no process. What it leaves in the temporary folder, the next command removes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from left_behind import marked

from tightrope import cli

# Its children sleep, in sessions of their own, while it searches, confirms and measures.
UNIT = """\
#include <unistd.h>
int act(int what)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            sleep(60);
        _exit(0);
    }
    for (int i = 0; i < 12; i++)
        if (what >> i & 1)
            usleep(2000);
    return what > 5000 ? 1 : 0;
}
"""
REAL = [word for name in ("fork", "setsid", "sleep", "usleep") for word in ("--no-stub", name)]
PATIENCE = 15.0  # seconds for a compiler to finish its file


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1]), "TMPDIR": str(folder / "tmp")}
    command = [sys.executable, "-m", "tightrope", *words]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_until_nothing_is_left(mark: str) -> list[str]:
    deadline = time.monotonic() + PATIENCE
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


@pytest.mark.parametrize("words", [[], ["--jobs", "2"]], ids=["alone", "jobs"])
def test_nothing_is_left_after_kill(words: list[str], tmp_path: Path, mark: str) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "unit.c").write_text(UNIT)
    (tmp_path / "more.c").write_text(UNIT.replace("act", "also"))
    targets = ["unit.c", "more.c"] if words else ["unit.c"]
    generate = ["generate", *targets, "-c", "branch", "--time-limit", "2", "--max-runs", "60", *REAL, *words]
    for moment in (0.2, 0.6, 1.2, 2.0, 3.0, 4.5, 6.0):
        process = start(tmp_path, *generate)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert wait_until_nothing_is_left(mark) == [], f"killed after {moment} s"
    assert start(tmp_path, "criteria").wait() == 0
    assert list((tmp_path / "tmp").glob("tightrope-session-*")) == []
    kept = [each.name for each in (tmp_path / "tmp").iterdir()]
    assert all(name.endswith(("-cache", "-zig")) for name in kept), "only caches stay"
