"""What is said of the impact of an edit, against brute force: both versions are run with the same inputs, and every objective
that other inputs cover than before must be called impacted, whatever the edit (edits.py). Edits that change nothing must
have no impact at all. A formula of both versions takes back what dependences call impacted: it is judged as well.

Programs: edited/*.c, and for TIGHTROPE_FULL=1 also small/*.c and random ones, with every criterion. TIGHTROPE_SEEDS=10:20
draws these edits of each.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from edited_impact import Judged
from edited_runs import Runner, Version, make_version
from edits import CHANGING, HARMLESS, Edit, Operators, Source, draw_edits
from small_domains import HAND_WRITTEN, Small, read_small
from small_functions import make_small

from tightrope.commands.diff.impact.find_impact import find_impact
from tightrope.commands.diff.impact.impact import Impacted, take_back
from tightrope.equality.same_hits import SameHits
from tightrope.errors import TightropeError

IS_FULL = os.environ.get("TIGHTROPE_FULL", "") not in ("", "0")
SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "0:30" if IS_FULL else "0:5").split(":")))
EDITED = sorted((Path(__file__).parent / "edited").glob("*.c"))
PLAIN = ("branch", "line", "call")  # need no marks: they are prepared in a fourth of the time
KINDS = {
    "decisions": ("condition", "mcdc", "mcc", "cacc"),
    "mutants": ("wm", "limit", "rte"),
    "flows": ("all-defs", "def-use"),
    "unique-cause": ("mcdc", "branch"),
    "whole-program": PLAIN,
}
WORDS = {"unique-cause": ("--mcdc-form", "unique-cause"), "whole-program": ("--whole-program",)}
USUAL = (("static_state", "mutants"), ("macros", "decisions"), ("gotos", "flows"))
MOST_TRIES = 30
SECONDS = 10.0  # for a formula of both versions
TOTAL = Judged()


@pytest.fixture(scope="module", autouse=True)
def table(request: pytest.FixtureRequest) -> Iterator[None]:
    """At the end, what became of everything."""
    yield
    reporter = request.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(f"\n{TOTAL}")


@pytest.mark.parametrize("path", EDITED, ids=lambda path: path.stem)
def test_edits(path: Path, tmp_path: Path) -> None:
    Edited(read_small(path), tmp_path, PLAIN).check(SEEDS)


@pytest.mark.parametrize(
    ("name", "kind"), list(itertools.product((path.stem for path in EDITED), KINDS)) if IS_FULL else USUAL
)
def test_criteria_with_marks(name: str, kind: str, tmp_path: Path) -> None:
    small = read_small(Path(__file__).parent / "edited" / f"{name}.c")
    seeds = range(100, 110) if IS_FULL else range(100, 101)
    Edited(small, tmp_path, KINDS[kind], *WORDS.get(kind, ())).check(seeds)


@pytest.mark.skipif(not IS_FULL, reason="takes minutes: TIGHTROPE_FULL=1")
@pytest.mark.parametrize("name", [*(path.stem for path in sorted(HAND_WRITTEN.glob("*.c"))), *range(40)])
def test_small_functions(name: str | int, tmp_path: Path) -> None:
    small = read_small(HAND_WRITTEN / f"{name}.c") if isinstance(name, str) else make_small(name)
    kinds = (PLAIN, *list(KINDS.values())[:3])
    Edited(small, tmp_path, kinds[len(small.text) % len(kinds)]).check(range(5))


class Edited:
    """A program and its edits."""

    def __init__(self, small: Small, folder: Path, criteria: Sequence[str], *words: str) -> None:
        self.small, self.folder, self.criteria, self.words = small, folder, criteria, words
        self.old = make_version(small, small.text, folder / "old", criteria, *words)
        self.source = Source(self.old.unit.file.compiler, small.text, self.old.unit.file.functions)
        self.runner = Runner(self.old)

    def check(self, seeds: Sequence[int]) -> None:
        """Every objective that runs tell apart is impacted, and of what changes nothing none is."""
        judged, odd = Judged(), []
        for edit, new, impact in self._impacts(CHANGING, seeds):
            judged.add(f"{self.small.name}, {edit.words}", self.runner, new, impact)
        for edit, new, impact in self._impacts(HARMLESS, seeds if IS_FULL else seeds[:1]):
            odd += [f"{edit.words}: {name} is impacted" for name in (*impact.new, *impact.old)]
            judged.check_twins(edit.words, self.old, new, impact)
        TOTAL.join(judged)
        assert judged.edits >= len(seeds) // 2
        assert not judged.wrong and not odd, "\n".join([*judged.wrong[:20], *odd[:20]])

    def _impacts(self, operators: Operators, seeds: Sequence[int]) -> Iterator[tuple[Edit, Version, Impacted]]:
        for seed in seeds:
            edits = draw_edits(self.source, Random(f"{self.small.name} {seed}"), operators)
            for edit in itertools.islice(edits, MOST_TRIES):
                new = self._compiled(edit)
                if new is not None:
                    found = find_impact(self.old.unit, new.unit, ())
                    alike = SameHits(new.options).prove(self.old.unit, new.unit, found.doubtful, SECONDS)
                    yield edit, new, take_back(found, alike)
                    break

    def _compiled(self, edit: Edit) -> Version | None:
        """None for what is no C, or the same."""
        if edit.text == self.small.text:
            return None
        try:
            return make_version(self.small, edit.text, self.folder / "new", self.criteria, *self.words)
        except TightropeError:
            return None


def test_runs_tell_versions_apart_and_not_everything_is_impacted() -> None:
    """That nothing was wrong says little if runs saw nothing, or if everything is called impacted."""
    if TOTAL.edits < 100:
        pytest.skip("only some of the edits were tried")
    assert TOTAL.different > TOTAL.edits
    assert TOTAL.impacted < 0.8 * TOTAL.objectives
    assert TOTAL.alike
