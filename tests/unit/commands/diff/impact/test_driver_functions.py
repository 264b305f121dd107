"""The driver's own functions are known to the analysis of a change: an unknown one might write everything, and then every
objective would be impacted."""

import re

import pytest

from tightrope.commands.diff.impact.points_to import is_silent
from tightrope.harness.driver import _PROTOTYPES

WRITES_WHAT_IS_KNOWN = {"tightrope_choose"}  # side_effects.py says where


@pytest.mark.parametrize("prototype", _PROTOTYPES)
def test_a_function_of_the_driver_is_no_unknown_one(prototype: str):
    name = re.search(r"tightrope_\w+", prototype)[0]
    assert is_silent(f"@{name}", ()) != (name in WRITES_WHAT_IS_KNOWN)


def test_a_function_of_the_user_may_do_anything():
    assert not is_silent("@tightrope_of_the_user", ())
    assert not is_silent("@note", ())
