"""`tightrope annotate`: the user's C with labels written into it, for people and for other tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tightrope.coverage.criteria import takes_pairs
from tightrope.coverage.labelling import LABELLINGS, find_labels
from tightrope.errors import CompileError, UsageError
from tightrope.options.options import Options
from tightrope.options.targets import choose_functions
from tightrope.program.decisions.decisions import recover_decisions
from tightrope.program.marks.label_text import (
    OWN_LABELS,
    Spelling,
    Unwritten,
    instrumented_spelling,
    plain_spelling,
    why_unwritable,
    write_labels,
)
from tightrope.program.marks.labels import Label
from tightrope.source.compile_request import INCLUDE
from tightrope.source.toolchain import find_compiler
from tightrope.units.function_syntax import find_syntax
from tightrope.units.marked_program import enumerators
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedFile
from tightrope.units.select_functions import warn

USUAL_CRITERION = "mcdc"
MOST_ATTEMPTS = 60  # compilations of the annotated text to find out which labels are rejected
_MINDED = "the compiler rejects a label here"
_OTHER = "the label would mean something else here: a macro redefines a name in it"
_OWN_MACROS = (b"pc_label", b"TIGHTROPE_LABEL")


@dataclass(frozen=True, slots=True)
class Annotated:
    """A C text with labels, and those that are not in it."""

    text: str
    written: tuple[Label, ...]
    unwritten: tuple[Unwritten, ...]


def annotate(options: Options) -> Annotated:
    """The file asked for, with the labels of all functions asked for."""
    files = list(dict.fromkeys(target.file for target in options.targets))
    if len(files) > 1:
        hint = "annotate one file at a time: the result goes to standard output"
        message = f"{len(files)} files cannot be annotated at once: {', '.join(map(str, files))}"
        raise UsageError(message, hint=hint, slug="annotate-files")
    criteria = choose_criteria(options)
    file = prepare_file(find_compiler(options.compiler), files[0], options, warn)
    chosen = choose_functions([(target, file.functions) for target in options.targets], options.functions)
    names = list(dict.fromkeys(name for _, each in chosen for name in each))
    spelling = choose_spelling(options, file, criteria)
    return _Annotator(file, names, spelling).annotate(_labels(file, names, criteria, options))


def choose_spelling(options: Options, file: PreparedFile, criteria: Sequence[str]) -> Spelling:
    """Plain labels; P* or P' only if the command line says so: in a spec file, the option is for `generate`."""
    how, name = options.commanded.get("instrumentation"), file.path.name
    if how is None:
        return plain_spelling(name, criteria)
    header = (INCLUDE / "tightrope_labels.h").read_text("utf-8")
    has_own = any(flag.startswith("-Dpc_label(") for flag in file.flags.kept)
    return instrumented_spelling(how, name, criteria, header + (OWN_LABELS if has_own else ""))


def choose_criteria(options: Options) -> tuple[str, ...]:
    """The criteria of the command; refuse those that labels cannot express."""
    is_asked = "criteria" in options.commanded or all(name in LABELLINGS for name in options.criteria)
    criteria = options.criteria if is_asked else (USUAL_CRITERION,)
    for name in criteria:
        if name not in LABELLINGS or takes_pairs(name, options.mcdc_form):
            why = "it compares two runs, and a label is about one" if name in LABELLINGS else "labels cannot express it"
            usable = ", ".join(each for each in LABELLINGS if not takes_pairs(each, options.mcdc_form))
            message = f"{name} cannot be written as labels: {why}"
            raise UsageError(message, hint=f"use {usable}", slug="annotate-criterion")
    are_there = "instrumentation" not in options.commanded
    return tuple(name for name in criteria if name != "label" or not are_there)


