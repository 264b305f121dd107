"""The report as plain data: the exact image of report.json.

Fields of the contract (stable within a schema number) come first in each class; what follows them may
grow. Nothing here knows how a verdict was reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SCHEMA = 1
NOT_TESTED = "not tested: "  # starts the stop reason of a function that was refused


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class ReportedObjective:
    id: str
    criterion: str
    kind: str
    line: int
    column: int
    text: str
    verdict: str  # covered, infeasible, unknown
    tests: tuple[str, ...] = ()
    proof: str | None = None  # of infeasible: constant, exhausted, unsatisfiable
    reason: str | None = None  # of unknown: a word
    file: str = ""
    source: str = ""  # the line of C, as written
    sentence: str = ""  # what is missing, and why
    option: str = ""  # what may help
    why: str = ""  # the second half of the sentence: the same for many objectives
    relation: str = "any"  # of a pair, `tests` are the two that make it
    engine: str = ""  # who has decided it: search, encoding
    formula: str = ""  # of a proof that is unsatisfiable: the hash of what has no solution


@dataclass(frozen=True, slots=True)
class ReportedTest:
    id: str
    inputs: Mapping[str, Any]
    outcome: str  # returned, crashed, timed_out, exited, rejected
    covers: tuple[str, ...]
    reason: str = ""  # of an outcome that is not `returned`
    suite: str = ""  # of `measure`: where the test is from
    hits: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # of `measure`: id -> which of its points


@dataclass(frozen=True, slots=True)
class ReportedVector:
    """One way to evaluate a decision, and the tests that do."""

    values: tuple[bool | None, ...]  # by condition; None: not evaluated
    outcome: bool
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportedCondition:
    text: str
    line: int
    column: int
    constant: bool | None = None  # its value, when it is a constant


@dataclass(frozen=True, slots=True)
class ReportedDecision:
    id: str
    line: int
    column: int
    text: str
    conditions: tuple[ReportedCondition, ...]
    vectors: tuple[ReportedVector, ...]  # that some test evaluates
    possible: int  # vectors that there are
    file: str = ""
    role: str = ""  # if, while, do, for, ?:, switch, assert, value
    problem: str = ""  # why its evaluations cannot be followed


@dataclass(frozen=True, slots=True)
class Statistics:
    runs: int = 0
    paths: int = 0
    candidates: int = 0
    filtered: int = 0
    queries: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    cache_hits: int = 0
    divergences: int = 0
    concretisations: int = 0
    seconds: float = 0.0
    solver_seconds: float = 0.0
    run_seconds: float = 0.0
    seeds: int = 0
    reuse_hits: int = 0
    local_searches: int = 0
    local_search_hits: int = 0
    encoding_queries: int = 0
    encoding_runs: int = 0
    encoding_covered: int = 0
    encoding_refuted: int = 0
    encoding_unknown: int = 0
    encoding_iterations: int = 0
    encoding_instances: int = 0
    encoding_seconds: float = 0.0
    mispredictions: int = 0


@dataclass(frozen=True, slots=True)
class Crash:
    """A run that did not return: how it ended, where, and the input that caused it."""

    outcome: str
    reason: str
    file: str
    line: int
    column: int
    inputs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Concretisation:
    """A place where a symbolic value was replaced by its concrete one. `concretised`: paths through it are approximate.
    `pinned`: the path says which value it was, so that it stays exact; `count` is the number of values."""

    reason: str
    file: str
    line: int
    column: int
    count: int
    kind: str = "concretised"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The written tests, built and run without probes."""

    same: int
    different: tuple[str, ...] = ()  # ids of tests that did not behave alike
    not_run: tuple[str, ...] = ()
    problem: str = ""  # why nothing could be confirmed
    judge: str = ""  # 'gcov 12.2.0' when a second opinion on branch counts was had
    judged_lines: int = 0
    disagreements: tuple[str, ...] = ()  # one sentence each
    counted_differently: tuple[str, ...] = ()
    details: tuple[str, ...] = ()  # what differed, for each of `different`


@dataclass(frozen=True, slots=True)
class UnitReport:
    """One function."""

    file: str
    function: str
    criteria: tuple[str, ...]
    strategy: str
    seed: int
    stop_reason: str
    objectives: tuple[ReportedObjective, ...]
    tests: tuple[ReportedTest, ...]
    statistics: Statistics = Statistics()
    line: int = 0
    assumptions: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    confirmation: Confirmation | None = None
    crashes: tuple[Crash, ...] = ()
    concretisations: tuple[Concretisation, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # how it was compiled and linked
    decisions: tuple[ReportedDecision, ...] = ()  # for criteria that look at them
    suites: tuple[str, ...] = ()  # of `measure`: where the tests are from
    fingerprint: str = ""  # changes when the text of the function (of `generate`: of the file) does
    command: tuple[str, ...] = ()  # of `generate`: words that do the same for this function again

    @property
    def was_refused(self) -> bool:
        return self.stop_reason.startswith(NOT_TESTED)

    def score(self, criterion: str) -> Score:
        return Score.of(each for each in self.objectives if each.criterion == criterion)


@dataclass(frozen=True, slots=True)
class Score:
    """How much is covered. Scores of several functions add up."""

    covered: int = 0
    infeasible: int = 0
    unknown: int = 0

    @classmethod
    def of(cls, objectives: Iterable[ReportedObjective]) -> Score:
        words = [each.verdict for each in objectives]
        return cls(words.count("covered"), words.count("infeasible"), words.count("unknown"))

    def __add__(self, other: Score) -> Score:
        return Score(self.covered + other.covered, self.infeasible + other.infeasible, self.unknown + other.unknown)

    @property
    def total(self) -> int:
        return self.covered + self.infeasible + self.unknown

    @property
    def feasible(self) -> int:
        """Objectives that are not proved infeasible."""
        return self.covered + self.unknown


def percent(part: int, whole: int) -> float:
    """A percentage; nothing of nothing is all of it."""
    return 100.0 * part / whole if whole else 100.0


def show_percent(part: int, whole: int) -> str:
    """`100%` only if it is exactly all, `0%` only if it is exactly nothing."""
    rounded = f"{percent(part, whole):.1f}"
    if part != whole and rounded == "100.0":
        rounded = "99.9"
    if part and rounded == "0.0":
        rounded = "0.1"
    return rounded.removesuffix(".0") + "%"


@dataclass(frozen=True, slots=True)
class Report:
    tool: Tool
    units: tuple[UnitReport, ...]
    schema: int = SCHEMA
    is_interrupted: bool = field(default=False)  # kept out of report.json: stop_reason says it per unit

    def score(self, criterion: str) -> Score:
        return sum((unit.score(criterion) for unit in self.units), Score())

    @property
    def criteria(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for unit in self.units for name in unit.criteria))

    def below(self, thresholds: Sequence[tuple[str, float]]) -> tuple[str, ...]:
        """A sentence for each threshold ('' = every criterion) that is missed.

        What is proved infeasible is not asked for.
        """
        missed = []
        for name, wanted in thresholds:
            for criterion in (name,) if name else self.criteria:
                score = self.score(criterion)
                if percent(score.covered, score.feasible) < wanted:
                    reached = show_percent(score.covered, score.feasible)
                    missed.append(f"{criterion} coverage is {reached}, below the {wanted:g}% asked for")
        return tuple(missed)
