"""The shape that is chosen from types, names, wishes, and what is known of the code."""

from __future__ import annotations

from dataclasses import dataclass, field

from tightrope.inputs.shape import (
    NULL,
    TOO_DEEP,
    Fields,
    Fixed,
    FixedPointer,
    InputShape,
    Leaf,
    PointsInto,
    PointsTo,
    live_objects,
    objects_of,
    observe,
    slots_of,
)
from tightrope.inputs.shape_builder import choose_shape
from tightrope.inputs.shape_values import UNSEEN
from tightrope.inputs.wishes import Wishes, read_wish
from tightrope.location import Location
from tightrope.program.declarations.c_types import (
    CArray,
    CFunction,
    CMember,
    CPointer,
    CQualified,
    CRecord,
    CScalar,
    CTypedef,
    CTypes,
    CVoid,
)
from tightrope.program.declarations.interface import Interface, InterfaceParameter
from tightrope.program.pointers.pointer_use import Use

INT, CHAR, NODE, NODE_P, INT_P, CHAR_P, VOID_P, WORDS = 1, 2, 3, 4, 5, 6, 7, 8
CONST_CHAR, TEXT, WCHAR, WIDE_P, RESTRICT_P, PACKET, PACKET_P, OPEN, HIDDEN, HIDDEN_P = range(9, 19)
TYPES = CTypes(
    {
        0: CVoid(),
        INT: CScalar("int", "signed", 4),
        CHAR: CScalar("char", "char", 1),
        NODE: CRecord("struct", "node", 16, (CMember("value", INT, 0), CMember("next", NODE_P, 64))),
        NODE_P: CPointer(NODE),
        INT_P: CPointer(INT),
        CHAR_P: CPointer(CHAR),
        VOID_P: CPointer(0),
        WORDS: CPointer(CHAR_P),
        CONST_CHAR: CQualified("const", CHAR),
        TEXT: CPointer(CONST_CHAR),
        WCHAR: CTypedef("wchar_t", INT),
        WIDE_P: CPointer(WCHAR),
        RESTRICT_P: CQualified("restrict", INT_P),
        PACKET: CRecord("struct", "packet", 4, (CMember("count", INT, 0), CMember("items", OPEN, 32))),
        PACKET_P: CPointer(PACKET),
        OPEN: CArray(INT, None),
        HIDDEN: CRecord("struct", "hidden", 0, (), is_complete=False),
        HIDDEN_P: CPointer(HIDDEN),
    },
    {},
    {},
)


@dataclass
class Known:
    """Hints as a test wants them."""

    uses: dict[object, Use] = field(default_factory=dict)
    unseen: frozenset[int] = frozenset()
    never_null: frozenset[object] = frozenset()
    longest_text: int = 0

    @property
    def lean(self) -> Known:
        return self

    def use(self, holder: object) -> Use:
        return self.uses.get(holder, Use())

    def is_never_null(self, holder: object) -> bool:
        return holder in self.never_null

    def may_touch(self, record: str, offset: int) -> bool:
        return offset not in self.unseen

    def functions_like(self, type: int) -> tuple[str, ...]:
        return ()

    def stub_for(self, type: int, path: str) -> str:
        return ""


def chosen(
    parameters: str, wishes: dict[str, str] | None = None, hints: Known | None = None, **limits: int
) -> InputShape:
    """`p:5 n:1` are parameters and the numbers of their types."""
    pairs = [word.split(":") for word in parameters.split()]
    given = tuple(InterfaceParameter(name, int(number)) for name, number in pairs)
    function = CFunction("f", 0, 0, (), Location("f.c", 1, 1), False)
    interface = Interface(function=function, call_name="f", parameters=given, result=0)
    rows = tuple((path, read_wish(text)) for path, text in (wishes or {}).items())
    return choose_shape(TYPES, interface, Wishes(rows, **limits), hints or Known())


def only(shape: InputShape) -> PointsTo:
    (root,) = shape.roots
    assert isinstance(root.shape, PointsTo)
    return root.shape


def test_a_pointer_may_be_null_and_leads_to_one_object():
    node = only(chosen(f"p:{INT_P}"))
    assert (node.count, node.others, node.slot, node.is_bounded) == (1, (NULL,), 0, True)
    assert [slot.path for slot in slots_of(chosen(f"p:{INT_P}"))] == ["p", "*p"]


def test_a_character_pointer_is_a_string_with_a_terminator_that_is_no_input():
    node = only(chosen(f"s:{TEXT}"))
    assert (node.is_string, node.count, len(node.elements)) == (True, 9, 8)
    assert only(chosen(f"s:{WIDE_P}")).is_string


def test_a_character_that_is_only_written_is_one():
    written = Known({("parameter", 0): Use(is_written=True)})
    assert only(chosen(f"c:{CHAR_P}", hints=written)).count == 1


def test_bytes_that_the_code_asks_for_are_there():
    copied = Known({("parameter", 0): Use(is_read=True, least_bytes=24)})
    assert only(chosen(f"p:{INT_P}", hints=copied)).count == 6
    assert len(only(chosen(f"s:{TEXT}", hints=copied)).elements) == 24
    assert only(chosen(f"v:{VOID_P}", hints=copied)).count == 24


