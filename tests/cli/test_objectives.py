"""`tightrope objectives`: what is listed for people and for machines."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from schema_check import check

from tightrope import cli
from tightrope.report.schema import make_schema

GRADE = """\
#define BOTH(x, y) ((x) > 0 && (y) > 0)
int grade(int a, int b, int c)
{
    if (a > 3 && (b || !c))
        return 1;
    int both = BOTH(a, b);
    while (both-- > 0)
        a += c;
    return (a > 0) ^ (b > 0) && c;
}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grade.c").write_text(GRADE)
    return tmp_path


def listed(*words: str):
    assert cli.main(["objectives", "grade.c", "--json", "out.json", "-q", *words]) == 0
    with open("out.json", encoding="utf-8") as file:
        values = json.load(file)
    check(values, make_schema("listing_schema.json"))
    return values["functions"][0]


def test_decisions_with_their_conditions(folder):
    found = listed()
    shown = [(one["role"], one["line"], one["formula"], len(one["vectors"])) for one in found["decisions"]]
    assert shown == [
        ("if", 4, "C1 && (C2 || !C3)", 4),
        ("value", 6, "C1 && C2", 3),
        ("while", 7, "C1", 2),
        ("value", 9, "(C1 != C2) && C3", 6),
    ]
    assert [one["text"] for one in found["decisions"][0]["conditions"]] == ["a > 3", "b", "c"]
    assert [one["is_in_macro"] for one in found["decisions"][1]["conditions"]] == [True, True]


def test_each_condition_has_its_own_place_in_the_ir(folder):
    places = [one["ir"] for decision in listed()["decisions"] for one in decision["conditions"]]
    assert all(place["function"] == "@grade" and place["value"].startswith("%") for place in places)
    assert len({(place["block"], place["value"]) for place in places}) == len(places)


def test_a_monitor_can_follow_masks_and_terminations(folder):
    """What is left unmasked at the end of each vector is what the vector says that matters (where masks tell all)."""
    for decision in listed()["decisions"][:3]:
        for vector in decision["vectors"]:
            marked: set[int] = set()
            for condition, value in zip(decision["conditions"], vector["values"], strict=True):
                if value is None:
                    continue
                word = "true" if value else "false"
                marked = (marked | {condition["index"]}) - set(condition["masks"][word])
                if condition["terminates"][word]:
                    break
            assert marked == set(vector["unmasked"])


def test_objectives_refer_to_points_that_are_listed(folder):
    found = listed("-c", "mcdc,branch,statement,line")
    kinds = {one["number"]: one["kind"] for one in found["points"]}
    exits = [one for one in found["objectives"] if one["criterion"] == "mcdc" and one["kind"] in ("entry", "exit")]
    others = [one for one in found["objectives"] if one not in exits]
    used = {one["criterion"]: {kinds[point] for point in one["points"]} for one in others}
    assert used == {"mcdc": {"vector"}, "branch": {"side"}, "statement": {"label"}, "line": {"block"}}
    assert exits and {kinds[point] for one in exits for point in one["points"]} == {"block"}
    assert found["criteria"] == ["mcdc", "branch", "statement", "line"]
    ids = {one["id"] for one in found["objectives"]}
    served = {name for one in found["decisions"] for vector in one["vectors"] for name in vector["serves"]}
    assert served <= ids
    assert served == {one["id"] for one in others if one["criterion"] == "mcdc"}


def test_pairs_where_the_value_does_not_tell_the_outcome(folder):
    found = listed("-c", "mcdc")
    pairs = [one for one in found["objectives"] if one["relation"] == "pair"]
    assert {one["line"] for one in pairs} == {9}
    assert all({point for pair in one["pairs"] for point in pair} == set(one["points"]) for one in pairs)
    unique = listed("-c", "mcdc", "--mcdc-form", "unique-cause")
    assert {one["relation"] for one in unique["objectives"] if one["kind"] not in ("entry", "exit")} == {"pair"}
    assert unique["mcdc_form"] == "unique-cause"


def test_labels_have_a_predicate_and_a_point(folder):
    found = listed("-c", "wm")
    assert {one["criterion"] for one in found["objectives"]} == {"wm"}
    kinds = {one["number"]: one["kind"] for one in found["points"]}
    labels = [one for one in found["labels"] if not one["problem"]]
    assert labels and all(kinds[one["point"]] == "label" and one["predicate"] and one["ir"] for one in labels)


def test_the_text_for_people(folder, capsys):
    assert cli.main(["objectives", "grade.c:grade", "-c", "mcdc"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("grade  grade.c:2   4 decisions, 9 conditions\n\n  grade.c:4:9  if  a > 3 && (b || !c)\n")
    assert "    C1 C2 C3       matters\n     F  -  - = F   C1\n     T  F  F = T   C1 C3\n" in printed
    assert "  mcdc  " in printed and "[grade:mcdc:+2.9:c1:true]" in printed


def test_a_function_that_cannot_be_tested_is_a_remark_among_others(folder, capsys):
    (folder / "grade.c").write_text(GRADE + "int many(double _Complex n) { return n != 0; }\n")
    assert cli.main(["objectives", "grade.c"]) == 0
    assert "many  grade.c   cannot be tested: " in capsys.readouterr().out
    assert cli.main(["objectives", "grade.c:many"]) == 2


def test_counts_are_those_of_the_page_about_criteria(folder):
    """docs/reference/criteria.md says how many objectives `a && (b || c)` has."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "criteria.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)`(?:, (?:`(\w+)`|masking))? \| .* \| (\d+) \|$", page, re.MULTILINE)
    said = {name: int(count) for first, second, count in rows for name in (first, second) if name}
    (folder / "grade.c").write_text(
        "int f(int a, int b, int c)\n{\n    if (a && (b || c))\n        return 1;\n    return 0;\n}\n"
    )
    assert len(said) == 9
    every = listed("-c", ",".join(said))["objectives"]
    assert Counter(one["criterion"] for one in every if one["kind"] not in ("entry", "exit")) == said
    assert [one["id"] for one in every if one["kind"] in ("entry", "exit")] == [
        "f:mcdc:entry",
        "f:mcdc:+3.9:exit",
        "f:mcdc:+4.5:exit",
    ]
