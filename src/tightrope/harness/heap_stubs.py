"""Stubs for the heap: `malloc` and similar functions, missing functions with such names, and `free`.

A stub calls the library, unless the input says that the call fails:

    void *(malloc)(__SIZE_TYPE__ argument_1)             in a written test
    {
        unsigned tightrope_call = tightrope_calls_malloc++;
        if (tightrope_call > 3) tightrope_call = 3;
        if (tightrope_fails_malloc[tightrope_call])
            return NULL;
        return (void *)tightrope_real_malloc(argument_1);
    }

The driver has no such branch, which would become part of the path; there the runtime chooses between block and NULL.

Objects that the unit receives are static in a driver and in a written test, not blocks of the heap. To free one does
nothing, and to resize one makes a copy. So calls of `free` in the unit go to a function of the file that includes the
unit. In a driver, this function tells the runtime; in a test, it recognises static objects by their addresses. Other
files of the program call the library's `free`, which cannot free a static object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tightrope.inputs.shape import InputShape, objects_of
from tightrope.inputs.stub_answers import failures_name
from tightrope.library.table import FUNCTIONS
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
#if defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 8)
__attribute__((no_sanitize("address"))) /* nobody knows here where the block ends */
#endif
static void *tightrope_moved(const void *block, __SIZE_TYPE__ size)
{
    const volatile char *from = block; /* volatile: no call of memcpy, which sanitizers watch */
    __SIZE_TYPE__ room = (__SIZE_TYPE__)(tightrope_static_end - (const char *)block);
    char *to = size != 0 ? tightrope_new(size) : NULL; /* to resize to nothing is to free */
    for (__SIZE_TYPE__ at = 0; to != NULL && at < size && at < room; at++)
        to[at] = from[at];
    return to;
}
"""


def helpers(stubs: Iterable[Stub]) -> Iterator[str]:
    """C for written tests that recognises objects which the test itself passed to the unit."""
    likes = {stub.like for stub in stubs}
    if likes & {"free", *RESIZERS}:
        yield _GIVEN
    if likes & RESIZERS:
        yield _MOVED


def prototype(stub: Stub, name: str) -> str:
    """The prototype of a function of the library."""
    result, *parameters = ALLOCATORS[stub.like]
    return f"{_spaced(result)}{name}({', '.join(parameters)})"


def head(stub: Stub) -> str:
    """The head of the definition, with the name in brackets, because the unit may have a macro of that name."""
    result, *types = ALLOCATORS[stub.like]
    parameters = [f"{_spaced(kind)}argument_{index}" for index, kind in enumerate(types, 1)]
    return f"{_spaced(result)}({stub.name})({', '.join(parameters)})"


def declare_worker(stub: Stub, is_driver: bool) -> str:
    """A declaration of the library's function under another name, because the unit's name for it means the stub. In a
    driver, objects that the unit received may be freed as well."""
    result, *types = ALLOCATORS.get(_worker(stub), ("void", "void *"))
    symbol = "tightrope_free" if is_driver and stub.like == "free" else _worker(stub)
    return f'{_spaced(result)}{_real(stub)}({", ".join(types)}) __asm__("{symbol}");'


def body(stub: Stub, turn: Iterable[str], is_driver: bool, slot: int | None) -> Iterator[str]:
    """The body; `turn`: lines that number the call; `slot`: the slot of the first failure."""
    if stub.may_fail:
        yield from turn
    if stub.may_fail and is_driver and slot is not None and stub.like not in RESIZERS:
        yield from _choose(stub, slot)
        return
    if stub.may_fail:
        yield f"if ({failures_name(stub)}[{CALL}])"
        yield f"    return {'0' if is_driver else 'NULL'};"
    if not is_driver:
        yield from _mind_the_size(stub)
        yield from _mind_what_was_given(stub)
    yield f"{_call(stub)};" if stub.like == "free" else f"return (void *){_call(stub)};"


def _choose(stub: Stub, slot: int) -> Iterator[str]:
    yield f"void *tightrope_block = {_call(stub)};"
    yield "void *tightrope_targets[2] = {tightrope_block, 0};"
    yield f"tightrope_choose({slot} + {CALL}, &tightrope_block, tightrope_targets, 2, 1);"
    yield "return tightrope_block;"


