"""Definitions and uses of a function's own variables, found in its syntax.

A variable counts if it is a parameter or local that holds a number or a pointer, and only assignments of the function
can change it: its address is never taken, it is neither static nor volatile, and no assembly uses it.

Uses are recorded where the evaluation of their *position* begins: the statement, or the part of an expression that is
evaluated conditionally (`b` in `a && b`, the arms of `?:`). Definitions are recorded after their statement, or, if
control does not leave it at its end, together with the uses, after them:

    x = y ? x : z;         uses y; at the arms x, z; behind the statement the definition of x
    while (x = next(x))    use of x and definition of x before the condition
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tightrope.location import Location
from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode
from tightrope.program.marks.labels import Form

_ORDER = "it is defined and used in one expression, and their order is not known"
_AGGREGATES = ("struct ", "union ", "[", "_Complex", "vector_size", "_Atomic", "volatile")
_CONDITIONAL = ("ConditionalOperator", "BinaryConditionalOperator")
_TRANSPARENT = ("ParenExpr", "ImplicitCastExpr", "CStyleCastExpr")


@dataclass(frozen=True, slots=True)
class Access:
    """A definition or a use of a variable, by number (its place in the tuple of all) marked in the IR."""

    function: str  # '@f'
    name: str  # of the variable
    variable: str  # '@f/3': tells variables of one name apart
    is_definition: bool
    location: Location  # in the user's file
    form: Form
    start: int  # of the position, in the preprocessed text
    end: int
    problem: str = ""  # why it is not followed; '' when it is


@dataclass(frozen=True, slots=True)
class _Position:
    """Where accesses are noted together: before [start, end). What is evaluated there is the text of `extent`."""

    form: Form
    start: int
    end: int
    extent: tuple[int, int]
    has_end: bool = False  # it is a statement that control leaves at its end


_BEHIND = {Form.STATEMENT: Form.BEHIND, Form.BODY: Form.BODY_END}


def _position(form: Form, node: SyntaxNode) -> _Position:
    return _Position(form, node.start, node.end, (node.start, node.end))


@dataclass(frozen=True, slots=True)
class _NotedAccess:
    access: Access
    extent: tuple[int, int]

    @property
    def variable(self) -> str:
        return self.access.variable

    @property
    def is_definition(self) -> bool:
        return self.access.is_definition

    def is_inside(self, other: _NotedAccess) -> bool:
        """True when its position is that of the other one or a part of it."""
        return other.extent[0] <= self.extent[0] and self.extent[1] <= other.extent[1]

    def is_part_of(self, other: _NotedAccess) -> bool:
        return self.is_inside(other) and self.extent != other.extent

    @property
    def is_behind(self) -> bool:
        """True when it is noted where its statement is over."""
        return self.access.form in (Form.BEHIND, Form.BODY_END)


@dataclass(slots=True)
class _AccessFinder:
    """Walks statements and expressions in the order of evaluation."""

    function: str
    variables: dict[str, str]  # clang's number of the declaration -> ours, the same in every run of the compiler
    found: list[_NotedAccess] = field(default_factory=list)

    # -- statements

    def statement(self, node: SyntaxNode | None, form: Form) -> None:
        if node is None:
            return
        handler = _STATEMENTS.get(node.kind)
        here = _position(form, node)
        if handler is not None:
            handler(self, node, here)
        elif node.kind.endswith("Stmt"):
            for child in node.children:
                self.statement(child, Form.BODY)
        else:
            self.expression(node, replace(here, has_end=True))

    def compound(self, node: SyntaxNode, _: _Position) -> None:
        for child in node.children:
            self.statement(child, Form.STATEMENT)

    def declarations(self, node: SyntaxNode, here: _Position) -> None:
        self.declaration(node, replace(here, has_end=True))

    def declaration(self, node: SyntaxNode, here: _Position) -> None:
        for variable in node.children:
            values = [each for each in variable.children if each is not None] if variable else []
            if variable is not None and variable.kind == "VarDecl" and values and variable.storage != "static":
                self.expression(values[-1], here)
                self.note(variable, here, True)

    def branch(self, node: SyntaxNode, _: _Position) -> None:
        """if, while, switch: the condition first, then what depends on it."""
        condition, *rest = (each for each in node.children if each is not None)
        self.controlling(condition)
        for each in rest:
            self.statement(each, Form.BODY)

    def do(self, node: SyntaxNode, _: _Position) -> None:
        body, condition = node.children
        self.statement(body, Form.BODY)
        self.controlling(condition)

    def loop(self, node: SyntaxNode, here: _Position) -> None:
        start, _, condition, step, body = node.children
        if start is not None and start.kind == "DeclStmt":
            self.declaration(start, replace(here, extent=(start.start, start.end)))
        else:
            self.alone(start)
        self.controlling(condition)
        self.alone(step)
        self.statement(body, Form.BODY)

    def answer(self, node: SyntaxNode, here: _Position) -> None:
        for each in node.children:
            self.expression(each, here)

    # -- expressions

    def alone(self, node: SyntaxNode | None) -> None:
        """An expression that is a position of its own."""
        if node is not None:
            self.expression(node, _position(Form.EXPRESSION, node))

    def controlling(self, node: SyntaxNode | None) -> None:
        """A comma before `a && b` would make it a value: in a controlling expression each operand is a position."""
        inner = _without_parentheses(node)
        if inner is None:
            return
        if inner.kind in _CONDITIONAL or (inner.kind.endswith("Operator") and inner.opcode in ("&&", "||", "!")):
            for each in inner.children:
                self.controlling(each)
        else:
            self.alone(inner)

    def expression(self, node: SyntaxNode | None, here: _Position) -> None:
        if node is None or node.kind == "UnaryExprOrTypeTraitExpr":
            return None
        if node.kind == "StmtExpr":
            return self.statement(node.children[0], Form.STATEMENT)
        if node.kind in _CONDITIONAL or (node.kind == "BinaryOperator" and node.opcode in ("&&", "||")):
            return self.sometimes(node, here)
        if node.kind == "BinaryOperator" and node.opcode == "=":
            return self.assignment(node, here, reads=False)
        if node.kind == "CompoundAssignOperator" or (node.kind == "UnaryOperator" and node.opcode in ("++", "--")):
            return self.assignment(node, here, reads=True)
        read = _bare(node) if node.kind == "ImplicitCastExpr" and node.opcode == "LValueToRValue" else None
        if read is not None and read.kind == "DeclRefExpr":
            return self.note(read, here, False)
        for each in node.children:
            self.expression(each, here)
        return None

    def sometimes(self, node: SyntaxNode, here: _Position) -> None:
        """The first operand is always evaluated, the others only sometimes."""
        first, *rest = node.children
        self.expression(first, here)
        for each in rest:
            self.controlling(each)

    def assignment(self, node: SyntaxNode, here: _Position, reads: bool) -> None:
        target, *values = node.children
        for each in values:
            self.expression(each, here)
        variable = _bare(target)
        if variable is None or variable.kind != "DeclRefExpr":
            return self.expression(target, here)
        if reads:
            self.note(variable, here, False)
        return self.note(variable, here, True)

    def note(self, node: SyntaxNode, here: _Position, is_definition: bool) -> None:
        if node.declaration in self.variables:
            form = _BEHIND.get(here.form, here.form) if is_definition and here.has_end else here.form
            places = (node.location, form, here.start, here.end)
            access = Access(self.function, node.name, self.variables[node.declaration], is_definition, *places)
            self.found.append(_NotedAccess(access, here.extent))


_STATEMENTS = {
    "CompoundStmt": _AccessFinder.compound,
    "DeclStmt": _AccessFinder.declarations,
    "IfStmt": _AccessFinder.branch,
    "WhileStmt": _AccessFinder.branch,
    "SwitchStmt": _AccessFinder.branch,
    "DoStmt": _AccessFinder.do,
    "ForStmt": _AccessFinder.loop,
    "ReturnStmt": _AccessFinder.answer,
}


def find_accesses(syntax: FunctionSyntax, function: str) -> tuple[Access, ...]:
    """All accesses, uses before definitions at each position; the parameters' values are definitions at the entry."""
    variables = _own_variables(syntax.root)
    finder = _AccessFinder(function, {key: f"{function}/{number}" for number, key in enumerate(variables)})
    body = next(each for each in syntax.root.children if each is not None and each.kind == "CompoundStmt")
    first = next((each for each in body.children if each is not None), None)
    if first is None:
        return ()
    entry = _position(Form.STATEMENT, first)
    for variable in variables.values():
        if variable.kind == "ParmVarDecl":
            finder.note(variable, entry, True)
    arguments = [each.access for each in finder.found]
    finder.found = []
    finder.statement(body, Form.STATEMENT)
    return (*arguments, *_settle(finder.found))


