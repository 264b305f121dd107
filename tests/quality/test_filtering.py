"""Path filtering never costs coverage: what it leaves out could cover nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.coverage.verdict import Covered
from tightrope.engines.explore import explore
from tightrope.inputs.scalars import first_input
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start

# Without a 3, runs go on beyond the end of the array. Only one that leaves the loop covers what happened in it, although
# nothing is left to cover behind the loop.
BEYOND_THE_END = """
int target(int text[3])
{
    int found = 0;
    for (int i = 0; text[i] != 3; i++)
        if (text[i] == 7)
            found++;
    return found;
}
"""


@pytest.mark.parametrize("no_filter", [True, False])
def test_runs_that_leave_before_the_crash_are_relevant(no_filter: bool, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(BEYOND_THE_END)
    options = Options(
        (Target(path, "target"),),
        criteria=("branch",),
        engine="search",
        strategy="dfs",
        no_filter=no_filter,
        no_fuzzing=True,
        max_runs=20,
    )
    unit = prepare_unit(prepare_file(find_compiler(), path, options, lambda text: None), "target", options)
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            first = first_input(unit.driver.slots)
            found = explore(unit, runner, options, lambda ledger, progress: None, seeds=[first], looks_for_errors=False)
    finally:
        worker.close()
    assert all(isinstance(verdict, Covered) for _, verdict in found.ledger)
