"""Which inputs and outputs of two versions of a function correspond to each other.

They are matched by their place, not by their numbers: the first parameter, `table[2].size` of a global, the second
answer of a stub. So the name of a parameter does not matter, nor what else the other version reads. Values are
translated by meaning: an enum by the names of its members, a pointer by what it points to.

This is for running two versions side by side: an input that the other version cannot have is None, and inputs that only
one version has are pinned to their initial values. shared_inputs.py builds on it, for formulas.
commands/diff/old_tests/moved_inputs.py has rules of its own: it translates old tests into new tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tightrope.harness.driver import RESULT
from tightrope.harness.fill import object_name
from tightrope.inputs.input_paths import steps_of
from tightrope.inputs.scalars import (
    Input,
    Output,
    Scalar,
    Slot,
    bits_to_float,
    first_input,
    float_to_bits,
    signed_value,
)
from tightrope.inputs.shape import (
    Alternatives,
    Elements,
    Fields,
    Fixed,
    FixedPointer,
    PointsTo,
    Root,
    Shape,
    objects_of,
    observe,
    other_words,
    walk,
)
from tightrope.units.prepared import PreparedUnit

Key = tuple[str, ...]  # where something is, in both versions
CALLS = "calls of"
RESULT_KEY = {"result": "the result"}  # a global may have the name `result`
Convert = Callable[[int], int | None]  # raw number of one version -> of the other; None: it has no such value


@dataclass(frozen=True, slots=True)
class Inventory:
    """The inputs and outputs of one version, by place."""

    unit: PreparedUnit
    slots: Mapping[Key, Slot]
    outputs: Mapping[Key, tuple[Output, Shape | None]]
    pointers: tuple[PointsTo, ...]  # to objects, in the order of their numbers
    objects: Mapping[str, Key]  # name of an object -> where its pointer is
    records: Mapping[Key, frozenset[Key]]  # members of each struct
    lengths: Mapping[Key, int]  # of each array
    kinds: Mapping[Key, frozenset[str]]  # the kind of what is there
    roots: Mapping[Key, Root]

    @classmethod
    def of(cls, unit: PreparedUnit) -> Inventory:
        keys = {id(node): key for key, node in _nodes(unit)}
        nodes = [(key, node) for key, node in _nodes(unit)]
        slots = {slot.number: slot for slot in unit.driver.slots}
        numbered = {key: number for key, node in nodes if (number := getattr(node, "slot", None)) is not None}
        return cls(
            unit,
            {key: slots[number] for key, number in numbered.items()},
            dict(_outputs(unit, keys)),
            objects_of(unit.shape),
            {pointer.object: keys[id(pointer)] for pointer in objects_of(unit.shape)},
            {
                key: frozenset(keys[id(below)] for _, below in node.members)
                for key, node in nodes
                if isinstance(node, Fields)
            },
            {key: node.length for key, node in nodes if isinstance(node, Elements)},
            _kinds(nodes),
            {keys[id(root.shape)]: root for root in unit.shape.roots},
        )


def _kinds(nodes: Iterable[tuple[Key, Shape]]) -> dict[Key, frozenset[str]]:
    """The kinds of inputs; others have none, since they may be anything."""
    found: dict[Key, frozenset[str]] = {}
    for key, node in nodes:
        if not isinstance(node, Fixed | FixedPointer):
            word = f"{type(node).__name__} {node.member if isinstance(node, Alternatives) else ''}"
            found[key] = found.get(key, frozenset()) | {word}
    return found


def _nodes(unit: PreparedUnit) -> Iterator[tuple[Key, Shape]]:
    """Every node of the inputs and of the result."""
    numbers = {root.name: f"parameter {number}" for number, root in enumerate(unit.shape.parameters, 1)}
    callbacks = {stub.path for stub in unit.shape.stubs if stub.name != stub.path}
    for root in unit.shape.roots:
        names = numbers if not root.is_global or root.answers_of in callbacks else {}
        if root.is_counter and root.shape.path.startswith(CALLS):
            yield (CALLS, *make_key(root.answers_of, names)), root.shape
        else:
            yield from ((make_key(node.path, names), node) for node, _ in walk(root.shape, root.name, str))
    if unit.shape.result is not None:
        yield from ((make_key(node.path, RESULT_KEY), node) for node, _ in walk(unit.shape.result, "", str))


def make_key(path: str, names: Mapping[str, str]) -> Key:
    """`*p` and `p[0]` are one place. `names` replaces the first name."""
    steps = steps_of(path) or (path,)
    first, *rest = [part for step in steps for part in step.split("::")]  # `sensor::argument_1#1`
    return (names.get(first, first), *rest)


def _outputs(unit: PreparedUnit, keys: Mapping[int, Key]) -> Iterator[tuple[Key, tuple[Output, Shape | None]]]:
    observed = observe(unit.shape, RESULT, object_name)
    for output, node, _ in observed:
        yield keys[id(node)], (output, node)
    for output in unit.driver.outputs[len(observed) :]:  # of draws
        yield (output.path,), (output, None)


@dataclass(frozen=True, slots=True)
class Translation:
    """Translates inputs of one version into inputs of the other."""

    start: Input  # values of the slots that the source does not have
    rows: tuple[tuple[int, int, Convert], ...]  # slot of the source, slot of the result, conversion

    def __call__(self, values: Input, beside: Input | None = None) -> Input | None:
        """None if the other version cannot have such an input. `beside`: values of the slots that the source does not
        have."""
        found = list(beside or self.start)
        for there, here, convert in self.rows:
            raw = convert(values[here])
            if raw is None:
                return None
            found[there] = raw
        return tuple(found)


@dataclass(frozen=True)
class Correspondence:
    """Two versions of a function, side by side."""

    old: Inventory
    new: Inventory

    @classmethod
    def of(cls, old: PreparedUnit, new: PreparedUnit) -> Correspondence:
        return cls(Inventory.of(old), Inventory.of(new))

    @cached_property
    def to_old(self) -> Translation:
        return _translate(self.new, self.old, self.pinned_old)

    @cached_property
    def to_new(self) -> Translation:
        return _translate(self.old, self.new, self.pinned_new)

    @cached_property
    def pinned_old(self) -> Mapping[int, int]:
        """Slots that the other version does not have at all, with their initial values."""
        return _pin(self.old, self.new)

    @cached_property
    def pinned_new(self) -> Mapping[int, int]:
        return _pin(self.new, self.old)

    @cached_property
    def shared(self) -> tuple[Key, ...]:
        """Outputs that both versions have."""
        return tuple(key for key in self.new.outputs if key in self.old.outputs)

    @cached_property
    def only_old(self) -> tuple[Key, ...]:
        """Outputs of data that the other version has but does not touch."""
        return _untouched(self.old, self.new)

    @cached_property
    def only_new(self) -> tuple[Key, ...]:
        return _untouched(self.new, self.old)

    def pin(self, values: Input, is_old: bool = False) -> Input:
        """The input, with slots that only this version has at their initial values: the other version could not get the
        same input otherwise."""
        pinned = self.pinned_old if is_old else self.pinned_new
        return tuple(pinned.get(number, raw) for number, raw in enumerate(values))


def _pin(mine: Inventory, other: Inventory) -> dict[int, int]:
    return {mine.slots[key].number: _initial(mine, key) for key in mine.slots if is_alone(mine, other, key)}


def _untouched(mine: Inventory, other: Inventory) -> tuple[Key, ...]:
    return tuple(key for key in mine.outputs if key not in other.outputs and not is_alone(mine, other, key))


def is_alone(mine: Inventory, other: Inventory, key: Key) -> bool:
    """True if the other version does not have this variable, member or element, or has something of another kind there.
    Data that it has but never reads does not count."""
    if any(_is_missing(mine, other, key[:length], key[: length + 1]) for length in range(1, len(key))):
        return True
    if any(_is_another(mine, other, key[:length]) for length in range(1, len(key) + 1)):
        return True
    root = mine.roots.get(key[:1])
    if root is None or not root.is_global or root.answers_of:
        return False
    is_elsewhere = root.name in mine.unit.interface.undefined_globals  # in a file that is not compared
    return key[:1] not in other.roots and not is_elsewhere and root.name not in _declared(other.unit)


def _is_missing(mine: Inventory, other: Inventory, above: Key, below: Key) -> bool:
    """True if the other version lacks this member or element."""
    if above in other.records and above in mine.records:
        return below in mine.records[above] and below not in other.records[above]
    if above in other.lengths and above in mine.lengths:
        return int(below[-1].strip("[]")) >= other.lengths[above]
    return False


def _is_another(mine: Inventory, other: Inventory, key: Key) -> bool:
    """True if it is of another kind: a number that is a struct there, a union that is set through another member ..."""
    one, two = mine.kinds.get(key, frozenset()), other.kinds.get(key, frozenset())
    return bool(one and two) and not one & two


def replaced_functions(mine: Inventory, other: Inventory) -> tuple[str, ...]:
    """Functions that one version defines and the other replaces by stubs, whose answers are inputs of that one only."""
    defined = {name[1:] for name, function in other.unit.file.program.functions.items() if function.is_defined}
    return tuple(stub.name for stub in mine.unit.shape.stubs if stub.name in defined and not stub.like)


def _declared(unit: PreparedUnit) -> frozenset[str]:
    """The C names of variables that code can use if it includes the file."""
    described = (*unit.ctypes.globals.values(), *unit.file.ctypes.globals.values())
    return frozenset({*(one.name for one in described if not one.owner), *unit.interface.undefined_globals})


def _initial(mine: Inventory, key: Key) -> int:
    """The initial value, if it is a plain number."""
    slot, root = mine.slots[key], mine.roots.get(key[:1])
    first = first_input((slot,))[0]
    if root is None or len(key) > 1:
        return first
    one = next((one for one in mine.unit.interface.globals if one.name == root.name), None)
    known = mine.unit.program.globals.get(one.ir_name) if one else None
    found = re.fullmatch(r"(?:i\d+ )?(-?\d+)", known.initializer.strip()) if known else None
    return int(found.group(1)) & slot.scalar.mask if found and slot.scalar.kind != "float" else first


def _translate(source: Inventory, target: Inventory, pinned: Mapping[int, int]) -> Translation:
    start = list(first_input(target.unit.driver.slots))
    for number, raw in pinned.items():
        start[number] = raw
    shared = [(target.slots[key], source.slots[key]) for key in target.slots if key in source.slots]
    rows = [(there.number, here.number, _converter(source, target, here, there)) for there, here in shared]
    return Translation(tuple(start), tuple(rows))


def _converter(source: Inventory, target: Inventory, here: Slot, there: Slot) -> Convert:
    if here.scalar.kind == "choice" and there.scalar.kind == "choice":
        numbers = {word: number for number, word in reversed(list(enumerate(_words(target, there))))}
        words = _words(source, here)
        return lambda raw: numbers.get(words[raw] if raw < len(words) else words[0])
    if here.scalar == there.scalar:
        return lambda raw: raw
    return lambda raw: convert_value(here.scalar, there.scalar, raw)


def _words(version: Inventory, slot: Slot) -> list[str]:
    """The meaning of each number of a choice, in words that hold for both versions."""
    known = {other_words(name): f"same as {key}" for name, key in version.objects.items()}
    words = [known.get(word, word) for word, _ in slot.scalar.members]
    return [re.sub(r"^tightrope_stub_.*", "a stub", word) for word in words]


def convert_value(here: Scalar, there: Scalar, raw: int) -> int | None:
    """The number of the other type with the same meaning."""
    if "float" in (here.kind, there.kind):
        return _convert_float(here, there, raw)
    number = signed_value(here, raw)
    names = dict(there.members)
    name = next((name for name, value in here.members if value == number), "")
    if here.members != there.members and name in names:
        number = names[name]
    elif name and {word for word, value in there.members if value == number} & dict(here.members).keys():
        return None  # a new member, whose number belongs to another member there
    low = -(1 << (there.bits - 1)) if there.is_signed else 0
    return number & there.mask if low <= number <= low + there.mask else None


def _convert_float(here: Scalar, there: Scalar, raw: int) -> int | None:
    if here.kind != there.kind:
        return None
    value = bits_to_float(raw, here.bits)
    found = float_to_bits(value, there.bits)
    same = bits_to_float(found, there.bits)
    return found if same == value or value != value else None
