"""What the whole-unit encoding decides, with how many questions, and what it does not claim."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli
from tightrope.encoding.encoding import Encoding
from tightrope.encoding.unit import encode
from tightrope.engines.encoding_engine import EncodingEngine
from tightrope.search.budget import StopReason
from tightrope.solving.backends import is_installed, start_session
from tightrope.solving.query import Sat, SolverUnknown, WhyUnknown

ROOT = Path(__file__).parents[2]


def generate(target: str, folder: Path, *words: str, criterion: str = "branch") -> dict[str, Any]:
    report = folder / "report.json"
    options = ["-c", criterion, "-o", str(folder / "tests"), "--json", str(report), "--no-confirm", "--quiet", *words]
    assert cli.main(["generate", target, *options]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    assert unit["statistics"]["mispredictions"] == 0
    assert unit["warnings"] == []
    return dict(unit)


def written(folder: Path, text: str) -> str:
    (folder / "f.c").write_text(text)
    return f"{folder / 'f.c'}:f"


def verdicts(unit: dict[str, Any]) -> Counter[str]:
    return Counter(each["verdict"] for each in unit["objectives"])


def verdict(unit: dict[str, Any], line: int, side: str) -> dict[str, Any]:
    (found,) = [each for each in unit["objectives"] if (each["line"], each["kind"]) == (line, side)]
    return dict(found)


@pytest.fixture
def without_code_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the formula of the whole unit proves something."""
    monkeypatch.setattr(EncodingEngine, "_prove_from_code", lambda self: None)


def test_a_state_machine_needs_few_questions(tmp_path: Path) -> None:
    """Its paths are thousands."""
    unit = generate(f"{ROOT}/bench/programs/machine.c:machine", tmp_path, "--engine", "encoding")
    assert verdicts(unit)["unknown"] == 0
    assert unit["statistics"]["encoding_queries"] <= 30
    assert unit["statistics"]["encoding_runs"] <= 30


SEVERAL_STEPS = """
int f(const unsigned char events[12])
{
    int state = 0;
    for (int i = 0; i < 12; i++) {
        if (events[i] == 10 * state + 3)
            state++;
        else if (state > 4 && events[i] == 99)
            state = 0;
    }
    if (state == 11)
        return 1;
    if (state == 12)
        return 2;
    return state > 12;
}
"""


def test_objectives_that_take_many_steps_are_covered(tmp_path: Path) -> None:
    unit = generate(written(tmp_path, SEVERAL_STEPS), tmp_path, "--engine", "encoding")
    assert verdicts(unit)["unknown"] == 0
    assert verdict(unit, 11, "true")["verdict"] == verdict(unit, 13, "true")["verdict"] == "covered"


LONG_LOOP = """
int f(unsigned n)
{
    unsigned steps = 0;
    while (n != 1 && n != 0) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    if (steps == 3)
        return 1;
    return steps == 4000000000u;
}
"""


def test_nothing_is_infeasible_while_loops_may_go_on(tmp_path: Path) -> None:
    """Nobody knows how long this loop takes; the bound says so."""
    target = written(
        tmp_path, LONG_LOOP.replace("return steps == 4000000000u", "if (steps == 4000000000u) return 2; return 0")
    )
    unit = generate(target, tmp_path, "--engine", "encoding", "--unroll-limit", "8", "--time-limit", "20")
    row = verdict(unit, 11, "true")
    assert (row["verdict"], row["reason"], row["option"]) == ("unknown", "not_within", "--unroll-limit")
    assert "not within 8 iterations of the loop at line 5" in row["why"]
    assert verdict(unit, 9, "true")["verdict"] == "covered"


BOUNDED_LOOP = """
int f(unsigned char n)
{
    int sum = 0;
    for (unsigned i = 0; i < (n & 31); i++)
        sum += 2;
    if (sum == 62)
        return 1;
    if (sum == 63 || sum > 62)
        return 2;
    return 0;
}
"""


@pytest.mark.usefixtures("without_code_proofs")
def test_bounds_grow_until_no_run_needs_more(tmp_path: Path) -> None:
    unit = generate(written(tmp_path, BOUNDED_LOOP), tmp_path, "--engine", "encoding")
    assert verdicts(unit) == {"covered": 6, "infeasible": 2}
    assert unit["statistics"]["encoding_iterations"] >= 31


KINDS = """
int f(int a, int b, int c)
{
    int r = 0;
    if (a > 0 && (b > a || c == b))
        r = a;
    else
        r = b;
    if (a > 0 && a < 1)
        r = c / a;
    return r;
}
"""


