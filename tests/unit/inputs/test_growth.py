"""Sizes that grow: which size a felt place belongs to, how far it grows, and how inputs are carried over."""

from __future__ import annotations

from typing import Any

import pytest

from tightrope.inputs import shape_builder
from tightrope.inputs.growth import (
    FeltSize,
    carry_over,
    describe_limits,
    find_felt_sizes,
    grow,
    growth_for,
    join_growths,
)
from tightrope.inputs.hints import NO_HINTS
from tightrope.inputs.scalars import Scalar, Slot
from tightrope.inputs.shape import InputShape, objects_of, slots_of
from tightrope.inputs.shape_builder import choose_shape
from tightrope.inputs.wishes import NO_GROWTH, Growth, Wishes, read_wish
from tightrope.location import Location
from tightrope.program.declarations.c_types import CArray, CFunction, CMember, CPointer, CRecord, CScalar, CTypes
from tightrope.program.declarations.interface import Interface, InterfaceParameter

INT, CHAR, INT_P, TEXT, NODE, NODE_P, TABLE, OWNER, OWNER_P, PACKET, PACKET_P, OPEN = range(1, 13)
TYPES = CTypes(
    {
        INT: CScalar("int", "signed", 4),
        CHAR: CScalar("char", "char", 1),
        INT_P: CPointer(INT),
        TEXT: CPointer(CHAR),
        NODE: CRecord("struct", "node", 16, (CMember("value", INT, 0), CMember("next", NODE_P, 64))),
        NODE_P: CPointer(NODE),
        TABLE: CArray(INT, 100),
        OWNER: CRecord("struct", "owner", 404, (CMember("n", INT, 0), CMember("table", TABLE, 32))),
        OWNER_P: CPointer(OWNER),
        PACKET: CRecord("struct", "packet", 4, (CMember("count", INT, 0), CMember("items", OPEN, 32))),
        PACKET_P: CPointer(PACKET),
        OPEN: CArray(INT, None),
    },
    {},
    {},
)


def chosen(parameters: str, wishes: Wishes) -> InputShape:
    """`p:3 n:1` are parameters and the numbers of their types."""
    pairs = [word.split(":") for word in parameters.split()]
    given = tuple(InterfaceParameter(name, int(number)) for name, number in pairs)
    function = CFunction("f", INT, INT, (), Location("f.c", 1, 1), False)
    return choose_shape(
        TYPES, Interface(function=function, call_name="f", parameters=given, result=INT), wishes, NO_HINTS
    )


def felt(parameters: str, place: tuple[str, int], wishes: Wishes | None = None) -> tuple[FeltSize, ...]:
    wishes = wishes or Wishes()
    return find_felt_sizes(TYPES, chosen(parameters, wishes), [place], str, wishes)


@pytest.mark.parametrize(
    ("parameters", "place", "expected"),
    [
        (f"s:{TEXT}", ("s", 8), ("elements", "s", 8)),
        (f"a:{INT_P} n:{INT}", ("a", 32), ("elements", "a", 8)),
        (f"l:{NODE_P}", ("l_next_next", 8), ("depth", "l", 3)),
        (f"o:{OWNER_P}", ("o", 4 + 4 * 64), ("elements", "o->table", 64)),
        (f"m:{PACKET_P}", ("m", 36), ("elements", "m->items", 8)),
    ],
)
def test_the_size_that_ends_there(parameters: str, place: tuple[str, int], expected: tuple[str, str, int]) -> None:
    (found,) = felt(parameters, place)
    assert (found.kind, found.path, found.size) == expected


def test_a_place_inside_is_no_end() -> None:
    assert felt(f"s:{TEXT}", ("s", 3)) == felt(f"l:{NODE_P}", ("l", 0)) == felt(f"s:{TEXT}", ("other", 8)) == ()


def test_what_was_asked_for_does_not_grow() -> None:
    assert felt(f"s:{TEXT}", ("s", 8), Wishes(asked=frozenset({"string_length"}))) == ()
    assert felt(f"s:{TEXT}", ("s", 5), Wishes((("s", read_wish("string 5")),))) == ()


def test_sizes_double_up_to_a_limit_and_to_the_number_of_slots() -> None:
    size = FeltSize("elements", "a", 8)
    assert grow(NO_GROWTH, [size], 256, 1000).elements == {"a": 16}
    assert grow(NO_GROWTH, [size], 12, 1000).elements == {"a": 12}
    assert grow(NO_GROWTH, [FeltSize("elements", "a", 60, most=100)], 256, 1000).elements == {"a": 100}
    assert grow(NO_GROWTH, [size], 8, 1000) == grow(NO_GROWTH, [size], 256, 7) == NO_GROWTH


def test_a_string_grows_to_the_texts_of_the_code() -> None:
    size = FeltSize("elements", "s", 8, is_string=True)
    assert grow(NO_GROWTH, [size], 256, 1000, [b"maintenance of the upper deck"]).elements == {"s": 30}
    assert grow(NO_GROWTH, [size], 256, 1000, [b"off"]).elements == {"s": 16}


def test_what_has_a_length_grows_to_what_the_length_is_compared_with() -> None:
    size = FeltSize("elements", "buf", 16, length="len")
    assert grow(NO_GROWTH, [size], 256, 1000, compared={"len": (3, 128, 1500)}.__getitem__).elements == {"buf": 129}


def test_depth_and_answers_grow() -> None:
    grown = grow(NO_GROWTH, [FeltSize("depth", "l", 3), FeltSize("answers", "sensor", 4)], 256, 1000)
    assert (grown.depth, grown.answers) == ({"l": 5}, {"sensor": 8})


