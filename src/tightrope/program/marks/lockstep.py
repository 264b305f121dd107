"""Finds where anchors are in a function: its IR without and with them, read line by line together (see anchors.py).

    without                                         with anchors
      %i1 = load i32, ptr %a.addr                     %i1 = load i32, ptr %a.addr
      %tobool = icmp ne i32 %i1, 0                    %tobool = icmp ne i32 %i1, 0
                                  ← mark 7, %tobool   %call = call i1 @tightrope_condition(i32 7, i1 %tobool)
      br i1 %tobool, label %x, label %y               br i1 %call, label %x, label %y

The call of an anchor is skipped, and its result stands for its argument. The lines between the begin and the end of a
label are a *region*, which the other text does not have; so are the lines that declare and set a temporary. All other
lines must be equal except for names, which are paired one to one. If they are not, the anchors changed the generated
code, and the function gets no marks.

Both texts are raw: what clang emits without optimisation, every value named (see read_ir.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from tightrope.program.ir.lexer import NAME, cut_attachments
from tightrope.program.marks.marks import (
    CONDITION,
    LABEL_BEGIN,
    LABEL_END,
    REACH,
    TEMPORARY,
    THEN,
    UPDATE_BEGIN,
    UPDATE_END,
)

WORD = re.compile(rf'(?P<name>[%@]{NAME})|"[^"]*"|(?P<number>![0-9]+)|(?P<attributes> #[0-9]+)')
_BLOCK = re.compile(rf"({NAME}):(?:\s|$)")
_RESULT = re.compile(rf"\s*(%{NAME}) = ")
_CONDITION = re.compile(rf"\s*(%{NAME}) = .*{CONDITION}\(i32 (?:\w+ )*(\d+), i1 (?:\w+ )*([^\s)]+)\)")
_BEGIN = re.compile(rf"\s*call void {LABEL_BEGIN}\(i32 (?:\w+ )*(\d+)\)")
_REACH = re.compile(rf"\s*call void {REACH}\(i32 ")
_END = re.compile(rf"\s*call void {LABEL_END}\(i32 ")
_THEN = re.compile(rf"\s*(%{NAME}) = call .*{THEN}\w+\(\w+ (?:\w+ )*([^\s,]+), ")
_UPDATE_BEGIN = re.compile(rf"\s*call void {UPDATE_BEGIN}\(")
_UPDATE_END = re.compile(rf"\s*call void {UPDATE_END}\(")
_KEPT = re.compile(rf"\s*%{TEMPORARY}\w+ = alloca |\s*store .*, ptr %{TEMPORARY}\w+(?:, |$)")
_TRUTH = re.compile(rf"\s*(%{NAME}) = zext i1 \S+ to i8$")  # how a _Bool is stored


class Mismatch(Exception):
    """The texts differ in more than anchors."""


@dataclass(frozen=True, slots=True)
class BodyLine:
    """A relevant line of a function's body: a block's name, an instruction or a part of one."""

    number: int  # in the text of the module
    text: str  # without metadata
    block: str = ""  # '%entry', when it is the name of a block


@dataclass(frozen=True, slots=True)
class ConditionMark:
    """`call void @tightrope_condition(i32 number, i1 value)` belongs before the line."""

    line: int
    number: int
    value: str


@dataclass(frozen=True, slots=True)
class Region:
    """The lines from a label's begin to its end, the single one of an access, or those that set a temporary, belong
    before the line. Their names are those of the anchored text."""

    line: int
    lines: tuple[BodyLine, ...]
    begins_in: str  # the blocks of the anchored text in which the first and
    ends_in: str  # the last line are


@dataclass(slots=True)
class Pairing:
    """What was found in a function, in the order of the text."""

    insertions: list[ConditionMark | Region] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)  # of the anchored text -> of the plain one
    inside: set[str] = field(default_factory=set)  # names of the anchored text that regions define


class ModuleText:
    """The raw text of a module, by line."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.functions: dict[str, int] = {}  # name -> number of the line where it is defined or declared
        self.symbols: dict[str, str] = {}  # global variable or type -> its line
        for number, line in enumerate(self.lines):
            if line.startswith(("define ", "declare ")):
                self.functions[_symbol(line)] = number
            elif line.startswith(("@", "%")):
                self.symbols[line.partition(" = ")[0]] = cut_attachments(line)[0]

    def defines(self, function: str) -> bool:
        return function in self.functions and self.lines[self.functions[function]].startswith("define ")

    def parameters(self, function: str) -> str:
        line = self.lines[self.functions[function]]
        return line[line.index(f" {function}(") : line.rindex(")") + 1]

    def body(self, function: str) -> Iterator[BodyLine]:
        for number in range(self.functions[function] + 1, len(self.lines)):
            text = self.lines[number]
            if text.startswith("}"):
                return
            if text.startswith("  "):
                if not text.startswith("    #dbg_"):
                    yield BodyLine(number, cut_attachments(text)[0])
            elif found := _BLOCK.match(text):
                yield BodyLine(number, f"{found[1]}:", f"%{found[1]}")


