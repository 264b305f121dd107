"""The row of a function in the report of `diff`: its changes, its impacts, and whether the versions behave alike.

Places are shown as the user knows them; changes are referred to by number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.commands.diff.changed_unit import ChangedUnit
from tightrope.commands.diff.changes.change import Change
from tightrope.commands.diff.comparing.difference_tests import WrittenDifferences
from tightrope.commands.diff.impact.impact import Impact, Link
from tightrope.commands.diff.versions.pair import Version
from tightrope.equality.equality_proof import EqualityResult
from tightrope.harness.driver import is_driver
from tightrope.inputs.input_paths import any_number
from tightrope.inputs.shape import objects_of
from tightrope.location import Location
from tightrope.report.difference_model import (
    FunctionDifference,
    ReportedChange,
    ReportedEquality,
    ReportedImpact,
    ReportedLink,
    ReportedOldTest,
)
from tightrope.report.model import UnitReport
from tightrope.source.project import short_path
from tightrope.units.prepared import PreparedUnit

NOWHERE = Location("", 0)


@dataclass(frozen=True, slots=True)
class ComparedFunction:
    """The result of comparing a function."""

    report: UnitReport  # of the search for its impacted objectives
    differences: WrittenDifferences
    proof: EqualityResult | None  # by the formula of both versions; None: it was not asked
    inputs: int  # run on both versions
    old_tests: tuple[ReportedOldTest, ...]
    remarks: tuple[str, ...]


def make_row(unit: ChangedUnit, found: ComparedFunction) -> FunctionDifference:
    count, every = len(unit.impacted), len(unit.new.objectives)
    report = replace(found.report, written=(*found.report.written, *found.differences.written))
    return FunctionDifference(
        unit.name,
        "compared" if unit.is_comparable else "signature",
        f"{count} of {every} objectives may behave differently",
        _report_changes(unit),
        tuple(_report_impacts(unit, unit.impact.new)),
        every,
        in_user_words(report, unit.file.new_version),
        found.differences.reported,
        _report_equality(unit, found),
        found.old_tests,
        found.remarks,
        tuple(_report_impacts(unit, unit.impact.deciding)),
        unit.impact.alike,
    )


def make_row_of_same_code(unit: ChangedUnit) -> FunctionDifference:
    sentence, state = "the compiler generates the same code for both versions", "unchanged"
    equality = ReportedEquality("equal", sentence, proof="same code")
    if not unit.is_comparable:
        sentence, state = f"it is declared differently, and {sentence}", "signature"
        equality = ReportedEquality("not-compared", sentence)
    changes, count = _report_changes(unit), len(unit.new.objectives)
    return FunctionDifference(unit.name, state, sentence, changes, objectives=count, equality=equality)


def in_user_words(report: UnitReport, version: Version) -> UnitReport:
    """The report without the names of our temporary folders, which no longer exist when it is read."""
    words = version.in_words
    return replace(
        report,
        file=words(report.file),
        command=tuple(map(words, report.command)),
        builds={},  # they have flags for these folders; the head of each written file has its command
        objectives=tuple(replace(each, file=words(each.file)) for each in report.objectives),
        decisions=tuple(replace(each, file=words(each.file)) for each in report.decisions),
        executed=tuple(replace(each, file=words(each.file)) for each in report.executed),
        crashes=tuple(replace(each, file=words(each.file)) for each in report.crashes),
        concretisations=tuple(replace(each, file=words(each.file)) for each in report.concretisations),
    )


# -- changes


def _report_changes(unit: ChangedUnit) -> tuple[ReportedChange, ...]:
    return tuple(_report_change(unit, number, each) for number, each in enumerate(unit.changes, 1))


def _report_change(unit: ChangedUnit, number: int, each: Change) -> ReportedChange:
    old, new = each.old or NOWHERE, each.new or NOWHERE
    old_file = unit.file.old_version.in_words(_short(old.file))
    return ReportedChange(
        number,
        each.what,
        each.kind.value,
        each.function,
        each.name,
        unit.file.new_version.in_words(_short(new.file)) or old_file,
        new.line,
        new.column,
        old_file,
        old.line,
        old.column,
        each.new_text,
        each.old_text,
        unit.impact.are_same,
        end_line=each.new_end.line if each.new_end else 0,
    )


def _short(file: str) -> str:
    return short_path(Path(file)) if file else ""


# -- impacts


def _report_impacts(unit: ChangedUnit, impacts: Mapping[str, Impact]) -> Iterator[ReportedImpact]:
    numbers = {id(each): number for number, each in enumerate(unit.changes, 1)}
    for objective in unit.new.objectives:
        found = impacts.get(objective.id)
        if found is not None:
            yield ReportedImpact(
                objective.id,
                unit.impact.twins.get(objective.id, ""),
                found.how.value,
                found.sentence,
                numbers.get(id(found.change), 0),
                tuple(_report_links(found.chain)),
            )


def _report_links(chain: Sequence[Link]) -> Iterator[ReportedLink]:
    """The links with a place in the user's C, each place once."""
    last: Link | None = None
    for each in chain:
        if each.location is None or is_driver(each.location):
            continue
        if last is None or (last.location, last.is_old) != (each.location, each.is_old):
            yield ReportedLink(each.how.value, each.location.line, each.words, each.is_old)
            last = each


# -- equality


def _report_equality(unit: ChangedUnit, found: ComparedFunction) -> ReportedEquality:
    ran = f"{found.inputs} inputs were run" if found.inputs != 1 else "1 input was run"
    ran += " on both versions"
    if found.differences.reported:
        return ReportedEquality("different", f"the versions behave differently; {ran}", found.inputs)
    if not unit.is_comparable:
        return ReportedEquality("not-compared", "the function is declared differently", found.inputs)
    proof, initials = found.proof, unit.impact.initials
    if proof is not None and proof.verdict == "equal" and not initials:
        but = "".join(f"; {each}" for each in (_about_lengths(unit.new), proof.reason) if each)
        sentence = f"the versions behave the same for all inputs{but}"
        return ReportedEquality("equal", sentence, found.inputs, "unsatisfiable", proof.formula)
    reason = _about_initials(initials) if initials else (proof.reason if proof is not None else "")
    return ReportedEquality("alike", f"{ran}; {found.report.stop_reason}", found.inputs, reason=reason)


def _about_lengths(unit: PreparedUnit) -> str:
    """If a caller passes less, one version may read out of bounds where the other does not."""
    lengths = [f"{any_number(each.path)} {each.count}" for each in objects_of(unit.shape) if each.count > 1]
    listed = ", ".join(dict.fromkeys(lengths))
    return f"if callers pass at least this many elements: {listed}" if lengths else ""


def _about_initials(names: tuple[str, ...]) -> str:
    listed = ", ".join(f"`{name}`" for name in names)
    if len(names) == 1:
        return f"the initial value of {listed} has changed, but tests set it themselves"
    return f"the initial values of {listed} have changed, but tests set them themselves"
