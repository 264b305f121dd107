"""A shape in words: which rows there are, and which wish asks for them."""

from __future__ import annotations

import pytest

from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import (
    ASKED_FOR_NULL,
    BYTE,
    NULL,
    Alternatives,
    Elements,
    Fields,
    Fixed,
    FixedPointer,
    Functions,
    InputShape,
    Leaf,
    PointsInto,
    PointsTo,
    Root,
)
from tightrope.inputs.shape_words import describe_shape
from tightrope.inputs.wishes import Wish, Wishes, read_wish
from tightrope.program.declarations.c_types import CArray, CEnum, CMember, CPointer, CRecord, CScalar, CTypes, CVoid

INT, NODE, POINTER, NODES, COLOUR, UNION = 1, 2, 3, 4, 5, 6
TYPES = CTypes(
    {
        0: CVoid(),
        INT: CScalar("int", "signed", 4),
        NODE: CRecord("struct", "node", 16, (CMember("value", INT, 0), CMember("next", POINTER, 64))),
        POINTER: CPointer(NODE),
        NODES: CArray(NODE, 2),
        COLOUR: CEnum("colour", 4, False, (("RED", 0), ("GREEN", 1))),
        UNION: CRecord("union", "", 4, (CMember("i", INT, 0),)),
    },
    {},
    {},
)
NUMBER = Scalar("signed", 32, 4, True)


def leaf(path: str, slot: int | None = 0, **rest: object) -> Leaf:
    return Leaf(path, INT, NUMBER, slot, **rest)


def rows(shape, *, wishes: Wishes | None = None, **root: object) -> list[tuple[int, str, str, str]]:
    found = describe_shape(TYPES, InputShape((Root("x", shape, **root),), None), wishes or Wishes())
    for row in found:
        assert not row.wish or read_wish(row.wish), "what is shown can be pasted"
    return [(row.depth, row.path, row.what, row.wish) for row in found]


def pointer(path: str, elements: tuple, count: int = 1, **rest: object) -> PointsTo:
    return PointsTo(path, POINTER, path, rest.pop("target", INT), count, elements, **rest)


ONE = [
    (leaf("x"), "any value", ""),
    (leaf("x", most=8), "any value; at most 8 is tried first", ""),
    (leaf("x", most=8, is_limited=True), "at most 8", ""),
    (leaf("x", slot=None), "not an input: there are too many", ""),
    (Leaf("x", COLOUR, Scalar("enum", 32, 4, False, (("RED", 0), ("GREEN", 1))), 0), "one of RED, GREEN", "members"),
    (Fixed("x", INT, "because"), "not an input: because", ""),
    (FixedPointer("x", POINTER, ASKED_FOR_NULL), "NULL, as asked", "null"),
    (FixedPointer("x", POINTER, "too deep"), "NULL: too deep", ""),
    (FixedPointer("x", POINTER, "it stays", is_null=False), "not an input: it stays", ""),
    (Elements("x", NODES, (leaf("x[0]"), leaf("x[1]")), 2), "2 elements", ""),
    (Elements("x", NODES, (leaf("x[0]"),), 5), "the first 1 of 5 elements", ""),
    (pointer("x", (leaf("*x"),)), "one object", "not-null, one"),
    (pointer("x", (leaf("*x"),), slot=1, others=(NULL,)), "one object, or NULL", "nullable, one"),
    (
        pointer("x", (leaf("x[0]"), leaf("x[1]")), 3, is_string=True),
        "string of up to 2 characters",
        "not-null, string 2",
    ),
    (pointer("x", (leaf("x[0]"),) * 3, 3), "array of 3", "not-null, array 3"),
    (pointer("x", (leaf("x[0]"),), 3), "array of 3, of which the first 1 are inputs", "not-null, array 3"),
    (pointer("x", (leaf("x[0]"),) * 2, 3), "array of 2, then a zero or NULL", "not-null, array 2, terminated"),
    (pointer("x", (leaf("x[0]"),), 1, target=BYTE), "buffer of 1 byte", "not-null, bytes 1"),
    (
        pointer("x", (leaf("x[0]"),) * 3, 3, length="n"),
        "array of 3; n tells how many",
        "not-null, array 3, length n",
    ),
    (PointsInto("x", POINTER, "p", 3, 1), "points into what p points to, or just past it", "into p"),
    (PointsInto("x", POINTER, "p", 3, None), "the same as p", "same-as p"),
    (Functions("x", POINTER, ("f", "g", NULL), 1), "f, g, or NULL", "nullable, functions f g"),
    (Functions("x", POINTER, ("tightrope_stub_x",)), "a stub", "not-null, stub"),
]