def _labels(file: PreparedFile, names: Sequence[str], criteria: Sequence[str], options: Options) -> tuple[Label, ...]:
    driver = f'#include "{file.path.resolve()}"\n'
    found = find_syntax(
        file.compiler, driver, names, file.flags.kept, working_directory=file.working_directory, name="annotated.c"
    )
    members = enumerators(file.ctypes)
    return tuple(
        label
        for name in names
        if name in found
        for label in find_labels(
            criteria,
            found[name],
            recover_decisions(found[name], f"@{name}", members, is_branching_only=options.decisions == "branching"),
            options.for_function(name).partitions,
            options.mcdc_form,
        )
    )


@dataclass(frozen=True, slots=True)
class _Annotator:
    """Writes labels, reads them back, and leaves out those that change."""

    file: PreparedFile
    names: Sequence[str]
    spelling: Spelling

    def annotate(self, labels: Iterable[Label]) -> Annotated:
        source = self.file.path.read_bytes()
        own = str(self.file.path.resolve())
        placed = [_beside_own(label, source) for label in labels]
        judged = [(label, why_unwritable(label, own, source)) for label in placed]
        good, unwritten = [label for label, why in judged if not why], [Unwritten(*each) for each in judged if each[1]]
        if good and self._read_back(source, good) != [_comparable(label.predicate) for label in good]:
            good, bad = self._sort(source, good)
            unwritten += bad
        shown = sorted(unwritten, key=lambda each: each.label.location)
        text = write_labels(source, good, shown, self.spelling)
        return Annotated(text.decode("utf-8", errors="surrogateescape"), tuple(good), tuple(shown))

    def _sort(self, source: bytes, labels: list[Label]) -> tuple[list[Label], list[Unwritten]]:
        """Bisect the labels into those that can be written together and those that cannot."""
        good: list[Label] = []
        bad: list[Unwritten] = []
        waiting, attempts = [labels], 0
        while waiting:
            part = waiting.pop()
            attempts += 1
            tried = sorted((*good, *part), key=labels.index)
            found = self._read_back(source, tried)
            if found == [_comparable(label.predicate) for label in tried]:
                good = tried
            elif len(part) == 1 or attempts > MOST_ATTEMPTS:
                bad += [Unwritten(label, _MINDED if found is None else _OTHER) for label in part]
            else:
                waiting += [part[len(part) // 2 :], part[: len(part) // 2]]
        return good, bad

    def _read_back(self, source: bytes, labels: Sequence[Label]) -> list[str] | None:
        """The predicates that a reader of the annotated text finds, by the numbers of the labels."""
        file = self.file
        spelling = plain_spelling(file.path.name, ())  # the only one that is read
        text = write_labels(source, labels, (), spelling).decode("utf-8", errors="surrogateescape")
        flags = (*file.flags.kept, f"-I{file.path.resolve().parent}")
        folder = file.working_directory
        try:
            found = find_syntax(file.compiler, text, self.names, flags, working_directory=folder, name="annotated.c")
        except CompileError:
            return None
        written = {
            label.what.rpartition(":")[2]: label.predicate
            for syntax in found.values()
            for label in find_labels(["label"], syntax)
            if label.kind.startswith(tuple(LABELLINGS))
        }
        return [_comparable(written.get(str(number), "")) for number in range(1, len(labels) + 1)]


def _beside_own(label: Label, source: bytes) -> Label:
    """A label that the user wrote is put before the macro with a comma: `(LABEL(e, 1, "label"), pc_label(e))`."""
    if not label.is_written or label.place is None:
        return label
    lines = source.split(b"\n")
    line = lines[label.place.line - 1] if 0 < label.place.line <= len(lines) else b""
    if not line.startswith(_OWN_MACROS, label.place.column - 1):
        return label
    return replace(label, is_in_macro=False, place_end=label.place, ends_with_macro=True)


def _comparable(predicate: str) -> str:
    """The text without redundant white space."""
    return re.sub(r"(?<=\W)\s+|\s+(?=\W)", "", predicate.strip())
