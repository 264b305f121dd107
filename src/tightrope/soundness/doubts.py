"""The table of doubts: everything that forbids to call an objective *infeasible*, or two versions *equal*.

A verdict of ours speaks of all callers and all inputs. Three methods show it, each of them about less than that:

    exhaustion   every path was walked, and none covers the objective           soundness/exhaustion.py
    formula      the formula of the whole unit has no solution that covers it   soundness/formula.py
    equality     the formula of two versions has no solution in which they      commands/diff/equality
                 behave differently

Each row says what may be missing between the two, which methods it concerns, and which test shows that a verdict would
be wrong without it. A row that is missing here is a wrong verdict; so is one whose predicate is too narrow.

Which reason an unknown objective gets is decided by the order: OF_SEARCH, OF_UNIT (rows about all objectives), OF_RUNS,
OF_OBJECTIVE, then the rows of OF_UNIT that spare what inputs decide. Of equality: OF_RUNS, OF_VERSIONS, OF_UNIT.
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
from tightrope.library.verifier_functions import ASSUME, NONDET
from tightrope.program.flow.call_graph import reachable_functions
from tightrope.search.budget import StopReason
from tightrope.solving.query import Answer, SolverUnknown, Unsat
from tightrope.soundness.shape_limits import find_restrictions, has_near_end, may_share_objects, never_failing
from tightrope.units.prepared import PreparedUnit

Subject = TypeVar("Subject")


class ProofKind(Flag):
    """The methods, and some of them together."""

    EXHAUSTION = auto()
    FORMULA = auto()
    EQUALITY = auto()
    INFEASIBLE = EXHAUSTION | FORMULA
    BY_SOLVER = FORMULA | EQUALITY
    ANY = EXHAUSTION | FORMULA | EQUALITY


UPDATES = ("atomicrmw", "cmpxchg")  # read and write at once
CONSTRUCTORS = frozenset({"@llvm.global_ctors", "@llvm.global_dtors"})
EXHAUSTION, FORMULA, EQUALITY = ProofKind.EXHAUSTION, ProofKind.FORMULA, ProofKind.EQUALITY
INFEASIBLE, BY_SOLVER, ANY = ProofKind.INFEASIBLE, ProofKind.BY_SOLVER, ProofKind.ANY


@dataclass(frozen=True, slots=True)
class Doubt(Generic[Subject]):
    """One row. `sentence` goes on after "no input of this shape tells them apart, but ..."; {} is what `find` names."""

    name: str
    forbids: ProofKind
    reason: Reason | None  # of objectives that stay unknown because of it; None: it is about equality alone
    find: Callable[[Subject], Iterable[str]]  # nothing found: there is no such doubt
    sentence: str
    shown_by: str  # a test file, and after `::` what to look for in it
    spares_decided: bool = False  # what inputs, and nothing else, decide may be proved all the same

    def __post_init__(self) -> None:
        assert (self.reason is None) == (not self.forbids & ProofKind.INFEASIBLE), "nobody would hear of it"

    def holds(self, subject: Subject) -> bool:
        return any(True for _ in self.find(subject))

    @property
    def why_open(self) -> tuple[Reason, str]:
        """Of an objective."""
        assert self.reason is not None
        return self.reason, self.sentence


def _if(claim: Callable[[Subject], bool]) -> Callable[[Subject], Iterable[str]]:
    """For doubts that name nothing."""
    return lambda subject: [""] if claim(subject) else []


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known about all runs together. The defaults raise no doubt."""

    stop: StopReason = StopReason.EXHAUSTED
    is_complete: bool = True  # every path that the search had was walked to its end, exactly
    gave_up: bool = False  # the solver did, on some path
    has_timed_out: bool = False  # some run did
    felt_a_bound: bool = False  # some run read what is only there because the shape ends; rejected ones count
    left_an_object: bool = False  # some run did, and we may have chosen the size of the object
    fails_a_check: bool = False  # some run did, or may

    @property
    def is_over(self) -> bool:
        return self.stop is StopReason.EXHAUSTED and self.is_complete


@dataclass(frozen=True, slots=True)
class ObjectiveFacts:
    """What is known about one objective that no run covers. The defaults raise no doubt."""

    is_lost: bool = False  # it lies behind a path that the solver gave up on
    is_unfinished: bool = False  # some run has begun it, though none came to its end
    observed: Reason | None = None  # why what runs observed of its label or condition may not be all


