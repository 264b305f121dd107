"""Verdicts of a report about a file of everyday_functions.py, judged by native runs that know nothing of ours.

The file's twin (agreement/twin.py) records every evaluation of its decisions in a file that processes share. Two builds of
it are made: one that calls the functions with every input, and one in which the written tests include it.

    infeasible   is wrong if some input does it
    covered      is wrong if no written test does it

Objectives are found by the places in their ids, so that nothing depends on how we number decisions. What cannot be found
is counted as not judged.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from everyday_functions import Everyday
from small_domains import is_coverable
from twin import Table, Vector, _digits

ABOUT_DECISIONS = ("decision", "condition", "decision-condition", "mcdc", "mcc", "ncc", "gacc", "cacc", "racc")
_ID = re.compile(r"(?P<function>\w+):(?P<criterion>[\w-]+):\+(?P<line>\d+)\.(?P<column>\d+):(?P<word>[^#]+)")
_CONDITION = re.compile(r"c(\d+)")
_IN_FRONT = re.compile(r"\s+|\(|steps\+\+,")  # of a decision, as everyday_functions.py writes them

_RECORD = """\
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static const int record_start[] = {%(starts)s}, record_size[] = {%(sizes)s};
static unsigned char record_now[%(decisions)d][12], *record_map; /* 0: not evaluated, 1: false, 2: true */
__attribute__((constructor)) static void record_open(void)
{
    int file = open(getenv("EVERYDAY_RECORD"), O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, %(total)d) != 0) abort();
    record_map = mmap(0, %(total)d, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}
