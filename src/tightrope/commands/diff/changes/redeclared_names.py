"""Names whose meaning may differ between two versions of a file, found in its text alone.

A name counts if a declaration of it differs, or uses another name that counts. The text is parsed only roughly: there
may be too many names, but never too few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tightrope.commands.diff.changes.file_text import FileText, Tokens
from tightrope.program.c_text.c_tokens import WORD

_KEYWORDS = frozenset(
    """auto char const double enum extern float inline int long register restrict return short signed sizeof static
    struct typedef union unsigned void volatile _Bool _Alignas _Atomic _Complex _Noreturn _Static_assert _Thread_local
    __attribute__ __extension__ __restrict __inline __inline__ __const __volatile__ __asm__ asm""".split()
)
_BEHIND_NAMES = ("__attribute__", "__attribute", "__asm__", "asm", "__asm")


def find_redeclared_names(old: FileText, new: FileText) -> frozenset[str]:
    """Names that may have another meaning because of declarations outside of functions."""
    mine, theirs = Counter(old.declared), Counter(new.declared)
    others = (mine - theirs) + (theirs - mine)
    every = [(frozenset(_names(tokens)), frozenset(tokens)) for tokens in {*mine, *theirs}]
    if any(token.startswith("#") for tokens in others for token in tokens):  # a pragma affects what follows
        return frozenset(name for names, _ in every for name in names)
    redeclared = {name for tokens in others for name in _names(tokens)}
    size = -1
    while size != len(redeclared):
        size = len(redeclared)
        redeclared.update(name for names, words in every if not words.isdisjoint(redeclared) for name in names)
    return frozenset(redeclared)


def _names(tokens: Tokens) -> Iterator[str]:
    """The declared names: words before punctuation that are outside of brackets, or in those of an enum, or after `(`
    or `*`. Attributes have two pairs of brackets."""
    depth, is_enum = 0, "enum" in tokens
    for before, token, after in zip(("", *tokens), tokens, (*tokens[1:], ";"), strict=False):
        depth += (token in ("{", "(")) - (token in ("}", ")"))
        is_name = depth == 0 or is_enum or before == "*" or (before == "(" and depth == 1)
        is_type = after == "*" or (WORD.fullmatch(after) and after not in _BEHIND_NAMES)  # of a name that follows
        if is_name and not is_type and WORD.fullmatch(token) and token not in _KEYWORDS:
            yield token