@pytest.mark.parametrize(("shape", "what", "wish"), ONE)
def test_one_row(shape, what, wish):
    assert rows(shape) == [(0, "x", what, wish)]


def test_members_come_below_their_pointer():
    record = Fields("*x", NODE, (("value", leaf("x->value")), ("next", FixedPointer("x->next", POINTER, "end"))))
    assert rows(pointer("x", (record,), target=NODE)) == [
        (0, "x", "one object", "not-null, one"),
        (1, "x->value", "any value", ""),
        (1, "x->next", "NULL: end", ""),
    ]


def test_elements_that_are_alike_are_one_row():
    def element(index: int, what: str) -> Fields:
        return Fields(f"x[{index}]", NODE, (("next", FixedPointer(f"x[{index}].next", POINTER, what)),))

    alike = Elements("x", NODES, (element(0, "end"), element(1, "end")), 2)
    assert [path for _, path, *_ in rows(alike)] == ["x", "x[_].next"]
    other = Elements("x", NODES, (element(0, "asked"), element(1, "end"), element(2, "end")), 3)
    assert [path for _, path, *_ in rows(other)] == ["x", "x[_].next", "x[0].next"]
    number = Elements("x", NODES, (leaf("x[0]"), Fixed("x[1]", INT, "asked")), 2)
    assert [path for _, path, *_ in rows(number)] == ["x", "x[_]", "x[1]"]


def test_members_that_are_no_inputs_are_one_row():
    record = Fields("x", NODE, (("a", Fixed("x.a", INT, "r")), ("b", Fixed("x.b", INT, "r")), ("c", leaf("x.c"))))
    assert rows(record)[1:] == [(1, "x.a ... b", "not inputs: r", ""), (1, "x.c", "any value", "")]


def test_a_union_names_its_member():
    assert rows(Alternatives("x", UNION, "i", leaf("x.i"))) == [
        (0, "x", "a union; its input is `i`", "member i"),
        (1, "x.i", "any value", ""),
    ]


def linked(path: str, levels: int) -> PointsTo | FixedPointer:
    if not levels:
        return FixedPointer(path, POINTER, "end")
    record = Fields(
        f"*{path}", NODE, (("value", leaf(f"{path}->value")), ("next", linked(f"{path}->next", levels - 1)))
    )
    return pointer(path, (record,), target=NODE)


def test_a_list_is_shown_once():
    assert [(path, what) for _, path, what, _ in rows(linked("x", 3))] == [
        ("x", "one object"),
        ("x->value", "any value"),
        ("x->next", "one object; and so on: 2 pointers deep"),
    ]


def test_a_list_is_shown_as_far_as_something_was_asked_for():
    asked = Wishes((("x->next->value", Wish(enum="any")),))
    shown = [(path, what) for _, path, what, _ in rows(linked("x", 3), wishes=asked)]
    assert shown[3:] == [
        ("x->next->value", "any value; as asked"),
        ("x->next->next", "one object; and so on: 1 pointer deep"),
    ]


def test_globals_and_answers_of_stubs():
    assert rows(leaf("x"), is_global=True)[0][2] == "global: any value"
    roots = tuple(Root(f"a[{n}]", leaf(f"sensor#{n + 1}"), is_global=True, answers_of="sensor") for n in range(3))
    counter = Root("calls", leaf("calls of sensor", None), is_global=True, answers_of="sensor")
    found = describe_shape(TYPES, InputShape((*roots, counter), None), Wishes())
    assert [(row.path, row.what) for row in found] == [
        ("sensor#_", "the first 3 answers of the stub sensor(): any value")
    ]


@pytest.mark.parametrize(
    ("calls", "what"),
    [(1, "whether malloc() fails"), (2, "whether each of the first 2 calls of malloc() fails")],
)
def test_of_an_allocator_it_is_told_whether_it_fails(calls, what):
    roots = tuple(Root(f"f[{n}]", leaf(f"malloc#{n + 1}.fails"), answers_of="malloc") for n in range(calls))
    assert [row.what for row in describe_shape(TYPES, InputShape(roots, None), Wishes())] == [what]
