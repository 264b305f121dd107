"""Writes the pages of docs/reference that are made from tables of the code. `make docs`; a test keeps them current."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from options_page import options_page

from tightrope.coverage.criteria import CRITERIA
from tightrope.coverage.labelling import comparisons, mutants, partitions, runtime_errors, weak_mutation, written
from tightrope.coverage.verdict import Proof, Reason
from tightrope.library.libc_models import EXACT_MATH, MODEL_FILES
from tightrope.report.as_json import schema
from tightrope.report.as_listing import listing_schema
from tightrope.report.difference_json import difference_schema
from tightrope.running.run_record import Outcome
from tightrope.search.strategies import STRATEGIES

FOLDER = Path(__file__).parent / "reference"
MADE = "This page is made by `docs/make_reference.py` from tables in the code; a test keeps it current."


def pages() -> dict[str, str]:
    """Name of the page -> text."""
    return {
        "options.md": options_page(),
        "criteria.md": "\n".join(_criteria()) + "\n",
        "strategies.md": "\n".join(_strategies()) + "\n",
        "library.md": "\n".join(_library()) + "\n",
        "report.md": "\n".join(_report()) + "\n",
        "objectives.md": "\n".join(_listing()) + "\n",
        "changes.md": "\n".join(_difference()) + "\n",
    }


def _criteria() -> Iterator[str]:
    yield from ("# Criteria", "", MADE, "")
    yield from inspect.cleandoc(_CRITERIA_HEAD).split("\n")
    yield ""
    yield from _table(
        ("criterion", "what must be covered"), ((f"`{name}`", each.help) for name, each in CRITERIA.items())
    )
    yield from ("", *inspect.cleandoc(_CRITERIA_COUNTS).split("\n"))
    for text, members in _by_module().items():
        yield from ("", f"## {', '.join(f'`{name}`' for name, _ in members)}", "", text)
        for name, each in members:
            yield from ("", f"{f'**`{name}`.** ' if len(members) > 1 else ''}{inspect.getdoc(each) or ''}")
            yield from (line for module in _LABELLING.get(name, ()) for line in ("", inspect.getdoc(module) or ""))
    yield from ("", *inspect.cleandoc(_CRITERIA_END).split("\n"))


_LABELLING = {  # where the labels of a criterion are made
    "wm": (weak_mutation, mutants),
    "limit": (comparisons,),
    "rte": (runtime_errors,),
    "idp": (partitions,),
    "label": (written,),
}


def _by_module() -> dict[str, list[tuple[str, Any]]]:
    """Criteria that one file defines stand together under its docstring."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for name, each in CRITERIA.items():
        found.setdefault(inspect.getdoc(inspect.getmodule(each)) or "", []).append((name, each))
    return found


_CRITERIA_HEAD = """
    `-c NAME`; several with commas: `-c mcdc,wm,limit` is one search and one suite, and each test is credited for all
    that it covers. `--fail-under mcdc=100,branch=90` asks for a percentage of each. What a function has of them, and
    where: `tightrope objectives FILE.c:FUNCTION -c NAME`. To add one: [CONTRIBUTING](../../CONTRIBUTING.md).
    """

_CRITERIA_COUNTS = """
    How many objectives a decision has, when it has *n* conditions, none of them constant, and *v*
    [vectors](../explanation/decisions-and-vectors.md) (from *n* + 1, when all operators are the same, to 2 to the
    power of *n*):

    | | objectives of one decision | `a && (b \\|\\| c)` |
    | --- | --- | --- |
    | `decision` | 2 | 2 |
    | `condition` | 2*n* | 6 |
    | `decision-condition` | 2 + 2*n* | 8 |
    | `mcdc`, masking | 2*n*; one pair in place of two for a condition below `^ == !=` or that chooses in `?:` | 6 |
    | `mcdc`, unique cause | *n* pairs | 3 |
    | `gacc` | 2*n* | 6 |
    | `cacc`, `racc` | *n* pairs | 3 |
    | `mcc` | *v* | 4 |
    | `ncc` | for each two conditions, each combination of values that some vector has | 6 |

    A pair counts as one objective: two tests together cover it.
    """

