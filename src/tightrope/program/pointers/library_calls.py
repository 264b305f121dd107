"""What a call of a C library function adds to the pointer graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from tightrope.library.table import Effect, PointerEffects
from tightrope.program.ir.model import Instruction, Program, Value
from tightrope.program.pointers.pointer_graph import SAME, Derivation, PointerFacts, Way
from tightrope.program.pointers.pointer_places import PointerPlaces, constant

_ANYWHERE = Derivation(Way.ANYWHERE)
_MAX_ANCESTORS = 32

Nodes = Sequence[int | None]  # of the arguments


@dataclass(slots=True)
class LibraryCalls:
    program: Program
    places: PointerPlaces
    untyped: set[int] = field(default_factory=set)  # parameters of which C does not say that they point to a record

    def add(self, call: Instruction, known: PointerEffects, nodes: Nodes, result: int | None) -> None:
        """What the function does to the pointers themselves."""
        values = [argument.value for argument in call.arguments]
        for node, effect in zip(nodes, _effects(call, known), strict=False):
            if node is not None:
                _apply(self.places.graph.facts[node], effect, values)
                self._set_end(node, effect, nodes)
        source = nodes[known.result_from] if known.result_from is not None and known.result_from < len(nodes) else None
        if result is not None and source is not None:
            self.places.graph.connect(source, result, _ANYWHERE if known.leads_into else SAME)

    def _set_end(self, node: int, effect: Effect, nodes: Nodes) -> None:
        source = nodes[effect.lengths[0]] if effect.letter == "e" else None
        if source is not None:
            self.places.graph.connect(source, self.places.element(node), _ANYWHERE)

    def show_bytes(self, call: Instruction, known: PointerEffects, nodes: Nodes) -> None:
        """The bytes of one object get into another one, or something is decided by them."""
        values = [argument.value for argument in call.arguments]
        if known.is_copy:
            self._copy_between(known, nodes)
        else:
            for node, effect in zip(nodes, known.arguments, strict=False):
                if node is not None and effect.letter in "srmi":
                    _show(self.places.graph.facts[node], _bytes_asked(effect, values))
        self._call_back(values, nodes)

    def _copy_between(self, known: PointerEffects, nodes: Nodes) -> None:
        target, source = (*nodes, None, None)[:2]
        if known.arguments[0].letter == "r":
            target, source = source, target
        if target is not None and source is not None:
            self._copy(target, source)

    def _copy(self, target: int, source: int) -> None:
        """Reading the copy reads the source. If the target has no type, the caller may read it later."""
        graph = self.places.graph
        for above in self._ancestors(target):
            root, offset = graph.object_of(above)
            graph.connect(source, root, Derivation(Way.COPY, bytes=None if offset is None else -offset))
            graph.facts[source].is_exposed |= root in self.untyped

    def _ancestors(self, node: int) -> list[int]:
        found = [node]
        for each in found:
            above = (source for source, step in self.places.graph.sources[each] if step.way is not Way.COPY)
            found += [one for one in above if one not in found]
            if len(found) > _MAX_ANCESTORS:
                break
        return found

    def _call_back(self, values: Sequence[Value], nodes: Nodes) -> None:
        """`qsort` and `bsearch` give the elements to the function that they are given."""
        for value in values:
            callee = self.program.functions.get(value.text)
            if callee is None or not callee.is_defined:
                continue
            for parameter in callee.parameters:
                target = self.places.graph.node((callee.name, parameter.name))
                for node in nodes:
                    if node is not None:
                        self.places.graph.connect(node, target)


def _show(facts: PointerFacts, size: int | None) -> None:
    if size is None:
        facts.is_exposed = facts.is_swept = True
    else:
        facts.ranges.add((0, size))


def _apply(facts: PointerFacts, effect: Effect, values: Sequence[Value]) -> None:
    letter = effect.letter
    facts.is_string |= letter in "sd"
    facts.is_read |= letter in "srmi"
    facts.is_written |= letter in "dwmoe"
    if effect.lengths and letter in "rwm":
        size = _bytes_asked(effect, values)
        facts.is_indexed |= size is None
        facts.least_bytes = max(facts.least_bytes, size or 0)


def _bytes_asked(effect: Effect, values: Sequence[Value]) -> int | None:
    """How many bytes the function will read or write, where that is a constant."""
    lengths = [constant(values[at]) if at < len(values) else None for at in effect.lengths]
    known = [length for length in lengths if length is not None]
    return prod(known) if lengths and len(known) == len(lengths) else None


def _effects(call: Instruction, known: PointerEffects) -> tuple[Effect, ...]:
    """With those on variable arguments: what is printed may be a string, what is scanned is written."""
    more = len(call.arguments) - len(known.arguments)
    is_variadic = call.function_type is not None and call.function_type.is_variadic
    letter = "o" if "scanf" in call.callee else "s"
    return known.arguments + (Effect(letter),) * more if is_variadic else known.arguments
