"""The JSON of gcovr: `gcovr -a FILE --html-details page.html` makes pages of it, and adds it to other measurements.

Infeasible sides of branches are excluded. gcovr has one number for all values of the conditions of a decision, without
a mark for each: values that are infeasible are left out of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from tightrope.report.formats.file_coverage import ConditionSides, FileCoverage, count_covered, cover_files
from tightrope.report.model import Report

FORMAT_VERSION = "0.15"  # of gcovr 8.7; a version of gcovr reads no other than its own
MARK = '{"tightrope": '


def render_gcovr(report: Report) -> str:
    files = [_file(each) for each in cover_files(report)]
    notes = [f"{unit.file}:{unit.function}: {unit.stop_reason}" for unit in report.units if unit.was_refused]
    head = json.dumps({"version": report.tool.version, "not tested": notes})
    listed = json.dumps(files, indent=1, ensure_ascii=False)
    return f'{MARK}{head},\n"gcovr/format_version": "{FORMAT_VERSION}",\n"files": {listed}}}\n'


def _file(file: FileCoverage) -> dict[str, Any]:
    functions = file.functions.values()
    rows = [{"name": each.function, "lineno": each.line, "execution_count": each.tests} for each in functions]
    return {"file": file.file, "lines": list(_lines(file)), "functions": rows}


def _lines(file: FileCoverage) -> Iterator[dict[str, Any]]:
    """A line that two functions share has a row for each; what is on it belongs to the first."""
    seen = set()
    for function in file.functions.values():
        for row in function.lines:
            found: dict[str, Any] = {
                "line_number": row.line,
                "function_name": function.function,
                "count": row.tests,
                "branches": [] if row.line in seen else list(_branches(file, row.line)),
            }
            decisions = [] if row.line in seen else file.decisions.get(row.line, [])
            if decisions:
                found["conditions"] = [_conditions(number, each) for number, each in enumerate(decisions)]
            if row.line in file.excluded and not row.tests:
                found["gcovr/excluded"] = True
            seen.add(row.line)
            yield found


def _branches(file: FileCoverage, line: int) -> Iterator[dict[str, Any]]:
    numbers = count()
    for block, row in enumerate(file.branches.get(line, ())):
        for side in row.sides:
            found = {"branchno": next(numbers), "count": side.tests, "fallthrough": False, "throw": False}
            yield found | {"source_block_id": block} | ({"gcovr/excluded": True} if side.is_infeasible else {})


def _conditions(number: int, decision: Sequence[ConditionSides]) -> dict[str, Any]:
    covered, total = count_covered(side for condition in decision for side in condition.sides)
    true = [at for at, each in enumerate(decision) if not each.true.is_covered and not each.true.is_infeasible]
    false = [at for at, each in enumerate(decision) if not each.false.is_covered and not each.false.is_infeasible]
    return {
        "conditionno": number,
        "count": total,
        "covered": covered,
        "not_covered_true": true,
        "not_covered_false": false,
    }
