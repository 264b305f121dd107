"""The table of doubts: everything that forbids calling an objective *infeasible*, or two versions *equal*.

Such a verdict is about all callers and all inputs. Four methods prove it; all but one consider less than that:

    exhaustion   every path was explored, and none covers the objective         soundness/exhaustion.py
    formula      the formula of the whole unit has no solution that covers it   soundness/formula.py
    code         the loose formula, in which all that the code does not         soundness/formula.py
                 determine is unknown, has no solution that covers it
    equality     the formula of two versions has no solution in which they      equality
                 behave differently

What a caller could do, and what is not known about memory, is in the loose formula itself: no row about units or runs
invalidates it.

Each row names one thing that a method may not have considered, the methods that it invalidates, and a test whose
verdict would be wrong without the row. A missing row, or a row whose predicate is too narrow, causes wrong verdicts.

The first row that applies gives an unknown objective, or an open comparison, its reason. The order:

    exhaustion   OF_SEARCH, OF_UNIT (rows about all objectives), OF_RUNS, OF_OBJECTIVE, then the rows of OF_UNIT with
                 `spares_decided`
    formula      WRONG_FORMULA; NO_ANSWER and OF_DEPARTURE, for the points of the objective; then as for exhaustion;
                 at last NOT_SECONDED
    code         WRONG_FORMULA, OF_OBJECTIVE, NOT_SECONDED; if one applies, another method may still prove it
    equality     NO_ANSWER or OF_DEPARTURE, then OF_RUNS, OF_VERSIONS, OF_UNIT, NOT_SECONDED
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from functools import cached_property
from typing import Any, Generic, TypeVar

from tightrope.coverage.verdict import Reason
from tightrope.encoding.encoding import Departure, WhyDeparted
from tightrope.inputs.stub_answers import describe_stubs
from tightrope.library.libc_models import KEEPS_STATE
from tightrope.library.verifier_functions import ASSUME, NONDET
from tightrope.program.flow.call_graph import reachable_functions
from tightrope.program.flow.compared_literals import find_compared_literals
from tightrope.program.ir.model import Instruction
from tightrope.search.budget import StopReason
from tightrope.solving.query import Answer, SolverUnknown, Unsat
from tightrope.soundness.assumptions import (
    absent_symbols,
    handed_out_functions,
    has_other_layout,
    ignores_assembly,
    linker_symbols,
    list_assumptions,
    never_failing,
    replaceable_constants,
    replaceable_functions,
    replaced_could_write,
    unseen_writers,
)
from tightrope.soundness.shape_limits import find_restrictions, has_near_end, may_share_objects
from tightrope.units.prepared import PreparedUnit

Subject = TypeVar("Subject")


class ProofKind(Flag):
    """The methods of proof, and combinations of them."""

    EXHAUSTION = auto()
    FORMULA = auto()
    EQUALITY = auto()
    CODE = auto()
    INFEASIBLE = EXHAUSTION | FORMULA
    BY_SOLVER = FORMULA | EQUALITY
    ANY = EXHAUSTION | FORMULA | EQUALITY  # that considers inputs of one shape


UPDATES = ("atomicrmw", "cmpxchg")  # each reads and writes
CONSTRUCTORS = frozenset({"@llvm.global_ctors", "@llvm.global_dtors"})
EXHAUSTION, FORMULA, EQUALITY = ProofKind.EXHAUSTION, ProofKind.FORMULA, ProofKind.EQUALITY
CODE = ProofKind.CODE
INFEASIBLE, BY_SOLVER, ANY = ProofKind.INFEASIBLE, ProofKind.BY_SOLVER, ProofKind.ANY


@dataclass(frozen=True, slots=True)
class Doubt(Generic[Subject]):
    """One row. `sentence` says what the proof did not consider; {} is a name that `find` yields.

    For equality, users see `sentence`; in rows about runs, units and versions it completes "no input of this shape
    shows a difference, but ...". For infeasibility, users see the sentence of `reason` or, at a departure, one that
    names the place. Only NOT_SECONDED and WRONG_FORMULA show their own there."""

    name: str
    forbids: ProofKind
    reason: Reason | None  # of objectives that stay unknown because of it; None: the row concerns equality only
    find: Callable[[Subject], Iterable[str]]  # yields nothing if the doubt does not apply
    sentence: str
    shown_by: str  # a test file, and after `::` a text in it
    spares_decided: bool = False  # objectives that inputs alone decide may still be proved

    def __post_init__(self) -> None:
        assert (self.reason is None) == (not self.forbids & ProofKind.INFEASIBLE), (
            "exactly the rows about objectives have a reason"
        )

    def holds(self, subject: Subject) -> bool:
        return any(True for _ in self.find(subject))

    @property
    def why_open(self) -> tuple[Reason, str]:
        """The reason and sentence of an objective that stays unknown."""
        assert self.reason is not None
        return self.reason, self.sentence


def _if(claim: Callable[[Subject], bool]) -> Callable[[Subject], Iterable[str]]:
    """The `find` of a doubt without names."""
    return lambda subject: [""] if claim(subject) else []


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known about all runs together. The defaults raise no doubt."""

    stop: StopReason = StopReason.EXHAUSTED
    is_complete: bool = True  # the search explored every path exactly and to its end
    gave_up: bool = False  # the solver gave up on some path
    is_bounded: bool = False  # candidates beyond the bound on paths were left out
    has_timed_out: bool = False  # some run timed out
    reached_a_bound: bool = False  # some run, possibly a rejected one, read data that exists only at a shape's end
    left_an_object: bool = False  # some run left an object, whose size we may have chosen
    fails_a_check: bool = False  # some run fails a check, or may fail one
    uses_unwritten: bool = False  # some run used an uninitialised value, and ended there
    depends_on_addresses: bool = False  # where objects lie decided something in some run

    @property
    def is_over(self) -> bool:
        return self.stop is StopReason.EXHAUSTED and self.is_complete


