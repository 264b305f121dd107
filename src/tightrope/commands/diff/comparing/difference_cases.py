"""Differences as test cases: their inputs and expectations.

A test describes the behaviour of the new version, or of the old one if only that returns.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.commands.diff.comparing.comparison import Comparer, Difference
from tightrope.commands.diff.comparing.confirmed_differences import NEW, OLD, DifferenceCheck
from tightrope.commands.measure.unit_suite import companion, libraries_of, shown_flags
from tightrope.equality.correspondence import CALLS, Correspondence, Key, convert_value, is_alone
from tightrope.harness.pointer_outputs import ELSEWHERE, NULL, find_pointer_target
from tightrope.inputs.scalars import Output, c_literal
from tightrope.inputs.shape import BYTE, InputShape, Leaf, PointsTo, Root, objects_of, walk, walk_object
from tightrope.inputs.stub_answers import silent_callbacks
from tightrope.program.declarations.declare import size_of
from tightrope.running.run_record import Ending, Outcome
from tightrope.source.flags import rebase_flags
from tightrope.suite.case import Case, macros_of
from tightrope.suite.writers.either_version import Aside, EitherSuite, OldVersion
from tightrope.suite.writers.plain_c import c_string
from tightrope.units.prepared import PreparedUnit
from tightrope.version import __version__


def expected_version(difference: Difference) -> str:
    """The version whose behaviour a test describes."""
    outcomes = (difference.new.ending.outcome, difference.old.ending.outcome)
    return OLD if outcomes[1] is Outcome.RETURNED and outcomes[0] is not Outcome.RETURNED else NEW


def make_suite(comparer: Comparer, found: Sequence[Difference], output: Path, old_name: str) -> EitherSuite:
    """One case for each difference. `old_name`: the file of the old version as the user knows it."""
    unit, folder = comparer.new, output.absolute()
    cases = tuple(
        Case(f"{unit.interface.name}_difference_{number}", each.input, _ending(each), _outputs(comparer.match, each))
        for number, each in enumerate(found, 1)
    )
    return EitherSuite(
        unit.ctypes,
        unit.interface,
        _common_shape(comparer.match),
        unit.file.path,
        output,
        cases,
        rebase_flags(shown_flags(unit), unit.file.working_directory, folder),
        __version__,
        linked=tuple(companion(each, folder) for each in unit.linked),
        program_hash=hashlib.sha256(unit.file.path.read_bytes()).hexdigest(),
        macros=macros_of(unit.file.path.read_text(encoding="utf-8", errors="replace")),
        libraries=tuple(libraries_of(unit)),
        output_stem=unit.file.output_stem,
        old=_old_version(comparer.old, output, old_name),
        asides={case.name: _aside(comparer.match, each) for case, each in zip(cases, found, strict=True)},
    )


def _old_version(unit: PreparedUnit, folder: Path, name: str) -> OldVersion:
    """The old version for the suite. A file of a revision no longer exists when the tests are built."""
    file = unit.file.path.resolve()
    is_there = Path(name).resolve() == file
    source = Path(os.path.relpath(file, folder.resolve())).as_posix() if is_there else ""
    defined = frozenset(each.name[1:] for each in unit.file.program.functions.values() if each.is_defined)
    return OldVersion(unit.ctypes, unit.interface, unit.shape.stubs, source, name, defined)


def _ending(difference: Difference) -> Ending:
    return (difference.new if expected_version(difference) == NEW else difference.old).ending


def _remarks(difference: Difference) -> Iterator[str]:
    for each in difference.observations:
        yield f"{each.what}: old {each.old}, new {each.new}"
    if expected_version(difference) == OLD:
        yield "The test expects the behaviour of the old version."


def _aside(match: Correspondence, difference: Difference) -> Aside:
    """Code that sets variables and stubs that the new version does not use, and checks that it leaves them alone."""
    said, values = tuple(_remarks(difference)), difference.old_input
    nodes = [(root, *each) for root in _of_old_only(match) for each in walk_object(root.shape, root.name, str)]
    leaves = [(root, node, place) for root, node, place in nodes if isinstance(node, Leaf)]
    before = [
        f"{place} = {c_literal(node.scalar, 0 if node.slot is None else values[node.slot])};"
        for root, node, place in leaves
        if node.slot is not None or root.is_counter
    ]
    if expected_version(difference) != NEW or difference.new.ending.outcome is not Outcome.RETURNED:
        return Aside(said, tuple(before))
    after = [
        f"if ({place} != {c_literal(node.scalar, 0 if node.slot is None else values[node.slot])}) {_failing(node.path)}"
        for root, node, place in leaves
        if _is_to_be_left(match, root) and node.scalar.kind != "float"
    ]
    return Aside(said, tuple(before), tuple(after), tuple(_uncalled(match, difference)))


def _of_old_only(match: Correspondence) -> list[Root]:
    """Variables and stubs of functions that only the old version has; stubs behind pointers belong to the new
    version."""
    callbacks = {stub.path for stub in match.old.unit.shape.stubs if stub.name != stub.path}
    roots = [root for key, root in match.old.roots.items() if key not in match.new.roots and root.is_global]
    return [root for root in roots if root.answers_of not in callbacks]


def _is_to_be_left(match: Correspondence, root: Root) -> bool:
    """True if the new version has the stub or variable, but does not call or touch it."""
    if root.answers_of:
        return root.shape.path.startswith(CALLS)
    return not is_alone(match.old, match.new, (root.shape.path,))


def _uncalled(match: Correspondence, difference: Difference) -> Iterator[str]:
    """Checks for functions behind pointers that only the old version calls; nothing else in the test checks them."""
    silent = set(silent_callbacks(match.new.unit.shape))
    counters = {root.shape.path: root.name for root in match.new.roots.values() if root.name in silent}
    for each in difference.observations:
        if each.what in counters and each.new == 0:
            yield f"if ({counters[each.what]} != 0) {_failing(each.what)}"


def _failing(what: str) -> str:
    text = c_string(f"# {what} differs from the new version")[:-1]
    return f'{{ tightrope_failures++; printf({text}\\n"); }}'


def _common_shape(match: Correspondence) -> InputShape:
    """The inputs of the new version without variables that the old one does not have; these keep their initial
    values."""
    shape = match.new.unit.shape
    alone = {
        id(root) for key, root in match.new.roots.items() if _is_plain(root) and is_alone(match.new, match.old, key)
    }
    return replace(shape, roots=tuple(root for root in shape.roots if id(root) not in alone))


def _is_plain(root: Root) -> bool:
    """True if it contains no pointers, whose objects would be numbered."""
    return not any(isinstance(node, PointsTo) for node, _ in walk(root.shape, root.name, str))


def _outputs(match: Correspondence, difference: Difference) -> tuple[int | None, ...]:
    """The expected outputs, by numbers of the common shape; none for outputs that only one version has."""
    left = {id(root.shape) for root in _common_shape(match).roots}
    gone = {key for key, root in match.new.roots.items() if id(root.shape) not in left}
    outputs = [(key, output) for key, (output, _) in match.new.outputs.items() if key[:1] not in gone]
    if expected_version(difference) == OLD:
        return tuple(_old_output(match, key, output, difference) for key, output in outputs)
    raws = difference.new.record.outputs
    return tuple(None if is_alone(match.new, match.old, key) else raws[output.number] for key, output in outputs)


def _old_output(match: Correspondence, key: Key, output: Output, difference: Difference) -> int | None:
    if key not in match.old.outputs:
        return None
    other = match.old.outputs[key][0]
    raw = difference.old.record.outputs[other.number]
    if raw is not None and output.scalar.kind == other.scalar.kind == "pointer":
        return _old_pointer(match, raw)
    if raw is None or output.scalar == other.scalar:
        return raw
    return convert_value(other.scalar, output.scalar, raw)


def _old_pointer(match: Correspondence, raw: int) -> int | None:
    """A pointer value of the old version as one of the new version."""
    if raw in (NULL, ELSEWHERE):
        return raw
    old, new = match.old.unit, match.new.unit
    spot = find_pointer_target(old.ctypes, objects_of(old.shape), raw)
    before = 2
    for one in objects_of(new.shape):
        size = 1 if one.target == BYTE else size_of(new.ctypes, one.target)
        if spot and match.new.objects[one.object] == match.old.objects[spot.object.object]:
            return before + spot.index * size if spot.index is not None and spot.index < one.count else None
        before += size * one.count
    return None


def with_doubts(suite: EitherSuite, checked: Sequence[DifferenceCheck]) -> EitherSuite:
    """Add a remark to tests that are not confirmed: why."""
    asides = dict(suite.asides)
    for case, each in zip(suite.cases, checked, strict=True):
        if not each.fails_on:
            aside = asides[case.name]
            asides[case.name] = replace(aside, remarks=(*aside.remarks, f"Not confirmed: {each.detail}."))
    return replace(suite, asides=asides)
