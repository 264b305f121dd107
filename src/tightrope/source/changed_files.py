"""Compares two folders with C: which files differ, which include a file that does, and which were renamed.

It compares texts and compiles nothing. An answer may contain too many files, which does no harm.
"""

from __future__ import annotations

import difflib
import filecmp
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath

from tightrope.source.linked_files import defined_names

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define\b(?:[^\\\n]|\\.)*", re.MULTILINE | re.DOTALL)
_TEXTS = (".c", ".h", ".inc", ".def", ".tbl", ".tab", ".x", ".i")
MOST_COMPARED = 40  # files that may have got another name; beyond, only those with the same text or name are found
ALIKE = 0.5  # as git has it


_Rank = Callable[[str, str, str, str], float]  # old name, old text, new name, new text


def find_differing(old: Path, new: Path, files: Collection[str]) -> frozenset[str]:
    """The files whose bytes differ, or that exist in only one folder."""
    return frozenset(name for name in files if not _is_same(old / name, new / name))


def _is_same(one: Path, other: Path) -> bool:
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False


def find_including(folder: Path, files: Collection[str], changed: Collection[str]) -> frozenset[str]:
    """The files that include a changed file, directly or not; only the last part of a name is compared."""
    texts = sorted(name for name in files if name.endswith(_TEXTS))
    reached, found = {PurePosixPath(name).name for name in changed}, set[str]()
    while True:
        more = [name for name in texts if name not in found and included_names(folder / name) & reached]
        if not more:
            return frozenset(found)
        found.update(more)
        reached |= {PurePosixPath(name).name for name in more}


def find_using_by_header(folder: Path, files: Collection[str], word: re.Pattern[str]) -> frozenset[str]:
    """The files that include a file in which a macro or the body of an inline function has the word."""
    headers = (name for name in files if name.endswith(_TEXTS) and not name.endswith(".c"))
    using = frozenset(name for name in headers if word.search(_expanded_text(read_text(folder / name))))
    return find_including(folder, files, using) if using else frozenset()


def _expanded_text(text: str) -> str:
    """What may become code where a header is included: macros, and what is between braces."""
    first, last = text.find("{"), text.rfind("}")
    return "\n".join((*_MACRO.findall(text), text[first:last] if 0 <= first < last else ""))


@lru_cache(maxsize=16384)
def included_names(file: Path) -> frozenset[str]:
    return frozenset(PurePosixPath(name).name for name in _INCLUDE.findall(read_text(file)))


def find_mentioning(folder: Path, files: Collection[str], names: Collection[str]) -> frozenset[str]:
    """C files that seem to define one of the functions; if none does, those that mention one: a macro may define it."""
    likely = frozenset(file for file in files if defined_names(folder / file) & frozenset(names))
    word = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    return likely or frozenset(file for file in files if word.search(read_text(folder / file)))


def match_renamed(old: Path, removed: Sequence[str], new: Path, added: Sequence[str]) -> dict[str, str]:
    """New name -> old name, of files with the same text, the same last part of the name, or a similar text."""
    texts = {name: read_text(old / name) for name in removed}
    found: dict[str, str] = {}
    for rank in (_same_text, _same_name, _likeness):
        if rank is _likeness and max(len(removed), len(added)) > MOST_COMPARED:
            break
        ranked = _rank(texts, found, {name: read_text(new / name) for name in added}, rank)
        for _, before, after in sorted(ranked, key=lambda row: (-row[0], row[1], row[2])):
            if after not in found and before not in found.values():
                found[after] = before
    return found


def _rank(
    old: Mapping[str, str], found: Mapping[str, str], new: Mapping[str, str], rank: _Rank
) -> Iterator[tuple[float, str, str]]:
    for after, text in new.items():
        for before, earlier in old.items():
            if after not in found and before not in found.values():
                score = rank(before, earlier, after, text)
                if score >= ALIKE:
                    yield score, before, after


def _same_text(before: str, earlier: str, after: str, text: str) -> float:
    return float(earlier == text and bool(text.strip()))


def _same_name(before: str, earlier: str, after: str, text: str) -> float:
    return float(PurePosixPath(before).name == PurePosixPath(after).name)


def _likeness(before: str, earlier: str, after: str, text: str) -> float:
    """The similarity of two texts, by their lines."""
    lines = difflib.SequenceMatcher(None, earlier.splitlines(), text.splitlines(), autojunk=False)
    return lines.ratio() if lines.real_quick_ratio() >= ALIKE and lines.quick_ratio() >= ALIKE else 0.0


def read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
