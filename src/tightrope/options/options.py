"""Every option once: name, how it is read, default, help sentence.

The parser, the spec file, validation and the page in the docs (options_page.py) derive from the fields of `Options`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tightrope.coverage.criteria import CRITERIA
from tightrope.inputs.wishes import Wish, read_wish_lines
from tightrope.options.option_values import (
    read_choice,
    read_choices,
    read_count,
    read_deletion,
    read_expression,
    read_link,
    read_name,
    read_partition,
    read_paths,
    read_seconds,
    read_threshold,
    read_whole,
    read_words,
    read_written,
)
from tightrope.options.targets import Target
from tightrope.program.declarations.stubs import DEFAULT_ANSWERS, StubOptions, Written
from tightrope.program.marks.labels import Partition
from tightrope.search.strategies import STRATEGIES
from tightrope.solving.backends import BACKENDS
from tightrope.suite.writers import WRITERS
from tightrope.weaving.checks import CHECKS

SOLVERS = tuple(BACKENDS)
FORMATS = tuple(WRITERS)
MCDC_FORMS = ("masking", "unique-cause")
INSTRUMENTATIONS = ("tight", "direct")
ENGINES = {
    "auto": "the two in turns",
    "search": "runs along paths, one after the other",
    "encoding": "the whole function as one formula, asked for each objective",
}


def _listed(table: Mapping[str, Any]) -> str:
    """Names of a table with their help: `dfs (the deepest ...), bfs (...)`."""
    return ", ".join(f"{name} ({row.help})" for name, row in table.items())


@dataclass(frozen=True, slots=True)
class Option:
    """How one field of `Options` is given by people. `read` raises ValueError with the sentence to show."""

    flags: tuple[str, ...]  # ('-c', '--criterion')
    help: str  # one sentence, without the default
    read: Callable[[str], Any] = str
    metavar: str = ""
    repeats: bool = False  # may be given several times; the values are joined
    is_switch: bool = False  # takes no value
    for_function: bool = False  # may stand under [function.NAME] of a spec file
    in_spec: bool = True
    joins: str = ""  # a list in a table of a spec file is read as its parts with this between them

    @property
    def key(self) -> str:
        """The name in a spec file: the long flag without dashes."""
        return max(self.flags, key=len).removeprefix("--")


def _option(default: Any, *flags: str, **rest: Any) -> Any:
    return field(default=default, metadata={"option": Option(flags, **rest)})


@dataclass(frozen=True, slots=True)
class Options:
    """What `tightrope generate` was asked to do. Packages below get plain values out of it."""

    targets: tuple[Target, ...]
    flags: tuple[str, ...] = ()  # for the compiler: what stands after `--`

    functions: tuple[str, ...] = _option(
        (), "-f", "--function", metavar="NAME", read=read_words, repeats=True, in_spec=False,
        help="only this function of the files; may be repeated",
    )  # fmt: skip
    criteria: tuple[str, ...] = _option(
        ("mcdc", "branch"), "-c", "--criterion", metavar="NAME[,NAME]", read=read_choices(CRITERIA), for_function=True,
        help=f"what must be covered: {_listed(CRITERIA)}",
    )  # fmt: skip
    mcdc_form: str = _option(
        "masking", "--mcdc-form", metavar="FORM", read=read_choice(MCDC_FORMS), for_function=True,
        help="when a condition is shown to matter: masking (the others let it through), "
        "unique-cause (two tests differ in nothing else that was evaluated)",
    )  # fmt: skip
    instrumentation: str = _option(
        "tight", "--instrumentation", metavar="HOW", read=read_choice(INSTRUMENTATIONS), for_function=True,
        help="what labels do to paths: tight (nothing), direct (each label is a branch); annotate writes plain labels "
        "unless it is given",
    )  # fmt: skip
    strategy: str = _option(
        "pps-patient", "-s", "--strategy", metavar="NAME", read=read_choice(STRATEGIES), for_function=True,
        help=f"what is tried next: {_listed(STRATEGIES)}",
    )  # fmt: skip
    engine: str = _option(
        "auto", "--engine", metavar="NAME", read=read_choice(ENGINES), for_function=True,
        help="who decides: " + ", ".join(f"{name} ({what})" for name, what in ENGINES.items()),
    )  # fmt: skip
    unroll_limit: int = _option(
        256, "--unroll-limit", metavar="N", read=read_count, for_function=True,
        help="a loop whose end depends on inputs is encoded for this many iterations at most",
    )  # fmt: skip
    cross_check: bool = _option(
        False, "--cross-check", is_switch=True, for_function=True,
        help="nothing is infeasible by a formula unless a second solver finds no solution either",
    )  # fmt: skip
    keep_proofs: Path | None = _option(  # noqa: RUF009
        None, "--keep-proofs", metavar="DIR", read=Path,
        help="write the formulas that have no solution into this folder, as SMT-LIB",
    )  # fmt: skip
    no_filter: bool = _option(
        False, "--no-filter", is_switch=True, for_function=True,
        help="try also what leads to nothing that is missing",
    )  # fmt: skip
    pps_depth: int = _option(
        3, "--pps-depth", metavar="N", read=read_whole, for_function=True,
        help="how many choices ahead predictive path search counts what is missing",
    )  # fmt: skip
    restart_after: int = _option(
        0, "--restart-after", metavar="N", read=read_whole, for_function=True,
        help="start anew elsewhere after this many candidates in a row that brought nothing new; 0: never",
    )  # fmt: skip
    label_deletion: int = _option(
        2, "--label-deletion", metavar="N", read=read_deletion, for_function=True,
        help="when a label is no longer aimed at: 0 (never), 1 (when an aim has covered it), 2 (when any run has); "
        "0 and 1 only with --no-filter or --exhaustive",
    )  # fmt: skip
    partitions: tuple[Partition, ...] = _option(
        (), "--partition", metavar="NAME=EXPR; EXPR", read=read_partition, repeats=True, for_function=True, joins="; ",
        help="blocks of inputs for -c idp, as C expressions over parameters and globals; may be repeated",
    )  # fmt: skip
    whole_program: bool = _option(
        False, "--whole-program", is_switch=True, for_function=True,
        help="count the objectives of all functions of the file, not only those of the one that is called",
    )  # fmt: skip
    exhaustive: bool = _option(
        False, "--exhaustive", is_switch=True, for_function=True,
        help="explore all paths, whatever is covered already",
    )  # fmt: skip
    time_limit: float = _option(
        60.0, "--time-limit", metavar="SECONDS", read=read_seconds, for_function=True,
        help="stop the search of a function after this time",
    )  # fmt: skip
    max_runs: int | None = _option(
        None, "--max-runs", metavar="N", read=read_count, for_function=True,
        help="stop the search of a function after this many runs",
    )  # fmt: skip
    seed: int = _option(
        0, "--seed", metavar="N", read=read_whole,
        help="seed of every random choice: the same seed gives the same bytes",
    )  # fmt: skip
    checks: tuple[str, ...] = _option(
        (), "--check", metavar="NAME[,NAME]", read=read_choices(CHECKS), for_function=True,
        help=f"look for, and end a run at: {_listed(CHECKS)}",
    )  # fmt: skip
    index_limit: int = _option(
        256, "--index-limit", metavar="N", read=read_count, for_function=True,
        help="an index that the input decides is followed to all elements at once up to this many, else one by one",
    )  # fmt: skip
    solver: str = _option(
        "bitwuzla", "--solver", metavar="NAME", read=read_choice(SOLVERS),
        help=f"the SMT solver: {_listed(BACKENDS)}",
    )  # fmt: skip
    solver_time_limit: float = _option(
        5.0, "--solver-time-limit", metavar="SECONDS", read=read_seconds,
        help="give up on a query of the solver after this time",
    )  # fmt: skip
    run_time_limit: float = _option(
        1.0, "--run-time-limit", metavar="SECONDS", read=read_seconds,
        help="a run of the function that takes longer has timed out",
    )  # fmt: skip
    memory_limit: int = _option(
        1024, "--memory-limit", metavar="MIB", read=read_count,
        help="memory that a run of the function may use, in mebibytes",
    )  # fmt: skip
    assumptions: tuple[str, ...] = _option(
        (), "--assume", metavar="EXPRESSION", read=read_expression, repeats=True, for_function=True,
        help="a C expression over parameters and globals that holds at the call; may be repeated",
    )  # fmt: skip
    spec: Path | None = _option(  # noqa: RUF009
        None, "--spec", metavar="FILE.toml", read=Path, in_spec=False,
        help="read options from this file, instead of from tightrope.toml in this folder or above",
    )  # fmt: skip
    wishes: tuple[tuple[str, Wish], ...] = _option(
        (), "--input", metavar="PATH=WISH", read=read_wish_lines, repeats=True, for_function=True,
        help="what an input is to be, such as buffer=8, 'cfg->name=string 12, not-null' or list=null; may be repeated",
    )  # fmt: skip
    string_length: int = _option(
        8, "--string-length", metavar="N", read=read_count, for_function=True,
        help="characters of a string, at most, without the terminator",
    )  # fmt: skip
    array_length: int = _option(
        8, "--array-length", metavar="N", read=read_count, for_function=True,
        help="elements behind a pointer that is used as an array, where nothing tells how many",
    )  # fmt: skip
    depth: int = _option(
        3, "--depth", metavar="N", read=read_whole, for_function=True,
        help="how many pointers are followed in linked structures",
    )  # fmt: skip
    buffer_size: int = _option(
        8, "--buffer-size", metavar="N", read=read_count, for_function=True,
        help="bytes behind a void pointer",
    )  # fmt: skip
    max_elements: int = _option(
        64, "--max-elements", metavar="N", read=read_count, for_function=True,
        help="at most this many elements of an array are inputs; the others are zero",
    )  # fmt: skip
    enum: str = _option(
        "members", "--enum", metavar="WHICH", read=read_choice(("members", "any")), for_function=True,
        help="values of an enum: members (only the named ones), any (every number of its type)",
    )  # fmt: skip
    stubs: tuple[str, ...] = _option(
        (), "--stub", metavar="NAME", read=read_name, repeats=True, for_function=True,
        help="this function of the library answers what the input says; may be repeated",
    )  # fmt: skip
    no_stubs: tuple[str, ...] = _option(
        (), "--no-stub", metavar="NAME", read=read_name, repeats=True, for_function=True,
        help="no answers for this function: the library's own is called, or nothing is done; may be repeated",
    )  # fmt: skip
    stub_writes: tuple[Written, ...] = _option(
        (), "--stub-writes", metavar="NAME:NUMBER[=COUNT]", read=read_written, repeats=True, for_function=True,
        help="a stub writes through this parameter, counted from 1, COUNT elements that are inputs; may be repeated",
    )  # fmt: skip
    answers: int = _option(
        DEFAULT_ANSWERS, "--answers", metavar="N", read=read_count, for_function=True,
        help="calls of a stub that get answers of their own; the last is given again from then on",
    )  # fmt: skip
    output: Path = _option(  # noqa: RUF009
        Path("tightrope-tests"), "-o", "--output", metavar="DIR", read=Path,
        help="folder for the written tests",
    )  # fmt: skip
    formats: tuple[str, ...] = _option(
        ("plain",), "--format", metavar="NAME[,NAME]", read=read_choices(FORMATS),
        help=f"how tests are written: {_listed(WRITERS)}",
    )  # fmt: skip
    suites: tuple[Path, ...] = _option(
        (), "--suite", metavar="PATH", read=read_paths, repeats=True, in_spec=False,
        help="tests to measure, or tests of the old version: a C file, a JSON or CSV file with inputs, or a folder of "
        "them; may be repeated",
    )  # fmt: skip
    prove_equal: bool = _option(
        False, "--prove-equal", is_switch=True, for_function=True,
        help="look for a proof that the two versions never differ, as long as the time limit allows",
    )  # fmt: skip
    deciders: bool = _option(
        False, "--deciders", is_switch=True, for_function=True,
        help="cover also what decides whether changed code is reached",
    )  # fmt: skip
    fail_on_difference: bool = _option(
        False, "--fail-on-difference", is_switch=True,
        help="exit with 1 when an input was found on which the two versions differ",
    )  # fmt: skip
    listing: bool = _option(
        False, "--listing", is_switch=True, in_spec=False,
        help="print the new source with marks: what changed, what is impacted, and its verdicts",
    )  # fmt: skip
    tests: tuple[str, ...] = _option(
        ("test*",), "--tests", metavar="PATTERN[,PATTERN]", read=read_words,
        help="names of functions that are tests in a measured C file; where there are none, its program is the test",
    )  # fmt: skip
    merge: tuple[Path, ...] = _option(
        (), "--merge", metavar="FILE.json", read=read_paths, repeats=True, in_spec=False,
        help="add the tests of an earlier measurement, as its --json wrote them; may be repeated",
    )  # fmt: skip
    json: str | None = _option(
        None, "--json", metavar="FILE", in_spec=False,
        help="write the report as JSON to this file; - is standard output",
    )  # fmt: skip
    fail_under: tuple[tuple[str, float], ...] = _option(
        (), "--fail-under", metavar="[CRITERION=]PERCENT", read=read_threshold, repeats=True,
        help="exit with 1 when less of what is not proved infeasible is covered; may be repeated",
    )  # fmt: skip
    build_dir: Path | None = _option(  # noqa: RUF009
        None, "-p", "--build-dir", metavar="DIR", read=Path,
        help="folder with compile_commands.json",
    )  # fmt: skip
    link: tuple[str | Path, ...] = _option(
        (), "--link", metavar="FILE.c", read=read_link, repeats=True, for_function=True,
        help="another file of the program, whose functions are then executed; auto (those that define what is called; "
        "usual with a compile_commands.json) or none; may be repeated",
    )  # fmt: skip
    compiler: str | None = _option(
        None, "--cc", metavar="COMMAND",
        help="a clang, 15 or newer, to use in place of the bundled compiler",
    )  # fmt: skip
    jobs: int = _option(
        1, "--jobs", metavar="N", read=read_count,
        help="functions that are worked on at the same time",
    )  # fmt: skip
    no_confirm: bool = _option(
        False, "--no-confirm", is_switch=True,
        help="do not build and run the written tests without probes",
    )  # fmt: skip
    quiet: bool = _option(
        False, "-q", "--quiet", is_switch=True, in_spec=False,
        help="print only errors",
    )  # fmt: skip
    per_function: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # [function.NAME] of the spec
    commanded: Mapping[str, Any] = field(default_factory=dict)  # what of the above the command line said
    words: tuple[str, ...] = ()  # the same as it was written, with flags, for whoever wants to do it again
    subjects: tuple[str, ...] = ()  # of `explain`: a report, and objectives in it; of `diff`: versions, `--`, files

    def for_function(self, name: str) -> Options:
        """These options with what the spec file says about one function; the command line still wins."""
        given = self.per_function.get(name, {})
        whole = {key: self._below_command_line(key, value) for key, value in given.items()}
        return dataclasses.replace(self, **whole) if whole else self

    def _below_command_line(self, name: str, value: Any) -> Any:
        if not OPTIONS[name].repeats:
            return self.commanded.get(name, value)
        now, last = getattr(self, name), self.commanded.get(name, ())
        return (*now[: len(now) - len(last)], *value, *last)

    @property
    def about_stubs(self) -> StubOptions:
        is_off = "testcomp" in self.formats  # nobody defines anything for such a program
        return StubOptions(frozenset(self.stubs), frozenset(self.no_stubs), self.answers, self.stub_writes, is_off)

    def wishes_for(self, name: str) -> tuple[tuple[str, Wish], ...]:
        """Wishes that were said about this very function, or on the command line; others may be for any function."""
        own = self.per_function.get(name, {}).get("wishes", ())
        return (*own, *self.commanded.get("wishes", ()))


OPTIONS: dict[str, Option] = {
    each.name: each.metadata["option"] for each in dataclasses.fields(Options) if "option" in each.metadata
}
DEFAULTS: dict[str, Any] = {each.name: each.default for each in dataclasses.fields(Options) if each.name in OPTIONS}


def merge(options: Options, given: Mapping[str, Any]) -> Options:
    """`given` wins, except that repeatable options are joined."""
    joined = {name: getattr(options, name) + value if OPTIONS[name].repeats else value for name, value in given.items()}
    return dataclasses.replace(options, **joined)


def command(options: Options, given: Mapping[str, Any]) -> Options:
    """`given` on the command line, which wins over all that a spec file says."""
    return dataclasses.replace(merge(options, given), commanded=given)


def show_default(name: str) -> str:
    """The default as people would write it; '' when there is none worth showing."""
    value = DEFAULTS[name]
    if value is None or value is False or value == ():
        return ""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