@dataclass(frozen=True, slots=True)
class ObjectiveFacts:
    """What is known about one objective that no run covers. The defaults raise no doubt."""

    is_lost: bool = False  # it may be reachable along a path that the solver gave up on
    is_unfinished: bool = False  # some run started it, but none completed it
    observed: Reason | None = None  # why the runs may not have observed all values of its label or condition
    is_reached: bool = False  # by runs that do not count: they crash or do not end


@dataclass(frozen=True, slots=True)
class Versions:
    """Two versions of one function."""

    old: PreparedUnit
    new: PreparedUnit
    replaced: Sequence[str] = ()  # functions that one version defines and the other replaces by a stub


OF_SEARCH: tuple[Doubt[RunFacts], ...] = (
    Doubt("time limit", EXHAUSTION, Reason.TIME_LIMIT, _if(lambda facts: facts.stop is StopReason.TIME_LIMIT),
          "the time limit ended the search", "tests/cli/test_generate.py::test_time_limit"),
    Doubt("run limit", EXHAUSTION, Reason.RUN_LIMIT, _if(lambda facts: facts.stop is StopReason.RUN_LIMIT),
          "the limit on runs ended the search", "tests/cli/test_generate.py::test_run_limit"),
    Doubt("interrupted", EXHAUSTION, Reason.INTERRUPTED, _if(lambda facts: facts.stop is StopReason.INTERRUPTED),
          "the search was interrupted", "tests/cli/test_interrupt.py"),
    Doubt("unsolved paths", EXHAUSTION, Reason.SOLVER_TIME_LIMIT,
          _if(lambda facts: not facts.is_over and facts.gave_up), "the solver gave up on some path",
          "tests/unit/search/test_loop.py::test_what_lies_behind_a_query_without_answer_is_lost"),
    Doubt("bounded paths", EXHAUSTION, Reason.BOUNDED,
          _if(lambda facts: not facts.is_over and facts.is_bounded), "the search was asked to leave out what is deeper",
          "tests/cli/test_parts_of_the_code.py::test_what_is_left_out_by_a_bound_is_not_infeasible"),
    Doubt("timed-out runs", EXHAUSTION, Reason.RUNS_DIED,
          _if(lambda facts: not facts.is_over and facts.has_timed_out), "some run exceeded its time limit",
          "tests/unit/search/test_loop.py::test_a_run_that_timed_out_leaves_the_search_incomplete"),
    Doubt("approximate paths", EXHAUSTION, Reason.APPROXIMATE, _if(lambda facts: not facts.is_over),
          "some path was not explored exactly and to its end",
          "tests/unit/search/test_loop.py::test_an_approximate_run_leaves_the_search_incomplete"),
)  # fmt: skip

