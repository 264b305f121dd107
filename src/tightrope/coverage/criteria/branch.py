"""Branch coverage: both sides of each conditional branch, every case of each switch.

E. F. Miller, "Program testing: art meets theory", 1977, measure C1 (every edge of the control-flow
graph); gcov's `--branch-counts` counts the same thing. In the normal form of a program every operand of `&&`,
`||` and `?:` that controls a jump is a branch of its own; an operand whose value is only stored is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from tightrope.coverage.criterion import NO_MARKS, Need, Subject
from tightrope.coverage.objective import Objective, number_equals, relative_place
from tightrope.location import Location
from tightrope.program.c_text.c_tokens import literal_value
from tightrope.program.c_text.source_text import CaseLabel
from tightrope.program.flow.constants import Constants
from tightrope.program.ir.model import Block, Instruction
from tightrope.program.ir.types import IntType


class Branch:
    """Two objectives per conditional branch of the function; one per case, and one for the default."""

    name: ClassVar[str] = "branch"
    help: ClassVar[str] = "both sides of each conditional branch are taken, and every case of each switch"
    needs: ClassVar[frozenset[Need]] = NO_MARKS

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        constants = Constants(subject.function)
        blocks = [block for block in subject.function.blocks if block.name not in subject.label_blocks]
        branches = [_read_branch(subject, constants, block) for block in blocks if _is_branch(block)]
        found = [objective for branch in _number_shared(branches) for objective in _branch_sides(subject, branch)]
        for block in blocks:
            if block.instructions[-1].opcode == "switch":
                found += _switch_sides(subject, constants, block)
        return tuple(sorted(number_equals(found), key=lambda each: each.location))


@dataclass(frozen=True, slots=True)
class _Branch:
    """A two-way branch in terms of the source."""

    block: str
    place: Location
    condition: str
    always: int | None  # the only side that can be taken
    verbs: tuple[str, str] = ("is false", "is true")  # by side


def _is_branch(block: Block) -> bool:
    """A two-way branch of the C. Where `va_arg` looks is decided by code of the compiler."""
    last = block.instructions[-1]
    return last.opcode == "br" and bool(last.operands) and not last.targets[0].startswith("vaarg.")


def _read_branch(subject: Subject, constants: Constants, block: Block) -> _Branch:
    """A branch with its condition, place and text.

    The i1 that computes a leaf condition carries the condition's own place, the branch that of its
    operator or statement. A Boolean that was stored (`while (x = a && b)`) has no place: that of its statement is used.
    """
    last = block.instructions[-1]
    definition, always = constants.definition(last.operands[0]), constants.value(last.operands[0])
    place = definition.location if definition else None
    if block.name.startswith("sw.caserange") and definition:
        where = last.location or subject.first
        return _Branch(block.name, where, _show_range(block), always, ("is not taken", "is taken"))
    if definition and definition.opcode != "phi" and place and place.line and place.column:
        return _Branch(block.name, *_read_leaf(subject, place, last.location), always)
    place = last.location if last.location and last.location.line else subject.first
    text = _constant_text(subject, place) if definition is None else ""
    # For a branch on `!c`, compilers exchange the sides of a branch on c. It lies at the `!` if c is a constant.
    text = text or subject.source.negated(place) or subject.source.controlling(place)
    return _Branch(block.name, place, text, always)


def _constant_text(subject: Subject, place: Location) -> str:
    """What a branch on a constant is about, which lies at an operator or statement around it; '' if that is as good.

    Of `a && 0` the constant is the last operand, so the whole has its value. Of `(1 ? a : b) || c` it is not: that may
    be false where the constant is true.
    """
    source = subject.source
    whole = source.negated(place) or source.controlling(place)
    _, last = source.right_operand(place) or (place, whole)
    is_told = "?" not in whole and source.value(last, place.file) is not None
    return "" if is_told else f"constant condition of {whole}"


def _read_leaf(subject: Subject, place: Location, branch: Location | None) -> tuple[Location, str]:
    """Where a leaf condition is, and its text.

    The comparison of a number with zero has the place of the expression around it, if that is computed as a value:
    for the last operand of `while (a && b)` the place of the `&&`, for `c & 1 ? 4 : 5` the start of the `?:`,
    for `while (a ? b : c)` the `while`.
    """
    operand = subject.source.right_operand(place)
    if operand:
        return operand
    chooser = subject.source.chooser(place) if place == branch else ""
    if chooser:
        return place, chooser
    text = subject.source.controlling(place) if place == branch else subject.source.condition(place)
    return place, f"condition of {text}" if _is_macro(subject, place, text) else text


def _is_macro(subject: Subject, place: Location, text: str) -> bool:
    """True for `IN_RANGE(x)` or `READY`: the condition is written elsewhere, and may be the negation."""
    if not re.fullmatch(r"\w+ ?\(.*\)", text):
        return text in subject.source.file(place.file).macros
    calls = (each for each in subject.function.instructions() if each.opcode == "call")
    return not any(call.location == place and not call.callee.startswith("@llvm.") for call in calls)


def _show_range(block: Block) -> str:
    """`case 200 ... 900`: clang tests a large range by `sub value, 200` and `icmp ule that, 700`."""
    low, span = (each.operands[1].text for each in block.instructions[-3:-1])
    return f"case {low} ... {int(low) + int(span)}" if low.lstrip("-").isdigit() and span.isdigit() else "case range"


def _number_shared(branches: list[_Branch]) -> Iterator[_Branch]:
    """All conditions of one macro expansion share one place and text: number them, in evaluation order."""
    together = Counter(branch.place for branch in branches)
    seen: Counter[Location] = Counter()
    for branch in branches:
        seen[branch.place] += 1
        if together[branch.place] > 1:
            whole = branch.condition.removeprefix("condition of ")
            branch = replace(branch, condition=f"condition {seen[branch.place]} of {whole}")
        yield branch


def _branch_sides(subject: Subject, branch: _Branch) -> Iterator[Objective]:
    for side, word in ((1, "true"), (0, "false")):
        yield Objective(
            id=f"{subject.name}:branch:{relative_place(branch.place, subject.first)}:{word}",
            criterion=Branch.name,
            kind=word,
            location=branch.place,
            text=f"{branch.condition} {branch.verbs[side]}",
            points=(subject.point(branch.block, side),),
            sentence=f"in no test `{branch.condition}` {branch.verbs[side]}",
            is_constant=branch.always is not None and branch.always != side,
        )


@dataclass(frozen=True, slots=True)
class _SwitchSide:
    """One way out of a switch."""

    number: int
    word: str  # for the id: 'case-5', 'default'
    text: str  # for people: 'case GREEN (5)', 'default'
    place: Location
    sentence: str


def _switch_sides(subject: Subject, constants: Constants, block: Block) -> Iterator[Objective]:
    last = block.instructions[-1]
    place = last.location if last.location and last.location.line else subject.first
    value = constants.value(last.operands[0])
    chosen = None if value is None else (last.cases.index(value) + 1 if value in last.cases else 0)
    for side in (*_case_sides(subject, last, place), _default_side(subject, last, place)):
        yield Objective(
            id=f"{subject.name}:branch:{relative_place(place, subject.first)}:{side.word}",
            criterion=Branch.name,
            kind="case" if side.number else "default",
            location=side.place,
            text=side.text,
            points=(subject.point(block.name, side.number),),
            sentence=side.sentence,
            is_constant=chosen is not None and chosen != side.number,
        )


def _case_sides(subject: Subject, last: Instruction, place: Location) -> Iterator[_SwitchSide]:
    labels = _labels_of_cases(subject, last, place)
    for number, unsigned in enumerate(last.cases, start=1):
        value = _as_signed(last, unsigned)
        label = labels.get(number)
        shown = f"case {label.text}" if label else f"case {value}"
        if label and literal_value(label.text) is None:
            shown += f" ({value})"
        yield _SwitchSide(number, f"case-{value}", shown, label.location if label else place, f"no test takes {shown}")


def _default_side(subject: Subject, last: Instruction, place: Location) -> _SwitchSide:
    written = [label for label in subject.source.case_labels(place) if not label.text]
    text = "default" if written or not subject.source.case_labels(place) else "no case matches"
    sentence = "no test takes the default" if text == "default" else "in every test some case matches"
    return _SwitchSide(0, "default", text, written[0].location if written else place, sentence)


def _labels_of_cases(subject: Subject, last: Instruction, place: Location) -> dict[int, CaseLabel]:
    """Case number -> its label in the text: by value where the text tells it, else by order."""
    labels = [label for label in subject.source.case_labels(place) if label.text and "..." not in label.text]
    values = [_unsigned(last, subject.source.value(label.text, place.file)) for label in labels]
    numbers = {value: number for number, value in enumerate(last.cases, start=1)}
    matched = {numbers[v]: label for label, v in zip(labels, values, strict=True) if v in numbers}
    unread = [label for label, value in zip(labels, values, strict=True) if value is None]
    unmatched = [number for number in range(1, len(last.cases) + 1) if number not in matched]
    if len(unread) == len(unmatched):
        matched |= dict(zip(unmatched, unread, strict=True))
    return matched


def _bits(last: Instruction) -> int:
    kind = last.operands[0].type
    return kind.bits if isinstance(kind, IntType) else 64


def _unsigned(last: Instruction, value: int | None) -> int | None:
    return None if value is None else value % (1 << _bits(last))


def _as_signed(last: Instruction, value: int) -> int:
    return value - (1 << _bits(last)) if value >> (_bits(last) - 1) else value