static void twin_begin(int decision)
{
    for (int i = 0; i < 12; i++) record_now[decision][i] = 0;
}
static int twin_condition(int decision, int condition, int value)
{
    record_now[decision][condition] = (unsigned char)(1 + value);
    return value;
}
static int twin_decision(int decision, int value)
{
    int number = 0;
    for (int i = 11; i >= 0; i--) number = number * 3 + record_now[decision][i];
    record_map[record_start[decision] + value * record_size[decision] + number] = 1;
    return value;
}
"""

Seen = Mapping[int, Sequence[Vector]]  # by decision: what it was evaluated to


class NotJudged(Exception):
    """The program cannot be used as a judge."""


def find_compilers() -> list[tuple[str, ...]]:
    """gcc and clang where they are; otherwise the clang that came with us."""
    found = [(path,) for name in ("gcc", "clang", "clang-19") if (path := shutil.which(name))]
    return found[:2] or [(sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=undefined")]


def run_everything(everyday: Everyday, folder: Path, compiler: Sequence[str]) -> Seen:
    """What the decisions are evaluated to over all inputs."""
    main = f"{everyday.declarations}int main(void)\n{{\n{everyday.calls}\nreturn 0;\n}}\n"
    source = folder / "every_input.c"
    source.write_text(twin_text(everyday) + main, encoding="utf-8")
    return _run(everyday, source, folder, compiler)


def run_tests(everyday: Everyday, tests: Sequence[Path], unit: Path, folder: Path, compiler: Sequence[str]) -> Seen:
    """What the decisions are evaluated to by the written tests."""
    twin = folder / "twin.c"
    twin.write_text(twin_text(everyday), encoding="utf-8")
    seen: dict[int, list[Vector]] = {decision: [] for decision in everyday.marked.trees}
    for number, path in enumerate(tests):
        source = folder / f"tests_{number}.c"
        text = path.read_text(encoding="utf-8")
        source.write_text(re.sub(rf'#include "[^"]*{re.escape(unit.name)}"', f'#include "{twin}"', text))
        for decision, vectors in _run(everyday, source, folder, compiler).items():
            seen[decision] += vectors
    return seen


def _run(everyday: Everyday, source: Path, folder: Path, compiler: Sequence[str]) -> Seen:
    program, record = source.with_suffix(""), source.with_suffix(".record")
    record.unlink(missing_ok=True)
    words = [*compiler, "-O1", "-fwrapv", "-fno-strict-aliasing", "-w", str(source), "-lm", "-o", str(program)]
    built = subprocess.run(words, capture_output=True, text=True, check=False)
    if built.returncode:
        raise NotJudged(f"{compiler[0]} does not build {source.name}: {built.stderr[:300]}")
    environment = {**os.environ, "EVERYDAY_RECORD": str(record)}
    try:
        done = subprocess.run(
            [str(program)], env=environment, capture_output=True, timeout=120, check=False, cwd=folder
        )
    except subprocess.TimeoutExpired:
        raise NotJudged(f"{source.name} does not end") from None
    if done.returncode:
        raise NotJudged(f"{source.name} ends with {done.returncode}: {done.stdout[-300:]!r}")
    return _read(everyday, record.read_bytes())


def twin_text(everyday: Everyday) -> str:
    starts, sizes, total = _layout(everyday)
    said = {"starts": ", ".join(map(str, starts)), "sizes": ", ".join(map(str, sizes)), "total": total}
    return _RECORD % {**said, "decisions": len(sizes)} + everyday.marked.twin


def _layout(everyday: Everyday) -> tuple[list[int], list[int], int]:
    """Where the bytes of each decision start, how many each outcome has, and how many there are in all."""
    sizes = [3 ** everyday.marked.count(decision) for decision in sorted(everyday.marked.trees)]
    starts = [2 * sum(sizes[:number]) for number in range(len(sizes))]
    return starts, sizes, 2 * sum(sizes)


def _read(everyday: Everyday, record: bytes) -> Seen:
    starts, sizes, _ = _layout(everyday)
    seen: dict[int, list[Vector]] = {}
    for decision, (start, size) in enumerate(zip(starts, sizes, strict=True)):
        count = everyday.marked.count(decision)
        hits = (at for at in range(2 * size) if record[start + at])
        seen[decision] = [Vector(_digits(at % size, count), at >= size) for at in hits]
    return seen


# --- finding what an objective is about ----------------------------------------------------------


@dataclass(frozen=True)
class Places:
    """Where decisions start in the plain text, as (line, column), and the conditions by line and words."""

    decisions: Mapping[tuple[int, int], int]
    conditions: Mapping[tuple[int, str], tuple[int, int]]
    counts: Mapping[int, int]  # conditions of each decision


def find_places(everyday: Everyday) -> Places:
    """Decisions start where their text starts; brackets around all of it, and what a comma separates, may count or not."""
    marked, plain = everyday.marked.text, 0
    starts: dict[tuple[int, int], int] = {}
    around: dict[tuple[int, int], int] = {}
    inner: dict[tuple[int, int], int] = {}
    conditions: dict[tuple[int, str], tuple[int, int]] = {}
    text, at = everyday.marked.plain, 0
    opened: list[tuple[int | None, int]] = []  # the decision, or None for a condition, and where its mark is
    for mark in re.finditer(r"«(\d+)(?:\.(\d+))?:|»|‹[^›]*›", marked):
        assert not mark[0].startswith("‹")
        plain += mark.start() - at
        at = mark.end()
        if mark[1] is None:
            decision, start = opened.pop()
            if decision is not None:
                around.update((_place(text, each), decision) for each in _brackets_around(text, start, plain))
            continue
        opened.append((None if mark[2] else int(mark[1]), plain))
        first = re.compile(r"\s*").match(text, plain).end()  # type: ignore[union-attr]
        if mark[2] is not None:
            said = re.compile(r"[^«»]*").match(marked, mark.end())
            assert said is not None
            conditions[_place(text, first)[0], bare_words(said[0])] = int(mark[1]), int(mark[2])
            continue
        starts.setdefault(_place(text, first), int(mark[1]))
        while found := _IN_FRONT.match(text, first):
            first = found.end()
            inner[_place(text, first)] = int(
                mark[1]
            )  # also in front of a decision inside of this one, which comes later
    counts = {decision: everyday.marked.count(decision) for decision in everyday.marked.trees}
    return Places({**inner, **around, **starts}, conditions, counts)


def _brackets_around(text: str, start: int, end: int) -> Iterator[int]:
    """Where brackets open that hold this part of the text and nothing else."""
    while True:
        start, end = len(text[:start].rstrip()) - 1, end + len(text[end:]) - len(text[end:].lstrip())
        if start < 0 or text[start] != "(" or text[end : end + 1] != ")":
            return
        yield start
        end += 1


def bare_words(text: str) -> str:
    """Without white space and the brackets around all of it."""
    bare = re.sub(r"\s", "", text)
    while bare.startswith("(") and bare.endswith(")") and _is_closed(bare[1:-1]):
        bare = bare[1:-1]
    return bare


def _is_closed(text: str) -> bool:
    depths = list(itertools.accumulate((letter == "(") - (letter == ")") for letter in text))
    return all(depth >= 0 for depth in depths) and not (depths and depths[-1])


def _place(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset)
    return text.count("\n", 0, offset) + 1, offset - start


# --- judging -------------------------------------------------------------------------------------


@dataclass
class Judgement:
    """What was checked, and what is wrong."""

    counts: Counter[str] = field(default_factory=Counter)  # 'infeasible', 'covered', 'unknown', 'not judged' ...
    wrong: list[str] = field(default_factory=list)

    def join(self, other: Judgement) -> None:
        self.counts.update(other.counts)
        self.wrong += other.wrong


def judge(
    everyday: Everyday, units: Sequence[Mapping[str, Any]], everything: Seen, tested: Seen, form: str
) -> Judgement:
    """Judge every verdict of the report's units."""
    found, places = Judgement(), find_places(everyday)
    constant = _called_constant(places, units)
    for unit in units:
        for objective in unit["objectives"]:
            verdict = str(objective["verdict"])
            found.counts["objectives"] += 1
            about = _find(places, unit, objective)
            if about is None or verdict == "unknown":
                found.counts["unknown" if verdict == "unknown" else "not judged"] += 1
                continue
            decision, criterion, word = about
            found.counts[verdict] += 1
            if verdict == "covered":
                is_wrong = not is_coverable(Table(everyday.marked, decision, tested[decision]), criterion, word, form)
            else:
                is_wrong = all(
                    is_coverable(table, criterion, word, form)
                    for table in _tables(
                        everyday, decision, everything[decision], objective["proof"], constant.get(decision, set())
                    )
                )
            if is_wrong:
                found.wrong.append(f"{verdict} ({objective['proof']}): {objective['id']} ({objective['text']})")
    return found


