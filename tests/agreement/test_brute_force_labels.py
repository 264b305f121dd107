"""Verdicts on labels against brute force: random functions of two 8-bit numbers, every input run natively.

The text that `annotate` writes is built by gcc with a `pc_label` that notes what it is given: nothing of our weaver and
runtime takes part. A second build stops at undefined behaviour: no predicate may have any, whatever the inputs.
TIGHTROPE_SEEDS=100:200 tries other functions than the few that are tried always.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from random_functions import FunctionWriter

import tightrope
from tightrope.commands.annotate import Annotated, annotate
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Covered, Infeasible, Unknown, Verdict
from tightrope.engines.explore import explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.marks.labels import Label
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc, which did not come from us")

CRITERIA = ("wm", "limit", "rte")
SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "0:2").split(":")))
INCLUDE = Path(tightrope.__file__).parent / "include"

HEAD = """\
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static volatile int label_now;
static char label_seen[100000], label_crashes[100000];
static sigjmp_buf behind;
#define pc_label(e, id, tag) ((void)(label_now = (id), label_seen[id] |= !!(e), label_now = 0))
"""
MAIN = """
static void leave(int number)
{
    label_crashes[label_now] = 1;
    label_now = 0;
    siglongjmp(behind, 1);
}
int main(void)
{
    signal(SIGFPE, leave), signal(SIGILL, leave), signal(SIGSEGV, leave), signal(SIGTRAP, leave);
    for (int a = -128; a < 128; a++)
        for (int b = -128; b < 128; b++)
            if (!sigsetjmp(behind, 1))
                f(a, b);
    for (int i = 1; i < 100000; i++)
        if (label_seen[i] || label_crashes[i])
            printf("%d %d\\n", i, label_crashes[i]);
    return 0;
}
"""


def run_every_input(text: str, folder: Path, *flags: str) -> tuple[set[int], set[int]]:
    """The labels that some input covers, and those whose predicate stops the program."""
    source, program = folder / "labelled.c", folder / "labelled"
    source.write_text(HEAD + text + MAIN)
    subprocess.run(["gcc", "-w", f"-I{INCLUDE}", *flags, str(source), "-o", str(program)], check=True)
    output = subprocess.run([str(program)], capture_output=True, text=True, check=True, timeout=300).stdout
    rows = [tuple(map(int, line.split())) for line in output.splitlines()]
    return {number for number, _ in rows}, {number for number, crashes in rows if crashes}


def explore_labels(options: Options) -> list[tuple[Objective, Verdict, Label]]:
    (target,) = options.targets
    unit = prepare_unit(prepare_file(find_compiler(), target.file, options, lambda warning: None), "f", options)
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            found = explore(unit, runner, options, lambda ledger, progress: None)
    finally:
        worker.close()
    assert found.progress.divergences == 0
    labels = dict(zip(unit.woven.points.labels, unit.marks.labels, strict=True))
    return [
        (objective, verdict, labels[objective.points[0]]) for objective, verdict in found.ledger if objective.points
    ]


def numbers_of(annotated: Annotated, labels: Sequence[Label]) -> list[int | None]:
    """The number that each label has in the annotated text; equal ones come in the same order."""
    left = [(number, _key(label)) for number, label in enumerate(annotated.written, 1)]
    found: list[int | None] = []
    for label in labels:
        at = next((position for position, (_, key) in enumerate(left) if key == _key(label)), None)
        found.append(None if at is None else left.pop(at)[0])
    return found


def _key(label: Label) -> tuple[str, ...]:
    place = f"{label.location.line}:{label.location.column}"
    return (label.criterion, label.kind, label.text, "".join(label.predicate.split()), place)


def wrong_verdicts(options: Options, folder: Path, *, may_be_unknown: bool) -> list[str]:
    annotated = annotate(replace(options, instrumentation="tight"))
    coverable, _ = run_every_input(annotated.text, folder, "-fwrapv", "-O1")
    found = explore_labels(options)
    numbers = numbers_of(annotated, [label for _, _, label in found])
    assert sum(number is not None for number in numbers) > 0.8 * len(annotated.written)
    wrong = []
    for (objective, verdict, label), number in zip(found, numbers, strict=True):
        is_open = may_be_unknown and isinstance(verdict, Unknown)
        if (
            number is not None
            and not is_open
            and not isinstance(verdict, Covered if number in coverable else Infeasible)
        ):
            wrong.append(f"{objective.id}: {verdict}, brute force: {number in coverable}: {label.predicate}")
    return wrong


@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts_agree_with_brute_force(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "unit.c"
    path.write_text(FunctionWriter(seed).program(2))
    options = Options((Target(path, "f"),), criteria=CRITERIA, time_limit=60.0, commanded={"criteria": CRITERIA})
    assert wrong_verdicts(options, tmp_path, may_be_unknown=False) == [], path.read_text()


@pytest.mark.parametrize("seed", SEEDS)
def test_direct_instrumentation_gives_no_wrong_verdict(tmp_path: Path, seed: int) -> None:
    """Each label is a branch there, so that paths are too many to see them all."""
    path = tmp_path / "unit.c"
    path.write_text(FunctionWriter(seed).program(1))
    options = Options((Target(path, "f"),), criteria=CRITERIA, time_limit=4.0, commanded={"criteria": CRITERIA})
    options = replace(options, instrumentation="direct")
    assert wrong_verdicts(options, tmp_path, may_be_unknown=True) == [], path.read_text()


@pytest.mark.parametrize("seed", SEEDS)
def test_predicates_are_safe(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "unit.c"
    path.write_text(FunctionWriter(seed).program(3))
    options = Options((Target(path, "f"),), criteria=CRITERIA, commanded={"criteria": CRITERIA})
    annotated = annotate(options)
    flags = ("-fsanitize=undefined", "-fno-sanitize-recover=all", "-fsanitize-undefined-trap-on-error")
    _, unsafe = run_every_input(annotated.text, tmp_path, *flags)
    assert [annotated.written[number - 1].predicate for number in sorted(unsafe)] == []
