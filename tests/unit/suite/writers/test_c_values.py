import pytest

from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import Alternatives, Elements, Fields, FixedPointer, Leaf, PointsTo
from tightrope.suite.writers.c_values import Values, string_literal, wrap

INT = Scalar("signed", 32, 4, True)
CHAR = Scalar("char", 8, 1, True)


def integer(slot):
    return Leaf(f"slot {slot}", 1, INT, slot)


def array(count, scalar=INT, length=None):
    leaves = tuple(Leaf(f"a[{i}]", 1, scalar, i) for i in range(count))
    return Elements("a", 2, leaves, length or count)


def show(shape, *values):
    return Values(values, lambda name: f"the_{name}").initialiser(shape)


def test_only_what_is_not_zero_is_named():
    shape = Fields("s", 3, (("x", integer(0)), ("y", integer(1)), ("z", integer(2))))
    assert show(shape, 0, 7, 0) == "{.y = 7}"
    assert show(shape, 0, 0, 0) == "{0}"


def test_members_of_a_nameless_member_are_its_parents():
    inner = Alternatives("s", 4, "i", integer(1))
    shape = Fields("s", 3, (("x", integer(0)), ("", inner), ("", Fields("s", 5, (("q", integer(2)),)))))
    assert show(shape, 1, 2, 3) == "{.x = 1, .i = 2, .q = 3}"


def test_pointers():
    one = PointsTo("p", 3, "p", 1, 1, (integer(0),))
    many = PointsTo("p", 3, "q", 1, 4, (integer(0),))
    assert show(one, 5) == "&the_p"
    assert show(many, 5) == "the_q"
    assert show(Fields("s", 4, (("n", FixedPointer("s.n", 3, "")), ("p", one))), 5) == "{.p = &the_p}"


def test_arrays_are_short_lists_or_name_their_elements():
    assert show(array(4), 1, 0, 3, 0) == "{1, 0, 3}"
    assert show(array(9), 0, 0, 0, 0, 0, 0, 0, 8, 0) == "{[7] = 8}"
    assert show(array(3), 0, 0, 0) == "{0}"


def test_text_is_a_string():
    assert show(array(4, CHAR), 97, 34, 0, 0) == '"a\\""'
    assert show(array(2, CHAR), 97, 98) == "{'a', 'b'}"  # no room for the end
    assert show(array(2, CHAR, length=3), 97, 98) == '"ab"'
    assert show(array(3, CHAR), 200, 98, 0) == "{-56, 'b'}"


@pytest.mark.parametrize(
    ("numbers", "text"), [([63, 63, 61, 0], '"?""?="'), ([0, 97, 0], None), ([92, 10, 0], '"\\\\\\n"'), ([0, 0], None)]
)
def test_string_literal(numbers, text):
    assert string_literal(numbers, len(numbers)) == text


def test_long_lines_break_after_commas_outside_of_literals():
    assert list(wrap("    char a[] = {',', ',', ',', ','};", 25)) == ["    char a[] = {',', ',',", "        ',', ','};"]
    assert list(wrap('    f("a, b, c \\", d", 1, 2);', 22)) == ['    f("a, b, c \\", d",', "        1, 2);"]
    assert list(wrap("    short();", 4)) == ["    short();"]
