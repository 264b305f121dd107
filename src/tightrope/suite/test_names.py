"""Names of tests, after what they show: `door_step__obstacle_T__state_ne_LOCKED_F`.

A name holds the text of conditions, never a line: it stays the same when the file is edited elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tightrope.coverage.objective import Objective
from tightrope.program.c_text.c_tokens import read_tokens

MOST_LETTERS = 24  # of one condition
MOST_ALTOGETHER = 48  # of all conditions; the first is always there
_WORDS = {
    "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "!": "not", "&&": "and", "||": "or",
    "&": "bits", "|": "with", "^": "xor", "~": "inv", "+": "plus", "-": "minus", "/": "by", "%": "mod",
    "<<": "shl", ">>": "shr", "=": "is", "?": "then", "++": "inc", "--": "dec",
}  # fmt: skip
_SIDE = re.compile(r"`?(?P<condition>.+?)`? (?:matters in `.*`, |is )(?P<side>true|false)(?: in `.*`)?")
_COMBINED = re.compile(r"`([^`]+)` (true|false)(?=,| in )")
_PLACE = re.compile(r" (?:of|in|at) line \d+|\bline \d+")


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition and its value, as a part of a name."""

    word: str
    is_true: bool

    def __str__(self) -> str:
        return f"{self.word}_{'T' if self.is_true else 'F'}"


def name_case(
    function: str, fresh: Sequence[Objective], objectives: Sequence[Objective], taken: Collection[str]
) -> str:
    """The name of a test with these objectives, the `fresh` of which no earlier test has. Without a function, it begins
    with that of the objective."""
    first = next(iter((*fresh, *objectives)), None)
    stem = function or (first.id.partition(":")[0] if first else "")
    parts = _parts(first, fresh, objectives) if first else []
    name = "__".join([stem, *parts])
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _parts(first: Objective, fresh: Sequence[Objective], objectives: Sequence[Objective]) -> list[str]:
    """The values of the conditions beside the first one; without conditions, the text of the objective."""
    own = list(_conditions(first))
    if not own:
        return [word] if (word := _shorten(_PLACE.sub("", _without_function(first)))) else []
    seen: dict[_Condition, None] = {}
    for objective in sorted((*fresh, *objectives), key=lambda each: each.location.column):
        if (objective.location.file, objective.location.line) == (first.location.file, first.location.line):
            seen.update(dict.fromkeys(_conditions(objective)))
    values = {word: {each.is_true for each in seen if each.word == word} for word in (each.word for each in seen)}
    shown = [each for each in seen if each in own or len(values[each.word]) == 1]  # in a loop, it may be both
    room = MOST_ALTOGETHER
    kept: list[_Condition] = []
    for each in sorted(shown, key=lambda one: one not in own):
        room -= len(str(each)) + 2
        if room >= 0 or not kept:
            kept.append(each)
    return [str(each) for each in shown if each in kept]


def _conditions(objective: Objective) -> Iterator[_Condition]:
    found = _SIDE.fullmatch(objective.text)
    if found:
        yield _Condition(_shorten(found["condition"]), found["side"] == "true")
    elif objective.kind == "combination":
        for text, side in _COMBINED.findall(objective.text):
            yield _Condition(_shorten(text), side == "true")


def _without_function(objective: Objective) -> str:
    """The text without the name that the test begins with, and without quotes."""
    function = objective.id.partition(":")[0]
    text = re.sub(r" matters in `.*`(?:, both ways)?$", "", objective.text).removeprefix(f"{function} is ")
    return text.removeprefix("left by ").replace("`", "")


def _shorten(text: str) -> str:
    """A piece of C as letters, digits and underscores: `d->state != LOCKED` is `d_state_ne_LOCKED`."""
    words: list[str] = []
    tokens = read_tokens(text)
    for before, token in zip((None, *tokens), tokens, strict=False):
        if token.kind == "sign":
            is_address = token.text == "&" and not (before and before.ends_operand)
            words += [_WORDS[token.text]] if token.text in _WORDS and not is_address else []
        else:
            words += re.findall(r"[A-Za-z0-9]+", token.text)
    kept: list[str] = []
    for word in words:
        if kept and len("_".join([*kept, word])) > MOST_LETTERS:
            break
        kept.append(word)
    return "_".join(kept)[:MOST_LETTERS]
