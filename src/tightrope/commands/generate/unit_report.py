"""What became of one unit, as rows of the report: verdicts, tests, crashes and assumptions, in the user's words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from tightrope.coverage.verdict import Unknown
from tightrope.engines.explore import Exploration
from tightrope.harness.driver import is_driver
from tightrope.inputs.input_paths import any_number
from tightrope.inputs.sequence_inputs import later_parameters, steering_inputs
from tightrope.inputs.shape import ASKED_FOR_NULL, FixedPointer, PointsTo, walk
from tightrope.inputs.stub_outputs import unwritten_arguments
from tightrope.inputs.whole_program import describe_values
from tightrope.library.libc_models import PREFIX, is_model
from tightrope.location import Location
from tightrope.options.options import Options
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.program.devices.constant_addresses import ConstantAddresses
from tightrope.program.ir.assembly import PREFIX as ASSEMBLY_STUB
from tightrope.program.ir.model import Instruction
from tightrope.report.collect import report_objectives
from tightrope.report.decisions import first_lines, report_decisions
from tightrope.report.executed_lines import report_executed
from tightrope.report.model import (
    LINKED_WITH,
    Concretisation,
    Confirmation,
    Crash,
    ExecutedFunction,
    ReportedDecision,
    ReportedTest,
    Statistics,
    UnitReport,
)
from tightrope.running.run_record import Ending
from tightrope.soundness.assumptions import list_assumptions
from tightrope.soundness.shape_limits import may_share_objects
from tightrope.source.project import as_named, short_path
from tightrope.suite.case import RISKS, Case, Suite, describe_input
from tightrope.units.prepared import PreparedUnit
from tightrope.units.unit_without_driver import ir_name

MOST_POINTERS = 8  # that a report lists
MOST_NAMES = 4  # of tests that overflow


def report_unit(
    unit: PreparedUnit,
    suite: Suite,
    found: Exploration,
    options: Options,
    confirmation: Confirmation | None,
    written: tuple[str, ...],
    warnings: Sequence[str] = (),
) -> UnitReport:
    has_unwritten = any(unwritten_arguments(unit.ctypes, unit.shape.stubs))
    return UnitReport(
        file=str(unit.file.path),
        function=unit.interface.name,
        criteria=options.criteria,
        strategy=options.strategy,
        seed=options.seed,
        stop_reason=found.stop_reason.value,
        objectives=tuple(
            replace(
                row,
                file=_as_named(unit, row.file),
                engine=found.ledger.decided_by.get(row.id, "") if row.verdict != "unknown" else "",
                formula=found.formulas.get(row.id, "") if row.verdict == "infeasible" else "",
            )
            for row in report_objectives(found.ledger, SourceText(), has_unwritten)
        ),
        tests=tuple(_reported_test(suite, case) for case in suite.cases),
        statistics=_statistics(found),
        line=unit.interface.function.location.line,
        defined_in=unit.file.named_place(unit.interface.function),
        assumptions=(
            *(text for text in stated_assumptions(unit) if not _is_about_calls(unit, text)),
            *unit.shape.notes,
            *(f"{name}: starts with its initial value" for name in unit.interface.inherited_state),
            *dict.fromkeys(list_assumptions(unit)),
            *_about_pointers(unit),
            *_about_overflow(suite),
            *_about_risks(suite),
        ),
        written=written,
        confirmation=confirmation,
        crashes=tuple(_crashes(unit, found)),
        concretisations=tuple(_concretisations(unit, found)),
        warnings=(*unit.file.warnings, *_doubts(unit, found), *_ends_elsewhere(unit, found), *warnings),
        notes=(*_file_notes(unit), *(f"{LINKED_WITH}{short_path(each.path)}" for each in unit.linked), *unit.remarks),
        decisions=_decisions(unit, suite),
        fingerprint=fingerprint_of(unit.file.path),
        grown={kind: sizes for kind, sizes in asdict(unit.asked.wishes.growth).items() if sizes},
        command=("generate", f"{unit.file.path}:{unit.interface.name}", *options.words),
        sequence=unit.interface.sequence,
        executed=_executed(unit, suite),
        code=tuple(functions_in(unit)),
    )


def functions_in(unit: PreparedUnit) -> Iterator[str]:
    """Those of the file whose code is in the unit: what its result depends on, beside declarations and data."""
    known = {name[1:] for name, one in unit.file.program.functions.items() if one.is_defined}
    here = (name[1:].replace(UNIT_MAIN, "main") for name, one in unit.program.functions.items() if one.is_defined)
    yield from sorted(known.intersection(here))


def stated_assumptions(unit: PreparedUnit) -> tuple[str, ...]:
    """Those of the user, as written; then those that the shape makes, once for all elements of an array."""
    own = unit.asked.assumptions
    implied = (any_number(text) for text in unit.driver.assumptions[len(own) :])
    return tuple(dict.fromkeys((*own, *implied)))


def fingerprint_of(file: Path) -> str:
    """A hash of the text of a file: a report is about the file as long as this stays the same."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _decisions(unit: PreparedUnit, suite: Suite) -> tuple[ReportedDecision, ...]:
    """The vectors of each decision that the tests evaluate, for criteria about decisions."""
    tests = [(case.name, case.points) for case in suite.cases]
    rows = report_decisions(unit.marks, unit.woven.points, first_lines(unit.program.functions), tests)
    return tuple(replace(row, file=_as_named(unit, row.file)) for row in rows)


