"""Runs Tightrope on functions of well-known C programs, and says how far it gets.

    python -m bench.real.run [--list functions|embedded] [--only PATTERN] [--jobs N] [--folder DIR]
                             [--time-limit SECONDS] [--again] [--name NAME]

Gets the source packages from the Debian archive that this machine is set up for (debian.py), prepares them
(packages.py) and runs `tightrope generate` on each function of a list (listed.py). Everything is kept outside of
the repository, in ~/.cache/tightrope-bench or the folder given. What has a result is not run again, unless asked for:
the same command goes on after an interrupt.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from bench.real.debian import Archive, NotHere
from bench.real.listed import LISTS, Listed, read_list
from bench.real.one_function import Job, Result, load_result, run_job
from bench.real.packages import PACKAGES, Prepared, obtain
from bench.real.summary import write_json, write_markdown

FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tightrope-bench"


def main() -> int:
    wanted = read_arguments()
    listed = [each for each in read_list(LISTS[wanted.list].file) if each.fits(wanted.only)]
    if not listed:
        print(f"no function of the list fits {' or '.join(wanted.only)}", file=sys.stderr)
        return 2
    try:
        prepared = prepare(dict.fromkeys(each.package for each in listed), wanted.folder)
    except NotHere as problem:
        print(f"bench/real: stopped: {problem}", file=sys.stderr)
        return 1
    results = run_all([_job(each, prepared[each.package], wanted) for each in listed], wanted)
    report(results, prepared, wanted)
    return 0


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run Tightrope on functions of well-known C programs.")
    parser.add_argument("--list", choices=LISTS, default="functions", help="of functions (default: functions)")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="such as flex, 'sqlite/*utf*'")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="functions at the same time (default: 1)")
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, metavar="DIR", help=f"for everything (default: {FOLDER})"
    )
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS", help="a function (default: 60)")
    parser.add_argument("--name", default="latest", help="of the results in the folder (default: latest)")
    parser.add_argument("--again", action="store_true", help="run also what has a result")
    parser.add_argument("--option", action="append", default=[], metavar="WORD", help="a further word for `generate`")
    wanted = parser.parse_args()
    wanted.folder = wanted.folder.absolute()
    return wanted


def prepare(names: Iterable[str], folder: Path) -> dict[str, Prepared]:
    (folder / "apt").mkdir(parents=True, exist_ok=True)
    archive = Archive(folder / "apt")
    ready = {}
    for name in names:
        ready[name] = obtain(PACKAGES[name], folder / "packages", archive)
        print(f"{name}: version {ready[name].version}", file=sys.stderr)
    return ready


def _job(each: Listed, package: Prepared, wanted: argparse.Namespace) -> Job:
    folder = wanted.folder / "results" / wanted.list / wanted.name / each.package / Path(each.file).stem / each.function
    options = ("-p", str(package.folder), *wanted.option)
    how = LISTS[wanted.list]
    file, builds = package.folder / each.file, how.builds_with_sanitizers
    return Job(each.name, file, each.function, folder, wanted.time_limit, options, how.criteria, builds)


def run_all(jobs: Sequence[Job], wanted: argparse.Namespace) -> list[Result]:
    """In the order of the list, whoever finishes first."""
    found: dict[str, Result] = {}
    if not wanted.again:
        found = {job.name: result for job in jobs if (result := load_result(job))}
    with ThreadPoolExecutor(wanted.jobs) as pool:
        waiting = [pool.submit(run_job, job) for job in jobs if job.name not in found]
        for number, each in enumerate(as_completed(waiting), 1):
            result = each.result()
            found[result.name] = result
            print(f"{number}/{len(waiting)} {result}", file=sys.stderr, flush=True)
    return [found[job.name] for job in jobs]


def report(results: Sequence[Result], prepared: dict[str, Prepared], wanted: argparse.Namespace) -> None:
    folder = wanted.folder / "results" / wanted.list / wanted.name
    versions = {name: package.version for name, package in prepared.items()}
    text = write_markdown(results, versions, wanted.time_limit, LISTS[wanted.list])
    (folder / "summary.md").write_text(text, encoding="utf-8")
    (folder / "summary.json").write_text(write_json(results, versions), encoding="utf-8")
    print(text)


if __name__ == "__main__":
    sys.exit(main())
