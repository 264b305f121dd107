"""How many arguments `main` must be given, and how long they must be: what its code compares and indexes.

if (argc < 4) usage();                      3 arguments or fewer, and 4 to see what follows
name = argv[2];                             2
for (i = 1; i < argc; i++) argv[i] ...      nobody can tell: some more than by default
strcmp(argv[i], "--verbose")                a text of 9 characters, and one more
if (length >= 80) too_long();               80 characters, and a few more
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.program.flow.call_graph import reachable_functions
from tightrope.program.flow.unit_constants import collect_constants
from tightrope.program.ir.model import Function, Instruction, Program, Value
from tightrope.program.ir.types import IntType

FEW_ARGUMENTS, SOME_ARGUMENTS, MOST_ARGUMENTS = 2, 4, 24  # after the name of the program
LEAST_LENGTH, MOST_CHARACTERS = 17, 128
A_FEW = 2  # more than what a length is compared with
_INTEGER = re.compile(r"-?[0-9]+")
_PASSING = frozenset({"phi", "select", "sext", "zext", "trunc", "freeze", "bitcast"})


@dataclass(frozen=True, slots=True)
class ArgumentNeeds:
    """Sizes of `argv` that the code can feel."""

    count: int = FEW_ARGUMENTS
    length: int = 0  # characters of each; 0: as long as any string


def find_argument_needs(program: Program, main: str = "@main") -> ArgumentNeeds:
    """Of `main` and the functions that it hands argc and argv to."""
    function = program.functions.get(main)
    if function is None or len(function.parameters) < 2:
        return ArgumentNeeds()
    followed = _Followed(program)
    followed.follow(function, 0, 1)
    texts = collect_constants(program, main).texts
    lengths = [*(len(text) + 1 for text in texts), *(number + A_FEW for number in _lengths(program, main)), 0]
    length = max(each for each in lengths if each <= MOST_CHARACTERS)
    count = max(FEW_ARGUMENTS, *followed.counts, SOME_ARGUMENTS if followed.is_any_index else 0)
    return ArgumentNeeds(min(count, MOST_ARGUMENTS), length)


def _lengths(program: Program, main: str) -> Iterator[int]:
    """What seems to be compared with a length: by an order, and not with a character."""
    for name in reachable_functions(program, main):
        function = program.functions.get(name)
        characters = _characters(function) if function is not None else set()
        for each in function.instructions() if function is not None else ():
            if each.opcode == "icmp" and each.predicate not in ("eq", "ne"):
                texts = [value.text for value in each.operands]
                if not characters.intersection(texts):
                    yield from (int(text) for text in texts if _INTEGER.fullmatch(text) and int(text) >= LEAST_LENGTH)


def _characters(function: Function) -> set[str]:
    """Values that were a byte."""
    return {
        each.result
        for each in function.instructions()
        if each.result is not None
        and each.opcode in ("sext", "zext")
        and isinstance(each.operands[0].type, IntType)
        and each.operands[0].type.bits == 8
    }


class _Followed:
    """Where argc and argv lead, from function to function."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.counts: list[int] = [0]
        self.is_any_index = False
        self._seen: set[tuple[str, int, int]] = set()

    def follow(self, function: Function, total_at: int, vector_at: int) -> None:
        """The positions of argc and argv among the parameters; -1 for one that the function does not get."""
        key = (function.name, total_at, vector_at)
        if key in self._seen or not function.is_defined:
            return
        self._seen.add(key)
        names = [parameter.name for parameter in function.parameters]
        totals = _same_values(function, {names[total_at]} if 0 <= total_at < len(names) else set())
        vectors = _same_values(function, {names[vector_at]} if 0 <= vector_at < len(names) else set())
        for each in function.instructions():
            if each.opcode == "icmp":
                self.counts += _compared(each, totals)
            elif each.opcode == "switch" and each.operands[0].text in totals:
                self.counts += each.cases
            elif each.opcode == "getelementptr" and each.operands[0].text in vectors:
                self._index(each.operands[-1])
            elif each.opcode == "call":
                self._enter(each, totals, vectors)

    def _index(self, index: Value) -> None:
        if _INTEGER.fullmatch(index.text):
            self.counts.append(int(index.text))
        else:
            self.is_any_index = True

    def _enter(self, call: Instruction, totals: set[str], vectors: set[str]) -> None:
        given = [argument.value.text for argument in call.arguments]
        total_at = next((at for at, text in enumerate(given) if text in totals), -1)
        vector_at = next((at for at, text in enumerate(given) if text in vectors), -1)
        callee = self.program.functions.get(call.callee)
        if vector_at >= 0 and (callee is None or not callee.is_defined):
            self.is_any_index = True  # getopt
        elif callee is not None and max(total_at, vector_at) >= 0:
            self.follow(callee, total_at, vector_at)


def _same_values(function: Function, start: set[str]) -> set[str]:
    """The values that hold one of these, possibly moved by a constant (`argc--`, `argv++`)."""
    found, places, before = set(start), set[str](), -1
    while before != len(found) + len(places):
        before = len(found) + len(places)
        for each in function.instructions():
            if each.opcode == "store" and each.operands[0].text in found:
                places.add(each.operands[1].text)
            elif each.result is not None and _is_same(each, found, places):
                found.add(each.result)
    return found


def _is_same(each: Instruction, found: set[str], places: set[str]) -> bool:
    if each.opcode == "load":
        return each.operands[0].text in places
    if each.opcode in _PASSING:
        values = [value.text for value, _ in each.incoming] or [value.text for value in each.operands]
        return any(text in found for text in values)
    is_step = len(each.operands) == 2 and _INTEGER.fullmatch(each.operands[1].text) is not None
    if each.opcode in ("add", "sub"):
        return is_step and each.operands[0].text in found
    return each.opcode == "getelementptr" and is_step and each.operands[0].text in found


def _compared(comparison: Instruction, totals: set[str]) -> Iterator[int]:
    if any(value.text in totals for value in comparison.operands):
        yield from (int(value.text) for value in comparison.operands if _INTEGER.fullmatch(value.text))
