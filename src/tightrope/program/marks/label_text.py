"""Labels written into the user's own C, as `pc_label(predicate, number, "TAG")`.

    x = y / z;                  pc_label(z == 0, 1, "rte:division");
                                x = y / z;
    if (c) x = 1;               if (c) { pc_label(1, 2, "statement"); x = 1; }
    while (a && b)              while ((pc_label(a, 3, "condition:true"), a) && b)

To a compiler, `pc_label` has no effect. Another `Spelling` uses a macro that generates code: one of the two
instrumentations of paper 002, as C that any tool can run.

    tight, P* (Fig. 7)    if (label k is open and nondet) { assume(e); set_covered(k); exit; }
    direct, P' (Fig. 4)   if (e) set_covered(k);

These macros are defined in tightrope_labels.h, which is copied to the top of the text, so that it is self-contained.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tightrope.location import Location
from tightrope.program.c_text.c_tokens import read_tokens
from tightrope.program.marks.labels import Form, Label

MACROS = {"tight": "TIGHTROPE_TIGHT", "direct": "TIGHTROPE_DIRECT"}  # of tightrope_labels.h, by instrumentation
# Labels that the user wrote keep having no effect, also in a file that does not include a header for pc_label.
OWN_LABELS = """\
#ifndef pc_label
#define pc_label(e, ...) ((void)sizeof((_Bool)(e) ? "tightrope label" : #__VA_ARGS__))
#endif
"""
_ROLES = {
    "tight": "P*: a run may choose one label, which must hold then, and ends there",
    "direct": "P': each label is a branch, and is recorded where it holds",
}
_IN_MACRO = "it comes from a macro, into which nothing can be inserted"
_KEPT = "it needs values that are kept during the run, which a label in the text cannot do"
_ELSEWHERE = "it is in another file"
_RENUMBERED = "the file changes its own line numbers (#line)"
_NO_PLACE = "the compiler gives no location for it"
_NAME, _SPACE = re.compile(rb"\w*"), re.compile(rb"(?:\s|/\*.*?\*/|\\\r?\n)*", re.DOTALL)
_REST = re.compile(rb"(?:\s|/\*.*?\*/|//[^\n]*\n|\\\r?\n)*;", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unwritten:
    """A label that is not in the text, and why."""

    label: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Spelling:
    """How labels look in the text, and what stands above it."""

    macro: str  # takes a predicate, a number and a tag
    introduce: Callable[[int], str]  # from how many labels there are
    keeps_lines: bool = False  # no label gets a line of its own


def plain_spelling(name: str, criteria: Iterable[str]) -> Spelling:
    """`pc_label(...)`, as tools for labels read it. It has no effect in compiled code."""
    shown = ", ".join(criteria) or "no criterion"
    introduction = (
        f"/* {name} with labels for {shown}, by tightrope annotate. Build with -I and the folder of tightrope.h:\n"
        f" * a compiler ignores the labels. Cover them with: tightrope generate -c label THIS_FILE */\n"
        '#include "tightrope.h"\n'
    )
    return Spelling("pc_label", lambda count: introduction)


def instrumented_spelling(how: str, name: str, criteria: Iterable[str], header: str) -> Spelling:
    """`header` is the text of tightrope_labels.h, `name` the user's file."""
    shown = ", ".join(criteria) or "no criterion"

    def introduce(count: int) -> str:
        above = (
            f"/* {name} with labels for {shown}, by tightrope annotate --instrumentation {how}.\n"
            f" * {_ROLES[how]}. */\n"
            f"#define TIGHTROPE_LABELS {count}\n"
            f"{header}"
        )
        return above + _tell_lines(name, above.count("\n") + 1)

    return Spelling(MACROS[how], introduce, keeps_lines=True)


def _tell_lines(name: str, line: int) -> str:
    """`#line` directives: for other tools the lines of the user's file; for Tightrope those of the written file."""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    lines = (
        "#ifdef __TIGHTROPE__",
        f"#define TIGHTROPE_PLACE {line + 6}",
        "#else",
        f'#define TIGHTROPE_PLACE 1 "{quoted}"',
        "#endif",
        "#line TIGHTROPE_PLACE",
    )
    return "".join(f"{each}\n" for each in lines)


def why_unwritable(label: Label, file: str, source: bytes) -> str:
    """Why the label cannot be written into the file; '' when it can."""
    if label.problem:
        return label.problem
    if label.temporaries:
        return _KEPT
    if label.is_in_macro or (label.form is not Form.STATEMENT and label.place_end is None):
        return _IN_MACRO
    if re.search(rb"^[ \t]*#[ \t]*(?:line\b|\d)", source, re.MULTILINE):
        return _RENUMBERED
    if label.place is None or not label.place.column:
        return _NO_PLACE
    return "" if label.place.file == file else _ELSEWHERE


