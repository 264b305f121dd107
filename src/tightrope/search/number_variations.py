"""Variations of the numbers of an input: what fuzzing makes of inputs without texts.

    a constant of the code       one more or less       twice, half       another sign
    the number of another slot   one bit changed        a number of so many bits
    what another input has there

A few slots change at once, or many of an array (`slot_arrays`). Everything random comes from one source, so that the
same seed makes the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from tightrope.inputs.scalars import Input, Slot, bits_to_float, float_to_bits
from tightrope.search.slot_arrays import ArrayVariations, find_arrays

MOST_DOUBLINGS = 3  # of the number of slots that change at once
NEAR = 16
WHOLE_ARRAYS = 2  # of so many inputs, one has an array changed, if there is any


class NumberVariations:
    """Makes inputs from inputs. `known`: useful values by slot; `limits`: the largest useful value of slots that give
    the length of something."""

    def __init__(
        self, slots: Sequence[Slot], known: Mapping[int, Sequence[int]], limits: Mapping[int, int], source: Random
    ) -> None:
        self._slots, self._known, self._limits, self._source = slots, known, limits, source
        self._by_number = {slot.number: slot for slot in slots}
        self._arrays = ArrayVariations(find_arrays(slots), self._below)
        self._changes: tuple[Callable[[Slot, int, Sequence[int]], int], ...] = (
            self._move,
            self._scale,
            self._draw,
            self._draw,
            self._flip_bit,
            self._copy_slot,
        )

    def vary(self, values: Input, other: Input) -> Input:
        """The input after a few changes; `other` is another one that was run."""
        changed = list(values)
        if self._arrays and not self._below(WHOLE_ARRAYS):
            self._arrays.vary(changed, lambda number: self._limited_value(self._by_number[number], changed, other))
            for number, limit in self._limits.items():
                changed[number] = min(changed[number], limit)
            if self._below(2):
                return tuple(changed)
        for _ in range(1 << self._below(MOST_DOUBLINGS + 1)):
            slot = self._slots[self._below(len(self._slots))]
            changed[slot.number] = self._limited_value(slot, changed, other)
        return tuple(changed)

    def _limited_value(self, slot: Slot, values: Sequence[int], other: Input) -> int:
        value = self._new_value(slot, values, other) & slot.scalar.mask
        return min(value, self._limits.get(slot.number, value))

    def _new_value(self, slot: Slot, values: Sequence[int], other: Input) -> int:
        known, kind = self._known.get(slot.number, ()), self._below(len(self._changes) + 3)
        if kind == 0:
            return other[slot.number]
        if slot.scalar.members or slot.scalar.kind in ("choice", "bool") or (known and kind < 3):
            return self._source.choice(known) if known else self._below(2)
        return self._source.choice(self._changes)(slot, values[slot.number], values)

    def _move(self, slot: Slot, value: int, values: Sequence[int]) -> int:
        step = self._below(2 * NEAR + 1) - NEAR
        if slot.scalar.kind != "float":
            return value + step
        return float_to_bits(bits_to_float(value, slot.scalar.bits) + step, slot.scalar.bits)

    def _scale(self, slot: Slot, value: int, values: Sequence[int]) -> int:
        kind = self._below(3)
        if slot.scalar.kind == "float":
            return float_to_bits(bits_to_float(value, slot.scalar.bits) * (2, 0.5, -1)[kind], slot.scalar.bits)
        return (2 * value, value >> 1, -value)[kind]

    def _draw(self, slot: Slot, value: int, values: Sequence[int]) -> int:
        """A short number is as likely as a long one."""
        if slot.scalar.kind == "float":
            return float_to_bits(float(self._below(1 << self._below(24))), slot.scalar.bits)
        return self._below(1 << self._below(slot.scalar.bits + 1))

    def _flip_bit(self, slot: Slot, value: int, values: Sequence[int]) -> int:
        return value ^ (1 << self._below(slot.scalar.bits))

    def _copy_slot(self, slot: Slot, value: int, values: Sequence[int]) -> int:
        one = self._slots[self._below(len(self._slots))]
        is_alike = (one.scalar.kind == "float") == (slot.scalar.kind == "float") and one.scalar.bits == slot.scalar.bits
        return values[one.number] if is_alike else value

    def _below(self, end: int) -> int:
        """A number from 0 to end - 1."""
        return int(self._source.random() * end)
