"""What the comments of a test program expect, and where a report disagrees. The grammar is in README.md."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

VERDICTS = ("covered", "infeasible", "unknown")
OUTCOMES = ("returned", "crashed", "timed_out", "exited", "rejected")
SILENT = "covered"  # the verdict of an objective that no comment speaks of

_FUNCTION = re.compile(r"// function: (\w+)")
_OPTIONS = re.compile(r"// options: (.+)")
_EXPECT = re.compile(r"// expect (.+)")
_CLAUSE = re.compile(r"([a-z][a-z-]*)(?:#(\d+))?(?:\(([^()]+)\))?: ([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Expectation:
    """One clause: the objectives of a criterion on a line, all or one condition's, all or one side's."""

    line: int
    criterion: str
    ordinal: int | None  # which of the line's conditions, counted from 1
    side: str | None  # 'true', 'false', 'case 5', 'case RED', 'default'
    verdict: str

    def speaks_of(self, objective: Mapping[str, Any], ordinal: int) -> bool:
        """Whether an objective of the report, the `ordinal`-th of its side on its line, is meant."""
        return (
            (objective["criterion"], objective["line"]) == (self.criterion, self.line)
            and self.ordinal in (None, ordinal)
            and (self.side is None or _is_side(self.side, objective))
        )

    def __str__(self) -> str:
        ordinal = f"#{self.ordinal}" if self.ordinal else ""
        side = f"({self.side})" if self.side else ""
        return f"line {self.line}: {self.criterion}{ordinal}{side}: {self.verdict}"


@dataclass(frozen=True, slots=True)
class ProgramExpectations:
    """Everything that the comments of one file say."""

    function: str
    options: tuple[str, ...]
    outcomes: tuple[str, ...]  # each must be the outcome of some test or of a run that the report shows
    errors: tuple[Expectation, ...]  # outcomes with a reason: the report must show such a run at the line
    clauses: tuple[Expectation, ...]

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria spoken of, to be asked for with --criterion."""
        return tuple(dict.fromkeys(clause.criterion for clause in self.clauses))


class BadExpectation(ValueError):
    """A comment that looks like an expectation and is none."""


def read_expectations(text: str) -> ProgramExpectations:
    lines = text.splitlines()
    function = _FUNCTION.fullmatch(lines[0]) if lines else None
    if not function:
        raise BadExpectation("line 1: the first line must be `// function: NAME`")
    options = [word for line in lines if (found := _OPTIONS.fullmatch(line)) for word in shlex.split(found[1])]
    found_clauses = list(_read_clauses(lines))
    outcomes = [clause.verdict for clause in found_clauses if clause.criterion == "outcome" and not clause.side]
    errors = [clause for clause in found_clauses if clause.criterion == "outcome" and clause.side]
    clauses = [clause for clause in found_clauses if clause.criterion != "outcome"]
    return ProgramExpectations(function[1], tuple(options), tuple(outcomes), tuple(errors), tuple(clauses))


def _read_clauses(lines: list[str]) -> Iterator[Expectation]:
    for number, line in enumerate(lines, start=1):
        if "expect" in line and "//" in line and not _EXPECT.search(line):
            raise BadExpectation(f"line {number}: write `// expect CRITERION: VERDICT`")
        if comment := _EXPECT.search(line):
            yield from (_read_clause(number, clause.strip()) for clause in comment[1].split(";"))


def _read_clause(line: int, text: str) -> Expectation:
    match = _CLAUSE.fullmatch(text)
    if not match:
        raise BadExpectation(f"line {line}: `{text}` is no expectation")
    criterion, ordinal, side, verdict = match.groups()
    if verdict not in (OUTCOMES if criterion == "outcome" else VERDICTS):
        raise BadExpectation(f"line {line}: `{verdict}` is no verdict")
    return Expectation(line, criterion, int(ordinal) if ordinal else None, side, verdict)


def _is_side(side: str, objective: Mapping[str, Any]) -> bool:
    """`case 5` is the side with the text 'case 5' or 'case GREEN (5)'; so is `case GREEN`."""
    if not side.startswith("case "):
        return bool(objective["kind"] == side)
    text, value = objective["text"], side.removeprefix("case ")
    return text == side or text.startswith(f"{side} (") or (text.startswith("case ") and text.endswith(f" ({value})"))


def disagreements(expected: ProgramExpectations, unit: Mapping[str, Any]) -> list[str]:
    """What a unit of report.json says otherwise, one sentence each; none when all is as expected."""
    spoken_of: set[Expectation] = set()
    found = []
    for objective, ordinal in _numbered(unit["objectives"]):
        clauses = [clause for clause in expected.clauses if clause.speaks_of(objective, ordinal)]
        spoken_of.update(clauses)
        for verdict in [clause.verdict for clause in clauses] or [SILENT]:
            if objective["criterion"] in expected.criteria and objective["verdict"] != verdict:
                found.append(f"{objective['id']} ({objective['text']}): expected {verdict}, is {objective['verdict']}")
    found += [f"{clause}: there is no such objective" for clause in expected.clauses if clause not in spoken_of]
    outcomes = {run["outcome"] for run in (*unit["tests"], *unit.get("crashes", ()))}
    found += [f"no run is {outcome}" for outcome in expected.outcomes if outcome not in outcomes]
    found += [f"{error}: no such run" for error in expected.errors if not _is_shown(error, unit.get("crashes", ()))]
    return found


def _is_shown(error: Expectation, crashes: Iterable[Mapping[str, Any]]) -> bool:
    return any((run["line"], run["outcome"]) == (error.line, error.verdict) and run["reason"].startswith(error.side)
               for run in crashes)  # fmt: skip


def _numbered(objectives: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """Each objective with its number among those of its criterion, line and side, from left to right."""
    seen: dict[tuple[Any, ...], int] = {}
    for objective in sorted(objectives, key=lambda each: (each["line"], each["column"] or 0)):
        place = objective["criterion"], objective["line"], objective["kind"]
        seen[place] = seen.get(place, 0) + 1
        yield objective, seen[place]
