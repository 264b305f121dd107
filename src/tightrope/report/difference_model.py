"""What `tightrope diff` found, as plain data: what its JSON holds. model.py says how to read the classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from tightrope.report.model import IN_MEMORY, Report, Tool, UnitReport, Value

SCHEMA = 1
IMPACTS = ("changed", "data", "control", "ends", "decides", "unknown")
VERSIONS = ("", "new", "old")


@dataclass(frozen=True, slots=True)
class DifferenceReport:
    schema: Annotated[int, (SCHEMA,), "version of this format"] = field(default=SCHEMA, kw_only=True)
    tool: Annotated[Tool, "the program that wrote it"]
    old: Annotated[str, "as the user named it"]
    new: Annotated[str, "as the user named it"]
    is_interrupted: Annotated[bool, "it was interrupted"] = field(default=False, kw_only=True)
    functions: Annotated[tuple[FunctionDifference, ...], "one for each function asked for"]
    sources: Mapping[str, str] = field(default_factory=dict, metadata=IN_MEMORY)  # text of new files, for a listing
    old_sources: Mapping[str, str] = field(default_factory=dict, metadata=IN_MEMORY)  # and of old ones

    @property
    def tested(self) -> Report:
        """The functions of the new version that tests were written for."""
        return Report(self.tool, tuple(each.unit for each in self.functions if each.unit))

    @property
    def has_uncompiled(self) -> bool:
        """True if a file does not compile in one of the versions."""
        return any(each.state == "refused" and "." in each.function for each in self.functions)


@dataclass(frozen=True, slots=True)
class FunctionDifference:
    """`state`: compared, unchanged, added, removed, signature (changed), refused."""

    function: Annotated[str, "its C name; the path of a file that does not compile"]
    state: Annotated[
        str,
        ("compared", "unchanged", "added", "removed", "signature", "refused"),
        "compared; unchanged: no change can affect it; added or removed; signature: its parameters or its "
        "result changed; refused: it could not be compared, and the sentence says why",
    ]
    sentence: Annotated[str, "the reason for the state"]
    changes: Annotated[tuple[ReportedChange, ...], "what differs in the C, in the order of the text"] = ()
    impacts: Annotated[
        tuple[ReportedImpact, ...], "objectives of the new version that may behave differently, and why"
    ] = ()
    objectives: Annotated[int, "number of objectives of the new version, impacted or not"] = 0
    unit: Annotated[
        UnitReport | None,
        "verdicts and tests of what is impacted, as in the [report of `generate`](report.md); null where "
        "nothing was run",
    ] = None
    differences: Annotated[tuple[ReportedDifference, ...], "inputs on which the versions behave differently"] = ()
    equality: Annotated[
        ReportedEquality | None, "whether the versions behave alike; null where this was not examined"
    ] = None
    old_tests: Annotated[tuple[ReportedOldTest, ...], "the tests of `--suite`, and what happens to each"] = ()
    warnings: Annotated[tuple[str, ...], "one sentence each"] = ()
    deciding: Annotated[
        tuple[ReportedImpact, ...], "objectives that are not impacted, but decide whether changed code is reached"
    ] = ()
    alike: Annotated[
        tuple[str, ...],
        "ids of objectives that depend on the changes, but are not impacted: a formula proves that the same inputs hit "
        "them in both versions",
    ] = ()


@dataclass(frozen=True, slots=True)
class ReportedChange:
    number: Annotated[int, "from 1; impacts name it"]
    what: Annotated[str, ("changed", "added", "removed"), "changed, added or removed"]
    kind: Annotated[
        str,
        (
            "statement",
            "expression",
            "variable",
            "parameter",
            "signature",
            "function",
            "initialiser",
            "type",
            "global",
            "code",
        ),
        "what it is; code: the same C is compiled to different code",
    ]
    function: Annotated[str, "the function that contains it; empty outside of functions"]
    name: Annotated[str, "of the variable, type or function that it is about; empty when there is none"]
    file: Annotated[str, "in the new version; in the old one when it was removed"]
    line: Annotated[int, "in the new version; 0: removed"]
    column: Annotated[int, "in the new version, counted in bytes"]
    old_file: Annotated[str, "in the old version"]
    old_line: Annotated[int, "in the old version; 0: added"]
    old_column: Annotated[int, "in the old version"]
    text: Annotated[str, "in the new version, on one line"]
    old_text: Annotated[str, "in the old version, on one line"]
    is_compiled_alike: Annotated[bool, "it is compiled to the same code as before, so it affects nothing"] = False
    end_line: Annotated[int, "where it ends in the new version; 0: not known"] = 0


@dataclass(frozen=True, slots=True)
class ReportedImpact:
    id: Annotated[str, "id of an objective of the new version, as in `unit`"]
    old_id: Annotated[str, "id of the same objective in the old version; empty if there is none"]
    how: Annotated[
        str,
        IMPACTS,
        "changed: it is changed, or new, itself; data: it reads what may be computed differently; control: "
        "whether it is executed depends on that; ends: it comes after something that may end the run; decides: "
        "it behaves as before, and decides whether changed code is reached; unknown: the analysis cannot tell",
    ]
    sentence: Annotated[str, "the reason in words"]
    change: Annotated[int, "number of the change; 0: no single one"]
    chain: Annotated[tuple[ReportedLink, ...], "the steps from the change to the objective"] = ()


@dataclass(frozen=True, slots=True)
class ReportedLink:
    how: Annotated[str, IMPACTS, "as in an impact, for this step"]
    line: Annotated[int, "of what is affected by this step; 0: not known"]
    words: Annotated[str, "what is affected, in C"]
    is_old: Annotated[bool, "the line is one of the old version"] = False


@dataclass(frozen=True, slots=True)
class ReportedDifference:
    """An input on which the versions behave differently."""

    test: Annotated[str, "name of the written test; empty when none could be written"]
    inputs: Annotated[Mapping[str, Value], "path of each input in C words -> its value"]
    observations: Annotated[tuple[ReportedObservation, ...], "what differs"]
    passes_on: Annotated[
        str, VERSIONS, "the version on which the test passes, if a build without instrumentation confirmed it"
    ] = ""
    fails_on: Annotated[str, VERSIONS, "the version on which it fails, if that was confirmed"] = ""
    detail: Annotated[str, "what the failing test printed, or why it could not be confirmed"] = ""


@dataclass(frozen=True, slots=True)
class ReportedObservation:
    """One thing in which two runs differ."""

    what: Annotated[str, "result, outcome, calls of a stub, or the path of what was written"]
    old: Annotated[Value | None, "with the old version; null: there is none"]
    new: Annotated[Value | None, "with the new version; null: there is none"]


@dataclass(frozen=True, slots=True)
class ReportedEquality:
    """`verdict`: different, equal (proved), alike (no difference found), not-compared."""

    verdict: Annotated[
        str,
        ("different", "equal", "alike", "not-compared"),
        "different; equal: proved; alike: no difference was found; not-compared",
    ]
    sentence: Annotated[str, "what was explored, and whether that was everything"]
    inputs: Annotated[int, "that were run on both versions"] = 0
    proof: Annotated[str, "of equal: unsatisfiable, or same code"] = ""
    formula: Annotated[str, "of equal: the SHA-256 of the SMT-LIB text that has no solution"] = ""
    reason: Annotated[str, "of alike: why it is not proved"] = ""


@dataclass(frozen=True, slots=True)
class ReportedOldTest:
    """`fate`: kept (it serves an impacted objective), not-needed, lost."""

    test: Annotated[str, "its name"]
    file: Annotated[str, "where it is"]
    fate: Annotated[
        str,
        ("kept", "not-needed", "lost"),
        "kept: it serves an impacted objective; not-needed; lost: it cannot be run any more",
    ]
    reason: Annotated[str, "why"]
    covers: Annotated[tuple[str, ...], "ids of the impacted objectives that it covers"] = ()
