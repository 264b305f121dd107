"""Tests are named after what they show, in words of the C."""

import re

import pytest

from tightrope.coverage.objective import Objective
from tightrope.location import Location
from tightrope.suite.test_names import name_case


def objective(text, line=7, column=3, kind="true"):
    return Objective(f"f:branch:+{line}.{column}:{text}", "branch", kind, Location("f.c", line, column), text, (0,), "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("d->state != LOCKED is false", "f__d_state_ne_LOCKED_F"),
        ("`a[2] >= -1` is true", "f__a_2_ge_minus_1_T"),
        ("`x` is true in `x && y`", "f__x_T"),
        ("`x` matters in `x && y`, false", "f__x_F"),
        ("`x` matters in `x && y`", "f__x"),
        ("`x` true, `y != 0` false in `x && y != 0`", "f__x_T__y_ne_0_F"),
        ("read(1, &x) & 2 is true", "f__read_1_x_bits_2_T"),
        ("case GREEN (5)", "f__case_GREEN_5"),
        ("f is left by `return -1;`", "f__return_minus_1"),
        ("`d` of line 3 is used in line 5", "f__d_is_used"),
        ("line 12", "f"),
        ('strcmp(word, "a b") == 0 is true', "f__strcmp_word_a_b_eq_0_T"),
        ("a_very_long_name_of_something_else == another_one is true", "f__a_very_long_name_of_T"),
    ],
)
def test_a_test_is_named_after_what_it_shows(text, name):
    kind = "combination" if " true, " in text else "true"
    found = name_case("f", [objective(text, kind=kind)], [], ())
    assert found == name
    assert re.fullmatch(r"[A-Za-z_]\w*", found)


def test_conditions_beside_it_are_named_with_it():
    first = objective("b is false", column=9)
    others = [objective("a is true", column=4), objective("c > 0 is true", column=14), objective("z is true", line=8)]
    assert name_case("f", [first], [*others, first], ()) == "f__a_T__b_F__c_gt_0_T"


def test_in_a_loop_a_condition_is_both_and_only_what_is_new_is_named():
    first = objective("i < n is false", column=4)
    others = [objective("i < n is true", column=4), objective("x is true", column=9), objective("x is false", column=9)]
    assert name_case("f", [first], [*others, first], ()) == "f__i_lt_n_F"


def test_names_do_not_change_with_the_line():
    assert name_case("f", [objective("x is true", 7)], [], ()) == name_case("f", [objective("x is true", 99)], [], ())


def test_names_are_unique():
    assert name_case("f", [objective("x is true")], [], ["f__x_T", "f__x_T_2"]) == "f__x_T_3"
    assert name_case("f", [], [], ()) == "f"


def test_without_a_function_it_is_that_of_the_objective():
    assert name_case("", [objective("x is true")], [], ()) == "f__x_T"