@dataclass(frozen=True, slots=True)
class Versions:
    """Of one function."""

    old: PreparedUnit
    new: PreparedUnit
    replaced: Sequence[str] = ()  # functions that one version has a stub for, and the other one defines


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
    Doubt("runs without end", EXHAUSTION, Reason.RUNS_DIED,
          _if(lambda facts: not facts.is_over and facts.has_timed_out), "some run took too long",
          "tests/unit/search/test_loop.py::test_a_run_that_timed_out_leaves_the_search_incomplete"),
    Doubt("unknown paths", EXHAUSTION, Reason.APPROXIMATE, _if(lambda facts: not facts.is_over),
          "the path of some run is not known exactly",
          "tests/unit/search/test_loop.py::test_an_approximate_run_leaves_the_search_incomplete"),
)  # fmt: skip

OF_UNIT: tuple[Doubt[PreparedUnit], ...] = (
    Doubt("volatile reads", ANY, Reason.VOLATILE, _if(lambda unit: _has_volatile(unit, "load", *UPDATES)),
          "it reads or writes volatile data", "tests/programs/volatile_input.c"),
    # What is only written decides nothing in the unit. But a device sees how often it is written, and in which order.
    Doubt("volatile writes", EQUALITY, None, _if(lambda unit: _has_volatile(unit, "store", *UPDATES)),
          "it reads or writes volatile data", 'tests/semantics/told_apart.py::"volatile"'),
    Doubt("state of earlier calls", INFEASIBLE, Reason.SHAPE,
          lambda unit: (name for name in unit.interface.inherited_state if name != "errno"),
          "`{}` holds what earlier calls have left", "tests/programs/static_local.c"),
    # About infeasibility only `errno` is left here: where it alone was there before, what inputs decide is proved.
    Doubt("state or errno", ANY, Reason.SHAPE, lambda unit: unit.interface.inherited_state,
          "what `{}` holds from call to call is not compared", "tests/programs/errno_before.c", spares_decided=True),
    Doubt("arguments of main", ANY, Reason.SHAPE, _if(lambda unit: unit.interface.reads_arguments),
          "it looks at the arguments of `main`", "tests/programs/main_arguments.c"),
    Doubt("constructors", ANY, Reason.SHAPE, _if(lambda unit: not CONSTRUCTORS.isdisjoint(unit.program.globals)),
          "functions run before and after the program, which no run of ours does", "tests/programs/constructor.c"),
    # About infeasibility: a run that draws more has felt a bound, and departs from the formula.
    Doubt("drawn values", EQUALITY, None,
          _if(lambda unit: any(one.name.startswith(NONDET) for one in unit.interface.verifier_functions)),
          "a program may draw more values than were tried", 'tests/semantics/told_apart.py::"drawn"'),
    Doubt("missing functions", ANY, Reason.SHAPE, lambda unit: _reached_missing(unit, is_stubbed=False),
          "`{}` has no body here", "tests/programs/no_stub.c", spares_decided=True),
    # About equality: the formula departs where a variable is read that the function behind the stub could have written.
    Doubt("stubs", INFEASIBLE, Reason.SHAPE,
          lambda unit: (*_reached_missing(unit, is_stubbed=True), *_notes(unit, of_stubs=True)),
          "a stub of `{}` changes no variables", "tests/regressions/infeasible_beside_a_stub.c", spares_decided=True),
    Doubt("endless memory", ANY, Reason.SHAPE, never_failing,
          "`{}` always has memory here", "tests/programs/malloc_option.c", spares_decided=True),
    # Where objects may be shared, nothing is decided by inputs alone: see Evidence.is_decided.
    Doubt("shared objects", ANY, Reason.SHAPE, _if(may_share_objects),
          "a caller could let pointers share memory in ways that were not tried",
          "tests/programs/bound_alias_written_global.c", spares_decided=True),
    Doubt("ends of objects", ANY, Reason.SHAPE, _if(has_near_end),
          "it may feel where the objects end into which its pointers lead", "tests/programs/bound_end_before.c"),
    Doubt("restricted inputs", ANY, Reason.SHAPE, find_restrictions,
          "a caller could give more for `{}`", "tests/regressions/infeasible_behind_a_null_check.c",
          spares_decided=True),
    Doubt("notes about inputs", ANY, Reason.SHAPE, lambda unit: _notes(unit, of_stubs=False),
          "{}", "tests/programs/long_double_input.c", spares_decided=True),
)  # fmt: skip