def _symbol(line: str) -> str:
    found = re.search(rf" (@{NAME})\(", line)
    return found[1] if found else ""


def pair(plain: ModuleText, anchored: ModuleText, function: str) -> Pairing:
    """Walk both texts of a function. Raises Mismatch."""
    if not plain.defines(function) or not anchored.defines(function):
        raise Mismatch("the compiler generates no code for the function")
    return _Lockstep(plain, anchored).walk(function)


def constant_conditions(anchored: ModuleText, function: str) -> dict[int, bool]:
    """Conditions (by number) whose anchors got a constant. Such anchors are left out: they prevent constant folding."""
    lines = anchored.body(function) if anchored.defines(function) else ()
    anchors = [found for line in lines if CONDITION in line.text and (found := _CONDITION.match(line.text))]
    return {int(found[2]): found[3] == "true" for found in anchors if found[3] in ("true", "false")}


class _Lockstep:
    """The state of one walk through both texts."""

    def __init__(self, plain: ModuleText, anchored: ModuleText) -> None:
        self.plain, self.anchored = plain, anchored
        self.found = Pairing()
        self._results: dict[str, str] = {}  # of anchors -> what they stand for
        self._back: dict[str, str] = {}  # the names, the other way round
        self._ends: dict[str, str] = {}  # the block in which a region ends -> the one in which it began

    def walk(self, function: str) -> Pairing:
        ours, theirs = list(self.plain.body(function)), list(self.anchored.body(function))
        self._results = _anchor_results(theirs)
        self._compare(self.plain.parameters(function), self.anchored.parameters(function))
        at, block, following = 0, "", iter(theirs)
        kept = _kept_lines(theirs)
        for line in following:
            if at == len(ours):
                raise Mismatch(f"`{line.text.strip()}` is only in the code with anchors")
            if line.number in kept:
                self._take_kept(ours[at].number, line, block)
            elif _THEN.match(line.text):
                continue
            elif _UPDATE_BEGIN.match(line.text):
                self._take_update(ours[at].number, following, block)
            elif anchor := _CONDITION.match(line.text):
                self.found.insertions.append(ConditionMark(ours[at].number, int(anchor[2]), anchor[1]))
            elif _REACH.match(line.text):
                self.found.insertions.append(Region(ours[at].number, (line,), block, block))
            elif _BEGIN.match(line.text):
                block = self._take_region(ours[at].number, line, following, block)
            else:
                self._compare_lines(ours[at], line)
                block, at = line.block or block, at + 1
        if at < len(ours):
            raise Mismatch(f"`{ours[at].text.strip()}` is missing in the code with anchors")
        self.found.insertions = list(map(self._translate, self.found.insertions))
        return self.found

    def _take_region(self, here: int, first: BodyLine, following: Iterator[BodyLine], block: str) -> str:
        """Read up to the label's end; returns the block that contains the end."""
        begun, lines = block, [first]
        for line in following:
            lines.append(line)
            block = line.block or block
            result = _RESULT.match(line.text)
            self.found.inside |= {name for name in (line.block, result[1] if result else "") if name}
            if _END.match(line.text):
                break
        self.found.insertions.append(Region(here, tuple(lines), begun, block))
        if block != begun:
            self._ends[block] = self._ends.get(begun, begun)
        return block

    def _take_kept(self, here: int, line: BodyLine, block: str) -> None:
        """A line that declares or sets a temporary."""
        if result := _RESULT.match(line.text):
            self.found.inside.add(result[1])
        text = replace_names(line.text, self._results)
        self.found.insertions.append(Region(here, (replace(line, text=text),), block, block))

    def _take_update(self, here: int, following: Iterator[BodyLine], block: str) -> None:
        for line in following:
            if _UPDATE_END.match(line.text):
                return
            if line.block:
                raise Mismatch("what a label must remember is not straight-line code")
            self._take_kept(here, line, block)

    def _compare_lines(self, ours: BodyLine, theirs: BodyLine) -> None:
        if bool(ours.block) != bool(theirs.block):
            raise Mismatch(f"`{theirs.text.strip()}` instead of `{ours.text.strip()}`")
        if ours.block:
            return self._pair_names(ours.block, theirs.block)
        text = theirs.text
        if self._ends and " = phi " in text:  # control comes from where the region has ended
            text = replace_names(text, self._ends)
        self._compare(ours.text, replace_names(text, self._results))

    def _compare(self, ours: str, theirs: str) -> None:
        if _skeleton(ours) != _skeleton(theirs):
            raise Mismatch(f"`{theirs.strip()}` instead of `{ours.strip()}`")
        for one, other in zip(names_in(ours), names_in(theirs), strict=True):
            self._pair_names(one, other)

    def _pair_names(self, ours: str, theirs: str) -> None:
        if theirs in self.found.inside:
            raise Mismatch(f"{theirs}, which a label computes, in place of {ours}")
        if self.found.names.setdefault(theirs, ours) != ours or self._back.setdefault(ours, theirs) != theirs:
            raise Mismatch(f"{theirs} in place of {ours}")
        if ours[0] == "@" and ours != theirs:
            self._compare_globals(ours, theirs)

    def _compare_globals(self, ours: str, theirs: str) -> None:
        """String constants and the like have numbers in their names, which may differ; other names may not."""
        pair = (self.plain.symbols.get(ours, ""), self.anchored.symbols.get(theirs, ""))
        one, other = (line.partition(" = ")[2] for line in pair)
        if not one.startswith(("private ", "internal ")):
            raise Mismatch(f"{theirs} in place of {ours}")
        self._compare(one, other)

    def _translate(self, each: ConditionMark | Region) -> ConditionMark | Region:
        """Marks use the names of the plain text."""
        if isinstance(each, Region):
            return each
        value = replace_names(each.value, self._results)
        if value.startswith("%") and value not in self.found.names:
            raise Mismatch(f"{value}, which is a condition, is only in the code with anchors")
        return replace(each, value=self.found.names.get(value, value))


