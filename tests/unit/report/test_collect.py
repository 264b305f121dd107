"""Rows of the report say no more than the verdicts."""

from __future__ import annotations

from dataclasses import replace

from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.verdict import Covered, Infeasible, Proof, Reason, Unknown, Verdict
from tightrope.location import Location
from tightrope.program.c_text.source_text import SourceText
from tightrope.report.collect import report_confirmation, report_objectives
from tightrope.report.model import ReportedObjective
from tightrope.suite.confirm import Agreement, Confirmations, Confirmed
from tightrope.suite.gcov import Judgement

OBJECTIVE = Objective("f:branch:+1.7:true", "branch", "true", Location("f.c", 2, 7), "a is true", (0,), "a never is")


def row(verdict: Verdict) -> ReportedObjective:
    return report_objectives([(OBJECTIVE, verdict)], SourceText(lambda name: "int f\n  if (a)\n"))[0]


def test_covered() -> None:
    found = row(Covered(("one", "two")))
    assert (found.verdict, found.tests, found.proof, found.reason) == ("covered", ("one", "two"), None, None)
    assert (found.file, found.line, found.column, found.source) == ("f.c", 2, 7, "  if (a)")


def test_infeasible() -> None:
    found = row(Infeasible(Proof.EXHAUSTED))
    assert (found.verdict, found.proof, found.reason) == ("infeasible", "exhausted", None)
    assert "every path" in found.sentence
    assert row(Infeasible(Proof.CONSTANT, "because")).sentence == "because"


def test_an_unknown_objective_may_have_a_sentence_of_its_own() -> None:
    found = row(Unknown(Reason.NOT_FOLLOWED, "it has too many vectors"))
    assert (found.reason, found.why) == ("not_followed", "it has too many vectors")


def test_the_relation_is_told() -> None:
    pair = replace(OBJECTIVE, relation=Relation.PAIR, pairs=((0, 1),), points=(0, 1))
    found = report_objectives([(pair, Covered(("one", "two")))], SourceText(lambda name: ""))[0]
    assert (found.relation, found.tests) == ("pair", ("one", "two"))
    assert row(Covered(("one",))).relation == "any"


def test_unknown() -> None:
    found = row(Unknown(Reason.TIME_LIMIT))
    assert (found.verdict, found.proof, found.reason) == ("unknown", None, "time_limit")
    assert found.sentence == "a never is: the time limit ended the search first"
    assert found.option == "--time-limit"


def test_confirmation_with_and_without_a_judge() -> None:
    tests = (Confirmed("a", Agreement.SAME), Confirmed("b", Agreement.DIFFERENT), Confirmed("c", Agreement.NOT_RUN))
    found = report_confirmation(Confirmations(tests))
    assert (found.same, found.different, found.not_run, found.judge) == (1, ("b",), ("c",), "")
    judged = report_confirmation(Confirmations(tests), Judgement("gcov 12", (3, 4), ("line 5: no",), ("line 6: 4",)))
    assert (judged.judge, judged.judged_lines, judged.disagreements) == ("gcov 12", 2, ("line 5: no",))
    assert report_confirmation(Confirmations(tests), Judgement("gcov 12", problem="no")).judge == ""
