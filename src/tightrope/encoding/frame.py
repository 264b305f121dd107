"""Walks one call block by block: unrolls loops, and joins states where paths merge.

    entry --- a ---> then ---+
       \\                      +--> join: one state again, values are `a ? .. : ..`
        --- not a ---> else --+

A block has one instance for each iteration of the loops around it. Instances are walked in an order in which all
predecessors of an instance come before it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence

from tightrope.encoding.constants import NotEncodedError
from tightrope.encoding.encoding import WhyDeparted
from tightrope.encoding.function_plan import ANY_LOOP, FunctionPlan
from tightrope.encoding.memory import Memory
from tightrope.encoding.observer import is_outward
from tightrope.encoding.state import ABANDONED, KEPT_IN_CALLS, LABEL, WalkState, join, settle_notes
from tightrope.encoding.values import NUMBER, Object, Pointer, Scalar, Value
from tightrope.encoding.walk import UnitWalk
from tightrope.encoding.watched import Site
from tightrope.expr.build import is_constant, negate, truth
from tightrope.expr.operators import Op
from tightrope.expr.simplify import both, compare, either
from tightrope.expr.terms import Term
from tightrope.location import Location
from tightrope.program.ir.model import Instruction
from tightrope.program.ir.model import Value as Operand
from tightrope.program.marks.regions import unended_begin
from tightrope.weaving.weave_function import last_step

Handler = Callable[["Frame", Instruction], None]
Key = tuple[int, ...]  # iterations of the loops around a block


class Frame:
    """See the module. `handlers` has the meaning of instructions, by opcode."""

    def __init__(self, walk: UnitWalk, plan: FunctionPlan, in_label: bool, handlers: Mapping[str, Handler]) -> None:
        self.walk, self.plan, self.table, self._handlers = walk, plan, walk.table, handlers
        self.called_in_label = self.in_label = in_label
        self.state = WalkState(truth(walk.table, False), {}, Memory())
        self.block = plan.function.blocks[0]
        self.objects: list[Object] = []  # locals with an address
        self._waiting: dict[tuple[str, Key], list[WalkState]] = {}
        self._queue: list[tuple[tuple[int, ...], tuple[str, Key]]] = []
        self._spent: dict[tuple[str, Key], int] = {}  # iterations that inputs decided
        self._open_iterations: set[tuple[str, Key]] = set()
        self._beyond: dict[tuple[str, Key], int] = {}  # `UnitWalk.beyond` when an iteration began
        self._ends: list[tuple[WalkState, Value | None]] = []

    # -- the walk

    def run(self, state: WalkState) -> Value | None:
        """Walk the function; `state` becomes the state after it."""
        self._push(self.block.name, (0,) * len(self.plan.loops_of[self.block.name]), state)
        while self._queue:
            _, instance = heapq.heappop(self._queue)
            self._enter(instance, self._waiting.pop(instance))
        return self._return(state)

    def _push(self, block: str, key: Key, state: WalkState) -> None:
        if state.is_out_of_reach:
            return
        instance = (block, key)
        if instance not in self._waiting:
            self._waiting[instance] = []
            heapq.heappush(self._queue, (self._rank(block, key), instance))
        self._waiting[instance].append(state)

    def _rank(self, block: str, key: Key) -> tuple[int, ...]:
        order, rank = self.plan.order, list[int]()
        for header, count in zip(self.plan.loops_of[block], key, strict=True):
            rank += [order.get(header, 0), count]
        return (*rank, order[block])

    def _enter(self, instance: tuple[str, Key], states: list[WalkState]) -> None:
        block, key = instance
        walk, table = self.walk, self.table
        reach = states[0].reach
        for state in states[1:]:
            reach = either(table, reach, state.reach)
        if is_constant(reach, 0):
            return None
        self.block = self.plan.blocks[block]
        self.state = join(table, states, reach)
        walk.instances += 1
        if walk.is_over_budget:
            return self.depart(WhyDeparted.BUDGET, "", self._place())
        loops = self.plan.loops_of[block]
        if loops and loops[-1] in (block, ANY_LOOP) and not self._may_iterate(loops[-1], key):
            return None
        self.in_label = self.called_in_label or block in self.plan.region_blocks
        self._walk_block(key)

    def _may_iterate(self, header: str, key: Key) -> bool:
        """True if the loop may continue. Only iterations that inputs decide count towards the limit, and those that use
        inputs which the shape lacks: a program may ask for such inputs without end."""
        self._beyond.setdefault((header, key), self.walk.beyond)
        if key[-1] == 0:
            return True
        before = (header, (*key[:-1], key[-1] - 1))
        is_beyond = self.walk.beyond > self._beyond.get(before, self.walk.beyond)
        spent = self._spent.get(before, 0) + (is_beyond or before in self._open_iterations)
        self._spent[header, key] = spent
        is_due = before in self._open_iterations and spent & (spent - 1) == 0 and spent > 1
        if is_due and self.walk.is_cut("loop", self._place(), self.state.reach, self.behind):
            return False
        if spent >= self.walk.limits.iterations:
            self.depart(WhyDeparted.BOUND, "loop", self._place())
            return False
        return True

    def _place(self) -> Location | None:
        places = (each.location for each in self.block.instructions)
        return next((place for place in places if place and place.line), self.plan.function.location)

    def _walk_block(self, key: Key) -> None:
        self._key = key
        counted_before = self._counted_before()
        handlers = self._handlers
        for instruction in self.block.instructions:
            if instruction is counted_before and not self.in_label:
                self.hit(self.number(None), truth(self.table, True))
            opcode = instruction.opcode
            if opcode == "phi":
                continue
            handler = handlers.get(opcode)
            try:
                if handler is None:
                    raise NotEncodedError(f"`{opcode}`")
                handler(self, instruction)
            except NotEncodedError as problem:
                self.depart(WhyDeparted.NOT_ENCODED, str(problem), instruction.location)
            if self.state.is_out_of_reach:
                return

    def _counted_before(self) -> Instruction:
        return unended_begin(self.block) or last_step(self.block)

    def _return(self, state: WalkState) -> Value | None:
        """Join the states of all returns."""
        for each in self.objects:
            each.is_dead = True
        if not self._ends:
            state.reach = truth(self.table, False)
            return None
        reach = self._ends[0][0].reach
        for end, _ in self._ends[1:]:
            reach = either(self.table, reach, end.reach)
        states = []
        for end, value in self._ends:
            end.locals = {} if value is None else {"": value}
            end.notes = {name: note for name, note in end.notes.items() if name in KEPT_IN_CALLS}
            for each in self.objects:
                end.memory.forget(each)
            states.append(end)
        found = join(self.table, states, reach)
        state.reach, state.memory, state.notes = found.reach, found.memory, found.notes
        return found.locals.get("")

    # -- control

    def go(self, target: str, condition: Term) -> None:
        """Control goes to the block if the condition holds."""
        reach = both(self.table, self.state.reach, condition)
        if is_constant(reach, 0):
            return
        source, plan, state = self.block.name, self.plan, self.state
        known = {name: state.locals[name] for name in plan.live[target] if name in state.locals}
        for phi in plan.phis[target]:
            operand = next(value for value, name in phi.incoming if name == source)
            assert phi.result
            known[phi.result] = self.value(operand)
        fork = state.fork(reach, known)
        if not is_constant(condition, 1):
            fork.notes = settle_notes(self.table, fork.notes, condition)
        self._push(target, self._next_key(target), fork)

    def _next_key(self, target: str) -> Key:
        source, loops = self.block.name, self.plan.loops_of
        counts = dict(zip(loops[source], self._key, strict=True))
        is_back = (source, target) in self.plan.back_edges
        if loops[target] == (ANY_LOOP,):
            return (self._key[0] + is_back,)
        return tuple(
            counts.get(header, -1) + 1 if header == target and (is_back or header not in counts) else counts[header]
            for header in loops[target]
        )

    def branch(self, sides: Sequence[tuple[int, str, Term]]) -> None:
        """Control goes to one of several blocks: side, block, condition. Side 0 is taken if no other is."""
        if not any(is_constant(when, 1) for _, _, when in sides):
            self._note_open([target for _, target, _ in sides], any(self.walk.is_decided(when) for _, _, when in sides))
            sides = self._watched(sides) if self.walk.watch is not None else sides
        for side, target, when in sides:
            if not self.in_label:
                self.hit(self.number(side), when)
            self.go(target, when)

    def _watched(self, sides: Sequence[tuple[int, str, Term]]) -> list[tuple[int, str, Term]]:
        """The sides, with conditions replaced by a watcher."""
        here = self.plan.function.name, self.block.name
        others = [(side, target, self.watched((*here, side), when)) for side, target, when in sides if side]
        taken = truth(self.table, False)
        for _, _, when in others:
            taken = either(self.table, taken, when)
        first = [(side, target, negate(self.table, taken)) for side, target, _ in sides if not side]
        return [*first, *others]

    def watched(self, site: Site, condition: Term) -> Term:
        """The condition, or what a watcher replaces it with."""
        watch = self.walk.watch
        if watch is None or condition.op is Op.CONSTANT:
            return condition
        return watch(site, self.state.reach, condition, self.walk.anything)

    def _note_open(self, targets: Sequence[str], is_decided: bool) -> None:
        """Inputs decide here. If a side leaves a loop, inputs decide on its next iteration."""
        site = self.number(0)
        if site is not None and is_decided:
            self.walk.sites.add(site)
        away = [set(self.plan.loops_of[target]) for target in targets]
        for depth, header in enumerate(self.plan.loops_of[self.block.name]):
            if header == ANY_LOOP or any(header not in loops for loops in away):
                self._open_iterations.add((header, self._key[: depth + 1]))

    def end_with(self, value: Value | None) -> None:
        """The function returns."""
        self._ends.append((self.state.fork(self.state.reach, {}), value))

    # -- notes

    def number(self, side: int | None) -> int | None:
        return self.walk.subject.points.numbers.get((self.plan.function.name, self.block.name, side))

    def hit(self, point: int | None, condition: Term) -> None:
        """A run that gets here hits the point if the condition holds."""
        if point is not None:
            when = both(self.table, self.state.reach, condition)
            if not is_constant(when, 0):
                self.walk.hits.setdefault(point, []).append(when)

    # -- ends

    def stop(self, condition: Term | None = None) -> None:
        """Runs for which the condition holds end here; in the predicate of a label, only the predicate ends."""
        if condition is None:
            condition = truth(self.table, True)
        if is_constant(condition, 0):
            return
        if self.in_label:
            self._abandon(condition)
        else:
            self.walk.ends.append(both(self.table, self.state.reach, condition))
            self.state.reach = both(self.table, self.state.reach, negate(self.table, condition))

    def note_undefined(self, condition: Term) -> None:
        """Runs for which the condition holds do what C does not define, whatever the caller gives. Where the unit has
        called a function of another file before, that might not have returned, or have changed something."""
        observer = self.walk.observer
        if observer is None or self.in_label or not self.is_of_program:
            return
        calls = self.state.memory.read(self.table, observer.counter, 0, 4)
        assert isinstance(calls, Term)
        is_first = compare(self.table, Op.EQ, calls, self.table.constant(0, 32))
        self.walk.undefined.append(both(self.table, both(self.table, self.state.reach, is_first), condition))

    def note_lapse(self, condition: Term) -> None:
        """Runs for which the condition holds do what C does not define, and the formula goes on as this machine
        would."""
        if self.walk.observer is not None and not self.in_label and self.is_of_program:
            self.walk.lapses.append(both(self.table, self.state.reach, condition))

    @property
    def is_of_program(self) -> bool:
        """True in a function of the user's, not of the driver, a stub or a model: what these do is our choice."""
        return not self.plan.is_ours and not is_outward(self.walk.observer, self.plan.function.name)

    def _abandon(self, condition: Term) -> None:
        before = self.state.notes.get(ABANDONED, {}).get(1, truth(self.table, False))
        self.state.notes[ABANDONED] = {1: either(self.table, before, condition)}

    @property
    def is_abandoned(self) -> Term:
        return self.state.notes.get(ABANDONED, {}).get(1, truth(self.table, False))

    def depart(self, why: WhyDeparted, what: str, place: Location | None = None, condition: Term | None = None) -> None:
        """Runs for which the condition holds leave the encoding here."""
        self.doubt(why, what, place, condition)
        if condition is None:
            self.state.reach = truth(self.table, False)
        elif self.in_label:
            self._abandon(condition)
        else:
            self.state.reach = both(self.table, self.state.reach, negate(self.table, condition))

    def doubt(self, why: WhyDeparted, what: str, place: Location | None = None, condition: Term | None = None) -> None:
        """From here on, runs of another caller or on another machine may differ. Noted as a departure; the walk
        continues."""
        when = self.state.reach if condition is None else both(self.table, self.state.reach, condition)
        labels = tuple(self.state.notes.get(LABEL, ())) if self.in_label and condition is not None else ()
        behind = sum(1 << point for point in labels) if labels else self.behind
        self.walk.depart(why, what, place, when, behind)

    @property
    def behind(self) -> int:
        """The points that a run may hit from here on, as a mask."""
        return self.walk.behind(self.plan.function.name, self.block.name)

    # -- operands

    def value(self, operand: Operand) -> Value:
        if operand.is_local:
            known = self.state.locals.get(operand.text)
            if known is None:
                raise NotEncodedError(f"`{operand.text}`")
            return known
        return self.walk.constants.value(operand)

    def scalar(self, operand: Operand) -> Scalar:
        value = self.value(operand)
        if isinstance(value, tuple):
            raise NotEncodedError("an operation on a vector or struct")
        return value

    def term(self, operand: Operand) -> Term:
        """The operand as a number. For an address, the number is unconstrained, and a run that uses it departs at a
        bound."""
        value = self.scalar(operand)
        return value if isinstance(value, Term) else self.as_number(value)

    def as_number(self, pointer: Pointer) -> Term:
        if len(pointer.ways) == 1 and pointer.ways[0][1] is NUMBER:
            return pointer.ways[0][2]
        self.doubt(WhyDeparted.ADDRESS, "an address is used as a number")
        return self.walk.anything(64)

    def define(self, instruction: Instruction, value: Value) -> None:
        if instruction.result:
            self.state.locals[instruction.result] = value

    def equal(self, one: Term, number: int) -> Term:
        return compare(self.table, Op.EQ, one, self.table.constant(number, one.bits))
