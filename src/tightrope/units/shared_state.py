"""Finds sequences: exported functions that share variables which keep their values between calls.

    static int head, tail;         void put(int x) { ... head ... }      int get(void) { ... tail ... head ... }

`put` and `get` share `head`, so neither can be tested well by one call: `(put|get)*8`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.linked_interface import reach
from tightrope.program.declarations.sequence import DEFAULT_CALLS, CallSequence, SequenceItem
from tightrope.program.ir.model import Program

_FIRST = (  # words in names of functions that are called once, before the others
    re.compile(r"(?:^|_)init(?:iali[sz]e)?(?:_|$)|Init(?:iali[sz]e)?(?:[A-Z_]|$)"),
    re.compile(r"(?:^|_)(?:setup|open|begin|create|start)(?:_|$)|(?:Setup|Open|Begin|Create|Start)(?:[A-Z_]|$)"),
)


def find_sequences(program: Program, ctypes: CTypes, names: Sequence[str]) -> list[CallSequence]:
    """One for each group of functions that share state, directly or through others of the group."""
    exported = [name for name in names if name != "main" and not ctypes.functions[name].is_static]
    exported = [name for name in exported if not ctypes.functions[name].is_variadic]
    states = {name: frozenset(_state_of(program, ctypes, name)) for name in exported}
    return [_sequence_of(group) for group in _groups([name for name in exported if states[name]], states)]


def _state_of(program: Program, ctypes: CTypes, name: str) -> Iterator[str]:
    """Variables of the file that a call of the function may read or write."""
    for _, symbol in reach([program], f"@{name}"):
        found = program.globals.get(symbol)
        if found is not None and found.is_defined and not found.is_constant and symbol in ctypes.globals:
            yield symbol


def _groups(names: Sequence[str], states: dict[str, frozenset[str]]) -> list[list[str]]:
    groups: list[list[str]] = []
    for name in names:
        sharing = [group for group in groups if any(states[name] & states[other] for other in group)]
        merged = [each for group in sharing for each in group]
        groups = [group for group in groups if group not in sharing]
        groups.append([*merged, name])
    order = {name: at for at, name in enumerate(names)}
    return [sorted(group, key=order.__getitem__) for group in groups]


def _sequence_of(group: Sequence[str]) -> CallSequence:
    first = next((name for words in _FIRST for name in group if words.search(name)), "")
    others = tuple(name for name in group if name != first)
    items = [SequenceItem((first,))] if first else []
    return CallSequence((*items, *([SequenceItem(others, DEFAULT_CALLS)] if others else [])))