def _settle(found: list[_NotedAccess]) -> Iterator[Access]:
    """For each position, one use and one definition of each variable, uses first. If one definition cannot be followed,
    a run would report an older one instead, so the whole variable is excluded."""
    doubtful = {each.variable for each in found if each.is_definition and _is_doubtful(each, found)}
    positions: dict[tuple[int, int], list[_NotedAccess]] = {}
    for each in found:
        positions.setdefault(each.extent, []).append(each)
    for noted in positions.values():
        for is_definition in (False, True):
            own = {each.variable: each.access for each in reversed(noted) if each.is_definition is is_definition}
            for access in reversed(own.values()):
                yield replace(access, problem=_ORDER) if access.variable in doubtful else access


def _is_doubtful(definition: _NotedAccess, found: list[_NotedAccess]) -> bool:
    """Whether the order in which accesses of the variable are recorded may differ from the order in the run."""
    position = found.index(definition)
    others = [
        (number > position, each)
        for number, each in enumerate(found)
        if each is not definition and each.variable == definition.variable
    ]
    if any(is_later and definition.is_part_of(each) and not each.is_behind for is_later, each in others):
        return True  # `(a && (x = 1)), y = x`: the use is noted before all of the statement
    own = [(is_later, each.extent == definition.extent) for is_later, each in others if each.is_inside(definition)]
    if definition.is_behind:
        return any(is_later for is_later, _ in own)
    return any(is_later is is_together for is_later, is_together in own)


