"""Case: an input that becomes a test, with what was observed and the objectives it covers. Suite: all cases of one
function, with everything that a writer needs to know. Carried: tests of an earlier suite that are kept."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.witnesses import find_witnesses
from tightrope.harness.pointer_outputs import describe_pointer
from tightrope.inputs.scalars import Human, Input, Output, Slot, decode
from tightrope.inputs.sequence_inputs import idle_parameters, made_calls
from tightrope.inputs.shape import InputShape, NameObject, objects_of, outputs_of, owners_of, slots_of
from tightrope.inputs.stub_answers import left_out_path
from tightrope.inputs.whole_program import describe_values
from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.interface import Interface
from tightrope.program.declarations.stubs import Stub
from tightrope.program.ir.model import Global
from tightrope.running.notes import Note
from tightrope.running.run_record import Ending, RunRecord
from tightrope.suite.kept_tests import NO_KEPT_TESTS, AboutSuite, KeptTests, Row
from tightrope.suite.observed_calls import NOT_SHOWN, ShownCalls, calls_in, choose_shown
from tightrope.suite.observed_memory import ObservedMemory
from tightrope.suite.test_names import name_case

RISKS = "a shift by too many bits, an address computed from NULL, or what a library function forbids"
MOST_LINES = 3  # of the comment above a test
MOST_CRASHES = 20  # whose inputs a file keeps


@dataclass(frozen=True, slots=True)
class Case:
    name: str  # a C identifier, unique in its suite
    input: Input
    ending: Ending
    outputs: tuple[int | None, ...]
    objectives: tuple[Objective, ...] = ()  # that it covers, alone or with others
    points: int = 0  # that it hits, as a bit mask
    notes: tuple[Note, ...] | None = None  # of calls and memory; None: only the outputs are checked
    wraps: bool = False  # its signed arithmetic overflows
    is_risky: bool = False  # it does what C does not define and most builds do not notice


@dataclass(frozen=True, slots=True)
class Companion:
    """Another C file of the unit's program, compiled along with the tests; flags as seen from their folder."""

    source: Path
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """`folder` is where the written files go: paths in them are relative to it."""

    ctypes: CTypes
    interface: Interface
    shape: InputShape
    source: Path
    folder: Path
    cases: tuple[Case, ...]
    flags: tuple[str, ...] = ()  # the unit's own compiler flags, shown in the command that builds the tests
    version: str = ""
    linked: tuple[Companion, ...] = ()
    program_hash: str = ""  # SHA-256 of the source
    created: int = 0  # seconds since 1970; 0 if the time is not to be written
    variables: tuple[Global, ...] = ()  # of the woven program, by the numbers in notes
    float_tolerance: float = 0.0  # relative; 0: floating-point results are compared bit by bit
    macros: tuple[str, ...] = ()  # that the unit defines
    libraries: tuple[str, ...] = ()  # `-lm`: what the unit is linked with
    symbols: tuple[str, ...] = ()  # functions and variables that the unit's file defines for other files
    output_stem: str = ""  # for the names of files, where another source has the same name
    kept: KeptTests = NO_KEPT_TESTS  # cases that are written as they stand in earlier files
    crashes: tuple[Input, ...] = ()  # of run-time errors that were found
    number: int = 1  # of the suite: a second one stands beside the first, which is left alone

    @property
    def function(self) -> str:
        return self.interface.name

    @property
    def subject(self) -> str:
        """What the tests are about, in words: a function, or the calls of a sequence."""
        return self.interface.sequence or self.function

    @property
    def file_stem(self) -> str:
        stem = file_stem(self.source, self.function, self.output_stem)
        return numbered(stem, self.number)

    @property
    def include_path(self) -> str:
        return self.path_to(self.source)

    def path_to(self, file: Path) -> str:
        """The path of the file relative to the folder; absolute if there is no relative path."""
        try:
            return Path(os.path.relpath(file.resolve(), self.folder.resolve())).as_posix()
        except ValueError:  # another drive
            return file.resolve().as_posix()

    @property
    def slots(self) -> tuple[Slot, ...]:
        return slots_of(self.shape)

    @property
    def outputs(self) -> tuple[Output, ...]:
        return outputs_of(self.shape)

    @property
    def shown_calls(self) -> ShownCalls:
        """What is checked of calls of stubs, the same in all cases."""
        runs = [case.notes for case in self.cases if case.notes is not None]
        return _shown_in(self.ctypes, self.shape.stubs, runs) if runs else NOT_SHOWN

    def hides_calls(self, case: Case) -> bool:
        """True if calls are shown, but nothing is known of those of this case, not even how long they are."""
        return case.notes is None and any(self.shown_calls.statements(stub) for stub in self.shown_calls.stubs)

    def memory(
        self,
        case: Case,
        name_object: NameObject = str,
        hidden: Collection[str] = (),
        live: Collection[str] | None = None,
    ) -> ObservedMemory | None:
        """What is known of memory before and after the call, in a test that has these objects (None: all of them)."""
        if case.notes is None:
            return None
        objects = {name: node for name, node in owners_of(self.shape).items() if live is None or name in live}
        return ObservedMemory(self.ctypes, case.notes, self.variables, objects, name_object, hidden)


