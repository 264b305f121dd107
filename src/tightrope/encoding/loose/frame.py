"""Walks one call in a loose formula: a loop is walked once, for any of its iterations.

header:  what the loop may change is unknown here, so it holds at the start of every iteration
body:    walked once
back:    edges back to the header are not followed

A loop that certainly ends after a few iterations (`for (i = 0; i < 4; i++)`) is unrolled instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from tightrope.encoding.constants import NotEncodedError
from tightrope.encoding.encoding import WhyDeparted
from tightrope.encoding.frame import Frame, Handler, Key
from tightrope.encoding.function_plan import FunctionPlan
from tightrope.encoding.loose.addresses import split
from tightrope.encoding.loose.memory import LooseMemory, Stretch
from tightrope.encoding.loose.written import WrittenVariables
from tightrope.encoding.positions import choose_position, find_positions
from tightrope.encoding.state import settle_notes
from tightrope.encoding.values import NUMBER, WORD, FunctionPlace, Object, Pointer, Scalar, Value
from tightrope.expr.build import is_constant, negate, truth
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, both, choose, compare, either
from tightrope.expr.terms import Term
from tightrope.location import Location
from tightrope.program.ir.model import Instruction
from tightrope.program.ir.model import Value as Operand
from tightrope.program.ir.types import FloatType, IntType, PointerType, Type
from tightrope.weaving.weave_function import scalar_bits

if TYPE_CHECKING:
    from tightrope.encoding.loose.walk import LooseWalk

PAGE = 4096  # the first bytes of memory, and the last ones, which nobody can use
MOST_ITERATIONS = 64  # of a loop that is unrolled
MOST_ELEMENTS = 512  # of a constant table whose index is not known
MOST_UNSETTLED = 16  # if its counter does not decide whether it goes on (`while (i < length)`): it hardly ever ends
MOST_BLOCKS_OPEN = 64  # of its iterations, if even MOST_UNSETTLED of them would not let the counter decide that
_COMPUTES = frozenset(("add", "sub", "and", "or", "xor", "zext", "sext", "trunc", "icmp"))
_CHOOSES = ("br", "switch")
Loop = tuple[str, str]  # function, and the block at which the loop starts


class LongLoopError(Exception):
    """A loop that was to be unrolled does not end soon enough."""

    def __init__(self, loop: Loop) -> None:
        super().__init__(*loop)
        self.loop = loop


class LooseFrame(Frame):
    """See the module."""

    def __init__(self, walk: LooseWalk, plan: FunctionPlan, in_label: bool, handlers: Mapping[str, Handler]) -> None:
        super().__init__(walk, plan, in_label, handlers)
        self.loose = walk
        self._locals: dict[str, Term] = {}  # addresses of locals
        self._not_empty: set[Term] = set()  # those of locals that surely have a byte
        self._settled: set[tuple[str, Key]] = set()  # iterations in which constants decided about a way out of the loop
        self._begun: dict[tuple[str, Key], int] = {}  # by loop: how many blocks were walked before

    @property
    def memory(self) -> LooseMemory:
        return cast(LooseMemory, self.state.memory)

    # -- control

    def go(self, target: str, condition: Term) -> None:
        before = self.state.locals
        self.state.locals = self._with_known(target, condition)
        self._go(target, condition)
        self.state.locals = before

    def _with_known(self, target: str, condition: Term) -> dict[str, Value]:
        """The locals, for an edge: behind `if (made == NULL) goto fail`, `made` is NULL. Only what a phi node of the
        target takes is replaced: other locals must stay the same values on all edges."""
        unknown, number = condition.args if condition.op is Op.EQ else (condition, condition)
        is_plain = unknown.op is Op.INPUT and not unknown.is_float and self.loose.addresses.root(unknown) is None
        if not is_plain or number.op is not Op.CONSTANT:
            return self.state.locals
        phis, kept = self.plan.phis[target], self.plan.live[target]
        given = {value.text for phi in phis for value, name in phi.incoming if name == self.block.name}
        given = {name for name in given.difference(kept) if self.state.locals.get(name) is unknown}
        return {**self.state.locals, **dict.fromkeys(given, number)} if given else self.state.locals

    def _go(self, target: str, condition: Term) -> None:
        if self._is_unrolled(target):
            return super().go(target, condition)
        reach = both(self.table, self.state.reach, condition)
        self._note_violations(target, reach)
        if (self.block.name, target) in self.plan.back_edges or is_constant(reach, 0):
            return None
        known = {name: self.state.locals[name] for name in self.plan.live[target] if name in self.state.locals}
        fork = self.state.fork(reach, known)
        for phi in self.plan.phis[target]:
            if scalar_bits(phi.type):
                known[str(phi.result)] = self.unknown(phi.type)
        fork.notes = settle_notes(self.table, fork.notes, condition)
        before, self.state = self.state, fork
        self.forget_written(self._written_in_loop(target))
        for guess in self.loose.guesses(self.plan, target):
            counter = known.get(guess.phi)
            claim = guess.holds(self.table, counter, self._number_of) if isinstance(counter, Term) else None
            if claim is not None:
                is_wrong = negate(self.table, self.loose.is_assumed(guess))
                fork.reach = both(self.table, fork.reach, either(self.table, is_wrong, claim))
        self.state = before
        self._push(target, self._next_key(target), fork)

    def _note_violations(self, target: str, reach: Term) -> None:
        """Runs that enter the loop, or begin its next iteration, with a counter that is not as guessed."""
        for guess in self.loose.guesses(self.plan, target):
            phi = next(each for each in self.plan.phis[target] if each.result == guess.phi)
            given = next(self._number_of(value) for value, block in phi.incoming if block == self.block.name)
            claim = guess.holds(self.table, given, self._number_of) if given is not None else None
            violated = truth(self.table, True) if claim is None else negate(self.table, claim)
            self.loose.note_violation(guess, both(self.table, reach, violated))

    def _number_of(self, operand: Operand) -> Term | None:
        found = self.value(operand)
        return found if isinstance(found, Term) and not found.is_float else None

    def _is_unrolled(self, target: str) -> bool:
        """True if it starts no loop, or one that is unrolled."""
        is_header = target in self.plan.loops_of[target]
        return not is_header or (self.plan.function.name, target) in self.loose.unrolled

    def _may_iterate(self, header: str, key: Key) -> bool:
        is_settled = (header, (*key[:-1], key[-1] - 1)) in self._settled
        if key[-1] > (MOST_ITERATIONS if is_settled else MOST_UNSETTLED):
            raise LongLoopError((self.plan.function.name, header))
        walked = self.walk.instances - self._begun.setdefault((header, key[:-1]), self.walk.instances)
        is_costly = key[-1] > 0 and not is_settled and walked > MOST_BLOCKS_OPEN
        if is_costly and self._stays_open(header, MOST_UNSETTLED - key[-1]):
            raise LongLoopError((self.plan.function.name, header))
        return True

    def _stays_open(self, header: str, further: int) -> bool:
        """True if so many iterations later, constants still do not decide about a way out of the loop. Only what is
        computed from constants and counters is followed."""
        plan, state = self.plan, self.state
        inside = {name for name in plan.blocks if header in plan.loops_of[name]}
        exits = [plan.blocks[name] for name in inside if not inside.issuperset(plan.blocks[name].successors)]
        made = {each.result: each for name in inside for each in plan.blocks[name].instructions if each.result}
        known = {name: value for name, value in state.locals.items() if name not in made}
        for phi in plan.phis[header]:
            now, step = state.locals.get(phi.result or ""), _step(phi, made)
            if phi.result and step is not None and isinstance(now, Term) and now.op is Op.CONSTANT:
                known[phi.result] = self.table.constant((now.number + further * step) % (1 << now.bits), now.bits)
        self.state = state.fork(state.reach, known)
        conditions = [each.instructions[-1].operands[0] for each in exits if each.instructions[-1].opcode in _CHOOSES]
        found = [self._computed(operand, made) for operand in conditions]
        self.state = state
        return not any(each.op is Op.CONSTANT for each in found if isinstance(each, Term))

    def _computed(self, operand: Operand, made: Mapping[str, Instruction]) -> Value:
        """The value of an operand; what a loop makes is computed again."""
        each = made.get(operand.text)
        if each is not None and operand.text not in self.state.locals and each.opcode in _COMPUTES:
            for needed in each.operands:
                self._computed(needed, made)
            self._handlers[each.opcode](self, each)
        return self.value(operand)

    def branch(self, sides: Sequence[tuple[int, str, Term]]) -> None:
        if any(is_constant(when, 1) for _, _, when in sides):
            targets = [set(self.plan.loops_of[target]) for target in self.block.successors]
            for depth, header in enumerate(self.plan.loops_of[self.block.name]):
                if any(header not in loops for loops in targets):
                    self._settled.add((header, self._key[: depth + 1]))
        super().branch(sides)

    def _written_in_loop(self, header: str) -> WrittenVariables:
        inside = (block for name, block in self.plan.blocks.items() if header in self.plan.loops_of[name])
        instructions = (each for block in inside for each in block.instructions)
        return self.loose.written.by_instructions(self.plan.function, instructions)

    def depart(self, why: WhyDeparted, what: str, place: Location | None = None, condition: Term | None = None) -> None:
        """Nothing leaves a loose formula: what has no meaning is unknown."""

    def doubt(self, why: WhyDeparted, what: str, place: Location | None = None, condition: Term | None = None) -> None:
        """It holds for every caller and on every machine."""

    # -- values

    def value(self, operand: Operand) -> Value:
        if operand.is_local:
            known = self.state.locals.get(operand.text)
            return self.unknown(operand.type) if known is None else known
        if "undef" in operand.text or "poison" in operand.text:
            return self.unknown(operand.type)
        if self.loose.is_variable(operand.text):
            return self.loose.addresses.of_symbol(operand.text)
        try:
            found = self.walk.constants.value(operand)
        except NotEncodedError:
            return self.unknown(operand.type)
        if isinstance(found, tuple):
            return tuple(self._number(each) for each in found)
        is_integer = not isinstance(operand.type, PointerType) or operand.text.startswith("inttoptr")
        return self.loose.addresses.as_integer(self._number(found)) if is_integer else self._number(found)

    def _number(self, value: Scalar) -> Term:
        if isinstance(value, Term):
            return value
        if len(value.ways) != 1:
            return self.walk.anything(64)
        _, place, offset = value.ways[0]
        if place is NUMBER:
            return offset
        assert isinstance(place, Object | FunctionPlace)
        return apply(self.table, Op.ADD, self.loose.addresses.of_symbol(place.name), offset)

    def as_number(self, pointer: Pointer) -> Term:
        return self._number(pointer)

    def unknown(self, kind: Type) -> Value:
        if self.walk.constants.is_aggregate(kind):
            return tuple(self._unknown_scalar(leaf) for leaf, _ in self.walk.constants.layout.leaves(kind))
        return self._unknown_scalar(kind)

    def _unknown_scalar(self, kind: Type) -> Term:
        bits = scalar_bits(kind)
        if not bits:
            raise NotEncodedError(f"a value of type {kind}")
        return self.walk.anything(bits, isinstance(kind, FloatType))

    def define_unknown(self, instruction: Instruction) -> None:
        try:
            self.define(instruction, self.unknown(instruction.type))
        except NotEncodedError:
            self.state.locals.pop(instruction.result or "", None)

    # -- memory

    def make_local(self, name: str, *, is_empty: bool) -> Term:
        is_hidden = name in self.loose.written.hidden_locals(self.plan.function)
        self._locals[name] = self.loose.addresses.make_local(is_hidden=is_hidden)
        if not is_empty:
            self._not_empty.add(self._locals[name])
        return self._locals[name]

    def are_apart(self, one: Term, other: Term) -> bool:
        """True if these are the addresses of two locals of this call: they have at least a byte each, none of which
        is in both."""
        return one is not other and one in self._not_empty and other in self._not_empty

    def initial_value(self, stretch: Stretch, kind: Type) -> Term | None:
        """What a constant holds; None if it is not a constant, or not known."""
        base, offset, size = stretch
        name = self.loose.addresses.name(base)
        if name is None or not self.loose.is_fixed(name):
            return None
        cells = self.walk.constants.object_of(name).initial
        cell = cells.get(offset)
        if cell is not None and cell[0] == size and isinstance(cell[1], Term):
            return cell[1]
        if offset < 0 or any(at < offset + size and offset < at + length for at, (length, _) in cells.items()):
            return None
        zero = self.walk.constants.zero_scalar(kind)
        return self._number(zero) if offset + size <= self.walk.constants.object_of(name).size else None

    def constant_text(self, operand: Operand) -> bytes | None:
        """The string constant at an address; None if it is none, or longer than MOST_ELEMENTS."""
        base, offset = split(self.term(operand))
        found = bytearray()
        while len(found) < MOST_ELEMENTS:
            byte = self.initial_value((base, offset + len(found), 1), IntType(8))
            if byte is None or byte.op is not Op.CONSTANT:
                return None
            if not byte.number:
                return bytes(found)
            found.append(byte.number)
        return None

    def constant_element(self, stretch: Stretch, kind: Type) -> Term | None:
        """What a constant holds at an index that is not known; None if it is not a constant, or too large. Outside of
        it, and where it holds an address, that is anything."""
        base, offset, size = stretch
        root = self.loose.addresses.root(base)
        name = self.loose.addresses.name(root) if root is not None else None
        inside = self.loose.addresses.inside(base)
        if root is None or name is None or inside is None or not self.loose.is_fixed(name):
            return None
        table, last = self.table, self.walk.constants.object_of(name).size - size
        where = apply(table, Op.ADD, inside, table.constant(offset % (1 << WORD), WORD))
        positions = find_positions(table, where, last, self.walk.candidates)
        if not 0 < len(positions.offsets) <= MOST_ELEMENTS:
            return None
        other = self._unknown_scalar(kind)
        held = [self.initial_value((root, at, size), kind) for at in positions.offsets]
        fits = [each is not None and (each.bits, each.is_float) == (other.bits, other.is_float) for each in held]
        values = [each if each and fit else self._unknown_scalar(kind) for each, fit in zip(held, fits, strict=True)]
        found = choose_position(table, positions, values, partial(choose, table))
        is_inside = compare(table, Op.ULE, where, table.constant(last, WORD))
        return choose(table, is_inside, found, other)

    def assume_used(self, base: Term, offset: int) -> None:
        """The run has read or written here: a run in which the pointer is NULL has ended. Nor did it lead to the end of
        memory, so that the next element has an address, too."""
        is_plain = base.op in (Op.INPUT, Op.ITE) and self.loose.addresses.root(base) is None
        if not is_plain or self.in_label or not 0 <= offset < PAGE:
            return
        self.stop(self.equal(base, 0))
        headers = self.plan.loops_of[self.block.name]
        if any(guess.is_about_pointer for header in headers for guess in self.loose.guesses(self.plan, header)):
            page = self.table.constant(PAGE, WORD)
            self.stop(compare(self.table, Op.ULT, apply(self.table, Op.ADD, base, page), page))

    def forget_written(self, written: WrittenVariables) -> None:
        if written.may_be_anything:
            self.memory.forget_shared()
        symbols = self.loose.addresses.of_symbol
        found = [symbols(name) if name.startswith("@") else self._locals.get(name) for name in sorted(written.names)]
        self.memory.forget_variables([each for each in found if each is not None])


def _step(phi: Instruction, made: Mapping[str, Instruction]) -> int | None:
    """What each iteration adds to a counter; None if that is not a constant."""
    steps = [made[value.text] for value, _ in phi.incoming if value.text in made]
    if len(steps) != 1 or steps[0].opcode != "add" or steps[0].operands[0].text != phi.result:
        return None
    number = steps[0].operands[1].text
    return int(number) if number.lstrip("-").isdecimal() else None
