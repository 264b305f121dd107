from __future__ import annotations

from tightrope.location import Location
from tightrope.running.places import Place, PlaceTable

HERE, THERE = Location("a.c", 3, 5), Location("a.c", 4, 1)


def test_number_zero_is_no_place() -> None:
    table = PlaceTable()
    assert str(table.places[0]) == ""
    assert table.number("division", HERE) == 1


def test_the_same_place_has_one_number() -> None:
    table = PlaceTable()
    numbers = [table.number("division", HERE), table.number("division", THERE), table.number("division", HERE)]
    assert numbers == [1, 2, 1]
    assert table.number("load", HERE) == 3
    assert table.places[3] == Place("load", HERE)


def test_a_pair_has_neighbouring_numbers_of_its_own() -> None:
    table = PlaceTable()
    table.number("load", HERE)
    first = table.pair("load", "load out of bounds", HERE)
    assert table.places[first : first + 2] == [Place("load", HERE), Place("load out of bounds", HERE)]
    assert table.pair("load", "load out of bounds", HERE) == first
    assert table.pair("load", "load out of bounds", THERE) == first + 2


def test_a_place_without_location_still_has_words() -> None:
    assert str(Place("inline assembly", None)) == "inline assembly"
    assert str(Place("inline assembly", HERE)) == "inline assembly at a.c:3:5"
