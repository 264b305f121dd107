"""The largest value that an index can have, as far as constants of the code tell: evidence for the size of an array.

    for (i = 0; i < 20; i++) ev[i]              19     a comparison on every way there
    t[c & 15]   t[n % 10]   t[4 * i + j]        15, 9, and 4 times the largest i plus the largest j
    while (k-- > 0) *p++ = 0;                          no index: `most_moves` says how often a loop repeats

Negative values are not excluded, and a caller may do something else: good for choosing inputs, not for proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tightrope.program.flow.control_flow import Flow, flow_of
from tightrope.program.flow.graph import Loop
from tightrope.program.ir.model import Block, Function, Instruction, Value
from tightrope.program.ir.types import IntType

_DEPTH = 12  # of computations that are followed
_NARROW = 8  # bits of a number whose type is evidence: `table[(unsigned char)c]`. Not of one that only counts or limits
_MOST = 1024  # an index that may be larger tells nothing: `table[high << 8 | low]`
_CASTS = ("sext", "zext", "trunc", "freeze")
# What is known of `a` if `a PREDICATE b` is true: the largest a is the largest b plus this.
_BELOW = {"slt": -1, "ult": -1, "sle": 0, "ule": 0, "eq": 0}
_INVERSE = {
    "slt": "sge", "sge": "slt", "ult": "uge", "uge": "ult", "sle": "sgt", "sgt": "sle", "ule": "ugt", "ugt": "ule",
    "eq": "ne", "ne": "eq",
}  # fmt: skip
_SWAPPED = {"slt": "sgt", "sgt": "slt", "ult": "ugt", "ugt": "ult", "sle": "sge", "sge": "sle", "ule": "uge",
            "uge": "ule", "eq": "eq", "ne": "ne"}  # fmt: skip

Condition = tuple[Value, bool]  # an i1, and the value that it has


class IndexBounds:
    """The bounds in one function."""

    def __init__(self, function: Function) -> None:
        self._blocks = {block.name: block for block in function.blocks}
        self._function = function
        self._known: dict[tuple[str, str, bool], int | None] = {}  # by local, block and whether types count
        self._conditions_known: dict[str, tuple[Condition, ...]] = {}

    @cached_property
    def _definitions(self) -> dict[str, tuple[Instruction, str]]:
        """By local: what computes it, and in which block."""
        return {each.result: (each, block.name) for block in self._function.blocks for each in block.instructions
                if each.result}  # fmt: skip

    @cached_property
    def _flow(self) -> Flow:
        return flow_of(self._function)

    @cached_property
    def _above(self) -> dict[str, str | None]:
        return dict(self._flow.immediate_dominators())

    @cached_property
    def _loops(self) -> tuple[Loop, ...]:
        return self._flow.loops()

    def most(self, index: Value, user: str) -> int | None:
        """The largest value of an index in the computation of the local `user`; None if nothing tells."""
        if user not in self._definitions:
            return None
        found = self._most(index, self._definitions[user][1], _DEPTH, by_type=True)
        return found if found is not None and 0 <= found < _MOST else None

    def most_moves(self, moved: str) -> int | None:
        """How often a loop that moves a pointer on, to the local `moved`, can repeat, if it counts to a constant."""
        block = self._definitions[moved][1] if moved in self._definitions else ""
        bounds = [self._most_iterations(header, block) for header in self._headers_around(block)]
        known = [each for each in bounds if each is not None]
        return max(known, default=None)

    # -- values

    def _most(self, value: Value, block: str, depth: int, by_type: bool = False) -> int | None:
        """The largest value of an integer where control is in this block. `by_type`: narrow types tell, too."""
        if not isinstance(value.type, IntType) or not depth:
            return None
        if not value.is_local:
            return _number(value)
        key = value.text, block, by_type
        if key not in self._known:
            self._known[key] = None  # nothing is known of a value that is computed from itself
            limits = (self._limit(value, each, block, depth) for each in self._conditions(block))
            found = [each for each in (self._most_of(value, block, depth, by_type), *limits) if each is not None]
            self._known[key] = min(found, default=None)
        return self._known[key]

    def _most_of(self, value: Value, block: str, depth: int, by_type: bool) -> int | None:
        """As the value is computed."""
        each, _ = self._definitions.get(value.text, (None, ""))
        if each is None:
            return None
        if each.opcode == "phi":
            return self._most_of_phi(each, depth)
        if each.opcode in _CASTS:
            return self._most_of_cast(each, block, depth, by_type)
        is_last = (
            each.opcode == "sub" and _number(each.operands[1]) == 1
        )  # `t[n - 1]` of n elements: n is a number of them
        known = [self._most(one, block, depth - 1, by_type and not is_last) for one in each.operands]
        if each.opcode == "select":
            return None if None in known[1:] else max(one for one in known[1:] if one is not None)
        return _combine(each.opcode, known, [_number(one) for one in each.operands])

    def _most_of_cast(self, cast: Instruction, block: str, depth: int, by_type: bool) -> int | None:
        source = cast.operands[0]
        found = self._most(source, block, depth - 1, by_type)
        bits = source.type.bits if isinstance(source.type, IntType) else 64
        if by_type and cast.opcode == "zext" and bits <= _NARROW and not self._is_phi(source):
            most = (1 << bits) - 1
            return most if found is None else min(most, found)
        return found

    def _most_of_phi(self, phi: Instruction, depth: int) -> int | None:
        """The largest of what comes in. What is the phi itself minus something is never the largest."""
        found: list[int] = []
        for value, block in phi.incoming:
            if self._is_below(value, phi):
                continue
            limits = [self._limit(value, each, block, depth - 1) for each in self._conditions_of_edge(block, phi)]
            known = [self._most(value, block, depth - 1), *limits]
            best = min((each for each in known if each is not None), default=None)
            if best is None:
                return None
            found.append(best)
        return max(found, default=None)

    def _is_below(self, value: Value, phi: Instruction) -> bool:
        each, _ = self._definitions.get(value.text, (None, ""))
        if each is None or each.opcode not in ("add", "sub") or each.operands[0].text != phi.result:
            return value.text == phi.result
        step = _number(each.operands[1])
        return step is not None and (step < 0) == (each.opcode == "add")

    # -- conditions

    def _conditions(self, block: str) -> tuple[Condition, ...]:
        """What is true on every way to this block."""
        if block not in self._conditions_known:
            self._conditions_known[block] = ()
            self._conditions_known[block] = tuple(dict.fromkeys(self._find_conditions(block)))
        return self._conditions_known[block]

    def _find_conditions(self, block: str) -> Iterator[Condition]:
        at: str | None = block
        while at is not None:
            above = self._above.get(at)
            if above is not None and self._flow.predecessors(at) == (above,):
                yield from self._of_branch(self._blocks[above], at)
            at = above

    def _conditions_of_edge(self, block: str, phi: Instruction) -> Iterator[Condition]:
        target = self._definitions[phi.result or ""][1]
        yield from self._of_branch(self._blocks[block], target)

    def _of_branch(self, block: Block, target: str) -> Iterator[Condition]:
        branch = block.instructions[-1]
        if branch.opcode == "br" and len(branch.targets) == 2 and branch.targets[0] != branch.targets[1]:
            yield from self._parts(branch.operands[0], target == branch.targets[0])

    def _parts(self, value: Value, is_true: bool) -> Iterator[Condition]:
        """Clang computes `a && b` of a loop as `phi [false, a's block], [b, b's block]`."""
        each, _ = self._definitions.get(value.text, (None, ""))
        if each is None:
            return
        if each.opcode == "phi":
            others = [(one, at) for one, at in each.incoming if one.text != str(not is_true).lower()]
            if len(others) == 1:
                yield from self._parts(others[0][0], is_true)
                yield from self._conditions(others[0][1])
        elif each.opcode == "icmp":
            yield value, is_true

    def _limit(self, value: Value, condition: Condition, block: str, depth: int) -> int | None:
        """What a comparison tells about the largest value."""
        compare, _ = self._definitions[condition[0].text]
        predicate = compare.predicate if condition[1] else _INVERSE[compare.predicate]
        one, other = compare.operands
        if self._source(one) != self._source(value):
            one, other, predicate = other, one, _SWAPPED[predicate]
        if self._source(one) != self._source(value) or not depth:
            return None
        if predicate == "ne":  # `i != 20` of a loop that counts up
            end = _number(other)
            return end - 1 if end is not None and end > 0 and self._is_phi(one) else None
        limit = self._most(other, block, depth - 1) if predicate in _BELOW else None
        return None if limit is None else limit + _BELOW[predicate]

    def _source(self, value: Value) -> str:
        """The local without casts."""
        for _ in range(_DEPTH):
            each, _ = self._definitions.get(value.text, (None, ""))
            if each is None or each.opcode not in _CASTS:
                break
            value = each.operands[0]
        return value.text if value.is_local else f"{value.text} is no local"

    def _is_phi(self, value: Value) -> bool:
        each, _ = self._definitions.get(self._source(value), (None, ""))
        return each is not None and each.opcode == "phi"

    # -- loops

    def _headers_around(self, block: str) -> Iterator[str]:
        """Of the loops that the block is in."""
        number = self._flow.numbers.get(block)
        for loop in self._loops:
            if number is not None and loop.body >> number & 1:
                yield self._flow.blocks[loop.header]

    def _most_iterations(self, header: str, inside: str) -> int | None:
        """How often the loop repeats, if one of its variables counts to a constant."""
        for each in self._blocks[header].instructions:
            if each.opcode == "phi" and isinstance(each.type, IntType):
                value = Value(each.type, each.result or "")
                starts = [_number(one) for one, _ in each.incoming]
                start = next((one for one in starts if one is not None), None)
                last = self._most(value, inside, _DEPTH)
                if start is not None and last is not None and last >= 0:
                    counts_down = any(self._is_below(one, each) for one, _ in each.incoming)
                    return start if counts_down else last - start + 1
        return None


def _number(value: Value) -> int | None:
    return int(value.text) if value.text.removeprefix("-").isdigit() else None


def _combine(opcode: str, known: list[int | None], literal: list[int | None]) -> int | None:
    """The largest result, from the largest operands; `literal` has those that are constants."""
    if len(known) != 2:
        return None
    one, other = known
    match opcode, literal[1]:
        case "and", _:
            return min((each for each in known if each is not None and each >= 0), default=None)
        case "urem" | "srem", int(by) if by > 0:
            return by - 1 if one is None else min(by - 1, one)
        case "sub", int(by) if one is not None:
            return one - by
        case "lshr" | "ashr", int(by) if one is not None and one >= 0 and 0 <= by < 64:
            return one >> by
        case "udiv" | "sdiv", int(by) if one is not None and by > 0:
            return one // by
        case "shl", int(by) if one is not None and 0 <= by < 32:
            return one << by
    if one is None or other is None:
        return None
    match opcode:
        case "add":
            return one + other
        case "mul" if one >= 0 and other >= 0:
            return one * other
        case "or" | "xor" if one >= 0 and other >= 0:
            return (1 << max(one, other).bit_length()) - 1
    return None
