"""Asks the compiler for the values of slices of C: it knows `sizeof(struct s) == 8` also where it makes no code for it.

    if (0 && sizeof(struct s) == 8)      if (0 && (__extension__ ({ enum { tightrope_value_0 =
                                             __builtin_constant_p(!!(sizeof(struct s) == 8)) ?
                                             1 + !!(sizeof(struct s) == 8) : 0 }; 0; }), (sizeof(struct s) == 8)))

The text is only parsed. clang gives each enumerator a number: 0 for what is no constant, 1 for false, 2 for true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tightrope.program.c_text.preprocessed import on_one_line

VALUE = "tightrope_value_"
Span = tuple[int, int]

_NAME = re.compile(rf'^  "name": "{VALUE}(\d+)"', re.MULTILINE)
_NUMBER = re.compile(r'^      "value": "([012])"', re.MULTILINE)  # of the ConstantExpr that the enumerator has
_MEANINGS = {"0": None, "1": False, "2": True}


def question_text(text: str, spans: Sequence[Span]) -> str:
    """The preprocessed text, with an enumerator beside each slice. Slices may contain others."""
    insertions = []
    for number, (start, end) in enumerate(spans):
        c = on_one_line(text[start:end])
        value = f"__builtin_constant_p(!!({c})) ? 1 + !!({c}) : 0"
        opening = f"(__extension__ ({{ enum {{ {VALUE}{number} = {value} }}; 0; }}), ("
        insertions += [((start, 1, -end), start, opening), ((end, 0, -start), end, "))")]
    parts, at = [], 0
    for _, offset, inserted in sorted(insertions):
        parts += [text[at:offset], inserted]
        at = offset
    return "".join((*parts, text[at:]))


def read_answers(dump: str, spans: Sequence[Span]) -> dict[Span, bool | None]:
    """The truth of each slice that clang gives a value; None for what is no constant."""
    return dict(_answers(dump.split("\n}"), spans))


def _answers(documents: Iterable[str], spans: Sequence[Span]) -> Iterable[tuple[Span, bool | None]]:
    for document in documents:
        name, number = _NAME.search(document), _NUMBER.search(document)
        if name and number:
            yield spans[int(name[1])], _MEANINGS[number[1]]
