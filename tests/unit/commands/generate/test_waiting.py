"""Which job is next."""

from __future__ import annotations

from tightrope.commands.generate.executors.waiting import Waiting


def test_own_group_first_then_one_that_nobody_works_on() -> None:
    waiting = Waiting(5, ["a", "b", "a", "c", "b"])
    assert waiting.take() == 0
    assert waiting.take("a") == 2
    assert waiting.take("a", taken=["b"]) == 3
    assert waiting.take("c", taken=["b"]) == 1
    assert list(waiting) == [4]


def test_what_is_put_back_comes_first() -> None:
    waiting = Waiting(3, ["a", "b", "c"])
    taken = waiting.take()
    waiting.put_back(taken)
    assert waiting.take() == taken
    assert waiting.take("b") == 1
    waiting.put_back(1)
    assert [waiting.take(), waiting.take()] == [1, 2]
    assert not waiting


def test_without_groups_in_order() -> None:
    waiting = Waiting(3)
    assert [waiting.take(None, [None]) for _ in range(3)] == [0, 1, 2]
