"""What `tightrope diff` found, as plain data: the exact image of its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tightrope.report.model import Tool, UnitReport

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class ReportedChange:
    number: int  # from 1; impacts name it
    what: str  # changed, added, removed
    kind: str  # statement, expression, initialiser ...
    function: str  # '' outside of functions
    name: str
    file: str  # of the new version; of the old one when it was removed
    line: int  # in the new version; 0: removed
    column: int
    old_file: str
    old_line: int  # 0: added
    old_column: int
    text: str
    old_text: str
    is_compiled_alike: bool = False  # the compiler makes the same of both: it affects nothing
    end_line: int = 0  # the last one, in the new version; 0: not known


@dataclass(frozen=True, slots=True)
class ReportedLink:
    how: str
    line: int
    words: str
    is_old: bool = False


@dataclass(frozen=True, slots=True)
class ReportedImpact:
    id: str  # of the objective in the new version
    old_id: str  # of its twin in the old one; '' when there is none
    how: str  # changed, data, control, ends, unknown
    sentence: str
    change: int  # number of the change; 0: no single one
    chain: tuple[ReportedLink, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportedObservation:
    """One thing in which two runs differ."""

    what: str  # 'result', 'outcome', '*p', 'calls of sensor'
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class ReportedDifference:
    """An input on which the versions behave differently."""

    test: str  # name of the written test
    inputs: Mapping[str, Any]
    observations: tuple[ReportedObservation, ...]
    passes_on: str = ""  # 'new', when it was built without probes and confirmed to pass there ...
    fails_on: str = ""  # ... and 'old', when it was confirmed to fail there
    detail: str = ""  # what the failing test said, or why it could not be confirmed


@dataclass(frozen=True, slots=True)
class ReportedEquality:
    """`verdict`: different, equal (proved), alike (no difference found), not-compared."""

    verdict: str
    sentence: str  # what was explored, and whether that was everything
    inputs: int = 0  # run on both versions
    proof: str = ""  # of equal: unsatisfiable, same code
    formula: str = ""  # hash of what has no solution
    reason: str = ""  # of alike: why it is not proved


@dataclass(frozen=True, slots=True)
class ReportedOldTest:
    """`fate`: kept (it serves an impacted objective), not-needed, lost."""

    test: str
    file: str
    fate: str
    reason: str
    covers: tuple[str, ...] = ()  # impacted objectives of the new version


@dataclass(frozen=True, slots=True)
class FunctionDifference:
    """`state`: compared, unchanged, added, removed, signature (changed), refused."""

    function: str
    state: str
    sentence: str
    changes: tuple[ReportedChange, ...] = ()
    impacts: tuple[ReportedImpact, ...] = ()
    objectives: int = 0  # of the new version, impacted or not
    unit: UnitReport | None = None  # verdicts and tests of what is impacted
    differences: tuple[ReportedDifference, ...] = ()
    equality: ReportedEquality | None = None
    old_tests: tuple[ReportedOldTest, ...] = ()
    warnings: tuple[str, ...] = ()
    deciding: tuple[ReportedImpact, ...] = ()  # not impacted, but they decide whether changed code is reached


@dataclass(frozen=True, slots=True)
class DifferenceReport:
    tool: Tool
    old: str  # as the user named it: 'old.c', 'HEAD~1:src/x.c'
    new: str
    functions: tuple[FunctionDifference, ...]
    schema: int = SCHEMA
    is_interrupted: bool = False
    sources: Mapping[str, str] = field(default_factory=dict)  # text of the new files, for a listing; not in the JSON
