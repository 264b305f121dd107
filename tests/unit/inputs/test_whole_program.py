import pytest

from tightrope.inputs.draws import Draw, draw_outputs, draws_of
from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import BYTE, Elements, InputShape, Leaf, PointsTo, Root
from tightrope.inputs.whole_program import (
    argument_roots,
    assume_program,
    choose_stream,
    describe_values,
    program_assumptions,
    stdin_roots,
    stdin_text,
    takes_arguments,
)
from tightrope.inputs.wishes import Wish, Wishes
from tightrope.location import Location
from tightrope.program.declarations.c_types import CFunction, CPointer, CScalar, CTypes
from tightrope.program.declarations.interface import Interface, InterfaceParameter

INT, CHAR = Scalar("signed", 32, 4, True), Scalar("char", 8, 1, True)
TYPES = {1: CScalar("int", "signed", 4), 2: CScalar("char", "char", 1), 3: CPointer(2), 4: CPointer(3)}
CTYPES = CTypes(TYPES, {}, {})


def counter():
    numbers = iter(range(1000))
    return lambda: next(numbers)


def drawn(name, scalar, first, most=2):
    leaves = tuple(Leaf(f"{name}#{at + 1}", 1, scalar, first + at) for at in range(most))
    return Root(name, Elements("nondet", 1, leaves, most), True, name)


def program(name, *types, reads=True):
    parameters = tuple(InterfaceParameter(f"p{at}", number) for at, number in enumerate(types))
    return Interface(CFunction(name, 0, 1, (), Location("p.c", 1), False), name, parameters, 1, reads_arguments=reads)


DRAWS = InputShape((drawn("__VERIFIER_nondet_int", INT, 0), drawn("__VERIFIER_nondet_char", CHAR, 2)), None)


def test_a_run_tells_who_made_each_draw():
    values = (2**32 - 5, 6, 97, 98)
    assert draws_of(DRAWS, values, (None, 0, 1, 2)) == (Draw(INT, 2**32 - 5, 1, 0), Draw(CHAR, 98, 1, 3))
    assert draws_of(DRAWS, values, (None, 1, None, 1)) == (Draw(CHAR, 97, 1, 2),)
    assert draws_of(DRAWS, values, (None, None, None, None)) == ()
    assert draws_of(InputShape((), None), (), (1, 2, 3)) == ()


def test_draws_behind_the_inputs_are_zeros():
    assert [draw.raw for draw in draws_of(DRAWS, (7, 8, 9, 9), (0, 0, 5))] == [7, 8, 0, 0, 0]


def test_outputs_follow_those_that_are_observed():
    assert [(one.number, one.path) for one in draw_outputs(DRAWS, 4)] == [
        (4, "nondet#1"),
        (5, "nondet#2"),
        (6, "number of draws"),
    ]
    assert draw_outputs(InputShape((), None), 4) == ()


def test_people_see_draws_in_their_order_and_no_others():
    values = (2**32 - 5, 6, 97, 98)
    seen = describe_values(DRAWS, values, (1, 0, 2))
    assert list(seen.items()) == [("__VERIFIER_nondet_char#1", "a"), ("__VERIFIER_nondet_int#2", 6)]
    assert describe_values(DRAWS, (0, 0, 0, 98)) == {"__VERIFIER_nondet_char#2": "b"}


def test_standard_input_is_one_text_that_ends_where_its_length_says():
    shape = InputShape(tuple(stdin_roots(Wishes((("stdin", Wish(kind="array", count=4)),)), counter())), None)
    assert stdin_text(shape, (2, 104, 105, 33, 33)) == b"hi"
    assert describe_values(shape, (2, 104, 105, 33, 33)) == {"stdin": "hi"}
    assert list(program_assumptions(shape)) == [0]
    assert list(assume_program(shape, {0: 3})) == ["    tightrope_assume(tightrope_stdin_length <= 4, 3);"]
    assert stdin_text(DRAWS, (0, 0, 0, 0)) is None


@pytest.mark.parametrize(
    ("name", "types", "answer"),
    [
        ("main", (1, 4), True),
        ("main", (1, 4, 4), True),
        ("main", (), False),
        ("main", (1,), False),
        ("main", (1, 3), False),
        ("main", (4, 1), False),
        ("start", (1, 4), False),
    ],
)
def test_which_main_takes_arguments(name, types, answer):
    assert takes_arguments(CTYPES, program(name, *types)) is answer


def test_arguments_are_strings_between_a_name_and_an_end():
    wishes = Wishes((("p1", Wish(kind="array", count=3)), ("p1[_]", Wish(kind="string", count=2))))
    total, vector, environment = argument_roots(CTYPES, program("main", 1, 4, 4), wishes, counter())
    assert isinstance(total.shape, Leaf) and isinstance(vector.shape, PointsTo)
    name, word, end = vector.shape.elements
    assert (name.text, word.object, len(word.elements), word.others) == ('(char *)"program"', "p1_1", 2, ("NULL",))
    assert end.is_null and [one.is_null for one in environment.shape.elements] == [True]
    lines = list(assume_program(InputShape((total, vector, environment), None), {0: 1, 1: 2}))
    assert lines == [
        "    tightrope_assume((p0 >= 1) & (p0 <= 2), 1);",
        "    tightrope_assume((p1[1] != 0) == (p0 > 1), 2);",
    ]


def test_arguments_that_nobody_reads_are_none():
    roots = tuple(argument_roots(CTYPES, program("main", 1, 4, reads=False), Wishes(), counter()))
    assert len(roots[1].shape.elements) == 2
    assert program_assumptions(InputShape(roots, None)) == {}


@pytest.mark.parametrize(
    ("called", "path", "stream"),
    [
        (["getc"], "out", "stdin"),
        (["fprintf"], "in", "stdout"),
        (["getc", "fputs"], "in", "stdin"),
        (["getc", "fputs"], "cfg->log_out", "stdout"),
        (["getc", "fputs"], "output", "stdout"),
        ([], "f", "stdin"),
        (["__getdelim", "fprintf"], "f", "stdin"),  # what `getline` may be a macro for
        (["putw"], "f", "stdout"),
        (["__vfprintf_chk"], "f", "stdout"),
        (["fputws"], "f", "stdout"),
    ],
)
def test_a_stream_is_what_is_done_with_it(called, path, stream):
    assert choose_stream(called, path) == stream


def test_bytes_have_no_type_in_c():
    assert all(root.shape.type == BYTE for root in stdin_roots(Wishes(), counter()))
