"""The table of doubts: each row is shown by a test, forbids something, and finds what it is about."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tightrope.coverage.verdict import Reason
from tightrope.encoding.encoding import WhyDeparted
from tightrope.program.ir.read_ir import read_program
from tightrope.search.budget import StopReason
from tightrope.soundness.doubts import (
    DOUBTS,
    OF_DEPARTURE,
    OF_OBJECTIVE,
    OF_SEARCH,
    OF_UNIT,
    OF_VERSIONS,
    Doubt,
    ObjectiveFacts,
    ProofKind,
    RunFacts,
    UnitDoubts,
    Versions,
    equality_doubts,
    find_reason,
)

ROOT = Path(__file__).parents[3]
OF_NO_PROOF = {  # why an objective is unknown for other reasons than that a proof is forbidden
    Reason.ALIVE,
    Reason.NOT_REACHED,
    Reason.NOT_JUDGED,
    Reason.NOT_TRIED,
    Reason.NOT_RUN,
    Reason.UNFAITHFUL,
    Reason.NOT_CONFIRMED,
    Reason.JUDGED,
    Reason.NOT_FOLLOWED,
    Reason.NOT_COVERED,
    Reason.ONLY_ENDLESS,
    Reason.ONLY_STUCK,
}


@pytest.mark.parametrize("row", DOUBTS, ids=lambda row: row.name)
def test_a_row_says_what_it_forbids_and_which_test_shows_why(row: Doubt[Any]) -> None:
    path, _, name = row.shown_by.partition("::")
    assert name in (ROOT / path).read_text(encoding="utf-8")
    assert path.startswith("tests/") and (name or path.endswith(".c") or "interrupt" in path)
    assert row.forbids
    assert row.sentence
    assert (row.reason is not None) == bool(row.forbids & ProofKind.INFEASIBLE)
    assert not row.spares_decided or row in OF_UNIT


@pytest.mark.parametrize("row", [row for row in DOUBTS if row.shown_by.endswith(".c")], ids=lambda row: row.name)
def test_a_program_that_shows_it_has_something_unknown(row: Doubt[Any]) -> None:
    assert ": unknown" in (ROOT / row.shown_by).read_text(encoding="utf-8")


def test_names_are_unique() -> None:
    assert len({row.name for row in DOUBTS}) == len(DOUBTS)


def test_every_reason_that_a_proof_can_give_has_a_row() -> None:
    assert {row.reason for row in DOUBTS} - {None} == set(Reason) - OF_NO_PROOF


def test_every_departure_has_one_row() -> None:
    for why in WhyDeparted:
        assert len([row for row in OF_DEPARTURE if row.holds(SimpleNamespace(why=why))]) == 1


def test_a_search_proves_something_only_when_it_has_ended() -> None:
    for stop in StopReason:
        is_over = stop is StopReason.EXHAUSTED
        assert (find_reason(OF_SEARCH, RunFacts(stop), ProofKind.EXHAUSTION) is None) == is_over
        assert find_reason(OF_SEARCH, RunFacts(stop, is_complete=False), ProofKind.EXHAUSTION) is not None


# -- units

PLAIN = "define i32 @f(ptr %p) {\nentry:\n  %v = OP\n  ret i32 0\n}\n"


def unit(instruction: str = "load i32, ptr %p", text: str = "", **given: Any) -> Any:
    """Of which nothing raises a doubt but what is given."""
    program = read_program(
        PLAIN.replace("%v = OP", instruction if "store" in instruction else f"%v = {instruction}") + text
    )
    missing = given.get("missing", ())
    return SimpleNamespace(
        file=SimpleNamespace(program=program, ignores_assembly=False, has_other_layout=False),
        linked=(),
        program=program,
        function=program.functions["@f"],
        ctypes=None,
        driver=SimpleNamespace(assumptions=given.get("assumptions", ())),
        shape=SimpleNamespace(
            roots=(), globals=(), stubs=given.get("stubs", ()), notes=given.get("notes", ()), calls=()
        ),
        interface=SimpleNamespace(
            parameters=(),
            name="f",
            calls=given.get("calls", ()),
            sequence="",
            inherited_state=given.get("state", ()),
            reads_arguments=given.get("reads_arguments", False),
            verifier_functions=[SimpleNamespace(name=name) for name in given.get("draws", ())],
            reached_missing=[SimpleNamespace(name=name) for name in missing],
            undefined_functions=(*missing, *given.get("library", ())),
            globals=(),
        ),
    )


def found(made: Any, proof: ProofKind) -> set[str]:
    return {row.name for row in OF_UNIT if row.forbids & proof and row.holds(made)}


INFEASIBLE, EQUALITY = ProofKind.INFEASIBLE, ProofKind.EQUALITY
HOOK = "define weak i32 @hook() {\nentry:\n  ret i32 0\n}\n"
CONSTRUCTORS = "@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer\n"


@pytest.mark.parametrize(
    ("made", "proof", "names"),
    [
        (unit(), ProofKind.ANY, set()),
        (unit("load volatile i32, ptr %p"), INFEASIBLE, {"volatile reads"}),
        (unit("load volatile i32, ptr %p"), EQUALITY, {"volatile reads"}),
        (unit("load i32, ptr @limit", "@limit = weak constant i32 5\n"), ProofKind.ANY, {"weak definitions"}),
        (unit("load i32, ptr @limit", "@limit = weak global i32 5\n"), ProofKind.ANY, set()),
        (unit("load i32, ptr @limit", "@limit = extern_weak global i32\n"), ProofKind.ANY, {"weak references"}),
        (unit("load i32, ptr %p", "@limit = weak constant i32 5\n"), ProofKind.ANY, set()),
        (unit("call i32 @hook()", HOOK), ProofKind.ANY, {"weak definitions"}),
        (
            unit("call i32 @hook(ptr %p)", HOOK.replace("()", "(ptr %p)")),
            ProofKind.ANY,
            {"weak definitions", "weak functions that could write"},
        ),
        (unit("store volatile i32 0, ptr %p"), INFEASIBLE, set()),
        (unit("store volatile i32 0, ptr %p"), EQUALITY, {"volatile writes"}),
        (unit("atomicrmw add ptr %p, i32 1 seq_cst, align 4"), INFEASIBLE, {"volatile reads"}),
        (unit("cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst, align 4"), INFEASIBLE, {"volatile reads"}),
        (unit("atomicrmw add ptr %p, i32 1 seq_cst, align 4"), EQUALITY, {"volatile reads", "volatile writes"}),
        (unit(state=("f::calls",)), INFEASIBLE, {"state of earlier calls", "state or errno"}),
        (unit(state=("errno",)), INFEASIBLE, {"state or errno"}),
        (unit(state=("errno",)), EQUALITY, {"state or errno"}),
        (unit(reads_arguments=True), INFEASIBLE, {"arguments of main"}),
        (unit(text=CONSTRUCTORS), INFEASIBLE, {"constructors"}),
        (unit(draws=("__VERIFIER_nondet_int",)), INFEASIBLE, set()),
        (unit(draws=("__VERIFIER_nondet_int",)), EQUALITY, {"drawn values"}),
        (unit(missing=("tick",)), ProofKind.ANY, {"missing functions"}),
        (unit("call ptr @malloc(i64 4)", "declare ptr @malloc(i64)\n"), ProofKind.ANY, {"unlimited memory"}),
        (unit(notes=("p: NULL",)), ProofKind.ANY, {"notes about inputs"}),
        (unit(calls=("f_1", "f_2")), INFEASIBLE, {"more calls"}),
        (unit(calls=("f_1", "f_2")), EQUALITY, {"more calls"}),
    ],
)  # fmt: skip
def test_what_is_found_in_units(made: Any, proof: ProofKind, names: set[str]) -> None:
    assert found(made, proof) == names


def test_defaults_raise_no_doubt() -> None:
    for proof in (ProofKind.EXHAUSTION, ProofKind.FORMULA):
        assert UnitDoubts(unit(), proof).about_all(RunFacts()) is None
        assert UnitDoubts(unit(), proof).is_unconditional
        assert find_reason(OF_OBJECTIVE, ObjectiveFacts(), proof) is None
    assert list(equality_doubts(Versions(unit(), unit()), RunFacts())) == []


def test_which_reason_wins() -> None:
    volatile = UnitDoubts(unit("load volatile i32, ptr %p", state=("f::calls",)), ProofKind.EXHAUSTION)
    assert volatile.about_all(RunFacts(StopReason.TIME_LIMIT, reached_a_bound=True)) is Reason.TIME_LIMIT
    assert volatile.about_all(RunFacts(reached_a_bound=True, fails_a_check=True)) is Reason.VOLATILE
    plain = UnitDoubts(unit(), ProofKind.EXHAUSTION)
    assert plain.about_all(RunFacts(reached_a_bound=True, fails_a_check=True)) is Reason.SHAPE
    assert plain.about_all(RunFacts(gave_up=True, fails_a_check=True)) is Reason.CHECK
    assert find_reason(OF_OBJECTIVE, ObjectiveFacts(True, True), ProofKind.EXHAUSTION) is Reason.SOLVER_TIME_LIMIT
    observed = ObjectiveFacts(is_unfinished=True, observed=Reason.SHAPE)
    assert find_reason(OF_OBJECTIVE, observed, ProofKind.EXHAUSTION) is Reason.RUNS_DIED


def test_errno_and_assumptions_are_conditions_of_a_proof() -> None:
    kept = UnitDoubts(unit(state=("errno",)), ProofKind.FORMULA)
    assert kept.about_all(RunFacts()) is None and kept.about_undecided is Reason.SHAPE and not kept.is_unconditional
    assert not UnitDoubts(unit(assumptions=("n > 0",)), ProofKind.FORMULA).is_unconditional


def test_doubts_about_equality_in_order() -> None:
    old, new = unit(state=("errno", "f::calls")), unit("store volatile i32 0, ptr %p", missing=("tick",))
    facts = RunFacts(reached_a_bound=True, fails_a_check=True)
    assert list(equality_doubts(Versions(old, new, replaced=("g",)), facts)) == [
        "a failed check ends runs that would continue without it",
        "`g` is defined in only one version",
        "the value that `errno` keeps between calls is neither varied nor compared",
        "the value that `f::calls` keeps between calls is neither varied nor compared",
        "it writes volatile or atomic data, and each write may be observed from outside",
        "`tick` is called but not defined",
    ]


def test_another_initial_value() -> None:
    versions = []
    for value in (3, 4):
        made = unit(text=f"@limit = global i32 {value}\n")
        made.interface.globals = (SimpleNamespace(name="limit", ir_name="@limit"),)
        versions.append(made)
    assert list(OF_VERSIONS[0].find(Versions(*versions))) == ["limit"]
    assert list(OF_VERSIONS[0].find(Versions(versions[0], versions[0]))) == []