@pytest.mark.parametrize("criterion", ["statement", "mcdc", "mcc", "wm", "limit", "rte", "def-use", "all-defs", "cacc"])
def test_all_kinds_of_objectives(criterion: str, tmp_path: Path) -> None:
    """The search, which walks every path of so small a function, is the judge."""
    target = written(tmp_path, KINDS)
    asked = generate(target, tmp_path, "--engine", "encoding", criterion=criterion)
    searched = generate(target, tmp_path, "--engine", "search", criterion=criterion)
    for one, other in zip(asked["objectives"], searched["objectives"], strict=True):
        known = {one["verdict"], other["verdict"]}
        assert known != {"covered", "infeasible"}, one["id"]
    assert verdicts(asked)["unknown"] <= verdicts(searched)["unknown"]


UNIQUE_CAUSE = """
int f(int a, int b)
{
    if ((a > 3 && b > 3) || (a > 3 && b < 9))
        return 1;
    return 0;
}
"""


def test_pairs(tmp_path: Path) -> None:
    target = written(tmp_path, UNIQUE_CAUSE)
    form = ("--mcdc-form", "unique-cause")
    asked = generate(target, tmp_path, "--engine", "encoding", *form, criterion="mcdc")
    searched = generate(target, tmp_path, "--engine", "search", *form, criterion="mcdc")
    found = [(each["id"], each["verdict"]) for each in asked["objectives"]]
    assert found == [(each["id"], each["verdict"]) for each in searched["objectives"]]
    assert "infeasible" in verdicts(asked)


def test_the_report_says_who_decided(tmp_path: Path) -> None:
    unit = generate(written(tmp_path, BOUNDED_LOOP), tmp_path, "--engine", "encoding")
    refuted = [each for each in unit["objectives"] if each["verdict"] == "infeasible"]
    assert {each["engine"] for each in refuted} == {"encoding"}
    assert {each["proof"] for each in refuted} == {"unsatisfiable"}
    searched = generate(written(tmp_path, BOUNDED_LOOP), tmp_path, "--engine", "search")
    assert {each["engine"] for each in searched["objectives"]} == {"search"}
    assert searched["statistics"]["encoding_queries"] == 0


def test_proofs_are_kept_and_can_be_checked(tmp_path: Path) -> None:
    """The hash in the report is that of the file, and the file has no solution."""
    import bitwuzla

    kept = tmp_path / "proofs"
    unit = generate(written(tmp_path, BOUNDED_LOOP), tmp_path, "--engine", "encoding", "--keep-proofs", str(kept))
    hashes = {each["formula"] for each in unit["objectives"] if each["verdict"] == "infeasible"}
    assert {hashlib.sha256(file.read_bytes()).hexdigest() for file in kept.iterdir()} == hashes
    for file in kept.iterdir():
        options = bitwuzla.Options()
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        parser.parse(str(file), parse_only=True)
        assert parser.bitwuzla().check_sat() == bitwuzla.Result.UNSAT


@pytest.mark.skipif(not is_installed("z3"), reason="a second solver is not installed: pip install z3-solver")
def test_a_second_solver_must_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = written(tmp_path, BOUNDED_LOOP)
    unit = generate(target, tmp_path, "--engine", "encoding", "--cross-check")
    assert verdicts(unit) == {"covered": 6, "infeasible": 2}

    class Silent:
        def ask(self, assumptions: object, time_limit: object = None) -> object:
            return SolverUnknown(WhyUnknown.TIME_LIMIT)

    usual = start_session
    monkeypatch.setattr(
        "tightrope.soundness.proof_files.start_session",
        lambda name, **rest: Silent() if name == "z3" else usual(name, **rest),
    )
    unit = generate(target, tmp_path, "--engine", "encoding", "--cross-check")
    assert verdicts(unit) == {"covered": 6, "unknown": 2}


