"""Departures that a larger formula would avoid must be known, although a run departs for another reason."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tightrope.encoding.encoding import Departure, WhyDeparted
from tightrope.encoding.values import EncodingTable
from tightrope.engines.refutation import Level, Refuter
from tightrope.solving.query import Answer, Sat, Unsat

TABLE = EncodingTable()
TRUE, FALSE = TABLE.constant(1, 1), TABLE.constant(0, 1)
POINT = 1 << 3


class Asked:
    """Answers one question after the other; what holds in the model of each is given."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.runs = 0

    def ask(self, session: Any, terms: Any, seconds: float | None = None) -> Answer:
        return self.answers.pop(0)

    def run_model(self, level: Level, answer: Sat) -> None:
        self.runs += 1

    def note_news(self) -> None: ...


def refuter(asked: Asked) -> Refuter:
    made = object.__new__(Refuter)
    made._asking = asked  # type: ignore[assignment]
    return made


def level(*departures: Departure) -> Level:
    encoding = SimpleNamespace(departures=departures, table=TABLE, cuts=())
    session = SimpleNamespace(value=lambda term: term is TRUE)
    limits = SimpleNamespace(iterations=4, recursion=12)
    return Level(encoding, limits, session, [], 0, 0)  # type: ignore[arg-type]


def departure(why: WhyDeparted, condition: Any) -> Departure:
    return Departure(why, "loop", None, condition, POINT)


@pytest.mark.parametrize(
    ("answer", "lacks"), [(Sat({}), {WhyDeparted.SHAPE, WhyDeparted.BOUND}), (Unsat(), {WhyDeparted.SHAPE})]
)
def test_a_departure_by_shape_does_not_hide_one_by_bound(answer: Answer, lacks: set[WhyDeparted]) -> None:
    shape, bound = departure(WhyDeparted.SHAPE, TRUE), departure(WhyDeparted.BOUND, TRUE)
    one = level(shape, bound)
    first = iter([True, False])  # in the first model only the departure by shape happens
    one.session.value = lambda term: next(first, True)  # type: ignore[method-assign]
    asked = Asked(Sat({}), answer)
    refuter(asked).try_to_refute(one, 3, ())
    assert one.lacks == lacks and asked.answers == [] and asked.runs == 1


def test_one_question_is_enough_if_the_model_shows_it() -> None:
    one = level(departure(WhyDeparted.SHAPE, TRUE), departure(WhyDeparted.BOUND, TRUE))
    refuter(Asked(Sat({}))).try_to_refute(one, 3, ())
    assert one.lacks == {WhyDeparted.SHAPE, WhyDeparted.BOUND}