OF_RUNS: tuple[Doubt[RunFacts], ...] = (  # a formula departs from runs at bounds: see OF_DEPARTURE
    Doubt("felt bounds", EXHAUSTION, Reason.SHAPE, _if(lambda facts: facts.felt_a_bound),
          "some run came to where the shape of the inputs ends", "tests/programs/bound_string_prefix.c"),
    Doubt("left objects", EXHAUSTION, Reason.SHAPE, _if(lambda facts: facts.left_an_object),
          "some run left an object, and would go on in a larger one", "tests/programs/many_crashes.c"),
    Doubt("failed checks", ANY, Reason.CHECK, _if(lambda facts: facts.fails_a_check),
          "a check ends runs that would go on without it", "tests/programs/check_proves_nothing.c"),
)  # fmt: skip

OF_OBJECTIVE: tuple[Doubt[ObjectiveFacts], ...] = (
    Doubt("unsolved ways", EXHAUSTION, Reason.SOLVER_TIME_LIMIT, _if(lambda facts: facts.is_lost),
          "the solver gave up on a path behind which it lies",
          "tests/unit/search/test_loop.py::test_what_lies_behind_a_query_without_answer_is_lost"),
    Doubt("unfinished", INFEASIBLE, Reason.RUNS_DIED, _if(lambda facts: facts.is_unfinished),
          "some run has begun it, and none came to its end",
          "tests/regressions/test_label_verdicts.py::test_a_call_that_never_returns_is_not_called_infeasible"),
    Doubt("observed inexactly", EXHAUSTION, Reason.APPROXIMATE, _if(lambda facts: facts.observed is Reason.APPROXIMATE),
          "what runs observed of it is not exact, or not all",
          "tests/integration/runtime/test_labels.py::test_too_many_observations_prove_nothing"),
    Doubt("observed at a bound", EXHAUSTION, Reason.SHAPE, _if(lambda facts: facts.observed is Reason.SHAPE),
          "its predicate came to where the shape of the inputs ends",
          "tests/regressions/test_label_verdicts.py"
          "::test_a_predicate_that_leaves_what_we_made_too_small_proves_nothing"),
    Doubt("rejected aims", EXHAUSTION, Reason.RUNS_DIED, _if(lambda facts: facts.observed is Reason.RUNS_DIED),
          "a run that was to cover it was rejected, and not all other ways were tried",
          "tests/unit/search/test_aims.py::test_a_rejected_run_proves_nothing_about_what_it_was_to_meet"),
    Doubt("unsolved aims", EXHAUSTION, Reason.SOLVER_TIME_LIMIT,
          _if(lambda facts: facts.observed is Reason.SOLVER_TIME_LIMIT), "the solver gave up on an aim at it",
          "tests/unit/search/test_aims.py::test_what_cannot_be_answered_concerns_its_obligation_alone"),
)  # fmt: skip

OF_VERSIONS: tuple[Doubt[Versions], ...] = (
    Doubt("initial values", EQUALITY, None, lambda versions: _initialised_otherwise(versions),
          "`{}` is initialised otherwise, and every test sets it", 'tests/semantics/told_apart.py::"initialised"'),
    Doubt("stub of one version", EQUALITY, None, lambda versions: versions.replaced,
          "`{}` is defined in one version only", 'tests/semantics/told_apart.py::"moved away"'),
)  # fmt: skip

OF_DEPARTURE: tuple[Doubt[Departure], ...] = (  # where runs leave a formula; first what a larger one would not cure
    Doubt("departs at a bound", BY_SOLVER, Reason.SHAPE, _if(lambda each: each.why is WhyDeparted.SHAPE),
          WhyDeparted.SHAPE.sentence, "tests/regressions/infeasible_beyond_the_shape.c"),
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
    "not seconded", BY_SOLVER, Reason.SOLVER_TIME_LIMIT, _if(lambda answer: not isinstance(answer, Unsat)),
    "the second solver does not say so", "tests/quality/test_encoding.py::test_a_second_solver_must_agree",
)  # fmt: skip
WRONG_FORMULA: Doubt[bool] = Doubt(
    "wrong formula", FORMULA, Reason.NOT_ENCODED, _if(bool),
    "a run does not do what the formula says, which proves nothing then",
    "tests/quality/test_encoding.py::test_a_formula_that_is_wrong_once_proves_nothing",
)  # fmt: skip

