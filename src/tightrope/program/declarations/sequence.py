"""A sequence: calls of several functions, one after the other, from the initial values of all variables.

    init; (put|get)*8        init once; then up to 8 calls, each of put or of get

`SequenceItem` is what users write. `SequenceCall` is one call that a run may make: each has arguments of its own, which
are parameters of one function that makes all calls (`harness/sequence_text.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

AUTO = "auto"
MOST_CALLS = 256  # of a repetition
DEFAULT_CALLS = 8
_NAME = r"[^\W\d]\w*"
_ITEM = re.compile(rf"\s*(?:({_NAME})|\(\s*({_NAME}(?:\s*\|\s*{_NAME})*)\s*\))\s*(?:\*\s*(\d+)\s*)?")
_LONGEST_NAME = 48


@dataclass(frozen=True, slots=True)
class SequenceItem:
    functions: tuple[str, ...]  # one of them is called
    most: int | None = None  # up to so many times; None: exactly once

    def __str__(self) -> str:
        names = "|".join(self.functions)
        group = f"({names})" if len(self.functions) > 1 else names
        return group if self.most is None else f"{group}*{self.most}"


@dataclass(frozen=True, slots=True)
class CallSequence:
    items: tuple[SequenceItem, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.items))

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that it calls, each once."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.functions))

    @property
    def name(self) -> str:
        """A C identifier: `sequence_init_step`."""
        first, *others = self.functions
        whole = "_".join(("sequence", first, *others))
        return whole if len(whole) <= _LONGEST_NAME else f"sequence_{first}_and_{len(others)}_more"

    @property
    def leading(self) -> tuple[SequenceItem, ...]:
        """The calls that are made once, before anything is repeated. Nobody knows whether the last call is not."""
        count = next((at for at, item in enumerate(self.items) if item.most is not None), len(self.items) - 1)
        return self.items[:count]

    @property
    def repeated(self) -> tuple[str, ...]:
        """The functions that are called after these."""
        return tuple(dict.fromkeys(name for item in self.items[len(self.leading) :] for name in item.functions))


def read_call_sequence(text: str) -> CallSequence:
    """Raises ValueError with the sentence to show."""
    items = tuple(_read_item(part) for part in text.split(";"))
    return CallSequence(items)


def _read_item(text: str) -> SequenceItem:
    found = _ITEM.fullmatch(text)
    if found is None:
        example = "write names of functions, such as 'init; step*8' or 'init; (put|get)*8'"
        raise ValueError(f"`{text.strip()}` is not a call in a sequence; {example}")
    names = tuple(dict.fromkeys(re.findall(_NAME, found[1] or found[2])))
    most = int(found[3]) if found[3] else None
    if most is not None and not 1 <= most <= MOST_CALLS:
        raise ValueError(f"`{text.strip()}`: a call can be repeated 1 to {MOST_CALLS} times")
    return SequenceItem(names, most)


@dataclass(frozen=True, slots=True)
class SequenceCall:
    """One call that a run may make."""

    name: str  # unique: `step_3`, or `init` if it is called once
    function: str
    arguments: Mapping[str, str]  # parameter of the function -> parameter of the function that makes all calls
    has_result: bool = False
    counter: str = ""  # the input that says how many calls of a repetition are made; '': it is always made
    position: int = 0  # in its repetition, from 1
    choice: str = ""  # the input that says which function is called
    number: int = 0  # of this function there

    def is_made(self, inputs: Mapping[str, int]) -> bool:
        """`inputs`: the values of counters and choices."""
        is_counted = not self.counter or inputs[self.counter] >= self.position
        return is_counted and (not self.choice or inputs[self.choice] == self.number)


def calls_of(calls: Sequence[SequenceCall], function: str) -> tuple[SequenceCall, ...]:
    return tuple(call for call in calls if call.function == function)