OF_UNIT: tuple[Doubt[PreparedUnit], ...] = (
    Doubt("volatile reads", ANY, Reason.VOLATILE, _if(lambda unit: _has_volatile(unit, "load", *UPDATES)),
          "it reads volatile or atomic data, which may change at any time", "tests/programs/volatile_input.c"),
    # Data that is only written decides nothing in the unit, but a device sees how often and in which order.
    Doubt("volatile writes", EQUALITY, None,
          _if(lambda unit: _has_volatile(unit, "store", *UPDATES) or _has_registers(unit)),
          "it writes volatile or atomic data, and each write may be observed from outside",
          'tests/semantics/told_apart.py::"volatile"'),
    Doubt("state of the library", ANY, Reason.SHAPE, lambda unit: _reached_keepers(unit),
          "`{}` depends on earlier calls, which other functions may make",
          "tests/regressions/infeasible_in_the_state_of_the_library.c"),
    Doubt("state of earlier calls", INFEASIBLE, Reason.STATE,
          lambda unit: (name for name in unit.interface.inherited_state if name != "errno"),
          "`{}` keeps a value from earlier calls", "tests/programs/static_local.c"),
    # For infeasibility, only `errno` gets here, because the row above handles the rest: what inputs decide is proved.
    Doubt("state or errno", ANY, Reason.SHAPE, lambda unit: unit.interface.inherited_state,
          "the value that `{}` keeps between calls is neither varied nor compared",
          "tests/programs/errno_before.c", spares_decided=True),
    Doubt("arguments of main", ANY, Reason.SHAPE, _if(lambda unit: unit.interface.reads_arguments),
          "it reads the arguments of `main`", "tests/programs/main_arguments.c"),
    Doubt("ignored assembly", ANY | CODE, Reason.SHAPE, _if(ignores_assembly),
          "the file has inline assembly of another processor, which is ignored", "tests/programs/ignored_assembly.c"),
    Doubt("other layout", ANY | CODE, Reason.SHAPE, _if(has_other_layout),
          "structs have another layout than on their target", "tests/programs/ignored_layout.c"),
    Doubt("unseen writes", ANY | CODE, Reason.SHAPE, unseen_writers,
          "`{}` may write memory in a way that is not followed", "tests/programs/printed_count.c"),
    Doubt("string literals", ANY | CODE, Reason.ADDRESS, lambda unit: _compared_literals(unit),
          "`{}` compares string literals, and whether equal ones are one object is the compiler's choice",
          "tests/programs/compared_literals.c"),
    Doubt("linker symbols", ANY | CODE, Reason.SHAPE, linker_symbols,
          "`{}` may be a symbol of a linker script, which marks a place between other variables",
          "tests/programs/linker_symbols.c"),
    Doubt("variable arguments", ANY, Reason.SHAPE,
          _if(lambda unit: any(one.variadic_type for one in unit.interface.parameters)),
          "a caller could pass other arguments for `...`", "tests/programs/variadic_sum.c"),
    Doubt("constructors", ANY, Reason.SHAPE, _if(lambda unit: not CONSTRUCTORS.isdisjoint(unit.program.globals)),
          "the program has constructors or destructors, which are not executed here", "tests/programs/constructor.c"),
    Doubt("weak functions that could write", ANY, Reason.SHAPE, replaced_could_write,
          "another file may define the weak function `{}` so that it changes variables",
          "tests/programs/weak_function_writes.c"),
    # For infeasibility, a run that draws more has reached a bound, and departs from the formula.
    Doubt("drawn values", EQUALITY, None,
          _if(lambda unit: any(one.name.startswith(NONDET) for one in unit.interface.verifier_functions)),
          "the program may request more nondeterministic values than were tried",
          'tests/semantics/told_apart.py::"drawn"'),
    Doubt("missing functions", ANY, Reason.SHAPE, lambda unit: _reached_missing(unit, is_stubbed=False),
          "`{}` is called but not defined", "tests/programs/no_stub.c", spares_decided=True),
    # For equality, the formula departs where a variable is read that the replaced function could have written.
    Doubt("stubs", INFEASIBLE, Reason.SHAPE,
          lambda unit: (*_reached_missing(unit, is_stubbed=True), *_notes(unit, of_stubs=True)),
          "the stub of `{}` changes no variables", "tests/regressions/infeasible_beside_a_stub.c", spares_decided=True),
    Doubt("weak definitions", ANY, Reason.SHAPE,
          lambda unit: (*replaceable_functions(unit), *replaceable_constants(unit)),
          "another file may replace the weak definition of `{}`", "tests/programs/weak_definitions.c",
          spares_decided=True),
    Doubt("weak references", ANY, Reason.SHAPE, absent_symbols,
          "no file need define `{}`, a weak reference, and its address is NULL then", "tests/programs/weak_reference.c",
          spares_decided=True),
    Doubt("unlimited memory", ANY, Reason.SHAPE, never_failing,
          "`{}` never fails here, but memory may run out", "tests/programs/malloc_option.c", spares_decided=True),
    # If objects may be shared, inputs alone decide nothing: see Evidence._is_decided.
    Doubt("shared objects", ANY, Reason.SHAPE, _if(may_share_objects),
          "a caller could make pointers alias in ways that were not tried",
          "tests/programs/bound_alias_written_global.c", spares_decided=True),
    Doubt("ends of objects", ANY, Reason.SHAPE, _if(has_near_end),
          "it may depend on the sizes chosen for objects that have a pointer to their end",
          "tests/programs/bound_end_before.c"),
    Doubt("restricted inputs", ANY, Reason.SHAPE, find_restrictions,
          "a caller could pass something for `{}` that was not tried",
          "tests/regressions/infeasible_behind_a_null_check.c",
          spares_decided=True),
    Doubt("notes about inputs", ANY, Reason.SHAPE, lambda unit: _notes(unit, of_stubs=False),
          "{}", "tests/programs/long_double_input.c", spares_decided=True),
    Doubt("calls of others", ANY, Reason.SHAPE, handed_out_functions,
          "other code may call `{}` between the calls of the sequence", "tests/programs/sequence_callback.c"),
    # The last row: what a proof by induction need not consider (UnitDoubts.is_for_all_calls).
    Doubt("more calls", ANY, Reason.MORE_CALLS, _if(lambda unit: bool(unit.interface.calls)),
          "a longer sequence of calls may", "tests/programs/sequence_bound.c"),
)  # fmt: skip

