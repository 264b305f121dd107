"""Labels that follow paths of k branches (program/flow/branch_paths.py), put into the IR.

At each block, phis of constants say which steps led to it last; so a path is a label before its last branch:

    b:   %tr.path.1 = phi i32 [ 4, %a ], [ 5, %c ]                the step that led here
         call void @tightrope_label_begin(i32 7)
         %tr.step.1 = icmp eq i32 %tr.path.1, 4
         %tr.step.2 = and i1 %tr.step.1, %cond
         call void @tightrope_label_end(i32 7, i1 %tr.step.2)      after step 4, the side of %cond
         br i1 %cond, ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tightrope.location import Location
from tightrope.program.flow.branch_paths import MOST_PATHS, BranchPath, BranchStep, find_paths
from tightrope.program.ir.editing import EditableBody, open_body
from tightrope.program.ir.model import Function, Instruction, Program
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.marks.labels import Label
from tightrope.program.marks.marks import LABEL_BEGIN, LABEL_END, Marks
from tightrope.program.marks.regions import label_blocks

PATHS = "k-path"


def with_paths(program: Program, marks: Marks, functions: Sequence[str], length: int) -> tuple[Program, Marks]:
    """The program and the marks, with a label for each path of this many branches in these functions."""
    for name in functions:
        function = program.functions[name]
        paths = find_paths(function, length, label_blocks(function))
        place = function.location or Location("", 0)
        if len(paths) > MOST_PATHS:
            problem = f"there are more than {MOST_PATHS} paths of {length} branches; use a smaller --path-length"
            label = Label(PATHS, "paths", name, place, f"paths of {length} branches", "0", problem=problem, what="all")
            marks = replace(marks, labels=(*marks.labels, label), paths=(*marks.paths, ()))
            continue
        program = mark_paths(program, name, paths, len(marks.labels))
        labels = [Label(PATHS, "path", name, place, "", "") for _ in paths]
        marks = replace(marks, labels=(*marks.labels, *labels), paths=(*marks.paths, *paths))
    return program, marks


def mark_paths(program: Program, name: str, paths: Sequence[BranchPath], first: int) -> Program:
    """The program, with a label for each path of the function; they have numbers from `first` on."""
    function = program.functions[name]
    marked = _PathMarker(function, open_body(function, program.named_types), paths).mark(first)
    return replace(program, functions={**program.functions, name: marked})


class _PathMarker:
    def __init__(self, function: Function, body: EditableBody, paths: Sequence[BranchPath]) -> None:
        self.function, self.body, self.paths = function, body, paths
        self.passed_by = label_blocks(function)
        self.numbers = {(step.block, step.target): number for number, step in enumerate(_steps(paths), 1)}
        self.depth = max((len(path) for path in paths), default=1) - 1
        self.sources = {name: list(dict.fromkeys(each)) for name, each in body.predecessors().items()}
        self.joins = {name: [f"%{body.fresh('tr.path')}" for _ in range(self.depth)] for name in self._joins()}

    def mark(self, first: int) -> Function:
        labels: dict[str, list[Instruction]] = {}
        for number, path in enumerate(self.paths, first):
            labels.setdefault(path[-1].block, []).extend(self._label(number, path))
        for name, instructions in labels.items():
            *inside, last = self.body.blocks[name].instructions
            self.body.put(name, (*inside, *instructions, last))
        for name, names in self.joins.items():
            phis = [self._phi(name, depth, result) for depth, result in enumerate(names)]
            self.body.put_phis(name, (*self.body.phis(name), *phis))
        return replace(self.function, blocks=tuple(self.body.blocks.values()))

    def _joins(self) -> list[str]:
        """Blocks that control comes to from several others."""
        return [name for name, sources in self.sources.items() if len(sources) > 1]

    def _phi(self, name: str, depth: int, result: str) -> Instruction:
        edges = self.body.predecessors()[name]
        rows = ", ".join(f"[ {self._over(source, name, depth)}, %{source} ]" for source in edges)
        return self._read(f"{result} = phi i32 {rows}")

    def _over(self, source: str, target: str, depth: int) -> str:
        """The step before the last `depth` ones, as it is known when control comes from the source."""
        number = self.numbers.get((source, target))
        if number is None:
            return "0" if self._is_other_branch(source) else self._at(source, depth)
        return str(number) if not depth else self._at(source, depth - 1)

    def _is_other_branch(self, block: str) -> bool:
        """True for a branch that is in no path; those in predicates of labels do not interrupt a path."""
        return len(self.body.blocks[block].successors) > 1 and block not in self.passed_by

    def _at(self, name: str, depth: int) -> str:
        """The same where control is in the block."""
        seen: set[str] = set()
        while name not in self.joins:
            sources = self.sources[name]
            if not sources or name in seen:
                return "0"
            seen.add(name)
            source = sources[0]
            number = self.numbers.get((source, name))
            if number is not None and not depth:
                return str(number)
            if number is None and self._is_other_branch(source):
                return "0"
            depth -= number is not None
            name = source
        return self.joins[name][depth]

    def _label(self, number: int, path: BranchPath) -> Iterator[Instruction]:
        *before, last = path
        yield self._read(f"call void {LABEL_BEGIN}(i32 {number})")
        claims: list[str] = []
        for depth, step in enumerate(reversed(before)):
            known = self._at(last.block, depth)
            yield self._read(f"%{self._fresh(claims)} = icmp eq i32 {known}, {self.numbers[step.block, step.target]}")
        yield from self._taken(last, claims)
        whole = claims[0]
        for claim in claims[1:]:
            joined: list[str] = []
            yield self._read(f"%{self._fresh(joined)} = and i1 {whole}, {claim}")
            whole = joined[0]
        yield self._read(f"call void {LABEL_END}(i32 {number}, i1 {whole})")

    def _taken(self, step: BranchStep, claims: list[str]) -> Iterator[Instruction]:
        """Whether this step is about to be taken."""
        last = self.body.last(step.block)
        value = last.operands[0]
        if last.opcode == "br":
            if step.sides == (1,):
                claims.append(value.text)
            elif step.sides == (0,):
                yield self._read(f"%{self._fresh(claims)} = xor i1 {value.text}, true")
            else:
                claims.append("true")
            return
        chosen: list[str] = []
        is_default = 0 in step.sides
        asked = [side for side in range(1, len(last.targets)) if (side in step.sides) != is_default]
        for side in asked:
            yield self._read(f"%{self._fresh(chosen)} = icmp eq {value.type} {value.text}, {last.cases[side - 1]}")
        whole = chosen[0] if chosen else "false"
        for each in chosen[1:]:
            joined: list[str] = []
            yield self._read(f"%{self._fresh(joined)} = or i1 {whole}, {each}")
            whole = joined[0]
        if is_default:
            yield self._read(f"%{self._fresh(claims)} = xor i1 {whole}, true")
        else:
            claims.append(whole)

    def _fresh(self, names: list[str]) -> str:
        name = self.body.fresh("tr.step")
        names.append(f"%{name}")
        return name

    def _read(self, text: str) -> Instruction:
        return read_instruction(text, None, self.body.named_types)


def _steps(paths: Sequence[BranchPath]) -> list[BranchStep]:
    return list(dict.fromkeys(step for path in paths for step in path))
