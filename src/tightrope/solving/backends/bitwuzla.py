"""Bitwuzla, incremental along paths: with `bitwuzla_terms` the only importer of its library.

A context keeps the constraints of the last query on its stack, one level each. The next query pops to the longest
common prefix and pushes the rest, its target last: when the target turns out to be the next constraint of the path,
it is already there.

A query that shares nothing with any context either takes one over (push and pop cost microseconds, a fresh context
costs 0.3 ms before its first answer) or gets a fresh one: a context that has seen many unrelated constraints slows
down with each of them (2.0 ms against 7.7 on twenty 32-bit constraints per path). So a context is taken over only
while the constraints it has ever seen are light. The measure is the constraints themselves, never a clock: which
context answers decides which model is found, and the same search must find the same models every time.

Preprocessing is off: along a path there is little left to find, and it took a quarter of the time of small queries.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import bitwuzla

from tightrope.deadline import NEVER, Deadline
from tightrope.expr.terms import Term
from tightrope.solving.backends.bitwuzla_terms import BitwuzlaTranslator
from tightrope.solving.interrupts import INTERRUPTIBLE
from tightrope.solving.query import Answer, Query, Sat, SolverUnknown, Unsat, WhyUnknown
from tightrope.solving.solver import SolverStatistics

CONTEXTS = 16
LIGHT = 4_000  # weight (about gates) of all constraints a context may have seen and still be taken over
LEAST_SECONDS = 0.02  # for a query
WEIGHT_PER_SECOND = 600_000  # that becomes gates; before that is done, Bitwuzla looks at no time limit
LIFETIME = 2_000  # checks before a context is replaced whatever it shares

_manager: bitwuzla.TermManager | None = None


def term_manager() -> bitwuzla.TermManager:
    """The term manager of this process. Deleting a manager while terms exist can cause a segmentation fault, so it is a
    global that is never deleted."""
    global _manager
    if _manager is None:
        _manager = bitwuzla.TermManager()
    return _manager


class _Context:
    """One Bitwuzla instance, the constraints on its stack, and the weight of all it has ever seen."""

    __slots__ = ("_seen", "checks", "solver", "stack", "weight")

    def __init__(self, options: bitwuzla.Options) -> None:
        self.solver = bitwuzla.Bitwuzla(term_manager(), options)
        self.solver.configure_terminator(INTERRUPTIBLE)
        self.stack: list[Term] = []
        self.checks = 0
        self.weight = 0
        self._seen: set[Term] = set()

    def shared(self, constraints: Sequence[Term]) -> int:
        """The number of constraints that are already on the stack, from the bottom."""
        count = 0
        for ours, theirs in zip(self.stack, constraints, strict=False):
            if ours is not theirs:
                break
            count += 1
        return count

    def move_to(self, constraints: Sequence[Term], shared: int, translator: BitwuzlaTranslator) -> None:
        solver, stack = self.solver, self.stack
        if len(stack) > shared:
            solver.pop(len(stack) - shared)
            del stack[shared:]
        for term in constraints[shared:]:
            translated = translator.as_bool(term)
            solver.push(1)
            stack.append(term)
            solver.assert_formula(translated)
            if term not in self._seen:
                self._seen.add(term)
                self.weight += translator.weight(term)


class BitwuzlaSolver:
    """See the module. `time_limit` is per query, in seconds; 0: none."""

    def __init__(self, *, time_limit: float = 0.0, seed: int = 0, deadline: Deadline = NEVER) -> None:
        self.statistics = SolverStatistics()
        self._time_limit, self._seed, self._deadline = time_limit, seed, deadline
        self._options = _options(time_limit, seed)
        self._translator = BitwuzlaTranslator(term_manager())
        self._contexts: list[_Context] = []  # most recently used last

    def ask(self, query: Query) -> Answer:
        constraints = query.constraints
        if self._deadline.left < (self._time_limit or math.inf):
            self._hurry()
        if self._is_too_large(constraints):
            return SolverUnknown(WhyUnknown.TIME_LIMIT, "the path is too long")
        context, shared = self._context_for(constraints)
        try:
            context.move_to(constraints, shared, self._translator)
            context.checks += 1
            with INTERRUPTIBLE:
                result = context.solver.check_sat()
            if result == bitwuzla.Result.SAT:
                return Sat(self._model(context, query))
            if result == bitwuzla.Result.UNSAT:
                return Unsat(self._core(context))
        except bitwuzla.BitwuzlaException as problem:
            self._contexts.remove(context)
            return SolverUnknown(WhyUnknown.CRASHED, str(problem))
        self._contexts.remove(context)  # do not reuse the state of an interrupted check
        return SolverUnknown(WhyUnknown.TIME_LIMIT)

    def _is_too_large(self, constraints: Sequence[Term]) -> bool:
        """Whether gates alone would take the time of a query, or what is left of it: a path of 4,000 iterations with
        divisions took 16 seconds, and a limit of 5 did not end it; another one took 10 of the last half second."""
        most = self._time_limit * WEIGHT_PER_SECOND
        if not most:
            return False
        for term in constraints:
            self._translator.as_bool(term)
        at_most = sum(self._translator.weight(term) for term in constraints)  # counts what is shared several times
        return at_most > most and self._translator.weight_together(constraints) > most

    def _hurry(self) -> None:
        """Less time is left than a query may take. The limit of a context is fixed when it is created, so the contexts
        are replaced; the new limit is half of what is left, so that this happens a few times only."""
        self._time_limit = max(LEAST_SECONDS, self._deadline.left / 2)
        self._options = _options(self._time_limit, self._seed)
        self._contexts.clear()

    def _context_for(self, constraints: Sequence[Term]) -> tuple[_Context, int]:
        """A context, and the number of constraints that are already on its stack."""
        best, longest = None, 0
        for context in self._contexts:
            shared = context.shared(constraints)
            if shared > longest or (best is None and context.weight <= LIGHT):
                best, longest = context, shared
        if best is None:
            return self._fresh(), 0
        self._contexts.remove(best)
        if best.checks >= LIFETIME:
            return self._fresh(), 0
        self._contexts.append(best)
        return best, longest

    def _fresh(self) -> _Context:
        context = _Context(self._options)
        self._contexts.append(context)
        del self._contexts[:-CONTEXTS]
        return context

    def _core(self, context: _Context) -> frozenset[Term]:
        origin = self._translator.origin
        return frozenset([origin(term) for term in context.solver.get_unsat_core()])

    def _model(self, context: _Context, query: Query) -> dict[int, int]:
        get_value, constant = context.solver.get_value, self._translator.input
        return {slot: int(get_value(constant(slot)).value(10)) for slot in query.slots}


def _options(time_limit: float, seed: int) -> bitwuzla.Options:
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.PRODUCE_UNSAT_CORES, True)
    options.set(bitwuzla.Option.PREPROCESS, False)
    if time_limit:
        options.set(bitwuzla.Option.TIME_LIMIT_PER, max(1, int(time_limit * 1000)))
    if seed:
        options.set(bitwuzla.Option.SEED, seed)
    return options
