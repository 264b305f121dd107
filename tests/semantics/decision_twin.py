"""Which vectors a function evaluates, found twice: by marks in the woven program, and by a *twin*.

The twin is the anchored text as a plain C program: what the anchors are given is printed, and put together here, by the
definition of short-circuit evaluation alone. It shares with the marks how the C is taken apart, and nothing else: no
lockstep, no numbering, no weaving.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.decisions.boolean_tree import (
    And,
    Both,
    Choice,
    ConditionRef,
    Differ,
    Either,
    Not,
    Or,
    Same,
    Tree,
    vectors,
)
from tightrope.program.decisions.decisions import Decision, recover_decisions
from tightrope.program.marks.anchors import anchor_text, list_anchors
from tightrope.program.marks.marks import Marks
from tightrope.running.runner import Worker
from tightrope.source.compile import compile_to_object, link_program
from tightrope.source.flags import Flags, without_preprocessing
from tightrope.source.toolchain import find_compiler
from tightrope.units.function_syntax import find_syntax
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

Values = tuple[bool | None, ...]
Found = list[set[tuple[Values, bool]]]  # by decision: the vectors that were evaluated, constants left out
Numbers = Sequence[int]

# The frame of the caller tells evaluations of recursive calls apart. Each input is for a process that is as new.
_MAIN = """
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int %(function)s();
_Bool tightrope_condition(int number, _Bool value)
{
    printf("%%p %%d %%d\\n", __builtin_frame_address(1), number, value);
    return value;
}
int main(void)
{
    static const int inputs[][%(size)d] = {%(rows)s};
    for (int i = 0; i < %(count)d; i++)
        if (!fork()) {
            %(function)s(%(arguments)s);
            fflush(0);
            _exit(0);
        } else
            wait(0);
    return 0;
}
"""


def marked_vectors(
    path: Path, function: str, inputs: Sequence[Numbers], **options: object
) -> tuple[PreparedUnit, Found]:
    """By running the woven program."""
    chosen = Options((Target(path, function),), criteria=("mcdc",), **options)  # type: ignore[arg-type]
    unit = prepare_unit(prepare_file(find_compiler(), path, chosen, lambda text: None), function, chosen)
    worker, hit = Worker(), 0
    try:
        with start(unit, worker, chosen) as runner:
            others = (0,) * (len(unit.driver.slots) - len(inputs[0]))  # globals, which start as they do in C
            for values in inputs:
                hit |= runner.trace((*(value % (1 << 32) for value in values), *others)).points
    finally:
        worker.close()
    found: Found = []
    for decision, points in zip(unit.marks.decisions, unit.woven.points.vectors, strict=True):
        every = vectors(decision.tree, decision.constants) if points else ()
        rows = [vector for vector, point in zip(every, points, strict=True) if hit >> point & 1]
        found.append({(_without_constants(decision, row.values), row.outcome) for row in rows})
    return unit, found


def twin_vectors(path: Path, unit: PreparedUnit, function: str, inputs: Sequence[Numbers], folder: Path) -> Found:
    """By running the twin. What only the compiler knew to be constant is taken from the unit."""
    flags = unit.file.flags.kept
    compiler, text = find_compiler(), f'#include "{path}"\n'
    syntax = find_syntax(compiler, text, [function], flags, working_directory=path.parent)[function]
    decisions = [
        replace(each, conditions=known.conditions and _with_constants(each, known), problem=known.problem)
        for each, known in zip(recover_decisions(syntax, f"@{function}"), unit.marks.decisions, strict=True)
    ]
    marks = Marks(decisions=tuple(decisions))
    source, main, binary = folder / "twin.c", folder / "main.c", folder / "twin"
    source.write_text(anchor_text(syntax.text, marks, list_anchors(marks)), errors="surrogateescape")
    main.write_text(_main(function, inputs))
    own = ("-fwrapv", "-w", "-fno-omit-frame-pointer")
    twin = compile_to_object(compiler, source, (*without_preprocessing(flags), *own), is_optimised=False)
    (folder / "twin.o").write_bytes(twin)
    link_program(compiler, [main, folder / "twin.o"], Flags(("-w", "-std=gnu99")), binary)
    printed = subprocess.run([binary], capture_output=True, text=True, check=True, timeout=60).stdout
    return _put_together(decisions, printed)


def _with_constants(decision: Decision, known: Decision):
    pairs = zip(decision.conditions, known.conditions, strict=True)
    return tuple(replace(each, constant=other.constant) for each, other in pairs)


def _main(function: str, inputs: Sequence[Numbers]) -> str:
    size = len(inputs[0])
    rows = ", ".join("{" + ", ".join(map(str, values)) + "}" for values in inputs)
    arguments = ", ".join(f"inputs[i][{position}]" for position in range(size))
    return _MAIN % {
        "size": size, "rows": rows, "count": len(inputs), "function": function, "arguments": arguments
    }  # fmt: skip


def _put_together(decisions: Sequence[Decision], printed: str) -> Found:
    found: Found = [set() for _ in decisions]
    owners = [(number, at) for number, each in enumerate(decisions) for at in range(len(each.conditions))]
    under_way: dict[tuple[str, int], dict[int, bool]] = {}
    for line in printed.splitlines():
        frame, number, value = line.split()
        at, position = owners[int(number)]
        decision = decisions[at]
        values = under_way.setdefault((frame, at), {})
        if position == _next_condition(decision, {}):
            values.clear()  # whatever was left of an evaluation that was broken off
        assert position == _next_condition(decision, values), "C evaluates in another order"
        values[position] = value == "1"
        if _next_condition(decision, values) is None:
            row = tuple(values.get(each) for each in range(len(decision.conditions)))
            found[at].add((_without_constants(decision, row), _evaluate(decision.tree, decision.constants | values)))
    return found


class _Missing(Exception):
    """A condition must be evaluated now."""


def _next_condition(decision: Decision, values: dict[int, bool]) -> int | None:
    try:
        _evaluate(decision.tree, decision.constants | values)
    except _Missing as condition:
        return int(condition.args[0])
    return None


def _evaluate(tree: Tree, values: dict[int, bool]) -> bool:
    """As C does it, left to right."""

    def run(part: Tree) -> bool:
        return _evaluate(part, values)

    match tree:
        case ConditionRef(index):
            if index not in values:
                raise _Missing(index)
            return values[index]
        case Not(operand):
            return not run(operand)
        case And(left, right):
            return run(left) and run(right)
        case Or(left, right):
            return run(left) or run(right)
        case Choice(chooser, then, otherwise):
            return run(then) if run(chooser) else run(otherwise)
        case Both(left, right):
            return run(left) & run(right)
        case Either(left, right):
            return run(left) | run(right)
        case Differ(left, right):
            return run(left) != run(right)
        case Same(left, right):
            return run(left) == run(right)


def _without_constants(decision: Decision, values: Values) -> Values:
    return tuple(None if position in decision.constants else value for position, value in enumerate(values))


def differences(unit: PreparedUnit, marked: Found, twin: Found) -> Iterator[str]:
    """What is wrong, in words."""
    for decision, ours, theirs in zip(unit.marks.decisions, marked, twin, strict=True):
        if ours != theirs:
            yield f"{decision.location.line}: {decision.text}: too many {ours - theirs}, missing {theirs - ours}"
