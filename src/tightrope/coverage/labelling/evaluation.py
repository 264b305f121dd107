"""Side effects of expressions, and where their evaluation may be undefined.

Syntax nodes of kinds that are not named here may have any side effect: no label is moved across them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from tightrope.coverage.labelling.arithmetic import arithmetic
from tightrope.location import Location
from tightrope.program.c_text.preprocessed import on_one_line
from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode

_PLAIN = frozenset(
    (
        "DeclRefExpr", "IntegerLiteral", "FloatingLiteral", "CharacterLiteral", "StringLiteral", "PredefinedExpr",
        "ImplicitCastExpr", "CStyleCastExpr", "ParenExpr", "UnaryOperator", "BinaryOperator", "ConditionalOperator",
        "BinaryConditionalOperator", "ArraySubscriptExpr", "MemberExpr", "UnaryExprOrTypeTraitExpr", "ConstantExpr",
        "OffsetOfExpr", "InitListExpr", "ImplicitValueInitExpr",
    )
)  # fmt: skip
UNEVALUATED = frozenset(("UnaryExprOrTypeTraitExpr", "ConstantExpr", "OffsetOfExpr", "GenericSelectionExpr"))
_CONSTANTS = frozenset(("IntegerLiteral", "FloatingLiteral", "CharacterLiteral", "StringLiteral"))
_THROUGH = frozenset(("ImplicitCastExpr", "CStyleCastExpr", "ParenExpr"))
_EXPECTATION_PARTS = 3  # function, x, k
_BOUND = re.compile(r"\[([^\]]*)\]")


def flatten(text: str) -> str:
    """A slice of preprocessed text on one line, without line markers."""
    return on_one_line(text)


def evaluated_parts(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """The operands that evaluating the node may evaluate, in their order."""
    if node.kind in UNEVALUATED:
        return ()
    if node.kind == "BinaryConditionalOperator":  # a ?: b has its first operand three times
        return tuple(each for each in (node.children[0], node.children[-1]) if each)
    return tuple(each for each in node.children if each)


def walk(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """The node and everything that evaluating it may evaluate."""
    yield node
    for each in evaluated_parts(node):
        yield from walk(each)


def strip(node: SyntaxNode) -> SyntaxNode:
    """Without parentheses and casts."""
    while node.kind in _THROUGH and node.children and node.children[0]:
        node = node.children[0]
    return node


def strip_parentheses(node: SyntaxNode) -> SyntaxNode:
    """Without parentheses and implicit conversions."""
    while node.kind in ("ParenExpr", "ImplicitCastExpr") and node.children[0]:
        node = node.children[0]
    return node


def is_assignment(node: SyntaxNode) -> bool:
    is_plain = node.kind == "BinaryOperator" and node.opcode == "="
    return is_plain or node.kind == "CompoundAssignOperator"


def is_step(node: SyntaxNode) -> bool:
    """`++` or `--`."""
    return node.kind == "UnaryOperator" and node.opcode in ("++", "--")


def is_pure(node: SyntaxNode) -> bool:
    """Evaluating it changes nothing, calls nothing and reads nothing volatile."""
    return all(_is_plain(each) and not is_assignment(each) and not is_step(each) for each in walk(node))


def _is_plain(node: SyntaxNode) -> bool:
    """True if the node itself has no side effects; assignments, `++` and `--` are handled elsewhere."""
    is_known = node.kind in _PLAIN or node.kind == "CompoundAssignOperator" or is_expectation(node)
    return is_known and not _is_volatile(node.type) and not _evaluates_bounds(node)


def _evaluates_bounds(node: SyntaxNode) -> bool:
    """`sizeof(int[n++])`, `(int (*)[n])p`: what the bounds contain is evaluated. The size of a variable is fixed."""
    if node.kind == "CStyleCastExpr":
        return _is_variable(node.type)
    operand = node.children[0] if node.children and not node.argument else None
    return _has_variable_size(node) and (operand is None or strip(operand).kind != "DeclRefExpr")


def _has_variable_size(node: SyntaxNode) -> bool:
    operand = node.children[0] if node.children else None
    is_size = node.kind == "UnaryExprOrTypeTraitExpr" and node.name == "sizeof"
    return is_size and _is_variable(node.argument or (operand.type if operand else ""))


def _is_variable(type_: str) -> bool:
    """Is a part of the type an array of variable length?"""
    return any(bound and not bound.isdigit() for bound in _BOUND.findall(type_))


def _is_volatile(type_: str) -> bool:
    """True when the object itself is volatile, not only what it points to."""
    return "volatile" in type_.rpartition("*")[2]


def is_expectation(node: SyntaxNode) -> bool:
    """`__builtin_expect(x, k)`, whose value is x."""
    if node.kind != "CallExpr" or len(node.children) != _EXPECTATION_PARTS or not node.children[0]:
        return False
    return strip(node.children[0]).name == "__builtin_expect"


def is_constant(node: SyntaxNode) -> bool:
    return all(map(_is_constant_part, walk(node)))


def _is_constant_part(node: SyntaxNode) -> bool:
    if node.kind in UNEVALUATED:
        return not _has_variable_size(node)
    return node.kind in _CONSTANTS or node.declares == "EnumConstantDecl" or bool(node.children)


@dataclass(frozen=True, slots=True)
class EvaluationEffects:
    """What evaluating something may change: variables by clang's number, or anything."""

    written: frozenset[str] = frozenset()
    is_anything: bool = False

    def __or__(self, other: EvaluationEffects) -> EvaluationEffects:
        return EvaluationEffects(self.written | other.written, self.is_anything or other.is_anything)


