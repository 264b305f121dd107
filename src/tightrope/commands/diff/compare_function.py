"""One function in two versions, from its C to its row in the report.

    find the changes --> find what they may affect --> (nothing: the same code)
                              |
    run the tests of the old version, search for the impacted objectives; what is still open after some time is impacted
    only if a formula of both versions does not prove that the same inputs hit it
                              |
    run all these inputs on both versions; if there is no difference, also inputs for code that only the old version has
                              |
    write tests that show the differences; if there are none, a formula of both versions finds one or proves equality
                              |
    write the suite, decide the fate of the old tests, make the row

The search is directed by its objectives: it gets only the impacted ones, so the path filter drops every candidate that
leads to no impacted objective (paper 000, Fig. 5), whatever the strategy and criterion.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from tightrope.commands.diff.changed_unit import ChangedUnit, ComparedFile, prepare_both
from tightrope.commands.diff.comparing.comparison import Comparer, Difference
from tightrope.commands.diff.comparing.difference_tests import WrittenDifferences, write_difference_tests
from tightrope.commands.diff.old_tests.old_suite import read_old_suite
from tightrope.commands.diff.old_tests.reuse import (
    choose_carried,
    judge_old_tests,
    remember_files,
    replaced_files,
    save_lost,
    suites_in_the_way,
    try_old_tests,
)
from tightrope.commands.diff.rows import ComparedFunction, make_row, make_row_of_same_code
from tightrope.commands.generate.conclude import conclude
from tightrope.commands.generate.native_coverage import find_native_coverage, with_native_tests
from tightrope.commands.generate.pipeline import Shown, showing, started_worker
from tightrope.engines.explore import explore
from tightrope.equality.equality_proof import EqualityResult, seek_difference
from tightrope.equality.hits_review import HitsReview
from tightrope.inputs.scalars import Input, first_input
from tightrope.options.options import Options
from tightrope.report.difference_model import FunctionDifference
from tightrope.report.executed_lines import add_tests
from tightrope.running.runner import Runner
from tightrope.units.prepare import start
from tightrope.units.prepared import PreparedUnit

MOST_COMPARED = 3000  # inputs of a search that are run on both versions
SECONDS_TO_DIFFER = 10.0  # for a formula of both versions, unless a proof was requested
OLD_SHARE = 0.25  # of the time, for code that only the old version has


def compare_function(file: ComparedFile, name: str) -> FunctionDifference:
    with showing(file.new_version.options, name) as shown:
        shown.stage("compiling")
        unit = prepare_both(file, name)
        if unit.impact.are_same:
            return make_row_of_same_code(unit)
        unit, found = _compare(unit, shown)
        return make_row(unit, replace(found, report=found.report.with_time(shown.seconds)))


def _compare(unit: ChangedUnit, shown: Shown) -> tuple[ChangedUnit, ComparedFunction]:
    """The unit without what a formula takes back, and what was found."""
    options, impacted = unit.options, replace(unit.new, objectives=unit.impacted)
    tests = read_old_suite(suites_in_the_way(impacted, options), impacted, unit.old, options)
    native = find_native_coverage(impacted.objectives, [(each.name, each.hits) for each in tests if each.is_native])
    left = replace(impacted, objectives=tuple(each for each in impacted.objectives if each.id not in native))
    with _started(left, options) as runner, _started(unit.old, unit.old_options) as old_runner:
        comparer = Comparer(unit.old, old_runner, unit.new, runner)
        with runner.noting(MOST_COMPARED) as inputs:
            tried = try_old_tests(tests, left, runner)
            earlier = [each.input for each in tests if each.input is not None]
            seeds = [*earlier, first_input(left.driver.slots)]
            hits = HitsReview(unit.old, unit.new, unit.doubtful, options)
            review = hits.review if options.engine != "search" else None
            explored = explore(left, runner, options, shown.tick, first=seeds, review=review)
        unit = unit.without(hits.alike)
        impacted, left = _only(unit.impact.new, impacted), _only(unit.impact.new, left)
        shown.stage("comparing")
        differences = _run_on_both(comparer.compare, inputs, options.time_limit)
        if unit.removed and not differences:
            old_inputs = _explore_removed(unit, old_runner, shown)
            differences = _run_on_both(comparer.compare_old, old_inputs, options.time_limit)
        written, proof = _show_differences(unit, comparer, differences)
        replaced = replaced_files(impacted, options)
        before = remember_files(replaced)
        carried = choose_carried(tried, explored.runs, impacted.objectives, replaced)
        report = conclude(left, runner, explored, options, shown.stage, carried=carried)
    report = with_native_tests(report, impacted, native)
    covering = {name for names in native.values() for name in names}
    lines = [each.lines for each in tests if each.is_native and each.name in covering]
    report = replace(report, executed=add_tests(report.executed, lines))
    old_tests = judge_old_tests(tried, carried, report, native)
    remarks = (*save_lost(before, old_tests), *comparer.remarks, *written.remarks)
    return unit, ComparedFunction(report, written, proof, comparer.inputs, old_tests, remarks)


def _only(wanted: Container[str], unit: PreparedUnit) -> PreparedUnit:
    return replace(unit, objectives=tuple(each for each in unit.objectives if each.id in wanted))


@contextmanager
def _started(unit: PreparedUnit, options: Options) -> Iterator[Runner]:
    with started_worker() as worker, start(unit, worker, options) as runner:
        yield runner


def _run_on_both(
    compare: Callable[[Input], Difference | None], inputs: Iterable[Input], seconds: float
) -> list[Difference]:
    """The differences. The time is limited, because each endless run takes a second in each version."""
    found: list[Difference] = []
    end = time.perf_counter() + seconds
    for values in inputs:
        difference = compare(values)
        if difference is not None:
            found.append(difference)
        if time.perf_counter() > end:
            break
    return found


def _explore_removed(unit: ChangedUnit, old_runner: Runner, shown: Shown) -> Iterable[Input]:
    """Inputs that may reach code that only the old version has."""
    seconds = max(1.0, OLD_SHARE * unit.options.time_limit)
    options, removed = replace(unit.old_options, time_limit=seconds), replace(unit.old, objectives=unit.removed)
    first = [first_input(unit.old.driver.slots)]
    with old_runner.noting(MOST_COMPARED) as inputs:
        explore(removed, old_runner, options, shown.tick, first=first, looks_for_errors=False)
    return inputs


def _show_differences(
    unit: ChangedUnit, comparer: Comparer, differences: Sequence[Difference]
) -> tuple[WrittenDifferences, EqualityResult | None]:
    """Write tests for the differences; if none can be shown, ask a formula of both versions."""
    old_name = unit.file.old_version.name
    written = write_difference_tests(comparer, differences, unit.options, old_name)
    if written.reported or not unit.is_comparable:
        return written, None
    proof, differences = _ask_formula(unit, comparer)
    again = write_difference_tests(comparer, differences, unit.options, old_name)
    return replace(again, remarks=(*written.remarks, *again.remarks)), proof


def _ask_formula(unit: ChangedUnit, comparer: Comparer) -> tuple[EqualityResult, list[Difference]]:
    """The answer of the formula, and the differences that runs of its solutions show."""
    found: list[Difference] = []

    def differs(values: Input, is_foreseen: bool) -> bool:
        difference = comparer.compare(values)
        found.extend([difference] if difference is not None else [])
        return difference is not None

    limit = unit.options.time_limit
    seconds = limit if unit.options.prove_equal else min(SECONDS_TO_DIFFER, limit)
    return seek_difference(unit.old, unit.new, unit.options, seconds, differs), found
