"""Tightrope generates unit tests for C functions until a coverage criterion is satisfied.

>>> import tightrope
>>> report = tightrope.generate_tests("triangle.c:classify", output="tests")   # doctest: +SKIP
>>> report.score("branch").covered                                               # doctest: +SKIP
22
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tightrope.version import __version__

if TYPE_CHECKING:
    from tightrope.report.model import Report

__all__ = ["__version__", "generate_tests"]


def generate_tests(*targets: str, **options: Any) -> Report:
    """Tests for `FILE.c` or `FILE.c:FUNCTION`; keywords are the fields of `tightrope.options.options.Options`.

    Writes the suites and returns the report; raises `tightrope.errors.TightropeError`.
    """
    from dataclasses import replace
    from pathlib import Path

    from tightrope.commands.generate.pipeline import generate
    from tightrope.options.options import OPTIONS, Options
    from tightrope.options.targets import check_target, read_target

    chosen = tuple(read_target(text) for text in targets)
    for target in chosen:
        check_target(target)
    paths = {name: Path(value) for name, value in options.items() if name in ("output", "build_dir")}
    given = {"quiet": True, **options, **paths}
    commanded = {name: value for name, value in given.items() if name in OPTIONS}
    return generate(replace(Options(chosen, **given), commanded=commanded))