NO_EFFECTS = EvaluationEffects()
ANYTHING = EvaluationEffects(is_anything=True)


@dataclass(frozen=True)
class FunctionFacts:
    """What is known about the variables of a function."""

    syntax: FunctionSyntax
    kept: Mapping[tuple[int, int], str] = field(default_factory=dict)  # by slice of the text: what stands for it

    def text(self, node: SyntaxNode) -> str:
        """Its C, for predicates."""
        known = self.kept.get((node.start, node.end))
        if known is not None or not any(node.start <= start and end <= node.end for start, end in self.kept):
            return known or flatten(self.syntax.slice(node))
        parts, at = [], node.start  # what is kept stands in place of the operands
        for each in node.children:
            if each and each.start >= at:
                parts += [flatten(self.syntax.text[at : each.start]), self.text(each)]
                at = each.end
        return "".join((*parts, flatten(self.syntax.text[at : node.end])))

    def with_kept(self, kept: Mapping[tuple[int, int], str]) -> FunctionFacts:
        """The same, where predicates find the values of these slices in temporaries."""
        made = copy(self)  # with everything that was found out
        object.__setattr__(made, "kept", kept)
        return made

    def words(self, node: SyntaxNode) -> str:
        """What the user wrote for it."""
        return self.syntax.words(node)

    @cached_property
    def expansion_starts(self) -> dict[Location, int]:
        """For each macro use in which a node starts: where its expansion starts in the preprocessed text."""
        found: dict[Location, int] = {}
        for each in everything(self.syntax.root):
            if each.is_in_macro and each.end:
                found[each.location] = min(each.start, found.get(each.location, each.start))
        return found

    @cached_property
    def expansion_ends(self) -> dict[Location, int]:
        """The same for ends. A use is identified by the place where its name starts, or ends."""
        found: dict[Location, int] = {}
        for each in everything(self.syntax.root):
            place = each.macro_end or (each.location if each.is_in_macro and not each.end_location else None)
            if place:
                found[place] = max(each.end, found.get(place, 0))
        return found

    def end_in_source(self, node: SyntaxNode) -> tuple[Location | None, bool]:
        """Where the node ends in the user's file, and whether that is the end of a macro use. None inside a macro."""
        if node.end_location:
            return node.end_location, False
        place = node.macro_end or node.location
        return (place, True) if self.expansion_ends.get(place) == node.end else (None, False)

    @cached_property
    def local(self) -> frozenset[str]:
        return frozenset(
            each.declaration
            for each in everything(self.syntax.root)
            if each.kind == "ParmVarDecl" or (each.kind == "VarDecl" and not each.storage)
        )

    @cached_property
    def exposed(self) -> frozenset[str]:
        """Variables that a pointer may point to: their address is taken, or they are arrays that decay to pointers."""
        found = set()
        for each in everything(self.syntax.root):
            is_address = each.kind == "UnaryOperator" and each.opcode == "&"
            if is_address or each.opcode == "ArrayToPointerDecay":
                found.add(base_variable(each.children[0]) or "")
        return frozenset(found - {""})

    @cached_property
    def valued(self) -> frozenset[str]:
        """Variables that are initialised: parameters, and those with an initialiser."""
        return frozenset(
            each.declaration
            for each in everything(self.syntax.root)
            if each.kind == "ParmVarDecl" or (each.kind == "VarDecl" and (each.storage or initialiser(each)))
        )

    def has_value(self, variable: str) -> bool:
        """True for an initialised variable; globals always are."""
        return variable in self.valued or variable not in self.local

    def effects(self, node: SyntaxNode) -> EvaluationEffects:
        """Everything that evaluating the node may change."""
        found = NO_EFFECTS
        for each in walk(node):
            if is_assignment(each) or is_step(each):
                found |= self._written(each.children[0])
            elif not _is_plain(each):
                return ANYTHING
        return found

    def _written(self, target: SyntaxNode | None) -> EvaluationEffects:
        variable = base_variable(target)
        return EvaluationEffects(frozenset((variable,))) if variable else ANYTHING

    def disturbs(self, effects: EvaluationEffects, node: SyntaxNode) -> bool:
        """True if the node may have another value, or none, after these effects."""
        if effects.is_anything:
            return True
        if not effects.written:
            return False
        is_seen = effects.written <= self.local and not effects.written & self.exposed
        return bool(effects.written & _variables(node)) or (not is_seen and _looks_through_pointers(node))

    def is_always_safe(self, node: SyntaxNode) -> bool:
        """True if evaluating it is defined in every state."""
        return is_pure(node) and all(self._is_safe_step(each) for each in walk(node))

    def _is_safe_step(self, node: SyntaxNode) -> bool:
        kind = arithmetic(node.type)
        match node.kind:
            case "DeclRefExpr":
                is_variable = node.declares in ("VarDecl", "ParmVarDecl")
                return not is_variable or self.has_value(node.declaration)
            case "UnaryOperator":
                return node.opcode in ("!", "~", "+") or (node.opcode == "-" and bool(kind and not kind.overflows))
            case "BinaryOperator":
                if node.opcode in ("<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^", ","):
                    return True
                return node.opcode in ("+", "-", "*") and bool(kind and not kind.overflows)
            case "ArraySubscriptExpr":
                return False
            case "MemberExpr":
                return not is_arrow(node)
            case "ImplicitCastExpr" | "CStyleCastExpr":
                return node.opcode not in ("FloatingToIntegral", "PointerToIntegral")
        return True