def _find(places: Places, unit: Mapping[str, Any], objective: Mapping[str, Any]) -> tuple[int, str, str] | None:
    """The decision, and the criterion and word as `is_coverable` knows them."""
    found = _ID.fullmatch(objective["id"].split("#")[0])
    if found is None:
        return None
    criterion, word = found["criterion"], found["word"]
    if criterion == "branch":
        said = objective["text"].removesuffix(f" is {word}").removeprefix("condition of ")
        about = places.conditions.get((objective["line"], bare_words(said)))
        return (about[0], "condition", f"c{about[1] + 1}:{word}") if about else None
    decision = places.decisions.get((unit["line"] + int(found["line"]), int(found["column"])))
    if decision is None or criterion not in ABOUT_DECISIONS:
        return None
    numbers = [int(number) for number in _CONDITION.findall(word)]
    fits = (
        len(word) == places.counts[decision]
        if criterion == "mcc"
        else max(numbers, default=1) <= places.counts[decision]
    )
    return (decision, criterion, word) if fits else None


def _called_constant(places: Places, units: Sequence[Mapping[str, Any]]) -> dict[int, set[int]]:
    """By decision: the conditions of which the report says that a constant forbids something."""
    called: dict[int, set[int]] = {}
    for unit in units:
        for objective in unit["objectives"]:
            about = _find(places, unit, objective) if objective["proof"] == "constant" else None
            if about:
                numbers = (int(number) - 1 for number in _CONDITION.findall(about[2]))
                called.setdefault(about[0], set()).update(numbers)
    return called


def _tables(
    everyday: Everyday, decision: int, vectors: Sequence[Vector], proof: str, called: Collection[int]
) -> Iterator[Table]:
    """The table as the author of the text says it, and those with more constants: compilers know more than the author.
    A constant has one value in all runs; if the proof itself is that something is constant, each such condition may be
    one, otherwise those that the report calls constant: whether another condition matters depends on them."""
    yield Table(everyday.marked, decision, vectors)
    conditions = range(everyday.marked.count(decision)) if proof == "constant" else sorted(called)
    values = {at: {vector.values[at] for vector in vectors} - {None} for at in conditions}
    for value in (False, True) if values else ():
        table = Table(everyday.marked, decision, vectors)
        fixed = {at: next(iter(seen)) if seen else value for at, seen in values.items() if len(seen) < 2}
        table._constants = {**fixed, **table._constants}  # type: ignore[dict-item]
        yield table
