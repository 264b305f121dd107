"""Marks -> code that records points: conditions, the predicates of labels, definitions and uses.

A local index tells which vector of a decision a run evaluates (program/decisions/numbering.py). An optimiser keeps it
in a register or removes it: if the condition controls a branch, adding to the index and recording a vector are done on
the two edges.

    a && b    br i1 %a, label %rhs, label %false      on the way to %false:  store i8 1 to the point of vector 0
              br i1 %b, label %true, label %false     on the way to %true:   ... of vector 2; to %false: ... of vector 1

Where nothing branches (`x = a && b`), a byte is always stored: as long as the decision is not over, it is an unused one
after all points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from tightrope.program.decisions.numbering import IndexStep, Numbering
from tightrope.program.flow.points import Points
from tightrope.program.ir.editing import EditableBody
from tightrope.program.ir.model import Block, Function, Instruction
from tightrope.program.marks.marks import CONDITION, LABEL_END, REACH
from tightrope.weaving.condition_code import add_condition_function, condition_code, state_bits
from tightrope.weaving.counting.count_regions import RegionGuard, line
from tightrope.weaving.mark_table import MarkTable
from tightrope.weaving.weave_flows import flow_code, flow_locals

_HARMLESS = frozenset(("icmp", "fcmp", "zext", "sext", "trunc", "xor", "and", "or", "add", "sub", "select", "freeze"))


class Ways:
    """What is done on each way out of a block, in the order of the terminator's targets."""

    def __init__(self, block: Block) -> None:
        self.done: list[list[Instruction]] = [[] for _ in block.instructions[-1].targets]

    def add(self, position: int, lines: Iterable[Iterable[Instruction]]) -> None:
        for each in lines:
            self.done[position] += each

    @property
    def is_used(self) -> bool:
        return any(self.done)


def store_point(point: int | None) -> tuple[Instruction, ...]:
    """Note a point whose number is known."""
    if point is None:
        return ()
    place = f"getelementptr (i8, ptr @tightrope_points, i64 {point})" if point else "@tightrope_points"
    return (line(f"store volatile i8 1, ptr {place}"),)