def _own_variables(root: SyntaxNode) -> dict[str, SyntaxNode]:
    declared = {
        node.declaration: node
        for node in _walk(root)
        if node.kind in ("VarDecl", "ParmVarDecl") and node.name and _is_plain(node)
    }
    shared = set(_shared(root))
    return {key: node for key, node in declared.items() if key not in shared}


def _is_plain(variable: SyntaxNode) -> bool:
    if variable.storage in ("static", "extern") or variable.type.endswith(" volatile"):
        return False
    return variable.type.endswith("*") or "(*" in variable.type or not any(w in variable.type for w in _AGGREGATES)


def _shared(root: SyntaxNode) -> Iterator[str]:
    """Variables that something else may change."""
    for node in _walk(root):
        if node.kind == "UnaryOperator" and node.opcode == "&":
            inner = _bare(node.children[0])
            if inner is not None and inner.kind == "DeclRefExpr":
                yield inner.declaration
        elif node.kind in ("GCCAsmStmt", "MSAsmStmt"):
            yield from (each.declaration for each in _walk(node) if each.kind == "DeclRefExpr")


def _walk(node: SyntaxNode) -> Iterator[SyntaxNode]:
    yield node
    for child in node.children:
        if child is not None:
            yield from _walk(child)


def _bare(node: SyntaxNode | None) -> SyntaxNode | None:
    while node is not None and node.kind in _TRANSPARENT:
        node = node.children[-1]
    return node


def _without_parentheses(node: SyntaxNode | None) -> SyntaxNode | None:
    """The cast that reads a variable stays: it is what makes a use of it."""
    while node is not None and node.kind in _TRANSPARENT and node.opcode != "LValueToRValue":
        node = node.children[-1]
    return node
