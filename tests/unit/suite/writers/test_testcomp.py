import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from tightrope.coverage.objective import Objective
from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import Elements, InputShape, Leaf, Root
from tightrope.location import Location
from tightrope.program.declarations.c_types import CFunction, CFunctionType, CScalar, CTypes, CVoid
from tightrope.program.declarations.interface import Interface
from tightrope.running.run_record import Ending, Outcome
from tightrope.suite.case import Case, Suite
from tightrope.suite.writers.testcomp import comment, number_text, write_testcomp

INT = Scalar("signed", 32, 4, True)
DOUBLE = Scalar("float", 64, 8)
PLACE = Location("p.c", 3, 1)
MOST = 3


def drawn(name, number, scalar, first):
    leaves = tuple(Leaf(f"{name}#{at + 1}", number, scalar, first + at) for at in range(MOST))
    return Root(name, Elements("nondet", number, leaves, MOST), True, name)


def suite(*cases):
    function = CFunction("main", 4, 1, (), PLACE, False)
    types = {0: CVoid(), 1: CScalar("int", "signed", 4), 2: CScalar("double", "float", 8), 4: CFunctionType(1, ())}
    roots = (drawn("__VERIFIER_nondet_int", 1, INT, 0), drawn("__VERIFIER_nondet_double", 2, DOUBLE, MOST))
    shape = InputShape(roots, Leaf("result", 1, INT))
    interface = Interface(function, "tightrope_unit_main", (), 1)
    return Suite(CTypes(types, {"main": function}, {}), interface, shape, Path("p.c"), Path(), cases, (), "1.0")


def case(*outputs, values=(7, 2**32 - 2, 9, 0, 0x3FE0000000000000, 0)):
    goal = Objective("main:branch:+1.2:true", "branch", "true", PLACE, "n-- > 0 is true", (0,), "")
    return Case("main_line_3_true", values, Ending(Outcome.CRASHED), outputs, (goal,))


def inputs(text):
    return [(each.get("type"), each.text) for each in ElementTree.fromstring(text)]


def test_values_stand_in_the_order_in_which_they_were_drawn():
    files = write_testcomp(suite(case(None, 0, 1, None, 2)))
    assert list(files) == ["test_p_main-testcomp/metadata.xml", "test_p_main-testcomp/main_line_3_true.xml"]
    assert inputs(files["test_p_main-testcomp/main_line_3_true.xml"]) == [("int", "7"), ("double", "0.5")]


def test_draws_behind_the_last_input_are_zero():
    text = write_testcomp(suite(case(None, 0, 0, 0, 5)))["test_p_main-testcomp/main_line_3_true.xml"]
    assert inputs(text) == [("int", "7"), ("int", "-2"), ("int", "9"), (None, "0"), (None, "0")]


def test_a_run_that_draws_nothing_has_no_input():
    assert (
        inputs(write_testcomp(suite(case(3, None, None, None, None)))["test_p_main-testcomp/main_line_3_true.xml"])
        == []
    )


def test_lines_are_where_readers_of_the_format_look_for_them():
    for text in write_testcomp(suite(case(None, 0, 0, 0, 3))).values():
        first, second, *_ = text.splitlines()
        assert first.startswith("<?xml ") and "Written by Tightrope" in first
        assert second.startswith("<!DOCTYPE test")


def test_metadata_holds_what_the_format_asks_for_and_no_clock():
    made = replace(suite(case(None, 0, 0, 0, 3)), program_hash="abc", created=86400)
    root = ElementTree.fromstring(write_testcomp(made)["test_p_main-testcomp/metadata.xml"])
    assert {each.tag: each.text for each in root} == {
        "sourcecodelang": "C",
        "producer": "Tightrope 1.0",
        "specification": "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        "programfile": "p.c",
        "programhash": "abc",
        "entryfunction": "main",
        "architecture": "64bit",
        "creationtime": "1970-01-02T00:00:00Z",
    }


@pytest.mark.parametrize("text", ["a--b", "---", "x-", "->--"])
def test_comments_stay_closed(text):
    assert ElementTree.fromstring(f"{comment(text)}<a/>").tag == "a"


@pytest.mark.parametrize(
    ("scalar", "raw", "text"),
    [
        (Scalar("char", 8, 1, True), 0xFF, "-1"),
        (Scalar("bool", 1, 1), 1, "1"),
        (Scalar("unsigned", 64, 8), 2**64 - 1, "18446744073709551615"),
        (Scalar("float", 32, 4), 0x3DCCCCCD, "0.1"),
        (DOUBLE, 0x7FF0000000000000, "inf"),
        (DOUBLE, 0xFFF0000000000000, "-inf"),
        (DOUBLE, 0x7FF8000000000000, "nan"),
    ],
)
def test_numbers_are_as_scanf_reads_them(scalar, raw, text):
    assert number_text(scalar, raw) == text
