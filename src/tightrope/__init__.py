"""Tightrope generates unit tests for C functions until a coverage criterion is satisfied.

>>> import tightrope
>>> report = tightrope.generate("triangle.c:classify", output="tests")   # doctest: +SKIP
>>> report.score("branch").covered                                       # doctest: +SKIP
22

docs/how-to/python.md shows more. Names are imported when they are used: `import tightrope` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tightrope.version import __version__

if TYPE_CHECKING:
    from tightrope.api import diff, generate, measure, objectives
    from tightrope.errors import CompileError, NothingMatchedError, TightropeError, UsageError
    from tightrope.report.difference_model import DifferenceReport, FunctionDifference
    from tightrope.report.listing import ListedFunction
    from tightrope.report.model import Report, ReportedObjective, ReportedTest, Score, UnitReport

__all__ = [
    "CompileError",
    "DifferenceReport",
    "FunctionDifference",
    "ListedFunction",
    "NothingMatchedError",
    "Report",
    "ReportedObjective",
    "ReportedTest",
    "Score",
    "TightropeError",
    "UnitReport",
    "UsageError",
    "__version__",
    "diff",
    "generate",
    "measure",
    "objectives",
]
_HOMES = {
    "tightrope.api": ("diff", "generate", "measure", "objectives"),
    "tightrope.errors": ("CompileError", "NothingMatchedError", "TightropeError", "UsageError"),
    "tightrope.report.difference_model": ("DifferenceReport", "FunctionDifference"),
    "tightrope.report.listing": ("ListedFunction",),
    "tightrope.report.model": ("Report", "ReportedObjective", "ReportedTest", "Score", "UnitReport"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
