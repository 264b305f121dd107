"""What is shown of calls is chosen once for a suite, and again for another one."""

from __future__ import annotations

import pytest

from tightrope.program.declarations.c_types import CTypes
from tightrope.suite import case
from tightrope.suite.observed_calls import ShownCalls


def test_it_is_chosen_once_for_the_same_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[object] = []

    def choose(*given: object) -> ShownCalls:
        chosen.append(given)
        return ShownCalls((), {})

    monkeypatch.setattr(case, "choose_shown", choose)
    ctypes, stubs, first, second = CTypes({}, {}, {}), (), (), [()]
    for _ in range(3):
        case._shown_in(ctypes, stubs, [first])
    assert len(chosen) == 1
    case._shown_in(ctypes, stubs, [first, second])
    case._shown_in(CTypes({}, {}, {}), stubs, [first, second])
    assert len(chosen) == 3