_CRITERIA_END = """
    ## What all of them have in common

    - A condition that has the same value in every run, such as `while (1)` or `sizeof(int) == 2`, still counts: what
      nothing can do is *infeasible*, with the proof `constant`. A decision all of whose conditions are constant has no
      objectives of its own.
    - Values that short-circuit evaluation excludes (`b` when `a` is false in `a && b`) are no objectives. S. Bardin et
      al., 2014, count 2 to the power of *n* combinations for `mcc`; we count those that can be evaluated.
    - A decision that cannot be followed in the compiled code is listed; its objectives are *unknown* with the reason
      `not_followed`.
    - Objectives are those of the function under test; with `--whole-program`, those of all functions of the file.
    - CAUT (T. Su et al.) counts decisions where we count obligations: `tightrope objectives` shows both numbers.

    ## Papers

    Where a comment speaks of paper 000, 001 or 002:

    - 000: M. Whalen, S. Person, N. Rungta, M. Staats, D. Grijincu, "A flexible and non-intrusive approach for computing
      complex structural coverage metrics", 2015.
    - 001: T. Su, G. Pu, B. Fang, J. He, J. Yan, S. Jiang, J. Zhao, "Automated coverage-driven test data generation
      using dynamic symbolic execution", 2014.
    - 002: S. Bardin, N. Kosmatov, F. Cheynier, "Efficient leveraging of symbolic execution to advanced coverage
      criteria", 2014.
    """


def _strategies() -> Iterator[str]:
    yield from ("# Strategies", "", MADE, "", "`-s NAME`. To add one: [CONTRIBUTING](../../CONTRIBUTING.md).", "")
    yield from _table(
        ("strategy", "what is tried next"), ((f"`{name}`", each.help) for name, each in STRATEGIES.items())
    )
    for name, each in STRATEGIES.items():
        yield from ("", f"## `{name}`", "", inspect.getdoc(each) or "")


def _library() -> Iterator[str]:
    yield from (
        "# The C library", "", MADE, "",
        "A model is C that is woven like the unit: calls of these functions are followed symbolically and exactly.",
        "They do what glibc does in the C locale; tests compare them with it.", "",
    )  # fmt: skip
    yield from _table(("header", "functions with a model"), _modelled())
    yield from ("", f"Exact through the solver's floats: {', '.join(sorted(EXACT_MATH))}.", "")
    yield "What `printf` and its kin print goes nowhere, and the path stays exact unless their result is used."
    yield from ("Other functions:", "")
    yield from _table(("call", "what happens"), _CALLS)
    yield from ("", *inspect.cleandoc(_LIBRARY_END).split("\n"))


def _modelled() -> Iterator[tuple[str, str]]:
    """One row for each header, however many files model it."""
    for name in dict.fromkeys(each.header for each in MODEL_FILES):
        functions = [one for each in MODEL_FILES if each.header == name for one in each.names]
        if _public(functions):
            yield f"`<{name}>`", ", ".join(_public(functions))


_CALLS = (
    ("`snprintf`, `sprintf`, `asprintf`",
     "letters and digits are expressions; a real number stays as it is in a run; `%p`, `%1$d`, `%m` are the library's"),
    ("`sscanf`, `scanf`, `fscanf`",
     "`%m`, `%p`, `%ls` and the like, numbers of `%Lf`, and an `sscanf` whose format is no literal are the library's"),
    ("`strtod`, `atof`, `strtof`",
     "up to 15 (7) digits are an exact expression; longer and hexadecimal texts stay as they are in the run"),
    ("`sin`, `pow` and the rest of `<math.h>`",
     "called with the arguments of the run, which stay as they are: the other values are tried in other runs"),
    ("`malloc` and its kin",
     "blocks with bounds, in an arena of its own for each run; whether there is memory is an input (see `--no-stub`)"),
    ("`getchar`, `scanf`, `fgets` ...",
     "[standard input is an input](../how-to/whole-programs.md); other streams are read as they are"),
    ("`time`, `rand`, `getenv` ...", "[stubs](../how-to/stubs.md), whose answers are inputs"),
    ("`exit`, `abort`, a failing `assert`, `longjmp`", "end the run, which becomes a test that exits or crashes"),
    ("`setjmp`", "refused: [`setjmp`](messages.md)"),
    ("files: `fopen`, `open`, `stat` ...",
     "the library's own are called, on the files of this machine; `--stub fopen` makes the answers inputs"),
)  # fmt: skip

