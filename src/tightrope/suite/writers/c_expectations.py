"""What a written test expects: every observed value, first the result and what changed, then what did not change.
For example:

    EXPECT_INT(result, 4);
    EXPECT_INTS(values, expected_values);        arrays of numbers are compared as a whole
    EXPECT_POINTER(end, &text[3]);
    EXPECT_STRING(name, "idle");                 what a pointer leads to: `suite/observed_memory.py`
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tightrope.harness.pointer_outputs import ELSEWHERE, NULL, PointerTarget, find_pointer_target
from tightrope.inputs.scalars import Scalar, c_literal, signed_value
from tightrope.inputs.shape import (
    AS_INITIALISED,
    BYTE,
    FixedPointer,
    Leaf,
    Observed,
    PointsInto,
    PointsTo,
    Shape,
    element_of,
    entered_object,
    split_target,
    target_of,
    walk_object,
)
from tightrope.inputs.shape import NULL as NULL_POINTER
from tightrope.inputs.type_facts import member_offset
from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.declare import declare, is_qualified, is_spellable
from tightrope.running.notes import NoteKind
from tightrope.suite.observed_memory import Found, FoundNumber, FoundPointer, FoundText, ObservedMemory
from tightrope.suite.writers.c_values import Values, string_literal, wrap
from tightrope.suite.writers.words import PLAIN_WORDS, Words

_SHORTEST_ARRAY = 3
_INDEX = re.compile(r"(.*)\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Expectation:
    """One observed value. `array` and `index` when it is an element that can be compared with its neighbours."""

    place: str
    scalar: Scalar
    raw: int
    node: Shape
    is_unchanged: bool
    number: int = -1  # of the output

    @property
    def array(self) -> str:
        found = _INDEX.fullmatch(self.place)
        return found.group(1) if found and isinstance(self.node, Leaf) else ""


@dataclass(frozen=True, slots=True)
class ExpectationWriter:
    ctypes: CTypes
    objects: Sequence[PointsTo]  # in the order of the driver
    values: Values
    memory: ObservedMemory | None = None  # what is known beside the observed values
    words: Words = PLAIN_WORDS

    def lines(self, observed: Sequence[Observed], raws: Sequence[int | None]) -> Iterator[str]:
        written = self.memory.written_places() if self.memory else frozenset()
        all_of_them = [
            Expectation(place, output.scalar, raw, node, self._is_unchanged(node, raw), output.number)
            for (output, node, place), raw in zip(observed, raws, strict=False)
            if raw is not None and (place in written or not _is_unseen_zero(node, raw))
        ]
        further = self.memory.changes(()) if self.memory else ()
        changes = {found.place: found for found in further}
        all_of_them = [replace(one, is_unchanged=one.is_unchanged and one.place not in changes) for one in all_of_them]
        groups = list(_group(all_of_them))
        changed = [group for group in groups if not all(one.is_unchanged for one in group)]
        promised = self._promised()
        unchanged = [group for group in groups if group not in changed and group[0].node.path not in promised]
        known = {place for _, _, place in observed}
        unobserved = [found for place, found in changes.items() if place not in known]
        if changed or unobserved:
            yield from ("", "    /* observed: */")
            yield from self._group_lines(changed, changes)
            yield from self._found_lines(unobserved)
        if unchanged:
            yield from ("", "    /* unchanged: */")
            yield from self._group_lines(unchanged, {})

    def each(self, observed: Sequence[Observed], raws: Sequence[int | None]) -> Iterator[str]:
        """Only these values, without a heading."""
        ones = [
            Expectation(place, output.scalar, raw, node, False, output.number)
            for (output, node, place), raw in zip(observed, raws, strict=False)
            if raw is not None
        ]
        yield from self._group_lines(_group(ones), {})

    def _promised(self) -> frozenset[str]:
        """Paths into objects that the function gets as const: that they do not change needs no check."""
        return frozenset(
            node.path
            for pointer in self.objects
            if pointer.target != BYTE and is_qualified(self.ctypes, pointer.target, frozenset({"const"}))
            for element in pointer.elements
            for node, _ in walk_object(element, "", str)
        )

    def _is_unchanged(self, node: Shape, raw: int) -> bool:
        if isinstance(node, Leaf):
            mask = node.scalar.mask
            return node.slot is not None and self.values.leaf(node) & mask == raw & mask
        if isinstance(node, PointsTo):
            target, spot = target_of(node, self.values.input), find_pointer_target(self.ctypes, self.objects, raw)
            if spot is None:
                return target == NULL_POINTER and raw == NULL
            name, member = split_target(target)
            element = element_of(target)
            if element is not None:
                return spot.object.object == name and (spot.index, spot.offset) == (element, 0)
            offset = member_offset(self.ctypes, spot.object.target, member) if member else 0
            return spot.object.object == name and spot.offset == offset
        if isinstance(node, PointsInto):
            spot = find_pointer_target(self.ctypes, self.objects, raw)
            at = 0 if node.slot is None else self.values.input[node.slot]
            target = entered_object(node, self.values.input)
            if target == NULL_POINTER:
                return raw == NULL
            return spot is not None and spot.object.object == target and spot.index == at  # not for members
        if isinstance(node, FixedPointer) and node.is_bound and node.reason != AS_INITIALISED:
            return raw == NULL
        is_of_result = re.match(r"result\b", node.path) is not None
        return isinstance(node, FixedPointer) and node.is_null == (raw == NULL) and not is_of_result

    def _group_lines(self, groups: Iterable[Sequence[Expectation]], changes: Mapping[str, Found]) -> Iterator[str]:
        for group in groups:
            if len(group) >= _SHORTEST_ARRAY:
                yield from self._expect_array(group)
                continue
            for one in group:
                found = self._behind(one, changes)
                yield from self._found_lines([found]) if found else [f"    {self._expect(one)}"]

    def _behind(self, one: Expectation, changes: Mapping[str, Found]) -> Found | None:
        """What is known of a pointer that leads to no object of the test, beyond that it is not NULL."""
        if one.scalar.kind != "pointer" or one.raw != ELSEWHERE or self.memory is None:
            return None
        if one.place in changes:
            return changes[one.place]
        notes = [note for note in self.memory.notes if note.kind is NoteKind.TARGET and note.number == one.number]
        if not notes or not notes[0].is_known:
            return None
        return self.memory.behind(one.place, one.node.type, notes[0].value)

    def _found_lines(self, findings: Sequence[Found], indent: str = "    ") -> Iterator[str]:
        numbers: list[FoundNumber] = []
        for found in (*findings, None):
            if isinstance(found, FoundNumber):
                numbers.append(found)
                continue
            ones = [Expectation(one.place, one.scalar, one.raw, _leaf(one), False) for one in numbers]
            for line in self._group_lines(_group(ones), {}):
                yield f"{indent[4:]}{line}"
            numbers = []
            if isinstance(found, FoundText):
                yield from (f"{indent}{line}" for line in self.words.same_text(found.place, text_literal(found.text)))
            elif found is not None:
                yield from self._found_pointer(found, indent)

    def _found_pointer(self, found: FoundPointer, indent: str) -> Iterator[str]:
        if found.target == "NULL":
            yield f"{indent}{self.words.no_pointer(found.place)}"
            return
        words = self.words
        same = words.same_pointer(found.place, found.target) if found.target else words.some_pointer(found.place)
        yield f"{indent}{same}"
        if found.inside:
            yield f"{indent}if ({found.place} != NULL) {{"
            yield from self._found_lines(found.inside, f"{indent}    ")
            yield f"{indent}}}"

    def _expect_array(self, group: Sequence[Expectation]) -> Iterator[str]:
        first = group[0]
        name = "expected_" + re.sub(r"\W+", "_", first.array).strip("_")
        declaration = self._declare_element(first, f"{name}[{len(group)}]")
        yield from wrap(f"    static const {declaration} = {array_text(first.scalar, [one.raw for one in group])};")
        yield f"    {self.words.same_numbers(first.scalar, first.array, name, len(group))}"

    def _declare_element(self, one: Expectation, declarator: str) -> str:
        number = one.node.type
        if number == BYTE:
            return f"unsigned char {declarator}"
        is_spelled = is_spellable(self.ctypes, number)
        return declare(self.ctypes, number, declarator) if is_spelled else f"__typeof__({one.place}) {declarator}"

    def _expect(self, one: Expectation) -> str:
        if one.scalar.kind == "pointer":
            return self._expect_pointer(one)
        return self.words.same_number(one.scalar, one.place, c_literal(one.scalar, one.raw))

    def _expect_pointer(self, one: Expectation) -> str:
        if one.raw in (NULL, ELSEWHERE):
            return self.words.no_pointer(one.place) if one.raw == NULL else self.words.some_pointer(one.place)
        spot = find_pointer_target(self.ctypes, self.objects, one.raw)
        assert spot is not None
        return self.words.same_pointer(one.place, self._address(spot))

    def _address(self, spot: PointerTarget) -> str:
        name = self.values.name_object(spot.object.object)
        if spot.index is None:
            return f"(char *)&{name} + {spot.offset}"
        if spot.object.count == 1:
            return f"&{name}"
        return f"&{name}[{spot.index}]" if spot.index else name


def _leaf(found: FoundNumber) -> Leaf:
    return Leaf(found.place, found.type, found.scalar)


def text_literal(text: bytes) -> str:
    """A string literal; octal escapes have three digits, so that a digit may follow."""
    plain = {34: '\\"', 92: "\\\\", 10: "\\n", 9: "\\t"}
    shown = "".join(plain.get(c) or (chr(c) if 32 <= c < 127 else f"\\{c:03o}") for c in text)
    return '"' + shown.replace("??", '?""?') + '"'


def _is_unseen_zero(node: Shape, raw: int) -> bool:
    """True for a value that was not read and did not change: it needs no check."""
    if isinstance(node, Leaf):
        return node.is_unseen and raw == 0
    if not isinstance(node, FixedPointer) or node.reason == AS_INITIALISED:
        return False
    return node.is_bound and not node.is_null and raw == NULL


def _group(expectations: Iterable[Expectation]) -> Iterator[list[Expectation]]:
    """Neighbouring elements of one array of numbers come together."""
    group: list[Expectation] = []
    for one in expectations:
        if group and not _continues(group, one):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _continues(group: Sequence[Expectation], one: Expectation) -> bool:
    first = group[0]
    is_neighbour = bool(one.array) and one.array == first.array and one.place == f"{first.array}[{len(group)}]"
    return is_neighbour and first.place.endswith("[0]") and one.scalar == first.scalar


def array_text(scalar: Scalar, raws: Sequence[int]) -> str:
    """An initialiser for an array of these numbers, without zeros at the end."""
    numbers = [signed_value(scalar, raw) for raw in raws] if scalar.kind == "char" else []
    text = (string_literal(numbers, len(raws)) if any(numbers) else '""') if numbers else None
    end = max((index + 1 for index, raw in enumerate(raws) if raw & scalar.mask), default=1)
    return text or "{" + ", ".join(c_literal(scalar, raw) for raw in raws[:end]) + "}"
