"""Converts results of the stages to rows of the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Covered, Infeasible, Reason, Verdict
from tightrope.program.c_text.source_text import SourceText
from tightrope.report.model import Confirmation, ReportedObjective
from tightrope.suite.confirm import Agreement, Confirmations
from tightrope.suite.gcov import Judgement


def report_objectives(
    ledger: Iterable[tuple[Objective, Verdict]], source: SourceText, has_unwritten: bool = False
) -> tuple[ReportedObjective, ...]:
    """One row per objective, in the order of the ledger. `has_unwritten`: stubs get pointers and do not write there,
    which is a more likely reason than the sizes of inputs."""
    rows = (report_objective(objective, verdict, source) for objective, verdict in ledger)
    shape = Reason.SHAPE.word
    return tuple(replace(row, option="--stub-writes") if has_unwritten and row.reason == shape else row for row in rows)


def report_objective(objective: Objective, verdict: Verdict, source: SourceText) -> ReportedObjective:
    tests, proof, reason, why, option = _evidence(verdict)
    return ReportedObjective(
        id=objective.id,
        criterion=objective.criterion,
        kind=objective.kind,
        line=objective.location.line,
        column=objective.location.column,
        text=objective.text,
        verdict=verdict.word,
        tests=tests,
        proof=proof,
        reason=reason,
        file=objective.location.file,
        source=source.line(objective.location),
        sentence=f"{objective.sentence}: {why}" if reason else why,
        option=option,
        why=why,
        relation=objective.relation.value,
        change=objective.change if any(objective.change) else (),
    )


def _evidence(verdict: Verdict) -> tuple[tuple[str, ...], str | None, str | None, str, str]:
    """Tests, proof, reason, why, option."""
    if isinstance(verdict, Covered):
        return verdict.tests, None, None, "", ""
    if isinstance(verdict, Infeasible):
        return (), verdict.proof.value, None, verdict.sentence or verdict.proof.sentence, ""
    return (), None, verdict.reason.word, verdict.sentence or verdict.reason.sentence, verdict.reason.option


def report_confirmation(found: Confirmations, judgement: Judgement | None = None) -> Confirmation:
    """The results of the build without instrumentation, with the second opinion if there is one."""
    has_judge = judgement is not None and not judgement.problem
    return Confirmation(
        same=len(found.names(Agreement.SAME)),
        different=found.names(Agreement.DIFFERENT),
        not_run=found.names(Agreement.NOT_RUN),
        problem=found.problem,
        judge=judgement.judge if judgement and has_judge else "",
        judged_lines=len(judgement.equal_lines) if judgement and has_judge else 0,
        disagreements=judgement.disagreements if judgement else (),
        counted_differently=judgement.counted_differently if judgement else (),
        details=tuple(each.detail for each in found.tests if each.agreement is Agreement.DIFFERENT),
    )
