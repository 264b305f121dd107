"""Pairs the instructions of the old version with those of the new one.

The instructions of a function are listed, blocks in reverse postorder, and the two lists are aligned: first
instructions that do the same with equivalent operands, then, in the gaps, those that do the same. A pair is a guess: a
bad one costs precision, but not soundness, because `check` finds every pair with different operands or different
deciding branches.

    old                                new
    %cmp = icmp slt %a, %b    <---->   %cmp = icmp slt %a, %b
                                       %cmp1 = icmp sgt %a, 9        no partner: it is new
    br %cmp, ...              <---->   br %cmp, ...

Because the order follows control flow and pairs never cross, two paired instructions have the same order in both
versions, whatever jumps were changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from tightrope.commands.diff.impact.instruction_keys import ALTERABLE, InstructionKeys, values_of
from tightrope.commands.diff.impact.numbered_code import Decided, NumberedCode, number_code
from tightrope.program.declarations.c_types import CEnum, CFunctionType, CScalar, CTypes
from tightrope.program.declarations.declare import declare
from tightrope.program.flow.graph import reverse_postorder
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Function, Global, Instruction, Program, Value
from tightrope.program.marks.marks import NOTHING

_SYMBOL = re.compile(rf"@{NAME}")


@dataclass(slots=True)
class Alignment:
    """`new_of` and `old_of` map places of all kinds to their partners."""

    old: InstructionKeys
    new: InstructionKeys
    new_of: dict[int, int] = field(default_factory=dict)
    old_of: dict[int, int] = field(default_factory=dict)
    altered: dict[int, int] = field(default_factory=dict)  # old -> new: partners that store or divide another value

    def pair(self, old: int, new: int) -> None:
        self.new_of[old], self.old_of[new] = new, old

    def has_pairs(self, old: int, new: int) -> bool:
        return old in self.new_of and new in self.old_of

    def translate(self, value: int | Value) -> Hashable:
        """A value of the old version as a value of the new one."""
        return self.new_of[value] if isinstance(value, int) else self.old.constant(value)


def align(old: InstructionKeys, new: InstructionKeys) -> Alignment:
    """Align functions by name; parameters by position, or by name if their number changed."""
    found = Alignment(old, new)
    theirs = {each.name: each for each in old.code.functions}
    for function in new.code.functions:
        if function.name in theirs:
            found.pair(old.code.called(function.name), new.code.called(function.name))
            _pair_parameters(found, theirs[function.name], function)
            _align_function(found, function.name)
    return found


def _pair_parameters(found: Alignment, old: Function, new: Function) -> None:
    is_same_count = len(old.parameters) == len(new.parameters)
    names = [each.name for each in old.parameters]
    for index, one in enumerate(new.parameters):
        at = index if is_same_count else (names.index(one.name) if one.name in names else None)
        if at is not None and old.parameters[at].type == one.type and old.parameters[at].byval == one.byval:
            before, after = found.old.code.parameter(old.name, at), found.new.code.parameter(new.name, index)
            if before is not None and after is not None:
                found.pair(before, after)


def _align_function(found: Alignment, name: str) -> None:
    before, after = list(_row(found.old.code, name)), list(_row(found.new.code, name))
    for lower, upper, is_same in _match(before, after, found.old.deep, found.new.deep):
        if is_same:
            _pair_all(found, lower, upper)
            continue
        for inner, outer, is_alike in _match(lower, upper, found.old.shallow, found.new.shallow):
            if is_alike:
                _pair_all(found, inner, outer)
            else:
                _pair_altered(found, inner, outer)


def _pair_altered(found: Alignment, before: Sequence[int], after: Sequence[int]) -> None:
    """Pair instructions that store another value at the same address, or divide another value by the same number: they
    changed, but end the same runs as before."""
    rows = [
        [place for place in places if keys.code.instructions[place].opcode in ALTERABLE]
        for keys, places in ((found.old, before), (found.new, after))
    ]
    for lower, upper, is_alike in _match(rows[0], rows[1], found.old.rough, found.new.rough):
        if is_alike:
            _pair_all(found, lower, upper)
            found.altered.update(zip(lower, upper, strict=True))


def _pair_all(found: Alignment, before: Sequence[int], after: Sequence[int]) -> None:
    for one, other in zip(before, after, strict=True):
        found.pair(one, other)


def _match(
    before: Sequence[int], after: Sequence[int], old: Callable[[int], Hashable], new: Callable[[int], Hashable]
) -> Iterator[tuple[Sequence[int], Sequence[int], bool]]:
    """Consecutive pieces of both rows: equal ones, and the gaps between them."""
    numbers: dict[Hashable, int] = {}
    one = [numbers.setdefault(old(place), len(numbers)) for place in before]
    other = [numbers.setdefault(new(place), len(numbers)) for place in after]
    first = _common(one, other)
    last = _common(one[first:][::-1], other[first:][::-1])
    lower, upper = len(one) - last, len(other) - last
    yield before[:first], after[:first], True
    matcher = SequenceMatcher(None, one[first:lower], other[first:upper], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        yield before[first + a : first + b], after[first + c : first + d], tag == "equal"
    yield before[lower:], after[upper:], True


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """The length of the common prefix."""
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return at
    return min(len(one), len(other))


def _row(code: NumberedCode, name: str) -> Iterator[int]:
    """The reachable instructions in the order of control flow, without unconditional jumps."""
    first = code.first_block[name]
    for number in reverse_postorder(code.flows[name].graph, 0):
        yield from (place for place in code.body(first + number) if not is_jump(code.instructions[place]))


def is_jump(each: Instruction) -> bool:
    """True for an unconditional jump."""
    return each.opcode == "br" and not each.operands


# -- check


def check(found: Alignment) -> Iterator[tuple[int, int]]:
    """Pairs (old, new) that do not agree, although each operand and each deciding branch has a partner."""
    for before, after in found.new_of.items():
        if before < len(found.old.code.instructions) and not agree(found, before, after):
            yield before, after


def agree(found: Alignment, before: int, after: int) -> bool:
    """True if the same branches decide both, and both read the same values."""
    if not same_sides(found, found.old.code.deciding(before), found.new.code.deciding(after)):
        return False
    if found.old.code.instructions[before].opcode == "phi":
        return _same_phi(found, before, after)
    function = found.old.code.function_of(before)
    values = values_of(found.old.code.instructions[before])
    others = values_of(found.new.code.instructions[after])
    if before in found.altered:  # only the address or the divisor counts
        values, others = values[1:], others[1:]
    pairs = zip(values, others, strict=False)
    return len(values) == len(others) and all(_same_value(found, function, *pair) for pair in pairs)


def _same_value(found: Alignment, function: str, left: Value, right: Value) -> bool:
    if left.is_local != right.is_local:
        return False
    if not left.is_local:
        return True  # constants were compared by their keys
    before = found.old.code.definitions.get((function, left.text))
    after = found.new.code.definitions.get((function, right.text))
    if before is None or after is None:
        return before is after
    return not found.has_pairs(before, after) or found.new_of[before] == after


def same_sides(found: Alignment, before: Decided, after: Decided) -> bool:
    """True if the branches match, or if one has no partner: that one changed, which affects what it decides."""
    if not all(place in found.new_of for place, _ in before) or not all(place in found.old_of for place, _ in after):
        return True
    return {(found.new_of[place], side) for place, side in before} == after


def _same_phi(found: Alignment, before: int, after: int) -> bool:
    """True if both have the same values on the same edges, in any order."""
    ways, others = list(found.old.code.ways(before)), list(found.new.code.ways(after))
    if not _have_partners(found.new_of, ways) or not _have_partners(found.old_of, others):
        return True
    mine = [(found.translate(value), {(found.new_of[place], side) for place, side in sides}) for value, sides in ways]
    theirs = [(found.new.constant(value), set(sides)) for value, sides in others]
    return len(mine) == len(theirs) and all(mine.count(each) == theirs.count(each) for each in mine)


def _have_partners(partners: Mapping[int, int], ways: Sequence[tuple[int | Value, Decided]]) -> bool:
    values = [value for value, _ in ways if isinstance(value, int)]
    return all(each in partners for each in (*values, *(place for _, sides in ways for place, _ in sides)))


# -- the same code


def is_same_code(old: Program, new: Program, function: str) -> bool:
    """True if the compiler generates the same code for a function, and all that it may call, in two versions."""
    before, after = number_code(old, function), number_code(new, function)
    if [each.type for each in before.functions] != [each.type for each in after.functions]:
        return False
    found = align(InstructionKeys(before, NOTHING), InstructionKeys(after, NOTHING))
    if not _are_all_paired(before, found.new_of) or not _are_all_paired(after, found.old_of):
        return False
    if found.altered or next(check(found), None) is not None:
        return False
    used = _symbols(before) | _symbols(after)
    return not any(one.name in used for pair in changed_globals(found) for one in pair)


def signature_of(ctypes: CTypes, name: str) -> object:
    """The types of a function in C, and how they are spelled: the IR does not distinguish signed from unsigned."""
    kind = ctypes.strip(ctypes.functions[name].type)
    if not isinstance(kind, CFunctionType):
        return kind
    parts = [(ctypes.strip(each), declare(ctypes, each, "")) for each in (kind.result, *kind.parameters)]
    return [(one if isinstance(one, CScalar | CEnum) else type(one), text) for one, text in parts]


def _are_all_paired(code: NumberedCode, partners: Mapping[int, int]) -> bool:
    return all(place in partners for place in range(len(code.instructions)) if is_compared(code, place))


def _symbols(code: NumberedCode) -> frozenset[str]:
    """Names in the code and in initialisers of globals, which may point to each other."""
    texts = [each.text for each in code.instructions if "@" in each.text]
    texts += [each.initializer for each in code.program.globals.values() if "@" in each.initializer]
    return frozenset(name for text in texts for name in _SYMBOL.findall(text))


def is_compared(code: NumberedCode, place: int) -> bool:
    """True if the instruction needs a partner."""
    each = code.instructions[place]
    return not is_jump(each) and each.callee != "@tightrope_output" and code.is_reached(place)


def changed_globals(alignment: Alignment) -> list[tuple[Global, Global]]:
    """Globals whose type or initial value changed. Globals that the compiler creates and numbers are identified by
    their contents."""
    old, new = alignment.old.globals(), alignment.new.globals()
    pairs = [(old[name], one) for name, one in new.items() if name in old]
    return [pair for pair in pairs if alignment.old.global_key(pair[0]) != alignment.new.global_key(pair[1])]