def write_labels(source: bytes, labels: Sequence[Label], unwritten: Sequence[Unwritten], spelling: Spelling) -> bytes:
    """The source with the labels, which are numbered from 1; their places are in it."""
    numbered = list(enumerate(labels, 1))
    numbered.sort(key=lambda row: (_key(row[1]), row[0]))
    offsets = _Offsets(source)
    edits = [
        edit
        for _, rows in groupby(numbered, key=lambda row: _key(row[1]))
        for edit in _edits(source, offsets, list(rows), spelling)
    ]
    parts, at = [spelling.introduce(len(labels)).encode("utf-8", errors="surrogateescape")], 0
    for offset, _, text in sorted(edits, key=lambda edit: edit[:2]):
        parts += [source[at:offset], text.encode("utf-8", errors="surrogateescape")]
        at = offset
    return b"".join((*parts, source[at:], _list_unwritten(source, unwritten)))


def _key(label: Label) -> tuple[int, int, str]:
    return label.start, label.end, label.form.value


Edit = tuple[int, tuple[int, int], str]  # where, in which order of those, what


def _edits(source: bytes, offsets: _Offsets, rows: Sequence[tuple[int, Label]], spelling: Spelling) -> Iterator[Edit]:
    """The labels of one place. Closing brackets come before opening ones, inner before outer and outer before inner."""
    first = rows[0][1]
    assert first.place
    start, calls = offsets.find(first.place), [_call(spelling.macro, number, label) for number, label in rows]
    if first.form is Form.STATEMENT:
        yield start, (1, 0), _lines(source, start, calls, spelling.keeps_lines)
        return
    assert first.place_end
    end = offsets.find(first.place_end)
    end = _behind_macro(source, end) if first.ends_with_macro else end
    if first.form is Form.EXPRESSION:
        yield start, (2, -end), f"({', '.join(calls)}, "
        yield end, (0, -start), ")"
        return
    found = _REST.match(source, end)
    end = found.end() if found else end
    yield start, (2, -end), f"{{ {' '.join(f'{call};' for call in calls)} "
    yield end, (0, -start), " }"


def _behind_macro(source: bytes, at: int) -> int:
    """Behind the rest of a macro's name, and behind its arguments where there are any."""
    found = _NAME.match(source, at)
    end = found.end() if found else at
    opening = _SPACE.match(source, end)
    at = opening.end() if opening else end
    if source[at : at + 1] != b"(":
        return end
    depth = 0
    for token in read_tokens(source[at:].decode("latin-1")):
        depth += token.text == "("
        depth -= token.text == ")"
        if not depth:
            return at + token.end
    return end


def _lines(source: bytes, start: int, calls: Sequence[str], keeps_lines: bool) -> str:
    """On lines of their own, where the statement is the first on its line."""
    margin = source[source.rfind(b"\n", 0, start) + 1 : start]
    if keeps_lines or margin.strip():
        return " ".join(f"{call};" for call in calls) + " "
    indent = "\n" + margin.decode()
    return "".join(f"{call};{indent}" for call in calls)


def _call(macro: str, number: int, label: Label) -> str:
    tag = f"{label.criterion}:{label.what or label.kind}"
    escaped = tag.replace("\\", "\\\\").replace('"', '\\"')
    return f'{macro}({label.predicate}, {number}, "{escaped}")'


class _Offsets:
    """Where lines start; columns count bytes."""

    def __init__(self, source: bytes) -> None:
        self._starts = [0, *(found.end() for found in re.finditer(rb"\n", source))]

    def find(self, place: Location) -> int:
        return self._starts[place.line - 1] + place.column - 1


def _list_unwritten(source: bytes, unwritten: Sequence[Unwritten]) -> bytes:
    if not unwritten:
        return b""
    lines = [f"/* Labels that could not be inserted ({len(unwritten)}):"]
    for each in unwritten:
        label = each.label
        place = f"{label.location.line}:{label.location.column}"
        shown = f"{place} {label.criterion} {label.kind}: {label.text}: {each.reason}"
        lines.append(f" *   {shown}".replace("*/", "* /").replace("/*", "/ *"))
    end = "" if source.endswith(b"\n") else "\n"
    return f"{end}{chr(10).join(lines)}\n */\n".encode("utf-8", errors="surrogateescape")
