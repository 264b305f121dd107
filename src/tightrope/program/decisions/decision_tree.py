"""One expression as a tree of Boolean operators over conditions.

How an expression is evaluated decides what may be a condition of it. clang takes the operands of && apart and branches
on each, but a number that is tested only after it was computed stays in one piece:

    if (p ? x : y)         branches:  p, x and y are tested
    while (p ? x : y)      computes:  p is tested for the `?:`, then its result is
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from tightrope.program.c_text.constant_expressions import asked_of_optimiser, constant_value, may_be_constant
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.decisions.boolean_tree import (
    And,
    Both,
    Choice,
    ConditionRef,
    Differ,
    Either,
    Not,
    Or,
    Same,
    Tree,
)


class UsedAs(Enum):
    """What is done with the value of an expression."""

    BRANCH = "it decides a branch"
    TRUTH = "it is computed, then tested"
    NUMBER = "it is used as a number"


@dataclass(frozen=True, slots=True)
class ConditionSyntax:
    """A condition of a tree, as the syntax has it."""

    node: SyntaxNode
    constant: bool | None
    number_type: str = ""  # of a Boolean whose value is used as a number; '' where it is only tested
    tested_type: str = ""  # to which it is promoted before it is tested: a `char` in `&&` is an `int`
    is_other_number: bool = False  # its value is used as a number, and may be another one than 0 and 1
    is_in_doubt: bool = False  # the compiler may know that it is a constant


_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_LOGICAL: dict[str, Callable[[Tree, Tree], Tree]] = {"&&": And, "||": Or}
_BETWEEN_BOOLEANS: dict[str, Callable[[Tree, Tree], Tree]] = {
    "^": Differ, "!=": Differ, "==": Same, "&": Both, "|": Either,
}  # fmt: skip
_EXPECT = frozenset(("__builtin_expect", "__builtin_expect_with_probability"))
_CASTS = frozenset(("ImplicitCastExpr", "CStyleCastExpr"))
_TO_BOOLEAN = frozenset(("IntegralToBoolean", "FloatingToBoolean", "PointerToBoolean"))
_FAILURES = ("__assert", "_assert", "__aeabi_assert")  # what assert() calls: glibc, musl, BSD, newlib, Windows, Arm


def called(node: SyntaxNode) -> str:
    """The name of the function that a CallExpr calls; '' for a pointer."""
    callee = node.children[0] if node.children else None
    while callee is not None and callee.kind in ("ImplicitCastExpr", "ParenExpr"):
        callee = callee.children[0]
    return callee.name if callee is not None and callee.declares == "FunctionDecl" else ""


def strip(node: SyntaxNode) -> SyntaxNode:
    """The expression without what clang looks through wherever it looks at one: parentheses and choices made before."""
    while (inner := _inside(node)) is not None:
        node = inner
    return node


def _inside(node: SyntaxNode) -> SyntaxNode | None:
    if node.kind == "ParenExpr" or (node.kind == "UnaryOperator" and node.opcode == "__extension__"):
        return node.children[0]
    if node.kind == "GenericSelectionExpr":
        chosen = next((each for each in node.children if each is not None and each.opcode == "selected"), None)
        return chosen.children[-1] if chosen is not None and chosen.children else None
    if node.kind == "ChooseExpr":
        value = constant_value(node.children[0], {})
        return None if value is None else node.children[1 if value else 2]
    return None


def is_operator(node: SyntaxNode) -> bool:
    """True for && || and !, the operators that make a decision of any expression."""
    is_one = node.opcode in _LOGICAL if node.kind == "BinaryOperator" else _is_not(node)
    return is_one and not _is_vector(node)


def _is_not(node: SyntaxNode) -> bool:
    return node.kind == "UnaryOperator" and node.opcode == "!"


def _is_vector(node: SyntaxNode) -> bool:
    """Then the operator works on each element, and tests nothing."""
    return "vector" in node.type


def is_boolean(node: SyntaxNode | None) -> bool:
    """Can the value only be 0 or 1, by what the expression is?"""
    if node is None:
        return False
    node = strip(node)
    if node.type in ("_Bool", "bool") or is_operator(node) or (node.kind == "BinaryOperator" and _compares(node)):
        return True
    if node.kind in _CASTS and node.opcode in ("IntegralCast", "NoOp"):
        return is_boolean(node.children[0])
    if _is_comma(node):
        return is_boolean(node.children[1])
    return is_boolean_operation(node) or _is_expected(node) or _chooses_booleans(node)


def decides_alone(node: SyntaxNode) -> bool:
    """True for a Boolean that is computed without an operator of a tree: a comparison, a number as `_Bool`."""
    if node.kind == "BinaryOperator":
        return _compares(node)
    if node.kind not in _CASTS or node.opcode not in _TO_BOOLEAN or node.children[0] is None:
        return False
    inner = strip(node.children[0])
    return not is_boolean(inner) and not (inner.kind == "ConditionalOperator" and _has_known_arms(inner))


def _has_known_arms(node: SyntaxNode) -> bool:
    """`c ? true : false`: `c` decides."""
    return all(is_boolean(arm) or constant_value(arm, {}) is not None for arm in node.children[1:3])


def parts_of_condition(node: SyntaxNode) -> tuple[SyntaxNode | None, ...]:
    """Where further decisions may be inside of a condition. What only passes its value on is none of its own: the
    comparison in `(bool)(a > b)`, and in `(a > b) == 1`."""
    bare = strip(node)
    while bare.kind in _CASTS and bare.children[0] is not None:
        bare = strip(bare.children[0])
    if bare.kind != "BinaryOperator" or not _compares(bare):
        return (bare,)
    if bare.opcode in ("==", "!=") and any(constant_value(each, {}) is not None for each in bare.children):
        return tuple(
            part
            for each in bare.children
            for part in (parts_of_condition(each) if each is not None and is_boolean(each) else (each,))
        )
    return bare.children


def find_root(node: SyntaxNode) -> SyntaxNode:
    """What decides: of a comma the right side."""
    node = strip(node)
    while _is_comma(node) and node.children[1] is not None:
        node = strip(node.children[1])
    return node


def is_assertion(node: SyntaxNode) -> bool:
    """Is this what assert(...) becomes?

    if (x) ; else __assert_fail(...);        x ? (void)0 : __assert_fail(...)        x || (__assert_fail(...), 0)
    """
    if node.kind in ("IfStmt", "ConditionalOperator"):
        return len(node.children) > 2 and _fails(node.children[2])
    return (
        node.kind == "BinaryOperator"
        and node.opcode == "||"
        and _is_comma(node.children[1])
        and _fails(node.children[1])
    )


def _fails(node: SyntaxNode | None) -> bool:
    while node is not None and node.kind in (*_CASTS, "ParenExpr", "UnaryOperator", "BinaryOperator"):
        node = node.children[0]
    return node is not None and node.kind == "CallExpr" and called(node).startswith(_FAILURES)


def _is_comma(node: SyntaxNode | None) -> bool:
    node = node and strip(node)
    return node is not None and node.kind == "BinaryOperator" and node.opcode == ","


def _compares(node: SyntaxNode) -> bool:
    return node.opcode in _COMPARISONS and not _is_vector(node)


def is_boolean_operation(node: SyntaxNode) -> bool:
    """`^ & |` of two Booleans (and `== !=`, which always are); with a constant it is a condition like `x & 1`."""
    if node.kind != "BinaryOperator" or node.opcode not in _BETWEEN_BOOLEANS:
        return False
    return all(is_boolean(each) and constant_value(each, {}) is None for each in node.children)


def _is_expected(node: SyntaxNode) -> bool:
    return node.kind == "CallExpr" and called(node) in _EXPECT and is_boolean(node.children[1])


def _chooses_booleans(node: SyntaxNode) -> bool:
    if node.kind != "ConditionalOperator":
        return False
    arms = node.children[1:3]
    return any(map(is_boolean, arms)) and all(is_boolean(arm) or constant_value(arm, {}) in (0, 1) for arm in arms)


@dataclass(slots=True)
class TreeReader:
    """Reads one tree and keeps what it comes across: the conditions in their order, and the left sides of commas."""

    enumerators: Mapping[str, int]
    folded: Mapping[tuple[int, int], bool | None] = field(default_factory=dict)  # by slice: what the compiler says
    conditions: list[ConditionSyntax] = field(default_factory=list)
    aside: list[SyntaxNode] = field(default_factory=list)
    may_be_left_unseen: bool = False  # `a && (f(), 1)`: whether f comes back is not seen at the constant

    def read(self, node: SyntaxNode, used_as: UsedAs, tested_type: str = "") -> Tree:
        node = strip(node)
        if node.opcode == "IntegralCast" and node.kind == "ImplicitCastExpr" and _is_comma(node.children[0]):
            tested_type, node = node.type, strip(node.children[0] or node)
        if _is_comma(node):
            return self._read_comma(node, UsedAs.TRUTH if used_as is UsedAs.BRANCH else used_as, tested_type)
        if is_operator(node):
            return self._read_operator(node, used_as)
        if node.kind == "ConditionalOperator" and (used_as is UsedAs.BRANCH or _chooses_booleans(node)):
            return self._read_choice(node, used_as)
        if is_boolean_operation(node):
            left = self._read_part(node, 0, UsedAs.NUMBER)
            return _BETWEEN_BOOLEANS[node.opcode](left, self._read_part(node, 1, UsedAs.NUMBER))
        if _is_expected(node):
            return self._read_part(node, 1, UsedAs.NUMBER)
        if _widens_boolean(node) or (node.kind in _CASTS and is_boolean(node) and _holds_operator(node.children[0])):
            return self._read_part(node, 0, UsedAs.NUMBER)
        return self._read_condition(node, used_as, tested_type)

    def _read_part(self, node: SyntaxNode, position: int, used_as: UsedAs, tested_type: str = "") -> Tree:
        part = node.children[position]
        return self.read(node if part is None else part, used_as, tested_type)

    def _read_comma(self, node: SyntaxNode, used_as: UsedAs, tested_type: str) -> Tree:
        aside, before = node.children[0], len(self.conditions)
        self.aside += [aside] if aside is not None else []
        tree = self._read_part(node, 1, used_as, tested_type)
        has_constant = any(part.constant is not None for part in self.conditions[before:])
        self.may_be_left_unseen |= bool(before) and has_constant and _calls(aside)
        return tree

    def _read_operator(self, node: SyntaxNode, used_as: UsedAs) -> Tree:
        last = UsedAs.BRANCH if used_as is UsedAs.BRANCH else UsedAs.TRUTH
        if node.opcode == "!":
            return Not(self._read_part(node, 0, last))
        left = self._read_part(node, 0, UsedAs.BRANCH)
        return _LOGICAL[node.opcode](left, self._read_part(node, 1, last))

    def _read_choice(self, node: SyntaxNode, used_as: UsedAs) -> Tree:
        """Where both arms are constants, clang selects instead of branching."""
        arms = UsedAs.BRANCH if used_as is UsedAs.BRANCH else UsedAs.NUMBER
        is_select = used_as is not UsedAs.BRANCH and has_constant_arms(node, self.enumerators)
        chooser = self._read_part(node, 0, UsedAs.TRUTH if is_select else UsedAs.BRANCH)
        then = self._read_part(node, 1, arms)
        return Choice(chooser, then, self._read_part(node, 2, arms))

    def _read_condition(self, node: SyntaxNode, used_as: UsedAs, tested_type: str) -> Tree:
        value = constant_value(_assigned(node), self.enumerators)
        bare = _without_implicit_casts(node)
        number_type = ("_Bool" if node.opcode in _TO_BOOLEAN else bare.type) if used_as is UsedAs.NUMBER else ""
        is_other_number = bool(number_type) and value is None and not is_boolean(node)
        if node.opcode == "IntegralCast" and node is not bare:
            tested_type = tested_type or node.type
        tested_type = "" if number_type else tested_type
        constant = self._folded(bare) if value is None else bool(value)
        is_in_doubt = constant is None and bare.start < bare.end and may_be_constant(bare)
        self.conditions.append(ConditionSyntax(bare, constant, number_type, tested_type, is_other_number, is_in_doubt))
        return ConditionRef(len(self.conditions) - 1)

    def _folded(self, node: SyntaxNode) -> bool | None:
        """What the compiler says; where it asks for a constant, it has to answer what the optimiser would decide."""
        if not all(self.folded.get((each.start, each.end)) for each in asked_of_optimiser(node)):
            return None
        return self.folded.get((node.start, node.end))


def _calls(node: SyntaxNode | None) -> bool:
    return node is not None and (node.kind == "CallExpr" or any(map(_calls, node.children)))


def has_constant_arms(node: SyntaxNode, enumerators: Mapping[str, int]) -> bool:
    """`c ? 4 : 5`"""
    return all(constant_value(arm, enumerators) is not None for arm in node.children[1:3])


def _widens_boolean(node: SyntaxNode) -> bool:
    """`(long)(a < b)`: the comparison is the condition."""
    is_cast = node.kind == "CStyleCastExpr" and node.opcode in ("IntegralCast", "NoOp")
    return is_cast and is_boolean(node.children[0])


def _holds_operator(node: SyntaxNode | None) -> bool:
    """Is there an operator of a tree below these casts?"""
    if node is None:
        return False
    node = strip(node)
    if _widens_boolean(node):
        return True
    if node.kind in _CASTS:
        return _holds_operator(node.children[0])
    if _is_comma(node):
        return _holds_operator(node.children[1])
    return is_operator(node) or is_boolean_operation(node) or _is_expected(node) or _chooses_booleans(node)


def _assigned(node: SyntaxNode) -> SyntaxNode:
    """What has the value of `x = 0`: the right side, converted to the type of `x`. A member may be a bit-field. What it
    is converted to on the way stays: `c = i = 256` is 0 if `c` has 8 bits."""
    inner = strip(node)
    if inner.kind == "ImplicitCastExpr" and inner.children[0] is not None:
        converted = _assigned(inner.children[0])
        return node if converted is inner.children[0] else replace(inner, children=(converted, *inner.children[1:]))
    target, value = inner.children if inner.kind == "BinaryOperator" and inner.opcode == "=" else (None, None)
    is_variable = target is not None and strip(target).kind == "DeclRefExpr" and "volatile" not in target.type
    return _assigned(value) if is_variable and value is not None else node


def _without_implicit_casts(node: SyntaxNode) -> SyntaxNode:
    while node.kind == "ImplicitCastExpr" and node.children[0] is not None:
        node = strip(node.children[0])
    return node
