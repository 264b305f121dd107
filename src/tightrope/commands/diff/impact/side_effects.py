"""What an instruction reads and writes in memory, and whether it may end the run."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.commands.diff.impact.points_to import ANYWHERE, EVERYTHING, PointsToAnalysis, Target, is_silent
from tightrope.commands.diff.impact.valid_pointers import ValidPointers, address_of
from tightrope.harness.driver import is_driver
from tightrope.program.ir.model import Instruction, Value
from tightrope.program.ir.types import ArrayType, NamedType, StructType, Type
from tightrope.weaving.weave_library import ALLOCATORS, ENDS, FREES, HEAP, REALLOC

Stretch = tuple[int, int | None, int | None]  # object, first byte (None: any), bytes (None: any number)


@dataclass(frozen=True, slots=True)
class CertainSize:
    """Of an object of which callers may pass less than was tried: the bytes that are there if it is used at all."""

    least: int
    element: int = 1  # if a byte of an element is there, the whole is

    def whole_elements(self, end: int) -> int:
        return -(-end // self.element) * self.element


NO_SIZES: Mapping[str, CertainSize] = MappingProxyType({})
_TRAPS = ("@llvm.trap", "@llvm.debugtrap", "@llvm.ubsantrap", "@tightrope_assume")
_DIVISIONS = ("sdiv", "udiv", "srem", "urem")
_CHECKED = ("add", "sub", "mul", "shl", "lshr", "ashr", "trunc", "fptosi", "fptoui")


@dataclass(slots=True)
class SideEffects:
    """The side effects in one version. `checks`: runs end at overflows and the like."""

    code: NumberedCode
    objects: PointsToAnalysis
    silent: Container[str] = ()
    checks: bool = False
    sizes: Mapping[str, CertainSize] = field(default_factory=lambda: NO_SIZES)  # of globals that may be smaller
    pointers: ValidPointers = field(init=False)
    _constants: frozenset[int | None] = field(init=False)  # objects
    _certain: dict[int, CertainSize] = field(init=False)  # the same, by object

    def __post_init__(self) -> None:
        self.pointers = ValidPointers(self.code)
        constants = [name for name, one in self.code.program.globals.items() if one.is_constant]
        self._constants = frozenset(map(self.objects.number, constants))
        numbers = {name: self.objects.number(name) for name in self.sizes}
        self._certain = {number: self.sizes[name] for name, number in numbers.items() if number is not None}

    def reads(self, place: int) -> Iterator[Stretch]:
        each, function = self.code.instructions[place], self.code.function_of(place)
        if each.opcode == "load":
            yield from self._stretches(function, each.operands[0], self._size(each.type))
        elif each.opcode in ("cmpxchg", "atomicrmw"):
            yield from self._stretches(function, each.operands[0], None)
        elif each.opcode == "va_arg":
            yield (EVERYTHING, None, None)
        elif each.opcode in ("call", "invoke"):
            yield from self._read_by_call(function, each)

    def writes(self, place: int) -> Iterator[Stretch]:
        each, function = self.code.instructions[place], self.code.function_of(place)
        if each.opcode == "store":
            yield from self._stretches(function, each.operands[1], self._size(each.operands[0].type))
        elif each.opcode in ("cmpxchg", "atomicrmw"):
            yield from self._stretches(function, each.operands[0], None)
        elif each.opcode in ("call", "invoke"):
            yield from self._written_by_call(place, function, each)

    def may_end(self, place: int) -> bool:
        """True if a run may end here, because an address or a divisor may be invalid."""
        if self.code.labels[place] is not None:
            return False  # predicates of labels end no run
        each = self.code.instructions[place]
        if each.opcode == "alloca":  # a variable-length array
            return bool(each.operands) and each.operands[0].is_local
        if each.opcode in _DIVISIONS:
            return not (each.operands[1].text.lstrip("-").isdigit() and each.operands[1].text not in ("0", "-1"))
        if each.opcode in ("load", "store", "cmpxchg", "atomicrmw"):
            return not self._is_ours(each) and not self._is_in_bounds(place, each)
        if each.opcode in ("call", "invoke"):
            return self._call_may_end(place, each)
        return each.opcode == "unreachable" or (self.checks and each.opcode in _CHECKED)

    @staticmethod
    def _is_ours(each: Instruction) -> bool:
        """True for stubs and the rest of the driver, which use only their own memory."""
        return each.location is not None and is_driver(each.location)

    # -- calls

    def _call_may_end(self, place: int, each: Instruction) -> bool:
        if each.callee in ENDS or each.callee in _TRAPS or not each.callee.startswith("@"):
            return True  # a pointer may be NULL
        if self.code.callees(each):
            return False  # only instructions in the callee may end the run
        if each.callee.startswith(("@llvm.memcpy", "@llvm.memmove", "@llvm.memset")):
            return not self._is_copy_inside(place, each)
        return each.callee in (*FREES, REALLOC) or not self._is_silent(each)

    def _is_silent(self, each: Instruction) -> bool:
        is_ours = each.callee == "@tightrope_choose"
        return is_ours or (is_silent(each.callee, self.silent) and not each.is_assembly)

    def _read_by_call(self, function: str, each: Instruction) -> Iterator[Stretch]:
        given = [argument.value for argument in each.arguments]
        for argument in each.arguments:
            if argument.byval:
                yield from self._stretches(function, argument.value, self._size(argument.byval))
        if each.callee.startswith(("@llvm.memcpy", "@llvm.memmove")):
            yield from self._stretches(function, given[1], _number(given[2]))
        elif each.callee == "@tightrope_turn":
            yield from self._stretches(function, given[0], 4)
        elif each.callee == "@tightrope_choose":
            yield from self._stretches(function, given[2], None)
        elif each.callee == "@tightrope_output":
            yield from self._stretches(function, given[1], _number(given[2]))
        elif not self.code.callees(each) and not self._is_silent(each) and each.callee not in HEAP:
            yield (EVERYTHING, None, None)
        elif each.callee == REALLOC:
            yield from self._stretches(function, given[0], None)

    def _written_by_call(self, place: int, function: str, each: Instruction) -> Iterator[Stretch]:
        given = [argument.value for argument in each.arguments]
        if each.callee.startswith(("@llvm.memcpy", "@llvm.memmove", "@llvm.memset")):
            yield from self._stretches(function, given[0], _number(given[2]))
        elif each.callee.startswith(("@llvm.va_start", "@llvm.va_copy")) or each.callee == "@tightrope_turn":
            yield from self._stretches(function, given[0], None)
        elif each.callee in ("@tightrope_input", "@tightrope_choose"):
            yield from self._stretches(function, given[1], None)
        elif each.callee in HEAP:
            for value in given[:1] if each.callee not in ALLOCATORS else ():
                yield from self._stretches(function, value, None)
            for one, _ in self.objects.targets.get(place, frozenset()):
                yield (one, None, None)
        elif not self.code.callees(each) and not self._is_silent(each):
            yield (EVERYTHING, None, None)

    # -- addresses

    def _stretches(self, function: str, pointer: Value, size: int | None) -> Iterator[Stretch]:
        for one, at in self.objects.of_value(function, pointer) or ANYWHERE:
            yield one, at, size

    def _size(self, kind: Type) -> int | None:
        try:
            return self.objects.layout.size_of(kind)
        except ValueError:
            return None

    def _is_in_bounds(self, place: int, each: Instruction) -> bool:
        """True if the address is always inside an existing object, which may be written if this is a store."""
        pointer, size = address_of(each), self._size_of_access(each)
        if not self._is_inside(place, pointer, size, is_written=each.opcode != "load"):
            return self._is_in_used_record(place, pointer, each) and self.pointers.was_used(place, pointer)
        return self.pointers.is_valid(place, pointer) or self.pointers.was_used(place, pointer)

    def is_sure_behind(self, place: int, branch: int) -> bool:
        """True if no run ends here in a call that has come past this branch of the same function before: it had used
        the same pointer then.

            if (p->key < key)       the branch
                found = p->key;     cannot end the run: p->key was read before
        """
        each = self.code.instructions[place]
        if each.opcode not in ("load", "store"):
            return False
        pointer, size = address_of(each), self._size_of_access(each)
        is_inside = self._is_inside(place, pointer, size, is_written=each.opcode == "store", before=branch)
        is_inside = is_inside or self._is_in_used_record(place, pointer, each, branch)
        return is_inside and self.pointers.stays_used(branch, place, pointer)

    def _size_of_access(self, each: Instruction) -> int | None:
        return self._size(each.operands[0].type if each.opcode == "store" else each.type)

    def _is_copy_inside(self, place: int, each: Instruction) -> bool:
        """True if memcpy, memmove or memset stays inside existing objects."""
        given = [argument.value for argument in each.arguments]
        pointers = given[:1] if each.callee.startswith("@llvm.memset") else given[:2]
        size = _number(given[2])
        return all(
            self._is_inside(place, pointer, size, is_written=pointer is given[0])
            and self.pointers.is_valid(place, pointer)
            for pointer in pointers
        )

    def _is_inside(
        self, place: int, pointer: Value, size: int | None, *, is_written: bool, before: int | None = None
    ) -> bool:
        """True if so many bytes are inside every object to which the pointer may point. `before`: where the run is
        certain to have come by then; otherwise, to the place."""
        targets = self._targets(place, pointer)
        is_sure = all(self._fits(each, size) for each in targets) and not (is_written and self._has_constant(targets))
        return is_sure and self._are_there(place if before is None else before, pointer, targets, size)

    def _is_in_used_record(self, place: int, pointer: Value, each: Instruction, before: int | None = None) -> bool:
        targets, size = self._targets(place, pointer), self._size_of_access(each)
        is_writable = each.opcode == "load" or not self._has_constant(targets)
        is_outside = any(self._is_outside(target, size) for target in targets)
        if not is_writable or is_outside or not self._is_another_member(place, pointer, targets):
            return False
        return self._are_there(place if before is None else before, pointer, targets, size)

    def _are_there(self, place: int, pointer: Value, targets: frozenset[Target], size: int | None) -> bool:
        """True if callers pass these elements for certain: the first one, and those up to one that the run has used
        before it comes to the place.

            if (a[0] == 1 && a[1] == 2)      a[1] may not be there
                r = a[1] + a[0];             both are
        """
        certain = self._certain
        beyond = {one: at + size for one, at in targets if at is not None and size is not None and one in certain}
        beyond = {one: end for one, end in beyond.items() if end > certain[one].least}
        if not beyond:
            return True
        if len({one for one, _ in targets}) < len(targets):
            return False
        function = self.code.function_of(place)
        reached = [self._reach(each) for each in self.pointers.uses_before(place, function, pointer)]
        return any(all(each.get(one, 0) >= end for one, end in beyond.items()) for each in reached)

    def _reach(self, place: int) -> dict[int, int]:
        """By object, the end of the last element that this access uses."""
        each = self.code.instructions[place]
        if each.opcode not in ("load", "store"):
            return {}
        size, targets = self._size_of_access(each), self._targets(place, address_of(each))
        if size is None or len({one for one, _ in targets}) < len(targets):
            return {}
        known = {one: at + size for one, at in targets if at is not None and one in self._certain}
        return {one: self._certain[one].whole_elements(end) for one, end in known.items()}

    def _targets(self, place: int, pointer: Value) -> frozenset[Target]:
        return self.objects.of_value(self.code.function_of(place), pointer) or ANYWHERE

    def _has_constant(self, targets: Iterable[Target]) -> bool:
        """True if one of them is a constant: a write to it ends the run."""
        return any(one in self._constants for one, _ in targets)

    def _is_another_member(self, place: int, pointer: Value, targets: Iterable[Target]) -> bool:
        """True if it is a member of a record that exists if the run has used another member of it: `a[i].x`, then
        `a[i].y`. The objects must contain such records, so that the whole record exists."""
        at = self.code.definitions.get((self.code.function_of(place), pointer.text)) if pointer.is_local else None
        each = self.code.instructions[at] if at is not None and at < len(self.code.instructions) else None
        if each is None or each.opcode != "getelementptr" or any(index.is_local for index in each.operands[1:]):
            return False
        record, is_first = each.source_type, len(each.operands) > 2 and each.operands[1].text == "0"
        if not is_first or not isinstance(record, NamedType):
            return False
        return all(self._holds(self.objects.types[one], record) for one, _ in targets)

    def _holds(self, kind: Type | None, record: NamedType) -> bool:
        """True if an object of this type consists of such records, or has them as members."""
        if isinstance(kind, NamedType):
            return kind == record or self._holds(self.code.program.named_types.get(kind.name), record)
        if isinstance(kind, ArrayType):
            return self._holds(kind.element, record)
        return isinstance(kind, StructType) and any(self._holds(each, record) for each in kind.elements)

    def _is_outside(self, target: Target, size: int | None) -> bool:
        """True if it is known to be outside of the object: `((struct s *)&last.y)->y`."""
        return None not in (self.objects.sizes[target[0]], target[1], size) and not self._fits(target, size)

    def _fits(self, target: Target, size: int | None) -> bool:
        one, at = target
        whole = self.objects.sizes[one]
        return whole is not None and at is not None and size is not None and at >= 0 and at + size <= whole


def overlap(one: Stretch, other: Stretch) -> bool:
    """True if the two ranges may have a byte in common."""
    if one[0] != other[0]:
        return 0 in (one[0], other[0])  # everything
    (_, start, size), (_, begin, length) = one, other
    if start is None or begin is None:
        return True
    return (size is None or begin < start + size) and (length is None or start < begin + length)


def _number(value: Value) -> int | None:
    return int(value.text) if value.text.isdigit() else None
