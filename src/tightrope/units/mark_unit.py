"""Marks for a unit: from its C to bitcode in which conditions, labels and accesses are marked.

    C of the driver ──────────────────────── compiled as usual ───────────────┐
     │ preprocess, AST                                                        │ lockstep.py: where do marks belong?
     └→ decisions, labels → anchored text ── compiled only for comparison ────┘ transplant.py: insert them there

Wires the stages. If an anchor changes the compiled code, bisection finds it: its mark gets a problem, and all others
stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tightrope.coverage.criteria import CRITERIA, choose_labelled
from tightrope.coverage.criterion import Need
from tightrope.errors import CompileError, UsageError
from tightrope.location import Location
from tightrope.program.c_text.preprocessed import blank_other_bodies
from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode
from tightrope.program.decisions.boolean_tree import MAX_CONDITIONS, ConditionRef
from tightrope.program.decisions.decisions import Condition, Decision, recover_decisions
from tightrope.program.ir.assembly import NO_ASSEMBLY, ForeignAssembly
from tightrope.program.ir.lexer import debug_number
from tightrope.program.ir.metadata import read_metadata
from tightrope.program.ir.model import Function
from tightrope.program.ir.read_ir import assemble, raw_text, without_foreign_assembly
from tightrope.program.marks.accesses import Access, find_accesses
from tightrope.program.marks.anchors import Anchor, anchor_text, list_anchors, with_constants
from tightrope.program.marks.data_flow import find_flows
from tightrope.program.marks.labels import Label, Partition
from tightrope.program.marks.lockstep import Mismatch, ModuleText, Pairing, constant_conditions, pair
from tightrope.program.marks.marks import NOTHING, Marks
from tightrope.program.marks.transplant import Transplant
from tightrope.source.compile import compile_to_bitcode
from tightrope.source.flags import without_preprocessing
from tightrope.source.preprocess import preprocess
from tightrope.source.toolchain import Compiler
from tightrope.units.compilable_mutants import keep_compilable
from tightrope.units.function_syntax import find_syntax
from tightrope.units.kept_ir import kept_raw_text

MOST_ATTEMPTS = 60  # compilations that may be spent on finding out which anchors fail

DOES_NOT_COMPILE = "it does not compile once it is marked: "
NO_PARTITIONS: Mapping[str, tuple[Partition, ...]] = {}

MarkFinder = Callable[[FunctionSyntax, str, tuple[Decision, ...]], Marks]
"""Labels and accesses of a function ('@f') with its decisions, all as marks; the decisions may be left out."""


@dataclass(frozen=True, slots=True)
class CompilableText:
    """C, and how it is compiled."""

    compiler: Compiler
    text: str
    flags: tuple[str, ...]
    working_directory: Path | None
    name: str  # what it is called in messages and in debug information
    marks_overflow: bool = False
    assembly: ForeignAssembly = NO_ASSEMBLY  # replaced by calls

    def compile(self, text: str = "", flags: tuple[str, ...] | None = None) -> bytes:
        """Bitcode; of another text, or with other flags, when they are given."""
        bitcode = compile_to_bitcode(
            self.compiler,
            text or self.text,
            self.flags if flags is None else flags,
            working_directory=self.working_directory,
            name=self.name,
            marks_overflow=self.marks_overflow,
        )
        return without_foreign_assembly(bitcode, self.assembly)

    def preprocess(self) -> str:
        """The text with all macros expanded."""
        return preprocess(
            self.compiler, self.text, self.flags, working_directory=self.working_directory, name=self.name
        )

    def compile_preprocessed(self, text: str, further: Sequence[str] = ()) -> bytes:
        """Bitcode of a text that was made of the preprocessed one."""
        return self.compile(text, (*without_preprocessing(self.flags), *further))


def choose_marks(
    criteria: Iterable[str],
    partitions: Mapping[str, tuple[Partition, ...]] = NO_PARTITIONS,
    *,
    is_direct: bool = False,
    mcdc_form: str = "masking",
) -> MarkFinder | None:
    """What the criteria need to have marked; None for nothing. Direct: everything that labels can express is a label.

    `partitions` are of the inputs of functions ('@f')."""
    labelled = choose_labelled(criteria, is_direct=is_direct, mcdc_form=mcdc_form)
    needs = frozenset[Need]().union(*(CRITERIA[name].needs for name in criteria if name not in labelled))
    needs -= {Need.PATHS}  # found in the IR, not in the C
    if not needs and not labelled:
        return None
    if labelled:  # the rooms of labels and mutants are large, and most commands want neither
        from tightrope.coverage.labelling import find_labels
    if Need.MUTANTS in needs:
        from tightrope.coverage.mutation.find_mutants import find_mutants_of

    def find(syntax: FunctionSyntax, function: str, decisions: tuple[Decision, ...]) -> Marks:
        return Marks(
            decisions=decisions if Need.DECISIONS in needs else (),
            labels=find_labels(labelled, syntax, decisions, partitions.get(function, ()), mcdc_form)
            if labelled
            else (),
            accesses=find_accesses(syntax, function) if Need.FLOWS in needs else (),
            mutants=find_mutants_of(syntax, function) if Need.MUTANTS in needs else (),
        )

    return find


def with_flows(marks: Marks, functions: Sequence[Function]) -> Marks:
    """The marks, with the flows between the accesses of these functions in the program."""
    if not marks.accesses:
        return marks
    return replace(marks, flows=tuple(flow for each in functions for flow in find_flows(each, marks.accesses)))


def needs_paths(criteria: Iterable[str]) -> bool:
    return any(Need.PATHS in CRITERIA[name].needs for name in criteria)


def mark_text(
    source: CompilableText,
    bitcode: bytes,
    functions: Sequence[str],
    find_marks: MarkFinder,
    enumerators: Mapping[str, int],
    *,
    is_branching_only: bool = False,
) -> tuple[bytes, Marks]:
    """Marks for these functions ('@f'), and the bitcode (compiled from `source`) with them."""
    plain = ModuleText(raw_text(bitcode))
    syntaxes, problems = _find_syntaxes(source, [each for each in functions if plain.defines(each)])
    found = []
    for name, syntax in syntaxes.items():
        decisions = recover_decisions(syntax, name, enumerators, is_branching_only=is_branching_only)
        found.append(find_marks(syntax, name, tuple(map(_check_size, decisions))))
    found += [_unread(plain, name, find_marks, problem) for name, problem in problems.items()]
    marks = _join_marks(found)
    if marks.mutants:
        text = next(iter(syntaxes.values())).text
        marks = replace(marks, mutants=keep_compilable(source.compile_preprocessed, text, marks.mutants))
    if not list_anchors(marks):
        return bitcode, marks
    preprocessed = next(iter(syntaxes.values())).text
    workshop = _Workshop(source, preprocessed, tuple(syntaxes), plain, marks)
    marked, marks = workshop.mark(bitcode)
    _check_partitions(marks)
    _check_guards(marks)
    return marked, marks


def _check_partitions(marks: Marks) -> None:
    """Refuse a block of a partition that cannot be evaluated: the user wrote it, so it is an error."""
    for label in marks.labels:
        if label.criterion == "idp" and label.problem:
            where = f"of {label.kind} cannot be evaluated when {label.function[1:]} starts"
            raise UsageError(
                f"--partition: `{label.predicate}` {where}",
                hint="a block of a partition is a C expression over parameters and globals",
                slug="partition",
                diagnostics=label.problem,
            )


def _check_guards(marks: Marks) -> None:
    """Refuse a hyperlabel whose guard is no C expression. The labels and the function itself do compile."""
    for label in marks.labels:
        if label.kind == "hyperlabel" and label.problem.startswith(DOES_NOT_COMPILE):
            raise UsageError(
                f'hyperlabel "{label.text}": {label.problem.removeprefix(DOES_NOT_COMPILE)}',
                location=label.location,
                hint="the guard behind `where` is a C expression over bound names",
                slug="hyperlabel",
            )


def _find_syntaxes(
    source: CompilableText, functions: Sequence[str]
) -> tuple[dict[str, FunctionSyntax], dict[str, str]]:
    """By function: its syntax, or why there is none."""
    names = [name.removeprefix("@").strip('"') for name in functions]
    flags, folder = source.flags, source.working_directory
    try:
        found = find_syntax(source.compiler, source.text, names, flags, working_directory=folder, name=source.name)
        problem = "it is not in the compiler's syntax tree"
    except CompileError as error:
        if len(functions) > 1:
            return _find_syntaxes_alone(source, functions)
        found, problem = {}, error.message
    syntaxes = {function: found[name] for function, name in zip(functions, names, strict=True) if name in found}
    return syntaxes, {function: problem for function in functions if function not in syntaxes}


def _find_syntaxes_alone(
    source: CompilableText, functions: Sequence[str]
) -> tuple[dict[str, FunctionSyntax], dict[str, str]]:
    """One by one, so that a problem with one does not affect the others."""
    syntaxes: dict[str, FunctionSyntax] = {}
    problems: dict[str, str] = {}
    for function in functions:
        found, problem = _find_syntaxes(source, [function])
        syntaxes |= found
        problems |= problem
    return syntaxes, problems


def _unread(plain: ModuleText, function: str, find_marks: MarkFinder, problem: str) -> Marks:
    """One decision with a problem, for a function whose syntax is not known: it must not be missing in the report."""
    text = "\n".join(plain.lines)
    header = plain.lines[plain.functions[function]]
    place = read_metadata(text).definition(debug_number(header)) or Location("", 0)
    shown = f"decisions of {function[1:]}"
    decision = Decision(
        function, shown, place, "value", ConditionRef(0), (Condition(shown, place, 0, 0),), problem=problem
    )
    nothing = FunctionSyntax(function[1:], "", SyntaxNode("FunctionDecl", 0, 0, place, False, ()))
    return find_marks(nothing, function, (decision,))


def _check_size(decision: Decision) -> Decision:
    if decision.problem:
        return decision
    is_large = len(decision.conditions) > MAX_CONDITIONS
    return replace(decision, problem=f"it has more than {MAX_CONDITIONS} conditions") if is_large else decision


def _join_marks(every: Iterable[Marks]) -> Marks:
    joined = NOTHING
    for each in every:
        joined = replace(
            joined,
            decisions=(*joined.decisions, *each.decisions),
            labels=(*joined.labels, *each.labels),
            accesses=(*joined.accesses, *each.accesses),
            mutants=(*joined.mutants, *each.mutants),
        )
    return joined


@dataclass(slots=True)
class _Attempt:
    """The result of compiling one anchored text."""

    anchored: ModuleText | None = None
    pairings: dict[str, Pairing] = field(default_factory=dict)  # by function
    problems: dict[str, str] = field(default_factory=dict)  # by function: why there is no pairing


@dataclass(slots=True)
class _Workshop:
    """Drops anchors that do not compile or change the code, until the rest can stay."""

    source: CompilableText
    preprocessed: str
    functions: tuple[str, ...]
    plain: ModuleText
    marks: Marks
    attempts: int = 0

    def mark(self, bitcode: bytes) -> tuple[bytes, Marks]:
        attempt = self._try(list_anchors(self.marks), self.functions)
        if attempt.problems:
            for function in attempt.problems:
                anchors = [each for each in list_anchors(self.marks) if self._mark(each).function == function]
                self._halve(anchors, [], function)
            attempt = self._try(list_anchors(self.marks), self.functions)
        try:
            return self._transplant(attempt), self.marks
        except (ValueError, Mismatch) as problem:
            self._give_up(list_anchors(self.marks), f"its marks cannot be inserted into the compiled code: {problem}")
            return bitcode, self.marks

    # -- one attempt

    def _try(self, anchors: Collection[Anchor], functions: Collection[str]) -> _Attempt:
        try:
            anchored = self._compile(anchors, functions)
        except CompileError as problem:
            said = re.search(r"\berror: (.*)", problem.diagnostics)
            why = f"{DOES_NOT_COMPILE}{said[1] if said else problem.message}"
            return _Attempt(problems=dict.fromkeys(functions, why))
        attempt = _Attempt(anchored)
        for function in functions:
            self._compare(attempt, function)
        return attempt

    def _compile(self, anchors: Collection[Anchor], functions: Collection[str]) -> ModuleText:
        """Compile the text with these anchors. A condition whose anchor gets a constant is itself constant: it loses
        its anchor, so that the compiler folds it as usual."""
        names = [name.removeprefix("@").strip('"') for name in functions]
        small, flags = blank_other_bodies(self.preprocessed, *names), without_preprocessing(self.source.flags)
        flags = (*flags, "-femit-all-decls")  # static functions may be called only by code that was blanked
        while True:
            self.attempts += 1
            bitcode = self.source.compile(anchor_text(small, self.marks, anchors), flags)
            anchored = ModuleText(kept_raw_text(bitcode))
            constants: dict[int, bool] = {}
            for function in functions:
                constants |= constant_conditions(anchored, function)
            if not constants:
                return anchored
            self.marks = with_constants(self.marks, constants)

    def _compare(self, attempt: _Attempt, function: str) -> None:
        assert attempt.anchored is not None
        try:
            pairing = pair(self.plain, attempt.anchored, function)
            Transplant(self.plain, attempt.anchored).insert(function, pairing)
            attempt.pairings[function] = pairing
        except Mismatch as problem:
            attempt.problems[function] = f"marking it would change the compiled code: {problem}"

    def _transplant(self, attempt: _Attempt) -> bytes:
        if attempt.anchored is None:
            raise Mismatch(next(iter(attempt.problems.values()), ""))
        transplant = Transplant(self.plain, attempt.anchored)
        for function, pairing in attempt.pairings.items():
            transplant.insert(function, pairing)
        return assemble(transplant.text())

    # -- which anchors fail

    def _halve(self, anchors: Sequence[Anchor], good: list[Anchor], function: str) -> None:
        """Bisect: an anchor that fails together with the good ones gets a problem; the others become good."""
        attempt = self._try([*good, *anchors], (function,))
        if not attempt.problems:
            good += anchors
        elif len(anchors) <= 1 or self.attempts > MOST_ATTEMPTS:
            self._give_up(anchors, attempt.problems[function])
        else:
            middle = len(anchors) // 2
            self._halve(anchors[:middle], good, function)
            self._halve(anchors[middle:], good, function)

    def _give_up(self, anchors: Iterable[Anchor], problem: str) -> None:
        """The anchors' marks get a problem."""
        for anchor in anchors:
            group = list(getattr(self.marks, anchor.field))
            group[anchor.number] = replace(group[anchor.number], problem=problem)
            self.marks = replace(self.marks, **{anchor.field: tuple(group)})

    def _mark(self, anchor: Anchor) -> Decision | Label | Access:
        found: Decision | Label | Access = getattr(self.marks, anchor.field)[anchor.number]
        return found
