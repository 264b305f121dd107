"""Which functions get a stub, and of what kind."""

import pytest

from tightrope.errors import UsageError
from tightrope.location import Location
from tightrope.program.declarations.c_types import (
    CEnum,
    CFunction,
    CFunctionType,
    CPointer,
    CQualified,
    CRecord,
    CScalar,
    CTypedef,
    CTypes,
    CVoid,
)
from tightrope.program.declarations.declare import declare_bare
from tightrope.program.declarations.interface import Interface, MissingFunction
from tightrope.program.declarations.stub_choice import check_stub_names, check_stubs, with_stubs
from tightrope.program.declarations.stubs import StubOptions, Written, stub_for_signature
from tightrope.program.ir.model import Function, Program
from tightrope.program.ir.types import VOID, FunctionType

VOID_TYPE, INT, LONG, CHAR, CONST_CHAR, POINTER, TEXT, CONST_TEXT, SIZE = range(9)
TYPES = {
    VOID_TYPE: CVoid(),
    INT: CScalar("int", "signed", 4),
    LONG: CScalar("unsigned long", "unsigned", 8),
    CHAR: CScalar("char", "char", 1),
    CONST_CHAR: CQualified("const", CHAR),
    POINTER: CPointer(VOID_TYPE),
    TEXT: CPointer(CHAR),
    CONST_TEXT: CPointer(CONST_CHAR),
    SIZE: CTypedef("size_t", LONG),
    20: CFunctionType(INT, (INT,)),
    21: CFunctionType(POINTER, (SIZE,)),
    22: CFunctionType(POINTER, (SIZE, SIZE)),
    23: CFunctionType(POINTER, (POINTER, SIZE)),
    24: CFunctionType(TEXT, (CONST_TEXT,)),
    25: CFunctionType(VOID_TYPE, (POINTER,)),
    26: CFunctionType(INT, (INT, CONST_TEXT, TEXT)),
    27: CFunctionType(POINTER, (33, SIZE)),
    28: CFunctionType(VOID_TYPE, (33, POINTER)),
    30: CRecord("struct", "", 4, ()),
    31: CFunctionType(30, ()),
    32: CRecord("struct", "tm", 56, (), is_complete=False),
    33: CPointer(32),
    34: CEnum("mode", 4, False, (("OFF", 0),)),
    35: CFunctionType(33, (34, SIZE)),
    36: CRecord("struct", "__va_list_tag", 24, ()),
    37: CPointer(36),
    38: CFunctionType(INT, (CONST_TEXT, 37)),
}
CTYPES = CTypes(TYPES, {}, {})
PLACE = Location("unit.c", 1, 1)


def interface(*missing, replaced=(), further=()):
    names = [one.name for one in (*missing, *replaced)]
    function = CFunction("f", 20, INT, (), PLACE, False)
    return Interface(
        function, "f", (), INT, undefined_functions=(*names, *further), missing_functions=missing,
        replaced_functions=replaced,
    )  # fmt: skip


def stubs(options, *missing, **rest):
    return with_stubs(interface(*missing, **rest), CTYPES, options).stubs


@pytest.mark.parametrize(
    ("name", "number", "like", "may_fail"),
    [
        ("sensor", 20, "", False),
        ("xmalloc", 21, "malloc", False),
        ("mem_malloc", 21, "malloc", True),
        ("poolAlloc", 21, "malloc", True),
        ("xcalloc", 22, "calloc", False),
        ("my_realloc", 23, "realloc", True),
        ("xstrdup", 24, "strdup", False),
        ("pool_free", 25, "free", False),
        ("allocate_number", 20, "", False),
        ("is_allocated", 21, "", False),
        ("set_free_hook", 25, "", False),
        ("malloc_like", 22, "", False),
        ("dbMallocZero", 27, "malloc", True),
        ("db_free", 28, "free", False),
    ],
)
def test_a_name_and_a_type_make_an_allocator(name, number, like, may_fail):
    (stub,) = stubs(StubOptions(), MissingFunction(name, number))
    assert (stub.like, stub.may_fail) == (like, may_fail)


def test_a_wanted_stub_is_no_allocator():
    (stub,) = stubs(StubOptions(wanted=frozenset({"xmalloc"})), MissingFunction("xmalloc", 21))
    assert stub.like == ""