OF_RUNS: tuple[Doubt[RunFacts], ...] = (  # a formula departs at bounds: see OF_DEPARTURE
    Doubt("reached bounds", EXHAUSTION, Reason.SHAPE, _if(lambda facts: facts.reached_a_bound),
          "some run reached a bound of the shape of the inputs", "tests/programs/bound_string_prefix.c"),
    Doubt("left objects", EXHAUSTION, Reason.SHAPE, _if(lambda facts: facts.left_an_object),
          "some run left an object, and might continue if the object were larger", "tests/programs/many_crashes.c"),
    # In a formula such a value is unknown, and nothing ends there.
    Doubt("uninitialised values", EXHAUSTION, Reason.UNINITIALISED, _if(lambda facts: facts.uses_unwritten),
          "some run ended where it used an uninitialised value", "tests/programs/uninitialised_local.c"),
    Doubt("places in memory", EXHAUSTION, Reason.ADDRESS, _if(lambda facts: facts.depends_on_addresses),
          "some run depends on where objects lie in memory", "tests/programs/address_bits.c"),
    Doubt("failed checks", ANY, Reason.CHECK, _if(lambda facts: facts.fails_a_check),
          "a failed check ends runs that would continue without it", "tests/programs/check_proves_nothing.c"),
)  # fmt: skip

