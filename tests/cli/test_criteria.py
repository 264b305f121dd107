"""Several criteria in one exploration: one search, one suite, each test credited for all that it covers."""

from __future__ import annotations

import json

import pytest
from schema_check import check

from tightrope import cli
from tightrope.report.schema import make_schema

LOCK = """\
enum state { CLOSED, OPEN, LOCKED };
int may_open(enum state state, int code, int secret)
{
    int idle = (state == CLOSED) ^ (code < 0);
    if (idle && (state != LOCKED || code == secret))
        return code > 10 && code < 20;
    return code > 5 && code < 5;
}
"""


@pytest.fixture
def generate(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lock.c").write_text(LOCK)

    def run(*words: str, code: int = 0):
        assert cli.main(["generate", "lock.c", "--json", "out.json", "-o", "out", *words]) == code
        values = json.loads((tmp_path / "out.json").read_text())
        check(values, make_schema("schema.json"))
        return values["units"][0]

    return run


def test_one_suite_serves_all_criteria(generate, capsys):
    unit = generate("-c", "mcdc,branch,wm")
    assert {one["criterion"] for one in unit["objectives"]} == {"mcdc", "branch", "wm"}
    assert not [one["id"] for one in unit["objectives"] if one["verdict"] == "unknown"]
    lines = capsys.readouterr().out.split("\n")
    assert [line.split()[0] for line in lines[1:4]] == ["mcdc", "branch", "wm"]


@pytest.mark.parametrize("form", ["masking", "unique-cause"])
def test_tests_and_objectives_name_each_other(generate, form):
    unit = generate("-c", "mcdc,branch", "--mcdc-form", form)
    covers = {test["id"]: set(test["covers"]) for test in unit["tests"]}
    for one in unit["objectives"]:
        assert {name for name, ids in covers.items() if one["id"] in ids} == set(one["tests"])
        assert one["relation"] != "pair" or one["verdict"] != "covered" or len(one["tests"]) in (1, 2)


def test_both_tests_of_a_pair_are_kept_and_show_it(generate, tmp_path):
    """The two tests of a unique-cause pair evaluate the decision to different outcomes, as the report's vectors say."""
    unit = generate("-c", "mcdc", "--mcdc-form", "unique-cause")
    decisions = {(one["line"], place["column"]): one for one in unit["decisions"] for place in one["conditions"]}
    text = (tmp_path / "out" / "test_lock_may_open.c").read_text()
    pairs = [one for one in unit["objectives"] if one["relation"] == "pair" and len(one["tests"]) == 2]
    told = 0
    for one in pairs:
        vectors = decisions[one["line"], one["column"]]["vectors"]
        outcomes = [{v["outcome"] for v in vectors if name in v["tests"]} for name in one["tests"]]
        assert outcomes[0] | outcomes[1] == {True, False}
        shown = {line.partition("(with ")[2] for line in text.split("\n") if f"[{one['id']}]" in line}
        assert shown <= {f"{name})  [{one['id']}]" for name in one["tests"]}, (
            "a comment of three lines may leave it out"
        )
        told += bool(shown)
    assert told >= 3


def test_each_criterion_can_have_a_threshold_of_its_own(generate):
    generate("-c", "mcdc,branch", "--fail-under", "mcdc=100,branch=100")
    generate("-c", "mcdc,branch", "--max-runs", "1", "--fail-under", "branch=10")
    generate("-c", "mcdc,branch", "--max-runs", "1", "--fail-under", "branch=10", "--fail-under", "mcdc=100", code=1)


def test_a_table_of_vectors_where_something_is_missing(generate, capsys):
    generate("-c", "mcdc")
    printed = capsys.readouterr().out
    assert "  vectors of lock.c:7:12  code > 5 && code < 5\n    C1 = code > 5, C2 = code < 5\n    C1 C2\n" in printed
    assert "vectors of lock.c:6" not in printed