def _executed(unit: PreparedUnit, suite: Suite) -> tuple[ExecutedFunction, ...]:
    """The lines of the functions that objectives are about."""
    others = (ir_name(objective.id.partition(":")[0]) for objective in unit.objectives)
    names = dict.fromkeys((*(each.name for each in unit.tested_functions), *(f"@{name}" for name in others)))
    functions = [unit.program.functions[name] for name in names if name in unit.program.functions]
    rows = report_executed(functions, unit.woven.points, [case.points for case in suite.cases])
    return tuple(replace(row, file=_as_named(unit, row.file)) for row in rows)


def _as_named(unit: PreparedUnit, file: str) -> str:
    return as_named(file, unit.file.path, unit.file.working_directory)


def _file_notes(unit: PreparedUnit) -> Iterator[str]:
    """How the file is compiled; nothing about assembly that the function does not reach."""
    calls_assembly = any(note.startswith(ASSEMBLY_STUB) for note in unit.shape.notes)
    yield from (note for note in unit.file.notes if calls_assembly or f"({ASSEMBLY_STUB}...)" not in note)


def _about_pointers(unit: PreparedUnit) -> Iterator[str]:
    """What all inputs have in common, and how to change it."""
    later = later_parameters(unit.shape)
    roots = [root for root in unit.shape.roots if unit.interface.reads_arguments or not root.is_argument]
    roots = [root for root in roots if root.name not in later]
    nodes = [node for root in roots for node, _ in walk(root.shape, root.name, str)]
    is_main = unit.interface.name == "main"
    variants = {name for node in nodes if isinstance(node, PointsTo) for name in node.variants}
    for node in nodes:
        if isinstance(node, FixedPointer) and node.reason == ASKED_FOR_NULL:
            yield f"{node.path}: NULL, as asked"
        elif isinstance(node, PointsTo) and node.slot is None and not node.is_never_null and not is_main:
            if node.own in variants:  # another choice of a pointer, which may be NULL
                continue
            yield f"{node.path}: not NULL, as asked"
    sizes = {any_number(each.path): _size(each) for each in nodes if isinstance(each, PointsTo)}
    if sizes:
        shown = [f"{path} {size}" for path, size in sizes.items()]
        listed = ", ".join((*shown[:MOST_POINTERS], *["..."] * (len(shown) > MOST_POINTERS)))
        shared = "pointers do not alias; " * may_share_objects(unit)
        yield f"{shared}elements behind each pointer: {listed} (see `tightrope inputs`)"


def _about_overflow(suite: Suite) -> Iterator[str]:
    """Tests that a build without -fwrapv may fail: nothing else covers what they cover."""
    names = [case.name for case in suite.cases if case.wraps]
    if names:
        yield f"signed arithmetic wraps around, as with -fwrapv: it overflows in {_list(names)}"


def _about_risks(suite: Suite) -> Iterator[str]:
    """Tests of which sanitizers complain: nothing else covers what they cover."""
    names = [case.name for case in suite.cases if case.is_risky]
    if names:
        yield f"undefined behaviour that only sanitizers notice does no harm ({RISKS}): in {_list(names)}"


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{', '.join(names[:MOST_NAMES])}{more}"


def _is_about_calls(unit: PreparedUnit, assumption: str) -> bool:
    """Which calls a sequence makes is said once, as the user wrote it."""
    return assumption.partition(" ")[0] in steering_inputs(unit.shape)


def _size(pointer: PointsTo) -> str:
    return f"up to {pointer.count - 1} characters" if pointer.is_string else str(pointer.count)


def _doubts(unit: PreparedUnit, found: Exploration) -> list[str]:
    is_silent = unit.driver.assumptions and not found.has_run
    doubts = ["the search found no input that satisfies the assumptions"] if is_silent else []
    return [*doubts, *found.warnings]


def _ends_elsewhere(unit: PreparedUnit, found: Exploration) -> Iterator[str]:
    """What to do about linked files in which runs die, if objectives are open."""
    if all(not isinstance(verdict, Unknown) for _, verdict in found.ledger):
        return
    ends = [ending.location for ending in found.crashes if ending.location is not None]
    for file in unit.linked:
        here = [place for place in ends if (unit.file.working_directory / place.file).resolve() == file.path]
        called = {name[1:] for name in file.outline.defined if name in unit.file.program.functions}
        if here and called:
            options = " ".join(f"--stub {name}" for name in sorted(called))
            yield f"runs end in {short_path(file.path)}:{here[0].line}, which is linked; try {options}"


