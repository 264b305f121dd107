"""LOOP: each loop is entered and left with zero, exactly one, and more iterations.

P. Ammann, J. Offutt, "Introduction to Software Testing", 2008, 2.2.1; G. J. Myers, "The Art of Software Testing", 1979.
An iteration begins where the body does, so that a `break` in the first one makes it the only one. A loop is left behind
itself, or by a `return` or `goto` in it. `do` has at least one iteration, and a loop whose condition is constant and
true too.

A local counts the iterations since the loop was entered, up to two:

    while (c) { ... }      n = 0; while (c) { n += n < 2; LABEL(n == 2) ... } LABEL(n == 0), LABEL(n == 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tightrope.coverage.labelling.evaluation import FunctionFacts, everything, strip_parentheses
from tightrope.coverage.labelling.labeller import Labeller
from tightrope.coverage.labelling.sites import LabelPlace, find_statements, function_body
from tightrope.coverage.labelling.value_bounds import find_bounds
from tightrope.coverage.truth_table import shorten
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.marks.labels import Form, Label, Temporary, Update
from tightrope.program.marks.marks import TEMPORARY

ZERO, ONE, MANY = "zero", "one", "many"
_LOOPS = {"WhileStmt": ("while", 0), "ForStmt": ("for", 2), "DoStmt": ("do", 1)}  # kind -> word, place of the condition
_BEHIND = {Form.STATEMENT: Form.BEHIND, Form.BODY: Form.BODY_END}
_ENTERED = "control may come into the loop from outside, past its start"
_WORDS = {ZERO: "no iteration", ONE: "exactly one iteration", MANY: "two or more iterations"}


def label_loops(facts: FunctionFacts) -> Iterator[Label]:
    """The labels of all loops. Those of one loop and one number of iterations form one objective."""
    labeller, statements = Labeller(facts, "loop"), find_statements(facts)
    for node, place in statements:
        loop = _CountedLoop(labeller, node, place) if node.kind in _LOOPS else None
        if loop and not loop.is_block:
            yield from loop.labels(statements)


class _CountedLoop:
    def __init__(self, labeller: Labeller, node: SyntaxNode, place: LabelPlace) -> None:
        self.labeller, self.facts, self.node, self.place = labeller, labeller.facts, node, place
        word, at = _LOOPS[node.kind]
        self.condition = node.children[at]
        body = node.children[0] if node.kind == "DoStmt" else node.children[-1]
        assert body
        self.body = body
        shown = shorten(self.facts.words(self.condition)) if self.condition else ""
        texts = {"for": f"for (...; {shown}; ...)", "do": f"do ... while ({shown})"}
        self.text = texts.get(word, f"{word} ({shown})")

    def labels(self, statements: tuple[tuple[SyntaxNode, LabelPlace], ...]) -> Iterator[Label]:
        kinds = [ONE, MANY] if self._runs_at_least_once() else [ZERO, ONE, MANY]
        if self._is_entered_inside():
            yield from (self._label(kind, self.place, "0", _ENTERED) for kind in kinds)
            return
        behind = replace(self.place, form=_BEHIND[self.place.form])
        count = self._counter().name
        for kind in kinds:
            if kind is MANY:
                yield self._label(kind, self._body_start(), f"{count} == 2")
            else:
                yield self._label(kind, behind, f"{count} == {int(kind is ONE)}")
        yield from (self._label(ONE, place, f"{count} == 1") for node, place in statements if self._is_left_by(node))

    def _runs_at_least_once(self) -> bool:
        return self.node.kind == "DoStmt" or self.condition is None or self._constant() not in (None, 0)

    def _constant(self) -> int | None:
        """The value of a condition that is a number."""
        bounds = find_bounds(strip_parentheses(self.condition)) if self.condition else None
        return bounds[0] if bounds and bounds[0] == bounds[1] else None

    @property
    def is_block(self) -> bool:
        """`do { ... } while (0)`, as macros have it."""
        return self.node.kind == "DoStmt" and self._constant() == 0

    def _is_entered_inside(self) -> bool:
        """True for a label of `goto` in the body, and for a `case` of a switch around the loop."""
        return any(each.kind == "LabelStmt" for each in everything(self.body)) or _has_own_case(self.body)

    def _is_left_by(self, node: SyntaxNode) -> bool:
        """True for a statement in the body that leaves the loop and does not come behind it."""
        is_inside = self.body.start <= node.start and node.end <= self.body.end
        return is_inside and node.kind in ("ReturnStmt", "GotoStmt", "IndirectGotoStmt")

    def _body_start(self) -> LabelPlace:
        body = self.body
        if body.kind == "CompoundStmt":
            return LabelPlace(Form.STATEMENT, body.start + 1, body.start + 1, body.location, body.is_in_macro)
        return LabelPlace(Form.BODY, body.start, body.end, body.location, body.is_in_macro)

    def _counter(self) -> Temporary:
        root = function_body(self.facts.syntax.root)
        assert root
        name, start, inside = f"{TEMPORARY}loop_{self.node.start}", self.place, self._body_start()
        updates = (
            Update(f"{name} = 0", start.form, start.start, start.end),
            Update(f"{name} += {name} < 2", inside.form, inside.start, inside.end),
        )
        return Temporary(name, "int", root.start + 1, "iterations", initial="0", updates=updates)

    def _label(self, kind: str, place: LabelPlace, predicate: str, problem: str = "") -> Label:
        place = replace(place, temporaries=() if problem else (self._counter(),))
        text = f"`{self.text}` with {_WORDS[kind]}"
        label = self.labeller.at(place, self.node.location, kind, kind, text, predicate)
        return replace(label, problem=problem, group=f"{self.node.start}:{kind}")


def _has_own_case(node: SyntaxNode) -> bool:
    """True if a `case` or `default` in it belongs to a switch around it."""
    if node.kind in ("CaseStmt", "DefaultStmt"):
        return True
    return node.kind != "SwitchStmt" and any(_has_own_case(each) for each in node.children if each)
