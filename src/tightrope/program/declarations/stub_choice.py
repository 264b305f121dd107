"""Chooses the stubs of one interface, one for each function that needs it. Rejects options for functions that cannot be
stubs or are never called."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tightrope.errors import UsageError
from tightrope.program.declarations.c_types import CFunctionType, CPointer, CTypes
from tightrope.program.declarations.declare import is_qualified
from tightrope.program.declarations.interface import Interface
from tightrope.program.declarations.stubs import (
    NEEDED_BY_TESTS,
    Stub,
    StubOptions,
    Written,
    callback_names,
    may_redirect_free,
)
from tightrope.program.ir.linked_programs import replaceable_symbols
from tightrope.program.ir.model import Program


def with_stubs(interface: Interface, ctypes: CTypes, options: StubOptions) -> Interface:
    """The same interface with a stub for each function that needs one."""
    missing = [options.for_missing(ctypes, f.name, f.type, f.never_returns) for f in interface.reached_missing]
    asked = [
        options.for_library(ctypes, f.name, f.type, f.never_returns, f.label) for f in interface.replaced_functions
    ]
    has_errno = "__errno_location" in interface.undefined_functions
    replaced = [replace(one, sets_errno=has_errno and one.outside.fails) for one in asked if one]
    known = {one.name for one in interface.asked_functions}
    names = [name for name in interface.undefined_functions if name not in known and options.lets_fail(name)]
    allocators = [options.for_allocator(name) for name in names]
    stubs = tuple(one for one in (*missing, *replaced, *allocators) if one)
    frees = may_redirect_free(interface.undefined_functions, options)
    return replace(interface, stubs=stubs, stub_options=options, frees=frees)


def check_stubs(interface: Interface, ctypes: CTypes, program: Program, options: StubOptions) -> None:
    """Reject options that no stub can fulfil."""
    for name in sorted(options.wanted | options.unwanted | {one.function for one in options.written}):
        function = program.functions.get(f"@{name}")
        if function is not None and function.is_defined:
            what = f"{_option(name, options)} {name}: the file defines it, so no stub ever replaces it"
            hint = "move it to a file of its own, or test it as part of its callers"
            if f"@{name}" in replaceable_symbols(program):
                hint = (
                    "it is weak: --link the file that defines it in your program, or one that you write for the tests"
                )
            raise UsageError(what, hint=hint, slug="stub-defined")
    for name in sorted(options.wanted):
        _check_wanted(interface, name)
    for one in options.written:
        _check_written(interface, ctypes, one)


def _option(name: str, options: StubOptions) -> str:
    if name in options.wanted:
        return "--stub"
    return "--no-stub" if name in options.unwanted else "--stub-writes"


def _check_wanted(interface: Interface, name: str) -> None:
    if name in NEEDED_BY_TESTS:
        what, hint = f"--stub {name}: the written tests need it themselves", "call it through a wrapper function"
        raise UsageError(what, hint=hint, slug="stub-needed")
    if name in interface.undefined_functions and name not in {stub.name for stub in interface.stubs}:
        what = f"--stub {name}: its type cannot be declared outside of the unit"
        raise UsageError(what, hint="call it through a wrapper function", slug="stub-type")


def check_stub_names(
    interface: Interface, options: StubOptions, ctypes: CTypes, callbacks: Iterable[Stub] = ()
) -> None:
    """Reject names of functions that are never called, and what stubs of function pointers cannot write."""
    paths = {name: stub for stub in callbacks for name in callback_names(stub)}
    called = {*interface.undefined_functions, *(stub.name for stub in interface.stubs)}
    for name in sorted(options.wanted | options.unwanted | {one.function for one in options.written}):
        if name not in called and name not in paths:
            what = f"{_option(name, options)} {name}: {interface.name} calls no function of this name"
            raise UsageError(what, hint="; ".join(_known(interface, name, paths)), slug="stub-name")
    for one in options.written:
        _refuse_write(ctypes, paths.get(one.function), one)


def _known(interface: Interface, name: str, paths: Iterable[str]) -> Iterator[str]:
    known = (*interface.undefined_functions, *paths)
    near = difflib.get_close_matches(name, known, n=1)
    yield from (f"did you mean {one}?" for one in near)
    names = ", ".join(known)
    yield f"it calls {names}" if names else "it calls no function that the file does not define"


def _check_written(interface: Interface, ctypes: CTypes, one: Written) -> None:
    stub = next((stub for stub in interface.stubs if stub.name == one.function and not stub.like), None)
    if stub is None and one.function in interface.undefined_functions:
        what = f"--stub-writes {one.function}: it is not a stub, so its own code decides what it writes"
        raise UsageError(what, hint=f"give --stub {one.function} as well", slug="stub-writes")
    _refuse_write(ctypes, stub, one)


def _refuse_write(ctypes: CTypes, stub: Stub | None, one: Written) -> None:
    reason = _why_not_written(ctypes, stub, one) if stub and one.position else ""
    if reason:
        what = f"--stub-writes {one.function}:{one.position}: {reason}"
        raise UsageError(what, hint="parameters are counted from 1", slug="stub-writes")


def _why_not_written(ctypes: CTypes, stub: Stub, one: Written) -> str:
    kind = ctypes.strip(stub.type)
    parameters = kind.parameters if isinstance(kind, CFunctionType) else ()
    if not 1 <= one.position <= len(parameters):
        return f"the function has {len(parameters)} parameter{'' if len(parameters) == 1 else 's'}"
    pointer = ctypes.strip(parameters[one.position - 1])
    if not isinstance(pointer, CPointer) or isinstance(ctypes.strip(pointer.target), CFunctionType):
        return "this parameter is not a pointer to data"
    is_const = is_qualified(ctypes, pointer.target, frozenset({"const"}))
    return "what this parameter points to is const" if is_const else ""
