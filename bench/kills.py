"""Kills a run, and processes that work for it, at random moments: `python -m bench.kills --kills 200 --functions 50`.

    undisturbed:  generate ────────────────────────────────────────────▶ report
    disturbed:    generate ─ kill -9 ─ generate ─ kill -9 ─ ... generate ▶ report     the same, function by function

A run is restarted with its store until it ends by itself, and once more if processes that worked for it were killed;
then a new one begins, with an empty store, until all kills are spent. In the end each must report the same as the
undisturbed one: no function lost, none twice. Afterwards no process and no temporary folder may be left.

With `--dask`, the functions are tested by two workers of a Dask cluster, and its workers and its scheduler are killed,
too; what is dead is started again before the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tightrope.running.session import PREFIX, TO_LOCK

ROOT = Path(__file__).resolve().parents[1]
RUN, HELPER, NURSERY = "the run", "a process of --jobs", "a nursery of workers"
SCHEDULER, WORKER, KEEPER = "the scheduler of Dask", "a worker of Dask", "a process of a worker of Dask"
OF_JOBS = "the nursery of processes"
SHARE_OF_SCHEDULER = 0.15  # of the kills of Dask
FUNCTION = """\
int f{number}(int a, int b, const char *s)
{{
    int n = 0;
    while (n < 3 && s[n] == 'a' + {letter}) n++;
    if (a > {number} && b < a - {number}) return n + 1;
    return a * 3 == b + {number} ? n : -n;
}}
"""
SHARE_OF_RUNS = 0.4  # of the kills, once there are others to kill
# What reports are compared by. Others tell how it was found, or that tests of a killed run were there before.
COMPARED = ("criteria", "stop_reason", "objectives", "tests", "crashes", "written", "assumptions", "decisions")
OF_THE_RUN = ("engine", "is_kept", "suite")  # of objectives and tests


@dataclass(slots=True)
class Outcome:
    kills: Counter[str] = field(default_factory=Counter)  # by what was killed
    ended: int = 0  # runs that ended by themselves
    differences: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)  # processes and folders


def write_project(folder: Path, functions: int, per_file: int = 5) -> None:
    (folder / ".git").mkdir(parents=True)
    for start in range(0, functions, per_file):
        numbers = range(start, min(functions, start + per_file))
        text = "\n".join(FUNCTION.format(number=number, letter=number % 7) for number in numbers)
        (folder / f"part{start // per_file}.c").write_text(text)


class DaskServices:
    """A scheduler and two workers, each in a process of its own."""

    def __init__(self, temporary: Path) -> None:
        self._temporary = temporary
        self._scheduler: subprocess.Popen[bytes] | None = None
        self._workers: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"

    def ensure(self) -> None:
        """Start what is not there. Workers do not outlive their scheduler for long: they get a new one together."""
        if self._scheduler is None or self._scheduler.poll() is not None:
            self.end()
            words = ["scheduler", "--host", self.address, "--no-dashboard", "--no-show"]
            self._scheduler = self._start(*words)
        self._workers = [each for each in self._workers if each.poll() is None]
        while len(self._workers) < 2:
            words = ["worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
            self._workers.append(self._start(*words, "--local-directory", str(self._temporary / "dask")))

    def killable(self, source: random.Random) -> list[tuple[str, int]]:
        if self._scheduler is not None and source.random() < SHARE_OF_SCHEDULER:
            return [(SCHEDULER, self._scheduler.pid)]
        pids = [each.pid for each in self._workers if each.poll() is None]
        keepers = [each for pid in pids for each in _of_jobs(pid, KEEPER)]
        return [*((WORKER, pid) for pid in pids), *keepers]

    def end(self) -> None:
        for each in (*self._workers, *([self._scheduler] if self._scheduler else [])):
            each.kill()
            each.wait()
        self._workers, self._scheduler = [], None
        shutil.rmtree(self._temporary / "dask", ignore_errors=True)

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([sys.executable, "-m", "dask", *words], env=_quiet(self._temporary), **quiet)


def disturb(
    folder: Path, functions: int, kills: int, jobs: int, seed: int, longest: float, *, has_dask: bool = False
) -> Outcome:
    """`longest`: seconds until a kill, at most. Everything happens in the folder."""
    source = random.Random(seed)
    temporary = folder / "tmp"
    temporary.mkdir(parents=True)
    expected = _undisturbed(folder / "undisturbed", functions, jobs, temporary)
    found = Outcome()
    dask = DaskServices(temporary) if has_dask else None
    try:
        while found.kills.total() < kills:
            project = folder / f"disturbed{found.ended}"
            write_project(project, functions)
            is_over = False
            while not is_over:
                before = found.kills.total()
                process = start(project, jobs, temporary, dask=dask)
                is_over = _wait_or_kill(process, source, kills, longest, found, dask)
            if found.kills.total() > before:  # a function whose process was killed twice is reported as lost
                start(project, jobs, temporary, dask=dask).wait()
            found.ended += 1
            found.differences += compare(expected, read_report(project))
            print(f"{found.kills.total()} kills, {len(found.differences)} differences", file=sys.stderr, flush=True)
    finally:
        if dask is not None:
            dask.end()
    time.sleep(1.0)
    found.left = [*_left(temporary)]
    return found


def _undisturbed(project: Path, functions: int, jobs: int, temporary: Path) -> list[Any]:
    write_project(project, functions)
    start(project, jobs, temporary).wait()
    return read_report(project)


def start(
    project: Path, jobs: int, temporary: Path, report: str = "report.json", dask: DaskServices | None = None
) -> subprocess.Popen[bytes]:
    words = ["generate", ".", "-o", "out", "-q", "--json", report, "--max-runs", "60"]
    if dask is not None:
        dask.ensure()
    words += ["--cluster", dask.address] if dask else ["--jobs", str(jobs)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(temporary)}
    environment.pop("TIGHTROPE_CACHE", None)
    return subprocess.Popen([sys.executable, "-m", "tightrope", *words], cwd=project, env=environment)


def _wait_or_kill(
    process: subprocess.Popen[bytes],
    source: random.Random,
    kills: int,
    longest: float,
    found: Outcome,
    dask: DaskServices | None,
) -> bool:
    """Kill something after a while, again and again; True if the run ended by itself."""
    while found.kills.total() < kills:
        try:
            process.wait(source.uniform(0.0, longest))
            return True
        except subprocess.TimeoutExpired:
            pass
        workers = dask.killable(source) if dask else _workers_of(process.pid)
        what, pid = source.choice(workers) if workers and source.random() > SHARE_OF_RUNS else (RUN, process.pid)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
        found.kills[what] += 1
        if what == RUN:
            process.wait()
            return False
    process.wait()
    return True


def _workers_of(pid: int) -> list[tuple[str, int]]:
    """What works for the run: processes of --jobs, and the nurseries from which workers are forked."""
    nurseries = [each for each in _descendants(pid) if "tightrope.running.nursery" in _command(each)]
    return [*_of_jobs(pid, HELPER), *((NURSERY, each) for each in nurseries)]


def _of_jobs(pid: int, name: str) -> list[tuple[str, int]]:
    """The nursery of jobs below the process, and the processes that it has forked."""
    found = [each for each in _descendants(pid) if "tightrope.running.job_nursery" in _command(each)]
    first = [each for each in found if each not in {one for other in found for one in _descendants(other)}]
    return [(OF_JOBS if each in first else name, each) for each in found]


def _descendants(pid: int) -> Iterator[int]:
    parents: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(place.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        parents.setdefault(parent, []).append(int(place.parent.name))
    left = [pid]
    while left:
        below = parents.get(left.pop(), [])
        yield from below
        left += below


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _left(temporary: Path) -> Iterator[str]:
    """Processes and folders that are still there. The next command removes the folders of one that was killed, and a
    minute later those of one that was killed before it had locked its folder."""
    for seconds in (0.0, TO_LOCK + 1.0):
        folders = [str(each) for each in temporary.glob(f"{PREFIX}*")]
        if folders:
            time.sleep(seconds)
            subprocess.run([sys.executable, "-m", "tightrope", "doctor", "-q"], env=_quiet(temporary), check=False)
    yield from (str(each) for each in temporary.glob(f"{PREFIX}*"))
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"TMPDIR={temporary}\0".encode() in place.read_bytes():
                yield _command(int(place.parent.name))
        except OSError:
            continue


def _quiet(temporary: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(temporary)}


# -- comparing


def read_report(project: Path, report: str = "report.json") -> list[Any]:
    """The units, with what must not depend on kills."""
    units = json.loads((project / report).read_text())["units"]
    for unit in units:
        for row in (*unit["objectives"], *unit["tests"]):
            for name in OF_THE_RUN:
                row.pop(name, None)
    return [{name: unit[name] for name in ("file", "function", *COMPARED)} for unit in units]


def compare(expected: Sequence[Any], found: Sequence[Any]) -> list[str]:
    """A sentence for each function that is lost, there twice, or different."""
    names = [f"{unit['file']}:{unit['function']}" for unit in found]
    wanted = {f"{unit['file']}:{unit['function']}": unit for unit in expected}
    said = [f"{name} is there {count} times" for name, count in Counter(names).items() if count > 1]
    said += [f"{name} is lost" for name in wanted if name not in names]
    for name, unit in zip(names, found, strict=True):
        parts = [key for key in unit if unit[key] != wanted.get(name, {}).get(key)]
        said += [f"{name} differs in {', '.join(parts)}"] if parts else []
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--functions", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--longest", type=float, default=8.0, help="seconds until a kill, at most")
    parser.add_argument("--dask", action="store_true", help="test the functions in a cluster of two workers")
    given = parser.parse_args()
    folder, begin = Path(tempfile.mkdtemp(prefix="tightrope-kills-")), time.monotonic()
    try:
        found = disturb(
            folder, given.functions, given.kills, given.jobs, given.seed, given.longest, has_dask=given.dask
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    where = "two workers of Dask" if given.dask else f"{given.jobs} jobs"
    print(f"{given.functions} functions, {where}, {time.monotonic() - begin:.0f} s")
    print(f"{found.kills.total()} kills: " + ", ".join(f"{count} of {what}" for what, count in found.kills.items()))
    print(
        f"{found.ended} runs ended by themselves; {len(found.differences)} differences, {len(found.left)} things left"
    )
    print("\n".join([*found.differences, *found.left]))
    return 1 if found.differences or found.left else 0


if __name__ == "__main__":
    sys.exit(main())
