"""Answers of stubs as inputs: their roots, what is observed of the calls, and the names of both in the C of a stub
(which harness/stubs.py writes)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from tightrope.inputs.scalars import Input, Scalar, Slot
from tightrope.inputs.shape import BYTE, Elements, InputShape, Leaf, Root, Shape
from tightrope.program.declarations.c_types import VOID_ID, CFunctionType, CPointer, CScalar, CTypes, CVoid, TypeId
from tightrope.program.declarations.stubs import Stub, Written

_COUNTER = Scalar("unsigned", 32, 4)
_FAILURE = Scalar("bool", 1, 1)
_LEFT_OUT = Scalar("unsigned", 64, 8)

Build = Callable[[TypeId, str], Shape]  # a type and a path -> the shape of an input
BuildWritten = Callable[[Written, TypeId, str], Shape]


def answer_roots(
    ctypes: CTypes,
    stub: Stub,
    call: int,
    build: Build,
    build_written: BuildWritten,
    next_slot: Callable[[], int | None],
) -> Iterator[Root]:
    """The inputs of one call of a stub, counted from 0."""
    if stub.may_fail:
        leaf = Leaf(f"{stub.path}#{call + 1}.fails", BYTE, _FAILURE, next_slot())
        yield Root(f"{failures_name(stub)}[{call}]", leaf, is_global=True, answers_of=stub.path)
    elif has_answers(ctypes, stub):
        shape = build(result_type(ctypes, stub), f"{stub.path}#{call + 1}")
        yield Root(f"{answers_name(stub)}[{call}]", shape, is_global=True, answers_of=stub.path)
    for one in stub.writes:
        yield _written_root(ctypes, stub, one, call, build_written)


def choice_roots(stub: Stub, next_slot: Callable[[], int | None]) -> Iterator[Root]:
    """For each call, whether it writes. Their slots follow each other."""
    for one in stub.writes:
        for call in range(stub.answers) if one.may_leave else ():
            leaf = Leaf(f"{_argument_path(stub, one, call)}.written", BYTE, _FAILURE, next_slot())
            yield Root(f"{choices_name(stub, one)}[{call}]", leaf, is_global=True, answers_of=stub.path)


def left_out_roots(stub: Stub) -> Iterator[Root]:
    """Observed: the calls that could not write because there was no room, as bits."""
    for one in stub.writes:
        if one.is_default and not one.has_room:
            leaf = Leaf(left_out_path(stub, one), VOID_ID, _LEFT_OUT)
            yield Root(left_out_name(stub, one), leaf, is_global=True, answers_of=stub.path, is_counter=True)


def counter_roots(stub: Stub) -> Iterator[Root]:
    """The counter of its calls, which is observed."""
    if stub.is_counted:
        counter = Leaf(calls_path(stub), VOID_ID, _COUNTER)
        yield Root(calls_name(stub), counter, is_global=True, answers_of=stub.path, is_counter=True)


def _written_root(ctypes: CTypes, stub: Stub, one: Written, call: int, build: BuildWritten) -> Root:
    target, pointer = written_type(ctypes, stub, one), _argument_path(stub, one, call)
    place = f"{writes_name(stub, one)}[{call}]"
    if one.count == 1:
        return Root(place, build(one, target, f"*{pointer}"), is_global=True, answers_of=stub.path)
    elements = tuple(build(one, target, f"{pointer}[{index}]") for index in range(one.inputs))
    return Root(place, Elements(pointer, target, elements, one.count), is_global=True, answers_of=stub.path)


def _argument_path(stub: Stub, one: Written, call: int) -> str:
    return f"{stub.path}::{one.name or f'argument_{one.position}'}#{call + 1}"


def left_out_path(stub: Stub, one: Written) -> str:
    return f"calls of {stub.path} without room {f'for {one.name}' if one.name else f'behind argument {one.position}'}"


def calls_path(stub: Stub) -> str:
    if stub.register is not None:
        return f"{'writes' if stub.register.is_write else 'reads'} of {stub.register_name}"
    return f"calls of {stub.path}"


def has_answers(ctypes: CTypes, stub: Stub) -> bool:
    kind = ctypes.strip(stub.type)
    is_void = isinstance(kind, CFunctionType) and isinstance(ctypes.strip(kind.result), CVoid)
    return not (stub.like or stub.never_returns or is_void)


def promised_result(ctypes: CTypes, stub: Stub) -> CScalar | None:
    """The type of its result, if POSIX promises what that can be."""
    kind = ctypes.strip(result_type(ctypes, stub))
    return kind if stub.outside.result and isinstance(kind, CScalar) and kind.kind == "signed" else None


def fails_at_last(ctypes: CTypes, stub: Stub) -> bool:
    """Whether calls beyond the last answer fail."""
    return stub.outside.waits and has_answers(ctypes, stub) and promised_result(ctypes, stub) is not None


def unused_answers(shape: InputShape, outputs: Sequence[tuple[str, int | None]]) -> frozenset[str]:
    """Names of roots whose call was not made in a run; `outputs` are paths and what was observed there."""
    made = {path: raw for path, raw in outputs if raw is not None}
    return frozenset(
        root.name
        for stub in shape.stubs
        for root in shape.globals
        if root.answers_of == stub.path and _call_number(root) >= made.get(calls_path(stub), stub.answers)
    )


def callbacks_of(shape: InputShape) -> Iterator[Stub]:
    """The stubs of function pointers."""
    return (stub for stub in shape.stubs if stub.name != stub.path)


def silent_callbacks(shape: InputShape) -> Iterator[str]:
    """Counters that are shown only if they are not zero, because there may be many function pointers."""
    return (calls_name(stub) for stub in callbacks_of(shape))


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
    certain, possible = ([one for one in stub.writes if one.may_leave == choice] for choice in (False, True))
    verbs = ["return"] * has_answers(ctypes, stub) + ["write"] * bool(certain)
    if not verbs and not possible:
        return "calls do nothing"
    calls = f"the first {stub.answers} calls" if stub.answers > 1 else "the first call"
    if stub.outside.is_of_files and stub.outside.result == "":
        return f"{calls} return a stream with the content of standard input, or NULL; later calls repeat the last one"
    does = [" and ".join(f"{verb}s" if stub.answers == 1 else verb for verb in verbs) + " inputs"] if verbs else []
    where = " and ".join(f"argument {one.position}" for one in possible if not one.name)
    does += [f"may write inputs to where {where} {'lead' if len(possible) > 1 else 'leads'}"] if where else []
    does += [f"may write {one.name}" for one in possible if one.name]
    other = "other " * bool(stub.writes)
    later = "fail" if fails_at_last(ctypes, stub) else "repeat the last one"
    return f"{calls} {' and '.join(does)}, later calls {later}; no {other}side effects"


def function_type(ctypes: CTypes, stub: Stub) -> CFunctionType:
    kind = ctypes.strip(stub.type)
    assert isinstance(kind, CFunctionType)
    return kind


def result_type(ctypes: CTypes, stub: Stub) -> TypeId:
    return function_type(ctypes, stub).result


def written_type(ctypes: CTypes, stub: Stub, one: Written) -> TypeId:
    """The type of what is written: in general, what the argument points to."""
    if one.type is not None:
        return one.type
    pointer = ctypes.strip(function_type(ctypes, stub).parameters[one.position - 1])
    assert isinstance(pointer, CPointer)
    return BYTE if isinstance(ctypes.strip(pointer.target), CVoid) else pointer.target


def answers_name(stub: Stub) -> str:
    return f"tightrope_answers_{stub.word}"


def writes_name(stub: Stub, one: Written) -> str:
    return f"tightrope_writes_{stub.word}_{one.key}"


def choices_name(stub: Stub, one: Written) -> str:
    return f"tightrope_chosen_{stub.word}_{one.key}"


def left_out_name(stub: Stub, one: Written) -> str:
    return f"tightrope_left_out_{stub.word}_{one.key}"


CALLS = "tightrope_calls_"


def calls_name(stub: Stub) -> str:
    return f"{CALLS}{stub.word}"


def failures_name(stub: Stub) -> str:
    return f"tightrope_fails_{stub.word}"


_ANSWER = re.compile(r"#(\d+)(?!.*\.(?:fails|written)$)(.*)")


def with_equal_answers(slots: Sequence[Slot], values: Input, stub: Stub) -> Input:
    """The input in which every call of the stub gets its first answer."""
    numbers, changed = {slot.path: slot.number for slot in slots}, list(values)
    for slot in slots:
        start, rest = slot.path[: len(stub.path)], slot.path[len(stub.path) :]
        found = _ANSWER.fullmatch(rest) if start == stub.path else None
        first = numbers.get(f"{start}#1{found[2]}") if found else None
        if first is not None:
            changed[slot.number] = values[first]
    return tuple(changed)
