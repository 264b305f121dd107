"""Decisions: the Boolean expressions of a function that DO-178C wants covered, with their conditions.

They are taken from clang's AST (syntax.py). A decision that cannot be followed in the compiled code is listed with its
problem, never dropped.

Each controlling expression of if, while, do, for and ?: is a decision, and each tree of && || ! (and of ^ == != & |
between Booleans) anywhere else. So is, unless only these are asked for, each other Boolean that is computed: a
comparison (`return a > 5;`), a number that becomes a `_Bool`. One that is only copied is none. The parts of a condition
(the arguments of a call, an index, a statement expression) may contain further decisions:

    if (f(a && b) && c > 3)      two decisions: `f(a && b) && c > 3` with 2 conditions, and `a && b` with 2
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tightrope.library.verifier_functions import ASSUME
from tightrope.location import Location
from tightrope.program.c_text.constant_expressions import asked_of_optimiser, constant_value
from tightrope.program.c_text.preprocessed import counted_enumerators, repeated_enumerators
from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode, walk
from tightrope.program.decisions.boolean_tree import ConditionRef, Tree
from tightrope.program.decisions.decision_tree import (
    ConditionSyntax,
    TreeReader,
    UsedAs,
    called,
    decides_alone,
    find_root,
    has_constant_arms,
    is_assertion,
    is_boolean,
    is_boolean_operation,
    is_operator,
    parts_of_condition,
    strip,
)

_NO_NUMBERS: Mapping[str, int] = {}

_NO_BOUND = "it is an array bound, which the compiler's syntax tree does not show"
_LEFT_UNSEEN = "it contains a call before a constant (`f(), 1`), and the call may not return"
_NOT_FOLDED = "the compiler could not be asked whether `{}` is a constant"
_TESTED_VALUE = "its value is both used and tested (`a ?: b`), so it cannot be followed"


@dataclass(frozen=True, slots=True)
class Condition:
    """A leaf of a decision: it has no Boolean operator of its own."""

    text: str  # 'a > 3'
    location: Location  # in the user's file
    start: int  # in the preprocessed text
    end: int
    constant: bool | None = None  # its value, where it is a constant: the compiler leaves no code for it
    is_in_macro: bool = False
    number_type: str = ""  # 'int', '_Bool' where its value goes on as a number of that type; '' where it is only tested
    tested_type: str = ""  # to which it is promoted before it is tested ('int' for a char); '' for none


@dataclass(frozen=True, slots=True)
class Decision:
    """A Boolean expression that is no operand of another one."""

    function: str  # '@f'
    text: str  # 'a > 3 && b'
    location: Location  # in the user's file
    role: str  # 'if', 'while', 'do', 'for', '?:', 'switch', 'assert', 'value'
    tree: Tree
    conditions: tuple[Condition, ...]
    start: int = 0  # in the preprocessed text
    end: int = 0
    problem: str = ""  # why its evaluations cannot be followed; '' when they can

    @property
    def constants(self) -> dict[int, bool]:
        """The conditions that are constants, with their values."""
        return {at: each.constant for at, each in enumerate(self.conditions) if each.constant is not None}


def recover_decisions(
    syntax: FunctionSyntax,
    function: str,
    enumerators: Mapping[str, int] = _NO_NUMBERS,
    *,
    is_branching_only: bool = False,
) -> tuple[Decision, ...]:
    """The decisions of the function, in the order of the text; of two that start together the longer comes first.
    `is_branching_only`: without comparisons that are only values.

    An initialiser that C evaluates for several elements (`[0 ... 3] = a && b`) is in the AST as often.
    """
    local = {each.name for each in walk(syntax.root) if each.kind == "EnumConstantDecl"}  # may hide others of that name
    local |= repeated_enumerators(syntax.text)  # the number may be that of another function's
    counted = _members_used(syntax) - enumerators.keys() if syntax.text else frozenset[str]()
    written = {name: value for name, value in counted_enumerators(syntax.text).items() if name in counted}
    known = {name: value for name, value in {**enumerators, **written}.items() if name not in local}
    finder = _DecisionFinder(syntax, function, known, is_branching_only)
    found = _sorted(finder)
    if finder.doubts:
        folded = syntax.fold(sorted(finder.doubts))
        found = _sorted(_DecisionFinder(syntax, function, known, is_branching_only, folded))
    return found


def _sorted(finder: _DecisionFinder) -> tuple[Decision, ...]:
    found = {(each.start, -each.end, each.text): each for each in finder.find(finder.syntax.root)}
    return tuple(found[at] for at in sorted(found))


def _members_used(syntax: FunctionSyntax) -> frozenset[str]:
    nodes = (each for each in walk(syntax.root) if each.kind == "DeclRefExpr" and each.declares == "EnumConstantDecl")
    return frozenset(each.name for each in nodes)


# Where a statement keeps its controlling expression, and how clang evaluates that: an `if` branches within it, a loop
# computes it first.
_CONTROLLED = {
    "IfStmt": (0, "if", UsedAs.BRANCH),
    "WhileStmt": (0, "while", UsedAs.TRUTH),
    "DoStmt": (1, "do", UsedAs.TRUTH),
    "ForStmt": (2, "for", UsedAs.TRUTH),
    "ConditionalOperator": (0, "?:", UsedAs.BRANCH),
}
# Never evaluated at run time; `__builtin_assume` is, but only if its argument has no side effects.
_NOT_EVALUATED = frozenset(
    ("UnaryExprOrTypeTraitExpr", "ConstantExpr", "StaticAssertDecl", "RecordDecl", "EnumDecl", "TypeTraitExpr",
     "TypedefDecl", "BlockExpr", "OffsetOfExpr", "OpaqueValueExpr")
)  # fmt: skip
_BLIND_CALLS = frozenset(
    ("__builtin_constant_p", "__builtin_object_size", "__builtin_dynamic_object_size", "__builtin_classify_type",
     "__builtin_assume", "__assume")
)  # fmt: skip
_ASSUMPTIONS = frozenset((ASSUME, "tightrope_assume"))  # a run in which one is false is not of interest
_VARIABLE = re.compile(r"\[(?!\d*\])")  # an array of variable length
_BOUND = re.compile(r"\[([^\[\]]*(?:&&|\|\||!(?!=)|\?)[^\[\]]*)\]")


class _DecisionFinder:
    """Walks everything that is evaluated."""

    def __init__(
        self,
        syntax: FunctionSyntax,
        function: str,
        enumerators: Mapping[str, int],
        is_branching_only: bool,
        folded: Mapping[tuple[int, int], bool | None] | None = None,
    ) -> None:
        self.syntax = syntax
        self.doubts: set[tuple[int, int]] = set()  # slices that may be constants, about which the compiler can be asked
        self._folded = folded
        self._function = function
        self._enumerators = enumerators
        self._is_branching_only = is_branching_only

    def find(self, node: SyntaxNode | None) -> Iterator[Decision]:
        if node is not None and node.kind in ("VarDecl", "TypedefDecl"):
            yield from self._find_bounds(node)
        if node is None or not _is_evaluated(node):
            return
        if node.kind in _CONTROLLED:
            yield from self._find_controlled(node)
        elif node.kind == "BinaryConditionalOperator":
            yield from self._decide(node.children[0], "?:", UsedAs.NUMBER)
            yield from self.find(node.children[-1])
        elif node.kind == "SwitchStmt" and is_boolean(node.children[0]):
            yield from self._decide(node.children[0], "switch", UsedAs.NUMBER)
            yield from self._find_all(node.children[1:])
        elif is_assertion(node):
            yield from self._decide(node.children[0], "assert", UsedAs.BRANCH)
            yield from self.find(node.children[1])
        elif node.kind == "CallExpr" and called(node) in _ASSUMPTIONS:
            for argument in node.children[1:]:
                yield from self._find_all(parts_of_condition(argument) if argument is not None else ())
        elif is_operator(node) or is_boolean_operation(node) or self._is_lone_value(node):
            yield from self._decide(node, "value", UsedAs.NUMBER)
        else:
            chosen = strip(node)
            yield from self.find(chosen) if chosen is not node else self._find_all(node.children)

    def _is_lone_value(self, node: SyntaxNode) -> bool:
        if self._is_branching_only or not decides_alone(node):
            return False
        return constant_value(node, self._enumerators) is None

    def _find_all(self, nodes: tuple[SyntaxNode | None, ...]) -> Iterator[Decision]:
        for each in nodes:
            yield from self.find(each)

    def _find_controlled(self, node: SyntaxNode) -> Iterator[Decision]:
        position, role, used_as = _CONTROLLED[node.kind]
        role = "assert" if is_assertion(node) else role
        if node.kind == "ConditionalOperator" and has_constant_arms(node, self._enumerators):
            used_as = UsedAs.TRUTH  # clang selects instead of branching
        for at, part in enumerate(node.children):
            yield from self._decide(part, role, used_as) if at == position else self.find(part)

    def _decide(self, node: SyntaxNode | None, role: str, used_as: UsedAs) -> Iterator[Decision]:
        """The decision that an expression is, and those inside of it."""
        if node is None:
            return
        reader = TreeReader(self._enumerators, self._folded or {})
        tree = reader.read(node, used_as)
        conditions = tuple(self._condition(part) for part in reader.conditions)
        yield self._decision(find_root(node), role, tree, conditions, self._problem(reader))
        yield from self._find_all(tuple(reader.aside))
        for part in reader.conditions:
            yield from self._find_all(parts_of_condition(part.node))

    def _problem(self, reader: TreeReader) -> str:
        """Why the evaluations of the decision cannot be followed."""
        if any(part.is_other_number for part in reader.conditions):
            return _TESTED_VALUE
        for part in reader.conditions:
            span = part.node.start, part.node.end
            if part.is_in_doubt and self._folded is None:
                self.doubts.add(span)
                self.doubts.update((each.start, each.end) for each in asked_of_optimiser(part.node))
            elif part.is_in_doubt and self._folded is not None and span not in self._folded:
                return _NOT_FOLDED.format(self.syntax.words(part.node))
        return _LEFT_UNSEEN if reader.may_be_left_unseen else ""

    def _decision(
        self, node: SyntaxNode, role: str, tree: Tree, conditions: tuple[Condition, ...], problem: str
    ) -> Decision:
        return Decision(
            self._function,
            self.syntax.words(node),
            node.location,
            role,
            tree,
            conditions,
            node.start,
            node.end,
            problem,
        )

    def _condition(self, part: ConditionSyntax) -> Condition:
        node = part.node
        text = self.syntax.words(node)
        return Condition(
            text,
            node.location,
            node.start,
            node.end,
            part.constant,
            node.is_in_macro,
            part.number_type,
            part.tested_type,
        )

    def _find_bounds(self, node: SyntaxNode) -> Iterator[Decision]:
        for found in _BOUND.finditer(node.type):
            condition = Condition(found[1], node.location, node.start, node.start, None, node.is_in_macro)
            yield Decision(
                *(self._function, found[1], node.location, "value", ConditionRef(0), (condition,)),
                *(node.start, node.start, _NO_BOUND),
            )


def _is_evaluated(node: SyntaxNode) -> bool:
    """Initialisers of static variables are computed by the compiler."""
    if node.kind == "UnaryExprOrTypeTraitExpr" and _VARIABLE.search(node.argument):
        return True  # `sizeof(int[n++])`: clang shows the bounds
    if node.kind in _NOT_EVALUATED or node.kind.endswith(("Attr", "Type")):
        return False
    if node.kind == "VarDecl":
        return node.storage not in ("static", "extern") and not node.is_constexpr
    return not (node.kind == "CallExpr" and called(node) in _BLIND_CALLS)