OF_OBJECTIVE: tuple[Doubt[ObjectiveFacts], ...] = (
    Doubt("unsolved paths to it", EXHAUSTION, Reason.SOLVER_TIME_LIMIT, _if(lambda facts: facts.is_lost),
          "the solver gave up on a path that may lead to it",
          "tests/unit/search/test_loop.py::test_what_lies_behind_a_query_without_answer_is_lost"),
    Doubt("only by runs that crash", EXHAUSTION, Reason.ONLY_CRASHING, _if(lambda facts: facts.is_reached),
          "runs cover it, but they crash or do not end", "tests/programs/only_crashing.c"),
    Doubt("unfinished", INFEASIBLE | CODE, Reason.RUNS_DIED, _if(lambda facts: facts.is_unfinished),
          "some run started it, but none completed it",
          "tests/regressions/test_label_verdicts.py::test_a_call_that_never_returns_is_not_called_infeasible"),
    Doubt("observed inexactly", EXHAUSTION, Reason.APPROXIMATE, _if(lambda facts: facts.observed is Reason.APPROXIMATE),
          "what the runs observed of it is approximate or incomplete",
          "tests/integration/runtime/test_labels.py::test_too_many_observations_prove_nothing"),
    Doubt("observed at a bound", EXHAUSTION, Reason.SHAPE, _if(lambda facts: facts.observed is Reason.SHAPE),
          "its predicate reached a bound of the shape of the inputs",
          "tests/regressions/test_label_verdicts.py"
          "::test_a_predicate_that_leaves_what_we_made_too_small_proves_nothing"),
    Doubt("rejected aims", EXHAUSTION, Reason.RUNS_DIED, _if(lambda facts: facts.observed is Reason.RUNS_DIED),
          "a run that was meant to cover it was rejected, and not all alternatives were tried",
          "tests/unit/search/test_aims.py::test_a_rejected_run_proves_nothing_about_what_it_was_to_meet"),
    Doubt("unsolved aims", EXHAUSTION, Reason.SOLVER_TIME_LIMIT,
          _if(lambda facts: facts.observed is Reason.SOLVER_TIME_LIMIT), "the solver gave up on a query for it",
          "tests/unit/search/test_aims.py::test_what_cannot_be_answered_concerns_its_obligation_alone"),
)  # fmt: skip

OF_VERSIONS: tuple[Doubt[Versions], ...] = (
    Doubt("initial values", EQUALITY, None, lambda versions: _initialised_otherwise(versions),
          "`{}` has another initial value, and every run sets it first",
          'tests/semantics/told_apart.py::"initialised"'),
    Doubt("stub of one version", EQUALITY, None, lambda versions: versions.replaced,
          "`{}` is defined in only one version", 'tests/semantics/told_apart.py::"moved away"'),
)  # fmt: skip

