"""Structural criteria as labels: statements (IC) and decisions (DC, CC, DCC, MCC: paper 002, Theorem 1; n-wise
conditions, GACC, masking MC/DC).

The label of a statement always holds: it only has to be reached. What a criterion wants of a decision is a set of rows
of its truth table; the predicate says that the next evaluation will be one of them, with the conditions in the order
and only as far as C evaluates them. Objectives that need two runs have no label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tightrope.coverage.criteria.about_decisions import AboutDecisions
from tightrope.coverage.criteria.multiple_condition import TOO_MANY_COMBINATIONS
from tightrope.coverage.labelling.evaluation import FunctionFacts, flatten, is_pure
from tightrope.coverage.labelling.labeller import IMPURE, Labeller
from tightrope.coverage.labelling.sites import Site, find_place, find_sites, find_statements
from tightrope.coverage.truth_table import Row, TruthTable, Wanted, make_table, shorten
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.decisions.decisions import Decision
from tightrope.program.marks.labels import Label

PAIR = "it compares two runs, and a label is about one"
_LOST = "its place in the text was not found"

Literals = tuple[tuple[int, bool], ...]  # conditions with their values, in the order of evaluation


def label_statements(facts: FunctionFacts) -> Iterator[Label]:
    """Labels that every statement is reached."""
    labeller = Labeller(facts, "statement")
    for node, place in find_statements(facts):
        yield labeller.at(place, node.location, "statement", "", shorten(_show_head(facts, node)), "1")


def _show_head(facts: FunctionFacts, node: SyntaxNode) -> str:
    """A statement without those in it: `if (a > 3)`."""
    match node.kind:
        case "IfStmt" | "WhileStmt" | "SwitchStmt" if node.children[0]:
            return f"{node.kind.removesuffix('Stmt').lower()} ({facts.words(node.children[0])})"
        case "ForStmt":
            first, _, *others = node.children[:4]
            shown = facts.words(first).rstrip(";") if first else ""
            return f"for ({shown}{''.join(f'; {facts.words(each)}' if each else ';' for each in others)})"
        case "DoStmt":
            return "do"
        case _:
            return facts.words(node).rstrip(";").rstrip()


def label_decisions(
    facts: FunctionFacts, decisions: Sequence[Decision], criterion: type[AboutDecisions], mcdc_form: str = "masking"
) -> Iterator[Label]:
    labeller = Labeller(facts, criterion.name)
    sites: dict[tuple[int, int], Site] = {}
    for site in find_sites(facts):
        sites.setdefault((site.node.start, site.node.end), site)
    for decision in decisions:
        if len(decision.constants) == len(decision.conditions):
            continue
        table = make_table(decision)
        for wanted in criterion().want(table, mcdc_form):
            label = _label(labeller, table, wanted, sites.get((decision.start, decision.end)))
            yield replace(label, what=wanted.word)


def _label(labeller: Labeller, table: TruthTable, wanted: Wanted, site: Site | None) -> Label:
    if site is None:
        decision = table.decision
        return Label(
            labeller.criterion, wanted.kind, labeller.function, decision.location, wanted.text, "0", problem=_LOST
        )
    problem = PAIR if wanted.pairs is not None else wanted.problem or ("" if table.rows else TOO_MANY_COMBINATIONS)
    problem = problem or ("" if is_pure(site.node) else IMPURE)
    if problem:
        return labeller.problem(site, wanted.kind, wanted.word, wanted.text, problem)
    rows = (_literals(row) for row in wanted.rows if isinstance(row, Row))
    predicate = _any_of(labeller.facts, table.decision, _merge(rows))
    return labeller.about(site, find_place(labeller.facts, site), wanted.kind, wanted.word, wanted.text, predicate)


def _literals(row: Row) -> Literals:
    return tuple((at, value) for at, value in enumerate(row.vector.values) if value is not None)


def _merge(rows: Iterator[Literals]) -> list[Literals]:
    """Merge two rows that differ only in their last condition into one without it."""
    found = list(rows)
    while True:
        known = set(found)
        twins = [row for row in found if row and (*row[:-1], (row[-1][0], not row[-1][1])) in known]
        if not twins:
            return found
        shorter = [row[:-1] if row in twins else row for row in found]
        found = list(dict.fromkeys(shorter))


def _any_of(facts: FunctionFacts, decision: Decision, rows: list[Literals]) -> str:
    if not rows:
        return "0"
    parts = [_all_of(facts, decision, row) for row in rows]
    return parts[0] if len(parts) == 1 else " || ".join(f"({part})" for part in parts)


def _all_of(facts: FunctionFacts, decision: Decision, literals: Literals) -> str:
    """The conjunction of the conditions that are no constants."""
    shown = []
    for at, value in literals:
        condition = decision.conditions[at]
        if condition.constant is None:
            text = flatten(facts.syntax.text[condition.start : condition.end])
            shown.append(f"({text})" if value else f"!({text})")
    return " && ".join(shown) or "1"
