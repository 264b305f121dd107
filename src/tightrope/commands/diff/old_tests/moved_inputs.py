"""Translates the input of an old test into an input of the new version, by path as written in C.

    int f(int a, int speed)          int f(int x)            a is x; `speed` is no longer an input

A value whose input no longer exists is omitted and reported. A value that no longer fits its input (a number that is
too large, an enum member that was removed) is an error: it would be another input.

equality/correspondence.py pairs inputs, too, but for running both versions. There, only the position of a parameter
counts; here, the name counts first, as in values written by people, and every value that does not fit gets a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tightrope.inputs.input_paths import Steps, steps_of
from tightrope.inputs.scalars import Human, Input, Slot, decode, encode, first_input, signed_value
from tightrope.inputs.shape import InputShape, objects_of, other_words, slots_of
from tightrope.inputs.whole_program import STDIN, stdin_of
from tightrope.suite.read_inputs import GivenInput, to_input
from tightrope.suite.readability import leaf_of

MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class MovedInput:
    input: Input
    gone: tuple[str, ...] = ()  # paths with a value that are no inputs there


@dataclass(frozen=True)
class InputMove:
    """Translates inputs of one version into inputs of another."""

    old: InputShape
    new: InputShape

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """Renamed parameters."""
        return dict(_renamed(self.old, self.new))

    @cached_property
    def _there(self) -> Mapping[Steps, Slot]:
        return {_steps(slot.path): slot for slot in slots_of(self.new)}

    @cached_property
    def _words(self) -> Mapping[str, str]:
        """Renamed choices."""
        objects = {_steps(pointer.path): pointer.object for pointer in objects_of(self.new)}
        pairs = [(one.object, objects.get(_steps(self._path(one.path)), "")) for one in objects_of(self.old)]
        return {other_words(one): other_words(other) for one, other in pairs if other}

    def _path(self, path: str) -> str:
        """The path as the other version spells it."""
        first = re.match(r"\W*(\w+)", path)
        name = self._names.get(first[1], "") if first else ""
        return f"{path[: first.start(1)]}{name}{path[first.end(1) :]}" if first and name else path

    def move(self, values: Input) -> MovedInput:
        """Translate an input. Raises UsageError for a value that does not fit."""
        numbers, gone = list(first_input(slots_of(self.new))), []
        for slot, raw in zip(slots_of(self.old), values, strict=True):
            other = self._there.get(_steps(self._path(slot.path)))
            if other is not None:
                numbers[other.number] = self._convert(slot, raw, other)
            elif raw != leaf_of(slot).simplest:
                gone.append(slot.path)
        return MovedInput(tuple(numbers), tuple(gone))

    def move_given(self, given: GivenInput) -> MovedInput:
        """The same for values that users gave by path."""
        moved = {path: path if self._is_known(path) else self._path(path) for path in given.values}
        known = {moved[path]: value for path, value in given.values.items() if self._is_known(moved[path])}
        gone = tuple(path for path in given.values if not self._is_known(moved[path]))
        return MovedInput(to_input(GivenInput(given.name, known), self.new), gone)

    def knows_any(self, paths: Iterable[str]) -> bool:
        """True if one of the paths is an input of one of the versions, or if there are no paths."""
        old = {_steps(slot.path)[0] for slot in slots_of(self.old)} | ({STDIN} if stdin_of(self.old) else set())
        known = [_steps(path)[0] in old or self._is_known(path) for path in paths]
        return any(known) or not known

    def _is_known(self, path: str) -> bool:
        steps = _steps(path)
        is_input = path == STDIN and bool(stdin_of(self.new))
        return is_input or steps in self._there or (*steps, "[0]") in self._there

    def _convert(self, slot: Slot, raw: int, other: Slot) -> int:
        if slot.scalar == other.scalar:
            return raw
        return encode(other.scalar, self._value(slot, raw, other), f"`{other.path}`")

    def _value(self, slot: Slot, raw: int, other: Slot) -> Human:
        """The value for the other slot: a name if both have it; a character becomes a number for a slot that is not
        one."""
        kind = slot.scalar.kind
        if kind == "choice":
            word = str(decode(slot.scalar, raw))
            return self._words.get(word, word)
        is_named = kind == "float" or (kind == "enum" and other.scalar.kind == "enum")
        return decode(slot.scalar, raw) if is_named else signed_value(slot.scalar, raw)


def _renamed(old: InputShape, new: InputShape) -> Iterable[tuple[str, str]]:
    """Parameters at the same position whose names the other version does not have."""
    mine, theirs = [root.name for root in old.parameters], [root.name for root in new.parameters]
    pairs = zip(mine, theirs, strict=False)
    return ((one, other) for one, other in pairs if one not in theirs and other not in mine)


def _steps(path: str) -> Steps:
    return steps_of(path) or (path,)


def say_gone(paths: Iterable[str]) -> str:
    """`speed` is no longer an input."""
    shown = [f"`{path}`" for path in paths]
    few = ", ".join(shown[:MOST_SHOWN]) + (f" and {len(shown) - MOST_SHOWN} more" if len(shown) > MOST_SHOWN else "")
    return f"{few} {'is no longer an input' if len(shown) == 1 else 'are no longer inputs'}" if shown else ""
