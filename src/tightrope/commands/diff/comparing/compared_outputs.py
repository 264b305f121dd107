"""The outputs of two runs of the same input, one on each version, compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tightrope.equality.correspondence import (
    CALLS,
    RESULT_KEY,
    Correspondence,
    Inventory,
    Key,
    is_alone,
    replaced_functions,
)
from tightrope.harness.pointer_outputs import ELSEWHERE, NULL, describe_pointer, find_pointer_target
from tightrope.inputs.draws import is_drawn
from tightrope.inputs.scalars import Human, Output, Scalar, bits_to_float, decode, signed_value
from tightrope.inputs.shape import BYTE, Leaf, Shape
from tightrope.library.table import Fact, functions_with
from tightrope.program.declarations.c_types import CArray, CRecord, CTypes, TypeId
from tightrope.program.declarations.declare import size_of
from tightrope.report.difference_model import ReportedObservation
from tightrope.running.run_record import RunRecord
from tightrope.units.prepared import PreparedUnit

MOST_REMARKS = 12
PRINTERS = functions_with(Fact.OUTPUT)


def compare_outputs(match: Correspondence, old: RunRecord, new: RunRecord) -> Iterator[ReportedObservation]:
    """Compare outputs of both versions, in the order of the new one; then those that only one of them has."""
    for key in match.shared:
        (one, one_node), (other, other_node) = match.old.outputs[key], match.new.outputs[key]
        raw = new.outputs[other.number]
        if one.scalar == other.scalar and old.outputs[one.number] == raw and _is_plain(other, raw):
            continue
        before, now = (
            _ComparedOutput(match.old, old, key, one, one_node),
            _ComparedOutput(match.new, new, key, other, other_node),
        )
        if not _is_alike(before, now):
            yield ReportedObservation(other.path, before.words, now.words)
    for key in match.only_new:
        yield from _only_one(match.old, _ComparedOutput(match.new, new, key, *match.new.outputs[key]), is_old=False)
    for key in match.only_old:
        yield from _only_one(match.new, _ComparedOutput(match.old, old, key, *match.old.outputs[key]), is_old=True)


def _is_plain(output: Output, raw: int | None) -> bool:
    """True if equal numbers mean the same."""
    is_numbered = output.scalar.kind == "pointer" and raw not in (NULL, ELSEWHERE)
    return not is_numbered and "#" not in output.path


@dataclass(frozen=True, slots=True)
class _ComparedOutput:
    """One output of one version, as a run left it."""

    version: Inventory
    run: RunRecord
    key: Key
    output: Output
    node: Shape | None

    @property
    def raw(self) -> int | None:
        return self.run.outputs[self.output.number] if self.was_called else None

    @property
    def was_called(self) -> bool:
        """False for an argument of a call that was not made."""
        if len(self.key) < 3 or not self.key[-2].startswith("argument_"):
            return True
        counter = self.version.outputs[(CALLS, *self.key[:-2])][0]
        made = self.run.outputs[counter.number]
        return made is None or made >= int(self.key[-1].removeprefix("#"))

    @property
    def scalar(self) -> Scalar:
        return self.output.scalar

    @property
    def initial(self) -> int | None:
        """The value before the call; None if it is unknown, or the output is not memory of an input."""
        if not isinstance(self.node, Leaf):
            return None
        if self.node.slot is not None:
            return self.run.input[self.node.slot] & self.scalar.mask
        return 0 if self.node.is_unseen else None

    @property
    def is_unchanged(self) -> bool:
        return self.raw is not None and self.initial == self.raw & self.scalar.mask

    @property
    def words(self) -> Human | None:
        return None if self.raw is None else self.describe(self.raw)

    def describe(self, raw: int) -> Human:
        unit = self.version.unit
        if self.scalar.kind == "pointer":
            return describe_pointer(unit.ctypes, self.version.pointers, raw)
        return self.drawn(raw) or decode(self.scalar, raw)

    def drawn(self, raw: int) -> str:
        """The function that made a draw; '' for other outputs."""
        if self.node is not None or not self.output.path.startswith("nondet#"):
            return ""
        return [root.name for root in self.version.unit.shape.roots if is_drawn(root)][raw]


def _is_alike(old: _ComparedOutput, new: _ComparedOutput) -> bool:
    if old.raw is None or new.raw is None:
        return old.raw is new.raw
    if old.is_unchanged and new.is_unchanged:  # even if it is an input of one version, and the other never reads it
        return True
    if "pointer" in (old.scalar.kind, new.scalar.kind):
        return old.scalar.kind == new.scalar.kind and _is_same_place(old, new)
    if old.drawn(old.raw) or new.drawn(new.raw):
        return old.drawn(old.raw) == new.drawn(new.raw)
    names = _members(old, new)
    return names[0] == names[1] if names else _value(old, old.raw) == _value(new, new.raw)


def _value(side: _ComparedOutput, raw: int) -> object:
    """A value to compare: numbers of different types can be equal; floats are equal if their bits are, or both are
    NaN."""
    if side.scalar.kind != "float":
        return signed_value(side.scalar, raw)
    value = bits_to_float(raw & side.scalar.mask, side.scalar.bits)
    return "nan" if value != value else repr(value)


def _members(old: _ComparedOutput, new: _ComparedOutput) -> tuple[str, str] | None:
    """The member names of an enum that was renumbered, if both versions have one of them."""
    if not old.scalar.members or old.scalar.members == new.scalar.members:
        return None
    words, known = (str(old.words), str(new.words)), dict(old.scalar.members).keys() & dict(new.scalar.members)
    return words if known.intersection(words) else None


# -- pointers


def _is_same_place(old: _ComparedOutput, new: _ComparedOutput) -> bool:
    assert old.raw is not None and new.raw is not None
    places = [_names_of(side.version, side.raw or 0) for side in (old, new)]
    if "elsewhere" in places[0] | places[1]:  # an object that is an input of only one version is elsewhere in the other
        return NULL not in (old.raw, new.raw) and not _both_have(old, new)
    return bool(places[0] & places[1])


def _both_have(old: _ComparedOutput, new: _ComparedOutput) -> bool:
    """True if one pointer points to an object that both versions have, and the other elsewhere."""
    for side, other in ((old, new), (new, old)):
        spot = find_pointer_target(side.version.unit.ctypes, side.version.pointers, side.raw or 0)
        if spot and side.version.objects[spot.object.object] in other.version.objects.values():
            return True
    return False


def _names_of(version: Inventory, raw: int) -> frozenset[str]:
    """All names of this place: `s`, `s->first`; a struct begins where its first member does."""
    if raw in (NULL, ELSEWHERE):
        return frozenset({"NULL" if raw == NULL else "elsewhere"})
    unit = version.unit
    spot = find_pointer_target(unit.ctypes, version.pointers, raw)
    if spot is None:
        return frozenset({"elsewhere"})
    index, rest = divmod(spot.offset, spot.element_size)
    start = f"{version.objects[spot.object.object]}[{index}]"
    if spot.object.target == BYTE:
        return frozenset({start})
    return frozenset(_parts(unit.ctypes, spot.object.target, start, rest))


def _parts(ctypes: CTypes, number: TypeId, name: str, offset: int) -> Iterator[str]:
    """The names of all parts of an object of this type that begin at the byte."""
    kind = ctypes.strip(number)
    if offset == 0:
        yield name
    if isinstance(kind, CRecord):
        for member in kind.members:
            start, size = member.bit_offset // 8, size_of(ctypes, member.type)
            if member.bit_size is None and start <= offset < start + max(size, 1):
                yield from _parts(ctypes, member.type, f"{name}.{member.name}" if member.name else name, offset - start)
    elif isinstance(kind, CArray):
        size = size_of(ctypes, kind.element)
        index, rest = divmod(offset, size) if size else (0, offset)
        yield from _parts(ctypes, kind.element, f"{name}[{index}]", rest)
    elif offset:
        yield f"{name} + {offset} bytes"


# -- outputs of only one version


def _only_one(other: Inventory, side: _ComparedOutput, *, is_old: bool) -> Iterator[ReportedObservation]:
    """The other version does not touch it: it keeps its initial value there, and a stub is not called."""
    before = 0 if side.key[0] == CALLS and _calls_nobody(other.unit, side.key) else side.initial
    if before is None or side.raw is None or side.raw & side.scalar.mask == before:
        return
    words = (side.words, side.describe(before))
    yield ReportedObservation(side.output.path, *(words if is_old else words[::-1]))


def _calls_nobody(unit: PreparedUnit, key: Key) -> bool:
    """True if the version does not have the function at all, so it cannot make calls that are not counted."""
    return f"@{key[1]}" not in unit.program.functions


def find_remarks(match: Correspondence) -> tuple[str, ...]:
    """Sentences about what cannot be compared."""
    new = _remarks_on(match.new, match.old, "new", match.pinned_new)
    old = _remarks_on(match.old, match.new, "old", match.pinned_old)
    shown = list(dict.fromkeys((*new, *old, *_unseen(match))))
    return (*shown[:MOST_REMARKS], *[f"and {len(shown) - MOST_REMARKS} more"] * (len(shown) > MOST_REMARKS))


def _remarks_on(mine: Inventory, other: Inventory, name: str, pinned: Mapping[int, int]) -> Iterator[str]:
    for function in replaced_functions(mine, other):
        yield f"{function}() has no body in the {name} version: runs that call it are not compared"
    for number, raw in pinned.items():
        slot = mine.unit.driver.slots[number]
        yield f"{slot.path} exists only in the {name} version: it is {decode(slot.scalar, raw)} in every comparison"
    for key, (output, _) in mine.outputs.items():
        if key not in other.outputs and (is_alone(mine, other, key) or key[0] in RESULT_KEY.values()):
            yield f"{output.path} exists only in the {name} version: its final value is not compared"


def _unseen(match: Correspondence) -> Iterator[str]:
    units = (match.old.unit, match.new.unit)
    names = {name for unit in units for name in unit.interface.hidden_state if name != "errno"}
    yield from (f"{name}: its value after the call is not compared" for name in sorted(names))
    if any(PRINTERS.intersection(unit.interface.undefined_functions) for unit in units):
        yield "printed output is not compared"
