"""The report as plain data: what report.json holds, with the same names in the same order.

Encoder, decoder (as_json.py), JSON schema and reference page (schema.py) are derived from these classes. A field says
what it means, and which words it may hold, in its `Annotated`. Fields before `KW_ONLY` are the contract: they keep
their meaning within a schema number. Those after it may grow. Nothing here knows how a verdict was reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Annotated

from tightrope.errors import UsageError

SCHEMA = 1
IN_MEMORY = {"is_written": False}  # metadata of a field that JSON does not hold
NOT_TRIED = "interrupted before it was tested"
NOT_TESTED = "not tested: "  # starts the stop reason of a function that was refused
INTERNAL_ERROR = "internal error, which is a bug in Tightrope: please report it: "  # follows it, if the fault is ours
LINKED_WITH = "linked with "  # a note begins so, and names a file
UNCHANGED = "nothing has changed since it was tested: taken from the store (--no-cache tests it again)"  # a note
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
    schema: Annotated[int, (SCHEMA,), "version of this format"] = field(default=SCHEMA, kw_only=True)
    tool: Annotated[Tool, "the program that wrote it"]
    units: Annotated[tuple[UnitReport, ...], "one for each function"]
    is_interrupted: bool = field(default=False, metadata=IN_MEMORY)  # in JSON, each unit has it in stop_reason
    seconds: float = field(default=0.0, compare=False, metadata=IN_MEMORY)  # wall-clock time of the command

    @property
    def was_measured(self) -> bool:
        """True for a report about existing tests."""
        return bool(self.units) and all(unit.was_measured for unit in self.units)

    def score(self, criterion: str) -> Score:
        """The score of all functions. Raises UsageError if the report is not about this criterion."""
        if self.units and criterion not in self.criteria:
            hint = f"it is about {', '.join(self.criteria)}"
            raise UsageError(f"the report has no criterion `{criterion}`", hint=hint, slug="no-criterion")
        return sum((unit.score(criterion) for unit in self.units), Score())

    @property
    def not_tried(self) -> int:
        """Functions that an interrupt left without a result."""
        return sum(unit.stop_reason == f"{NOT_TESTED}{NOT_TRIED}" for unit in self.units)

    @property
    def has_uncompiled(self) -> bool:
        """True if a file does not compile, so that its functions are not known."""
        return any(not unit.function for unit in self.units)

    @property
    def criteria(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for unit in self.units for name in unit.criteria))

    def below(self, thresholds: Sequence[tuple[str, float]], *, allows_refused: bool = False) -> tuple[str, ...]:
        """A sentence for each threshold ('' = every criterion) that is missed, and one about functions that were not
        tested, because nothing is known of their coverage.

        What is proved infeasible is not asked for.
        """
        missed = []
        refused = [unit.function or unit.file for unit in self.units if unit.was_refused]
        if thresholds and refused and not allows_refused:
            what = "file or function" if self.has_uncompiled else "function"
            were = f"{what} was" if len(refused) == 1 else f"{what}s were"
            missed.append(f"{len(refused)} {were} not tested ({', '.join(refused[:5])}{', ...' * (len(refused) > 5)})")
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
    function: Annotated[
        str,
        "its C name; of a sequence, the name of the function that makes the calls; '' for a file that does not compile",
    ]
    criteria: Annotated[tuple[str, ...], "the criteria, in the order of the command line"]
    strategy: Annotated[str, "how the search chose the next candidate"]
    seed: Annotated[int, "of all random choices"]
    stop_reason: Annotated[str, "one sentence; starts with `not tested:` when the function was refused"]
    objectives: Annotated[tuple[ReportedObjective, ...], "in the order of the text, criterion by criterion"]
    tests: Annotated[tuple[ReportedTest, ...], "the tests that were written"]
    statistics: Annotated[Statistics, "counts and seconds of the search"] = field(default_factory=lambda: Statistics())
    _: KW_ONLY
    line: Annotated[int, "where the function starts"] = 0
    defined_in: Annotated[str, "the file with its definition, where `file` includes it; else empty"] = ""
    assumptions: Annotated[
        tuple[str, ...], "what holds in every run: yours, then those about enums, pointers and missing functions"
    ] = ()
    written: Annotated[tuple[str, ...], "the files that were written"] = ()
    confirmation: Annotated[
        Confirmation | None,
        "the tests in a build without instrumentation; null with --no-confirm or without tests",
    ] = None
    crashes: Annotated[tuple[Crash, ...], "runs that did not return: one input for each way in which they ended"] = ()
    concretisations: Annotated[tuple[Concretisation, ...], "where symbolic values were replaced by concrete ones"] = ()
    warnings: Annotated[tuple[str, ...], "for example about compiler flags"] = ()
    notes: Annotated[tuple[str, ...], "how it was compiled and linked, as far as the user did not specify that"] = ()
    decisions: Annotated[
        tuple[ReportedDecision, ...],
        "for criteria about decisions: what the tests evaluate, in the order of the text",
    ] = ()
    suites: Annotated[tuple[str, ...], "of `measure`: files and folders with the tests"] = ()
    fingerprint: Annotated[str, "a hash of the text of the function (of `generate`: of the file)"] = ""
    grown: Annotated[
        Mapping[str, Mapping[str, int]],
        "sizes of the inputs that grew: `elements` and `depth` by path, `answers` by stub",
    ] = field(default_factory=dict)
    command: Annotated[
        tuple[str, ...], "of `generate`: the arguments that repeat this for the function, without those for output"
    ] = ()
    builds: Annotated[
        Mapping[str, tuple[str, ...]],
        "of `generate`: program -> the commands that build it from the written files, for a shell in their folder",
    ] = field(default_factory=dict)
    sequence: Annotated[str, "the calls that tests make, as for --sequence; '' for one call of the function"] = ""
    executed: Annotated[
        tuple[ExecutedFunction, ...], "the function (or those that objectives are about), line by line"
    ] = ()
    code: Annotated[tuple[str, ...], "of `generate`: functions of the file whose code is in the unit"] = ()
    changes: Annotated[
        tuple[ChangedExpectation, ...], "of `generate`: earlier tests whose observed behaviour has changed"
    ] = ()

    @classmethod
    def refused(
        cls, file: str, function: str, criteria: tuple[str, ...], why: str, strategy: str = NO_STRATEGY, seed: int = 0
    ) -> UnitReport:
        """A row for a function that was not tested, or for a file that does not compile."""
        return cls(file, function, criteria, strategy, seed, f"{NOT_TESTED}{why}", objectives=(), tests=())

    @property
    def has_failed(self) -> bool:
        """True if it was not tested because of a fault of ours."""
        return self.stop_reason.startswith(f"{NOT_TESTED}{INTERNAL_ERROR}")

    @property
    def was_measured(self) -> bool:
        return self.strategy == NO_STRATEGY

    @property
    def was_refused(self) -> bool:
        return self.stop_reason.startswith(NOT_TESTED)

    def with_time(self, seconds: float) -> UnitReport:
        return replace(self, statistics=replace(self.statistics, total_seconds=seconds))

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
    text: Annotated[str, "what must happen, in terms of the source"]
    verdict: Annotated[str, VERDICTS, "covered, infeasible or unknown"]
    tests: Annotated[
        tuple[str, ...], "ids of the tests that cover it; for a pair, both tests (or one, if it does both parts)"
    ] = ()
    proof: Annotated[str | None, "of infeasible: constant, exhausted, unsatisfiable"] = None
    reason: Annotated[str | None, "of unknown: a word for the reason"] = None
    _: KW_ONLY
    file: Annotated[str, "as named, or relative to the folder of the command"] = ""
    source: Annotated[str, "the line of C"] = ""
    sentence: Annotated[str, "what is missing, and why"] = ""
    option: Annotated[str, "an option that may help"] = ""
    why: Annotated[str, "the reason alone, without what is missing"] = ""
    relation: Annotated[
        str,
        RELATIONS,
        "any: one test covers it; all: several tests may cover its parts; pair: two tests cover it together; "
        "sequence: one test does one thing and then another",
    ] = "any"
    engine: Annotated[str, ("", "search", "encoding", "fuzzing"), "the engine that decided it"] = ""
    formula: Annotated[
        str,
        "of the proof `unsatisfiable`: the SHA-256 of the SMT-LIB text that has no solution (`--keep-proofs`)",
    ] = ""
    change: Annotated[
        tuple[str, ...], "of a mutant: the lines of C, and what they are in the mutant; empty where a macro hides them"
    ] = ()
    passing: Annotated[tuple[str, ...], "of a mutant that is alive: tests that reach it and pass"] = ()


@dataclass(frozen=True, slots=True)
class ReportedDecision:
    id: Annotated[str, "function:place relative to the function's first line; as in `tightrope objectives --json`"]
    line: Annotated[int, "in `file`"]
    column: Annotated[int, "in `file`, counted in bytes"]
    text: Annotated[str, "the expression, macros expanded"]
    conditions: Annotated[tuple[ReportedCondition, ...], "in the order of the text"]
    vectors: Annotated[tuple[ReportedVector, ...], "those that some test evaluates"]
    possible: Annotated[int, "number of all vectors; 0 if there are too many, or the decision cannot be followed"]
    _: KW_ONLY
    file: Annotated[str, "as named, or relative to the folder of the command"] = ""
    role: Annotated[str, "if, while, do, for, ?:, switch, assert; value: it is stored, returned or passed"] = ""
    problem: Annotated[str, "why its evaluations cannot be followed; empty when they can"] = ""


@dataclass(frozen=True, slots=True)
class ReportedCondition:
    text: Annotated[str, "macros expanded"]
    line: Annotated[int, "in the decision's file"]
    column: Annotated[int, "counted in bytes"]
    _: KW_ONLY
    constant: Annotated[bool | None, "its value, if it is constant"] = None
    pair: Annotated[
        tuple[int, ...],
        "positions in `vectors` of two in which it matters, has both values, and the outcomes differ (its independence "
        "pair); empty if no tests show such a pair",
    ] = ()


@dataclass(frozen=True, slots=True)
class ReportedVector:
    """One way to evaluate a decision, with the tests that evaluate it in this way."""

    values: Annotated[tuple[bool | None, ...], "by condition; null: not evaluated"]
    outcome: Annotated[bool, "of the decision"]
    tests: Annotated[tuple[str, ...], "ids of the tests that evaluate it in this way"]


@dataclass(frozen=True, slots=True)
class ExecutedFunction:
    """How many tests execute a function and its lines. A test that ends by undefined behaviour counts nowhere."""

    function: Annotated[str, "its C name"]
    line: Annotated[int, "where it starts"]
    tests: Annotated[int, "tests that execute it"]
    lines: Annotated[tuple[ExecutedLine, ...], "its lines with code, in order"]
    _: KW_ONLY
    file: Annotated[str, "as named, or relative to the folder of the command"] = ""


@dataclass(frozen=True, slots=True)
class ExecutedLine:
    line: Annotated[int, "in the function's file"]
    tests: Annotated[int, "tests that execute code of this line"]


@dataclass(frozen=True, slots=True)
class ReportedTest:
    id: Annotated[str, "its name in the written file"]
    inputs: Annotated[Mapping[str, Value], "path of each input in C words -> its value"]
    outcome: Annotated[str, OUTCOMES, "returned, crashed, timed_out or exited"]
    covers: Annotated[tuple[str, ...], "ids of the objectives that it covers, alone or with others"]
    _: KW_ONLY
    reason: Annotated[str, "why the outcome is not `returned`"] = ""
    suite: Annotated[str, "of `measure`, and of a test that was there before: the file or folder with the test"] = ""
    hits: Annotated[
        Mapping[str, tuple[int, ...]],
        "of `measure`: objective id -> which of its points the test hits; `--merge` adds these up",
    ] = field(default_factory=dict)
    lines: Annotated[tuple[int, ...], "of `measure`: the lines that it executes, of functions in `executed`"] = ()
    is_kept: Annotated[bool, "of `generate`: it was there before"] = False
    is_native: Annotated[bool, "of `generate`: it was built and run as it is; its inputs are not known"] = False


@dataclass(frozen=True, slots=True)
class ChangedExpectation:
    """What an earlier test expects, where the function now does something else."""

    test: Annotated[str, "id of the test"]
    file: Annotated[str, "where it stands"]
    what: Annotated[
        str,
        "the path of an observed value, `outcome`, `calls`, `its checks`, or `its input` if it cannot be run any more",
    ]
    old: Annotated[str, "what the test expects"]
    new: Annotated[str, "what was observed now"]
    _: KW_ONLY
    is_accepted: Annotated[bool, "it was rewritten (removed, if it cannot be run any more), because of --accept"] = (
        False
    )


@dataclass(frozen=True, slots=True)
class Statistics:
    runs: Annotated[int, "inputs that were run"] = 0
    paths: Annotated[int, "different paths seen"] = 0
    candidates: Annotated[int, "sides of branches that no run had taken when they were found"] = 0
    filtered: Annotated[
        int, "candidates that were skipped because they lead to nothing missing; 0 with --no-filter or --exhaustive"
    ] = 0
    queries: Annotated[int, "questions to the solver and the caches before it"] = 0
    sat: Annotated[int, "queries that have a solution"] = 0
    unsat: Annotated[int, "queries that have no solution"] = 0
    unknown: Annotated[int, "queries on which the solver gave up"] = 0
    cache_hits: Annotated[
        int, "queries answered without the solver: by the cache, known contradictions, earlier inputs or constants"
    ] = 0
    divergences: Annotated[int, "runs that left their predicted path: 0 unless Tightrope has a bug"] = 0
    concretisations: Annotated[int, "how often a symbolic value was replaced by a concrete one"] = 0
    seconds: Annotated[float, "wall-clock time of the search"] = 0.0
    solver_seconds: Annotated[float, "of these, in the SMT solver"] = 0.0
    run_seconds: Annotated[float, "of these, in runs"] = 0.0
    _: KW_ONLY
    seeds: Annotated[
        int, "of `runs`, those with inputs from types, constants and strings of the unit, before any query"
    ] = 0
    trials: Annotated[int, "runs by fuzzing that found nothing new; they are not among `runs`"] = 0
    reuse_hits: Annotated[int, "of `cache_hits`, those by an earlier input or a variation of one"] = 0
    local_searches: Annotated[
        int,
        "local searches that minimise branch distances: if the solver gives up, and briefly before the solver if "
        "there is floating-point arithmetic",
    ] = 0
    local_search_hits: Annotated[int, "of these, those that found a solution"] = 0
    moved_hits: Annotated[int, "queries about many inputs, answered by moving these together"] = 0
    encoding_queries: Annotated[int, "queries about the formula of the whole function"] = 0
    encoding_runs: Annotated[int, "of `runs`, those with solutions of this formula"] = 0
    encoding_covered: Annotated[int, "objectives that these runs were the first to cover"] = 0
    encoding_refuted: Annotated[int, "objectives that the formula proved infeasible"] = 0
    encoding_unknown: Annotated[int, "queries about the formula on which the solver gave up"] = 0
    encoding_iterations: Annotated[int, "loop bound of the last formula, for loops whose end depends on inputs"] = 0
    encoding_instances: Annotated[int, "blocks in the last formula, counted once per iteration and call"] = 0
    encoding_seconds: Annotated[float, "of `seconds`, those spent on formulas"] = 0.0
    mispredictions: Annotated[int, "runs that contradict the formula: 0 unless Tightrope has a bug"] = 0
    total_seconds: Annotated[float, "wall-clock time of everything: preparing, the search, making the tests"] = 0.0

    @property
    def whole_seconds(self) -> float:
        """The time to show; in a report of an earlier version, that of the search."""
        return self.total_seconds or self.seconds


@dataclass(frozen=True, slots=True)
class Crash:
    """A run that did not return: how it ended, where, and the input that caused it."""

    outcome: Annotated[str, OUTCOMES, "crashed, timed_out or exited"]
    reason: Annotated[str, "one sentence"]
    file: Annotated[str, "where it ended"]
    line: Annotated[int, "where it ended; 0: not known"]
    column: Annotated[int, "where it ended"]
    inputs: Annotated[Mapping[str, Value], "path of each input in C words -> its value"]
    _: KW_ONLY
    path: Annotated[tuple[PathStep, ...], "the way of the run through the source, up to its end"] = ()


@dataclass(frozen=True, slots=True)
class PathStep:
    """A branch that a run took."""

    file: Annotated[str, "as named, or relative to the folder of the command"]
    line: Annotated[int, "of the branch"]
    column: Annotated[int, "of the branch, counted in bytes"]
    text: Annotated[str, "what was decided there: `a > 3 is true`"]
    times: Annotated[int, "how often it went this way in a row"] = 1


@dataclass(frozen=True, slots=True)
class Concretisation:
    """A place where a symbolic value was replaced by its concrete one. `concretised`: paths through it are approximate.
    `pinned`: the path condition fixes the value, so the path stays exact; `count` is the number of values."""

    reason: Annotated[str, "what has no symbolic model"]
    file: Annotated[str, "where"]
    line: Annotated[int, "where"]
    column: Annotated[int, "where"]
    count: Annotated[int, "how often; pinned: number of values"]
    _: KW_ONLY
    kind: Annotated[
        str,
        ("concretised", "pinned"),
        "concretised: paths through it are approximate; pinned: paths stay exact, each with one value",
    ] = "concretised"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The written tests, built and run without instrumentation."""

    same: Annotated[int, "tests that gave the same result"]
    different: Annotated[tuple[str, ...], "ids of tests that gave another result; they are not written"] = ()
    not_run: Annotated[
        tuple[str, ...],
        "ids of tests that end early with instrumentation, but return without it; they are not written",
    ] = ()
    problem: Annotated[str, "why nothing could be confirmed"] = ""
    judge: Annotated[str, "the tool that counted branches again, such as gcov 12.2.0; empty: none"] = ""
    judged_lines: Annotated[int, "lines with the same branch counts in both"] = 0
    disagreements: Annotated[tuple[str, ...], "lines with other branch counts, one sentence each"] = ()
    counted_differently: Annotated[tuple[str, ...], "lines with different branches in the two compilers"] = ()
    _: KW_ONLY
    details: Annotated[tuple[str, ...], "what differed, for each test in `different`"] = ()


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
    """A percentage; 100 if the whole is 0."""
    return 100.0 * part / whole if whole else 100.0


def show_percent(part: int, whole: int) -> str:
    """The percentage, rounded; never rounded to 100% or 0%."""
    rounded = f"{percent(part, whole):.1f}"
    if part != whole and rounded == "100.0":
        rounded = "99.9"
    if part and rounded == "0.0":
        rounded = "0.1"
    return rounded.removesuffix(".0") + "%"
