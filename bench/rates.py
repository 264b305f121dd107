"""How many paths a second of processor time explores, beside another version of this repository.

    python -m bench.rates --before FOLDER [--further FILE.c:FUNCTION=WORDS]

`--before` is a checkout. Both versions explore all paths of the same programs, alternately; of each turn the best of
three counts, of all turns the median. Processor time of all processes counts, so that another load disturbs little.
Depth first is compiled (search/diving.py); breadth first stands for all other strategies, which are in Python.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.exploration import PROGRAMS
from bench.parts import results
from bench.parts.tables import markdown

ROOT = Path(__file__).resolve().parents[1]
AIM_BEFORE, AIM_KLEE, AIM_MEDIAN = 0.97, 5.0, 10.0
# All paths of the same bodies, as multiples of the rate of KLEE 3.2 (STP, dfs, -O0): version b26a35d, seen elsewhere.
BEFORE_BY_KLEE = {"utf8": 7.6, "bubble": 14.0, "machine": 2.8, "tags": 2.1, "further": 8.2}
WORDS = {program.name: program.words for program in PROGRAMS}

Rates = dict[str, float]


def main() -> int:
    parser = results.make_parser(__doc__ or "", repetitions=5)
    parser.add_argument("--before", required=True, type=Path, metavar="FOLDER", help="a checkout of another version")
    parser.add_argument("--further", default="", metavar="FILE:FUNCTION=WORDS", help="one more function")
    wanted = parser.parse_args()
    page = _page(wanted.before.resolve(), wanted.further, wanted.repetitions, wanted.note)
    results.keep("rates", page, {}, wanted, results.BENCH)
    return 0


def _page(before: Path, further: str, turns: int, note: str) -> Iterator[str]:
    function, _, words = further.partition("=")
    names = {**WORDS, **({function: words} if function else {})}
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=before, capture_output=True, text=True)
    yield from results.head("Paths per second of processor time", note)
    yield f"Before: {commit.stdout.strip() or 'unknown'}. Medians of {turns} turns, alternately; of each the best of 3."
    yield ""
    for strategy, title in (("dfs", "Depth first, in compiled code"), ("bfs", "Breadth first, in Python")):
        then, now = _measure((before, ROOT), strategy, [function] if function else [], turns)
        yield f"## {title} (`--exhaustive -s {strategy}`)"
        yield ""
        yield from _table(names, then, now, is_by_klee=strategy == "dfs")
        yield ""


def _measure(trees: Sequence[Path], strategy: str, further: Sequence[str], turns: int) -> list[Rates]:
    found: dict[Path, list[Rates]] = {tree: [] for tree in trees}
    for _ in range(turns):
        for tree in trees:
            words = [sys.executable, str(ROOT / "bench" / "parts" / "path_rates.py"), strategy, *further]
            environment = {**os.environ, "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}"}
            done = subprocess.run(words, env=environment, cwd=tree, capture_output=True, text=True, check=True)
            found[tree].append(json.loads(done.stdout))
    return [{name: statistics.median(row[name] for row in rows) for name in rows[0]} for rows in found.values()]


def _table(names: Mapping[str, str], then: Rates, now: Rates, *, is_by_klee: bool) -> Iterator[str]:
    rows, by_klee = [], []
    for name, words in names.items():
        ratio = now[name] / then[name]
        row = [words, f"{then[name]:,.0f}", f"{now[name]:,.0f}", f"{ratio:.3f}", _judged(ratio, AIM_BEFORE)]
        if is_by_klee:
            by_klee.append(BEFORE_BY_KLEE.get(name, BEFORE_BY_KLEE["further"]) * ratio)
            row += [f"{by_klee[-1]:.1f}", _judged(by_klee[-1], AIM_KLEE)]
        rows.append(row)
    heads = ["all paths of", "before", "now", "ratio", f"aim: {AIM_BEFORE}"]
    yield from markdown(heads + (["by KLEE's", f"aim: {AIM_KLEE:.0f}"] if is_by_klee else []), rows)
    if is_by_klee:
        middle = statistics.median(by_klee)
        yield ""
        yield (
            f"*by KLEE's*: the ratio times what b26a35d was seen to have, as a multiple of KLEE's rate; KLEE itself "
            f"was not run. Median {middle:.1f}, aim {AIM_MEDIAN:.0f}: {_judged(middle, AIM_MEDIAN)}."
        )


def _judged(value: float, aim: float) -> str:
    return "met" if value >= aim else "**missed**"


if __name__ == "__main__":
    sys.exit(main())