OF_DEPARTURE: tuple[Doubt[Departure], ...] = (  # where runs leave a formula; first what no larger formula would cure
    Doubt("departs at a bound", BY_SOLVER, Reason.SHAPE, _if(lambda each: each.why is WhyDeparted.SHAPE),
          WhyDeparted.SHAPE.sentence, "tests/regressions/infeasible_beyond_the_shape.c"),
    Doubt("departs at an address", BY_SOLVER, Reason.ADDRESS, _if(lambda each: each.why is WhyDeparted.ADDRESS),
          WhyDeparted.ADDRESS.sentence, "tests/programs/address_bits.c"),
    Doubt("not encoded", BY_SOLVER, Reason.NOT_ENCODED, _if(lambda each: each.why is WhyDeparted.NOT_ENCODED),
          WhyDeparted.NOT_ENCODED.sentence, "tests/regressions/encoding_label_departs.c"),
    Doubt("too large", BY_SOLVER, Reason.TOO_LARGE, _if(lambda each: each.why is WhyDeparted.BUDGET),
          WhyDeparted.BUDGET.sentence,
          "tests/quality/test_encoding.py::test_a_formula_that_is_too_large_proves_nothing"),
    Doubt("further iterations", BY_SOLVER, Reason.NOT_WITHIN, _if(lambda each: each.why is WhyDeparted.BOUND),
          WhyDeparted.BOUND.sentence,
          "tests/quality/test_encoding.py::test_nothing_is_infeasible_while_loops_may_go_on"),
)  # fmt: skip

NO_ANSWER: Doubt[Answer] = Doubt(
    "no answer", BY_SOLVER, Reason.SOLVER_TIME_LIMIT, _if(lambda answer: isinstance(answer, SolverUnknown)),
    "the solver did not answer within its time limit",
    "tests/contracts/test_session.py::test_time_limit_of_one_question",
)  # fmt: skip
NOT_SECONDED: Doubt[Answer] = Doubt(
    "no second proof", BY_SOLVER | CODE, Reason.SOLVER_TIME_LIMIT, _if(lambda answer: not isinstance(answer, Unsat)),
    "the second solver did not confirm the proof", "tests/quality/test_encoding.py::test_a_second_solver_must_agree",
)  # fmt: skip
WRONG_FORMULA: Doubt[bool] = Doubt(
    "wrong formula", FORMULA | CODE, Reason.NOT_ENCODED, _if(bool),
    "a run contradicts the formula, so the formula proves nothing",
    "tests/quality/test_encoding.py::test_a_formula_that_is_wrong_once_proves_nothing",
)  # fmt: skip

DOUBTS: tuple[Doubt[Any], ...] = (
    *OF_SEARCH, *OF_UNIT, *OF_RUNS, *OF_OBJECTIVE, *OF_VERSIONS, *OF_DEPARTURE, NO_ANSWER, NOT_SECONDED, WRONG_FORMULA,
)  # fmt: skip


# -- asking the table


def find_reason(rows: Iterable[Doubt[Subject]], subject: Subject, proof: ProofKind) -> Reason | None:
    """The reason why this method proves nothing; None if no row applies."""
    return next((row.reason for row in rows if row.forbids & proof and row.holds(subject)), None)


