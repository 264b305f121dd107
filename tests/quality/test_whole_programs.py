"""Whole programs that read texts: what a trial sees, that the same seed does the same, and how much is covered in a few
runs. Limits are in runs, so that the load of the machine does not matter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tightrope.coverage.verdict import Covered
from tightrope.engines.explore import Exploration, explore
from tightrope.inputs.scalars import first_input
from tightrope.inputs.texts import texts_of
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.flow.unit_constants import collect_constants
from tightrope.running.runner import Runner, Worker
from tightrope.search.dictionary import make_dictionary
from tightrope.search.fuzzing import Fuzzer, Ingredients
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

ROOT = Path(__file__).parents[2]
COMMANDS = ROOT / "tests" / "programs" / "fuzzed_commands.c"
JOBS = ROOT / "experiments" / "programs" / "whole" / "jobs.c"


def options(path: Path, runs: int, seed: int = 0, *, no_fuzzing: bool = False) -> Options:
    return Options(
        (Target(path, "main"),),
        criteria=("branch", "mcdc"),
        whole_program=True,
        engine="search",
        max_runs=runs,
        seed=seed,
        time_limit=600.0,
        no_fuzzing=no_fuzzing,
    )


@contextmanager
def loaded(path: Path) -> Iterator[tuple[PreparedUnit, Runner]]:
    asked, worker = options(path, 1), Worker()
    try:
        unit = prepare_unit(prepare_file(find_compiler(), path, asked, lambda text: None), "main", asked)
        with start(unit, worker, asked) as runner:
            yield unit, runner
    finally:
        worker.close()


def search(unit: PreparedUnit, runner: Runner, asked: Options) -> Exploration:
    return explore(unit, runner, asked, lambda ledger, progress: None, looks_for_errors=False)


def covered(found: Exploration) -> list[str]:
    return [objective.id for objective, verdict in found.ledger if isinstance(verdict, Covered)]


def test_a_trial_ends_as_a_run_does_and_hits_the_same() -> None:
    with loaded(COMMANDS) as (unit, runner):
        texts, ingredients = (
            texts_of(unit.shape),
            Ingredients(make_dictionary(collect_constants(unit.program, "@main")), {}),
        )
        fuzzer = Fuzzer(texts, lambda: ingredients, runner.try_input, 3)
        for text in (b"", b"open\npush 4\n", b"push 3\npop\n#\n"):
            fuzzer.note(texts.write(first_input(unit.driver.slots), [], [text]), 1 << len(text))
        hit = set()
        for _ in range(60):
            values = fuzzer.next_input()
            outcome, _, points, _ = runner.try_input(values)
            trace = runner.trace(values)
            assert (trace.outcome, trace.points) == (outcome, points)
            hit.add(points)
        assert len(hit) > 5


def test_the_same_seed_does_the_same_and_fuzzing_makes_the_difference() -> None:
    with loaded(COMMANDS) as (unit, runner):
        first, second = (search(unit, runner, options(COMMANDS, 200)) for _ in range(2))
        other = search(unit, runner, options(COMMANDS, 200, seed=1))
        without = search(unit, runner, options(COMMANDS, 200, no_fuzzing=True))
    assert [run.input for run in first.runs] == [run.input for run in second.runs]
    assert first.progress.trials == second.progress.trials > 0
    assert first.progress.divergences == other.progress.divergences == 0
    assert len(covered(first)) == len(covered(other)) == len(unit.objectives)
    assert without.progress.trials == 0 and len(covered(without)) < 0.7 * len(unit.objectives)


def test_a_scheduler_is_covered_in_a_few_runs() -> None:
    """Without enough arguments it ends at once: 4 objectives."""
    with loaded(JOBS) as (unit, runner):
        found = search(unit, runner, options(JOBS, 200))
    assert len(covered(found)) > 0.6 * len(unit.objectives)
