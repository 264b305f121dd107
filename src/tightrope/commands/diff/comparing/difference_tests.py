"""Tests that show differences: each passes with one version of the function and fails with the other.

    /* result: old 3, new 4 */
    static void test_f_difference_1(void)
    {
        int result = f(1);
        EXPECT_INT(result, 4);          what the new version does, or the old one if the new one does not return
    }

Differences are chosen, their inputs are simplified, and their tests (difference_cases.py) are built without
instrumentation and run with both versions (confirmed_differences.py) before they are written and reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tightrope.commands.diff.comparing.comparison import Comparer, Difference
from tightrope.commands.diff.comparing.confirmed_differences import (
    NEW,
    OLD,
    DifferenceCheck,
    DifferenceTest,
    confirm_differences,
)
from tightrope.commands.diff.comparing.difference_cases import expected_version, make_suite, with_doubts
from tightrope.equality.correspondence import Correspondence
from tightrope.inputs.scalars import Human, Input, decode
from tightrope.inputs.whole_program import describe_values
from tightrope.options.options import Options
from tightrope.report.difference_model import ReportedDifference
from tightrope.running.run_record import Ending, Outcome, RunRecord
from tightrope.suite.case import Case
from tightrope.suite.folder import write_file
from tightrope.suite.guard import Limits
from tightrope.suite.readability import leaf_of
from tightrope.suite.reduce import Kept
from tightrope.suite.shrink import shrink
from tightrope.suite.writers.either_version import EitherSuite, write_either_version

MOST = 10  # differences that are shown
SHRINK_RUNS = 1000
SHRINK_RUNS_OF_ENDLESS = 6000  # a run that times out counts as many
NOT_CONFIRMED = "not built and run without instrumentation (--no-confirm)"


@dataclass(frozen=True, slots=True)
class WrittenDifferences:
    """`reported` are differences; what only instrumented runs show is a remark."""

    reported: tuple[ReportedDifference, ...] = ()
    written: tuple[str, ...] = ()  # files
    remarks: tuple[str, ...] = ()


def write_difference_tests(
    comparer: Comparer, found: Sequence[Difference], options: Options, old_name: str
) -> WrittenDifferences:
    """One test for each kind of difference. `old_name`: the file of the old version as the user knows it."""
    chosen = choose_differences(found)
    if not chosen:
        return WrittenDifferences()
    simple = [shrink_difference(comparer, each) for each in chosen]
    checked = _check(comparer, simple, options, old_name)
    doubtful = [at for at, each in enumerate(checked) if not each.is_true]
    again = _check(comparer, [chosen[at] for at in doubtful], options, old_name)  # unsimplified
    for at, each in zip(doubtful, again, strict=True):
        simple[at], checked[at] = chosen[at], each
    kept = [(one, seen) for one, seen in zip(simple, checked, strict=True) if seen.is_true]
    suite = with_doubts(
        make_suite(comparer, [one for one, _ in kept], options.output, old_name), [seen for _, seen in kept]
    )
    return WrittenDifferences(
        tuple(_reported(comparer, case, *each) for case, each in zip(suite.cases, kept, strict=True)),
        _write(suite) if kept else (),
        tuple(_withdrawn(one, seen) for one, seen in zip(simple, checked, strict=True) if not seen.is_true),
    )


def choose_differences(found: Sequence[Difference]) -> list[Difference]:
    """Enough differences to show everything that differs, the simplest first; of one kind, the first. Those that stop
    the program come last, so that the others run before them."""
    first: dict[tuple[str, ...], Difference] = {}
    for each in found:
        first.setdefault(each.kind, each)
    chosen: list[Difference] = []
    shown: set[tuple[str, ...]] = set()
    for each in sorted(first.values(), key=lambda each: len(each.observations)):
        things = set(each.things)
        if not things <= shown and len(chosen) < MOST:
            chosen.append(each)
            shown |= things
    return sorted(chosen, key=lambda each: each.new.ending.outcome is not Outcome.RETURNED)


def shrink_difference(comparer: Comparer, difference: Difference) -> Difference:
    """The same kind of difference, with simpler values."""
    best: dict[Input, Difference] = {difference.input: difference}
    ending = Ending(difference.new.ending.outcome)

    def run(values: Input) -> RunRecord:
        varied = comparer.vary(difference, values)
        if varied is not None:
            best[values] = varied
        return RunRecord(values, ending, int(varied is not None), steps=comparer.steps)

    leaves = [leaf_of(slot) for slot in comparer.new.driver.slots]
    kept = Kept(RunRecord(difference.input, ending, 1), (1,))
    is_endless = ending.outcome is Outcome.TIMED_OUT
    return best[shrink(kept, leaves, run, SHRINK_RUNS_OF_ENDLESS if is_endless else SHRINK_RUNS).input]


def _check(comparer: Comparer, found: Sequence[Difference], options: Options, old_name: str) -> list[DifferenceCheck]:
    if options.no_confirm or not found:
        return [DifferenceCheck(detail=NOT_CONFIRMED) for _ in found]
    suite = make_suite(comparer, found, options.output, old_name)
    text = next(iter(write_either_version(suite).values()))
    tests = [
        DifferenceTest(case.name, expected_version(each), {OLD: each.old.ending.outcome, NEW: each.new.ending.outcome})
        for case, each in zip(suite.cases, found, strict=True)
    ]
    units = {OLD: comparer.old, NEW: comparer.new}
    checked = confirm_differences(
        text, tests, units, suite.folder, Limits(memory=options.memory_limit << 20, writable=options.allow_files)
    )
    if len(found) > 1 and not all(each.was_built for each in checked):  # one must not hide the others
        return [one for each in found for one in _check(comparer, [each], options, old_name)]
    return list(checked)


def _reported(comparer: Comparer, case: Case, difference: Difference, checked: DifferenceCheck) -> ReportedDifference:
    inputs = describe_values(comparer.new.shape, difference.input, difference.new.record.outputs)
    inputs |= dict(_of_old_only(comparer.match, difference.old_input))
    seen = (checked.passes_on, checked.fails_on, checked.detail)
    return ReportedDifference(case.name, inputs, difference.observations, *seen)


def _of_old_only(match: Correspondence, values: Input) -> Iterator[tuple[str, Human]]:
    """Inputs that only the old version reads, if they differ from their first values."""
    for key, slot in match.old.slots.items():
        if key not in match.new.slots and values[slot.number] != match.to_old.start[slot.number]:
            yield slot.path, decode(slot.scalar, values[slot.number])


def _withdrawn(difference: Difference, checked: DifferenceCheck) -> str:
    what = ", ".join(each.what for each in difference.observations[:3])
    return f"{what}: differs in instrumented runs, but not in a build without instrumentation ({checked.detail})"


def _write(suite: EitherSuite) -> tuple[str, ...]:
    files = write_either_version(suite)
    for name, text in files.items():
        write_file(suite.folder / name, text)
    return tuple(str(suite.folder / name) for name in files)