class UnitDoubts:
    """The doubts about infeasibility in one unit. Those that do not depend on runs are evaluated once."""

    def __init__(self, unit: PreparedUnit, proof: ProofKind, is_for_all_calls: bool = False) -> None:
        """`is_for_all_calls`: the proof is about sequences of any length."""
        self.unit, self.proof, self._is_for_all_calls = unit, proof, is_for_all_calls

    def about_all(self, facts: RunFacts) -> Reason | None:
        """Why nothing may be called infeasible; None if no row applies to all objectives."""
        first = find_reason(OF_SEARCH, facts, self.proof)
        return first or self._about_all or find_reason(OF_RUNS, facts, self.proof)

    @cached_property
    def _about_all(self) -> Reason | None:
        rows = [row for row in OF_UNIT if not row.spares_decided]
        if self._is_for_all_calls:
            rows = [row for row in rows if row.reason is not Reason.MORE_CALLS]
        return find_reason(rows, self.unit, self.proof)

    @cached_property
    def about_undecided(self) -> Reason | None:
        """Why only objectives that inputs decide may be infeasible. None: the inputs are everything that a caller could
        vary, as long as no run reaches a bound."""
        return find_reason((row for row in OF_UNIT if row.spares_decided), self.unit, self.proof)

    @cached_property
    def is_unconditional(self) -> bool:
        """True if a proof holds for all callers, even those that violate assumptions."""
        has_assumptions = self.unit.driver.assumptions or ASSUME in self.unit.interface.undefined_functions
        return not has_assumptions and self.about_undecided is None and not any(list_assumptions(self.unit))


def equality_doubts(versions: Versions, facts: RunFacts) -> Iterator[str]:
    """Sentences: why two versions may differ although no input of the shape shows a difference."""
    yield from _sentences(OF_RUNS, facts)
    yield from _sentences(OF_VERSIONS, versions)
    yield from _sentences(OF_UNIT, versions.old)
    yield from _sentences(OF_UNIT, versions.new)


def _sentences(rows: Iterable[Doubt[Subject]], subject: Subject) -> Iterator[str]:
    return (row.sentence.format(name) for row in rows if row.forbids & EQUALITY for name in row.find(subject))


# -- predicates


def _has_volatile(unit: PreparedUnit, *opcodes: str) -> bool:
    """True if such an instruction uses data that another thread or a device may change or observe."""
    return any(
        _is_volatile_copy(each)
        or (each.opcode in opcodes and (each.opcode in UPDATES or each.flags & {"volatile", "atomic"}))
        for name in reachable_functions(unit.program, unit.function.name)
        for each in unit.program.functions[name].instructions()
    )


def _compared_literals(unit: PreparedUnit) -> Iterable[str]:
    return find_compared_literals(unit.program, reachable_functions(unit.program, unit.function.name))


def _has_registers(unit: PreparedUnit) -> bool:
    return any(stub.register is not None for stub in unit.shape.stubs)


def _is_volatile_copy(call: Instruction) -> bool:
    """True for `llvm.memcpy(..., i1 true)`, by which clang copies a volatile structure: it reads or writes it."""
    return call.callee.startswith(("@llvm.memcpy", "@llvm.memmove", "@llvm.memset")) and (
        call.arguments[-1].value.text != "false"
    )


def _reached_keepers(unit: PreparedUnit) -> list[str]:
    """Functions of the library that remember something between calls."""
    stubbed = {stub.name for stub in unit.shape.stubs}
    return [name for name in unit.interface.undefined_functions if name in KEEPS_STATE - stubbed]


def _reached_missing(unit: PreparedUnit, *, is_stubbed: bool) -> list[str]:
    stubbed = {stub.name for stub in unit.shape.stubs}
    return [one.name for one in unit.interface.reached_missing if (one.name in stubbed) == is_stubbed]


def _notes(unit: PreparedUnit, *, of_stubs: bool) -> list[str]:
    """The assumptions about inputs, or those about stubs."""
    stubs = set(describe_stubs(unit.ctypes, unit.shape.stubs))
    return [note for note in unit.shape.notes if (note in stubs) == of_stubs]


def _initialised_otherwise(versions: Versions) -> Iterator[str]:
    """Variables with different initial values. They are inputs: every test sets them, but in a program they start with
    these values."""
    old, new = versions.old, versions.new
    theirs = {one.name: new.program.globals.get(one.ir_name) for one in new.interface.globals}
    for one in old.interface.globals:
        mine, other = old.program.globals.get(one.ir_name), theirs.get(one.name)
        if mine is not None and other is not None and mine.initializer != other.initializer:
            yield one.name