def test_answers_grow_to_the_text_that_comes_one_character_with_each_call() -> None:
    felt = [FeltSize("answers", "read", 4, slots=2, is_text=True), FeltSize("answers", "select", 4, slots=17)]
    words = [b"<a 1 1>", b"< a 1 1 1 1>"]
    assert grow(NO_GROWTH, felt, 256, 1000, (), words).answers == {"read": 13, "select": 13}
    assert grow(NO_GROWTH, felt, 256, 80, (), words).answers == {"read": 13}
    assert grow(NO_GROWTH, felt, 256, 100, (), words).answers == {"read": 13, "select": 8}
    assert grow(NO_GROWTH, felt[1:], 256, 1000, (), words).answers == {"select": 8}


def test_a_shape_that_has_grown() -> None:
    growth = Growth({"s": 20, "o->table": 100, "m->items": 16}, {"l": 5})
    shape = chosen(f"s:{TEXT} l:{NODE_P} o:{OWNER_P} m:{PACKET_P}", Wishes(growth=growth))
    by_path = {node.path: node for node in objects_of(shape)}
    assert (by_path["s"].count, len(by_path["s"].elements), by_path["s"].is_string) == (21, 20, True)
    assert "l->next->next->next->next" in by_path and by_path["m"].room == 16
    assert "o->table[99]" in {slot.path for slot in slots_of(shape)}


def test_what_has_grown_too_much_does_not_grow_at_all() -> None:
    shape = chosen(f"s:{TEXT}", Wishes(growth=Growth({"s": 5000})))
    assert len(slots_of(shape)) == len(slots_of(chosen(f"s:{TEXT}", Wishes())))


def test_a_shape_that_must_be_lean_grows_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    real = shape_builder._build_all

    def build(*given: Any, is_lean: bool = False) -> Any:
        builder = real(*given, is_lean=is_lean)
        builder.slots += 0 if is_lean else 5000
        return builder

    monkeypatch.setattr(shape_builder, "_build_all", build)
    paths = {slot.path for slot in slots_of(chosen(f"l:{NODE_P}", Wishes(growth=Growth(depth={"l": 4}))))}
    assert "l->next->next->next->value" in paths
    paths = {slot.path for slot in slots_of(chosen(f"l:{NODE_P}", Wishes(growth=Growth({"l": 5000}))))}
    assert "l->next->next->value" in paths and len(paths) < 20


def test_in_a_large_shape_only_the_pointer_grows_that_was_felt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tightrope.inputs.growth.MOST_ROOMY", 5)
    (found,) = felt(f"l:{NODE_P} s:{TEXT} t:{TEXT}", ("l_next_next", 8))
    assert (found.kind, found.path, found.size) == ("depth", "l->next->next->next", 3)
    growth = grow(NO_GROWTH, [found], 256, 1000)
    assert growth.depth == {"l->next->next->next": 4}
    shape = chosen(f"l:{NODE_P} k:{NODE_P}", Wishes(growth=growth))
    paths = {node.path for node in objects_of(shape)}
    assert "l->next->next->next" in paths
    assert not paths & {"l->next->next->next->next", "k->next->next->next"}


def test_pointers_that_may_be_aliases_remain_so_when_one_grows() -> None:
    shape = chosen(f"p:{INT_P} q:{INT_P}", Wishes(growth=Growth({"q": 4})))
    assert [node.others for node in objects_of(shape)] == [("NULL",), ("NULL", "p")]


def test_inputs_are_carried_over_by_path() -> None:
    old = chosen(f"s:{TEXT} flag:{INT}", Wishes(string_length=2))
    new = chosen(f"s:{TEXT} flag:{INT}", Wishes(string_length=4))
    values = {slot.path: number for number, slot in enumerate(slots_of(old), 1)}
    moved = carry_over(tuple(values[slot.path] for slot in slots_of(old)), slots_of(old), slots_of(new))
    found = {slot.path: value for slot, value in zip(slots_of(new), moved, strict=True)}
    assert found == {**values, "s[2]": 0, "s[3]": 0}


def test_further_answers_of_a_stub_repeat_those_that_there_are() -> None:
    """So that a loop over them which came to the last one comes to the new ones, too."""
    byte = Scalar("char", 8, 1)
    old = [Slot(at, f"*read::argument_2#{at + 1}", byte) for at in range(3)]
    new = [*(Slot(at, f"*read::argument_2#{at + 1}", byte) for at in range(5)), Slot(5, "other#4", byte)]
    assert carry_over((7, 8, 9), old, new) == (7, 8, 9, 0, 0, 0)
    assert carry_over((7, 8, 9), old, new, repeats=True) == (7, 8, 9, 7, 8, 0)


def test_limits_are_told() -> None:
    shape = chosen(f"s:{TEXT} l:{NODE_P}", Wishes())
    assert (
        describe_limits(shape, Wishes(), 256) == "arrays and strings to 256 elements, linked structures to 12 pointers"
    )
    assert describe_limits(shape, Wishes(), 0) == ""
    assert describe_limits(chosen(f"n:{INT}", Wishes()), Wishes(), 256) == ""


def test_the_growth_that_given_inputs_need() -> None:
    found = growth_for({"s": "a long text", "l->next->next->next->v": 3, "t[2].name[20]": 1, "(*p)[9]": 0, "read#6": 2})
    assert found.elements == {"s": 11, "t": 3, "t[_].name": 21, "*p": 10}
    assert (found.depth["l"], found.answers) == (4, {"read": 6})
    more = growth_for({"s": "a text that is longer"})
    assert join_growths([found, more]).elements["s"] == 21 and join_growths([found, more]).answers == {"read": 6}
