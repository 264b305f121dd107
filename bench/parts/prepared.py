"""A bench program, compiled, woven and loaded into its worker: the same steps as `tightrope generate` takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Runner, Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

PROGRAMS = Path(__file__).parents[1] / "programs"


def all_paths(program: str, function: str) -> Options:
    """The options of `--strategy dfs --exhaustive`: every path, whatever is covered."""
    target = Target(PROGRAMS / f"{program}.c", function)
    return Options((target,), criteria=("branch",), strategy="dfs", exhaustive=True, time_limit=600.0)


@contextmanager
def loaded(options: Options) -> Iterator[tuple[PreparedUnit, Runner]]:
    """The function of the only target, ready to run."""
    (target,) = options.targets
    worker = Worker()
    try:
        file = prepare_file(find_compiler(), target.file, options, lambda text: None)
        unit = prepare_unit(file, target.function, options)
        with start(unit, worker, options) as runner:
            yield unit, runner
    finally:
        worker.close()
