"""Labels in the source: `pc_label(e, id, "TAG")` and `TIGHTROPE_LABEL(e)`, as tightrope.h defines them. Objectives over
several of them are in hyperlabels.py.

    ((void)sizeof((_Bool)(e) ? "tightrope label" : "id, \\"TAG\\""))

No compiler generates code for this expression; here it is recognised, with its predicate and its tag.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tightrope.coverage.labelling.evaluation import FunctionFacts, everything, is_pure, strip
from tightrope.coverage.labelling.labeller import IMPURE
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.marks.labels import Form, Label

MARKER = "tightrope label"
NUMBER = re.compile(r"\s*(\w+)")
_STRING = re.compile(r'"((?:\\.|[^"\\])*)"')


def label_written(facts: FunctionFacts) -> Iterator[Label]:
    for node in everything(facts.syntax.root):
        inside = find_marked(facts, node)
        if inside:
            yield _label(facts, node, *inside)


def find_marked(facts: FunctionFacts, node: SyntaxNode) -> tuple[SyntaxNode, str] | None:
    """The predicate of a label and its text; None for any other node."""
    if node.kind != "ParenExpr" or MARKER not in facts.syntax.slice(node):
        return None
    cast = node.children[0]
    asked = cast.children[0] if cast and cast.opcode == "ToVoid" else None
    choice = strip(asked.children[0]) if asked and asked.name == "sizeof" and asked.children[0] else None
    if not choice or choice.kind != "ConditionalOperator" or strip(choice.children[1] or choice).value != f'"{MARKER}"':
        return None
    predicate, rest = choice.children[0], choice.children[2]
    return (predicate, read_string(strip(rest).value)) if predicate and rest else None


def read_string(literal: str) -> str:
    try:
        return str(json.loads(literal))
    except ValueError:
        return literal


def _label(facts: FunctionFacts, node: SyntaxNode, predicate: SyntaxNode, rest: str) -> Label:
    tag, number = _STRING.search(rest), NUMBER.match(rest)
    shown = own_text(facts, predicate)
    return Label(
        "label",
        tag[1] if tag and tag[1] else "label",
        f"@{facts.syntax.name}",
        node.location,
        shown,
        shown,
        Form.EXPRESSION,
        node.start,
        node.end,
        node.location,
        node.is_in_macro,
        is_written=True,
        problem="" if is_pure(predicate) else IMPURE,
        what=":".join(part for part in (tag[1] if tag else "", number[1] if number else "") if part),
    )


def own_text(facts: FunctionFacts, predicate: SyntaxNode) -> str:
    """Without the cast and the brackets that the macro puts around it."""
    while predicate.kind in ("ImplicitCastExpr", "CStyleCastExpr", "ParenExpr") and predicate.children[0]:
        inner = predicate.children[0]
        if predicate.kind == "ParenExpr":
            return facts.text(inner)
        predicate = inner
    return facts.text(predicate)