def everything(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """The node and all below it, evaluated or not."""
    yield node
    for each in node.children:
        if each:
            yield from everything(each)


def initialiser(declared: SyntaxNode) -> SyntaxNode | None:
    """The initialiser of a VarDecl."""
    found = [each for each in declared.children if each and not each.kind.endswith("Attr")]
    return found[-1] if found else None


def is_arrow(member: SyntaxNode) -> bool:
    """`p->x`, not `s.x`."""
    return bool(member.children and member.children[0] and member.children[0].type.rstrip().endswith("*"))


def base_variable(node: SyntaxNode | None) -> str | None:
    """The variable that an lvalue is, or is a part of: `s` of `s.rows[2].x`. None behind pointers."""
    while node is not None:
        if node.kind == "DeclRefExpr":
            return node.declaration
        is_part = node.kind == "ParenExpr" or node.opcode in ("ArrayToPointerDecay", "NoOp")
        is_member = node.kind == "MemberExpr" and not is_arrow(node)
        if not is_part and not is_member and node.kind != "ArraySubscriptExpr":
            return None
        node = node.children[0]
    return None


def _variables(node: SyntaxNode) -> frozenset[str]:
    return frozenset(each.declaration for each in walk(node) if each.kind == "DeclRefExpr")


def _looks_through_pointers(node: SyntaxNode) -> bool:
    return any(
        each.kind == "ArraySubscriptExpr"
        or (each.kind == "UnaryOperator" and each.opcode == "*")
        or (each.kind == "MemberExpr" and is_arrow(each))
        for each in walk(node)
    )
