"""The heap as stubs: `malloc` and its kind, functions without a body that are called like one of them, and `free`.

Stubs let the library work, and fail where the input says so:

    void *(malloc)(__SIZE_TYPE__ argument_1)             in a written test
    {
        unsigned tightrope_call = tightrope_calls_malloc++;
        if (tightrope_call > 3) tightrope_call = 3;
        if (tightrope_fails_malloc[tightrope_call])
            return NULL;
        return (void *)tightrope_real_malloc(argument_1);
    }

In the driver the block is another one, instead of a branch, which would join the path.

What the unit is given is static in a driver and in a written test, and no block of the heap: there, to free it does
nothing, and to resize it makes a copy. So the unit's own calls of `free` come to a function of the file that includes
the unit. In a driver, that one tells the runtime; in a test, it knows static objects by where the linker put them.
Other files of the program call the library's `free`, to which a static object is no block of the heap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tightrope.inputs.shape import InputShape, objects_of
from tightrope.inputs.stub_answers import failures_name
from tightrope.program.declarations.c_types import VOID_ID
from tightrope.program.declarations.interface import Interface
from tightrope.program.declarations.stubs import ALLOCATORS, RESIZERS, Stub

CALL = "tightrope_call"
_GIVEN = """\
extern char tightrope_static_start[] __asm__("_etext"), tightrope_static_end[] __asm__("_end");
static int tightrope_is_given(const void *block)
{
    return (const char *)block >= tightrope_static_start && (const char *)block < tightrope_static_end;
}
"""
_MOVED = """\
void *tightrope_new(__SIZE_TYPE__) __asm__("malloc");
static void *tightrope_moved(const void *block, __SIZE_TYPE__ size)
{
    __SIZE_TYPE__ room = (__SIZE_TYPE__)(tightrope_static_end - (const char *)block);
    void *to = tightrope_new(size);
    return to == NULL ? NULL : __builtin_memcpy(to, block, size < room ? size : room);
}
"""


def helpers(stubs: Iterable[Stub]) -> Iterator[str]:
    """What written tests need besides: to know what they gave themselves."""
    likes = {stub.like for stub in stubs}
    if likes & {"free", *RESIZERS}:
        yield _GIVEN
    if likes & RESIZERS:
        yield _MOVED


def prototype(stub: Stub, name: str) -> str:
    """Of a function of the library."""
    result, *parameters = ALLOCATORS[stub.like]
    return f"{_spaced(result)}{name}({', '.join(parameters)})"


def head(stub: Stub) -> str:
    """Its name in brackets: the unit may have a macro of that name."""
    result, *types = ALLOCATORS[stub.like]
    parameters = [f"{_spaced(kind)}argument_{index}" for index, kind in enumerate(types, 1)]
    return f"{_spaced(result)}({stub.name})({', '.join(parameters)})"


def declare_worker(stub: Stub, is_driver: bool) -> str:
    """The library's own function, under a name that leads to it whatever the unit's name for it leads to. In a driver,
    what was given may be freed as well."""
    result, *types = ALLOCATORS.get(_worker(stub), ("void", "void *"))
    symbol = "tightrope_free" if is_driver and stub.like == "free" else _worker(stub)
    return f'{_spaced(result)}{_real(stub)}({", ".join(types)}) __asm__("{symbol}");'


def body(stub: Stub, turn: Iterable[str], is_driver: bool, slot: int | None) -> Iterator[str]:
    """`turn`: which call it is; `slot`: that of the first failure."""
    if stub.may_fail:
        yield from turn
    if stub.may_fail and is_driver and slot is not None and stub.like not in RESIZERS:
        yield from _choose(stub, slot)
        return
    if stub.may_fail:
        yield f"if ({failures_name(stub)}[{CALL}])"
        yield f"    return {'0' if is_driver else 'NULL'};"
    if not is_driver:
        yield from _mind_what_was_given(stub)
    yield f"{_call(stub)};" if stub.like == "free" else f"return (void *){_call(stub)};"


def _choose(stub: Stub, slot: int) -> Iterator[str]:
    yield f"void *tightrope_block = {_call(stub)};"
    yield "void *tightrope_targets[2] = {tightrope_block, 0};"
    yield f"tightrope_choose({slot} + {CALL}, &tightrope_block, tightrope_targets, 2, 1);"
    yield "return tightrope_block;"


def _mind_what_was_given(stub: Stub) -> Iterator[str]:
    first = f"argument_{stub.skipped + 1}"
    sizes = [f"argument_{index}" for index in range(stub.skipped + 2, stub.skipped + len(_parameters(stub)) + 1)]
    if stub.like == "free":
        yield f"if (tightrope_is_given({first}))"
        yield "    return;"
    elif stub.like in RESIZERS:
        yield f"if (tightrope_is_given({first}))"
        yield f"    return tightrope_moved({first}, {' * '.join(sizes)});"


def _call(stub: Stub) -> str:
    """A block of a function that is like malloc() is zeroed: what it holds must not depend on the machine."""
    casts = ["" if stub.type == VOID_ID or "*" not in kind else "(void *)" for kind in _parameters(stub)]
    given = [f"{cast}argument_{index}" for index, cast in enumerate(casts, stub.skipped + 1)]
    return f"{_real(stub)}({', '.join(['1', *given] if _worker(stub) != stub.like else given)})"


def _parameters(stub: Stub) -> tuple[str, ...]:
    return ALLOCATORS.get(stub.like, ("void", "void *"))[1:]


def _worker(stub: Stub) -> str:
    """The function of the library that is called."""
    return "calloc" if stub.like == "malloc" and stub.type != VOID_ID else stub.like


def _real(stub: Stub) -> str:
    return f"tightrope_real_{stub.word}"


def _spaced(kind: str) -> str:
    return kind if kind.endswith("*") else f"{kind} "


# -- free

_REDIRECTION = 'void free(void *) __asm__("tightrope_stub_free");'
_IN_DRIVER = """\
void tightrope_free(void *block);
void (free)(void *block)
{
    tightrope_free(block);
}
"""
_IN_TEST = """\
/* The unit may free what it is given; here, that is no block of the heap. */
extern char tightrope_static_start[] __asm__("_etext"), tightrope_static_end[] __asm__("_end");
void tightrope_real_free(void *) __asm__("free");
void (free)(void *block)
{
    if ((char *)block < tightrope_static_start || (char *)block >= tightrope_static_end)
        tightrope_real_free(block);
}
"""


def may_free_inputs(interface: Interface, shape: InputShape) -> bool:
    return interface.frees and bool(objects_of(shape))


def redirect_free(interface: Interface, shape: InputShape) -> Iterator[str]:
    """Before the unit is included."""
    if may_free_inputs(interface, shape):
        yield _REDIRECTION


def define_free(interface: Interface, shape: InputShape, *, is_driver: bool) -> Iterator[str]:
    """After it."""
    if may_free_inputs(interface, shape):
        yield _IN_DRIVER if is_driver else _IN_TEST
