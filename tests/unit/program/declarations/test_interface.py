"""The interface of a function, from small programs made by hand."""

from tightrope.location import Location
from tightrope.program.declarations.c_types import (
    CFunction,
    CFunctionType,
    CGlobal,
    CParameter,
    CPointer,
    CScalar,
    CTypes,
    CVoid,
)
from tightrope.program.declarations.interface import find_interface
from tightrope.program.ir.model import Block, Function, Global, Instruction, Program
from tightrope.program.ir.types import VOID, ArrayType, FunctionType, IntType, NamedType

INT = 1
WORD = IntType(32)
PLACE = Location("unit.c", 1, 7)
TYPES = {0: CVoid(), INT: CScalar("int", "signed", 4), 2: CPointer(INT), 3: CFunctionType(INT, ())}


def function(name, *lines):
    instructions = tuple(Instruction("call", line, VOID) for line in lines)
    blocks = (Block("entry", instructions),) if lines else ()
    return Function(f"@{name}", FunctionType(VOID, ()), (), blocks)


def variable(name, initializer="0", **facts):
    return Global(
        f"@{name}", facts.pop("type", IntType(32)), facts.pop("is_constant", False), True, initializer, **facts
    )


def undefined(name, kind=WORD):
    return Global(f"@{name}", kind, False, False)


def interface(functions, variables=(), owners=None, parameters=(), source="", **options):
    program = Program({one.name: one for one in functions}, {one.name: one for one in variables}, {}, "", "")
    described = {
        one.name: CGlobal(one.name[1:], one.name, INT, PLACE, False, (owners or {}).get(one.name, ""))
        for one in variables
        if one.is_defined
    }
    own = CFunction("f", 3, INT, parameters, PLACE, False)
    ctypes = CTypes(TYPES, {"f": own}, described)
    return find_interface(program, ctypes, "f", lambda file: source, **options)


def test_globals_of_everything_that_can_be_called():
    found = interface(
        [function("f", "call @g()"), function("g", "load ptr @deep"), function("h", "load ptr @unused")],
        [variable("deep"), variable("unused")],
    )
    assert [one.name for one in found.globals] == ["deep"]


def test_what_an_initialiser_mentions_is_reached():
    found = interface(
        [function("f", "load ptr @table"), function("g", "load ptr @behind")],
        [variable("table", "[ptr @g]", is_constant=True), variable("behind"), variable("p", "ptr @behind")],
    )
    assert [one.name for one in found.globals] == ["behind"]


def test_constants_static_locals_and_thread_locals_are_no_inputs():
    found = interface(
        [function("f", "use @limit, @f.calls, @own, @plain")],
        [
            variable("limit", is_constant=True),
            variable("f.calls"),
            variable("own", is_thread_local=True),
            variable("plain"),
        ],
        owners={"@f.calls": "f"},
    )
    assert [one.name for one in found.globals] == ["plain"]
    assert found.hidden_state == ("f::f.calls", "own")


def test_pointers_in_a_global_that_holds_addresses_are_kept():
    found = interface([function("f", "load @p, @q")], [variable("p", "ptr @q"), variable("q", "null")])
    assert [one.holds_addresses for one in found.globals] == [True, False]


def test_undefined_globals_are_those_of_the_whole_unit_but_not_the_librarys():
    libraries = [undefined("stderr"), undefined("__environ")]
    of_linker = undefined("__bss_start")
    unknown = [undefined("there"), *libraries, of_linker, undefined("far", ArrayType(0, IntType(8)))]
    opaque = undefined("opaque", NamedType("%struct.opaque"))
    found = interface([function("f", "load @there, @stderr")], [*unknown, opaque])
    assert found.undefined_globals == ("there", "__bss_start", "far")
    assert found.open_arrays == ("far",)
    assert found.needed_types == ("there",)
    assert found.needs_inquiry


def test_functions_without_a_body():
    found = interface(
        [function("f", "call @strlen()", "call @llvm.memset()"), *map(function, ("strlen", "sensor", "llvm.memset"))],
        is_in_library=lambda name: name == "strlen",
    )
    assert found.undefined_functions == ("strlen",)
    assert [one.name for one in found.missing_functions] == ["sensor"]


def test_array_parameters():
    source = "int f(int a[5], int b[SIZE], int *c)"
    parameters = tuple(
        CParameter(name, 2, Location("unit.c", 1, source.index(text) + 1))
        for name, text in (("a", "a["), ("b", "b["), ("c", "c)"))
    )
    found = interface([function("f", "ret")], parameters=parameters, source=source)
    assert [one.count for one in found.parameters] == [5, None, None]
    assert found.pending_counts == ("SIZE",)


def test_a_parameter_without_a_name_gets_one():
    parameters = (CParameter("", INT), CParameter("unnamed_1", INT))
    found = interface([function("f", "ret")], parameters=parameters)
    assert [one.name for one in found.parameters] == ["unnamed_1_", "unnamed_1"]
