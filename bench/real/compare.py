"""Two results of one list in one table: before and after a change.

    python -m bench.real.compare [--list functions|embedded] [--folder DIR] BEFORE AFTER

BEFORE and AFTER are names that were given to `bench.real.run --name`. Only functions that have both results count.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.real.listed import LISTS
from bench.real.one_function import Result
from bench.real.run import FOLDER


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare two results of a list.")
    parser.add_argument("--list", choices=LISTS, default="functions", help="of functions (default: functions)")
    parser.add_argument("--folder", type=Path, default=FOLDER, metavar="DIR", help="of bench.real")
    parser.add_argument("before")
    parser.add_argument("after")
    wanted = parser.parse_args()
    place = wanted.folder / "results" / wanted.list
    print("\n".join(compare(*(_read(place / name) for name in (wanted.before, wanted.after)))))


def _read(folder: Path) -> dict[str, Result]:
    found = (Result(**json.loads(file.read_text())) for file in sorted(folder.rglob("result.json")))
    return {each.name: each for each in found}


def compare(before: dict[str, Result], after: dict[str, Result]) -> Iterator[str]:
    """Lines of Markdown."""
    both = [name for name in before if name in after]
    pairs = [(before[name], after[name]) for name in both]
    old, new = ([pair[side] for pair in pairs] for side in (0, 1))
    yield f"{len(both)} functions."
    yield ""
    yield from ("| what | before | after |", "| --- | --: | --: |")
    for words, value in _ROWS.items():
        yield f"| {words} | {value(old)} | {value(new)} |"
    reasons = _reasons(old), _reasons(new)
    for reason in sorted(set(reasons[0]) | set(reasons[1]), key=lambda each: (-reasons[0][each], each)):
        yield f"| unknown: {reason} | {reasons[0][reason]} | {reasons[1][reason]} |"
    yield from ("", "| function | before | after |", "| --- | --: | --: |")
    yield from (
        f"| {one.name} | {_state(one)} | {_state(other)} |" for one, other in pairs if _state(one) != _state(other)
    )


def _decided(rows: Sequence[Result]) -> str:
    objectives = sum(each.objectives for each in rows)
    return f"{100 * sum(each.decided for each in rows) / objectives:.1f} %" if objectives else "-"


_ROWS = {
    "functions that start": lambda rows: sum(each.status == "tested" for each in rows),
    "objectives": lambda rows: sum(each.objectives for each in rows),
    "covered": lambda rows: sum(each.covered for each in rows),
    "infeasible": lambda rows: sum(each.infeasible for each in rows),
    "decided": _decided,
    "tests": lambda rows: sum(each.tests for each in rows),
    "suites all of whose tests are confirmed": lambda rows: sum(each.confirmed for each in rows),
    "suites that are clean under sanitizers": lambda rows: sum(each.sanitized == "clean" for each in rows),
    "seconds": lambda rows: round(sum(each.seconds for each in rows)),
}


def _reasons(rows: Sequence[Result]) -> Counter[str]:
    return sum((Counter(each.unknown) for each in rows), Counter[str]())


def _state(one: Result) -> str:
    return f"{one.covered}+{one.infeasible}/{one.objectives}" if one.status == "tested" else one.status


if __name__ == "__main__":
    main()
