"""What differs between what a test expects and what is observed now."""

from __future__ import annotations

import pytest

from tightrope.commands.generate.top_up import find_changes

BEFORE = {"outcome": "returned", "reason": "", "observed": {"result": 2, "*count": 1}, "calls": ["send(1)", "stop()"]}


@pytest.mark.parametrize(
    ("now", "changes"),
    [
        ({}, []),
        ({"observed": {"result": 3, "*count": 1}}, [("result", "2", "3")]),
        ({"observed": {"result": 2, "*count": 1, "more": 7}}, []),  # a larger shape
        ({"observed": {"result": 2}}, []),
        ({"observed": {"result": True}}, [("result", "2", "true")]),
        ({"calls": ["stop()", "send(1)"]}, [("call 1", "send(1)", "stop()")]),
        ({"calls": ["send(1)"]}, [("call 2", "stop()", "nothing")]),
        ({"calls": ["send(1)", "stop()", "stop()"]}, [("call 3", "nothing", "stop()")]),
        ({"calls": None}, []),
        (
            {"outcome": "timed_out", "reason": "too many steps", "observed": {}},
            [("outcome", "returned", "timed out: too many steps")],
        ),
    ],
)
def test_changes(now, changes):
    assert list(find_changes(BEFORE, {**BEFORE, **now})) == changes
