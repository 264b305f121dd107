"""Facts about single nodes of clang's syntax tree, and about names of types, for normalising."""

from __future__ import annotations

from pathlib import PurePath

from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode

WRAPPINGS = ("ParenExpr", "ConstantExpr", "ImplicitCastExpr")


def unwrap(node: SyntaxNode) -> SyntaxNode | None:
    """The node inside parentheses, an implicit cast, or `__extension__`; None for other nodes."""
    is_wrapping = node.kind in WRAPPINGS or (node.kind == "UnaryOperator" and node.opcode == "__extension__")
    return node.children[0] if is_wrapping and node.children else None


def counts(node: SyntaxNode) -> bool:
    """True if the node counts: not a comment, nor an attribute that is not written there."""
    return not node.kind.endswith("Comment") and not (node.kind.endswith("Attr") and not node.end)


def bare_node(node: SyntaxNode) -> SyntaxNode:
    while (inside := unwrap(node)) is not None:
        node = inside
    return node


def says_its_place(syntax: FunctionSyntax, node: SyntaxNode, parent: SyntaxNode) -> bool:
    """True for `__LINE__` or `__FILE__`. Inside a larger macro they are recognised by their values."""
    if not node.is_in_macro or not (_is_inside(node, parent) or _is_written(syntax, node)):
        return False
    is_line = node.kind == "IntegerLiteral" and node.value == str(node.location.line)
    return is_line or (
        node.kind == "StringLiteral" and node.value.strip('"').endswith(PurePath(node.location.file).name)
    )


def _is_written(syntax: FunctionSyntax, node: SyntaxNode) -> bool:
    lines, place = syntax.read(node.location.file) or [], node.location
    line = lines[place.line - 1] if 0 < place.line <= len(lines) else b""
    return line[place.column - 1 :].startswith((b"__LINE__", b"__FILE__"))


def _is_inside(node: SyntaxNode, parent: SyntaxNode) -> bool:
    """True if the parent begins and ends in the macro that the node comes from."""
    return parent.location == node.location and parent.is_in_macro and not (parent.end_location or parent.macro_end)


def last_opening(words: str) -> int:
    """The index of the parenthesis that matches the closing one at the end."""
    depth = 0
    for at in range(len(words) - 1, -1, -1):
        depth += (words[at] == ")") - (words[at] == "(")
        if not depth:
            return at
    return len(words)
