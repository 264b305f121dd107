"""Our verdicts on MC/DC against llvm-cov's, condition by condition. Each difference has an explanation or is wrong.

Under unique cause, both ask for the same: two evaluations that differ in the condition and in the outcome, and in no other
condition that both evaluated. What clang takes apart less finely than we do follows from ours:

    (a && b) ^ c            two decisions to clang, `a && b` and none, one to us. A pair for `a` in ours agrees wherever both
                            were evaluated, so `c` did not change, so `a && b` did: it is a pair for `a` in clang's, too.

Under masking (ours is weaker), what llvm-cov calls covered must be covered.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from llvm_cov import COVERED, FOLDED, Judged, JudgedDecision, offset
from token_places import Span, Tokens, body_of, read_tokens

from tightrope.program.decisions.decisions import Decision

SAME = "same"
CONSTANT = "a constant to both"
PART = "part of a decision that clang takes apart less finely: ours implies theirs"
WEAKER = "covered by masking only"
SINGLE = "a decision of one condition is none to clang"
NO_LOGICAL = "there is no && or || in it: none to clang"
REFUSED = "clang refuses the decision, or one around it: `&&` or `||` below another operator"
CHOOSER = "`!` in front of `?:`: clang lists the decision and never counts it"
UNEVALUATED = "clang lists decisions in the operand of sizeof (every assert has one), which nothing evaluates"
WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Row:
    decision: str
    condition: str
    ours: str  # verdict, 'constant', or a problem
    theirs: str
    explanation: str

    def __str__(self) -> str:
        return (
            f"{self.explanation}: `{self.condition}` in `{self.decision}`: we say {self.ours}, llvm-cov {self.theirs}"
        )


class Comparison:
    """Of one function. `text` is our preprocessed text, in which the decisions have their places.

    `verdicts[d, c]` is our verdict on condition c of decision d; a constant has none.
    """

    def __init__(
        self,
        text: str,
        function: str,
        decisions: Sequence[Decision],
        verdicts: Mapping[tuple[int, int], str],
        judged: Judged,
        *,
        is_unique_cause: bool = True,
    ) -> None:
        self._ours = read_tokens(text, *body_of(text, function))
        self._theirs = read_tokens(judged.text, *body_of(judged.text, function))
        self._decisions, self._verdicts, self._judged = decisions, verdicts, judged
        self._is_unique_cause = is_unique_cause
        self.is_possible = self._ours.words == self._theirs.words

    def with_verdicts(self, verdicts: Mapping[tuple[int, int], str]) -> Comparison:
        """The same judgement, beside other verdicts of ours."""
        other = copy(self)
        other._verdicts = verdicts
        return other

    def rows(self) -> Iterator[Row]:
        """Every condition of ours once, and every one of theirs."""
        found: set[int] = set()
        for judged in self._judged.decisions:
            number = self._find(judged)
            if number is None:
                explanation = UNEVALUATED if self._is_in_sizeof(judged) and not judged.vectors else WRONG
                yield Row(self._text(self._region(judged)), "", "nothing", "a decision", explanation)
                continue
            found.add(number)
            yield from self._compare(number, judged)
        for number, decision in enumerate(self._decisions):
            if number not in found:
                yield from self._explain(number, decision)

    # --- a decision of theirs ---------------------------------------------------------------------

    def _compare(self, number: int, judged: JudgedDecision) -> Iterator[Row]:
        groups = self._groups(number, judged)
        is_whole = sum(map(len, groups)) == len(self._decisions[number].conditions) and all(
            len(each) == 1 for each in groups
        )
        for group, condition in zip(groups, judged.conditions, strict=True):
            explanation = self._judge(number, group, condition.verdict, is_whole, judged)
            ours = ", ".join(self._our_word(number, index) for index in group)
            texts = ", ".join(self._decisions[number].conditions[index].text for index in group)
            yield Row(self._decisions[number].text, texts, ours, condition.verdict, explanation)

    def _judge(self, number: int, group: Sequence[int], theirs: str, is_whole: bool, judged: JudgedDecision) -> str:
        words = [self._our_word(number, index) for index in group]
        if theirs == FOLDED:
            return CONSTANT if all(each == "constant" for each in words) else WRONG
        are_covered = "covered" in words
        if self._is_negated_chooser(judged) and not judged.vectors:
            return CHOOSER
        if are_covered == (theirs == COVERED) and is_whole:
            return SAME
        if not is_whole and (theirs == COVERED or not are_covered or not self._is_unique_cause):
            return PART
        return WEAKER if is_whole and not self._is_unique_cause and are_covered else WRONG

    def _our_word(self, number: int, index: int) -> str:
        decision = self._decisions[number]
        if decision.conditions[index].constant is not None:
            return "constant"
        return decision.problem or self._verdicts.get((number, index), "no objective")

    def _find(self, judged: JudgedDecision) -> int | None:
        """The smallest decision of ours with conditions in each of theirs."""
        fitting = [number for number in range(len(self._decisions)) if all(self._groups(number, judged))]
        return min(fitting, key=lambda number: _length(self._span(number)), default=None)

    def _groups(self, number: int, judged: JudgedDecision) -> list[list[int]]:
        """Which of our conditions lie in each of theirs."""
        starts = [self._place(each.start) for each in judged.conditions]
        ends = [*starts[1:], self._region(judged)[1]]
        spans = [self._ours.span(each.start, each.end) for each in self._decisions[number].conditions]
        return [
            [index for index, (first, _) in enumerate(spans) if start <= first < end]
            for start, end in zip(starts, ends, strict=True)
        ]

    def _is_negated_chooser(self, judged: JudgedDecision) -> bool:
        first, last = self._region(judged)
        before = [word for word in self._theirs.words[max(first - 8, 0) : first] if word != "("]
        behind = [word for word in self._theirs.words[last : last + 8] if word != ")"]
        return before[-1:] == ["!"] and behind[:1] == ["?"]

    def _is_in_sizeof(self, judged: JudgedDecision) -> bool:
        """Is some bracket that is open at the decision that of a sizeof?"""
        words, depth = self._theirs.words, 0
        for at in range(self._region(judged)[0] - 1, 0, -1):
            depth += (words[at] == ")") - (words[at] == "(")
            if depth < 0 and words[at - 1] == "sizeof":
                return True
            depth = max(depth, 0)
        return False

    # --- a decision of ours that they do not have -----------------------------------------------------

    def _explain(self, number: int, decision: Decision) -> Iterator[Row]:
        for index, condition in enumerate(decision.conditions):
            word = self._our_word(number, index)
            yield Row(decision.text, condition.text, word, "nothing", self._why_missing(number, decision))

    def _why_missing(self, number: int, decision: Decision) -> str:
        if len(decision.conditions) == 1:
            return SINGLE
        span = self._span(number)
        if not {"&&", "||"} & set(_pairs(self._ours.words[span[0] : span[1]])):
            return NO_LOGICAL
        around = [self._span(each) for each in range(len(self._decisions)) if _holds(self._span(each), span)]
        refused = [self._place(place) for place in self._judged.refused]
        return REFUSED if any(_is_in(place, each) for place in refused for each in around) else WRONG

    # --- places ---------------------------------------------------------------------------------

    def _place(self, place: tuple[int, int]) -> int:
        return self._theirs.number_at(offset(self._judged.text, place))

    def _region(self, judged: JudgedDecision) -> Span:
        return self._place(judged.start), self._place(judged.end)

    def _span(self, number: int) -> Span:
        """With the brackets and the `!` in front: clang may start there."""
        first, last = self._ours.span(self._decisions[number].start, self._decisions[number].end)
        while self._ours.words[first - 1] in ("(", "!"):
            first -= 1
        return first, last

    def _text(self, span: Span) -> str:
        return " ".join(self._theirs.words[span[0] : span[1]])


def _length(span: Span) -> int:
    return span[1] - span[0]


def _holds(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _is_in(place: int, span: Span) -> bool:
    return span[0] <= place < span[1]


def _pairs(words: Sequence[str]) -> Iterator[str]:
    """`&` `&` as `&&`: tokens are single characters here."""
    return (one + other for one, other in itertools.pairwise(words))


def tokens_of(text: str, function: str) -> Tokens:
    return read_tokens(text, *body_of(text, function))
