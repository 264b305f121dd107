"""Finds the smallest changes between two versions of a function by comparing their syntax trees.

These are not changes: layout, comments, parentheses, braces, names of locals and labels, `int a, b;` instead of two
declarations, the place of a declaration without an initialiser, and the value of `__LINE__`. If nothing is reported,
the two functions have the same names and types throughout; only declarations outside of them may differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tightrope.commands.diff.changes.change import Change, ChangeKind
from tightrope.commands.diff.changes.excerpt import describe_change, quote_head, quote_part
from tightrope.commands.diff.changes.local_pairing import Local, Twins, list_locals, propose_twins
from tightrope.commands.diff.changes.name_meanings import NOTHING, NameMeanings
from tightrope.commands.diff.changes.normalise_syntax import NormalisedFunction, SyntaxNormaliser
from tightrope.commands.diff.changes.statement_pairing import StatementPair, Wrapping, pair_statements
from tightrope.commands.diff.changes.syntax_part import BLOCK, LOOPS_AND_CHOICES, Shapes, SyntaxPart
from tightrope.program.c_text.syntax import FunctionSyntax

_TYPES = ("RecordDecl", "EnumDecl")
_VARIABLES = ("VarDecl", "ParmVarDecl")


@dataclass(frozen=True, slots=True)
class FunctionChanges:
    """`uses`: expressions with the same text whose type changed because of a declaration outside of the function."""

    changes: tuple[Change, ...]
    uses: tuple[Change, ...] = ()


def compare_syntax(
    old: FunctionSyntax, new: FunctionSyntax, old_meanings: NameMeanings = NOTHING, new_meanings: NameMeanings = NOTHING
) -> tuple[Change, ...]:
    """The changes of a function: its head first, then in the order of the text."""
    found = compare_functions(old, new, old_meanings, new_meanings)
    return (*found.changes, *found.uses)


def compare_functions(
    old: FunctionSyntax, new: FunctionSyntax, old_meanings: NameMeanings, new_meanings: NameMeanings
) -> FunctionChanges:
    mine, theirs = list_locals(old.root, old.text), list_locals(new.root, new.text)
    ways: list[_Comparison] = []
    for twins in propose_twins(mine, theirs):
        shapes, comparison = Shapes(), _Comparison(old, new)
        old_numbers, new_numbers = _number(mine, theirs, twins)
        comparison.compare(
            SyntaxNormaliser(old, old_numbers, _by_name(mine, old_numbers), old_meanings, shapes).read(),
            SyntaxNormaliser(new, new_numbers, _by_name(theirs, new_numbers), new_meanings, shapes).read(),
        )
        ways.append(comparison)
    return min(ways, key=lambda each: each.cost).found()


def _number(old: Sequence[Local], new: Sequence[Local], twins: Twins) -> tuple[dict[str, str], dict[str, str]]:
    """Number the locals; twins get the same number."""
    numbers = {each.key: f"#{at}" for at, each in enumerate(new)}
    others = {each.key: numbers.get(twins.get(each.key, ""), f"#old {at}") for at, each in enumerate(old)}
    return others, numbers


def _by_name(every: Sequence[Local], numbers: dict[str, str]) -> dict[str, str]:
    """The numbers by name, without names that several locals have."""
    names = [each.name for each in every]
    return {each.name: numbers[each.key] for each in every if names.count(each.name) == 1}


@dataclass(slots=True)
class _Comparison:
    """Finds the changes for one pairing of the locals."""

    old: FunctionSyntax
    new: FunctionSyntax
    cost: int = 0  # number of parts in changes
    changes: list[Change] = field(default_factory=list)
    uses: list[Change] = field(default_factory=list)
    following: list[Change] = field(default_factory=list)  # changed types that follow from other changes
    went: dict[str, SyntaxPart] = field(default_factory=dict)  # removed variables, by number
    came: dict[str, SyntaxPart] = field(default_factory=dict)

    def found(self) -> FunctionChanges:
        """The changes. A changed type is reported only if no change explains it."""
        changes = self.changes if self.changes or self.uses else self.following
        return FunctionChanges(tuple(changes), tuple(self.uses))

    def compare(self, old: NormalisedFunction, new: NormalisedFunction) -> None:
        if old.header.typed_shape != new.header.typed_shape or _are_others(old.parameters, new.parameters):
            self._report(ChangeKind.SIGNATURE, old.header, new.header, name=self.new.name, is_head=True)
        self._parameters(old.parameters, new.parameters)
        for number in dict.fromkeys((*old.loose, *new.loose)):
            self._pair(old.loose.get(number), new.loose.get(number))
        self._part(old.body, new.body)
        self._moved_variables()

    # -- parameters and variables

    def _parameters(self, old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> None:
        mine, theirs = {each.says[0]: each for each in old}, {each.says[0]: each for each in new}
        for number in dict.fromkeys((*mine, *theirs)):
            before, after = mine.get(number), theirs.get(number)
            if before is None or after is None or before.typed_shape != after.typed_shape:
                self._report(ChangeKind.PARAMETER, before, after)

    def _variable(self, old: SyntaxPart, new: SyntaxPart) -> None:
        """Compare a variable. The initialiser of a static one is one unit, as for globals."""
        is_static = "static" in (old.says[1], new.says[1])
        is_plain = old.says == new.says and old.type == new.type
        if old.typed_shape == new.typed_shape:
            return
        if is_plain and is_static and old.shape != new.shape:
            self._report(ChangeKind.INITIALISER, old, new)
        elif is_plain and len(old.children) == len(new.children) and _is_inside(old.children, new.children):
            self._children(old, new)
        elif is_plain and old.shape == new.shape:
            self._types(old, new)
        else:
            self._report(ChangeKind.VARIABLE, old, new)

    def _moved_variables(self) -> None:
        """Compare declarations that were removed in one place and added in another; equal ones have only moved."""
        for number in dict.fromkeys((*self.went, *self.came)):
            old, new = self.went.get(number), self.came.get(number)
            if old and new and old.typed_shape != new.typed_shape:
                self._report(ChangeKind.VARIABLE, old, new)
                continue
            for each in filter(None, (old, new)):
                self._report(ChangeKind.VARIABLE, old if each is old else None, new if each is new else None)

    # -- statements

    def _pair(self, old: SyntaxPart | None, new: SyntaxPart | None) -> None:
        if old is not None and new is not None:
            self._part(old, new, is_statement=True)
        elif old is not None:
            self._went(old)
        elif new is not None:
            self._came(new)

    def _went(self, part: SyntaxPart) -> None:
        if part.kind == "VarDecl":
            self.went[part.says[0]] = part
        else:
            self._report(_kind_of(part, is_statement=True), part, None)

    def _came(self, part: SyntaxPart) -> None:
        if part.kind == "VarDecl":
            self.came[part.says[0]] = part
        else:
            self._report(_kind_of(part, is_statement=True), None, part)

    def _statements(self, old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> None:
        for each in pair_statements(old, new):
            if isinstance(each, Wrapping):
                self._wrapping(each)
            else:
                self._pair(*each)

    def _wrapping(self, wrapping: Wrapping) -> None:
        """The surrounding statement is one change; the statements inside are compared with the previous ones."""
        around, inside = wrapping.around, wrapping.block.statements
        beside = [each for block in around.bodies if block is not wrapping.block for each in block.statements]
        if wrapping.is_old:
            self._report(ChangeKind.STATEMENT, around, None, is_head=True)
            self._statements(inside, wrapping.statements)
            self._all((each, None) for each in beside)
        else:
            self._report(ChangeKind.STATEMENT, None, around, is_head=True)
            self._statements(wrapping.statements, inside)
            self._all((None, each) for each in beside)

    def _all(self, pairs: Iterable[StatementPair]) -> None:
        for old, new in pairs:
            self._pair(old, new)

    # -- expressions

    def _part(self, old: SyntaxPart, new: SyntaxPart, is_statement: bool = False) -> None:
        if old.typed_shape == new.typed_shape:
            return
        if old.kind == new.kind == BLOCK:
            self._statements(old.statements, new.statements)
        elif old.kind == new.kind == "VarDecl" and old.says[0] == new.says[0]:
            self._variable(old, new)
        elif old.shape == new.shape:
            self._types(old, new)
        elif _says_the_same(old, new) and not _is_operand(old, new):
            self._children(old, new)
        else:
            self._report(_kind_of(new, is_statement), old, new)

    def _children(self, old: SyntaxPart, new: SyntaxPart) -> None:
        for mine, theirs in zip(old.children, new.children, strict=True):
            if mine is not None and theirs is not None:
                self._part(mine, theirs)
            elif mine is not theirs:
                self._report(ChangeKind.EXPRESSION, mine, theirs)

    def _types(self, old: SyntaxPart, new: SyntaxPart) -> None:
        """Compare the types of two parts with the same text."""
        if old.typed_shape == new.typed_shape:
            return
        if old.kind == "VarDecl" and old.type != new.type:
            self._report(ChangeKind.VARIABLE, old, new)
        pairs = [(a, b) for a, b in zip(old.children, new.children, strict=True) if a is not None and b is not None]
        for mine, theirs in pairs:
            self._types(mine, theirs)
        if all(mine.typed_shape == theirs.typed_shape for mine, theirs in pairs) and old.kind != "VarDecl":
            self._type_of_one(old, new)

    def _type_of_one(self, old: SyntaxPart, new: SyntaxPart) -> None:
        """Report a changed type at its use, because its declaration may be in a header that is not compared."""
        is_declared_here = new.kind == "DeclRefExpr" and new.says[0] == ""
        is_declared = new.kind in ("DeclRefExpr", "MemberExpr") and old.type != new.type and not is_declared_here
        change = self._describe(ChangeKind.EXPRESSION, old, new, new.node.name if is_declared else "")
        if is_declared:
            self.uses.append(change)
            self.cost += new.size
        else:
            self.following.append(change)

    # -- reports

    def _report(
        self, kind: ChangeKind, old: SyntaxPart | None, new: SyntaxPart | None, name: str = "", is_head: bool = False
    ) -> None:
        sizes = [_head_size(each) if is_head else each.size for each in (old, new) if each is not None]
        self.cost += sum(sizes)
        self.changes.append(self._describe(kind, old, new, name, is_head))

    def _describe(
        self, kind: ChangeKind, old: SyntaxPart | None, new: SyntaxPart | None, name: str = "", is_head: bool = False
    ) -> Change:
        cut = quote_head if is_head else quote_part
        pieces = cut(self.old, old) if old else None, cut(self.new, new) if new else None
        return describe_change(kind, self.new.name, name or _name_of(new or old), *pieces)


def _kind_of(part: SyntaxPart, is_statement: bool) -> ChangeKind:
    if part.kind in _TYPES:
        return ChangeKind.TYPE
    if part.kind in _VARIABLES:
        return ChangeKind.VARIABLE
    return ChangeKind.STATEMENT if is_statement else ChangeKind.EXPRESSION


def _name_of(part: SyntaxPart | None) -> str:
    return part.node.name if part is not None and part.kind in (*_VARIABLES, *_TYPES) else ""


def _says_the_same(old: SyntaxPart, new: SyntaxPart) -> bool:
    return old.kind == new.kind and old.says == new.says and len(old.children) == len(new.children)


def _is_operand(old: SyntaxPart, new: SyntaxPart) -> bool:
    """True if `a + b` became `a + b + c`: no operand was replaced by another."""
    return old.shape in _shapes(new.children) or new.shape in _shapes(old.children)


def _shapes(parts: Iterable[SyntaxPart | None]) -> list[int]:
    return [each.shape for each in parts if each is not None]


def _is_inside(old: Sequence[SyntaxPart | None], new: Sequence[SyntaxPart | None]) -> bool:
    """True if the difference is inside these, and none was replaced by another."""
    pairs = [(a, b) for a, b in zip(old, new, strict=True) if a is not None and b is not None]
    return len(pairs) == len(old) and all(a.shape == b.shape or _says_the_same(a, b) for a, b in pairs)


def _are_others(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> bool:
    """True if some were added or removed, swapped, or have another type."""
    return [(each.says[0], each.type) for each in old] != [(each.says[0], each.type) for each in new]


def _head_size(part: SyntaxPart) -> int:
    inside = sum(block.size for block in part.bodies) if part.kind in LOOPS_AND_CHOICES else 0
    return part.size - inside
