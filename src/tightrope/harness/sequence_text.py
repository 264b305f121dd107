"""C of the function that makes the calls of a sequence. For `init; step*2`, where `int step(int level)`:

    struct tightrope_results { int step_1; int step_2; };
    struct tightrope_results sequence_init_step(unsigned char calls, int step_1_level, int step_2_level)
    {
        struct tightrope_results results = {0};
        init();
        if (calls >= 1) { results.step_1 = step(step_1_level);
        if (calls >= 2) { results.step_2 = step(step_2_level);
        } }
        return results;
    }

The conditions are nested, because after the last call of a run nothing more is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from tightrope.program.declarations.c_types import CFunction, CRecord, CTypes, CVoid, TypeId
from tightrope.program.declarations.declare import declare, is_qualified, is_spellable
from tightrope.program.declarations.sequence import CallSequence, SequenceCall, SequenceItem

RESULTS = "tightrope_results"
FORGET_STATE, NOTE_STATE, PHASE = "tightrope_forget_state", "tightrope_note_state", "phase_of_sequence"
CHOICE = "tightrope_call_"  # before the name of a function: the enumerator that stands for a call of it


@dataclass(frozen=True, slots=True)
class SequenceText:
    sequence: CallSequence
    text: str
    calls: tuple[SequenceCall, ...]

    @property
    def name(self) -> str:
        return self.sequence.name

    @property
    def counters(self) -> Mapping[str, int]:
        """The inputs that say how many calls of a repetition are made, with the most."""
        return {call.counter: call.position for call in self.calls if call.counter}  # the last one counts


def write_sequence(ctypes: CTypes, sequence: CallSequence, is_from_any_state: bool = False) -> SequenceText:
    """All its functions are defined in the file and can be called. `is_from_any_state`: for a formula, in which the
    calls start in any state (`encoding/any_state.py`); this text cannot be run."""
    writer = _SequenceWriter(ctypes, sequence, is_from_any_state)
    steps = list(writer.steps())
    calls = tuple(call for step in steps for call in step.calls)
    return SequenceText(sequence, "\n".join(writer.lines(steps)) + "\n", calls)


@dataclass(frozen=True, slots=True)
class _SequenceStep:
    """One of these calls is made, unless its repetition has ended before."""

    calls: tuple[SequenceCall, ...]

    @property
    def first(self) -> SequenceCall:
        return self.calls[0]


class _SequenceWriter:
    def __init__(self, ctypes: CTypes, sequence: CallSequence, is_from_any_state: bool) -> None:
        self.ctypes, self.sequence, self.is_from_any_state = ctypes, sequence, is_from_any_state
        self._taken = _names_of(ctypes)
        self._numbers = {name: count(1) for name in sequence.functions}
        self._choices = count(1)
        alternatives = dict.fromkeys(item.functions for item in sequence.items if len(item.functions) > 1)
        self._groups = {names: number for number, names in enumerate(alternatives, 1)}

    # -- calls

    def steps(self) -> Iterator[_SequenceStep]:
        repeated = [item for item in self.sequence.items if item.most is not None]
        for item in self.sequence.items:
            if item.most is None:
                yield self._step(item, "", 0)
                continue
            number = repeated.index(item) + 1
            counter = self._free("calls" if len(repeated) == 1 else f"calls_{number}")
            for position in range(1, item.most + 1):
                yield self._step(item, counter, position)

    def _step(self, item: SequenceItem, counter: str, position: int) -> _SequenceStep:
        names = item.functions
        choice = self._free(f"call_{next(self._choices)}") if len(names) > 1 else ""
        calls = [self._call(name, counter, position, choice, number) for number, name in enumerate(names)]
        return _SequenceStep(tuple(calls))

    def _call(self, name: str, counter: str, position: int, choice: str, number: int) -> SequenceCall:
        function = self.ctypes.functions[name]
        is_only = sum(1 if each.most is None else each.most for each in self._items_of(name)) == 1
        call = name if is_only else f"{name}_{next(self._numbers[name])}"
        arguments = {one: self._free(f"{call}_{one}") for one in parameter_names(function)}
        return SequenceCall(call, name, arguments, self._has_result(function.result), counter, position, choice, number)

    def _items_of(self, name: str) -> list[SequenceItem]:
        return [item for item in self.sequence.items if name in item.functions]

    def _free(self, wish: str) -> str:
        while wish in self._taken:
            wish += "_"
        self._taken.add(wish)
        return wish

    def _has_result(self, number: TypeId) -> bool:
        """Whether the result can be stored: C has no name for some types, and does not assign to const members."""
        kind = self.ctypes.strip(number)
        if isinstance(kind, CVoid) or not is_spellable(self.ctypes, number):
            return False
        return not (isinstance(kind, CRecord) and _has_const_member(self.ctypes, kind))

    # -- text

    def lines(self, steps: Sequence[_SequenceStep]) -> Iterator[str]:
        calls = [call for step in steps for call in step.calls]
        has_results = any(call.has_result for call in calls)
        yield from self._types(calls)
        result = f"struct {RESULTS}" if has_results else "void"
        head = f"{result} {self.sequence.name}({', '.join(self._parameters(steps)) or 'void'})"
        yield from (f"{head};", head, "{")
        if has_results:
            yield f"    struct {RESULTS} {RESULTS} = {{0}};"
        yield from self._any_of(steps) if self.is_from_any_state else self._in_order(steps)
        if has_results:
            yield f"    return {RESULTS};"
        yield "}"

    def _any_of(self, steps: Sequence[_SequenceStep]) -> Iterator[str]:
        """One of the calls: which one may come now is state, too."""
        yield f"    void {FORGET_STATE}(void), {NOTE_STATE}(void); static unsigned char {PHASE}; {FORGET_STATE}();"
        for at, step in enumerate(steps[:-1]):
            yield f"    if ({PHASE} == {at}) {{"
            yield from self._calls_of(step)
            yield f"    {PHASE} = {at + 1}; }} else"
        yield "    {"
        yield from self._calls_of(steps[-1])
        yield f"    }} {NOTE_STATE}();"

    def _in_order(self, steps: Sequence[_SequenceStep]) -> Iterator[str]:
        depth = 0
        for step in steps:
            if step.first.position <= 1:
                yield from ["    " + "}" * depth] if depth else []
                depth = 0
            if step.first.counter:
                yield f"    if ({step.first.counter} >= {step.first.position}) {{"
                depth += 1
            yield from self._calls_of(step)
        yield from ["    " + "}" * depth] if depth else []

    def _types(self, calls: Sequence[SequenceCall]) -> Iterator[str]:
        results = [call for call in calls if call.has_result]
        if results:
            members = [declare(self.ctypes, self._function(call).result, call.name) for call in results]
            yield f"struct {RESULTS} {{ {' '.join(f'{member};' for member in members)} }};"
        for names, number in self._groups.items():
            members = [f"{CHOICE}{number}_{name} = {at}" for at, name in enumerate(names)]
            yield f"enum {CHOICE}{number} {{ {', '.join(members)} }};"

    def _parameters(self, steps: Sequence[_SequenceStep]) -> Iterator[str]:
        for step in steps:
            if step.first.position == 1:
                yield f"unsigned char {step.first.counter}"
            if step.first.choice:
                yield f"enum {CHOICE}{self._group(step)} {step.first.choice}"
            for call in step.calls:
                parameters = zip(self._function(call).parameters, call.arguments.values(), strict=True)
                yield from (declare(self.ctypes, one.type, name) for one, name in parameters)

    def _calls_of(self, step: _SequenceStep) -> Iterator[str]:
        """The first alternative is also that of numbers without a meaning, so it comes last."""
        for call in reversed(step.calls[1:]):
            yield f"    if ({call.choice} == {CHOICE}{self._group(step)}_{call.function}) {self._statement(call)} else"
        yield f"    {self._statement(step.first)}"

    def _statement(self, call: SequenceCall) -> str:
        target = f"{RESULTS}.{call.name} = " if call.has_result else ""
        return f"{target}{call.function}({', '.join(call.arguments.values())});"

    def _group(self, step: _SequenceStep) -> int:
        return self._groups[tuple(call.function for call in step.calls)]

    def _function(self, call: SequenceCall) -> CFunction:
        return self.ctypes.functions[call.function]


def parameter_names(function: CFunction) -> tuple[str, ...]:
    """Unique, also where the definition leaves them out."""
    return tuple(one.name or f"unnamed_{index}" for index, one in enumerate(function.parameters, 1))


def _names_of(ctypes: CTypes) -> set[str]:
    """Names that a parameter must not hide."""
    return {*ctypes.functions, *(one.name for one in ctypes.globals.values())}


def _has_const_member(ctypes: CTypes, kind: CRecord) -> bool:
    for member in kind.members:
        inner = ctypes.strip(member.type)
        if is_qualified(ctypes, member.type, frozenset({"const"})):
            return True
        if isinstance(inner, CRecord) and _has_const_member(ctypes, inner):
            return True
    return False
