"""Verdicts about sequences against brute force: small machines with static state, whose reachable states are all known.
`covered` must be reachable within the calls of the sequence, `infeasible` must not be reachable by any number of calls,
and what is reachable within the sequence must be covered. Four machines; TIGHTROPE_FULL=1: sixteen."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from tightrope.coverage.verdict import Covered, Infeasible
from tightrope.engines.explore import explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.declarations.sequence import read_call_sequence
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.sequences import prepare_sequence

CALLS = 5
INPUTS = 4  # values of a parameter that make a difference
MACHINES = 16 if os.environ.get("TIGHTROPE_FULL") == "1" else 4

Values = dict[str, int]
Branch = tuple[int, bool]  # a line, and the side
State = tuple[int, ...]
Statement = Callable[[Values, set[Branch]], None]


class Machine:
    """A random machine: C text, and the same in Python. `a` and `b` are shared by both functions, `c` is a static local
    of the first."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._lines = [f"static unsigned char a = {self._random.randrange(3)};", "static unsigned char b;"]
        self.initial = {"a": int(self._lines[0][-2]), "b": 0, "c": 0}
        self.functions = [self._function("step", "abc"), self._function("other", "ab")]
        self.text = "\n".join(self._lines) + "\n"

    def _function(self, name: str, variables: str) -> Statement:
        self._lines += [f"int {name}(unsigned char x)", "{", *["    static unsigned char c;"] * ("c" in variables)]
        self._lines.append(f"    x %= {INPUTS};")
        body = self._block(variables, 2, "    ")
        self._lines += ["    return a;", "}"]
        return body

    def _block(self, variables: str, depth: int, indent: str) -> Statement:
        parts = [self._statement(variables, depth, indent) for _ in range(self._random.randint(1, 3))]

        def run(values: Values, taken: set[Branch]) -> None:
            for part in parts:
                part(values, taken)

        return run

    def _statement(self, variables: str, depth: int, indent: str) -> Statement:
        if depth == 0 or self._random.random() < 0.3:
            return self._assignment(variables, indent)
        operands = (*variables, "x")
        one, other = self._random.sample(operands, 2)
        constant = self._random.randrange(9)
        right, read = (other, other) if self._random.random() < 0.4 else (str(constant), "")
        sign = self._random.choice(("==", "<", ">", "!="))
        meaning = {"==": int.__eq__, "<": int.__lt__, ">": int.__gt__, "!=": int.__ne__}[sign]
        self._lines.append(f"{indent}if ({one} {sign} {right}) {{")
        line = len(self._lines)
        then = self._block(variables, depth - 1, f"{indent}    ")
        self._lines.append(f"{indent}}} else {{")
        otherwise = self._block(variables, depth - 1, f"{indent}    ")
        self._lines.append(f"{indent}}}")

        def run(values: Values, taken: set[Branch]) -> None:
            holds = meaning(values[one], values[read] if read else constant)
            taken.add((line, holds))
            (then if holds else otherwise)(values, taken)

        return run

    def _assignment(self, variables: str, indent: str) -> Statement:
        target, source = self._random.choice(variables), self._random.choice((*variables, "x"))
        constant, kind = self._random.randrange(1, 7), self._random.randrange(4)
        text, meaning = (
            (f"{constant}", lambda values: constant),
            (f"({target} + 1) % {constant + 1}", lambda values: (values[target] + 1) % (constant + 1)),
            (f"{source}", lambda values: values[source]),
            (f"{target} > 0 ? {target} - 1 : 0", lambda values: max(values[target] - 1, 0)),
        )[kind]
        self._lines.append(f"{indent}{target} = {text};")

        def run(values: Values, taken: set[Branch]) -> None:
            values[target] = meaning(values)

        return run

    def reached(self, is_led: bool) -> Iterator[set[Branch]]:
        """The sides that some sequence of at most 1, 2, 3 ... calls takes, until there are no more states. `is_led`: one
        call of the second function, then only of the first."""
        taken: set[Branch] = set()
        states = {tuple(self.initial.values())}
        if is_led:
            states = self._after(states, self.functions[1:], taken)
        fresh = set(states)
        while fresh:
            fresh = self._after(fresh, self.functions[:1] if is_led else self.functions, taken) - states
            states |= fresh
            yield set(taken)

    def _after(self, states: set[State], functions: list[Statement], taken: set[Branch]) -> set[State]:
        """The states after one call in one of these states."""
        after = set()
        for state in states:
            for function in functions:
                for x in range(INPUTS):
                    values = {**dict(zip(self.initial, state, strict=True)), "x": x}
                    function(values, taken)
                    after.add(tuple(values[name] for name in self.initial))
        return after


def _explore(machine: Machine, folder: Path, engine: str, is_led: bool):
    path = folder / "machine.c"
    path.write_text(machine.text)
    options = Options(
        (Target(path),), criteria=("branch",), output=folder / "out", time_limit=600.0, max_runs=20_000, engine=engine
    )
    plain = prepare_file(find_compiler(), path, options, lambda text: None)
    file = prepare_sequence(plain, read_call_sequence(f"other; step*{CALLS}" if is_led else f"(step|other)*{CALLS}"))
    unit = prepare_unit(file, file.sequence.name, options)
    with start(unit, Worker(), options) as runner:
        return explore(unit, runner, options, lambda ledger, progress: None, looks_for_errors=False)


@pytest.mark.parametrize("seed", range(MACHINES))
def test_verdicts_agree_with_all_reachable_states(seed, tmp_path):
    machine = Machine(seed)
    is_led = seed % 4 == 3
    levels = list(machine.reached(is_led))
    within, ever = levels[:CALLS][-1], levels[-1]
    found = _explore(machine, tmp_path, "encoding" if seed % 2 else "auto", is_led)
    lines = machine.text.splitlines()
    for objective, verdict in found.ledger:
        if "?" in lines[objective.location.line - 1]:
            continue  # the machine in Python does not note its sides
        branch = objective.location.line, objective.id.endswith("true")
        shown = f"{objective.id} ({objective.text}): {verdict}\n{machine.text}"
        assert isinstance(verdict, Covered) == (branch in within), shown
        assert not (isinstance(verdict, Infeasible) and branch in ever), shown


def test_a_machine_has_what_no_call_reaches(tmp_path):
    """The induction proves something: no input leads from one of the two states to a third."""
    text = """static unsigned char state;
int step(unsigned char x)
{
    if (state == 0) {
        state = x > 7 ? 1 : 0;
    } else if (state == 1) {
        state = x == 3 ? 0 : 1;
    } else {
        return -1;
    }
    return state;
}
"""
    path = tmp_path / "two.c"
    path.write_text(text)
    options = Options((Target(path),), criteria=("branch",), output=tmp_path / "out", max_runs=2000)
    plain = prepare_file(find_compiler(), path, options, lambda text: None)
    file = prepare_sequence(plain, read_call_sequence("step*4"))
    unit = prepare_unit(file, file.sequence.name, options)
    with start(unit, Worker(), options) as runner:
        found = explore(unit, runner, options, lambda ledger, progress: None)
    open_or_infeasible = {each.id: verdict for each, verdict in found.ledger if not isinstance(verdict, Covered)}
    assert len(open_or_infeasible) == 1
    assert all(isinstance(verdict, Infeasible) for verdict in open_or_infeasible.values())
