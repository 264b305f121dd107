"""What `tightrope objectives` prints: decisions with their vectors, then the objectives of each criterion.

grade  grade.c:5   1 decision, 2 conditions

  grade.c:7:9  if  a > 3 && b
    C1  7:9   a > 3  true goes on, false ends          %cmp in entry
    C2  7:18  b      true ends, false ends and masks C1  %tobool in land.lhs.true
    C1 C2       matters
     F  - = F   C1
     T  F = F   C2
     T  T = T   C1 C2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from rich.text import Text

from tightrope.report.as_json import write_json
from tightrope.report.as_text import show_count
from tightrope.report.console import join_blocks, place_of, print_lines
from tightrope.report.listing import (
    ListedCondition,
    ListedDecision,
    ListedFunction,
    ListedLabel,
    ListedObjective,
    ListedVector,
    Listing,
)
from tightrope.report.model import Tool

MOST_VECTORS = 16  # of a decision that are printed
MOST_CONDITIONS = 30
_LETTERS = {True: "T", False: "F", None: "-"}


def print_listing(functions: Sequence[ListedFunction], to: IO[str] | None = None) -> None:
    print_lines(join_blocks(map(function_lines, functions)), to)


def write_listing(functions: Sequence[ListedFunction], tool: Tool, to: str) -> None:
    """As JSON, to a file, or to standard output for `-`."""
    write_json(Listing(tool, tuple(functions)), to)


def function_lines(one: ListedFunction) -> Iterator[Text]:
    """Everything about one function."""
    place = place_of(one.file, one.line)
    if one.refusal:
        yield Text.assemble((one.function, "bold"), f"{'  ' * bool(one.function)}{place}   ", (one.refusal, "yellow"))
        return
    conditions = sum(len(each.conditions) for each in one.decisions)
    counts = f"{show_count(len(one.decisions), 'decision')}, {show_count(conditions, 'condition')}"
    yield Text.assemble((one.function, "bold"), f"  {place}   {counts}")
    for decision in one.decisions:
        yield Text()
        yield from decision_lines(decision)
    for criterion in one.criteria:
        yield Text()
        yield from criterion_lines(one, criterion)


def decision_lines(decision: ListedDecision) -> Iterator[Text]:
    """A decision with its conditions; with its vectors, where there is more than one condition."""
    yield Text(f"  {decision.file}:{decision.line}:{decision.column}  {decision.role}  {decision.text}")
    if decision.problem:
        yield Text(f"    not followed: {decision.problem}", "yellow")
    yield from _condition_lines(decision)
    if len(decision.conditions) > 1 and decision.vectors:
        yield from _vector_lines(decision)


def _condition_lines(decision: ListedDecision) -> Iterator[Text]:
    rows = [
        (f"C{each.index}", f"{each.line}:{each.column}", each.text, _deeds(decision, each), _where(each))
        for each in decision.conditions[:MOST_CONDITIONS]
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, (*widths, 0), strict=True))
        yield Text("    " + "  ".join(cell for cell in cells if cell).rstrip())
    if len(decision.conditions) > MOST_CONDITIONS:
        yield Text(f"    and {len(decision.conditions) - MOST_CONDITIONS} more: see --json")


def _deeds(decision: ListedDecision, condition: ListedCondition) -> str:
    """`true ends and masks C1, false goes on`; empty for a single condition."""
    if condition.constant is not None:
        return f"always {str(condition.constant).lower()}"
    if len(decision.conditions) == 1:
        return ""
    masks, ends = condition.masks, condition.terminates
    return f"true {_deed(ends.true, masks.true)}, false {_deed(ends.false, masks.false)}"


def _deed(ends: bool | None, masked: Sequence[int]) -> str:
    word = {True: "ends", False: "goes on", None: "may end"}[ends]
    return f"{word} and masks {show_conditions(masked)}" if masked else word


def show_conditions(indices: Sequence[int]) -> str:
    """`C1 C3-C5`."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == runs[-1][-1] + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    names = (f"C{run[0]}-C{run[-1]}" if len(run) > 2 else " ".join(f"C{index}" for index in run) for run in runs)
    return " ".join(names)


def _where(condition: ListedCondition) -> str:
    if condition.ir is None:
        return ""
    return f"{condition.ir.value} in {condition.ir.block}"


def _vector_lines(decision: ListedDecision) -> Iterator[Text]:
    names = [f"C{each.index}" for each in decision.conditions]
    yield Text(f"    {' '.join(names)}       matters", "dim")
    for vector in decision.vectors[:MOST_VECTORS]:
        yield Text(f"    {_letters(vector, names)} = {_LETTERS[vector.outcome]}   {_mattering(vector)}".rstrip())
    if len(decision.vectors) > MOST_VECTORS:
        yield Text(f"    and {len(decision.vectors) - MOST_VECTORS} more: see --json")


def _letters(vector: ListedVector, names: Sequence[str]) -> str:
    return " ".join(f"{_LETTERS[value]:>{len(name)}}" for name, value in zip(names, vector.values, strict=True))


def _mattering(vector: ListedVector) -> str:
    return show_conditions(vector.unmasked)


def criterion_lines(one: ListedFunction, criterion: str) -> Iterator[Text]:
    found = [each for each in one.objectives if each.criterion == criterion]
    yield Text.assemble("  ", (criterion, "bold"), f"  {show_count(len(found), 'objective')}")
    predicates = {each.point: each for each in one.labels if each.point is not None}
    width = max((len(_place(each)) for each in found), default=0)
    for each in found:
        yield Text(f"    {_place(each):{width}}  {each.text}{_remark(each)}  [{each.id}]")
        label = predicates.get(each.points[0]) if len(each.points) == 1 else None
        if label:
            yield Text(f"    {'':{width}}    {_show_label(label)}", "dim")
        if each.problem:
            yield Text(f"    {'':{width}}    not followed: {each.problem}", "yellow")


def _place(objective: ListedObjective) -> str:
    return f"{objective.line}:{objective.column}" if objective.column else str(objective.line)


def _remark(objective: ListedObjective) -> str:
    if objective.is_constant:
        return " (excluded by a constant)"
    return f" (a pair of tests, one of {len(objective.pairs)})" if objective.pairs else ""


def _show_label(label: ListedLabel) -> str:
    word = "behind" if label.is_behind else "before"
    place = f" {word} {label.before[0]}:{label.before[1]}" if label.before else ""
    return f"when {label.predicate}{place}"
