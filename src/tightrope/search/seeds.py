"""The first inputs, which are run before the solver is used.

    slots            s[0] s[1] s[2] s[3]   n      d         the unit compares n with 7 and -3, d with 2.5, s with "on"
    first input      0    0    0    0      0      0.0       always the first: zeros are easy to read in a test
    from texts       o    n    0    0      0      0.0       each text in all arrays of characters that can hold it
    from options     each option of `getopt` as the first argument of a program, and an operand behind it
    from constants   7    -3   7    -3     7      2.5       each slot cycles through those that fit it
    from types       1    1    1    1      1      1.0       and -1

A seed costs one run and no query. There are few of them, those that save most queries first. Nothing depends on them:
whatever a seed reaches, the search can reach, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice

from tightrope.inputs.scalars import Input, Scalar, Slot, first_input, float_to_bits
from tightrope.inputs.texts import NO_TEXTS, InputTexts
from tightrope.program.flow.unit_constants import UnitConstants

MOST_FROM_CONSTANTS = 3
MOST_FROM_TEXTS, MOST_FROM_TEXTS_BESIDE_OPTIONS = 16, 8
MOST_FROM_OPTIONS = 32
OPERAND = b"a"
_ELEMENT = re.compile(r"(.*)\[([0-9]+)\]")


def make_seeds(
    slots: Sequence[Slot],
    constants: UnitConstants,
    limits: Mapping[int, int] | None = None,
    texts: InputTexts = NO_TEXTS,
) -> list[Input]:
    """The first inputs, each once. `limits` has the largest useful value of slots that give the length of something:
    with more, a run only leaves its objects. `texts`: among them the arguments of a program."""
    from_constants = islice(_from_constants(slots, constants), MOST_FROM_CONSTANTS)
    most = MOST_FROM_TEXTS_BESIDE_OPTIONS if constants.options and texts.arguments else MOST_FROM_TEXTS
    from_texts = islice(_from_texts(slots, constants.texts), most)
    from_options = islice(_from_options(slots, constants, texts), MOST_FROM_OPTIONS)
    seeds = chain([first_input(slots)], from_texts, from_options, from_constants, _from_types(slots))
    return list(dict.fromkeys(_limited(seed, limits or {}) for seed in seeds))


def fitting_values(
    slots: Sequence[Slot], constants: UnitConstants, without: Collection[int] = ()
) -> dict[int, list[int]]:
    """By slot: zero, and what the unit compares with, as far as it fits; of a choice, all targets."""
    return {
        slot.number: [value for _, value in slot.scalar.members]
        if slot.scalar.kind == "choice"
        else [zero, *_fitting(slot.scalar, zero, constants)]
        for slot, zero in zip(slots, first_input(slots), strict=True)
        if slot.number not in without
    }


def _limited(seed: Input, limits: Mapping[int, int]) -> Input:
    return tuple(min(value, limits[slot]) if slot in limits else value for slot, value in enumerate(seed))


def _from_types(slots: Sequence[Slot]) -> Iterator[Input]:
    """One in every slot, then minus one where possible. The largest numbers are left to the solver: a loop that counts
    to one of them would time out."""
    for number in (1, -1):
        yield tuple(_number_as(slot.scalar, number, zero) for slot, zero in zip(slots, first_input(slots), strict=True))


def _number_as(scalar: Scalar, number: float, otherwise: int) -> int:
    """A number as the raw value of a slot; `otherwise` if the slot cannot hold it, or holds no number."""
    if scalar.kind == "choice":
        return otherwise
    if scalar.kind == "float":
        return float_to_bits(float(number), scalar.bits)
    lowest = -(1 << (scalar.bits - 1)) if scalar.is_signed else 0
    is_good = number == int(number) and lowest <= number <= lowest + scalar.mask
    is_member = not scalar.members or any(value == number for _, value in scalar.members)
    return int(number) & scalar.mask if is_good and is_member else otherwise


def _from_constants(slots: Sequence[Slot], constants: UnitConstants) -> Iterator[Input]:
    """Slot s of the k-th seed has the constant s + k of those that fit."""
    zeros = first_input(slots)
    fitting = [_fitting(slot.scalar, zero, constants) for slot, zero in zip(slots, zeros, strict=True)]
    for turn in range(max(map(len, fitting), default=0)):
        yield tuple(
            found[(number + turn) % len(found)] if found else zero
            for number, (found, zero) in enumerate(zip(fitting, zeros, strict=True))
        )


def _fitting(scalar: Scalar, zero: int, constants: UnitConstants) -> list[int]:
    """The constants as raw values of a slot. A float may also be compared with converted integers."""
    if scalar.members:
        numbers: Sequence[float] = [value for _, value in scalar.members]
    else:
        numbers = constants.floats if scalar.kind == "float" else constants.integers
    return [raw for raw in dict.fromkeys(_number_as(scalar, number, zero) for number in numbers) if raw != zero]


def _from_texts(slots: Sequence[Slot], texts: Sequence[bytes]) -> Iterator[Input]:
    """Each text in every array of characters that can hold it."""
    arrays = [array for array in _arrays(slots) if len(array) > 1]
    zeros = first_input(slots)
    for text in texts:
        values = list(zeros)
        for array in arrays:
            if len(text) <= len(array):
                for slot, letter in zip(array, text, strict=False):
                    values[slot] = letter
        if tuple(values) != zeros:
            yield tuple(values)


def _from_options(slots: Sequence[Slot], constants: UnitConstants, texts: InputTexts) -> Iterator[Input]:
    zeros = first_input(slots)
    _, others = texts.read(zeros)
    for words in constants.options if texts.arguments else ():
        yield texts.write(zeros, (*words, OPERAND), others)


def _arrays(slots: Sequence[Slot]) -> list[list[int]]:
    """The slots of each array of characters, in the order of the elements: `name[0]`, `name[1]`, ..."""
    arrays: dict[str, list[int]] = {}
    for number, slot in enumerate(slots):
        element = _ELEMENT.fullmatch(slot.path)
        if element and slot.scalar.bits == 8 and slot.scalar.kind in ("char", "unsigned", "signed"):
            array = arrays.setdefault(element[1], [])
            if int(element[2]) == len(array):
                array.append(number)
    return list(arrays.values())
