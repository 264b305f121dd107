"""Sites: every expression of a function that a run evaluates, with the place of labels about it.

A *full expression* is not part of another expression: a condition, an initialiser, a returned value, an expression
statement. Labels about it and its parts are placed before its statement. If the statement evaluates the expression
repeatedly (loops), a comma puts them before the operand that is evaluated first:

    while (a && b) ...                while ((LABELS, a) && b) ...

Before the first operand, not before the whole: so the compiled code of `a && b` does not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from tightrope.coverage.labelling.evaluation import (
    NO_EFFECTS,
    UNEVALUATED,
    EvaluationEffects,
    FunctionFacts,
    evaluated_parts,
    everything,
    initialiser,
    is_constant,
    is_expectation,
    is_pure,
)
from tightrope.location import Location
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.decisions.decision_tree import is_assertion
from tightrope.program.marks.labels import Form, Temporary


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """A place for labels: before [start, end) of the preprocessed text."""

    form: Form
    start: int
    end: int
    location: Location
    is_in_macro: bool
    end_location: Location | None = None  # in the user's file; None inside of a macro
    ends_with_macro: bool = False  # the place is at the name of a macro, which may have arguments
    temporaries: tuple[Temporary, ...] = ()  # in which predicates find what they must not evaluate again
    value_type: str = ""  # behind a value: its type


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """A full expression: one that is not part of another."""

    root: SyntaxNode
    place: LabelPlace | None  # None: no label can be placed before it, only before its parts
    is_tested: bool  # the condition of if, while, do, for: only whether it is zero matters


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """An expression in a full one. `parents` lead up from it, each with the position of the operand below."""

    node: SyntaxNode
    parents: tuple[tuple[SyntaxNode, int], ...]
    whole: Whole


def find_sites(facts: FunctionFacts) -> tuple[Site, ...]:
    """All of the function, in the order of the text, an expression before its operands."""
    return tuple(site for whole in find_wholes(facts) for site in _inside(whole.root, (), whole))


def _inside(node: SyntaxNode, parents: tuple[tuple[SyntaxNode, int], ...], whole: Whole) -> Iterator[Site]:
    yield Site(node, parents, whole)
    if node.kind == "StmtExpr":
        return  # its statements are full expressions of their own
    for each in evaluated_parts(node):
        position = next(at for at, one in enumerate(node.children) if one is each)
        yield from _inside(each, ((node, position), *parents), whole)


def operand_site(site: Site, operand: SyntaxNode) -> Site:
    """The site of a direct operand."""
    position = next(at for at, each in enumerate(site.node.children) if each is operand)
    return Site(operand, ((site.node, position), *site.parents), site.whole)


def find_wholes(facts: FunctionFacts) -> tuple[Whole, ...]:
    """The full expressions of the function, in the order of the text."""
    body = function_body(facts.syntax.root)
    return tuple(_Statements(facts).walk(body, Form.STATEMENT)) if body else ()


def find_statements(facts: FunctionFacts) -> tuple[tuple[SyntaxNode, LabelPlace], ...]:
    """The statements of the function that have code of their own, with the places before them."""
    body = function_body(facts.syntax.root)
    return tuple(_Statements(facts).list(body, Form.STATEMENT)) if body else ()


def function_body(root: SyntaxNode) -> SyntaxNode | None:
    return next((each for each in reversed(root.children) if each and each.kind == "CompoundStmt"), None)


_LOOKED_THROUGH = frozenset(("CaseStmt", "DefaultStmt", "LabelStmt", "AttributedStmt"))
_WITHOUT_EXPRESSION = frozenset(("NullStmt", "BreakStmt", "ContinueStmt", "GotoStmt", "GCCAsmStmt", "MSAsmStmt"))


class _Statements:
    """Walks statements; `form` says whether one is in a block or the single statement of an `if`, `case` ..."""

    def __init__(self, facts: FunctionFacts) -> None:
        self.facts = facts

    def walk(self, node: SyntaxNode, form: Form) -> Iterator[Whole]:
        for each in self._own(node, form):
            yield each
            yield from self._statement_expressions(each)
        for statement, its_form in _sub_statements(node):
            yield from self.walk(statement, its_form)

    def list(self, node: SyntaxNode, form: Form) -> Iterator[tuple[SyntaxNode, LabelPlace]]:
        if is_assertion(node):
            return  # what assert() is made of: it is itself a statement
        if node.kind not in (*_LOOKED_THROUGH, "CompoundStmt", "NullStmt") and _does_something(node):
            yield node, self._before(node, form)
        for whole in self._own(node, form):
            for body in _statement_bodies(whole):
                yield from self.list(body, Form.STATEMENT)
        for statement, its_form in _sub_statements(node):
            yield from self.list(statement, its_form)

    def _statement_expressions(self, whole: Whole) -> Iterator[Whole]:
        for site in _inside(whole.root, (), whole):
            body = site.node.children[0] if site.node.kind == "StmtExpr" else None
            for at, each in enumerate(body.children if body else ()):
                for inner in self.walk(each, Form.STATEMENT) if each else ():
                    yield inner if at else self._outside(site, inner)

    def _outside(self, site: Site, inner: Whole) -> Whole:
        """Labels for what `({ ... })` evaluates first can be placed before all of it, the only place in a macro."""
        is_hidden = inner.place and inner.place.is_in_macro and inner.place.form is Form.STATEMENT
        found = find_place(self.facts, site, (inner.root,)) if is_hidden else GuardedPlace(None)
        is_better = found.is_at_whole and not found.guards and found.place and not found.place.is_in_macro
        return replace(inner, place=found.place) if is_better else inner

    def _own(self, node: SyntaxNode, form: Form) -> Iterator[Whole]:
        """The full expressions of the statement itself."""
        match node.kind:
            case "IfStmt" | "SwitchStmt":
                condition = node.children[0]
                if condition:
                    place = self._before(node, form) if form is Form.STATEMENT else self._first(condition)
                    yield Whole(condition, place or self._before(node, form), node.kind == "IfStmt")
            case "WhileStmt":
                yield from self._tested(node.children[0])
            case "DoStmt":
                yield from self._tested(node.children[1])
            case "ForStmt":
                yield from self._for_parts(node, form)
            case "DeclStmt":
                yield from self._initialisers(node, self._before(node, form))
            case "ReturnStmt":
                if node.children and node.children[0]:
                    yield Whole(node.children[0], self._before(node, form), False)
            case _ if node.kind not in (*_LOOKED_THROUGH, *_WITHOUT_EXPRESSION, "CompoundStmt"):
                yield Whole(node, self._before(node, form), False)

    def _for_parts(self, node: SyntaxNode, form: Form) -> Iterator[Whole]:
        first, _, condition, step, _ = node.children
        if first and first.kind == "DeclStmt":
            yield from self._initialisers(first, self._before(node, form))
        elif first:
            yield Whole(first, self._before(node, form), False)
        yield from self._tested(condition)
        if step:
            yield Whole(step, _around(self.facts, step), False)

    def _tested(self, condition: SyntaxNode | None) -> Iterator[Whole]:
        if condition:
            yield Whole(condition, self._first(condition), True)

    def _initialisers(self, node: SyntaxNode, before: LabelPlace) -> Iterator[Whole]:
        """If an initialiser uses what the same declaration declares or changes earlier, its labels are placed directly
        before it, not before the declaration."""
        declared: set[str] = set()
        effects = NO_EFFECTS
        for each in node.children:
            declared.add(each.declaration if each else "")
            value = initialiser(each) if each and each.kind == "VarDecl" and not each.storage else None
            if each and value:
                names = {part.declaration for part in everything(value) if part.kind == "DeclRefExpr"}
                is_late = bool(names & declared) or self.facts.disturbs(effects, value)
                around = None if value.kind == "InitListExpr" else _around(self.facts, value)
                yield Whole(value, around if is_late else before, False)
                effects |= self.facts.effects(value)

    def _before(self, node: SyntaxNode, form: Form) -> LabelPlace:
        last = _last_statement(node)
        return make_place(self.facts, form, node, last, self._end(last) if form is Form.BODY else node.end)

    def _end(self, last: SyntaxNode) -> int:
        """The end of a statement including its semicolon, which clang does not include."""
        text = self.facts.syntax.text
        is_whole = last.kind == "CompoundStmt" or text[last.end - 1] == ";"
        return last.end if is_whole else text.index(";", last.end) + 1

    def _first(self, condition: SyntaxNode) -> LabelPlace | None:
        """The place before what is evaluated first; None for a constant, which has no code."""
        leaf = first_operand(condition)
        return None if is_constant(leaf) else _around(self.facts, leaf)


def _does_something(node: SyntaxNode) -> bool:
    """A declaration does if it initialises a variable each time."""
    declared = node.children if node.kind == "DeclStmt" else ()
    is_run = [each.kind == "VarDecl" and not each.storage and bool(initialiser(each)) for each in declared if each]
    return node.kind != "DeclStmt" or any(is_run)


def _statement_bodies(whole: Whole) -> Iterator[SyntaxNode]:
    """The blocks of `({ ... })` in an expression; those inside of these belong to their statements."""
    for site in _inside(whole.root, (), whole):
        body = site.node.children[0] if site.node.kind == "StmtExpr" else None
        if body:
            yield body


def make_place(facts: FunctionFacts, form: Form, node: SyntaxNode, last: SyntaxNode, end: int) -> LabelPlace:
    """The place before the node. If a macro expansion starts with it, its place in the user's file is the macro use."""
    is_inside = node.is_in_macro and node.start != facts.expansion_starts[node.location]
    ending, is_macro = facts.end_in_source(last)
    return LabelPlace(form, node.start, end, node.location, is_inside, ending, is_macro)


