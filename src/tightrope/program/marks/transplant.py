"""Writes marks into the IR text of a module, where lockstep.py found that they belong. Everything else stays as it is.

    if.then:                                        if.then:
      %i3 = load i32, ptr %a.addr, !dbg !56           call void @tightrope_label_begin(i32 0)
                                                      br i1 ..., label %tightrope.land.rhs, label %tightrope.land.end
      br label %end, !dbg !57                       tightrope.land.rhs: ...
                                                    tightrope.land.end:
                                                      call void @tightrope_label_end(i32 0, i1 %tightrope.i5)
                                                      %i3 = load i32, ptr %a.addr, !dbg !56
                                                      br label %end, !dbg !57
    end:                                            end:
      %x = phi i32 [ 0, %entry ], [ 1, %if.then ]     %x = phi i32 [ 0, %entry ], [ 1, %tightrope.land.end ]

The code of a region has no debug locations, because it is not in the user's C. Only calls of the program's own
functions have one, because LLVM requires it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.program.ir.lexer import NAME, debug_number
from tightrope.program.marks.lockstep import WORD, ConditionMark, Mismatch, ModuleText, Pairing, Region, names_in
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, REACH

_PREFIX = "tightrope."
_TYPE = re.compile(r'%"?(?:struct|union)\.')
_INCOMING = re.compile(rf"(%{NAME})(?= \])")
_DECLARED = {
    CONDITION: f"declare void {CONDITION}(i32, i1)",
    REACH: f"declare void {REACH}(i32)",
    LABEL_BEGIN: f"declare void {LABEL_BEGIN}(i32)",
    LABEL_END: f"declare void {LABEL_END}(i32, i1)",
}


@dataclass(slots=True)
class Transplant:
    """A module's text while marks are put in."""

    plain: ModuleText
    anchored: ModuleText
    before: dict[int, list[str]] = field(default_factory=dict)  # line number -> what goes before it
    changed: dict[int, str] = field(default_factory=dict)  # line number -> its new text
    added: dict[str, str] = field(default_factory=dict)  # symbols that only regions use -> their lines

    def insert(self, function: str, pairing: Pairing) -> None:
        """The marks of one function. Raises Mismatch, and then nothing is inserted."""
        names = {name: _prefixed(name) for name in pairing.inside}
        ends: dict[str, str] = {}  # block -> the one that now holds its end
        began = _begun_in(pairing)
        found: list[tuple[int, list[str]]] = []
        for each in pairing.insertions:
            if isinstance(each, ConditionMark):
                found.append((each.line, [f"  call void {CONDITION}(i32 {each.number}, i1 {each.value})"]))
            else:
                found.append((each.line, list(self._region(each, pairing.names, names))))
                if each.ends_in != each.begins_in:
                    ends[_outermost(each.begins_in, pairing, began)] = names[each.ends_in]
        self.before |= {line: [] for line, _ in found}
        for line, texts in found:
            self.before[line] += texts
        self._redirect_phis(function, ends)

    def text(self) -> str:
        lines: list[str] = []
        for number, line in enumerate(self.plain.lines):
            lines += [*self.before.get(number, ()), self.changed.get(number, line)]
        used = "\n".join(text for texts in self.before.values() for text in texts)
        declared = [line for name, line in _DECLARED.items() if name in used]
        types = [line for line in self.added.values() if line.startswith("%")]  # must be known where they are used
        others = [line for line in self.added.values() if not line.startswith("%")]
        return "\n".join([*types, *lines, *others, *declared]) + "\n"

    def _region(self, region: Region, paired: Mapping[str, str], names: Mapping[str, str]) -> Iterator[str]:
        place = self._place_near(region.line)
        for line in region.lines:
            if line.block:
                yield f"{names[line.block][1:]}:"
                continue
            text = WORD.sub(lambda word: self._region_word(word, paired, names), line.text)
            yield f"{text}{place}" if " call " in text and any(map(self.plain.defines, names_in(text))) else text

    def _region_word(self, word: re.Match[str], paired: Mapping[str, str], names: Mapping[str, str]) -> str:
        if word["attributes"]:
            return ""
        name = word["name"]
        if not name:
            return word.group()
        known = names.get(name) or paired.get(name)
        return known or self._symbol(name)

    def _symbol(self, name: str) -> str:
        """A name that only regions use."""
        if name in _DECLARED:
            return name
        line = self.anchored.symbols.get(name, "")
        if line:
            return self._global(name, line)
        if name in self.plain.functions:
            return name
        if name not in self.anchored.functions or self.anchored.defines(name):
            raise Mismatch(f"the predicate of a label needs {name}, which the program without labels does not have")
        declared = self.anchored.lines[self.anchored.functions[name]]
        self.added[name] = re.sub(r" #\d+$", "", re.sub(r"![-\w.]+ !\d+ ", "", declared))
        return name

    def _global(self, name: str, line: str) -> str:
        """A variable, constant or type; one that is numbered gets a name of its own."""
        is_numbered = bool(_TYPE.match(name)) or " = private " in line
        if not is_numbered and name in self.plain.symbols:
            return name
        if self.plain.symbols.get(name) == line and names_in(line) == [name]:
            return name
        new = _prefixed(name) if is_numbered else name
        if new not in self.added:
            self.added[new] = ""  # a type may hold pointers to itself
            self.added[new] = WORD.sub(lambda word: self._definition_word(word, name, new), line)
        return new

    def _definition_word(self, word: re.Match[str], name: str, new: str) -> str:
        found = word["name"]
        return word.group() if not found else new if found == name else self._symbol(found)

    def _place_near(self, line: int) -> str:
        """`, !dbg !7` of this line, or of the next one that has a place."""
        for text in self.plain.lines[line:]:
            if text.startswith("}"):
                break
            is_written = text.startswith("  ") and not text.startswith("    ") and ", !annotation !" not in text
            number = debug_number(text) if is_written else None
            if number is not None:
                return f", !dbg !{number}"
        return ""

    def _redirect_phis(self, function: str, ends: Mapping[str, str]) -> None:
        """Control now comes from the block in which the last region has ended."""
        for line in self.plain.body(function) if ends else ():
            if " = phi " in line.text:
                text = self.plain.lines[line.number]
                self.changed[line.number] = _INCOMING.sub(lambda found: ends.get(found[1], found[1]), text)


def _begun_in(pairing: Pairing) -> dict[str, str]:
    """By block in which a region ends: the one in which it begins."""
    regions = (each for each in pairing.insertions if isinstance(each, Region))
    return {each.ends_in: each.begins_in for each in regions if each.ends_in != each.begins_in}


def _outermost(block: str, pairing: Pairing, began: Mapping[str, str]) -> str:
    """The plain text's block that this one of the anchored text is a part of."""
    while block in pairing.inside:
        block = began[block]
    return pairing.names[block]


def _prefixed(name: str) -> str:
    """`%x` -> `%tightrope.x`"""
    start = 2 if name[1] == '"' else 1
    return f"{name[:start]}{_PREFIX}{name[start:]}"