class MarkCounter:
    """Replaces the marks of one function. `tables` are globals that its code reads."""

    def __init__(
        self, function: Function, points: Points, wanted: frozenset[int], table: MarkTable, body: EditableBody
    ) -> None:
        self.function, self.points, self.wanted, self.table, self.body = function, points, wanted, table, body
        self.tables: list[str] = []
        self._names = 0
        self._locals: set[int] = set()  # decisions with an index that is kept
        self._large: dict[int, int] = {}  # decisions with bits that are kept, and how many
        self.regions = RegionGuard(function, body, self._fresh)
        self._definitions = {each.result: each for block in function.blocks for each in block.instructions}

    def at_entry(self) -> Iterator[Instruction]:
        yield from (line(f"{_index(decision)} = alloca i64") for decision in sorted(self._locals))
        yield from (line(f"{_index(decision)} = alloca i{bits}") for decision, bits in sorted(self._large.items()))
        yield from self.regions.at_entry()
        if self._follows_flows():
            yield from map(line, flow_locals(self.function, self.table.marks))

    def replace(self, each: Instruction, block: Block, ways: Ways) -> list[Instruction]:
        """What stands in the place of an instruction: itself, unless it is a mark."""
        if each.callee == CONDITION:
            return list(self._condition(each, block, ways))
        if each.callee == LABEL_END:
            return list(self._label(each))
        if each.callee == REACH:
            return list(self._access(each))
        return self.regions.guard(each)

    # -- conditions

    def _condition(self, mark: Instruction, block: Block, ways: Ways) -> Iterable[Instruction]:
        decision, at = self.table.find(_number(mark))
        followed = self.points.vectors[decision]
        if self.wanted.isdisjoint(followed) or self.table.first(decision) is None:
            return ()
        if self.table.is_large(decision):
            return self._set_bits(decision, at, mark, followed)
        numbering = self.table.numbering(decision)
        if not numbering.steps:
            return self._look_up(decision, at, mark, followed.start, numbering)
        if at not in numbering.steps:
            return ()
        steps, is_first = numbering.steps[at], at == numbering.first
        true_way = self._true_way(mark, block)
        if true_way is None:
            return self._add(decision, mark, followed.start, steps, is_first)
        for value in (False, True):
            position = true_way if value else 1 - true_way
            ways.add(position, [self._on_way(decision, steps[value], followed.start, is_first)])
        return ()

    def _true_way(self, mark: Instruction, block: Block) -> int | None:
        """The position of the target that control goes to when the condition is true, where it steers at once."""
        last = block.instructions[-1]
        if last.opcode != "br" or not last.operands:
            return None
        behind = block.instructions[block.instructions.index(mark) + 1 : -1]
        if any(each.opcode not in _HARMLESS and each.callee != CONDITION for each in behind):
            return None
        value, steers = mark.arguments[1].value.text, last.operands[0].text
        if steers == value:
            return 0
        definition = self._definitions.get(steers)
        is_not = definition is not None and definition.opcode == "xor" and definition.operands[1].text == "true"
        return 1 if definition is not None and is_not and definition.operands[0].text == value else None

    def _on_way(self, decision: int, step: IndexStep, base: int, is_first: bool) -> Iterator[Instruction]:
        if step.ends and is_first:
            yield from store_point(base + step.weight)
        elif is_first:
            yield self._keep(decision, str(step.weight))
        elif step.ends:
            yield from self._note(self._sum(decision, base + step.weight))
        elif step.weight:
            total = self._sum(decision, step.weight)
            yield from (*total, self._keep(decision, _result(total)))

    def _sum(self, decision: int, weight: int) -> list[Instruction]:
        """The index, and something more."""
        self._locals.add(decision)
        index, total = self._fresh(), self._fresh()
        return [line(f"{index} = load i64, ptr {_index(decision)}"), line(f"{total} = add i64 {index}, {weight}")]

    def _keep(self, decision: int, index: str) -> Instruction:
        self._locals.add(decision)
        return line(f"store i64 {index}, ptr {_index(decision)}")

    def _note(self, lines: Sequence[Instruction]) -> Iterator[Instruction]:
        """Note the point whose number the last line computes."""
        place = self._fresh()
        yield from lines
        yield line(f"{place} = getelementptr i8, ptr @tightrope_points, i64 {_result(lines)}")
        yield line(f"store volatile i8 1, ptr {place}")

    def _add(
        self, decision: int, mark: Instruction, base: int, steps: tuple[IndexStep, IndexStep], is_first: bool
    ) -> Iterator[Instruction]:
        value = mark.arguments[1].value.text
        chosen = self._fresh()
        lines = [line(f"{chosen} = select i1 {value}, i64 {steps[1].weight}, i64 {steps[0].weight}")]
        if not is_first:
            self._locals.add(decision)
            before, total = self._fresh(), self._fresh()
            lines.append(line(f"{before} = load i64, ptr {_index(decision)}"))
            lines.append(line(f"{total} = add i64 {before}, {chosen}"))
        index = _result(lines)
        yield from lines
        if not (steps[0].ends and steps[1].ends):
            yield self._keep(decision, index)
        if steps[0].ends or steps[1].ends:
            yield from self._note(self._point_or_spare(index, base, value, steps))

    def _point_or_spare(
        self, index: str, base: int, value: str, steps: tuple[IndexStep, IndexStep]
    ) -> list[Instruction]:
        point, either = self._fresh(), self._fresh()
        lines = [line(f"{point} = add i64 {index}, {base}")]
        if not steps[1].ends:
            lines.append(line(f"{either} = select i1 {value}, i64 {self._spare}, i64 {point}"))
        elif not steps[0].ends:
            lines.append(line(f"{either} = select i1 {value}, i64 {point}, i64 {self._spare}"))
        return lines

    def _look_up(
        self, decision: int, at: int, mark: Instruction, base: int, numbering: Numbering
    ) -> Iterator[Instruction]:
        """`state = table[state][value]`; a state behind the last row is a vector."""
        name, rows = self._table(decision, numbering), len(numbering.table)
        row, value, cell, place, state, is_over, point, either = (self._fresh() for _ in range(8))
        self._locals.add(decision)
        if at == numbering.first:
            yield line(f"{row} = add i64 0, 0")
        else:
            before = self._fresh()
            yield line(f"{before} = load i64, ptr {_index(decision)}")
            yield line(f"{row} = shl i64 {before}, 1")
        yield line(f"{value} = zext i1 {mark.arguments[1].value.text} to i64")
        yield line(f"{cell} = add i64 {row}, {value}")
        yield line(f"{place} = getelementptr i64, ptr {name}, i64 {cell}")
        yield line(f"{state} = load i64, ptr {place}")
        yield self._keep(decision, state)
        yield line(f"{is_over} = icmp uge i64 {state}, {rows}")
        over = [
            line(f"{point} = add i64 {state}, {base - rows}"),
            line(f"{either} = select i1 {is_over}, i64 {point}, i64 {self._spare}"),
        ]
        yield from self._note(over)

    def _set_bits(self, decision: int, at: int, mark: Instruction, followed: range) -> Iterator[Instruction]:
        """Of a decision with too many vectors, <condition, value> is followed."""
        known, value = self.table.marks.decisions[decision], mark.arguments[1].value.text

        def hit(truth: str, point: int, fresh: Callable[[], str]) -> list[str]:
            if followed[point] not in self.wanted:
                return []
            either, place = fresh(), fresh()
            return [
                f"{either} = select i1 {truth}, i64 {followed[point]}, i64 {self._spare}",
                f"{place} = getelementptr i8, ptr @tightrope_points, i64 {either}",
                f"store volatile i8 1, ptr {place}",
            ]

        self._large[decision] = state_bits(known)
        add_condition_function(self.tables, known, decision, hit)
        yield from map(line, condition_code(known, decision, at, value, _index(decision), self._fresh))

    def _table(self, decision: int, numbering: Numbering) -> str:
        name = f"@tightrope_table.{decision}"
        cells = [f"i64 {state}" for row in numbering.table for state in row]
        text = f"{name} = private unnamed_addr constant [{len(cells)} x i64] [{', '.join(cells)}]"
        if text not in self.tables:
            self.tables.append(text)
        return name

    # -- labels and flows

    def _label(self, mark: Instruction) -> Iterator[Instruction]:
        point = self.points.labels[_number(mark)]
        lines, holds = self.regions.holds(mark.arguments[1].value.text)
        self.regions.guard(mark)
        if point in self.wanted:
            yield from (*lines, *self._note_if(holds, point))

    def _note_if(self, condition: str, point: int) -> Iterator[Instruction]:
        return self._note([line(f"{self._fresh()} = select i1 {condition}, i64 {point}, i64 {self._spare}")])

    def _access(self, mark: Instruction) -> Iterable[Instruction]:
        if not self._follows_flows():
            return ()

        def hit(condition: str, point: int) -> list[str]:
            return [each.text for each in self._note_if(condition, point)]

        return map(line, flow_code(mark, self.table.marks, self.points, self._fresh, hit))

    def _follows_flows(self) -> bool:
        return not self.wanted.isdisjoint(self.points.flows)

    # -- names

    @property
    def _spare(self) -> int:
        """A byte behind the last point: a row has one more than there are points."""
        return len(self.points)

    def _fresh(self) -> str:
        self._names += 1
        return f"%tr.note.{self._names}"


def _number(mark: Instruction) -> int:
    return int(mark.arguments[0].value.text)


def _index(decision: int) -> str:
    return f"%tr.decision.{decision}"


def _result(lines: Sequence[Instruction]) -> str:
    """The name that the last line defines."""
    return lines[-1].text.split(" = ", 1)[0]