def _around(facts: FunctionFacts, node: SyntaxNode) -> LabelPlace:
    return make_place(facts, Form.EXPRESSION, node, node, node.end)


def _last_statement(node: SyntaxNode) -> SyntaxNode:
    """The innermost statement that a statement ends with."""
    below = [statement for statement, _ in _sub_statements(node)]
    is_end = node.kind in ("CompoundStmt", "DoStmt") or not below
    return node if is_end else _last_statement(below[-1])


def _sub_statements(node: SyntaxNode) -> Iterator[tuple[SyntaxNode, Form]]:
    match node.kind:
        case "CompoundStmt":
            yield from ((each, Form.STATEMENT) for each in node.children if each)
        case "IfStmt":
            yield from ((each, Form.BODY) for each in node.children[1:] if each)
        case "DoStmt":
            yield from ((each, Form.BODY) for each in node.children[:1] if each)
        case "WhileStmt" | "ForStmt" | "SwitchStmt" | "CaseStmt" | "DefaultStmt" | "LabelStmt" | "AttributedStmt":
            yield from ((each, Form.BODY) for each in node.children[-1:] if each)


def first_operand(node: SyntaxNode) -> SyntaxNode:
    """The part of a condition that is evaluated first, in its parentheses; never a condition made of several."""
    outer: SyntaxNode | None = node
    inner: SyntaxNode | None = node
    while inner is not None:
        if is_expectation(inner):
            outer = inner = inner.children[1]
        elif inner.kind == "ConditionalOperator" or inner.opcode in ("&&", "||", "!", ","):
            outer = inner = inner.children[0]
        elif inner.kind == "ParenExpr" or _is_conversion(inner):
            inner = inner.children[0]
        else:
            break
    return outer or node


