"""Labels that stop being nothing to a compiler: the two instrumentations of paper 002, as C that any engine can run.

tight, P* (Fig. 7)    if (label k is open and nondet) { assume(e); set_covered(k); exit; }
direct, P' (Fig. 4)   if (e) set_covered(k);

What these words mean is in tightrope_labels.h, which goes above the text, so that one file is all an engine needs.
"""

from __future__ import annotations

from collections.abc import Iterable

from tightrope.program.marks.label_text import Spelling

MACROS = {"tight": "TIGHTROPE_TIGHT", "direct": "TIGHTROPE_DIRECT"}  # of tightrope_labels.h, by instrumentation
# Labels that the user wrote stay nothing, also in a file that does not say where pc_label comes from.
OWN_LABELS = """\
#ifndef pc_label
#define pc_label(e, ...) ((void)sizeof((_Bool)(e) ? "tightrope label" : #__VA_ARGS__))
#endif
"""
_ROLES = {
    "tight": "P*: a run may choose one label, which must hold then, and ends there",
    "direct": "P': each label is a branch, and is noted where it holds",
}


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
    """Other tools name the user's own lines; Tightrope wants functions to be in the file that it is given."""
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
