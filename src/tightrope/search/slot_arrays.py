"""The arrays among the slots of an input, found by their paths, and changes to several elements at once.

    script.operations[0].kind, script.operations[0].key, script.operations[1].kind ...    elements of one or more slots

A sum of a thousand samples moves far only if many of them change together; a list of operations leads elsewhere if one
of them comes twice, or in another place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tightrope.inputs.scalars import Slot

LEAST_ELEMENTS = 3
_INDEX = re.compile(r"\[([0-9]+)\]")


@dataclass(frozen=True, slots=True)
class SlotArray:
    """Elements in their order, each with its slots; the k-th slots of all elements are alike."""

    elements: tuple[tuple[int, ...], ...]

    def fill(self, values: list[int], start: int, end: int, at: int, value: int) -> None:
        """The slots number `at` of elements from `start` to before `end` all get the value."""
        for element in self.elements[start:end]:
            values[element[at]] = value

    def copy(self, values: list[int], source: int, target: int, count: int) -> None:
        """So many elements from `source` on go to `target`, as far as there is room."""
        count = min(count, len(self.elements) - max(source, target))
        taken = [[values[slot] for slot in element] for element in self.elements[source : source + count]]
        for element, found in zip(self.elements[target : target + count], taken, strict=True):
            for slot, value in zip(element, found, strict=True):
                values[slot] = value


def find_arrays(slots: Sequence[Slot]) -> list[SlotArray]:
    """All arrays of at least three elements, those of elements within elements, too."""
    found: dict[str, dict[int, list[Slot]]] = {}
    for slot in slots:
        for index in _INDEX.finditer(slot.path):
            found.setdefault(slot.path[: index.start()], {}).setdefault(int(index[1]), []).append(slot)
    kept = (list(elements.values()) for elements in found.values() if list(elements) == list(range(len(elements))))
    return [_array(elements) for elements in kept if len(elements) >= LEAST_ELEMENTS and _are_alike(elements)]


def _array(elements: Sequence[Sequence[Slot]]) -> SlotArray:
    return SlotArray(tuple(tuple(slot.number for slot in element) for element in elements))


def _are_alike(elements: Sequence[Sequence[Slot]]) -> bool:
    return len({tuple(slot.scalar for slot in element) for element in elements}) == 1


class ArrayVariations:
    """Changes arrays by chance. `below`: a number from 0 to one less."""

    def __init__(self, arrays: Sequence[SlotArray], below: Callable[[int], int]) -> None:
        self._arrays, self._below = arrays, below

    def __bool__(self) -> bool:
        return bool(self._arrays)

    def vary(self, values: list[int], new_value: Callable[[int], int]) -> None:
        """One array changes; `new_value` of a slot is what the slots of a part of it get, or each of them its own."""
        array = self._arrays[self._below(len(self._arrays))]
        count = len(array.elements)
        start = self._below(count)
        end = min(count, start + (1 << self._below(count.bit_length() + 1)))
        kind = self._below(6)
        if kind == 0:
            start, end = 0, count
        if kind < 3:
            at = self._below(len(array.elements[0]))
            array.fill(values, start, end, at, new_value(array.elements[start][at]))
        elif kind == 3:
            for element in array.elements[start:end]:
                at = self._below(len(element))
                values[element[at]] = new_value(element[at])
        elif kind == 4:
            array.copy(values, start, min(start + 1, count - 1), count)  # one comes twice
        else:
            array.copy(values, self._below(count), start, end - start)