def test_no_stub_where_nobody_wants_one_or_c_has_no_words():
    assert stubs(StubOptions(unwanted=frozenset({"sensor"})), MissingFunction("sensor", 20)) == ()
    assert stubs(StubOptions(is_off=True), MissingFunction("sensor", 20), further=("malloc",)) == ()
    assert stubs(StubOptions(), MissingFunction("strange", 31)) == ()
    assert stubs(StubOptions(), MissingFunction("hidden")) == ()


def test_a_function_that_never_returns_keeps_its_stub():
    options = StubOptions(unwanted=frozenset({"fatal"}))
    (stub,) = stubs(options, MissingFunction("fatal", 25, never_returns=True))
    assert stub.never_returns


def test_what_depends_on_the_outside_is_replaced_by_default():
    options = StubOptions(wanted=frozenset({"fgetc"}), unwanted=frozenset({"rand"}))
    assert [name for name in ("time", "rand", "getenv", "fgetc", "strlen") if options.replaces(name)] == [
        "time", "getenv", "fgetc"
    ]  # fmt: skip


def test_allocators_of_the_library_may_fail_unless_told_otherwise():
    found = stubs(StubOptions(unwanted=frozenset({"calloc"})), further=("malloc", "calloc", "strlen"))
    assert [(one.name, one.like, one.may_fail, one.is_redirected) for one in found] == [
        ("malloc", "malloc", True, True)
    ]


def test_a_stub_for_a_function_pointer_is_named_after_its_path():
    stub = stub_for_signature(CTYPES, 20, "table[1].ops->read", 2)
    assert (stub.name, stub.path, stub.answers) == ("tightrope_stub_table_1_ops_read", "table[1].ops->read", 2)
    assert stub_for_signature(CTYPES, 31, "strange") is None


def test_declarations_before_any_header():
    assert declare_bare(CTYPES, 21, "malloc") == "void *malloc(unsigned long)"
    assert declare_bare(CTYPES, 35, "f") == "struct tm; struct tm *f(unsigned int, unsigned long)"
    assert declare_bare(CTYPES, 31, "f") is None
    assert declare_bare(CTYPES, 38, "vprintf") is None


def check(options, *missing, defined=(), **rest):
    functions = {f"@{name}": Function(f"@{name}", FunctionType(VOID, ()), (), ("block",)) for name in defined}
    one = with_stubs(interface(*missing, **rest), CTYPES, options)
    check_stubs(one, CTYPES, Program(functions, {}, {}, "", ""), options)
    check_stub_names(one, options, CTYPES)


@pytest.mark.parametrize(
    ("options", "slug", "words"),
    [
        (StubOptions(wanted=frozenset({"helper"})), "stub-defined", "--stub helper: the file defines it"),
        (StubOptions(unwanted=frozenset({"helper"})), "stub-defined", "--no-stub helper: the file defines it"),
        (StubOptions(wanted=frozenset({"printf"})), "stub-needed", "the written tests need it themselves"),
        (StubOptions(wanted=frozenset({"vprintf"})), "stub-type", "cannot be declared"),
        (StubOptions(wanted=frozenset({"sensors"})), "stub-name", "f calls no function of this name"),
        (StubOptions(written=(Written("describe", 4),)), "stub-writes", "the function has 3 parameters"),
        (StubOptions(written=(Written("describe", 1),)), "stub-writes", "not a pointer"),
        (StubOptions(written=(Written("describe", 2),)), "stub-writes", "const"),
        (StubOptions(written=(Written("strlen", 1),)), "stub-writes", "it is not a stub"),
    ],
)
def test_wishes_that_come_to_nothing_are_refused(options, slug, words):
    replaced = (MissingFunction("vprintf", 38),) if "vprintf" in options.wanted else ()
    known = (MissingFunction("sensor", 20), MissingFunction("describe", 26))
    with pytest.raises(UsageError) as problem:
        check(options, *known, replaced=replaced, further=("strlen", "printf"), defined=("helper",))
    assert problem.value.slug == slug
    assert words in problem.value.message


def test_a_name_that_is_nearly_right_is_named():
    with pytest.raises(UsageError) as problem:
        check(StubOptions(wanted=frozenset({"sensors"})), MissingFunction("sensor", 20))
    assert "did you mean sensor?" in problem.value.hint


def test_what_can_be_done_is_not_refused():
    options = StubOptions(wanted=frozenset({"sensor"}), written=(Written("describe", 3, 8),))
    check(options, MissingFunction("sensor", 20), MissingFunction("describe", 26))
