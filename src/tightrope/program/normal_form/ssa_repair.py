"""Repairs the uses of a phi after its block was removed.

Each edge that led into the block now leads past it and carries the value that the phi had for it:

    b:                                        at %p:  edge to %then carries 1, edge to %else carries 1
      %x = phi i32 [ 1, %p ], [ %y, %q ]      at %q:  edge to %then carries %y, edge to %else carries %y
      br i1 %c, label %then, label %else

A use of %x asks for the value backwards along the edges; where several meet, a phi is placed.
(M. Braun et al., "Simple and Efficient Construction of Static Single Assignment Form", CC 2013, section 2.)
The block dominated every use, so each way back to the entry meets one of those edges first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tightrope.program.ir.editing import EditableBody, phi, used_names
from tightrope.program.ir.model import Instruction, Value

Edge = tuple[str, str]  # a block and one that it leads to


def repair(body: EditableBody, lost: Instruction, values: Mapping[Edge, Value]) -> None:
    """Replace each use of the phi `lost` by what the edges say. At most one edge may join two of the blocks named."""
    _Repair(body, lost, values, body.predecessors()).run()


@dataclass(slots=True)
class _Repair:
    body: EditableBody
    lost: Instruction
    values: Mapping[Edge, Value]
    predecessors: Mapping[str, list[str]]
    known: dict[str, Value] = field(default_factory=dict)  # block -> the value at its start
    placed: dict[str, list[tuple[Value, str]]] = field(default_factory=dict)  # block -> incoming of its new phi
    open: list[str] = field(default_factory=list)  # blocks whose new phi has no incoming values yet

    def run(self) -> None:
        changed = {
            name: [self._replace_use(name, each) for each in block.instructions]
            for name, block in self.body.blocks.items()
            if any(map(self._uses_it, block.instructions))
        }
        self._fill()
        same = self._needless()
        for name, instructions in changed.items():
            self.body.put(name, instructions)
        for name in self.placed:
            self._place(name, same)
        self._forget(same, [*changed, *self.placed])

    def _uses_it(self, each: Instruction) -> bool:
        name = self.lost.result or ""
        return name in each.text and name in list(used_names(each))  # the first is quick and mostly says no

    def _replace_use(self, block: str, user: Instruction) -> Instruction:
        if not self._uses_it(user):
            return user
        if user.opcode == "phi":
            incoming = [
                (self._on_edge(source, block) if value.text == self.lost.result else value, source)
                for value, source in user.incoming
            ]
            return phi(user.result or "", user.type, incoming, user.location)
        return self.body.renamed(user, {self.lost.result or "": self._at_start(block).text})

    def _on_edge(self, source: str, target: str) -> Value:
        found = self.values.get((source, target))
        return found if found is not None else self._at_start(source)

    def _at_start(self, block: str) -> Value:
        """The value at the start of a block: walk back to where it is known, or where edges meet."""
        way = [block]
        while way[-1] not in self.known:
            sources = self.predecessors[way[-1]]
            if len(sources) != 1 or sources[0] in way:
                self.known[way[-1]] = self._meet(way[-1], sources)
            elif (sources[0], way[-1]) in self.values:
                self.known[way[-1]] = self.values[sources[0], way[-1]]
            else:
                way.append(sources[0])
        self.known |= dict.fromkeys(way, self.known[way[-1]])
        return self.known[block]

    def _meet(self, block: str, sources: list[str]) -> Value:
        if len(sources) < 2:  # nothing leads here
            return Value(self.lost.type, "poison")
        self.open.append(block)
        return Value(self.lost.type, "%" + self.body.fresh(self.lost.result or ""))

    def _fill(self) -> None:
        """The incoming values of new phis; asking for them may place further ones."""
        while self.open:
            block = self.open.pop()
            self.placed[block] = [(self._on_edge(source, block), source) for source in self.predecessors[block]]

    def _needless(self) -> dict[str, str]:
        """New phis that can only have one value -> that value."""
        same: dict[str, str] = {}
        found = True
        while found:
            found = False
            for block, incoming in self.placed.items():
                name = self.known[block].text
                texts = {_follow(same, value.text) for value, _ in incoming} - {name}
                if name not in same and len(texts) == 1:
                    same[name] = texts.pop()
                    found = True
        return same

    def _place(self, block: str, same: Mapping[str, str]) -> None:
        name = self.known[block].text
        if name not in same:
            new = phi(name, self.lost.type, self.placed[block], self.lost.location)
            self.body.put(block, (new, *self.body.blocks[block].instructions))

    def _forget(self, same: Mapping[str, str], blocks: Iterable[str]) -> None:
        """Use the values themselves instead of needless phis."""
        final = {name: _follow(same, name) for name in same}
        for name in blocks if final else ():
            self.body.put(name, [self.body.renamed(each, final) for each in self.body.blocks[name].instructions])


def _follow(same: Mapping[str, str], name: str) -> str:
    while name in same:
        name = same[name]
    return name
