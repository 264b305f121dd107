"""Two versions of Tightrope on the same units: do they write the same suites and the same report.json?

    python -m bench.same_bytes run --source OLD/src --folder before
    python -m bench.same_bytes run --folder after
    python -m bench.same_bytes compare before after [--ignore FIELD] [--show 20]

`run` generates tests for every unit of tests/programs, examples and experiments/programs, and of bench/real where its
packages were prepared (bench/real/run.py does that), with one seed and a limit of runs in place of a limit of time. It
also runs `diff` on the changes of experiment E5. `compare` says which files differ, after taking out what a clock
measured. After a refactoring nothing may differ; exit status 1 means that something does.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.real.listed import read_list

ROOT = Path(__file__).resolve().parents[1]
LIMITS = ("--seed", "7", "--time-limit", "900", "--solver-time-limit", "120", "-q")
SEARCH = ("--engine", "search")  # where the limit of runs bounds the time: large formulas have other limits
PATIENCE = 1200.0  # seconds for one command, whatever happens
CLOCK = {"seconds", "run_seconds", "solver_seconds", "encoding_seconds", "total_seconds"}
FUNCTION = re.compile(r"^// function: (\w+)$", re.MULTILINE)
OPTIONS = re.compile(r"^// options: (.+)$", re.MULTILINE)
CLAUSE = re.compile(r"([a-z][a-z-]*)(?:#\d+)?(?:\([^()]+\))?: (?:covered|infeasible|unknown)")


@dataclass(frozen=True, slots=True)
class Job:
    """One command. `name` is its folder among the results."""

    name: str
    words: tuple[str, ...]
    cwd: Path


def main() -> int:
    wanted = read_arguments()
    if wanted.command == "run":
        return run_all(wanted)
    return compare(wanted.old, wanted.new, set(wanted.ignore), wanted.show, wanted.only)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare what two versions of Tightrope write.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="generate for all units, into a folder")
    run.add_argument("--source", type=Path, default=ROOT / "src", metavar="DIR", help="folder that holds tightrope/")
    run.add_argument("--folder", type=Path, required=True, metavar="DIR", help="for the results")
    run.add_argument("--units", type=Path, default=ROOT, metavar="DIR", help="checkout whose C is used (default: this)")
    run.add_argument("--only", default="", metavar="PART", help="only names that begin so")
    run.add_argument("--max-runs", type=int, default=120, metavar="N")
    run.add_argument("--jobs", type=int, default=2, metavar="N")
    run.add_argument("--real", type=Path, default=Path.home() / ".cache" / "tightrope-bench", metavar="DIR")
    both = commands.add_parser("compare", help="say what differs between two folders")
    both.add_argument("old", type=Path)
    both.add_argument("new", type=Path)
    both.add_argument("--ignore", action="append", default=[], metavar="FIELD", help="a field of the JSON to leave out")
    both.add_argument("--only", default="", metavar="PART", help="only names that begin so")
    both.add_argument("--show", type=int, default=10, metavar="N", help="differences to print (default: 10)")
    return parser.parse_args()


def run_all(wanted: argparse.Namespace) -> int:
    jobs = [job for job in find_jobs(wanted.units.resolve(), wanted.real) if job.name.startswith(wanted.only)]
    source, folder = wanted.source.resolve(), wanted.folder.resolve()
    with ThreadPoolExecutor(wanted.jobs) as pool:
        states = list(pool.map(lambda job: run_job(job, source, folder, wanted.max_runs), jobs))
    print(f"{len(jobs)} commands, {sum(state == 0 for state in states)} of them with exit status 0, in {folder}")
    return 0


def find_jobs(root: Path, real: Path) -> Iterator[Job]:
    for file in sorted((root / "tests" / "programs").glob("*.c")):
        text = file.read_text(encoding="utf-8")
        if function := FUNCTION.search(text):
            criteria = dict.fromkeys(["mcdc", "branch", *CLAUSE.findall(text)])
            words = (f"{file}:{function[1]}", "-c", ",".join(criteria), *_options(text))
            yield Job(f"programs/{file.stem}", ("generate", *words), file.parent)
    for part in ("examples", "experiments/programs"):
        for file in sorted((root / part).rglob("*.c")):
            name = f"{part}/{file.relative_to(root / part).with_suffix('')}"
            yield Job(f"{name}/mcdc", ("generate", str(file)), file.parent)
            yield Job(f"{name}/wm", ("generate", str(file), "-c", "wm,limit", *SEARCH), file.parent)
    yield Job("diff/fee", ("diff", "examples/fee/old.c", "examples/fee/new.c"), root)
    yield from _real_jobs(real)


def _options(text: str) -> list[str]:
    return [word for line in OPTIONS.findall(text) for word in shlex.split(line)]


def _real_jobs(folder: Path) -> Iterator[Job]:
    for each in read_list():
        package = folder / "packages" / each.package
        found = sorted(package.rglob(each.file)) if package.is_dir() else []
        if found:
            build = next((above for above in found[0].parents if (above / "compile_commands.json").is_file()), package)
            words = ("generate", f"{found[0]}:{each.function}", "-p", str(build), *SEARCH)
            yield Job(f"real/{each.package}/{Path(each.file).stem}/{each.function}", words, package)


def run_job(job: Job, source: Path, folder: Path, max_runs: int) -> int:
    """Runs one command; keeps its report, its suites, and how it ended."""
    here = folder / job.name
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir(parents=True)
    words = [sys.executable, "-m", "tightrope", *job.words, *LIMITS, "--max-runs", str(max_runs)]
    words += ["-o", str(here / "tests"), "--json", str(here / "report.json")]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            words, cwd=job.cwd, env=environment, capture_output=True, text=True, errors="replace", timeout=PATIENCE
        )
        status, said = done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        status, said = -1, "did not end"
    (here / "status").write_text(f"{status}\n", encoding="utf-8")
    (here / "stderr").write_text(said, encoding="utf-8")
    return status


def compare(old: Path, new: Path, ignored: set[str], show: int, only: str = "") -> int:
    names = sorted({each.relative_to(top) for top in (old, new) for each in top.rglob("*") if each.is_file()})
    names = [name for name in names if name.name != "stderr" and str(name).startswith(only)]
    different = [name for name in names if not is_same(old, new, name, ignored)]
    for name in different[:show]:
        print("\n".join(difference(old, new, name, ignored)))
    commands = {name.parent for name in names if name.name == "status"}
    reports = sum(name.name == "report.json" for name in names)
    suites = sum("tests" in name.parts for name in names)
    print(f"{len(commands)} commands: {reports} reports and {suites} files of tests compared, {len(different)} differ")
    return 1 if different else 0


def is_same(old: Path, new: Path, name: Path, ignored: set[str]) -> bool:
    if not ((old / name).is_file() and (new / name).is_file()):
        return False
    return content(old, name, ignored) == content(new, name, ignored)


def content(top: Path, name: Path, ignored: set[str]) -> str:
    """The text of a result, without what names its folder and what a clock measured."""
    if not (top / name).is_file():
        return ""
    text = (top / name).read_text(encoding="utf-8", errors="replace").replace(str(top.resolve()), "RESULTS")
    if name.name != "report.json":
        return text
    return json.dumps(without(json.loads(text), CLOCK | ignored), indent=1)


def without(value: Any, fields: set[str]) -> Any:
    if isinstance(value, dict):
        return {name: without(each, fields) for name, each in value.items() if name not in fields}
    if isinstance(value, list):
        return [without(each, fields) for each in value]
    return value


def difference(old: Path, new: Path, name: Path, ignored: set[str], most: int = 24) -> Sequence[str]:
    texts = [content(top, name, ignored).splitlines() for top in (old, new)]
    return list(difflib.unified_diff(*texts, f"{old}/{name}", f"{new}/{name}", lineterm="", n=1))[:most]


if __name__ == "__main__":
    sys.exit(main())
