"""The mutants of a function: changes of its expressions (operators.py), and statements that are deleted or exchanged.

delete  a statement that assigns, steps or calls, as nothing; break, continue and a return without value, too
jump    break as continue, continue as break
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tightrope.coverage.labelling.evaluation import FunctionFacts, everything, is_pure
from tightrope.coverage.labelling.sites import find_statements, function_body
from tightrope.coverage.mutation.operators import (
    SAME_RANK,
    Mutation,
    find_assertions,
    find_unused,
    is_inside,
    mutate_expressions,
)
from tightrope.coverage.truth_table import shorten
from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode
from tightrope.program.marks.mutants import MutantForm, SourceMutant

_LOOPS = ("WhileStmt", "DoStmt", "ForStmt")
_TARGETS = ("CaseStmt", "DefaultStmt", "LabelStmt")  # of jumps
_SPACE = re.compile(r"\s*;")


def find_mutants_of(syntax: FunctionSyntax, function: str) -> tuple[SourceMutant, ...]:
    """All mutants of a function ('@f'), place by place in the order of the text."""
    facts = FunctionFacts(syntax)
    found = [*mutate_expressions(facts), *_mutate_statements(facts)]
    found.sort(key=lambda each: (each.node.start, -each.node.end, each.form.value))
    statements = [node for node, _ in find_statements(facts) if node.end]
    return tuple(
        replace(_describe(facts, each), function=function, statement=_statement_of(each.node, statements))
        for each in found
    )


def _statement_of(node: SyntaxNode, statements: Sequence[SyntaxNode]) -> int:
    """Where the innermost statement around it starts; -1 if a jump may lead into that."""
    around = [each for each in statements if each.start <= node.start < each.end]
    inner = max(around, key=lambda each: (each.start, -each.end), default=None)
    is_entered = inner is None or any(each.kind in _TARGETS for each in everything(inner))
    return -1 if inner is None or is_entered else inner.start


def _mutate_statements(facts: FunctionFacts) -> Iterator[Mutation]:
    body = function_body(facts.syntax.root)
    if body is None:
        return
    asserted = find_assertions(facts)
    looping, unused = _inside_loops(body), frozenset(find_unused(facts))
    last = body.children[-1] if body.children else None
    for node, _ in find_statements(facts):
        if not node.end:
            continue
        if node.kind in ("BreakStmt", "ContinueStmt"):
            yield Mutation("delete", "", node, ";", ";", MutantForm.JUMP)
            other = "continue" if node.kind == "BreakStmt" else "break"
            if node in looping:
                yield Mutation("jump", other, node, f"{other};", f"{other};", MutantForm.JUMP)
        elif node.kind == "ReturnStmt" and not node.children and node is not last:
            yield Mutation("delete", "", node, ";", ";", MutantForm.JUMP)
        elif node in unused and not is_pure(node) and not _is_assertion(node, asserted):
            yield Mutation("delete", "", node, "0", "", MutantForm.EFFECT)


def _is_assertion(statement: SyntaxNode, asserted: Sequence[SyntaxNode]) -> bool:
    """True if the statement is an assertion, a part of one, or little more than one."""
    return is_inside(statement, asserted) or any(is_inside(each, (statement,)) for each in asserted)


def _inside_loops(body: SyntaxNode) -> frozenset[SyntaxNode]:
    """The jumps that a loop of the function is around."""
    loops = (each for each in everything(body) if each.kind in _LOOPS)
    return frozenset(each for loop in loops for each in everything(loop) if each.kind in ("BreakStmt", "ContinueStmt"))


def _describe(facts: FunctionFacts, mutation: Mutation) -> SourceMutant:
    node = mutation.node
    end = node.end
    if mutation.form is MutantForm.JUMP:
        found = _SPACE.match(facts.syntax.text, end)
        end = found.end() if found and facts.syntax.text[end - 1] != ";" else end
    words = facts.words(node)
    text = f"{words} deleted" if mutation.operator == "delete" else f"{words} as {mutation.shown.rstrip(';')}"
    return SourceMutant(
        "",
        mutation.operator,
        mutation.what,
        node.location,
        shorten(text),
        node.start,
        end,
        mutation.replacement,
        mutation.form,
        _change(facts, mutation),
        expression=words,
    )


def _change(facts: FunctionFacts, mutation: Mutation) -> tuple[str, str]:
    """The lines of the user's file, before and after; nothing if a macro hides what is changed."""
    node = mutation.node
    first, last = node.location, node.end_location
    lines = facts.syntax.read(first.file)
    if node.is_in_macro or last is None or not first.column or last.file != first.file or lines is None:
        return "", ""
    before = b"\n".join(lines[first.line - 1 : last.line])
    if last.line > len(lines):
        return "", ""
    head, tail = lines[first.line - 1][: first.column - 1], lines[last.line - 1][last.column - 1 :]
    inserted = _fitted(mutation, head, tail).encode("utf-8", errors="surrogateescape")
    if mutation.form is MutantForm.JUMP or (mutation.operator == "delete" and not inserted):
        tail = tail.lstrip()
        tail = tail[1:] if tail.startswith(b";") and inserted.endswith(b";") else tail
    return _decode(before), _decode(head + inserted + tail)


def _fitted(mutation: Mutation, head: bytes, tail: bytes) -> str:
    """The new text, in parentheses where an operator beside it would take a part of it."""
    shown, pair = mutation.shown, {mutation.node.opcode, mutation.what}
    is_whole = mutation.form in (MutantForm.JUMP, MutantForm.EFFECT) or bool(_OPERAND.fullmatch(shown))
    is_same_rank = mutation.operator in ("ror", "asg", "lhs", "step") or any(pair <= rank for rank in SAME_RANK)
    is_free = bool(_FREE_LEFT.search(head)) and bool(_FREE_RIGHT.match(tail))
    return shown if is_whole or is_same_rank or is_free else f"({shown})"


_OPERAND = re.compile(r"[-~!]?(?:[\w.]+|->|\[[^\[\]]*\])+(?:\([^()]*\))?|[-~!]?\([^()]*\)")
_FREE_LEFT = re.compile(rb"(?:[(,{;\[]|\breturn|[^=<>!]=)\s*$")
_FREE_RIGHT = re.compile(rb"\s*(?:[),;}\]]|$)")


def _decode(line: bytes) -> str:
    return line.decode("utf-8", errors="replace").rstrip("\r")
