"""One command for a whole code base: `python -m bench.project [--only flex] [--functions N] [--ways 1,2,local:2]`.

sqlite, flex, make, bash, mbedtls and lwip, from Debian's source packages (bench/real), with one compilation database.
For each way (one process, two, a Dask cluster of two workers): the first run, the second one with the store of the
first, one after an edit of one function, and one after a line was added to this function. Each way has a cache of the
compiler of its own, empty at first, so that they are alike. Says what became of each function, how long it took, what
was left behind, and how much memory the supervising process needed over time. The page is written again after each
command, so that an interrupted measurement is not lost. Everything else is kept outside of the repository, in the
folder of bench/real.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bench.parts.cpu_time import used_below
from bench.parts.plot import Chart, Point, Series, draw
from bench.parts.results import add_options, head, keep
from bench.parts.tables import markdown
from bench.real.debian import Archive, NotHere
from bench.real.packages import DATABASE, PACKAGES, obtain
from bench.real.run import FOLDER
from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.source.toolchain import Compiler, find_compiler
from tightrope.units.prepare import prepare_file

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).parent / "results"
NAMES = ("sqlite", "flex", "make", "bash", "mbedtls", "lwip")
_NUMBER = re.compile(r"^[ \t]+[^\n]*(?:return|=) (\d);$", re.MULTILINE)  # in the body of a function, not of a macro
LOOK = 0.5  # seconds between two looks at the memory
MOST_POINTS = 400  # of a curve
FIRST = "first run"


@dataclass(frozen=True, slots=True)
class Measured:
    """One command."""

    name: str
    way: str
    seconds: float
    worked: float  # seconds of all processors
    status: int
    rows: Counter[str]  # what became of functions and files
    memory: tuple[Point, ...]  # seconds, MiB of the supervising process
    left: tuple[str, ...]  # processes and temporary files


def main() -> int:
    wanted = _read_arguments()
    try:
        database = _merged_database(wanted)
    except NotHere as problem:
        print(f"bench/project: stopped: {problem}", file=sys.stderr)
        return 1
    measured: list[Measured] = []
    for way in wanted.ways:
        for one in _measure_all(database, way, wanted):
            measured.append(one)
            print(f"{one.way}: {one.name}: {one.seconds:.1f} s, exit {one.status}", file=sys.stderr, flush=True)
            _keep(measured, wanted)
    return 0


def _keep(measured: Sequence[Measured], wanted: argparse.Namespace) -> None:
    chart = Chart(
        "Memory of the supervising process",
        "seconds",
        "MiB",
        tuple(
            Series(f"{one.name}, {one.way}", _thinned(one.memory))
            for one in measured
            if one.memory and one.name == FIRST
        ),
    )
    with contextlib.redirect_stdout(sys.stderr):
        keep("project", _page(measured, wanted), {"-memory.svg": draw(chart)}, wanted, RESULTS)


def _thinned(points: Sequence[Point]) -> tuple[Point, ...]:
    """The largest of each stretch: thousands of points make no better picture."""
    step = max(1, len(points) // MOST_POINTS)
    return tuple(max(points[at : at + step], key=lambda each: each[1]) for at in range(0, len(points), step))


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure one command for a whole code base.")
    parser.add_argument("--only", action="append", default=[], choices=NAMES, help="packages (default: all)")
    parser.add_argument(
        "--functions", type=int, default=0, metavar="N", help="at least so many, if there are (default: all)"
    )
    parser.add_argument(
        "--ways", default="1,2,local:2", help="numbers of processes, and clusters (default: %(default)s)"
    )
    parser.add_argument("--time-limit", type=float, default=2.0, metavar="SECONDS", help="a function (default: 2)")
    parser.add_argument("--folder", type=Path, default=FOLDER, metavar="DIR", help=f"for sources (default: {FOLDER})")
    add_options(parser)
    wanted = parser.parse_args()
    wanted.ways = wanted.ways.split(",")
    return wanted


def _merged_database(wanted: argparse.Namespace) -> Path:
    """The entries of all packages in one compilation database; with --functions, of files of each in turn."""
    archive, queues = Archive(wanted.folder / "archive"), []
    for name in wanted.only or NAMES:
        prepared = obtain(PACKAGES[name], wanted.folder / "packages", archive)
        entries: dict[str, list[Any]] = {}
        for each in json.loads((prepared.folder / DATABASE).read_text()):
            entries.setdefault(os.path.join(each["directory"], each["file"]), []).append(each)
        queues.append([(file, own) for file, own in entries.items() if Path(file).is_file()])
    chosen, left, compiler = [], wanted.functions or sys.maxsize, find_compiler()
    for file, own in (each for row in zip_longest(*queues) for each in row if each):
        if left > 0:
            chosen += own
            left -= _count_found(compiler, Path(file)) if wanted.functions else 0
    place = wanted.folder / "project"
    place.mkdir(parents=True, exist_ok=True)
    (place / DATABASE).write_text(json.dumps(chosen, indent=1))
    return place / DATABASE


def _count_found(compiler: Compiler, file: Path) -> int:
    """The functions that `generate` will find there."""
    try:
        return len(prepare_file(compiler, file, Options((Target(file),)), lambda text: None).functions)
    except TightropeError:
        return 0


def _count_functions(file: Path) -> int:
    """About: bodies that start at the start of a line, or behind the heading of a function."""
    return len(re.findall(r"^\{|^\w[^;={}\n]*\)[ \t]*\{", file.read_text(errors="replace"), re.MULTILINE))


def _measure_all(database: Path, way: str, wanted: argparse.Namespace) -> Iterator[Measured]:
    with tempfile.TemporaryDirectory(prefix="tightrope-project-") as name:
        folder = Path(name)
        (folder / "tmp").mkdir()
        yield _measure(FIRST, database, way, folder, wanted)
        yield _measure("second run", database, way, folder, wanted)
        file, number, line = _choose_edit(database)
        original = file.read_text(errors="surrogateescape")
        for what, text in ((f"after an edit of {file.name}", number), (f"after a new line in {file.name}", line)):
            file.write_text(text, errors="surrogateescape")
            try:
                yield _measure(what, database, way, folder, wanted)
            finally:
                file.write_text(original, errors="surrogateescape")


def _measure(name: str, database: Path, way: str, folder: Path, wanted: argparse.Namespace) -> Measured:
    words = ["generate", str(database), "-q", "-o", "out", "--cache", "store", "--json", "report.json"]
    words += ["--jobs", way] if way.isdigit() else ["--cluster", way]
    words += ["--time-limit", str(wanted.time_limit)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(folder / "tmp")}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")  # each way starts with an empty cache of the compiler
    for each in ("TIGHTROPE_CACHE", "PYTHONDONTWRITEBYTECODE"):  # users have neither
        environment.pop(each, None)
    (folder / "report.json").unlink(missing_ok=True)
    begin, before = time.monotonic(), used_below()
    process = subprocess.Popen([sys.executable, "-m", "tightrope", *words], cwd=folder, env=environment)
    memory: list[Point] = []
    while process.poll() is None:
        memory += [(time.monotonic() - begin, used)] if (used := _memory_of(process.pid)) else []
        time.sleep(LOOK)
    seconds = time.monotonic() - begin
    report = folder / "report.json"
    rows = _count(json.loads(report.read_text())["units"]) if report.exists() else Counter()
    time.sleep(1.0)
    left, worked = tuple(_find_left(folder / "tmp")), used_below() - before
    return Measured(name, way, seconds, worked, process.returncode, rows, tuple(memory), left)


def _memory_of(pid: int) -> float:
    try:
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def _count(units: Sequence[Mapping[str, Any]]) -> Counter[str]:
    rows: Counter[str] = Counter()
    for unit in units:
        said = unit["stop_reason"]
        if not unit["function"]:
            rows["files not compiled"] += 1
        elif said.startswith("not tested: internal error"):
            rows["faults of ours"] += 1
        elif said.startswith("not tested:"):
            rows["functions refused"] += 1
        else:
            rows["functions tested"] += 1
            rows["of these, from the store"] += any("taken from the store" in note for note in unit["notes"])
            for objective in unit["objectives"]:
                rows[f"objectives {objective['verdict']}"] += 1
    return rows


def _find_left(temporary: Path) -> Iterator[str]:
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"TMPDIR={temporary}\0".encode() in place.read_bytes():
                words = (place.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                yield f"process {words[:80]}"
        except OSError:
            continue
    yield from (f"file {each.name}" for each in sorted(temporary.iterdir()))


def _choose_edit(database: Path) -> tuple[Path, str, str]:
    """A file with many functions; its text with one number of one function changed, and with a line more there."""
    files = {Path(each["directory"]) / each["file"] for each in json.loads(database.read_text())}
    for file in sorted(files, key=lambda each: (-_count_functions(each), each)):
        text = file.read_text(errors="surrogateescape")
        found = _NUMBER.search(text)
        if found:
            before, number, after = text[: found.start(1)], int(found[1]), text[found.end(1) :]
            return file, f"{before}{number + 1}{after}", f"{before}\n{number + 1}{after}"
    raise NotHere("no file has a number to edit")


def _page(measured: Sequence[Measured], wanted: argparse.Namespace) -> Iterator[str]:
    yield from head("A whole code base in one command", wanted.note)
    names = ", ".join(wanted.only or NAMES)
    some = f", some {wanted.functions} functions" if wanted.functions else ""
    yield f"{names}{some}; {wanted.time_limit:g} s for each function. `python -m bench.project`"
    yield ""
    kinds = list(dict.fromkeys(kind for one in measured for kind in one.rows))
    first = {one.way: one.seconds for one in measured if one.name == FIRST}
    header = [
        "command",
        "way",
        "seconds",
        "of the first",
        "of all processors",
        "exit",
        *kinds,
        "left behind",
        "MiB at most",
    ]
    yield from markdown(
        header,
        [
            [
                one.name,
                one.way,
                f"{one.seconds:.1f}",
                f"{one.seconds / first[one.way]:.1%}",
                f"{one.worked:.1f}",
                str(one.status),
                *(f"{one.rows[kind]:,}" for kind in kinds),
                str(len(one.left)),
                f"{max((used for _, used in one.memory), default=0.0):.0f}",
            ]
            for one in measured
        ],
    )
    yield from ("", *(f"- left behind by {one.name}, {one.way}: {what}" for one in measured for what in one.left))


if __name__ == "__main__":
    sys.exit(main())
