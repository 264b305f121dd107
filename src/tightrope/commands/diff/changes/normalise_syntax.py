"""Normalises a function's syntax tree: removes what is not a change, such as layout. The result is a tree of parts
(syntax_part.py)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.commands.diff.changes.clang_nodes import bare_node, counts, last_opening, says_its_place, unwrap
from tightrope.commands.diff.changes.local_pairing import label_key, label_of
from tightrope.commands.diff.changes.name_meanings import NameMeanings
from tightrope.commands.diff.changes.syntax_part import BLOCK, Shapes, SyntaxPart
from tightrope.program.c_text.c_tokens import WORD, read_tokens
from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode

_LITERALS = ("IntegerLiteral", "CharacterLiteral", "FloatingLiteral", "StringLiteral", "ImaginaryLiteral")
_SILENT_DECLARATIONS = ("FunctionDecl", "StaticAssertDecl", "EmptyDecl")  # they have no effect
_TYPES = ("RecordDecl", "EnumDecl")
# Kinds that clang's dump describes completely: by their operands, and what _says_of adds.
_PLAIN = frozenset(
    """ArraySubscriptExpr Association BinaryConditionalOperator BreakStmt CallExpr ChooseExpr CompoundAssignOperator
    ConditionalOperator ContinueStmt GenericSelectionExpr ImplicitValueInitExpr IndirectGotoStmt OpaqueValueExpr
    PredefinedExpr ReturnStmt StmtExpr BinaryOperator UnaryOperator MemberExpr""".split()
)
_FILLER = "ImplicitValueInitExpr"
_WITH_TYPE = ("CStyleCastExpr", "CompoundLiteralExpr", "VAArgExpr", "BuiltinType")
_VARIABLE_LENGTH = re.compile(r"\[([^\]]*[A-Za-z_][^\]]*)\]")
_LENGTH = re.compile(r"\[([^\]]*\S[^\]]*)\]")


@dataclass(frozen=True, slots=True)
class NormalisedFunction:
    """A whole function. The places of the `loose` locals do not matter: they have no initialiser that is executed."""

    header: SyntaxPart  # the declaration of the function; no children
    parameters: tuple[SyntaxPart, ...]
    loose: Mapping[str, SyntaxPart]  # by the number of the local in both versions
    body: SyntaxPart


@dataclass(slots=True)
class SyntaxNormaliser:
    """`numbers`: the common numbers of locals in both versions, by the names that clang or label_key gives them."""

    syntax: FunctionSyntax
    numbers: Mapping[str, str]
    names: Mapping[str, str]  # the same numbers, by names of locals, for text that is not parsed
    meanings: NameMeanings
    shapes: Shapes
    _loose: dict[str, SyntaxPart] = field(default_factory=dict)
    _types: dict[str, str] = field(default_factory=dict)

    def read(self) -> NormalisedFunction:
        root = self.syntax.root
        parts = [each for each in root.children if each is not None]
        body = next(each for each in parts if each.kind == "CompoundStmt")
        attributes = (each for each in parts if each.kind.endswith("Attr") and root.start < each.start < body.start)
        says = (*self._result(root.type), *(word for each in attributes for word in self._tokens(each)))
        parameters = tuple(self._variable(each, None) for each in parts if each.kind == "ParmVarDecl")
        header = self._make(root, "FunctionDecl", says, (), casts=tuple(each.type for each in parameters), end=body)
        return NormalisedFunction(header, parameters, self._loose, self._block(body, body))

    def _result(self, words: str) -> tuple[str, str]:
        """`int (char, ...)` -> `int` and `...`: the parameters have their own types."""
        opening = last_opening(words)
        ending = words[opening:]
        kind = "()" if ending == "()" else "..." if ending.endswith("...)") else ""
        return self._type(words[:opening].strip()), kind

    # -- statements

    def _block(self, owner: SyntaxNode, inside: SyntaxNode | None) -> SyntaxPart:
        return self._make(owner, BLOCK, (), tuple(self._statements(inside)))

    def _statements(self, node: SyntaxNode | None) -> Iterator[SyntaxPart]:
        if node is None or node.kind == "NullStmt":
            return
        if node.kind == "CompoundStmt":
            for each in node.children:
                yield from self._statements(each)
        elif node.kind == "DeclStmt":
            yield from self._declarations(node)
        elif node.kind in ("LabelStmt", "CaseStmt", "DefaultStmt", "AttributedStmt"):
            yield from self._labelled(node)
        else:
            yield self._statement(node)

    def _labelled(self, node: SyntaxNode) -> Iterator[SyntaxPart]:
        """The label, and then the statement."""
        *values, below = (each for each in node.children if each is not None)
        if node.kind == "LabelStmt":
            yield self._make(node, "LabelStmt", (self._number(label_key(node.name), node.name),), (), end=below)
        elif node.kind != "AttributedStmt":
            yield self._make(node, node.kind, (), tuple(self._expression(each) for each in values), end=below)
        yield from self._statements(below)

    def _statement(self, node: SyntaxNode) -> SyntaxPart:
        read = _CONTROL.get(node.kind)
        return read(self, node) if read else self._expression(node)

    def _if(self, node: SyntaxNode) -> SyntaxPart:
        condition, then, *otherwise = node.children
        if len(otherwise) > 1:  # `if (int n = f(); n > 3)`, since C2y
            return self._expression(node)
        below = otherwise[0] if otherwise else None
        blocks = (self._block(node, then), self._block(node, below))
        return self._make(node, node.kind, (), (self._optional(condition), *blocks), end=then)

    def _while(self, node: SyntaxNode) -> SyntaxPart:
        *heads, body = node.children
        parts = (*(self._optional(each) for each in heads), self._block(node, body))
        return self._make(node, node.kind, (), parts, end=body)

    def _do(self, node: SyntaxNode) -> SyntaxPart:
        body, condition = node.children
        return self._make(node, node.kind, (), (self._block(node, body), self._optional(condition)), end=body)

    def _for(self, node: SyntaxNode) -> SyntaxPart:
        first, *heads, body = node.children
        parts = (self._block(node, first), *(self._optional(each) for each in heads), self._block(node, body))
        return self._make(node, node.kind, (), parts, end=body)

    # -- declarations

    def _declarations(self, statement: SyntaxNode) -> Iterator[SyntaxPart]:
        before: SyntaxNode | None = None
        for node in statement.children:
            if node is None or node.kind in _SILENT_DECLARATIONS or node.storage == "extern":
                continue
            if node.kind == "VarDecl":
                variable = self._variable(node, before)
                if node.storage == "static" or (not variable.children and not _VARIABLE_LENGTH.search(node.type)):
                    self._loose[variable.says[0]] = variable
                else:
                    yield variable
                before = node
            elif node.kind in _TYPES:
                if node.children:
                    yield self._make(node, node.kind, tuple(self._tokens(node)), ())
            elif node.kind != "TypedefDecl" or _VARIABLE_LENGTH.search(node.type):
                yield self._expression(node)

    def _variable(self, node: SyntaxNode, before: SyntaxNode | None) -> SyntaxPart:
        """`int a[5]` is a pointer as a parameter: only its text has the length, which the inputs depend on."""
        is_parameter = node.kind == "ParmVarDecl"
        found = _LENGTH.findall(self.syntax.slice(node)) if is_parameter else _VARIABLE_LENGTH.findall(node.type)
        lengths = (WORD.sub(self._rename, " ".join(each.split())) for each in found)
        says = (self._number(node.declaration, node.name), node.storage, *lengths)
        children = tuple(self._expression(each) for each in node.children if each is not None and counts(each))
        return self._make(node, node.kind, says, children, type=self._type(node.type), before=before)

    # -- expressions

    def _optional(self, node: SyntaxNode | None) -> SyntaxPart | None:
        if node is None:
            return None
        return self._block(node, node) if node.kind == "DeclStmt" else self._expression(node)

    def _expression(self, node: SyntaxNode) -> SyntaxPart:
        casts: list[str] = []
        while (inside := unwrap(node)) is not None:
            if node.kind == "ImplicitCastExpr":
                casts.append(f"{node.opcode} {self._type(node.type)}")
            node = inside
        return self._make(
            node,
            node.kind,
            self._says_of(node),
            tuple(self._operands(node)),
            type=self._type(node.type),
            casts=tuple(reversed(casts)),
        )

    def _operands(self, node: SyntaxNode) -> Iterator[SyntaxPart | None]:
        if node.kind == "StmtExpr":
            yield self._block(node, node.children[0])
            return
        for each in node.children:
            if each is None:
                yield None
            elif counts(each):
                yield self._place_literal(node, each) or self._expression(each)

    def _place_literal(self, parent: SyntaxNode, node: SyntaxNode) -> SyntaxPart | None:
        """`__LINE__` and `__FILE__`, as in the expansion of `assert`, name their place, which moves with every line
        that is added above."""
        bare = bare_node(node)
        return self._make(bare, bare.kind, ("its place",), ()) if says_its_place(self.syntax, bare, parent) else None

    def _says_of(self, node: SyntaxNode) -> tuple[str, ...]:
        """What the node contains besides its operands."""
        kind = node.kind
        if kind == "DeclRefExpr":
            return self._reference(node)
        if kind in _LITERALS:
            return (node.value, "" if kind == "StringLiteral" else node.type)
        if kind in ("GotoStmt", "AddrLabelExpr"):
            name = label_of(node, self.syntax.slice(node))
            return (self._number(label_key(name), name),)
        if kind == "UnaryExprOrTypeTraitExpr":
            argument = next((each.type for each in node.children if each is not None), node.argument)
            return (node.name, self._type(node.argument), self.meanings.size(self._type(argument)))
        if kind == "InitListExpr":
            return tuple(self._designators(node))
        if kind in _WITH_TYPE:
            return (node.opcode, self._type(node.type))
        if kind in _PLAIN:
            return (node.opcode, node.name, "postfix" if node.is_postfix else "")
        return tuple(self._own_tokens(node))

    def _reference(self, node: SyntaxNode) -> tuple[str, ...]:
        if node.declaration in self.numbers:
            return ("", self.numbers[node.declaration])
        value = self.meanings.enumerators.get(node.name, "") if node.declares == "EnumConstantDecl" else ""
        return (node.declares, node.name, str(value))

    # -- words

    def _number(self, key: str, name: str) -> str:
        return self.numbers.get(key, name)

    def _rename(self, word: re.Match[str]) -> str:
        return self.names.get(word.group(), word.group())

    def _type(self, words: str) -> str:
        """The type without typedefs; computed lengths refer to locals by number."""
        known = self._types.get(words)
        if known is None:
            plain = self.meanings.type(words)
            known = _VARIABLE_LENGTH.sub(lambda found: WORD.sub(self._rename, found.group()), plain)
            self._types[words] = known
        return known

    def _tokens(self, node: SyntaxNode) -> Iterator[str]:
        yield from (token.text for token in read_tokens(self.syntax.slice(node)))

    def _own_tokens(self, node: SyntaxNode) -> Iterator[str]:
        """The tokens of the node without those of its operands."""
        at, text = node.start, self.syntax.text
        for each in sorted((each for each in node.children if each is not None and each.end), key=lambda n: n.start):
            yield from (token.text for token in read_tokens(text[at : each.start]))
            at = max(at, each.end)
        yield from (token.text for token in read_tokens(text[at : node.end]))

    def _designators(self, node: SyntaxNode) -> Iterator[str]:
        """The designated elements of an array or member of a union, if clang's dump does not contain them."""
        is_partial = node.type.endswith("]") and any(each and each.kind == _FILLER for each in node.children)
        if is_partial or node.type.startswith("union"):
            yield from (token for token in self._own_tokens(node) if token != ",")

    def _make(
        self,
        node: SyntaxNode,
        kind: str,
        says: tuple[str, ...],
        children: tuple[SyntaxPart | None, ...],
        type: str = "",
        casts: tuple[str, ...] = (),
        end: SyntaxNode | None = None,
        before: SyntaxNode | None = None,
    ) -> SyntaxPart:
        shape = self.shapes.number(kind, says, *(each and each.shape for each in children))
        typed = self.shapes.number(shape, type, casts, *(each and each.typed_shape for each in children))
        size = 1 + sum(each.size for each in children if each is not None)
        return SyntaxPart(node, kind, says, children, shape, typed, size, type, casts, end, before)


_CONTROL: Mapping[str, Callable[[SyntaxNormaliser, SyntaxNode], SyntaxPart]] = {
    "IfStmt": SyntaxNormaliser._if,
    "WhileStmt": SyntaxNormaliser._while,
    "SwitchStmt": SyntaxNormaliser._while,
    "DoStmt": SyntaxNormaliser._do,
    "ForStmt": SyntaxNormaliser._for,
}