MOST_MEMORY = 64 << 20
"""The heap of a run: what a run does not get, a test does not get, on whatever machine."""


def _sizes(name: str) -> tuple[int, ...]:
    return FUNCTIONS[name].sizes if name in FUNCTIONS else ()


def _mind_the_size(stub: Stub) -> Iterator[str]:
    """In a test: a request for more memory than a run has fails, as it did in the run."""
    sizes = [f"argument_{stub.skipped + index}" for index in _sizes(stub.like)]
    if sizes and stub.may_fail:
        among = f" / {sizes[-1]}" if len(sizes) > 1 else ""
        yield f"if ({f'{sizes[-1]} != 0 && ' if among else ''}{sizes[0]} > {MOST_MEMORY}UL{among})"
        yield "    return NULL;"


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
    """The call of the library. Blocks of functions like malloc() are zeroed, so that runs are repeatable."""
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


def of_linked(name: str) -> str:
    """What linked files call in place of `free`, `malloc` and so on."""
    return f"tightrope_{name}_given"


FREE_OF_LINKED = of_linked("free")

_REDIRECTION = 'void free(void *) __asm__("tightrope_stub_free");'
_IN_DRIVER = """\
void tightrope_free(void *block);
void (free)(void *block)
{
    tightrope_free(block);
}
"""
_IN_TEST = """\
/* The unit may free what it receives; here these are static objects, not blocks of the heap. */
extern char tightrope_static_start[] __asm__("_etext"), tightrope_static_end[] __asm__("_end");
void tightrope_real_free(void *) __asm__("free");
void (free)(void *block)
{
    if ((char *)block < tightrope_static_start || (char *)block >= tightrope_static_end)
        tightrope_real_free(block);
}
"""


_FOR_LINKED_FILES = f"""\
/* Linked files are compiled with -Dfree={FREE_OF_LINKED}. Weak, because several suites may be one program. */
__attribute__((weak)) void {FREE_OF_LINKED}(void *block)
{{
    free(block);
}}
"""


def define_allocators(interface: Interface, *, is_driver: bool) -> Iterator[str]:
    """What linked files call in place of `malloc`. Several suites may be one program, with one copy of the linked file:
    it gets the answers of the suite whose test runs."""
    for name in interface.linked_allocators:
        result, *types = ALLOCATORS[name]
        given = [f"argument_{index}" for index in range(1, len(types) + 1)]
        parameters = ", ".join(f"{_spaced(kind)}{one}" for kind, one in zip(types, given, strict=True))
        kind, now = _spaced(result), current(name)
        if is_driver:
            yield f"{kind}{of_linked(name)}({parameters}) {{ return ({name})({', '.join(given)}); }}"
            continue
        yield f"/* Linked files are compiled with -D{name}={of_linked(name)}. */"
        yield f"__attribute__((weak)) {kind}(*{now})({', '.join(types)}); /* of the suite whose test runs */"
        yield f"__attribute__((weak)) {kind}{of_linked(name)}({parameters})"
        yield f"{{ return ({now} != NULL ? {now} : {name})({', '.join(given)}); }}"


def current(name: str) -> str:
    return f"tightrope_current_{name}"


def may_free_inputs(interface: Interface, shape: InputShape) -> bool:
    return interface.linked_frees or (interface.frees and bool(objects_of(shape)))


def redirect_free(interface: Interface, shape: InputShape) -> Iterator[str]:
    """C that comes before the unit is included."""
    if may_free_inputs(interface, shape):
        yield _REDIRECTION


def define_free(interface: Interface, shape: InputShape, *, is_driver: bool) -> Iterator[str]:
    """After it."""
    if may_free_inputs(interface, shape):
        yield _IN_DRIVER if is_driver else _IN_TEST
        if interface.linked_frees and is_driver:
            yield f"void {FREE_OF_LINKED}(void *block) {{ tightrope_free(block); }}"
        elif interface.linked_frees:
            yield _FOR_LINKED_FILES