def _is_conversion(node: SyntaxNode) -> bool:
    """True for an implicit conversion of a value."""
    return node.kind == "ImplicitCastExpr" and node.opcode not in ("LValueToRValue", "ArrayToPointerDecay")


# --- where a label about a part of it can stand -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class GuardedPlace:
    """A place for labels about an expression, and what must hold there for the program to evaluate it."""

    place: LabelPlace | None
    guards: tuple[str, ...] = ()
    height: int = 0  # number of the site's parents that can be evaluated there too
    is_at_whole: bool = False


def find_place(facts: FunctionFacts, site: Site, looked_at: Sequence[SyntaxNode] = ()) -> GuardedPlace:
    """The place before the statement, if the expression (or the parts that are read) has the same value there;
    otherwise the outermost place where it does."""
    for height in range(len(site.parents), -1, -1):
        guards = [(operand, wanted) for parent, at in site.parents[:height] for operand, wanted in _guards(parent, at)]
        seen = [*(looked_at or (site.node,)), *(operand for operand, _ in guards)]
        if not all(is_pure(operand) for operand, _ in guards) or _is_late(facts, site.parents[:height], seen):
            continue
        is_whole = height == len(site.parents)
        place = site.whole.place if is_whole else _place_at(facts, site, height)
        if place:
            shown = tuple(_claim(facts.text(operand), wanted) for operand, wanted in reversed(guards))
            return GuardedPlace(place, shown, height, is_whole)
    return GuardedPlace(None)