def macros_of(text: str) -> tuple[str, ...]:
    """The macros that a C text defines, in its order, as far as their names are not all capitals."""
    found = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE)
    return tuple(name for name in dict.fromkeys(found) if name != name.upper())


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run that becomes a test with this name; '': a name is chosen."""

    name: str
    run: RunRecord


@dataclass(frozen=True, slots=True)
class Carried:
    """Tests of an earlier suite that are kept with their names and inputs. `taken` are the names of all its tests:
    no new test gets one of them."""

    runs: tuple[NamedRun, ...] = ()
    taken: Collection[str] = frozenset()
    serves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # name -> objectives that it helps to cover
    boundaries: Collection[str] = ()  # names of those that are there for boundaries alone


NONE_CARRIED = Carried()


def credit(cases: Sequence[Case], objectives: Sequence[Objective]) -> tuple[Case, ...]:
    """Each case with those of the objectives that it covers, alone or together with others."""
    hits = [case.points for case in cases]
    served: list[list[Objective]] = [[] for _ in cases]
    for objective in objectives:
        for at in find_witnesses(objective, hits):
            served[at].append(objective)
    return tuple(replace(case, objectives=tuple(each)) for case, each in zip(cases, served, strict=True))


def in_order(cases: Sequence[Case], objectives: Sequence[Objective]) -> tuple[Case, ...]:
    """The cases in the order of what they cover, however they were found; those that have names stay in their place."""
    positions = {objective.id: at for at, objective in enumerate(objectives)}

    def covers(case: Case) -> list[int]:
        return sorted(positions[each.id] for each in case.objectives) or [len(positions)]

    nameless = iter(sorted((case for case in cases if not case.name), key=covers))
    return tuple(case if case.name else next(nameless) for case in cases)


def name_cases(function: str, cases: Sequence[Case], taken: Collection[str] = ()) -> tuple[Case, ...]:
    """Name each case that has no name after what it is the first to cover. `taken` names belong to other tests."""
    named: list[Case] = []
    served: set[str] = set()
    names = {*taken, *(case.name for case in cases)}
    for case in cases:
        fresh = [objective for objective in case.objectives if objective.id not in served]
        name = case.name or name_case(function, fresh, case.objectives, names)
        named.append(replace(case, name=name))
        names.add(name)
        served.update(objective.id for objective in case.objectives)
    return tuple(named)


def describe_purpose(suite: Suite, case: Case, most: int = MOST_LINES) -> list[str]:
    """For the comment above a test: its objectives, in at most so many lines. Those that no earlier test covers come
    first; the report has them all."""
    before = {each.id for one in suite.cases[: suite.cases.index(case)] for each in one.objectives}
    shown = sorted(case.objectives, key=lambda each: each.id in before)
    if len(shown) > most:
        shown = shown[: most - 1]
    lines = [describe_objective(suite, case, each) for each in shown]
    more = len(case.objectives) - len(shown)
    return [*lines, f"and {more} more: see the report of --json"] if more else lines


def describe_objective(suite: Suite, case: Case, objective: Objective) -> str:
    """For the comment above a test: `line 7: a > 3 is true  [f:branch:+2.9:true]`; a pair names the other test."""
    is_shared = objective.relation in (Relation.PAIR, Relation.ALL)
    cases = [each for each in suite.cases if each.name != case.name] if is_shared else []
    others = [each.name for each in cases if objective in each.objectives]
    partners = f" (with {', '.join(others)})" if others else ""
    return f"line {objective.location.line}: {objective.text}{partners}  [{objective.id}]"


def describe_input(suite: Suite, case: Case) -> dict[str, Human]:
    """The paths of the inputs as C expressions, with readable values."""
    return describe_values(suite.shape, case.input, case.outputs)


def describe_outputs(suite: Suite, case: Case) -> dict[str, Human]:
    """What was observed; without what the run did not reach, and calls of a sequence that it did not make."""
    objects = objects_of(suite.shape)
    seen: dict[str, Human] = {}
    given = {left_out_path(stub, one) for stub in suite.shape.stubs for one in stub.writes}
    made, idle = made_calls(suite.shape, case.input), idle_parameters(suite.shape, case.input)
    silent = {*idle, *(f"result.{call.name}" for call in suite.shape.calls if call not in made)}
    for output, raw in zip(suite.outputs, case.outputs, strict=False):
        if raw is None or output.path in given:
            continue
        if not silent.intersection(re.findall(r"(?:^result\.)?\w+", output.path)[:1]):
            is_pointer = output.scalar.kind == "pointer"
            seen[output.path] = (
                describe_pointer(suite.ctypes, objects, raw) if is_pointer else decode(output.scalar, raw)
            )
    return seen


_latest_shown: list[tuple[CTypes, tuple[Stub, ...], Sequence[Sequence[Note]], ShownCalls]] = []  # at most one


def _shown_in(ctypes: CTypes, stubs: tuple[Stub, ...], runs: Sequence[Sequence[Note]]) -> ShownCalls:
    """Remembered: every case of a suite asks for it, and with hundreds of stubs an answer takes seconds."""
    for own_ctypes, own_stubs, own_runs, shown in _latest_shown:
        are_same = len(own_runs) == len(runs) and all(one is other for one, other in zip(own_runs, runs, strict=True))
        if own_ctypes is ctypes and own_stubs is stubs and are_same:
            return shown
    _latest_shown[:] = [(ctypes, stubs, runs, choose_shown(ctypes, stubs, runs))]
    return _latest_shown[0][-1]


def describe_calls(suite: Suite, case: Case) -> list[str] | None:
    """The calls of stubs, in order; None if they are not known."""
    memory, shown = suite.memory(case), suite.shown_calls
    return None if memory is None else [shown.line(call, memory) for call in calls_in(memory.notes)]


def describe_case(suite: Suite, case: Case) -> Row:
    """The case as a row of a suite: inputs and observed values by path."""
    calls = describe_calls(suite, case) if suite.shape.stubs else None
    return {
        "name": case.name,
        "inputs": describe_input(suite, case),
        "outcome": case.ending.outcome.value,
        "reason": case.ending.reason,
        "observed": describe_outputs(suite, case),
        **({} if calls is None else {"calls": calls}),
    }


def known_rows(suite: Suite) -> list[Row]:
    """What later commands must know of the cases."""
    return [suite.kept.row(case.name) or describe_case(suite, case) for case in suite.cases]


def about_suite(suite: Suite) -> AboutSuite:
    values = (describe_values(suite.shape, each) for each in suite.crashes[:MOST_CRASHES])
    return AboutSuite(suite.program_hash, tuple(values))


def numbered(stem: str, number: int) -> str:
    """`test_triangle_classify_2`: the name of the second suite of a function."""
    return stem if number == 1 else f"{stem}_{number}"


def file_stem(source: Path, function: str, other: str = "") -> str:
    """`test_triangle_classify`; only one of the names if the function is named like its file. `other` replaces the name
    of the file where two files share it."""
    stem = other or re.sub(r"\W", "_", source.stem)
    return f"test_{stem}" if stem == function else f"test_{stem}_{function}"
