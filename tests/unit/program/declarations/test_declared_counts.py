import pytest

from tightrope.location import Location
from tightrope.program.declarations.declared_counts import declared_count_text, literal_count


def text_of(source, name="a", others=("n",)):
    at = source.index(f"{name}", source.index("("))
    line = source.count("\n", 0, at) + 1
    column = at - (source.rfind("\n", 0, at) + 1) + 1
    return declared_count_text(source, Location("f.c", line, column), name, [name, *others])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int f(int a[5])", "5"),
        ("int f(int a [ 5 ] )", "5"),
        ("int f(int a /* why */ [\n SIZE + 1\n])", "SIZE + 1"),
        ("int f(int a[static 5])", "5"),
        ("int f(int a[const static SIZE])", "SIZE"),
        ("int f(int a[restrict])", ""),
        ("int f(int a[])", ""),
        ("int f(int a[*])", ""),
        ("int f(int n, int a[n])", ""),
        ("int f(int n, int a[n + 1])", ""),
        ("int f(int a[sizeof(int[3])])", "sizeof(int[3])"),
        ("int f(int a[2][3])", "2"),
        ("int f(int *a)", ""),
        ("int f(int (*a)[5])", ""),
        ("int f(int *a[5])", "5"),
        ("int f(vec a)", "sizeof(vec) / sizeof((*(vec *)0)[0])"),
        ("int f(const vec a)", "sizeof(vec) / sizeof((*(vec *)0)[0])"),
        ("int f(int n, vec a)", "sizeof(vec) / sizeof((*(vec *)0)[0])"),
        ("int f(int *FAR a)", ""),
        ("int f(struct vec a)", ""),
        ("int f(n, a) int n; int a[3];", ""),  # the name in the list has no brackets
    ],
)
def test_text(source, expected):
    assert text_of(source) == expected


def test_a_declaration_from_a_macro_says_nothing():
    assert declared_count_text("int f(ARRAY(a, 5))", Location("f.c", 1, 7), "a", ["a"]) == ""


def test_a_place_outside_of_the_text_says_nothing():
    assert declared_count_text("int x;", Location("f.c", 9, 1), "a", ["a"]) == ""
    assert declared_count_text("int x;", Location("f.c", 1, 0), "a", ["a"]) == ""


def test_columns_count_bytes():
    source = "int f(/* ä */ int a[5])"
    column = len(source[: source.index("a[")].encode()) + 1
    assert declared_count_text(source, Location("f.c", 1, column), "a", ["a"]) == "5"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", 5),
        ("0x10", 16),
        ("010", 8),
        ("0", 0),
        ("12UL", 12),
        ("0b11", 3),
        ("SIZE", None),
        ("1+1", None),
        ("", None),
    ],
)
def test_literal_count(text, number):
    assert literal_count(text) == number
