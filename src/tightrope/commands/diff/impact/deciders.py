"""Deciders: the branches that decide whether changed code is reached. A backward slice over control dependence.

It follows an instruction to the branches that decide its block, to those that decide their blocks, to the calls of the
function and their deciders; and to the Booleans that branches test (`while (a && b)` tests one that two branches
computed).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tightrope.commands.diff.impact.dependence import Dependence
from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.program.ir.types import IntType

_BOOLEAN = IntType(1)


def find_all_deciders(side: Dependence, places: Iterable[int]) -> frozenset[int]:
    """Branches, and the Booleans that they test, that decide whether any of these instructions is executed."""
    code, waiting = side.code, [place for place in places if place < len(side.code.instructions)]
    found: set[int] = set()
    while waiting:
        fresh = [other for other in _before(side, waiting.pop()) if other not in found]
        found.update(fresh)
        waiting += fresh
    return frozenset(place for place in found if _is_test(code, place))


def _before(side: Dependence, place: int) -> Iterator[int]:
    code = side.code
    yield from (end for end, _ in code.deciding(place))
    yield from side.callers.get(code.function_of(place), ())
    if _is_test(code, place):
        yield from _tested(code, place)


def _tested(code: NumberedCode, place: int) -> Iterator[int]:
    """The Booleans from which a branch condition, or another Boolean, is computed."""
    each, function = code.instructions[place], code.function_of(place)
    values = [*each.operands, *(value for value, _ in each.incoming)]
    if each.opcode == "phi":
        yield from (end for _, sides in code.ways(place) for end, _ in sides)
    for value in values:
        at = code.definitions.get((function, value.text)) if value.is_local and value.type == _BOOLEAN else None
        if at is not None and at < len(code.instructions):
            yield at


def _is_test(code: NumberedCode, place: int) -> bool:
    each = code.instructions[place]
    return each.opcode in ("br", "switch") or each.type == _BOOLEAN
