"""Objects made while the collector paused are not looked at as soon as the pause is over, but between units."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from tightrope.program.ir.gc_pause import Collector, collector_paused, resident_bytes


@pytest.fixture(autouse=True)
def _collecting() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    gc.unfreeze()
    if not was_enabled:
        gc.disable()


def _is_young(wanted: list[object]) -> bool:
    return any(each is wanted for each in gc.get_objects(generation=0))


def test_what_was_made_is_old() -> None:
    with collector_paused():
        made: list[object] = [[]]
        assert _is_young(made)
    assert not _is_young(made)
    assert any(each is made for each in gc.get_objects(generation=2))


def test_what_was_frozen_stays_so() -> None:
    gc.freeze()
    before = gc.get_freeze_count()
    with collector_paused():
        made: list[object] = [[]]
    assert gc.get_freeze_count() >= before - 10 > 0  # frozen objects may die
    assert made and gc.isenabled()


class Cycle:
    """What only the collector of cycles gives back."""

    def __init__(self) -> None:
        self.itself = self


def test_what_units_leave_in_cycles_is_given_back() -> None:
    used = [100]
    collector = Collector(lambda: used[0])
    assert not collector.collect_if_grown(most=50)  # from here on
    with collector_paused():
        left = weakref.ref(Cycle())
    used[0] = 149
    assert not collector.collect_if_grown(most=50) and left() is not None
    used[0] = 150
    assert collector.collect_if_grown(most=50) and left() is None
    assert not collector.collect_if_grown(most=50)


def test_the_memory_of_this_process_is_known() -> None:
    assert 1 << 20 < resident_bytes() < 1 << 40


def test_where_nobody_says_how_much_there_is_nothing_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_file(*_: object) -> None:
        raise FileNotFoundError

    with monkeypatch.context() as patched:
        patched.setattr("builtins.open", no_file)
        used = resident_bytes()
    assert used == 0
    assert not any(Collector(lambda: used).collect_if_grown(most=0) for _ in range(3))
