"""Anchored text: preprocessed C in which each condition, label and access has a call, an *anchor*.

    while (a > 3 && b)       →     while (tightrope_condition(7, a > 3) && tightrope_condition(8, b))
    x = y / z;               →     tightrope_label_begin(3), tightrope_label_end(3, (z == 0)); x = y / z;
    r = i++ * k;             →     r = tightrope_then_int((t1 = (i++)) * (t2 = (k)), (... label_end(4, (t1 > t2)), 0));

The last one is a label behind an evaluation. `tightrope_then_int` has its first argument as its value; clang evaluates
arguments from left to right. What must not be evaluated twice is kept in *temporaries*, t1 and t2.

This is the first of three steps that put marks into the IR of the program without changing the code that runs:

    preprocessed C ──────────── clang ──> IR ─────────────────────────┬──────────────> transplant.py ──> IR with marks
          │                                                            │                    ↑
          └─> anchors.py ─> C with anchors ── clang ──> anchored IR ──> lockstep.py ── where marks belong

The anchored C is compiled only to find the anchors among the instructions. Nothing is removed from the text, and no
line break is added.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from tightrope.program.c_text.preprocessed import on_one_line
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.marks.accesses import Access
from tightrope.program.marks.labels import Form, Label, Temporary, Update
from tightrope.program.marks.marks import (
    CONDITION,
    LABEL_BEGIN,
    LABEL_END,
    REACH,
    THEN,
    UPDATE_BEGIN,
    UPDATE_END,
    Marks,
)

POINTER = "const volatile void *"
VALUE_TYPES = {POINTER: "pointer"} | {
    name: name.replace(" ", "_").replace("_Bool", "bool")
    for name in (
        *("_Bool", "int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long"),
        *("float", "double", "long double"),
    )
}
"""Types that a value may have behind which labels stand, and what their function is called."""
DECLARATIONS = (
    f"_Bool {CONDITION[1:]}(int, _Bool); void {REACH[1:]}(int); "
    f"void {LABEL_BEGIN[1:]}(int); void {LABEL_END[1:]}(int, _Bool); "
    f"void {UPDATE_BEGIN[1:]}(void); void {UPDATE_END[1:]}(void); "
    + " ".join(f"{kind} {THEN[1:]}{word}({kind}, int);" for kind, word in VALUE_TYPES.items())
    + "\n"
)
_SPACE = re.compile(r"(?:[ \t\n\f\v\r]|^#[^\n]*\n)*", re.MULTILINE)  # line markers are no more than space


@dataclass(frozen=True, slots=True)
class Anchor:
    """A decision, a label or an access of the marks, which may get an anchor or not."""

    field: str  # of Marks: 'decisions', 'labels', 'accesses'
    number: int  # its position there


@dataclass(frozen=True, slots=True)
class _Insertion:
    """Text before and behind a slice of the C. Labels and accesses stand outside of conditions."""

    start: int
    end: int
    before: str
    behind: str
    rank: int


def list_anchors(marks: Marks) -> list[Anchor]:
    """Everything that can be anchored; each can be left out alone when the compiler rejects it."""
    every: tuple[tuple[str, Sequence[Decision | Label | Access]], ...] = (
        ("decisions", marks.decisions),
        ("labels", marks.labels),
        ("accesses", marks.accesses),
    )
    return [Anchor(field, number) for field, group in every for number, each in enumerate(group) if not each.problem]


def anchor_text(text: str, marks: Marks, chosen: Collection[Anchor]) -> str:
    """The preprocessed text with the chosen anchors."""
    insertions = [insertion for anchor in chosen for insertion in _insertions(text, marks, anchor)]
    labels = [marks.labels[anchor.number] for anchor in chosen if anchor.field == "labels"]
    needed = {each.name: each for label in labels for each in label.temporaries}
    insertions += [insertion for each in needed.values() for insertion in _temporary_insertions(text, each)]
    parts, at = [DECLARATIONS], 0
    for offset, inserted in _in_order(insertions):
        parts += [text[at:offset], inserted]
        at = offset
    return "".join((*parts, text[at:]))


def _insertions(text: str, marks: Marks, anchor: Anchor) -> Iterator[_Insertion]:
    if anchor.field == "decisions":
        yield from _condition_insertions(marks, anchor.number)
    elif anchor.field == "labels":
        label = marks.labels[anchor.number]
        yield _put_before(text, label, _label_calls(anchor.number, label), 2)
    else:
        yield _put_before(text, marks.accesses[anchor.number], f"{REACH[1:]}({anchor.number})", 1)


def _condition_insertions(marks: Marks, decision: int) -> Iterator[_Insertion]:
    """Conditions of a decision; a constant gets no anchor, because the compiler would not fold it any more."""
    first = marks.first_condition(decision)
    for number, condition in enumerate(marks.decisions[decision].conditions, first):
        if condition.constant is None:
            outer, inner = _cast(condition.number_type), _cast(condition.tested_type)
            opening = f"{outer}{CONDITION[1:]}({number}, {inner}("
            yield _Insertion(condition.start, condition.end, opening, "))", 3)


def _cast(kind: str) -> str:
    """Conversions that C makes by itself, but not around a call."""
    return f"({kind})" if kind else ""


def _label_calls(number: int, label: Label) -> str:
    predicate = on_one_line(label.predicate)
    return f"{LABEL_BEGIN[1:]}({number}), {LABEL_END[1:]}({number}, ({predicate}))"


def _temporary_insertions(text: str, each: Temporary) -> Iterator[_Insertion]:
    initial = f" = {each.initial}" if each.initial else ""
    declared = f" __attribute__((nodebug)) {each.type} {each.name}{initial};"
    yield _Insertion(each.declared_at, each.declared_at, declared, "", 0)
    if each.captures:
        yield _Insertion(*each.captures, f"({each.name} = {_cast(each.promoted)}(", "))", 4)
    for update in each.updates:
        calls = f"{UPDATE_BEGIN[1:]}(), (void)({update.text}), {UPDATE_END[1:]}()"
        yield _put_before(text, update, calls, 3 if update.is_late else 1)


def _put_before(text: str, each: Label | Access | Update, calls: str, rank: int) -> _Insertion:
    match each.form:
        case Form.VALUE:
            assert isinstance(each, Label)
            opening = f"({_own_type(text, each)}{THEN[1:]}{VALUE_TYPES[each.value_type]}("
            return _Insertion(each.start, each.end, opening, f", ({calls}, 0)))", rank)
        case Form.STATEMENT:
            return _Insertion(each.start, each.start, f"{calls}; ", "", rank)
        case Form.BEHIND:
            end = _end_of_statement(text, each.end)
            return _Insertion(end, end, f" {calls};", "", 0)
        case Form.BODY:
            return _Insertion(each.start, _end_of_statement(text, each.end), f"{{ {calls}; ", " }", rank)
        case Form.BODY_END:
            return _Insertion(each.start, _end_of_statement(text, each.end), "{ ", f" {calls}; }}", rank)
        case Form.EXPRESSION:
            return _Insertion(each.start, each.end, f"({calls}, ", ")", rank)


def _own_type(text: str, label: Label) -> str:
    """A pointer comes back without its type. `typeof` evaluates nothing."""
    if label.value_type != POINTER:
        return ""
    return f"(__typeof__({on_one_line(text[label.start : label.end])}))"


def _end_of_statement(text: str, end: int) -> int:
    """The compiler's statement may end before its semicolon."""
    if text[end - 1] == ";":
        return end
    found = _SPACE.match(text, end)
    after = found.end() if found else end
    return after + 1 if text[after : after + 1] == ";" else end


def _in_order(insertions: Collection[_Insertion]) -> Iterator[tuple[int, str]]:
    """Brackets nest: at one offset the inner ones close first, then the outer ones open first. What only precedes a
    statement goes outside of every expression that starts there."""
    keyed: list[tuple[tuple[int, ...], int, str]] = []
    for order, each in enumerate(insertions):
        is_empty = each.end == each.start
        outermost = (each.start, 1, 0) if is_empty else (each.start, 2, -each.end)
        keyed.append(((*outermost, each.rank, order), each.start, each.before))
        if not is_empty:
            keyed.append(((each.end, 0, -each.start, -each.rank, -order), each.end, each.behind))
    return ((offset, inserted) for _, offset, inserted in sorted(keyed))


def with_constants(marks: Marks, values: Mapping[int, bool]) -> Marks:
    """The marks, with the value of each condition (by number) that the compiler found to be constant."""
    numbers = count()
    decisions = tuple(
        replace(each, conditions=tuple(_with_constant(one, values.get(next(numbers))) for one in each.conditions))
        for each in marks.decisions
    )
    return replace(marks, decisions=decisions)


def _with_constant(condition: Condition, value: bool | None) -> Condition:
    return condition if value is None else replace(condition, constant=value)
