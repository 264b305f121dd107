"""Brute force without anything of ours: C with marks at its decisions, run on every input, judged by truth tables.

Marks say what the decisions and conditions of a text are; the test's author wrote them, nothing recovers them:

    if («0:«0.0:a > 3» && «0.1:b»») ...      decision 0 with its conditions 0 and 1
    ‹LIKELY|(›                               `LIKELY` in the text that is tested, `(` in the twin

The *plain* text is the C without marks. The *twin* has a call at each mark; it prints every vector that was evaluated.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

Values = tuple[bool | None, ...]  # by condition; None: not evaluated

_MARK = re.compile(r"«(\d+)(?:\.(\d+))?:|»")
_CHOICE = re.compile(r"‹([^|›]*)\|([^›]*)›")

_TWIN_HEAD = """\
#include <stdio.h>
#include <string.h>
static signed char twin_now[TWIN_DECISIONS][12]; /* 0: not evaluated, 1: false, 2: true */
static char twin_seen[TWIN_DECISIONS][2][531441];
static void twin_begin(int decision) { memset(twin_now[decision], 0, 12); } /* it may have been left in the middle */
static int twin_condition(int decision, int condition, int value)
{
    twin_now[decision][condition] = 1 + value;
    return value;
}
static int twin_decision(int decision, int value)
{
    int number = 0;
    for (int i = 11; i >= 0; i--)
        number = number * 3 + twin_now[decision][i];
    twin_seen[decision][value][number] = 1;
    return value;
}
static void twin_print(void)
{
    for (int decision = 0; decision < TWIN_DECISIONS; decision++)
        for (int value = 0; value < 2; value++)
            for (int number = 0; number < 531441; number++)
                if (twin_seen[decision][value][number])
                    printf("%d %d %d\\n", decision, value, number);
}
"""


@dataclass(frozen=True, slots=True)
class Vector:
    values: Values
    outcome: bool


@dataclass(frozen=True)
class Marked:
    """A C file with marks. `trees` has the meaning of each decision: Python over c0, c1 ..."""

    text: str
    trees: Mapping[int, str]
    constants: Mapping[tuple[int, int], bool]  # (decision, condition) -> its value, where it is a constant

    @cached_property
    def plain(self) -> str:
        return _MARK.sub("", _CHOICE.sub(r"\1", self.text))

    @cached_property
    def twin(self) -> str:
        return _MARK.sub(_call, _CHOICE.sub(r"\2", self.text))

    @cached_property
    def words(self) -> str:
        """The plain text with a word of its own for each mark: they survive the preprocessor."""
        return _MARK.sub(_word, _CHOICE.sub(r"\1", self.text))

    @cached_property
    def order(self) -> list[int]:
        """The decisions in the order of the text, a longer one first of two that start together."""
        return [int(number) for number in re.findall(r"«(\d+):", self.text)]

    def count(self, decision: int) -> int:
        """The number of its conditions."""
        return 1 + max(int(each) for each in re.findall(r"\bc(\d+)\b", self.trees[decision]))

    def evaluate(self, decision: int, values: Sequence[bool]) -> bool:
        """The outcome when every condition is evaluated."""
        names = {f"c{index}": value for index, value in enumerate(values)}
        return bool(eval(self.trees[decision], {"__builtins__": {}}, names))

    def constants_of(self, decision: int) -> dict[int, bool]:
        return {condition: value for (owner, condition), value in self.constants.items() if owner == decision}


def _call(mark: re.Match[str]) -> str:
    if mark[0] == "»":
        return ")))"
    if mark[2]:
        return f"twin_condition({mark[1]}, {mark[2]}, (!!("
    return f"twin_decision({mark[1]}, (twin_begin({mark[1]}), !!("


def _word(mark: re.Match[str]) -> str:
    if mark[0] == "»":
        return " TIGHTROPE_MARK_END "
    return f" TIGHTROPE_MARK_{mark[1]}_{mark[2]} " if mark[2] else f" TIGHTROPE_MARK_{mark[1]} "


# --- running -----------------------------------------------------------------------------------


def reachable_vectors(marked: Marked, calls: str, folder: Path) -> dict[int, list[Vector]]:
    """What the decisions were evaluated to, over all the `calls` (C statements)."""
    source, program = folder / "twin.c", folder / "twin"
    main = f"int main(void) {{ {calls}\n twin_print(); return 0; }}\n"
    count = len(marked.trees)
    source.write_text(f"#define TWIN_DECISIONS {max(count, 1)}\n{_TWIN_HEAD}{marked.twin}{main}")
    subprocess.run(["gcc", "-O1", "-fwrapv", "-w", str(source), "-lm", "-o", str(program)], check=True)
    output = subprocess.run([str(program)], capture_output=True, text=True, check=True, timeout=300).stdout
    found: dict[int, list[Vector]] = {decision: [] for decision in marked.trees}
    for line in output.splitlines():
        decision, outcome, number = map(int, line.split())
        found[decision].append(Vector(_digits(number, marked.count(decision)), bool(outcome)))
    return found


def _digits(number: int, count: int) -> Values:
    digits = [number // 3**place % 3 for place in range(count)]
    return tuple(None if digit == 0 else digit == 2 for digit in digits)


# --- definitions, by truth tables ------------------------------------------------------------------


class Table:
    """Which objectives of a decision some of the given vectors cover."""

    def __init__(self, marked: Marked, decision: int, vectors: Sequence[Vector]) -> None:
        self.vectors = vectors
        self.count = marked.count(decision)
        self._marked, self._decision = marked, decision
        self._constants = marked.constants_of(decision)

    def vector(self, wanted: Mapping[int, bool | None]) -> bool:
        """Some evaluation has these values; None is one that is not evaluated."""
        return any(all(each.values[index] is value for index, value in wanted.items()) for each in self.vectors)

    def outcome(self, value: bool) -> bool:
        return any(each.outcome is value for each in self.vectors)

    def masking(self, index: int, value: bool) -> bool:
        """Condition `index` has the value and, for some values of what was not evaluated, decides the outcome."""
        return any(each.values[index] is value and self._is_unmasked(each, index) for each in self.vectors)

    def masking_pair(self, index: int) -> bool:
        """Both values, unmasked, with different outcomes."""
        seen = {
            (e.values[index], e.outcome)
            for e in self.vectors
            if e.values[index] is not None and self._is_unmasked(e, index)
        }
        return any((False, outcome) in seen and (True, not outcome) in seen for outcome in (False, True))

    def unique_cause(self, index: int) -> bool:
        """Two vectors that differ in the condition and the outcome, and in nothing else that both evaluated."""
        return any(self._is_unique(one, other, index) for one, other in itertools.combinations(self.vectors, 2))

    def _is_unique(self, one: Vector, other: Vector, index: int) -> bool:
        if one.outcome == other.outcome or {one.values[index], other.values[index]} != {False, True}:
            return False
        pairs = zip(one.values, other.values, strict=True)
        return all(a == b or a is None or b is None for place, (a, b) in enumerate(pairs) if place != index)

    def _is_unmasked(self, vector: Vector, index: int) -> bool:
        known = {place: value for place, value in enumerate(vector.values) if value is not None}
        return any(len(set(self._flip(values, index))) == 2 for values in self._assignments(known))

    def _flip(self, values: list[bool], index: int) -> tuple[bool, bool]:
        low, high = list(values), list(values)
        low[index], high[index] = False, True
        evaluate = self._marked.evaluate
        return evaluate(self._decision, low), evaluate(self._decision, high)

    def _assignments(self, known: Mapping[int, bool]) -> Iterator[list[bool]]:
        fixed = {**self._constants, **known}
        places = [place for place in range(self.count) if place not in fixed]
        for drawn in itertools.product((False, True), repeat=len(places)):
            values = {**fixed, **dict(zip(places, drawn, strict=True))}
            yield [values[place] for place in range(self.count)]