def test_a_list_ends_after_some_pointers_and_knows_it():
    node, depth = only(chosen(f"list:{NODE_P}")), 0
    while isinstance(node, PointsTo):
        (record,) = node.elements
        assert isinstance(record, Fields)
        node, depth = dict(record.members)["next"], depth + 1
    assert depth == 3
    assert isinstance(node, FixedPointer)
    assert (node.reason, node.is_bound) == (TOO_DEEP, True)


def test_the_depth_can_be_asked_for_of_one_list():
    asked = chosen(f"a:{NODE_P} b:{NODE_P}", {"a": "depth 5"})
    paths = [one.path for one in objects_of(asked)]
    assert sum(path.startswith("a") for path in paths) == 5
    assert sum(path.startswith("b") for path in paths) == 3


def test_a_length_is_not_above_the_elements_at_first():
    array, length = (root.shape for root in chosen(f"values:{INT_P} count:{INT}").roots)
    assert isinstance(array, PointsTo)
    assert isinstance(length, Leaf)
    assert (array.count, array.length, length.most, length.is_limited) == (8, "count", 8, False)
    asked = chosen(f"values:{INT_P} count:{INT}", {"values": "array 3"}).roots[1].shape
    assert isinstance(asked, Leaf)
    assert (asked.most, asked.is_limited) == (3, True)


def test_a_struct_beside_a_number_is_one_unless_it_is_indexed():
    known = Known({("parameter", 0): Use(is_read=True, is_known=True)})
    first = chosen(f"p:{NODE_P} n:{INT}", hints=known).roots[0].shape
    assert isinstance(first, PointsTo)
    assert first.count == 1


def test_an_end_leads_into_the_object_of_its_start():
    start, end = (root.shape for root in chosen(f"begin:{TEXT} end:{TEXT}").roots)
    assert isinstance(start, PointsTo)
    assert isinstance(end, PointsInto)
    assert (end.object, end.count, end.owner_slot, end.is_bounded) == (start.object, 9, start.slot, True)


def test_low_and_high_are_two_numbers_where_both_are_looked_through():
    read = Use(is_read=True, is_known=True)
    known = Known({("parameter", 0): read, ("parameter", 1): read})
    assert all(isinstance(root.shape, PointsTo) for root in chosen(f"low:{INT_P} high:{INT_P}", hints=known).roots)


def test_parameters_of_one_type_may_share_an_object_unless_restrict_forbids_it():
    first, second = objects_of(chosen(f"a:{INT_P} b:{INT_P}"))
    assert second.others == (NULL, first.object)
    assert objects_of(chosen(f"a:{RESTRICT_P} b:{INT_P}"))[1].others == (NULL,)


def test_what_the_c_promises_is_never_null():
    node = only(chosen(f"p:{INT_P}", hints=Known(never_null=frozenset({("parameter", 0)}))))
    assert (node.slot, node.is_never_null) == (None, True)


def test_a_member_that_no_code_looks_at_is_no_input_but_observed():
    shape = chosen(f"p:{NODE_P}", hints=Known(unseen=frozenset({8})))
    (record,) = only(shape).elements
    assert isinstance(record, Fields)
    hidden = dict(record.members)["next"]
    assert isinstance(hidden, Fixed)
    assert (hidden.reason, hidden.is_bound) == (UNSEEN, True)
    assert [slot.path for slot in slots_of(shape)] == ["p", "p->value"]
    assert [output.path for output, _, _ in observe(shape, "result", str)] == ["p->value", "p->next"]


def test_a_flexible_array_member_has_room_and_its_length_knows():
    node = only(chosen(f"packet:{PACKET_P}"))
    assert (node.flexible, node.room) == ("items", 8)
    (record,) = node.elements
    assert isinstance(record, Fields)
    count = dict(record.members)["count"]
    assert isinstance(count, Leaf)
    assert count.most == 8


def test_a_type_that_is_only_declared_has_an_address():
    node = only(chosen(f"h:{HIDDEN_P}"))
    assert (node.is_opaque, node.elements, node.others) == (True, (), (NULL,))


def test_objects_that_no_pointer_leads_to_are_not_alive():
    shape = chosen(f"words:{WORDS}", {"words": "array 2"})
    first, inner, other = (one.object for one in objects_of(shape))
    null_first = tuple(int(slot.path == "words[0]") for slot in slots_of(shape))
    assert live_objects(shape, (0,) * len(slots_of(shape))) == {first, inner, other}
    assert live_objects(shape, null_first) == {first, other}
    assert live_objects(shape, (1, *null_first[1:])) == frozenset()


def test_where_the_start_is_null_so_is_the_end():
    shape = chosen(f"begin:{INT_P} end:{INT_P}")
    slots = {slot.path: slot.number for slot in slots_of(shape)}
    values = [0] * len(slots)
    values[slots["begin"]] = 1
    assert live_objects(shape, tuple(values)) == frozenset()
