"""ψ_CC and ψ_MCC of Bardin et al. (Theorem 1), literally: the atomic conditions a_i of a conditional statement, and all
their combinations, as labels in front of it.

    if (a && b)     label-cc    a, !a, b, !b                          label-mcc    a && b, a && !b, !a && b, !a && !b

Unlike `condition` and `mcc`, a condition counts although C does not evaluate it because of those before. It is
evaluated only where that is defined: `p->x` in `p && p->x` has no value if p is null, and no label about it holds.

A condition that has side effects (`n-- > 0`), or that those of an earlier one may change, is *late*: it has a value
only where C evaluates it. That value is kept, and labels stand behind it.

    while (n-- > 0 && n < 9)      label-cc     n-- > 0, !(n-- > 0), n < 9, !(n < 9)
                                  label-mcc    n-- > 0 && n < 9, n-- > 0 && !(n < 9); none with !(n-- > 0) can hold,
                                               because C does not evaluate `n < 9` then

What C evaluates before a late condition is kept as well, because effects may change it. So a combination is about one
evaluation of the decision: as long as the values agree with it, C evaluates what it evaluates with these values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from tightrope.coverage.labelling.evaluation import FunctionFacts, flatten, is_pure, walk
from tightrope.coverage.labelling.kept_operands import KeptOperands, keep_truth
from tightrope.coverage.labelling.labeller import IMPURE, Labeller
from tightrope.coverage.labelling.predicates import join
from tightrope.coverage.labelling.runtime_errors import defined
from tightrope.coverage.labelling.sites import LabelPlace, Site, find_place, find_sites
from tightrope.coverage.truth_table import shorten
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.decisions.boolean_tree import Vector, vectors
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.marks.labels import Label

MOST_COMBINED = 8  # conditions of a decision whose combinations are listed
_TOO_MANY = f"it has more than {MOST_COMBINED} conditions, whose combinations are too many to list"

_CHANGED = "the condition that C does not evaluate may have another value behind the side effects"

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
        known = [_Literal(labeller.facts, *each) for each in zip(decision.conditions, parts, strict=True) if each[1]]
        problem = _TOO_MANY if len(parts) > most else IMPURE if len(known) < len(parts) else ""
        is_kept = not problem and not is_pure(whole.node)
        kept = _keep(labeller.facts, whole, decision, known) if is_kept else None
        if problem or (is_kept and not kept):
            text = f"conditions of `{shorten(decision.text)}`"
            yield labeller.problem(whole, "condition", "", text, problem or IMPURE)
            continue
        place = find_place(labeller.facts, whole, [each.site.node for each in known] if kept else ())
        for values in choose(len(known)):
            if all(known[at].may_be(value) for at, value in values):
                word = "".join(f"c{at + 1}:{str(value).lower()}:" for at, value in values).rstrip(":")
                text = ", ".join(f"`{shorten(known[at].text)}` is {str(value).lower()}" for at, value in values)
                behind = kept.last_needed(values) if kept else None
                if kept and behind is not None:
                    yield _label_behind(labeller, whole, kept, values, behind, word, text)
                else:
                    claims = join(tuple(known[at].claim(value) for at, value in values))
                    yield labeller.about(whole, place, "condition", word, text, claims)


def _label_behind(
    labeller: Labeller, whole: Site, kept: _KeptDecision, values: Values, behind: int, word: str, text: str
) -> Label:
    claims = kept.claims(values, behind)
    if claims is None:
        return labeller.problem(whole, "condition", word, text, _CHANGED)
    what = ":".join(("condition", word))
    return labeller.at(kept.place(behind), whole.node.location, "condition", what, text, claims)


class _Literal:
    """A condition or its negation, as C."""

    def __init__(self, facts: FunctionFacts, condition: Condition, site: Site | None) -> None:
        assert site
        self.site = site
        self.text, self.constant = condition.text, condition.constant
        self._c = flatten(facts.syntax.text[condition.start : condition.end])
        self._needs = defined(facts, site.node) if is_pure(site.node) else ()

    @property
    def is_impure(self) -> bool:
        return self.constant is None and not is_pure(self.site.node)

    def may_be(self, value: bool) -> bool:
        return self.constant is None or self.constant is value

    def claim(self, value: bool) -> str:
        if self.constant is not None:
            return "1"
        return join((*self._needs, f"({self._c})" if value else f"!({self._c})"))


@dataclass(frozen=True, slots=True)
class _KeptDecision:
    """The conditions of a decision with side effects."""

    facts: FunctionFacts
    literals: Sequence[_Literal]
    late: frozenset[int]
    kept: dict[int, KeptOperands]  # the conditions up to the last late one: the place behind it, and its truth
    ways: tuple[Vector, ...]  # in which C evaluates the decision

    def last_needed(self, values: Values) -> int | None:
        """The condition behind which a label about these values stands; None: in front of the decision."""
        return max((at for at, _ in values if at in self.late), default=None)

    def place(self, behind: int) -> LabelPlace:
        kept = (each for at in sorted(self.kept) if at <= behind for each in self.kept[at].place.temporaries)
        return replace(self.kept[behind].place, temporaries=tuple(kept))

    def claims(self, values: Values, behind: int) -> str | None:
        """What must hold behind that condition; `0` if C does not evaluate a late one. None if the value of one that C
        does not evaluate may have changed there."""
        if len(values) == 1:
            return self._kept(*values[0])
        wanted = dict(values)
        way = next(each for each in self.ways if all(one in (None, wanted[at]) for at, one in enumerate(each.values)))
        skipped = [at for at, one in enumerate(way.values) if one is None]
        if self.late.intersection(skipped):
            return "0"
        if any(_may_change(self.facts, each, self.literals[at]) for at in skipped for each in self.literals):
            return None
        is_known = [at in self.kept and at not in skipped for at in wanted]
        every = zip(values, self.literals, is_known, strict=True)
        return join(tuple(self._kept(at, value) if known else each.claim(value) for (at, value), each, known in every))

    def _kept(self, at: int, value: bool) -> str:
        truth = self.kept[at].facts.text(self.literals[at].site.node)
        return truth if value else f"!({truth})"


def _may_change(facts: FunctionFacts, one: _Literal, other: _Literal) -> bool:
    return one.is_impure and facts.disturbs(facts.effects(one.site.node), other.site.node)


def _keep(facts: FunctionFacts, whole: Site, decision: Decision, literals: Sequence[_Literal]) -> _KeptDecision | None:
    """None if the truth of a condition cannot be kept, or if others than conditions have effects (`f(), a`)."""
    if any(_is_aside(each, literals) for each in walk(whole.node)):
        return None
    late = frozenset(
        at
        for at, each in enumerate(literals)
        if each.constant is None and (each.is_impure or any(_may_change(facts, one, each) for one in literals[:at]))
    )
    kept: dict[int, KeptOperands] = {}
    for at in range(max(late, default=-1) + 1):
        if literals[at].constant is None:
            truth = keep_truth(facts, literals[at].site.node)
            if not truth:
                return None
            kept[at] = truth
    ways = vectors(decision.tree, decision.constants) if len(literals) <= MOST_COMBINED else ()
    return _KeptDecision(facts, literals, late, kept, ways) if late else None


def _is_aside(node: SyntaxNode, literals: Sequence[_Literal]) -> bool:
    inside = (each.site.node.start <= node.start and node.end <= each.site.node.end for each in literals)
    return node.opcode == "," and not any(inside)
