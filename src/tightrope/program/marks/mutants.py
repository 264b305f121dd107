"""Mutants of a function, and all of them in one text: mutant schemata.

R. H. Untch, A. J. Offutt, M. J. Harrold, "Mutation analysis using mutant schemata", ISSTA 1993: one program contains
every mutant, and a number says which of them is switched on; with 0 it is the original.

    a + b          (tightrope_at(17, 2) ? (tightrope_mutant == 17 ? (a - b) : (a * b)) : (a + b))
    if (p)         if ((tightrope_at(19, 1) ? (0) : !!(p)))
    x = 5;         (tightrope_at(20, 1) ? (void)0 : (void)(x = 5));
    break;         { if (tightrope_at(21, 2)) { if (tightrope_mutant == 21) ; else continue; } else break; }

`tightrope_at` notes that control is here, and says whether one of these mutants is on. Only one is on at a time, so a
replacement contains the original text of its parts, and the text grows by what is replaced, not by its powers. No line
break is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby

from tightrope.location import Location

SWITCH, AT = "tightrope_mutant", "tightrope_at"
DECLARATIONS = f"extern int {SWITCH}; int {AT}(int, int);\n"
REACHED = "tightrope_note_mutation"  # a run calls it where the function was changed


class MutantForm(Enum):
    """What stands at the place of the mutation; of forms at one place, the first is the outermost."""

    JUMP = 0  # a statement with its semicolon: `break;`
    EFFECT = 1  # an expression whose value nobody uses: `x = 5` as a statement
    TRUTH = 2  # an expression of which only matters whether it is zero
    VALUE = 3  # an expression, whose type is that of the replacement, or wider


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """The function with one small change: text[start:end] of the preprocessed text is `replacement`."""

    function: str  # '@f'
    operator: str  # 'ror', 'aor', 'delete' ...
    what: str  # distinguishes it from others of its operator at the same place: '<='
    location: Location  # in the user's file
    text: str  # for people: 'a < b as a <= b'
    start: int
    end: int
    replacement: str  # C, macros expanded
    form: MutantForm = MutantForm.VALUE
    change: tuple[str, str] = ("", "")  # the line of the user's file and what it is then; '' where a macro hides it
    problem: str = ""  # why there is no such mutant; '' when there is one
    expression: str = ""  # what is changed, in the user's words
    statement: int = -1  # where the statement starts without which control does not come here; -1 if there is none


@dataclass(frozen=True, slots=True)
class Schemata:
    """The text of all mutants. Where parts of it came from, to find out whose fault an error of the compiler is."""

    text: str
    spans: tuple[tuple[int, int, tuple[int, ...]], ...]  # start, end, numbers: of replacements and of whole places

    def find(self, offset: int) -> tuple[int, ...]:
        """The mutants of the innermost span with this character; none outside of all places."""
        around = [span for span in self.spans if span[0] <= offset < span[1]]
        return min(around, key=lambda span: span[1] - span[0])[2] if around else ()


def apply_mutant(text: str, mutant: SourceMutant) -> str:
    """The text of this mutant alone."""
    inserted = f" {mutant.replacement} " if mutant.form is MutantForm.JUMP else f"({mutant.replacement})"
    return f"{text[: mutant.start]}{inserted}{text[mutant.end :]}"


def apply_marked(text: str, mutant: SourceMutant) -> str:
    """The same, with a call of REACHED before what replaces it."""
    if mutant.form is MutantForm.JUMP:
        marked = f"{{ {REACHED}(); {mutant.replacement} }}"
    else:
        marked = f"{REACHED}(), ({mutant.replacement})"
    return f"void {REACHED}(void);\n{apply_mutant(text, replace(mutant, replacement=marked))}"


def write_schemata(text: str, mutants: Sequence[SourceMutant]) -> Schemata:
    """The preprocessed text with all mutants that have no problem; each has the number of its position, from 1 on."""
    numbered = [(number, each) for number, each in enumerate(mutants, 1) if not each.problem]
    writer = _Writer(text)
    writer.put(DECLARATIONS)
    writer.write(0, len(text), _nest(numbered))
    return Schemata("".join(writer.parts), tuple(writer.spans))


@dataclass(frozen=True, slots=True)
class _MutatedSpan:
    """The mutants of one form at one place; their numbers follow each other."""

    start: int
    end: int
    form: MutantForm
    mutants: tuple[tuple[int, SourceMutant], ...]
    inner: list[_MutatedSpan]


def _nest(numbered: Iterable[tuple[int, SourceMutant]]) -> list[_MutatedSpan]:
    """The places as trees, in the order of the text."""
    rows = sorted(numbered, key=lambda row: (*_place(row[1]), row[0]))
    roots: list[_MutatedSpan] = []
    open_spans: list[_MutatedSpan] = []
    for (start, backwards, form), members in groupby(rows, key=lambda row: _place(row[1])):
        for run in _runs(list(members)):
            span = _MutatedSpan(start, -backwards, MutantForm(form), run, [])
            while open_spans and open_spans[-1].end <= start:
                open_spans.pop()
            (open_spans[-1].inner if open_spans else roots).append(span)
            open_spans.append(span)
    return roots


def _place(mutant: SourceMutant) -> tuple[int, int, int]:
    return mutant.start, -mutant.end, mutant.form.value


def _runs(members: Sequence[tuple[int, SourceMutant]]) -> list[tuple[tuple[int, SourceMutant], ...]]:
    """The members, divided where numbers do not follow each other."""
    found: list[list[tuple[int, SourceMutant]]] = []
    for row in members:
        if found and found[-1][-1][0] + 1 == row[0]:
            found[-1].append(row)
        else:
            found.append([row])
    return [tuple(run) for run in found]


class _Writer:
    """Writes the text piece by piece, and remembers where replacements are."""

    def __init__(self, text: str) -> None:
        self.text, self.parts, self.length = text, list[str](), 0
        self.spans: list[tuple[int, int, tuple[int, ...]]] = []

    def put(self, piece: str) -> None:
        self.parts.append(piece)
        self.length += len(piece)

    def write(self, start: int, end: int, spans: Sequence[_MutatedSpan]) -> None:
        """text[start:end], with the places in it."""
        at = start
        for span in spans:
            self.put(self.text[at : span.start])
            self._write_span(span)
            at = span.end
        self.put(self.text[at:end])

    def _write_span(self, span: _MutatedSpan) -> None:
        start = self.length
        self._write_alternatives(span)
        self.spans.append((start, self.length, tuple(number for number, _ in span.mutants)))

    def _write_alternatives(self, span: _MutatedSpan) -> None:
        first, count = span.mutants[0][0], len(span.mutants)
        asked = f"{AT}({first}, {count})"
        if span.form is MutantForm.JUMP:
            self.put(f"{{ if ({asked}) {{ ")
            for number, mutant in span.mutants:
                self.put(f"if ({SWITCH} == {number}) ")
                self._replace(number, f"{{ {mutant.replacement} }}")
            self.put(" } else { ")
            self.write(span.start, span.end, span.inner)
            self.put(" } }")
            return
        self.put(f"({asked} ? ")
        for number, mutant in span.mutants[:-1]:
            self.put(f"{SWITCH} == {number} ? ")
            self._replace(number, _alternative(span.form, mutant.replacement))
            self.put(" : ")
        self._replace(span.mutants[-1][0], _alternative(span.form, span.mutants[-1][1].replacement))
        self.put(f" : {_OPENING[span.form]}(")
        self.write(span.start, span.end, span.inner)
        self.put("))")

    def _replace(self, number: int, piece: str) -> None:
        self.spans.append((self.length, self.length + len(piece), (number,)))
        self.put(piece)


_OPENING = {MutantForm.EFFECT: "(void)", MutantForm.TRUTH: "!!", MutantForm.VALUE: ""}


def _alternative(form: MutantForm, replacement: str) -> str:
    return f"{'(void)' if form is MutantForm.EFFECT else ''}({replacement})"
