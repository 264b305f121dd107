"""The names that options choose from, each with its help. A table is imported only when its names are needed, so that
`--version` and `--help` are fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Choices = Callable[[], Mapping[str, str]]

DEFAULT_CRITERIA = ("mcdc", "branch")
MCDC_FORMS = {
    "masking": "no other condition masks it",
    "unique-cause": "no other condition that was evaluated differs between the two tests",
}
DECISIONS = {
    "all": "every Boolean expression, also in `return a > 5;`; MC/DC counts entry and exits too",
    "branching": "controlling expressions and what has && || or !; no entry, no exits",
}
INSTRUMENTATIONS = {"tight": "labels add no paths", "direct": "each label is a branch"}
ENGINES = {
    "auto": "both, in turns",
    "search": "explores paths one after the other, by running them",
    "encoding": "encodes the whole function as one formula and solves it for each objective",
}
TELLING, SIMPLE = "telling", "simple"
INPUT_VALUES = {
    TELLING: "small and different from each other, where nothing asks for others, so that more faults show, "
    "and a few tests at boundaries",
    SIMPLE: "zero, where nothing asks for others",
}
BUILDS = {
    "cmake": "a CMakeLists.txt that tells CTest of the suites",
    "make": "a Makefile; `make` builds and runs the suites",
}
ENUM_VALUES = {"members": "only its enumerators", "any": "every number of its type"}
REPORTS = {  # by report/formats
    "text": "what is printed, without colours",
    "json": "all there is, for other programs; `--merge` and `tightrope explain` read it",
    "html": "one page to look at, which needs nothing else",
    "markdown": "a summary for a pull request",
    "csv": "a row for each objective",
    "lcov": "lines, branches and MC/DC, for genhtml of lcov 2",
    "cobertura": "lines and branches in XML, for Jenkins, GitLab and others",
    "gcovr": "lines, branches and conditions, for `gcovr -a FILE`",
    "junit": "tests and their outcomes in XML, for every CI",
    "sarif": "run-time errors and what is unknown, for code scanning and editors",
    "github": "the same as annotations of GitHub Actions; FILE is `-`",
    "gitlab": "the same as code quality report of GitLab",
}


def criteria() -> Mapping[str, str]:
    from tightrope.coverage.criteria import CRITERIA

    return _helps(CRITERIA)


def strategies() -> Mapping[str, str]:
    from tightrope.search.strategies import STRATEGIES

    return _helps(STRATEGIES)


def checks() -> Mapping[str, str]:
    from tightrope.weaving.checks import CHECKS

    return _helps(CHECKS)


def solvers() -> Mapping[str, str]:
    from tightrope.solving.backends import BACKENDS

    return _helps(BACKENDS)


def formats() -> Mapping[str, str]:
    from tightrope.suite.writers import WRITERS

    return _helps(WRITERS)


def _helps(table: Mapping[str, Any]) -> dict[str, str]:
    return {name: row.help for name, row in table.items()}
