"""The report as plain data: what report.json holds, with the same names in the same order.

Encoder, decoder (as_json.py), JSON schema and reference page (schema.py) are derived from these classes. A field says
what it means, and which words it may hold, in its `Annotated`. Fields before `KW_ONLY` are the contract: they keep
their meaning within a schema number. Those after it may grow. Nothing here knows how a verdict was reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated

SCHEMA = 1
IN_MEMORY = {"is_written": False}  # metadata of a field that JSON does not hold
NOT_TESTED = "not tested: "  # starts the stop reason of a function that was refused
NO_STRATEGY = "none"  # of a function whose tests were there before: nothing was searched for
VERDICTS = ("covered", "infeasible", "unknown")
RELATIONS = ("any", "all", "pair", "sequence")
OUTCOMES = ("returned", "crashed", "timed_out", "exited", "rejected")
Value = int | float | bool | str  # of an input; a float that JSON has no number for is a string


@dataclass(frozen=True, slots=True)
class Tool:
    name: Annotated[str, ("tightrope",), "always the same"]
    version: Annotated[str, "of Tightrope"]


@dataclass(frozen=True, slots=True)
class Report:
    schema: Annotated[int, (SCHEMA,), "number of the contract"] = field(default=SCHEMA, kw_only=True)
    tool: Annotated[Tool, "who wrote it"]
    units: Annotated[tuple[UnitReport, ...], "one for each function"]
    is_interrupted: bool = field(default=False, metadata=IN_MEMORY)  # in JSON, stop_reason says it for each unit

    @property
    def was_measured(self) -> bool:
        """It says what existing tests cover."""
        return bool(self.units) and all(unit.strategy == NO_STRATEGY for unit in self.units)

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


@dataclass(frozen=True, slots=True)
class UnitReport:
    """One function."""

    file: Annotated[str, "as it was named on the command line"]
    function: Annotated[str, "its C name"]
    criteria: Annotated[tuple[str, ...], "asked for, in this order"]
    strategy: Annotated[str, "which candidate was tried next"]
    seed: Annotated[int, "of every random choice"]
    stop_reason: Annotated[str, "one sentence; starts with `not tested:` when the function was refused"]
    objectives: Annotated[tuple[ReportedObjective, ...], "in the order of the text, criterion by criterion"]
    tests: Annotated[tuple[ReportedTest, ...], "those that were kept, confirmed and written"]
    statistics: Annotated[Statistics, "counts and seconds of the search"] = field(default_factory=lambda: Statistics())
    _: KW_ONLY
    line: Annotated[int, "where the function starts"] = 0
    assumptions: Annotated[
        tuple[str, ...], "what holds in every run: yours, then those about enums, shapes and missing functions"
    ] = ()
    written: Annotated[tuple[str, ...], "files"] = ()
    confirmation: Annotated[
        Confirmation | None, "what running the tests without probes showed; null with --no-confirm or without tests"
    ] = None
    crashes: Annotated[tuple[Crash, ...], "runs that did not return: one input for each way"] = ()
    concretisations: Annotated[tuple[Concretisation, ...], "where paths became approximate"] = ()
    warnings: Annotated[tuple[str, ...], "about flags and the like"] = ()
    notes: Annotated[tuple[str, ...], "how it was compiled and linked, where the user did not say so"] = ()
    decisions: Annotated[
        tuple[ReportedDecision, ...],
        "for criteria that look at decisions: what the tests evaluate, in the order of the text",
    ] = ()
    suites: Annotated[tuple[str, ...], "of `measure`: files and folders that the tests are from"] = ()
    fingerprint: Annotated[str, "changes when the text of the function (of `generate`: of the file) does"] = ""
    command: Annotated[
        tuple[str, ...], "of `generate`: the words that do the same for this function again, without where results go"
    ] = ()

    @property
    def was_refused(self) -> bool:
        return self.stop_reason.startswith(NOT_TESTED)

    def score(self, criterion: str) -> Score:
        return Score.of(each for each in self.objectives if each.criterion == criterion)


@dataclass(frozen=True, slots=True)
class ReportedObjective:
    id: Annotated[
        str,
        "function:criterion:place relative to the function's first line:side; stable under edits elsewhere in the file",
    ]
    criterion: Annotated[str, "the criterion it belongs to"]
    kind: Annotated[str, "what the criterion asks there; branch: true, false, case or default; statement: line"]
    line: Annotated[int, "in `file`"]
    column: Annotated[int, "in `file`, counted in bytes; 0: the whole line"]
    text: Annotated[str, "in the words of the source"]
    verdict: Annotated[str, VERDICTS, "covered, infeasible or unknown"]
    tests: Annotated[
        tuple[str, ...], "ids of the tests that cover it; of a pair, the two that make it (one, when it is both)"
    ] = ()
    proof: Annotated[str | None, "of infeasible: constant, exhausted, unsatisfiable"] = None
    reason: Annotated[str | None, "of unknown: a word saying why"] = None
    _: KW_ONLY
    file: Annotated[str, "as named, or relative to the folder of the command"] = ""
    source: Annotated[str, "the line of C"] = ""
    sentence: Annotated[str, "what is missing, and why"] = ""
    option: Annotated[str, "that may help"] = ""
    why: Annotated[str, "the part of the sentence that objectives may share"] = ""
    relation: Annotated[
        str,
        RELATIONS,
        "any: one test does it; all: each of its parts is done by some test; pair: two tests together; "
        "sequence: one test does one thing and then another",
    ] = "any"
    engine: Annotated[str, ("", "search", "encoding"), "who has decided it"] = ""
    formula: Annotated[
        str,
        "of a proof that is `unsatisfiable`: the SHA-256 of the SMT-LIB text that has no solution (`--keep-proofs`)",
    ] = ""


@dataclass(frozen=True, slots=True)
class ReportedDecision:
    id: Annotated[str, "function:place relative to the function's first line; as in `tightrope objectives --json`"]
    line: Annotated[int, "in `file`"]
    column: Annotated[int, "in `file`, counted in bytes"]
    text: Annotated[str, "the expression, macros expanded"]
    conditions: Annotated[tuple[ReportedCondition, ...], "in the order of the text"]
    vectors: Annotated[tuple[ReportedVector, ...], "those that some test evaluates"]
    possible: Annotated[int, "how many vectors there are"]
    _: KW_ONLY
    file: Annotated[str, "as named, or relative to the folder of the command"] = ""
    role: Annotated[str, "if, while, do, for, ?:, switch, assert; value: it is kept, returned or handed over"] = ""
    problem: Annotated[str, "why its evaluations cannot be followed; empty when they can"] = ""


@dataclass(frozen=True, slots=True)
class ReportedCondition:
    text: Annotated[str, "macros expanded"]
    line: Annotated[int, "in the decision's file"]
    column: Annotated[int, "counted in bytes"]
    _: KW_ONLY
    constant: Annotated[bool | None, "its value, when it is a constant"] = None


@dataclass(frozen=True, slots=True)
class ReportedVector:
    """One way to evaluate a decision, and the tests that do."""

    values: Annotated[tuple[bool | None, ...], "by condition; null: not evaluated"]
    outcome: Annotated[bool, "of the decision"]
    tests: Annotated[tuple[str, ...], "ids of the tests that evaluate it so"]


@dataclass(frozen=True, slots=True)
class ReportedTest:
    id: Annotated[str, "its name in the written file"]
    inputs: Annotated[Mapping[str, Value], "path of each input in C words -> its value"]
    outcome: Annotated[str, OUTCOMES, "returned, crashed, timed_out or exited"]
    covers: Annotated[tuple[str, ...], "ids of the objectives that it covers, alone or with others"]
    _: KW_ONLY
    reason: Annotated[str, "of an outcome that is not `returned`"] = ""
    suite: Annotated[str, "of `measure`: the file or folder that the test is from"] = ""
    hits: Annotated[
        Mapping[str, tuple[int, ...]],
        "of `measure`: objective id -> which of its points the test hits; what `--merge` adds up",
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Statistics:
    runs: Annotated[int, "inputs run while searching"] = 0
    paths: Annotated[int, "different paths seen"] = 0
    candidates: Annotated[int, "sides of forks that no run had taken when they were found"] = 0
    filtered: Annotated[int, "candidates left out; 0 in this version"] = 0
    queries: Annotated[int, "asked of the solving chain"] = 0
    sat: Annotated[int, "answers"] = 0
    unsat: Annotated[int, "answers"] = 0
    unknown: Annotated[int, "the solver gave up"] = 0
    cache_hits: Annotated[
        int, "queries answered before the solver: cache, known contradictions, inputs at hand, constants"
    ] = 0
    divergences: Annotated[int, "runs that left the path they were predicted to take: 0, or a bug"] = 0
    concretisations: Annotated[int, "how often, all places together"] = 0
    seconds: Annotated[float, "of the search, by the wall clock"] = 0.0
    solver_seconds: Annotated[float, "of them in the SMT solver"] = 0.0
    run_seconds: Annotated[float, "of them in runs"] = 0.0
    _: KW_ONLY
    seeds: Annotated[
        int, "of the runs, those of inputs from types, constants and texts of the unit, before anything was asked"
    ] = 0
    reuse_hits: Annotated[int, "of `cache_hits`, those by an input at hand or a variation of one"] = 0
    local_searches: Annotated[
        int,
        "searches on branch distances: for what the solver left unknown, and briefly before it where floats "
        "are calculated with",
    ] = 0
    local_search_hits: Annotated[int, "of them, those that found a model"] = 0
    encoding_queries: Annotated[int, "questions about the formula of the whole function"] = 0
    encoding_runs: Annotated[int, "of the runs, those of its models"] = 0
    encoding_covered: Annotated[int, "objectives that these were the first to cover"] = 0
    encoding_refuted: Annotated[int, "objectives that the formula has shown to be infeasible"] = 0
    encoding_unknown: Annotated[int, "questions about it that the solver gave no answer to"] = 0
    encoding_iterations: Annotated[int, "iterations of loops whose end depends on inputs, in the last formula"] = 0
    encoding_instances: Annotated[int, "blocks of the program in it, each as often as it stands there"] = 0
    encoding_seconds: Annotated[float, "of `seconds`, those that went into formulas"] = 0.0
    mispredictions: Annotated[int, "runs that did not do what the formula says: 0, or a mistake of Tightrope"] = 0


@dataclass(frozen=True, slots=True)
class Crash:
    """A run that did not return: how it ended, where, and the input that caused it."""

    outcome: Annotated[str, OUTCOMES, "crashed, timed_out or exited"]
    reason: Annotated[str, "one sentence"]
    file: Annotated[str, "where it ended"]
    line: Annotated[int, "where it ended; 0: not known"]
    column: Annotated[int, "where it ended"]
    inputs: Annotated[Mapping[str, Value], "path of each input in C words -> its value"]


@dataclass(frozen=True, slots=True)
class Concretisation:
    """A place where a symbolic value was replaced by its concrete one. `concretised`: paths through it are approximate.
    `pinned`: the path says which value it was, so that it stays exact; `count` is the number of values."""

    reason: Annotated[str, "what is not modelled"]
    file: Annotated[str, "where"]
    line: Annotated[int, "where"]
    column: Annotated[int, "where"]
    count: Annotated[int, "how often; pinned: how many values"]
    _: KW_ONLY
    kind: Annotated[
        str,
        ("concretised", "pinned"),
        "concretised: paths through it are approximate; pinned: they stay exact, one value at a time",
    ] = "concretised"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The written tests, built and run without probes."""

    same: Annotated[int, "tests that gave the same result"]
    different: Annotated[tuple[str, ...], "ids of tests that did not; they are not written"] = ()
    not_run: Annotated[
        tuple[str, ...], "ids of tests that end a run with probes, but return without; they are not written"
    ] = ()
    problem: Annotated[str, "why nothing could be confirmed"] = ""
    judge: Annotated[str, "the second opinion, such as gcov 12.2.0; empty: there was none"] = ""
    judged_lines: Annotated[int, "lines on which its branch counts equal ours"] = 0
    disagreements: Annotated[tuple[str, ...], "lines on which they do not, one sentence each"] = ()
    counted_differently: Annotated[tuple[str, ...], "lines on which the two compilers make different branches"] = ()
    _: KW_ONLY
    details: Annotated[tuple[str, ...], "what differed, for each of `different`"] = ()


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