def _reported_test(suite: Suite, case: Case) -> ReportedTest:
    covers = tuple(objective.id for objective in case.objectives)
    ending = case.ending
    return ReportedTest(case.name, describe_input(suite, case), ending.outcome.value, covers, reason=ending.reason)


def _statistics(found: Exploration) -> Statistics:
    asked, progress = found.solver.statistics, found.progress
    return Statistics(
        runs=progress.runs,
        paths=found.paths,
        candidates=progress.candidates,
        filtered=progress.filtered,
        queries=asked.queries,
        sat=asked.sat,
        unsat=asked.unsat,
        unknown=asked.unknown,
        cache_hits=asked.cache_hits + asked.core_hits + asked.reuse_hits + asked.decided,
        divergences=progress.divergences,
        concretisations=sum(found.concretisations.values()),
        seconds=progress.seconds,
        solver_seconds=asked.solver_seconds,
        run_seconds=progress.run_seconds,
        seeds=progress.seeds,
        trials=progress.trials,
        reuse_hits=asked.reuse_hits,
        local_searches=asked.local_searches,
        local_search_hits=asked.local_search_hits,
        moved_hits=asked.moved_hits,
        encoding_queries=found.encoding.queries,
        encoding_runs=found.encoding.runs,
        encoding_covered=found.encoding.covered,
        encoding_refuted=found.encoding.refuted,
        encoding_unknown=found.encoding.unknown,
        encoding_iterations=found.encoding.iterations,
        encoding_instances=found.encoding.instances,
        encoding_seconds=found.encoding.seconds,
        mispredictions=found.encoding.mispredictions,
    )


def _crashes(unit: PreparedUnit, found: Exploration) -> list[Crash]:
    crashes = []
    for ending, values in found.crashes.items():
        place, where = _in_user_words(unit, ending.location)
        inputs = describe_values(unit.shape, values)
        file = _as_named(unit, place.file)
        reason = ending.reason + where + _constant_address(unit, ending)
        crashes.append(Crash(ending.outcome.value, reason, file, place.line, place.column, inputs))
    return crashes


def _concretisations(unit: PreparedUnit, found: Exploration) -> list[Concretisation]:
    rows = []
    for kind, counts in (("concretised", found.concretisations), ("pinned", found.pinned)):
        for number, count in sorted(counts.items()):
            what = unit.woven.places[number].what
            at, where = _in_user_words(unit, unit.woven.places[number].location)
            file = _as_named(unit, at.file)
            rows.append(Concretisation(what + where, file, at.line, at.column, count, kind=kind))
    return rows


def _in_user_words(unit: PreparedUnit, place: Location | None) -> tuple[Location, str]:
    """A place in the user's files, and words in place of one that is in a library model."""
    whole = unit.interface.function.location
    if place is not None and is_driver(place):
        return _call_of_stub(unit, place), ""
    if place is None or not is_model(place.file):
        return place or whole, ""
    for name, function in unit.program.functions.items():
        places = (each.location for block in function.blocks for each in block.instructions)
        if name.startswith(f"@{PREFIX}") and place in places:
            return whole, f" in `{name.removeprefix(f'@{PREFIX}')}` of the C library"
    return whole, " in a function of the C library"


def _call_of_stub(unit: PreparedUnit, place: Location) -> Location:
    """Where the stub that contains this place is called, if there is exactly one such call."""
    functions = unit.program.functions.values()
    names = [f.name for f in functions for block in f.blocks for each in block.instructions if each.location == place]
    calls = [each for f in functions for block in f.blocks for each in block.instructions if each.callee in names]
    places = [each.location for each in calls if each.location and not is_driver(each.location)]
    return places[0] if len(calls) == 1 and places else unit.interface.function.location


def named_ending(unit: PreparedUnit, ending: Ending) -> Ending:
    """With its place in the user's words."""
    place, where = _in_user_words(unit, ending.location)
    if ending.location is None:
        return ending
    named = replace(place, file=_as_named(unit, place.file))
    return replace(ending, location=named, reason=ending.reason + where + _constant_address(unit, ending))


def _constant_address(unit: PreparedUnit, ending: Ending) -> str:
    """Words for the address of an access that crashed, if the code itself names it: it is that of another machine."""
    if ending.reason != "SIGSEGV" or ending.location is None:
        return ""
    addresses = ConstantAddresses(unit.program)
    for function in unit.program.functions.values():
        made = {each.result: each for each in function.instructions() if each.result}
        for each in function.instructions():
            at = addresses.of(each.operands[-1], made) if _accesses(each, ending.location) else None
            if at is not None:
                advice = "" if "volatile" in each.flags else ": declare it volatile, or as a variable"
                return f" at the constant address {at:#x} (no memory here{advice})"
    return ""


def _accesses(each: Instruction, place: Location) -> bool:
    return each.location == place and each.opcode in ("load", "store")
