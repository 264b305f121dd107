"""A tracefile of lcov 2 (geninfo(1), "TRACEFILE FORMAT"), which genhtml turns into pages.

    BRDA:7,0,1,3        line 7, first branch there, second side: 3 tests take it (`-`: no test comes to the branch)
    BRDA:7,U0,0,0       infeasible: lcov calls it unreachable, and does not count it
    MCDC:7,2,t,1,0,a    line 7, a decision of 2 conditions; true, 1 test; the first condition, `a`

Functions are in the older of the two notations (FN, FNDA), which every version of lcov reads. lcov tells decisions of a
line apart by their number of conditions alone: those with the same number are joined, and a value counts as covered if
it is in each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tightrope.report.formats.file_coverage import (
    BranchSides,
    ConditionSides,
    CountedSide,
    FileCoverage,
    count_covered,
    cover_files,
)
from tightrope.report.model import Report
from tightrope.suite.folder import MARKER

NAME = "tightrope"  # of the test: letters, digits, underscores


def render_lcov(report: Report) -> str:
    lines = [f"#{MARKER} {report.tool.version}"]
    for each in cover_files(report):
        lines += _section(each)
    refused = [unit for unit in report.units if unit.was_refused]
    lines += [f"#{unit.file}:{unit.function} {one_line(unit.stop_reason)}" for unit in refused]
    return "\n".join(lines) + "\n"


def one_line(text: str) -> str:
    """Without control characters."""
    return "".join(each if each.isprintable() else " " for each in text)


def _section(file: FileCoverage) -> Iterator[str]:
    yield f"TN:{NAME}"
    yield f"SF:{file.file}"
    functions, lines = file.functions.values(), file.lines
    yield from (f"FN:{each.line},{each.function}" for each in functions)
    yield from (f"FNDA:{each.tests},{each.function}" for each in functions)
    yield f"FNF:{len(functions)}"
    yield f"FNH:{sum(each.tests > 0 for each in functions)}"
    for line, rows in sorted(file.branches.items()):
        yield from _branch_records(line, rows)
    yield from _totals("BR", file.sides())
    joined = {line: _joined(rows) for line, rows in sorted(file.decisions.items())}
    for line, decisions in joined.items():
        for decision in decisions:
            yield from _condition_records(line, decision)
    yield from _totals("MC", [s for rows in joined.values() for row in rows for each in row for s in each.sides])
    yield from (f"DA:{line},{tests}" for line, tests in lines.items())
    yield f"LF:{len(lines)}"
    yield f"LH:{sum(tests > 0 for tests in lines.values())}"
    yield "end_of_record"


def _branch_records(line: int, rows: Sequence[BranchSides]) -> Iterator[str]:
    for block, row in enumerate(rows):
        for number, side in enumerate(row.sides):
            taken = side.tests if row.was_evaluated else "-"
            yield f"BRDA:{line},{_excluded(side)}{block},{number},{taken}"


def _condition_records(line: int, decision: Sequence[ConditionSides]) -> Iterator[str]:
    for number, condition in enumerate(decision):
        for sense, side in (("t", condition.true), ("f", condition.false)):
            text = one_line(condition.text)
            yield f"MCDC:{line},{_excluded(side)}{len(decision)},{sense},{side.tests},{number},{text}"


def _excluded(side: CountedSide) -> str:
    return "U" if side.is_infeasible else ""


def _totals(word: str, sides: Iterable[CountedSide]) -> Iterator[str]:
    rows = list(sides)
    covered, total = count_covered(rows)
    yield from (f"{word}F:{total}", f"{word}H:{covered}") if rows else ()


def _joined(decisions: Iterable[tuple[ConditionSides, ...]]) -> list[tuple[ConditionSides, ...]]:
    """One decision for each number of conditions."""
    found: dict[int, tuple[ConditionSides, ...]] = {}
    for each in decisions:
        known = found.get(len(each))
        found[len(each)] = tuple(map(_both, known, each)) if known else each
    return list(found.values())


def _both(one: ConditionSides, other: ConditionSides) -> ConditionSides:
    text = one.text if one.text == other.text else f"{one.text} | {other.text}"
    return ConditionSides(text, _less(one.true, other.true), _less(one.false, other.false))


def _less(one: CountedSide, other: CountedSide) -> CountedSide:
    feasible = [side for side in (one, other) if not side.is_infeasible]
    return min(feasible, key=lambda side: side.tests) if feasible else one