def _anchor_results(lines: Sequence[BodyLine]) -> dict[str, str]:
    """Known in advance: a phi may name a value before it is defined."""
    conditions = (_CONDITION.match(line.text) for line in lines if CONDITION in line.text)
    values = (_THEN.match(line.text) for line in lines if THEN in line.text)
    found = {anchor[1]: anchor[3] for anchor in conditions if anchor}
    return found | {anchor[1]: anchor[2] for anchor in values if anchor}


def _kept_lines(lines: Sequence[BodyLine]) -> set[int]:
    """The numbers of the lines that declare and set temporaries; a _Bool is converted right before it is stored."""
    found = {each.number for each in lines if TEMPORARY in each.text and _KEPT.match(each.text)}
    for before, each in pairwise(lines):
        truth = _TRUTH.match(before.text) if each.number in found else None
        if truth and f"store i8 {truth[1]}," in each.text:
            found.add(before.number)
    return found


def replace_names(text: str, names: Mapping[str, str]) -> str:
    """The text with names replaced, and what replaces them likewise."""

    def replaced(word: re.Match[str]) -> str:
        name = word.group()
        while name in names:
            name = names[name]
        return name

    return WORD.sub(replaced, text) if names else text


def names_in(text: str) -> list[str]:
    return [word["name"] for word in WORD.finditer(text) if word["name"]]


def _skeleton(text: str) -> str:
    """The line without names, and without the numbers of metadata and attributes."""
    return WORD.sub(_blank, text)


def _blank(word: re.Match[str]) -> str:
    if word["attributes"]:
        return ""
    return word.group()[0] if word["name"] or word["number"] else word.group()
