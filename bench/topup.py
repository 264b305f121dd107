"""Removes half of the tests of a suite and generates again: what is kept, what is added, and how many runs that takes.

from nothing ──> suite ──every second test removed──> half ──generated into the same folder──> topped up
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tightrope
from bench.parts import results
from tightrope.report.model import UnitReport
from tightrope.suite.kept_tests import cut_test, read_block
from tightrope.suite.seal import seal

ROOT = Path(__file__).resolve().parents[1]
SUBJECTS = (
    "examples/brake.c:brake",
    "examples/controller.c:step",
    "examples/debounce.c:debounce",
    "examples/door.c:door_step",
    "examples/frame.c:read_frame",
    "examples/frame.c:length_fits",
    "examples/ring_buffer.c:ring_put",
    "examples/ring_buffer.c:ring_get",
    "examples/search.c:first_above",
    "examples/settings.c:apply",
    "examples/text.c:minutes_of_day",
    "examples/triangle.c:classify",
    "experiments/programs/labels/collision.c",
    "experiments/programs/labels/drawing.c",
    "experiments/programs/labels/utf8.c",
    "experiments/programs/reactive/altitude.c",
    "experiments/programs/reactive/brakes.c",
    "tests/programs/array_index.c",
    "tests/programs/binary_tree.c",
    "tests/programs/bit_fields.c",
    "tests/programs/callback_results.c",
    "tests/programs/enum_members.c",
    "tests/programs/float_compare.c",
    "tests/programs/goto.c",
    "tests/programs/linked_list.c",
    "tests/programs/string_input.c",
    "tests/programs/struct_array.c",
    "tests/programs/stub_outputs.c",
    "tests/programs/switch.c",
    "tests/programs/union_tagged.c",
)


@dataclass(frozen=True, slots=True)
class ToppedUp:
    """One function. `before` is the suite from nothing, `after` the one that was topped up."""

    target: str
    before: UnitReport
    after: UnitReport
    removed: int
    are_kept: bool  # the tests that were left stand in the new file, byte by byte

    @property
    def has_same_coverage(self) -> bool:
        return _covered(self.before) <= _covered(self.after)

    @property
    def runs(self) -> tuple[int, int]:
        return self.before.statistics.runs, self.after.statistics.runs


def _covered(unit: UnitReport) -> set[str]:
    return {each.id for each in unit.objectives if each.verdict == "covered"}


def remove_tests(text: str, names: Sequence[str]) -> str:
    """A file of the plain format without these tests, as if they had never been written."""
    for name in names:
        test = cut_test(text, name, f"static void test_{name}(void)")
        assert test is not None
        text = text.replace(f"{test}\n", "", 1)
        text = re.sub(rf'^    \{{test_{name}, ".*\n', "", text, flags=re.MULTILINE)
        text = re.sub(rf'^\{{"name": "{name}", .*\n', "", text, flags=re.MULTILINE)
    left = len(read_block(text))
    return seal(re.sub(r"TIGHTROPE_COUNT = \d+", f"TIGHTROPE_COUNT = {left}", text))


def top_up(target: str, folder: Path, **options: str) -> Iterator[ToppedUp]:
    """Each function of the target that has at least two tests."""
    report = tightrope.generate(target, output=folder, no_cache=True, **options)  # type: ignore[arg-type]
    for unit in report.units:
        if len(unit.tests) < 2 or len(unit.written) != 1:
            continue
        file = Path(unit.written[0])
        names = [test.id for test in unit.tests]
        removed, left = names[1::2], names[::2]
        half = remove_tests(file.read_text(encoding="utf-8"), removed)
        file.write_text(half, encoding="utf-8")
        again = tightrope.generate(f"{unit.file}:{unit.function}", output=folder, no_cache=True, **options)  # type: ignore[arg-type]
        whole = file.read_text(encoding="utf-8")
        tests = [cut_test(half, name, f"static void test_{name}(void)") for name in left]
        yield ToppedUp(
            f"{Path(unit.file).relative_to(ROOT)}:{unit.function}",
            unit,
            again.units[0],
            len(removed),
            all(test is not None and test in whole for test in tests),
        )


def measure(subjects: Sequence[str]) -> list[ToppedUp]:
    found = []
    for subject in subjects:
        with tempfile.TemporaryDirectory() as name:
            found += top_up(str(ROOT / subject), Path(name))
    return found


def page(rows: Sequence[ToppedUp], note: str) -> Iterator[str]:
    yield from results.head("Topping up half of a suite", note)
    yield "For each function, a suite is generated, every second test is removed, and the command is given again:"
    yield "`tightrope generate FILE:FUNCTION`, with default options and without the store of results. *kept* says"
    yield "whether the tests that were left stand in the new file byte by byte; *same coverage*, whether all that the"
    yield "first suite covers is covered again. `python -m bench.topup` makes this page."
    yield ""
    yield "| function | tests | removed | added | kept | same coverage | runs from nothing | runs of the top-up |"
    yield "| --- | ---: | ---: | ---: | --- | --- | ---: | ---: |"
    for row in rows:
        added = sum(not test.is_kept for test in row.after.tests)
        words = ["yes" if each else "**no**" for each in (row.are_kept, row.has_same_coverage)]
        counts = [f"{count:,}" for count in (len(row.before.tests), row.removed, added)]
        yield f"| {' | '.join([row.target, *counts, *words, *(f'{runs:,}' for runs in row.runs)])} |"
    yield ""
    yield from _summary(rows)


def _summary(rows: Sequence[ToppedUp]) -> Iterator[str]:
    total = [sum(row.runs[at] for row in rows) for at in (0, 1)]
    fewer = sum(row.runs[1] < row.runs[0] for row in rows)
    same = sum(row.runs[1] == row.runs[0] for row in rows)
    yield (
        f"{len(rows)} functions: tests kept byte by byte in {sum(row.are_kept for row in rows)}, same coverage in "
        f"{sum(row.has_same_coverage for row in rows)}. Runs: {total[0]:,} from nothing, {total[1]:,} for the top-ups; "
        f"fewer in {fewer}, as many in {same}, more in {len(rows) - fewer - same}."
    )


def main() -> None:
    parser = results.make_parser(__doc__.splitlines()[0] if __doc__ else "", 1)
    parser.add_argument("subjects", nargs="*", default=SUBJECTS, metavar="FILE.c[:FUNCTION]")
    wanted = parser.parse_args()
    rows = measure(wanted.subjects)
    results.keep("topup", page(rows, wanted.note), {}, wanted, results.BENCH)


if __name__ == "__main__":
    main()