_LIBRARY_END = """
    Any other function of the library is called as it is, and its result is a concrete number: the path is
    approximate, which is counted and named in the report. A function that is neither in the library nor in the
    file gets a stub, whose answers are inputs.

    A model of your own: write the function in a C file and give it with `--link FILE.c`. It is woven with the unit and
    linked into the tests, and comes before the library's function, and before our model, of the same name.
    """


def _public(names: Iterable[str]) -> list[str]:
    return [f"`{name}`" for name in names if not name.startswith("_")]


def _report() -> Iterator[str]:
    yield from ("# The report for machines", "", MADE, "")
    yield "`--json FILE` writes it, `--json -` prints it. The schema is in the package: `tightrope/report/schema.json`."
    yield "Fields that are required keep their meaning within one `schema` number; others may be added."
    yield ""
    yield '`{"schema": 1, "tool": {"name", "version"}, "units": [unit, ...]}`, one unit per function.'
    for name, definition in schema()["$defs"].items():
        yield from ("", f"## {name}", "")
        yield from _table(("field", "what it is", "required"), _fields(definition))
    yield from ("", "## Verdicts", "", "*Infeasible* names its proof:", "")
    yield from _table(("proof", "meaning"), ((f"`{proof.value}`", proof.sentence) for proof in Proof))
    yield from ("", "*Unknown* names its reason:", "")
    yield from _table(
        ("reason", "meaning", "option that may help"),
        ((f"`{reason.word}`", reason.sentence, f"`{reason.option}`" if reason.option else "") for reason in Reason),
    )
    yield from (
        "",
        "## Outcomes of a run",
        "",
        f"{', '.join(f'`{outcome.value}`' for outcome in Outcome)}. A run that is rejected (an",
    )
    yield "assumption does not hold) never becomes a test."


def _listing() -> Iterator[str]:
    yield from ("# What `tightrope objectives` lists", "", MADE, "")
    yield from inspect.cleandoc(_LISTING_HEAD).split("\n")
    for name, definition in listing_schema()["$defs"].items():
        yield from ("", f"## {name}", "")
        yield from _table(("field", "what it is"), ((field, about) for field, about, _ in _fields(definition)))


_LISTING_HEAD = """
    The command lists what there is to cover, without running anything: for people, or with `--json FILE` (`-` is
    standard output) for other tools. It is the preprocessor of M. Whalen et al., 2015: what a monitor must know to
    tell, from the values of conditions alone, which obligations a run satisfies. The schema of the JSON is in the
    package: `tightrope/report/listing_schema.json`. A monitor of your own would, for each evaluation of a decision,

    1. take the values of its conditions as they are computed (`ir` says by which i1 in which block) until one
       *terminates* it,
    2. find the vector with these values: its `point` is hit, and `unmasked` are the conditions that mattered. The
       conditions that are left when each one takes away what it `masks` are the same,
    3. at the end look at each objective: its `relation` says which of its `points` it takes.

    `{"schema": 1, "tool": {"name", "version"}, "functions": [function, ...]}`
    """


def _difference() -> Iterator[str]:
    yield from ("# What `tightrope diff --json` writes", "", MADE, "")
    yield from inspect.cleandoc(_DIFFERENCE_HEAD).split("\n")
    own = [name for name in difference_schema()["$defs"] if name not in schema()["$defs"]]
    for name in own:
        yield from ("", f"## {name}", "")
        definition = difference_schema()["$defs"][name]
        yield from _table(("field", "what it is"), ((field, about) for field, about, _ in _fields(definition)))


_DIFFERENCE_HEAD = """
    `--json FILE` writes it, `--json -` prints it; [how to use `tightrope diff`](../how-to/changes.md). The schema is in
    the package: `tightrope/report/difference_schema.json`; a unit in it is one of the
    [report of `generate`](report.md), with the objectives that are impacted. All fields are there always.

    `{"schema": 1, "tool": {"name", "version"}, "old", "new", "is_interrupted", "functions": [function, ...]}`
    """


def _fields(definition: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name, field in definition["properties"].items():
        yield f"`{name}`", field.get("description", ""), "yes" if name in definition["required"] else ""


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
