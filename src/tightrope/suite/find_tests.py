"""Which functions of a C file are its tests: those with a matching name that are called or listed somewhere.

main ── calls ──▶ test_all ── calls ──▶ test_open, test_close ── calls ──▶ test_setup
        a runner: it only calls others     the tests                 no test: only tests call it
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatchcase

from tightrope.program.flow.call_graph import find_address_taken
from tightrope.program.ir.model import Function, Program
from tightrope.program.ir.types import IntType, PointerType

MOST_PARAMETERS = 1  # `void **state` of cmocka, `int _i` of Check


def find_tests(program: Program, patterns: Collection[str], units: Collection[str] = ()) -> tuple[str, ...]:
    """The tests, in the order of the text. `units` are the functions under test: a caller of one is not a runner."""
    named = {one.name: one for one in program.functions.values() if _may_be_test(one, patterns)}
    for unit in units:
        named.pop(unit, None)
    calls = {name: _calls(one) for name, one in program.functions.items() if one.is_defined}
    runners = {name for name in named if _is_runner(name, calls, named, units)}
    tests = {name: one for name, one in named.items() if name not in runners}
    outside = [callees for name, callees in calls.items() if name not in tests]
    started = {callee for callees in outside for callee in callees} | find_address_taken(program)
    is_called = {callee for callees in calls.values() for callee in callees} | find_address_taken(program)
    return tuple(name for name in tests if name in started or name not in is_called)


def _may_be_test(function: Function, patterns: Collection[str]) -> bool:
    name = function.name[1:].strip('"')
    kinds = function.type.parameters
    is_short = len(kinds) <= MOST_PARAMETERS and all(isinstance(kind, IntType | PointerType) for kind in kinds)
    is_short = is_short and not function.type.is_variadic and not any(p.byval or p.sret for p in function.parameters)
    return function.is_defined and is_short and any(fnmatchcase(name, pattern) for pattern in patterns)


def _calls(function: Function) -> frozenset[str]:
    return frozenset(_callees(function))


def _callees(function: Function) -> Iterator[str]:
    for block in function.blocks:
        yield from (each.callee for each in block.instructions if each.callee)


def _is_runner(
    name: str, calls: Mapping[str, frozenset[str]], named: Mapping[str, Function], units: Collection[str]
) -> bool:
    """A test may call another one for its setup. A function that calls several tests, and no unit, is a runner."""
    others = [callee for callee in calls[name] if callee in named and callee != name]
    return len(others) > 1 and not any(unit in calls[name] for unit in units)