DOUBTS: tuple[Doubt[Any], ...] = (
    *OF_SEARCH, *OF_UNIT, *OF_RUNS, *OF_OBJECTIVE, *OF_VERSIONS, *OF_DEPARTURE, NO_ANSWER, NOT_SECONDED, WRONG_FORMULA,
)  # fmt: skip


# -- asking the table


def find_reason(rows: Iterable[Doubt[Subject]], subject: Subject, proof: ProofKind) -> Reason | None:
    """Why this proof is forbidden; None: these rows do not forbid it."""
    return next((row.reason for row in rows if row.forbids & proof and row.holds(subject)), None)


class UnitDoubts:
    """What may be called infeasible in one unit. What does not depend on runs is looked up once."""

    def __init__(self, unit: PreparedUnit, proof: ProofKind) -> None:
        self.unit, self.proof = unit, proof

    def about_all(self, facts: RunFacts) -> Reason | None:
        """Why nothing at all is infeasible."""
        first = find_reason(OF_SEARCH, facts, self.proof)
        return first or self._about_all or find_reason(OF_RUNS, facts, self.proof)

    @cached_property
    def _about_all(self) -> Reason | None:
        return find_reason((row for row in OF_UNIT if not row.spares_decided), self.unit, self.proof)

    @cached_property
    def about_undecided(self) -> Reason | None:
        """Why only what inputs decide may be infeasible; None: the inputs are everything that a caller could vary, as
        long as no run comes to where they end."""
        return find_reason((row for row in OF_UNIT if row.spares_decided), self.unit, self.proof)

    @cached_property
    def is_unconditional(self) -> bool:
        """True when a proof is about all callers, also those that keep no assumption."""
        has_assumptions = self.unit.driver.assumptions or ASSUME in self.unit.interface.undefined_functions
        return not has_assumptions and self.about_undecided is None


def equality_doubts(versions: Versions, facts: RunFacts) -> Iterator[str]:
    """What keeps two versions that no input of the shape tells apart from being equal, in sentences."""
    yield from _sentences(OF_RUNS, facts)
    yield from _sentences(OF_VERSIONS, versions)
    yield from _sentences(OF_UNIT, versions.old)
    yield from _sentences(OF_UNIT, versions.new)


def _sentences(rows: Iterable[Doubt[Subject]], subject: Subject) -> Iterator[str]:
    return (row.sentence.format(name) for row in rows if row.forbids & EQUALITY for name in row.find(subject))


# -- predicates


def _has_volatile(unit: PreparedUnit, *opcodes: str) -> bool:
    """True when such an instruction uses what another thread or a device may change, or see, under our hands."""
    return any(
        instruction.opcode in opcodes and (instruction.opcode in UPDATES or instruction.flags & {"volatile", "atomic"})
        for name in reachable_functions(unit.program, unit.function.name)
        for block in unit.program.functions[name].blocks
        for instruction in block.instructions
    )


def _reached_missing(unit: PreparedUnit, *, is_stubbed: bool) -> list[str]:
    stubbed = {stub.name for stub in unit.shape.stubs}
    return [one.name for one in unit.interface.reached_missing if (one.name in stubbed) == is_stubbed]


def _notes(unit: PreparedUnit, *, of_stubs: bool) -> list[str]:
    """What is assumed about inputs, or about what stubs do."""
    stubs = set(describe_stubs(unit.ctypes, unit.shape.stubs))
    return [note for note in unit.shape.notes if (note in stubs) == of_stubs]


def _initialised_otherwise(versions: Versions) -> Iterator[str]:
    """Variables that are inputs, so that every test sets them; a program finds them as they are initialised."""
    old, new = versions.old, versions.new
    theirs = {one.name: new.program.globals.get(one.ir_name) for one in new.interface.globals}
    for one in old.interface.globals:
        mine, other = old.program.globals.get(one.ir_name), theirs.get(one.name)
        if mine is not None and other is not None and mine.initializer != other.initializer:
            yield one.name
