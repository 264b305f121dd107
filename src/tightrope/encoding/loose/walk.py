"""The loose formula of a unit: true for everything that runs do, and for more.

The formula of the whole unit (encoding/unit.py) is about inputs of one shape. This one is about the code alone:
parameters, memory, the answers of functions without a body and what earlier iterations of a loop have done are unknown.
So a point without a solution is hit by no run, whatever a caller passes, however long strings are, whatever pointers
alias and whatever was called before:

    if (!p) return;  ...  if (!p)              p is the same
    switch (x & 3) { ... default: }            for every x
    if (s->mode > 5) { *q = 1; if (s->mode < 3)    not refuted: q may point to s->mode

Law: for every run of every caller, and each time it gets to a point, some values of the unknowns satisfy the term of
this point. A run in which a pointer is NULL where it is used ends there.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tightrope.encoding.encoding import EncodingLimits
from tightrope.encoding.function_plan import ANY_LOOP, FunctionPlan
from tightrope.encoding.loose.addresses import Addresses
from tightrope.encoding.loose.frame import LongLoopError, Loop, LooseFrame
from tightrope.encoding.loose.handlers import make_handlers
from tightrope.encoding.loose.invariants import Guess, find_guesses
from tightrope.encoding.loose.memory import LooseMemory
from tightrope.encoding.loose.written import WrittenFinder
from tightrope.encoding.mark_handlers import MarkHandlers
from tightrope.encoding.state import KEPT_IN_CALLS, WalkState
from tightrope.encoding.values import EncodingTable, Value
from tightrope.encoding.walk import EncodedUnit, UnitWalk
from tightrope.expr.build import is_constant, negate, truth
from tightrope.expr.operators import Op
from tightrope.expr.simplify import any_of, compare
from tightrope.expr.terms import Term
from tightrope.harness.driver import is_driver
from tightrope.library.libc_models import PREFIX
from tightrope.library.table import FUNCTIONS
from tightrope.program.flow.call_graph import CallGraph, build_call_graph, find_aliases, reachable_functions
from tightrope.program.flow.points import Points
from tightrope.program.ir.linked_programs import replaceable_symbols, weak_references
from tightrope.program.ir.model import Function, Instruction, Program
from tightrope.program.ir.types import ArrayType, FloatType, IntType, Type
from tightrope.program.marks.marks import CONDITION, LABEL_END, Marks
from tightrope.program.marks.point_graph import PointGraph
from tightrope.program.marks.unwritten import is_ours
from tightrope.weaving.mark_table import MarkTable
from tightrope.weaving.weave_function import scalar_bits

MOST_INSTANCES = 20_000  # of blocks
DEEPEST = 12  # calls
MOST_BLOCKS_OF_MODEL = 4
_NOT_IN_SHORT_MODEL = frozenset({"call", "load", "store", "alloca", "cmpxchg", "atomicrmw", "fence"})
MOST_ROUNDS = 6  # of giving up guesses; then none is left
_KNOWN_ENDS = ("br", "switch", "ret", "unreachable")
IsRefuted = Callable[[Sequence[Term]], bool]


@dataclass(frozen=True, slots=True)
class Inlining:
    """Which calls are walked. Of the others, nothing is known."""

    most_blocks: int  # of called functions, besides the first walk of each
    most_of_call: float = math.inf  # blocks of the function and of all that it may call


ALL_CALLS = Inlining(2_000)
SMALL_CALLS = Inlining(600, 40)  # a formula that is made in a fraction of the time, and often proves as much


class LooseLimitError(Exception):
    """The unit is too large, or the time is over."""


@dataclass(frozen=True, slots=True)
class LooseFormula:
    """`points`: for each point, when runs may hit it; those of `refutable` that are missing are hit by no run."""

    table: EncodingTable
    definitions: tuple[Term, ...]
    points: dict[int, Term]
    refutable: int  # the points about which the formula says something, as a mask
    instances: int
    violations: tuple[
        Term, ...
    ] = ()  # of what is assumed about loops: have no solution either, and belong to each proof
    is_cut: bool = False  # calls were not walked: with more of them, it would say more

    def definitions_for(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """The definitions that share an unknown with these terms, or with another one that does. The others can be
        fulfilled whatever these are, and a few of them (doubles) may be too hard for every question."""
        known, left, found = 0, list(self.definitions), dict[Term, None]()
        for term in terms:
            known |= term.support
        while near := [each for each in left if each.support & known]:
            found |= dict.fromkeys(near)
            left = [each for each in left if each not in found]
            for each in near:
                known |= each.support
        return tuple(found)


@dataclass(slots=True)
class LooseWalk(UnitWalk):
    """One loose formula in the making. `start` is the function under test."""

    start: str = ""
    end: float = math.inf  # of the time for it, on the clock
    unrolled: frozenset[Loop] = frozenset()
    absent: frozenset[str] = frozenset()  # symbols whose address may be NULL
    foreign: frozenset[str] = frozenset()  # constants whose values another file of the program gives
    is_guessing: bool = False  # about the counters of loops
    inlining: Inlining = ALL_CALLS
    is_too_large: bool = False  # calls were not walked because of that
    violations: dict[Guess, list[Term]] = field(default_factory=dict)  # of guesses: the runs that would show it
    marks: Marks = field(default_factory=Marks)
    addresses: Addresses = field(init=False)
    written: WrittenFinder = field(init=False)
    graph: CallGraph = field(init=False)
    _aliases: dict[str, str] = field(default_factory=dict)
    _replaceable: frozenset[str] = frozenset()
    _own: frozenset[str] = frozenset()  # functions of the user, in which there are points
    _alone: dict[str, None] = field(default_factory=dict)  # functions to be walked for any caller
    _stack: list[str] = field(default_factory=list)
    _sizes: dict[str, int] = field(default_factory=dict)
    _guesses: dict[Loop, tuple[Guess, ...]] = field(default_factory=dict)
    _assumed: dict[Guess, Term] = field(default_factory=dict)  # for each guess, an unknown: whether it is assumed

    def __post_init__(self) -> None:
        program = self.subject.program
        self.graph = build_call_graph(program)
        self._aliases = dict(find_aliases(program))
        self._replaceable = frozenset((*replaceable_symbols(program), *replaceable_symbols(program).values()))
        pointed = {function for function, _, _ in self.subject.points.numbers}
        reached = reachable_functions(program, self.start, self.graph)
        self._own = frozenset(name for name in reached if name in pointed and not _is_ours(program.functions[name]))
        others = frozenset(name for name in program.functions if name not in self._own and not _is_model(name))
        self.written = WrittenFinder(program, others | self._replaceable)
        self.addresses = Addresses(self.table, self.anything)

    def encode_loosely(self) -> LooseFormula:
        self.table.fresh = self.anything
        taken = (name for name in self.subject.program.functions if name in self.graph.address_taken & self._own)
        self._alone = dict.fromkeys((self.start, *taken))
        walked = 0
        while walked < len(self._alone):  # it grows
            self._walk_alone(list(self._alone)[walked])
            walked += 1
        there = [address for name, address in self.addresses.symbols.items() if name not in self.absent]
        zero = self.table.constant(0, 64)
        exist = [negate(self.table, compare(self.table, Op.EQ, each, zero)) for each in there]
        points = {point: any_of(self.table, terms) for point, terms in self.hits.items()}
        return LooseFormula(
            self.table,
            (*self.table.definitions, *exist),
            {point: term for point, term in points.items() if not is_constant(term, 0)},
            self._refutable(),
            self.instances,
            is_cut=self.is_too_large,
        )

    @property
    def is_over_budget(self) -> bool:
        if self.instances >= MOST_INSTANCES or self.clock() > self.end:
            raise LooseLimitError
        return False

    def behind(self, function: str, block: str) -> int:
        return 0

    def guesses(self, plan: FunctionPlan, header: str) -> tuple[Guess, ...]:
        """What is assumed about the counters of a loop."""
        if not self.is_guessing:
            return ()
        key = (plan.function.name, header)
        if key not in self._guesses:
            self._guesses[key] = tuple(find_guesses(plan, header))
        return self._guesses[key]

    def is_assumed(self, guess: Guess) -> Term:
        """Whether the guess counts. It is settled when the walk is over, so that no wrong guess needs another walk."""
        if guess not in self._assumed:
            self._assumed[guess] = self.anything(1)
        return self._assumed[guess]

    def note_violation(self, guess: Guess, when: Term) -> None:
        if not is_constant(when, 0):
            self.violations.setdefault(guess, []).append(when)

    def settle_guesses(self, formula: LooseFormula, is_refuted: IsRefuted) -> LooseFormula:
        """Assume the guesses that no run violates, under the others that are assumed, and no others. When the time is
        over, nothing is assumed."""
        kept = dict(self.violations)
        for rest in reversed(range(MOST_ROUNDS)):
            settled = self._assume(formula, kept if rest and self.clock() <= self.end else ())

            def has_none(terms: Sequence[Term], settled: LooseFormula = settled) -> bool:
                question = (any_of(self.table, terms), *settled.definitions_for(terms))
                return self.clock() <= self.end and is_refuted(question)

            if not settled.violations or has_none(settled.violations):
                break
            fewer = {guess: terms for guess, terms in kept.items() if has_none(terms)}
            if len(fewer) == len(kept):
                break
            kept = fewer
        return settled

    def _assume(self, formula: LooseFormula, kept: Collection[Guess]) -> LooseFormula:
        """Guesses that nothing violates are assumed as well."""
        wrong = [guess for guess in self.violations if guess not in kept]
        settled = [
            negate(self.table, assumed) if guess in wrong else assumed for guess, assumed in self._assumed.items()
        ]
        violations = dict.fromkeys(term for guess in kept for term in self.violations[guess])
        return replace(formula, definitions=(*formula.definitions, *settled), violations=tuple(violations))

    def _walk_alone(self, name: str) -> None:
        """Walk a function for any caller."""
        function = self.subject.program.functions[name]
        if name not in self._own or not function.is_defined:
            return None
        if not self._is_walkable(function):
            return self._give_up(function)
        frame = self.make_frame(self, self.plan(function), False)
        given = [(one.name, self._any_argument(one.type)) for one in function.parameters]
        known = {name: value for name, value in given if value is not None}
        state = WalkState(truth(self.table, True), known, LooseMemory(self.addresses))
        self._stack.append(name)
        frame.run(state)
        self._stack.pop()
        return None

    def _any_argument(self, kind: Type) -> Value | None:
        bits = scalar_bits(kind)
        return self.anything(bits, isinstance(kind, FloatType)) if bits else None

    def call(
        self, function: Function, arguments: Sequence[Value], state: WalkState, in_label: bool, behind: int = -1
    ) -> Value | None:
        names = [parameter.name for parameter in function.parameters]
        notes = {name: note for name, note in state.notes.items() if in_label and name in KEPT_IN_CALLS}
        inside = WalkState(state.reach, dict(zip(names, arguments, strict=False)), state.memory, notes)
        self._stack.append(function.name)
        result = self.make_frame(self, self.plan(function), in_label).run(inside)
        self._stack.pop()
        state.reach, state.memory = inside.reach, inside.memory
        return result

    def inlined(self, call: Instruction) -> Function | None:
        """The called function, if the call is walked; None: what it does is unknown."""
        name = self._aliases.get(call.callee, call.callee)
        function = self.subject.program.functions.get(name)
        if function is None or not function.is_defined:
            return self._short_model(name, call)
        if name not in self._own or name in self._replaceable or name in self._stack:
            return None
        if function.type != call.function_type or not self._is_walkable(function) or len(self._stack) > DEEPEST:
            return None
        is_late = self.instances + len(function.blocks) >= self.inlining.most_blocks
        is_too_much = is_late or self._size(name) > self.inlining.most_of_call
        self.is_too_large |= is_too_much
        return None if is_too_much else function

    def _size(self, name: str) -> int:
        """The blocks of a function and of all that it may call."""
        if name not in self._sizes:
            reached = reachable_functions(self.subject.program, name, self.graph)
            self._sizes[name] = sum(len(self.subject.program.functions[each].blocks) for each in reached)
        return self._sizes[name]

    def _short_model(self, name: str, call: Instruction) -> Function | None:
        """The model of a function of the library whose result depends on its arguments alone (`isdigit`). Nothing is
        known of others: a locale, errno and the outside are not what the model has, for some callers."""
        row, model = FUNCTIONS.get(name[1:]), self.subject.program.functions.get(f"@{PREFIX}{name[1:]}")
        if row is None or row.facts or model is None or model.type != call.function_type:
            return None
        every = list(model.instructions())
        is_short = len(model.blocks) <= MOST_BLOCKS_OF_MODEL and not self.plan(model).back_edges
        only_computes = all(each.opcode not in _NOT_IN_SHORT_MODEL and "@" not in each.text for each in every)
        return model if is_short and only_computes else None

    def note_unknown(self, call: Instruction) -> None:
        """A call is not walked: the functions that it may reach are, for any caller."""
        name = self._aliases.get(call.callee, call.callee)
        if name in self.subject.program.functions:
            self._alone.update(dict.fromkeys(reachable_functions(self.subject.program, name, self.graph)))

    def is_variable(self, name: str) -> bool:
        """True if it is a variable or function of its own. Symbols of a linker script may be parts of others."""
        one = self.subject.program.globals.get(name)
        is_part = one is not None and not one.is_defined and isinstance(one.type, ArrayType) and not one.type.count
        return name in self.subject.program.functions if one is None else not is_part

    def is_fixed(self, name: str) -> bool:
        """True if it is a constant with a known value."""
        one = self.subject.program.globals.get(name)
        is_known = one is not None and one.is_constant and one.is_defined
        return is_known and name not in self._replaceable and name not in self.foreign

    def _is_walkable(self, function: Function) -> bool:
        plan = self.plan(function)
        ends = [block.instructions[-1] for block in function.blocks]
        is_plain = all(end.opcode in _KNOWN_ENDS and _fits(end) for end in ends)
        return is_plain and not any(ANY_LOOP in loops for loops in plan.loops_of.values())

    def _give_up(self, function: Function) -> None:
        """Nothing is known about its points, and about those of what it calls."""
        always = truth(self.table, True)
        for point in (*self._points_in(function), *self._marked(function)):
            self.hits.setdefault(point, []).append(always)
        for name in reachable_functions(self.subject.program, function.name, self.graph):
            self._alone.setdefault(name)

    def _refutable(self) -> int:
        """The points of the user's functions, but no flows (see LooseCalls) and no mutants; and those of decisions for
        which there is no code, behind `if (0)`."""
        functions = [self.subject.program.functions[name] for name in self._own]
        groups = (points for each in functions for points in (self._points_in(each), self._marked(each)))
        found = {point for group in groups for point in group}
        marked = {point for each in self.subject.program.functions.values() for point in self._marked(each)}
        found |= {point for vectors in self.subject.points.vectors for point in vectors} - marked
        return sum(1 << point for point in found)

    def _points_in(self, function: Function) -> Iterator[int]:
        return (point for (name, _, _), point in self.subject.points.numbers.items() if name == function.name)

    def _marked(self, function: Function) -> Iterator[int]:
        """The points of its decisions and labels."""
        table = MarkTable(self.marks)
        for each in function.instructions():
            if each.callee == CONDITION:
                yield from self.subject.points.vectors[table.find(int(each.arguments[0].value.text))[0]]
            elif each.callee == LABEL_END:
                yield self.subject.points.labels[int(each.arguments[0].value.text)]


def _is_ours(function: Function) -> bool:
    """True for the driver, stubs and models."""
    return is_ours(function.name) or (function.location is not None and is_driver(function.location))


def _is_model(name: str) -> bool:
    return name.startswith(f"@{PREFIX}")


def _fits(end: Instruction) -> bool:
    """A `switch` over more than 64 bits has no meaning here."""
    kind = end.operands[0].type if end.opcode == "switch" else None
    return not isinstance(kind, IntType) or kind.bits <= 64


def encode_loosely(
    program: Program,
    start: str,
    points: Points,
    marks: Marks,
    graph: PointGraph,
    *,
    absent: Collection[str] = (),
    foreign: Collection[str] = (),
    seconds: float = math.inf,
    is_refuted: IsRefuted | None = None,
    clock: Callable[[], float] = time.perf_counter,
    inlining: Inlining = ALL_CALLS,
) -> LooseFormula | None:
    """None if the unit is too large, or if it takes longer, on the clock. `absent`: symbols that need not exist,
    although the program defines them; `foreign`: constants that have other values in the program that is tested.
    `is_refuted` tells whether a solver finds no solution of terms: then what holds in all iterations of a loop is
    guessed."""
    handlers = make_handlers(MarkHandlers(MarkTable(marks)).handlers)

    def make_frame(walk: UnitWalk, plan: FunctionPlan, in_label: bool) -> LooseFrame:
        assert isinstance(walk, LooseWalk)
        return LooseFrame(walk, plan, in_label, handlers)

    subject = EncodedUnit(program, start, points, graph, ())
    begin = clock()
    unrolled = frozenset(find_counting_loops(program, {function for function, _, _ in points.numbers}))
    for _ in range(2 + len(unrolled)):
        walk = LooseWalk(
            subject,
            EncodingLimits(),
            make_frame,
            start=start,
            marks=marks,
            unrolled=unrolled,
            is_guessing=is_refuted is not None,
            inlining=inlining,
            absent=frozenset(absent) | weak_references(program),
            foreign=frozenset(foreign),
            end=begin + seconds,
            clock=clock,
        )
        try:
            formula = walk.encode_loosely()
            return formula if is_refuted is None else walk.settle_guesses(formula, is_refuted)
        except LongLoopError as problem:
            unrolled -= {problem.loop}
        except LooseLimitError:
            if not unrolled:
                return None
            unrolled = frozenset()
    return None


def find_counting_loops(program: Program, functions: Collection[str]) -> Iterator[Loop]:
    """Loops that seem to count from a constant by a constant: `%i = phi [ 0, %entry ], [ %i.next, %body ]`."""
    for function in (program.functions[name] for name in sorted(functions)):
        made = {each.result: each for each in function.instructions() if each.result}
        for block in function.blocks:
            if any(each.opcode == "phi" and _counts(each, made) for each in block.instructions):
                yield function.name, block.name


def _counts(phi: Instruction, made: Mapping[str, Instruction]) -> bool:
    steps = [made.get(value.text) for value, _ in phi.incoming if value.is_local]
    is_counter = all(each is not None and _steps(each, phi) for each in steps)
    return is_counter and 0 < len(steps) < len(phi.incoming)


def _steps(step: Instruction, phi: Instruction) -> bool:
    is_constant = not any(value.is_local for value in step.operands[1:])
    return step.opcode == "add" and step.operands[0].text == phi.result and is_constant