@pytest.mark.parametrize(
    "where", ["tightrope.encoding.unit.encode", "tightrope.engines.encoding_engine.EncodingEngine._ask_next"]
)
def test_a_mistake_in_the_encoding_costs_no_tests(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: object, **rest: object) -> None:
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr(where, fails)
    monkeypatch.setattr("tightrope.engines.turns.MOST_OF_FIRST", 0.0)  # else the search may have all on a busy machine
    monkeypatch.delenv("TIGHTROPE_PARANOID", raising=False)
    report = tmp_path / "report.json"
    words = ["--json", str(report), "-o", str(tmp_path / "t"), "--no-confirm", "-q", "--max-runs", "2000"]
    assert cli.main(["generate", written(tmp_path, SEVERAL_STEPS), "-c", "branch", *words]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    assert any("ZeroDivisionError: of ours" in each for each in unit["warnings"])
    assert unit["tests"]


@pytest.mark.usefixtures("without_code_proofs")
def test_a_formula_that_is_too_large_proves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tightrope.engines.encoding_engine.FIRST_INSTANCES", 2)
    monkeypatch.setattr("tightrope.engines.encoding_engine.GROWTH", 1)
    unit = generate(written(tmp_path, KINDS), tmp_path, "--engine", "encoding", "--time-limit", "1")
    assert verdicts(unit)["infeasible"] == 0
    assert "too_large" in {each.get("reason") for each in unit["objectives"]}


@pytest.mark.parametrize("engine", ["encoding", "auto"])
def test_time_limits_hold(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TIGHTROPE_PARANOID", raising=False)  # a second solver takes its own time
    target = written(tmp_path, LONG_LOOP)
    unit = generate(target, tmp_path, "--engine", engine, "--time-limit", "2", "--unroll-limit", "4096", criterion="wm")
    assert unit["statistics"]["seconds"] < 20  # a machine may be busy; without a limit it takes minutes


def test_a_program_that_draws_without_end_is_not_encoded_without_end(tmp_path: Path) -> None:
    """Behind the last input all draws are zero, and nothing decides on the next iteration."""
    target = f"{ROOT}/tests/programs/verifier_endless.c:main"
    unit = generate(target, tmp_path, "--engine", "encoding", "--input", "nondet = array 4", "--grow-to", "0")
    assert unit["stop_reason"] == StopReason.ASKED.value
    assert verdicts(unit) == {"covered": 3, "unknown": 1}


def test_the_same_bytes_twice(tmp_path: Path) -> None:
    first = generate(written(tmp_path, KINDS), tmp_path, "--engine", "encoding", "--replace", criterion="mcdc")
    again = generate(written(tmp_path, KINDS), tmp_path, "--engine", "encoding", "--replace", criterion="mcdc")
    for unit in (first, again):
        unit["statistics"] = {key: each for key, each in unit["statistics"].items() if not key.endswith("seconds")}
    assert first == again


@pytest.mark.usefixtures("without_code_proofs")
def test_a_formula_that_is_wrong_once_proves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What some run hits is said to be hit by every run: then what is infeasible is not called so any more."""

    def spoiled(*arguments: Any, **rest: Any) -> Encoding:
        made = encode(*arguments, **rest)
        session, always = start_session(), made.table.constant(1, 1)
        possible = {point for point, term in made.points.items() if isinstance(session.ask([term]), Sat)}
        return replace(made, points={n: always if n in possible else term for n, term in made.points.items()})

    target, report = written(tmp_path, KINDS), tmp_path / "report.json"
    words = ["--engine", "encoding", "--json", str(report), "-o", str(tmp_path / "t"), "--no-confirm", "-q"]
    found = []
    for function in (encode, spoiled):
        monkeypatch.setattr("tightrope.encoding.unit.encode", function)
        assert cli.main(["generate", target, "-c", "branch,statement", "--replace", *words]) == 0
        (unit,) = json.loads(report.read_text())["units"]
        found.append((verdicts(unit)["infeasible"] > 0, unit["statistics"]["mispredictions"] > 0))
    assert found == [(True, False), (False, True)]


@pytest.mark.skipif(not is_installed("z3"), reason="a second solver is not installed: pip install z3-solver")
def test_what_was_left_out_is_part_of_the_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that says that no loop goes on: the second one must see what was cut off because of that."""
    monkeypatch.setattr("tightrope.engines.encoding_engine.make_pruning", lambda ask: lambda term: False)
    report = tmp_path / "report.json"
    words = ["--json", str(report), "-o", str(tmp_path / "t"), "--no-confirm", "-q", "--engine", "encoding"]
    assert cli.main(["generate", written(tmp_path, BOUNDED_LOOP), "-c", "branch", "--cross-check", *words]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    assert verdict(unit, 7, "true")["verdict"] == "unknown"
    assert any("two solvers disagree" in each for each in unit["warnings"])


@pytest.mark.usefixtures("without_code_proofs")
def test_a_graph_that_was_wrong_proves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies behind a departure is read off a graph; when a run shows that it is wrong, all is encoded again."""
    encoded = []
    usual = EncodingEngine._encode

    def surprised(self: EncodingEngine) -> Any:
        level = usual(self)
        encoded.append(level)
        self.search.structure.surprises += len(encoded) == 1
        return level

    monkeypatch.setattr(EncodingEngine, "_encode", surprised)
    unit = generate(written(tmp_path, KINDS), tmp_path, "--engine", "encoding")
    assert (len(encoded), verdicts(unit)["infeasible"] > 0) == (2, True)
