"""ψ_CC and ψ_MCC of Bardin et al. (Theorem 1), literally: the atomic conditions a_i of a conditional statement, and all
their combinations, as labels in front of it.

    if (a && b)     label-cc    a, !a, b, !b                          label-mcc    a && b, a && !b, !a && b, !a && !b

Unlike `condition` and `mcc`, a condition counts although C does not evaluate it because of those before. It is
evaluated only where that is defined: `p->x` in `p && p->x` has no value if p is null, and no label about it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from tightrope.coverage.labelling.evaluation import FunctionFacts, flatten, is_pure
from tightrope.coverage.labelling.labeller import IMPURE, Labeller
from tightrope.coverage.labelling.predicates import join
from tightrope.coverage.labelling.runtime_errors import defined
from tightrope.coverage.labelling.sites import Site, find_place, find_sites
from tightrope.coverage.truth_table import shorten
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.marks.labels import Label

MOST_COMBINED = 8  # conditions of a decision whose combinations are listed
_TOO_MANY = f"it has more than {MOST_COMBINED} conditions, whose combinations are too many to list"

Values = tuple[tuple[int, bool], ...]  # conditions with their values


def label_conditions(facts: FunctionFacts, decisions: Sequence[Decision]) -> Iterator[Label]:
    """ψ_CC: each condition, and its negation."""

    def choose(count: int) -> Iterator[Values]:
        return (((at, value),) for at in range(count) for value in (True, False))

    return _label(Labeller(facts, "label-cc"), decisions, choose, most=10**6)


def label_combinations(facts: FunctionFacts, decisions: Sequence[Decision]) -> Iterator[Label]:
    """ψ_MCC: each combination of the conditions and their negations."""

    def choose(count: int) -> Iterator[Values]:
        return (tuple(enumerate(values)) for values in product((True, False), repeat=count))

    return _label(Labeller(facts, "label-mcc"), decisions, choose, most=MOST_COMBINED)


def _label(
    labeller: Labeller, decisions: Sequence[Decision], choose: Callable[[int], Iterator[Values]], most: int
) -> Iterator[Label]:
    sites: dict[tuple[int, int], Site] = {}
    for site in find_sites(labeller.facts):
        sites.setdefault((site.node.start, site.node.end), site)
    for decision in decisions:
        whole = sites.get((decision.start, decision.end))
        if decision.role in ("value", "assert") or len(decision.constants) == len(decision.conditions) or not whole:
            continue
        parts = [sites.get((each.start, each.end)) for each in decision.conditions]
        if not is_pure(whole.node) or None in parts or len(parts) > most:
            problem = _TOO_MANY if len(parts) > most else IMPURE
            yield labeller.problem(whole, "condition", "", f"conditions of `{shorten(decision.text)}`", problem)
            continue
        known = [_Literal(labeller.facts, *each) for each in zip(decision.conditions, parts, strict=True) if each[1]]
        place = find_place(labeller.facts, whole)
        for values in choose(len(known)):
            if all(known[at].may_be(value) for at, value in values):
                word = "".join(f"c{at + 1}:{str(value).lower()}:" for at, value in values).rstrip(":")
                text = ", ".join(f"`{shorten(known[at].text)}` is {str(value).lower()}" for at, value in values)
                claims = join(tuple(known[at].claim(value) for at, value in values))
                yield labeller.about(whole, place, "condition", word, text, claims)


class _Literal:
    """A condition or its negation, as C."""

    def __init__(self, facts: FunctionFacts, condition: Condition, site: Site | None) -> None:
        assert site
        self.text, self._constant = condition.text, condition.constant
        self._c = flatten(facts.syntax.text[condition.start : condition.end])
        self._needs = defined(facts, site.node)

    def may_be(self, value: bool) -> bool:
        return self._constant is None or self._constant is value

    def claim(self, value: bool) -> str:
        if self._constant is not None:
            return "1"
        return join((*self._needs, f"({self._c})" if value else f"!({self._c})"))