def _claim(text: str, wanted: bool) -> str:
    return f"({text})" if wanted else f"!({text})"


def _guards(parent: SyntaxNode, at: int) -> Iterator[tuple[SyntaxNode, bool]]:
    """(operand, its truth) under which the operand at this position is evaluated."""
    first = parent.children[0]
    if first is None or not at:
        return
    if parent.kind == "BinaryOperator" and parent.opcode in ("&&", "||"):
        yield first, parent.opcode == "&&"
    elif parent.kind == "ConditionalOperator":
        yield first, at == 1
    elif parent.kind == "BinaryConditionalOperator":
        yield first, False


def _is_late(facts: FunctionFacts, parents: Sequence[tuple[SyntaxNode, int]], seen: Sequence[SyntaxNode]) -> bool:
    """True if something that is evaluated before it, or unsequenced, may change it or prevent its evaluation."""
    return any(facts.disturbs(_effects_before(facts, *each), node) for each in parents for node in seen)


def _effects_before(facts: FunctionFacts, parent: SyntaxNode, at: int) -> EvaluationEffects:
    """What the other operands may do first. If they are unsequenced, only calls matter: C forbids other conflicts."""
    if parent.kind in UNEVALUATED:
        return NO_EFFECTS
    others = [each for position, each in enumerate(parent.children) if each and position != at]
    if _is_sequenced(parent):
        others = [each for each in parent.children[:1] if each and at]
    found = [facts.effects(each) for each in others]
    return reduce(or_, [each for each in found if each.is_anything or _is_sequenced(parent)], NO_EFFECTS)


def _is_sequenced(parent: SyntaxNode) -> bool:
    is_operator = parent.kind == "BinaryOperator" and parent.opcode in ("&&", "||", ",")
    return is_operator or parent.kind in ("ConditionalOperator", "BinaryConditionalOperator")


def _place_at(facts: FunctionFacts, site: Site, height: int) -> LabelPlace | None:
    """The place before the expression, or before its parent at some height, if that is used as a value."""
    node = site.parents[height - 1][0] if height else site.node
    parent = site.parents[height][0] if height < len(site.parents) else None
    leaf = first_operand(node)
    return _around(facts, leaf) if _is_value(node, parent) and not is_constant(leaf) else None


def _is_value(node: SyntaxNode, parent: SyntaxNode | None) -> bool:
    """True if it is used for its value, not as an lvalue: then a comma before it changes nothing."""
    if node.kind in ("InitListExpr", "StmtExpr") or node.opcode == "ArrayToPointerDecay":
        return False
    is_place = node.kind in ("DeclRefExpr", "MemberExpr", "ArraySubscriptExpr", "StringLiteral") or (
        node.kind == "UnaryOperator" and node.opcode in ("*", "__extension__")
    )
    if not is_place and node.kind != "ParenExpr":
        return True
    return parent is not None and parent.kind == "ImplicitCastExpr" and parent.opcode == "LValueToRValue"
