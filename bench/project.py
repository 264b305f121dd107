"""One command for a whole code base: `python -m bench.project [--only flex] [--files N] [--jobs 1,2]`.

sqlite, flex, make, bash, mbedtls and lwip, from Debian's source packages (bench/real), with one compilation database.
For each number of processes: the first run, the second one with the store of the first, and one after an edit of one
function. Says what became of each function, how long it took, what was left behind, and how much memory the supervising
process needed over time. Everything is kept outside of the repository, in the folder of bench/real.
"""

from __future__ import annotations

import argparse
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
from pathlib import Path
from typing import Any

from bench.parts.plot import Chart, Point, Series, draw
from bench.parts.results import add_options, head, keep
from bench.parts.tables import markdown
from bench.real.debian import Archive, NotHere
from bench.real.packages import DATABASE, PACKAGES, obtain
from bench.real.run import FOLDER

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).parent / "results"
NAMES = ("sqlite", "flex", "make", "bash", "mbedtls", "lwip")
_NUMBER = re.compile(r"^[ \t]+[^\n]*(?:return|=) (\d);", re.MULTILINE)  # in the body of a function
LOOK = 0.5  # seconds between two looks at the memory


@dataclass(frozen=True, slots=True)
class Measured:
    """One command."""

    name: str
    jobs: int
    seconds: float
    status: int
    rows: Counter[str]  # what became of functions and files
    memory: tuple[Point, ...]  # seconds, MiB of the supervising process
    left: int  # processes and temporary folders


def main() -> int:
    wanted = _read_arguments()
    try:
        database = _merged_database(wanted)
    except NotHere as problem:
        print(f"bench/project: stopped: {problem}", file=sys.stderr)
        return 1
    measured = [one for jobs in wanted.jobs for one in _measure_all(database, jobs, wanted)]
    chart = Chart(
        "Memory of the supervising process",
        "seconds",
        "MiB",
        tuple(Series(f"{one.name}, {one.jobs} jobs", one.memory) for one in measured if one.memory),
    )
    keep("project", _page(measured, wanted), {"-memory.svg": draw(chart)}, wanted, RESULTS)
    return 0


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure one command for a whole code base.")
    parser.add_argument("--only", action="append", default=[], choices=NAMES, help="packages (default: all)")
    parser.add_argument("--files", type=int, default=0, metavar="N", help="of each package, at most (default: all)")
    parser.add_argument("--jobs", default="1,2", help="numbers of processes (default: 1,2)")
    parser.add_argument("--time-limit", type=float, default=2.0, metavar="SECONDS", help="a function (default: 2)")
    parser.add_argument("--folder", type=Path, default=FOLDER, metavar="DIR", help=f"for sources (default: {FOLDER})")
    add_options(parser)
    wanted = parser.parse_args()
    wanted.jobs = [int(word) for word in wanted.jobs.split(",")]
    return wanted


def _merged_database(wanted: argparse.Namespace) -> Path:
    """The entries of all packages in one compilation database."""
    archive, entries = Archive(wanted.folder / "archive"), []
    for name in wanted.only or NAMES:
        prepared = obtain(PACKAGES[name], wanted.folder / "packages", archive)
        own = json.loads((prepared.folder / DATABASE).read_text())
        files = list(dict.fromkeys(each["file"] for each in own))[: wanted.files or None]
        entries += [each for each in own if each["file"] in files]
    place = wanted.folder / "project"
    place.mkdir(parents=True, exist_ok=True)
    (place / DATABASE).write_text(json.dumps(entries, indent=1))
    return place / DATABASE


def _measure_all(database: Path, jobs: int, wanted: argparse.Namespace) -> Iterator[Measured]:
    with tempfile.TemporaryDirectory(prefix="tightrope-project-") as name:
        folder = Path(name)
        (folder / "tmp").mkdir()
        yield _measure("first run", database, jobs, folder, wanted)
        yield _measure("second run", database, jobs, folder, wanted)
        file, text = _choose_edit(database)
        original = file.read_text(errors="surrogateescape")
        file.write_text(text, errors="surrogateescape")
        try:
            yield _measure(f"after an edit of {file.name}", database, jobs, folder, wanted)
        finally:
            file.write_text(original, errors="surrogateescape")


def _measure(name: str, database: Path, jobs: int, folder: Path, wanted: argparse.Namespace) -> Measured:
    words = ["generate", str(database), "-q", "-o", "out", "--cache", "store", "--json", "report.json"]
    words += ["--jobs", str(jobs), "--time-limit", str(wanted.time_limit)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(folder / "tmp")}
    begin = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "tightrope", *words], cwd=folder, env=environment)
    memory: list[Point] = []
    while process.poll() is None:
        memory += [(time.monotonic() - begin, used)] if (used := _memory_of(process.pid)) else []
        time.sleep(LOOK)
    seconds = time.monotonic() - begin
    report = folder / "report.json"
    rows = _count(json.loads(report.read_text())["units"]) if report.exists() else Counter()
    return Measured(name, jobs, seconds, process.returncode, rows, tuple(memory), _count_left(folder / "tmp"))


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


def _count_left(temporary: Path) -> int:
    processes = 0
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            processes += f"TMPDIR={temporary}\0".encode() in place.read_bytes()
        except OSError:
            continue
    return processes + len(list(temporary.iterdir()))


def _choose_edit(database: Path) -> tuple[Path, str]:
    """A file, and its text with one number of one function changed; no line moves."""
    for entry in json.loads(database.read_text()):
        file = Path(entry["directory"]) / entry["file"]
        text = file.read_text(errors="surrogateescape")
        found = _NUMBER.search(text)
        if found:
            return file, f"{text[: found.start(1)]}{int(found[1]) + 1}{text[found.end(1) :]}"
    raise NotHere("no file has a number to edit")


def _page(measured: Sequence[Measured], wanted: argparse.Namespace) -> Iterator[str]:
    yield from head("A whole code base in one command", wanted.note)
    names = ", ".join(wanted.only or NAMES)
    some = f", {wanted.files} files of each at most" if wanted.files else ""
    yield f"{names}{some}; {wanted.time_limit:g} s for each function. `python -m bench.project`"
    yield ""
    kinds = list(dict.fromkeys(kind for one in measured for kind in one.rows))
    header = ["command", "jobs", "seconds", "exit", *kinds, "left behind", "MiB at most"]
    yield from markdown(
        header,
        [
            [
                one.name,
                str(one.jobs),
                f"{one.seconds:.1f}",
                str(one.status),
                *(f"{one.rows[kind]:,}" for kind in kinds),
                str(one.left),
                f"{max((used for _, used in one.memory), default=0.0):.0f}",
            ]
            for one in measured
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
