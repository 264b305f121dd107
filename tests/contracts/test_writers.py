"""What every writer promises, whatever the format."""

from pathlib import Path

import pytest

from tightrope.coverage.objective import Objective
from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import InputShape, Leaf, Root
from tightrope.location import Location
from tightrope.program.declarations.c_types import CFunction, CFunctionType, CScalar, CTypes, CVoid
from tightrope.program.declarations.interface import Interface, InterfaceParameter
from tightrope.running.run_record import Ending, Outcome
from tightrope.suite.case import Case, Suite
from tightrope.suite.folder import check_file
from tightrope.suite.writers import WRITERS

INT = Scalar("signed", 32, 4, True)


@pytest.fixture
def suite(tmp_path):
    place = Location("unit.c", 3, 1)
    function = CFunction("f", 2, 1, (), place, False)
    types = {0: CVoid(), 1: CScalar("int", "signed", 4), 2: CFunctionType(1, (1,))}
    ctypes = CTypes(types, {"f": function}, {})
    interface = Interface(function, "f", (InterfaceParameter("n", 1),), 1)
    shape = InputShape((Root("n", Leaf("n", 1, INT, 0)),), Leaf("result", 1, INT))
    hostile = Objective("f:branch:+1.2:true", "branch", "true", place, 'a */ b /* "??/ is true', (0,), "")
    cases = (
        Case("f_line_3_true", (7,), Ending(Outcome.RETURNED), (8,), (hostile,)),
        Case("f_line_4", (0,), Ending(Outcome.CRASHED, 'division by "zero"', place), (None,), (hostile, hostile)),
        Case("f_line_5", (1,), Ending(Outcome.TIMED_OUT), (None,)),
    )
    return Suite(ctypes, interface, shape, Path("src/unit.c"), tmp_path, cases, ("-DX=1",), "1.0")


@pytest.mark.parametrize("name", WRITERS)
def test_files_may_be_replaced_by_tightrope_only_because_they_say_so(name, suite, tmp_path):
    for file, text in WRITERS[name].write(suite).items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
        check_file(tmp_path / file)  # raises for files that are not ours


@pytest.mark.parametrize("name", WRITERS)
def test_same_suite_same_bytes(name, suite):
    assert WRITERS[name].write(suite) == WRITERS[name].write(suite)


@pytest.mark.parametrize("name", WRITERS)
def test_every_case_is_there_and_no_path_of_this_machine(name, suite, tmp_path):
    files = WRITERS[name].write(suite)
    assert all(any(case.name in text for text in files.values()) for case in suite.cases)
    for text in files.values():
        assert str(tmp_path) not in text
        assert text.endswith("\n")


@pytest.mark.parametrize("name", WRITERS)
def test_a_suite_without_cases_can_be_written(name, suite):
    empty = Suite(suite.ctypes, suite.interface, suite.shape, suite.source, suite.folder, ())
    assert WRITERS[name].write(empty)


def test_comments_of_the_plain_format_stay_closed(suite):
    text = WRITERS["plain"].write(suite)["test_unit_f.c"]
    assert "a * / b / * " in text
    assert '"crashes: division by \\"zero\\" at unit.c:3:1"' in text
