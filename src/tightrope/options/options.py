"""Every option once: name, how it is read, default, help, and the commands that take it.

The parser, the spec file, the Python API, validation and the page in the docs (docs/options_page.py) derive from the
fields of `Options`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope.options import choices
from tightrope.options.choices import (
    BUILDS,
    DECISIONS,
    ENGINES,
    ENUM_VALUES,
    INPUT_VALUES,
    INSTRUMENTATIONS,
    MCDC_FORMS,
    REPORTS,
    TELLING,
    Choices,
)
from tightrope.options.option import (
    COMPILING,
    COVERING,
    NAMING,
    REPORTING,
    RUNNING,
    SEARCHING,
    SHAPING,
    Group,
    Option,
    option,
)
from tightrope.options.option_values import (
    read_choice,
    read_choices,
    read_cluster,
    read_count,
    read_definition,
    read_deletion,
    read_expression,
    read_folder,
    read_id,
    read_interleaved,
    read_lines,
    read_link,
    read_name,
    read_output,
    read_part,
    read_partition,
    read_path_length,
    read_paths,
    read_seconds,
    read_sequence,
    read_threshold,
    read_whole,
    read_wishes,
    read_words,
    read_written,
)
from tightrope.options.targets import Target

if TYPE_CHECKING:  # importing them would slow down `--version`
    from tightrope.inputs.wishes import Wish
    from tightrope.program.declarations.stubs import StubOptions, Written
    from tightrope.program.marks.labels import Partition


def _one_of(table: Choices) -> dict[str, Any]:
    return {"read": read_choice(table), "choices": table}


def _interleaved(table: Choices) -> dict[str, Any]:
    return {"read": read_interleaved(table), "choices": table}


def _some_of(table: Choices) -> dict[str, Any]:
    return {"read": read_choices(table), "choices": table}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one command. Packages below get plain values from it."""

    targets: tuple[Target, ...]
    flags: tuple[str, ...] = ()  # for the compiler: what stands after `--`

    functions: tuple[str, ...] = option(
        (), "-f", "--function", metavar="NAME", read=read_words, repeats=True, in_spec=False,
        group=Group.COVER, commands=NAMING,
        help="only this function",
    )  # fmt: skip
    criteria: tuple[str, ...] = option(
        choices.DEFAULT_CRITERIA, "-c", "--criterion", metavar="NAME[,NAME]", **_some_of(choices.criteria),
        listed_by="criteria", for_function=True, group=Group.COVER, commands=COVERING,
        help="what to cover",
    )  # fmt: skip
    mcdc_form: str = option(
        "masking", "--mcdc-form", metavar="FORM", **_one_of(lambda: MCDC_FORMS), for_function=True,
        group=Group.COVER, commands=COVERING,
        help="MC/DC form", more="which pairs of tests show that a condition decides its decision",
    )  # fmt: skip
    decisions: str = option(
        "all", "--decisions", metavar="WHICH", **_one_of(lambda: DECISIONS), for_function=True,
        group=Group.COVER, commands=COVERING,
        help="what counts as a decision", more="for every criterion about decisions",
    )  # fmt: skip
    path_length: int = option(
        2, "--path-length", metavar="K", read=read_path_length, for_function=True,
        group=Group.COVER, commands=COVERING,
        help="branches in a path of -c k-path: 1 to 6", more="paths in which no branch occurs twice",
    )  # fmt: skip
    instrumentation: str = option(
        "tight", "--instrumentation", metavar="HOW", **_one_of(lambda: INSTRUMENTATIONS), for_function=True,
        group=Group.COVER, commands=COVERING,
        help="how labels are instrumented", more="without it, `annotate` writes plain labels",
    )  # fmt: skip
    partitions: tuple[Partition, ...] = option(
        (), "--partition", metavar="NAME=EXPR; EXPR", read=read_partition, repeats=True, for_function=True, joins="; ",
        group=Group.COVER, commands=COVERING,
        help="blocks of inputs for -c idp, as C expressions", more="over parameters and globals",
    )  # fmt: skip
    whole_program: bool = option(
        False, "--whole-program", is_switch=True, for_function=True,
        group=Group.COVER, commands=("generate", "objectives", "measure", "diff"),
        help="count the objectives of all functions of the file", more="not only those of the function under test",
    )  # fmt: skip

    objective_ids: tuple[str, ...] = option(
        (), "--objective", metavar="ID", read=read_id, repeats=True, in_spec=False,
        group=Group.COVER, commands=("generate",),
        help="only this objective, as reports name it", more="of the functions that the ids name",
    )  # fmt: skip
    lines: tuple[tuple[int, int], ...] = option(
        (), "--lines", metavar="A-B", read=read_lines, repeats=True, in_spec=False,
        group=Group.COVER, commands=("generate",),
        help="only objectives in these lines of the file", more="and only functions that have code there",
    )  # fmt: skip

    sequences: tuple[str, ...] = option(
        (), "--sequence", metavar="CALLS", read=read_sequence, repeats=True,
        group=Group.COVER, commands=("generate", "inputs", "objectives", "measure"),
        help="test functions by calls in order: 'init; step*8'",
        more="or `auto`: functions that share variables of the file. `step*8` is up to 8 calls, `(put|get)*8` up to 8 "
        "of either; each call has inputs of its own, and variables start with their initial values",
    )  # fmt: skip

    suites: tuple[Path, ...] = option(
        (), "--suite", metavar="PATH", read=read_paths, repeats=True, in_spec=False,
        group=Group.TESTS, commands=("generate", "measure", "diff"),
        help="existing tests: a C, JSON or CSV file, or a folder",
        more="which `generate` keeps and adds to, `measure` measures, and `diff` takes as tests of the old version; "
        "JSON and CSV files hold inputs",
    )  # fmt: skip
    tests: tuple[str, ...] = option(
        ("test*",), "--tests", metavar="PATTERN[,PATTERN]", read=read_words,
        group=Group.TESTS, commands=("generate", "measure", "diff"),
        help="names of test functions in these C files", more="if no function matches, the whole program is one test",
    )  # fmt: skip
    merge: tuple[Path, ...] = option(
        (), "--merge", metavar="FILE.json", read=read_paths, repeats=True, in_spec=False,
        group=Group.TESTS, commands=("measure",),
        help="add an earlier measurement that --json wrote",
    )  # fmt: skip

    prove_equal: bool = option(
        False, "--prove-equal", is_switch=True, for_function=True, group=Group.CHANGE, commands=("diff",),
        help="try to prove that the versions never differ", more="within the time limit",
    )  # fmt: skip
    deciders: bool = option(
        False, "--deciders", is_switch=True, for_function=True, group=Group.CHANGE, commands=("diff",),
        help="also cover what decides whether changed code is reached",
    )  # fmt: skip
    fail_on_difference: bool = option(
        False, "--fail-on-difference", is_switch=True, group=Group.CHANGE, commands=("diff",),
        help="exit with 1 when the versions differ on an input",
    )  # fmt: skip
    listing: bool = option(
        False, "--listing", is_switch=True, in_spec=False, group=Group.CHANGE, commands=("diff",),
        help="print the new source with marks", more="for what changed, what is impacted, and its verdicts",
    )  # fmt: skip

    engine: str = option(
        "auto", "--engine", metavar="NAME", **_one_of(lambda: ENGINES), for_function=True,
        group=Group.SEARCH, commands=SEARCHING,
        help="how objectives are decided",
    )  # fmt: skip
    strategy: str = option(
        "pps-patient", "-s", "--strategy", metavar="NAME[,NAME]", **_interleaved(choices.strategies),
        listed_by="strategies", for_function=True, group=Group.SEARCH, commands=SEARCHING,
        help="what comes next", more="several, with commas, take turns",
    )  # fmt: skip
    seed: int = option(
        0, "--seed", metavar="N", read=read_whole, group=Group.SEARCH, commands=SEARCHING,
        help="random seed; the same seed gives the same output",
    )  # fmt: skip
    exhaustive: bool = option(
        False, "--exhaustive", is_switch=True, for_function=True, group=Group.SEARCH, commands=SEARCHING,
        help="explore all paths, even if everything is covered",
    )  # fmt: skip
    no_filter: bool = option(
        False, "--no-filter", is_switch=True, for_function=True, group=Group.SEARCH, commands=SEARCHING,
        help="also try candidates that lead to nothing missing",
    )  # fmt: skip
    no_fuzzing: bool = option(
        False, "--no-fuzzing", is_switch=True, for_function=True, group=Group.SEARCH, commands=SEARCHING,
        help="do not vary texts or numbers by chance when nothing new is found",
    )  # fmt: skip
    pps_depth: int = option(
        3, "--pps-depth", metavar="N", read=read_whole, for_function=True, group=Group.SEARCH, commands=SEARCHING,
        help="branches that the pps strategies look ahead", more="to count what is missing there",
    )  # fmt: skip
    restart_after: int = option(
        0, "--restart-after", metavar="N", read=read_whole, for_function=True, group=Group.SEARCH, commands=SEARCHING,
        help="restart after N candidates without progress; 0: never", more="N in a row that covered nothing new",
    )  # fmt: skip
    label_deletion: int = option(
        2, "--label-deletion", metavar="N", read=read_deletion, for_function=True,
        group=Group.SEARCH, commands=SEARCHING,
        help="when the search stops aiming at a label: 0, 1 or 2",
        more="0 (never), 1 (once an aim has covered it), 2 (once any run has); 0 and 1 only with --no-filter or "
        "--exhaustive",
    )  # fmt: skip
    checks: tuple[str, ...] = option(
        (), "--check", metavar="NAME[,NAME]", **_some_of(choices.checks), for_function=True,
        group=Group.SEARCH, commands=RUNNING,
        help="errors to detect; a run ends where one occurs",
    )  # fmt: skip

    solver: str = option(
        "bitwuzla", "--solver", metavar="NAME", **_one_of(choices.solvers),
        group=Group.PROOFS, commands=(*SEARCHING, "doctor"),
        help="the SMT solver",
    )  # fmt: skip
    cross_check: bool = option(
        False, "--cross-check", is_switch=True, for_function=True, group=Group.PROOFS, commands=SEARCHING,
        help="a second solver must confirm what is infeasible", more="if the proof is a formula",
    )  # fmt: skip
    keep_proofs: Path | None = option(  # noqa: RUF009
        None, "--keep-proofs", metavar="DIR", read=Path, group=Group.PROOFS, commands=SEARCHING,
        help="folder for the unsatisfiable formulas, as SMT-LIB",
    )  # fmt: skip

    time_limit: float = option(
        60.0, "--time-limit", metavar="SECONDS", read=read_seconds, for_function=True,
        group=Group.LIMITS, commands=(*RUNNING, "explain"),
        help="time for each function", more="with making its tests; for `measure`, for each test program",
    )  # fmt: skip
    total_time: float | None = option(
        None, "--total-time", metavar="SECONDS", read=read_seconds, group=Group.LIMITS, commands=("generate",),
        help="time for all functions, spread by what they need",
        more="briefly for each first, then for those with open objectives that make progress; --time-limit is then for "
        "one function in one round",
    )  # fmt: skip
    max_runs: int | None = option(
        None, "--max-runs", metavar="N", read=read_count, for_function=True, group=Group.LIMITS, commands=SEARCHING,
        help="stop the search of a function after N runs",
    )  # fmt: skip
    run_time_limit: float = option(
        1.0, "--run-time-limit", metavar="SECONDS", read=read_seconds, group=Group.LIMITS, commands=RUNNING,
        help="time for each run; a longer run has timed out",
    )  # fmt: skip
    memory_limit: int = option(
        1024, "--memory-limit", metavar="MIB", read=read_count, group=Group.LIMITS, commands=RUNNING,
        help="memory that a run may use, in MiB",
    )  # fmt: skip
    allow_files: tuple[Path, ...] = option(
        (), "--allow-files", metavar="DIR", read=read_folder, repeats=True, group=Group.LIMITS, commands=RUNNING,
        help="folder whose files the code under test may change",
        more="and create; otherwise it changes none outside of a temporary folder",
    )  # fmt: skip
    solver_time_limit: float = option(
        5.0, "--solver-time-limit", metavar="SECONDS", read=read_seconds, group=Group.LIMITS, commands=SEARCHING,
        help="time for each query of the solver",
    )  # fmt: skip
    unroll_limit: int = option(
        256, "--unroll-limit", metavar="N", read=read_count, for_function=True, group=Group.LIMITS, commands=SEARCHING,
        help="loop iterations that are encoded, at most", more="for loops whose number of iterations depends on inputs",
    )  # fmt: skip
    loop_bound: int = option(
        0, "--loop-bound", metavar="N", read=read_whole, for_function=True, group=Group.LIMITS, commands=("generate",),
        help="iterations of a loop that the search varies",
        more="at most; it changes only the first N evaluations of a branch on a path. 0: all of them",
    )  # fmt: skip
    search_depth: int = option(
        0, "--search-depth", metavar="N", read=read_whole, for_function=True, group=Group.LIMITS,
        commands=("generate",),
        help="branches of a path that the search varies", more="at most, from the start of the path. 0: all of them",
    )  # fmt: skip
    index_limit: int = option(
        256, "--index-limit", metavar="N", read=read_count, for_function=True, group=Group.LIMITS, commands=SEARCHING,
        help="array elements considered at once for an index",
        more="at most, if the index depends on inputs; further elements are tried one by one",
    )  # fmt: skip
    jobs: int = option(
        1, "--jobs", metavar="N", read=read_count, group=Group.LIMITS, commands=("generate",),
        help="number of functions to test in parallel",
    )  # fmt: skip
    cluster: str | None = option(
        None, "--cluster", metavar="ADDRESS", read=read_cluster, group=Group.LIMITS, commands=("generate",),
        help="test functions on a Dask cluster, or local:N",
        more="ADDRESS is that of a `dask scheduler` (tcp://host:8786); local:N starts N workers here",
    )  # fmt: skip

    assumptions: tuple[str, ...] = option(
        (), "--assume", metavar="EXPRESSION", read=read_expression, repeats=True, for_function=True,
        group=Group.INPUTS, commands=SHAPING,
        help="C expression that holds at the call", more="over parameters and globals",
    )  # fmt: skip
    wishes: tuple[tuple[str, Wish], ...] = option(
        (), "--input", metavar="PATH=WISH", read=read_wishes, repeats=True, for_function=True,
        group=Group.INPUTS, commands=SHAPING,
        help="what an input must be: buffer=8, list=null", more="such as 'cfg->name=string 12, not-null'",
    )  # fmt: skip
    string_length: int = option(
        8, "--string-length", metavar="N", read=read_count, for_function=True, group=Group.INPUTS, commands=SHAPING,
        help="characters of a string, at most", more="without the terminator",
    )  # fmt: skip
    array_length: int = option(
        8, "--array-length", metavar="N", read=read_count, for_function=True, group=Group.INPUTS, commands=SHAPING,
        help="elements behind a pointer used as an array", more="if nothing tells how many there are",
    )  # fmt: skip
    depth: int = option(
        3, "--depth", metavar="N", read=read_whole, for_function=True, group=Group.INPUTS, commands=SHAPING,
        help="pointers that are followed in linked structures",
    )  # fmt: skip
    buffer_size: int = option(
        8, "--buffer-size", metavar="N", read=read_count, for_function=True, group=Group.INPUTS, commands=SHAPING,
        help="bytes behind a void pointer",
    )  # fmt: skip
    max_elements: int = option(
        64, "--max-elements", metavar="N", read=read_count, for_function=True, group=Group.INPUTS, commands=SHAPING,
        help="elements of an array that are inputs, at most", more="the others are zero",
    )  # fmt: skip
    grow_to: int = option(
        256, "--grow-to", metavar="N", read=read_whole, for_function=True, group=Group.INPUTS,
        commands=("generate", "inputs"),
        help="elements to which arrays and strings grow, at most",
        more="if objectives are open and runs reach the end of a size that nobody asked for; 0: nothing grows, neither "
        "lengths nor depth nor answers",
    )  # fmt: skip
    enum: str = option(
        "members", "--enum", metavar="WHICH", **_one_of(lambda: ENUM_VALUES), for_function=True,
        group=Group.INPUTS, commands=SHAPING,
        help="values of an enum",
    )  # fmt: skip

    stubs: tuple[str, ...] = option(
        (), "--stub", metavar="NAME", read=read_name, repeats=True, for_function=True,
        group=Group.STUBS, commands=SHAPING,
        help="make the answers of this library function inputs",
    )  # fmt: skip
    no_stubs: tuple[str, ...] = option(
        (), "--no-stub", metavar="NAME", read=read_name, repeats=True, for_function=True,
        group=Group.STUBS, commands=SHAPING,
        help="do not make a stub for this function", more="call the one of the library, or do nothing",
    )  # fmt: skip
    stub_writes: tuple[Written, ...] = option(
        (), "--stub-writes", metavar="NAME:N[=COUNT]", read=read_written, repeats=True, for_function=True,
        group=Group.STUBS, commands=SHAPING,
        help="a stub writes inputs through parameter N, or none",
        more="counted from 1; NAME=none: through none; COUNT elements; a callback is named by its "
        "path (ops->read:2)",
    )  # fmt: skip
    answers: int = option(
        4, "--answers", metavar="N", read=read_count, for_function=True, group=Group.STUBS, commands=SHAPING,
        help="calls of a stub that have an answer of their own",
        more="later calls get the last answer again, or fail if they wait for something",
    )  # fmt: skip

    output: Path = option(  # noqa: RUF009
        Path("tightrope-tests"), "-o", "--output", metavar="DIR", read=Path, group=Group.OUTPUT, commands=SEARCHING,
        help="folder for the written tests",
    )  # fmt: skip
    formats: tuple[str, ...] = option(
        ("plain",), "--format", metavar="NAME[,NAME]", **_some_of(choices.formats),
        group=Group.OUTPUT, commands=SEARCHING,
        help="test format",
    )  # fmt: skip
    builds: tuple[str, ...] = option(
        (), "--build", metavar="NAME[,NAME]", **_some_of(lambda: BUILDS),
        group=Group.OUTPUT, commands=("generate",),
        help="file that builds the tests",
        more="all suites in the folder; a file that you wrote is left alone",
    )  # fmt: skip
    is_anew: bool = option(
        False, "--replace", is_switch=True, group=Group.OUTPUT, commands=("generate",),
        help="do not keep the tests that the folder holds",
        more="of the functions that are tested; files that you edited are left alone",
    )  # fmt: skip
    accepts: bool = option(
        False, "--accept", is_switch=True, group=Group.OUTPUT, commands=("generate",),
        help="rewrite tests whose observed behaviour has changed", more="and remove those that cannot be run any more",
    )  # fmt: skip
    values: str = option(
        TELLING, "--values", metavar="KIND", **_one_of(lambda: INPUT_VALUES),
        group=Group.OUTPUT, commands=("generate",),
        help="values of inputs in tests",
    )  # fmt: skip
    float_tolerance: float = option(
        0.0, "--float-tolerance", metavar="PART", read=read_part, group=Group.OUTPUT, commands=SEARCHING,
        help="relative difference that tests allow in floats",
        more="for targets that round differently; 0: every bit counts, as on the machine that wrote the tests",
    )  # fmt: skip
    no_confirm: bool = option(
        False, "--no-confirm", is_switch=True, group=Group.OUTPUT, commands=SEARCHING,
        help="do not check the tests in a build without instrumentation",
    )  # fmt: skip
    json: str | None = option(
        None, "--json", metavar="FILE", in_spec=False, group=Group.OUTPUT, commands=REPORTING,
        help="write the report as JSON; - is standard output",
    )  # fmt: skip
    html: str | None = option(
        None, "--html", metavar="FILE", in_spec=False, group=Group.OUTPUT, commands=RUNNING,
        help="write the report as a page to look at",
    )  # fmt: skip
    reports: tuple[tuple[str, str], ...] = option(
        (), "--report", metavar="NAME=FILE", read=read_output, repeats=True, in_spec=False, choices=lambda: REPORTS,
        group=Group.OUTPUT, commands=RUNNING,
        help="also write a report", more="- is standard output; may be repeated",
    )  # fmt: skip
    evidence: Path | None = option(  # noqa: RUF009
        None, "--evidence", metavar="DIR", read=Path, in_spec=False, group=Group.OUTPUT, commands=("generate",),
        help="folder or .zip for all that an assessor checks",
        more="report, suites, sources, proofs, hashes, and a script that checks them without Tightrope",
    )  # fmt: skip
    fail_under: tuple[tuple[str, float], ...] = option(
        (), "--fail-under", metavar="[NAME=]PERCENT", read=read_threshold, repeats=True,
        group=Group.OUTPUT, commands=RUNNING,
        help="exit with 1 when less is covered",
        more="of what is not proved infeasible, for the criterion NAME or for each",
    )  # fmt: skip
    fail_on_change: bool = option(
        False, "--fail-on-change", is_switch=True, group=Group.OUTPUT, commands=("generate",),
        help="exit with 1 when the observed behaviour of a test has changed",
    )  # fmt: skip
    allow_refused: bool = option(
        False, "--allow-refused", is_switch=True, group=Group.OUTPUT, commands=RUNNING,
        help="let --fail-under pass although a function was not tested",
    )  # fmt: skip
    quiet: bool = option(
        False, "-q", "--quiet", is_switch=True, in_spec=False,
        group=Group.OUTPUT, commands=(*COMPILING, "explain", "status"),
        help="print only errors",
    )  # fmt: skip
    verbose: bool = option(
        False, "-v", "--verbose", is_switch=True, in_spec=False, group=Group.OUTPUT, commands=("generate", "measure"),
        help="print all details, also of several functions",
        more="which otherwise get a line each, and what the compiler warns of in several files",
    )  # fmt: skip

    spec: Path | None = option(  # noqa: RUF009
        None, "--spec", metavar="FILE.toml", read=Path, in_spec=False, group=Group.PROJECT, commands=COMPILING,
        help="read options from this file, not from tightrope.toml",
        more="which is looked for in this folder and above it",
    )  # fmt: skip
    build_dir: Path | None = option(  # noqa: RUF009
        None, "-p", "--build-dir", metavar="DIR", read=Path, group=Group.PROJECT, commands=COMPILING,
        help="folder with compile_commands.json",
    )  # fmt: skip
    exclude: tuple[str, ...] = option(
        (), "--exclude", metavar="PATTERN", read=read_words, repeats=True,
        group=Group.PROJECT, commands=("generate", "inputs", "objectives", "measure", "diff"),
        help="leave out these files of a folder",
        more="a name (`*_test.c`), a folder (`legacy`) or a path (`src/*/gen_*`)",
    )  # fmt: skip
    changed: str | None = option(
        None, "--changed", metavar="REVISION", if_bare="HEAD", in_spec=False,
        group=Group.PROJECT, commands=("generate", "inputs", "objectives", "measure"),
        help="only functions that a change impacts, since HEAD or REV",
        more="a revision of git; `main...`: since this branch left main. Callers in other files are impacted, too, "
        "where the files are linked",
    )  # fmt: skip
    cache: Path | None = option(  # noqa: RUF009
        None, "--cache", metavar="DIR", read=Path, group=Group.PROJECT, commands=("generate", "status", "cache"),
        help="folder of the store of results",
        more="default: .tightrope beside tightrope.toml or .git; no store elsewhere",
    )  # fmt: skip
    no_cache: bool = option(
        False, "--no-cache", is_switch=True, group=Group.PROJECT, commands=("generate",),
        help="neither use nor keep results of earlier runs",
    )  # fmt: skip
    define_away: tuple[str, ...] = option(
        (), "--define-away", metavar="NAME", read=read_definition, repeats=True,
        group=Group.PROJECT, commands=COMPILING,
        help="ignore this word of another compiler", more="`NAME=TEXT` replaces it; `NAME(...)` has arguments",
    )  # fmt: skip
    link: tuple[str | Path, ...] = option(
        (), "--link", metavar="FILE.c", read=read_link, repeats=True, for_function=True,
        group=Group.PROJECT, commands=("generate", "inputs", "objectives", "measure", "diff"),
        help="another file of the program, or auto, or none",
        more="whose functions are executed, not stubbed; auto: the files that define what is called, unless they "
        "belong to other hardware, the default with a compile_commands.json",
    )  # fmt: skip
    compiler: str | None = option(
        None, "--cc", metavar="COMMAND", group=Group.PROJECT, commands=COMPILING,
        help="use this clang (15 or newer), not the bundled compiler",
    )  # fmt: skip

    per_function: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # [function.NAME] of the spec
    commanded: Mapping[str, Any] = field(default_factory=dict)  # those of the above that the command line sets
    words: tuple[str, ...] = ()  # the same as written, with flags, to repeat the command
    only: frozenset[tuple[Path, str]] | None = None  # files and functions that --changed leaves; None: all
    subjects: tuple[str, ...] = ()  # of `explain`: a report, and objectives in it; of `diff`: versions, `--`, files

    def for_function(self, name: str) -> Options:
        """These options with those of the spec file for one function; the command line still overrides them."""
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
        from tightrope.program.declarations.stubs import StubOptions

        is_off = "testcomp" in self.formats  # nothing is defined for such a program
        return StubOptions(frozenset(self.stubs), frozenset(self.no_stubs), self.answers, self.stub_writes, is_off)

    def wishes_for(self, name: str) -> tuple[tuple[str, Wish], ...]:
        """Wishes for this function, or from the command line; others may be for any function."""
        own = self.per_function.get(name, {}).get("wishes", ())
        return (*own, *self.commanded.get("wishes", ()))


OPTIONS: dict[str, Option] = {
    each.name: each.metadata["option"] for each in dataclasses.fields(Options) if "option" in each.metadata
}
DEFAULTS: dict[str, Any] = {each.name: each.default for each in dataclasses.fields(Options) if each.name in OPTIONS}


def merge(options: Options, given: Mapping[str, Any]) -> Options:
    """`given` overrides, except that repeatable options are joined."""
    joined = {name: getattr(options, name) + value if OPTIONS[name].repeats else value for name, value in given.items()}
    return dataclasses.replace(options, **joined)


def command(options: Options, given: Mapping[str, Any]) -> Options:
    """The options with `given` from the command line, which overrides the spec file."""
    return dataclasses.replace(merge(options, given), commanded=given)


def show_default(name: str) -> str:
    """The default as users would write it; '' if there is none to show."""
    value = DEFAULTS[name]
    if value is None or value is False or value == ():
        return ""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
