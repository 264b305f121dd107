"""Answers of stubs as inputs: their roots, what is observed of the calls, and the names of both in the C of a stub
(which harness/stubs.py writes)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import BYTE, InputShape, Leaf, Root, Shape
from tightrope.program.declarations.c_types import VOID_ID, CFunctionType, CPointer, CTypes, CVoid, TypeId
from tightrope.program.declarations.stubs import Stub, Written

_COUNTER = Scalar("unsigned", 32, 4)
_FAILURE = Scalar("bool", 1, 1)

Build = Callable[[TypeId, str], Shape]  # a type and a path -> the shape of an input


def answer_roots(
    ctypes: CTypes, stub: Stub, call: int, build: Build, next_slot: Callable[[], int | None]
) -> Iterator[Root]:
    """The inputs of one call of a stub, counted from 0."""
    if stub.may_fail:
        leaf = Leaf(f"{stub.path}#{call + 1}.fails", BYTE, _FAILURE, next_slot())
        yield Root(f"{failures_name(stub)}[{call}]", leaf, is_global=True, answers_of=stub.path)
    elif has_answers(ctypes, stub):
        shape = build(result_type(ctypes, stub), f"{stub.path}#{call + 1}")
        yield Root(f"{answers_name(stub)}[{call}]", shape, is_global=True, answers_of=stub.path)
    for one in stub.writes:
        yield from _written_roots(ctypes, stub, one, call, build)


def counter_roots(stub: Stub) -> Iterator[Root]:
    """The counter of its calls, which is observed."""
    if stub.is_counted:
        counter = Leaf(calls_path(stub), VOID_ID, _COUNTER)
        yield Root(calls_name(stub), counter, is_global=True, answers_of=stub.path, is_counter=True)


def _written_roots(ctypes: CTypes, stub: Stub, one: Written, call: int, build: Build) -> Iterator[Root]:
    target = written_type(ctypes, stub, one.position)
    pointer = f"{stub.path}::argument_{one.position}#{call + 1}"
    for index in range(one.count):
        place = f"{writes_name(stub, one)}[{call}]" + (f"[{index}]" if one.count > 1 else "")
        path = f"{pointer}[{index}]" if one.count > 1 else f"*{pointer}"
        yield Root(place, build(target, path), is_global=True, answers_of=stub.path)


def calls_path(stub: Stub) -> str:
    if stub.register is not None:
        return f"{'writes' if stub.register.is_write else 'reads'} of {stub.register_name}"
    return f"calls of {stub.path}"


def has_answers(ctypes: CTypes, stub: Stub) -> bool:
    kind = ctypes.strip(stub.type)
    is_void = isinstance(kind, CFunctionType) and isinstance(ctypes.strip(kind.result), CVoid)
    return not (stub.like or stub.never_returns or is_void)


def unused_answers(shape: InputShape, outputs: Sequence[tuple[str, int | None]]) -> frozenset[str]:
    """Names of roots whose call was not made in a run; `outputs` are paths and what was observed there."""
    made = {path: raw for path, raw in outputs if raw is not None}
    return frozenset(
        root.name
        for stub in shape.stubs
        for root in shape.globals
        if root.answers_of == stub.path and _call_number(root) >= made.get(calls_path(stub), stub.answers)
    )


def silent_callbacks(shape: InputShape) -> Iterator[str]:
    """Counters that are shown only if they are not zero, because there may be many function pointers."""
    return (calls_name(stub) for stub in shape.stubs if stub.name != stub.path)


def _call_number(root: Root) -> int:
    found = re.search(r"\[(\d+)\]", root.name)
    return int(found.group(1)) if found else -1


def describe_stubs(ctypes: CTypes, stubs: Iterable[Stub]) -> Iterator[str]:
    """What is assumed about the functions that the stubs replace."""
    for stub in stubs:
        if stub.register is not None:  # by the rules of C, a volatile access changes no other variable
            continue
        words = _describe_calls(ctypes, stub)
        is_missing = not stub.is_redirected and stub.name == stub.path
        yield f"{stub.path}(): no definition found; {words}" if is_missing else f"{stub.path}(): {words}"


def _describe_calls(ctypes: CTypes, stub: Stub) -> str:
    if stub.like and stub.is_redirected:
        return f"each of its first {stub.answers} calls may fail"
    if stub.like:
        return "allocates or frees memory, to judge by its name (see --stub, --no-stub)"
    if stub.never_returns:
        return "a call ends the run"
    verbs = ["return"] * has_answers(ctypes, stub) + ["write"] * bool(stub.writes)
    if not verbs:
        return "calls do nothing"
    calls = f"the first {stub.answers} calls" if stub.answers > 1 else "the first call"
    does = [f"{verb}s" if stub.answers == 1 else verb for verb in verbs]
    other = "other " * bool(stub.writes)
    return f"{calls} {' and '.join(does)} inputs, later calls repeat the last one; no {other}side effects"


def function_type(ctypes: CTypes, stub: Stub) -> CFunctionType:
    kind = ctypes.strip(stub.type)
    assert isinstance(kind, CFunctionType)
    return kind


def result_type(ctypes: CTypes, stub: Stub) -> TypeId:
    return function_type(ctypes, stub).result


def written_type(ctypes: CTypes, stub: Stub, position: int) -> TypeId:
    """The type that the argument points to."""
    pointer = ctypes.strip(function_type(ctypes, stub).parameters[position - 1])
    assert isinstance(pointer, CPointer)
    return BYTE if isinstance(ctypes.strip(pointer.target), CVoid) else pointer.target


def answers_name(stub: Stub) -> str:
    return f"tightrope_answers_{stub.word}"


def writes_name(stub: Stub, one: Written) -> str:
    return f"tightrope_writes_{stub.word}_{one.position}"


def calls_name(stub: Stub) -> str:
    return f"tightrope_calls_{stub.word}"


def failures_name(stub: Stub) -> str:
    return f"tightrope_fails_{stub.word}"
