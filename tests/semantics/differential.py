"""Holds a woven function against a plain build of the same C, and every recorded expression against the run.

For each run: the outcome and result are those of the plain build; each branch, guard, assumption, switch and pin of
the trace, evaluated on the input, says what happened. For each flip: the run follows the predicted prefix.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from c_kinds import Kind
from random_inputs import reference_program
from random_programs import RandomProgram

from tightrope.coverage.ledger import Ledger
from tightrope.expr.evaluate import MEANINGS
from tightrope.expr.operators import Op
from tightrope.expr.show import show
from tightrope.expr.terms import Term, TermTable, walk
from tightrope.inputs.scalars import Input
from tightrope.inputs.wishes import read_wish_line
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.declarations.stubs import ALLOCATORS
from tightrope.running.endings import SENTENCES
from tightrope.running.memory_map import FLAG_APPROXIMATE, EventKind, ReasonCode
from tightrope.running.run_record import Outcome
from tightrope.running.runner import Runner, Trace, Worker
from tightrope.search.budget import Budget
from tightrope.search.constraints import Constraints
from tightrope.search.decode import Decoder, Step
from tightrope.search.kept_runs import RunWorth
from tightrope.search.loop import Search, SearchParts
from tightrope.search.path_tree import PathTree
from tightrope.search.strategies import STRATEGIES
from tightrope.solving.chain import build_chain
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

MEANING = ("-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off")
ZIG = (*find_compiler(environment={}).command, "-fno-sanitize=undefined", "-mcpu=baseline")
TRAP = None  # the result of a run that trapped
DIVISIONS = ("division by zero", "quotient too large (lowest number divided by -1)")
# A shift by too many bits, and a float that does not fit, have no result that could be compared.
WITHOUT_RESULT = (SENTENCES[ReasonCode.SHIFT_RANGE], SENTENCES[ReasonCode.CONVERSION])


@dataclass(slots=True)
class Tally:
    """What was compared; `problems` holds a sentence per disagreement."""

    programs: int = 0
    runs: int = 0
    conditions: int = 0  # recorded conditions that were evaluated
    flips: int = 0  # runs of solved candidates
    approximate: int = 0
    divergences: int = 0
    unknown: int = 0
    exhausted: int = 0  # programs all of whose paths were walked
    timed_out: int = 0  # runs that cannot be compared
    problems: list[str] = field(default_factory=list)

    def __iadd__(self, other: Tally) -> Tally:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        return self

    def __str__(self) -> str:
        return (
            f"{self.programs} programs, {self.runs} runs ({self.flips} of solved candidates, {self.approximate} "
            f"approximate), {self.conditions} conditions evaluated, {self.exhausted} programs exhausted, {self.unknown} "
            f"queries without answer, {self.timed_out} runs without end, {self.divergences} divergences, "
            f"{len(self.problems)} disagreements"
        )


def assert_agrees(tally: Tally, is_exact: bool = True) -> None:
    """Nothing disagreed; where all is modelled or pinned, no run was approximate."""
    assert not tally.problems, "\n".join(problem[:1000] for problem in tally.problems[:4])
    assert not (is_exact and tally.approximate), str(tally)


class Reference:
    """The plain build, which reads inputs and prints results."""

    def __init__(self, program: RandomProgram, folder: Path, compiler: Sequence[str] = ()) -> None:
        self.program = program
        self.binary = folder / "reference"
        source = folder / "reference.c"
        source.write_text(reference_program(program))
        compiler = compiler or (["gcc"] if shutil.which("gcc") else ZIG)
        command = [*compiler, *MEANING, str(source), "-o", str(self.binary), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stderr

    def results(self, inputs: Sequence[Input]) -> list[int | None]:
        count = len(self.program.slots)  # the others are globals, which the program sets before it reads them
        lines = "\n".join(" ".join(f"{value:x}" for value in values[:count]) for values in inputs)
        done = subprocess.run([self.binary], input=lines, capture_output=True, text=True, check=True, timeout=60)
        mask = (1 << self.program.result.bits) - 1
        return [TRAP if word == "trap" else int(word, 16) & mask for word in done.stdout.split()]


@contextmanager
def woven(program: RandomProgram, folder: Path, **options: object) -> Iterator[tuple[PreparedUnit, Runner]]:
    """The program, ready to run."""
    path = folder / f"{program.function}.c"  # a name of its own: texts of files are remembered
    path.write_text(program.text)
    wishes = [read_wish_line(f"{one.name}=array {one.count}, not-null") for one in program.parameters if one.count]
    options = {"no_stubs": tuple(ALLOCATORS), "wishes": tuple(wishes), "criteria": ("branch",), **options}
    #   a plain build has memory, and its decisions are looked at elsewhere
    chosen = Options((Target(path, program.function),), **options)  # type: ignore[arg-type]
    worker = Worker()
    try:
        file = prepare_file(find_compiler(), path, chosen, lambda text: None)
        unit = prepare_unit(file, program.function, chosen)
        with start(unit, worker, chosen) as runner:
            yield unit, runner
    finally:
        worker.close()


# Keeps a value as it is in the run: its whole expression is then recorded, beside the number that it must give.
PIN = """
#ifdef __TIGHTROPE__
#define PIN(x) _Generic((x), float: pin_float((double)(x)), double: pin_float((double)(x)), default: pin_bits((unsigned long)(x)))
static void pin_bits(unsigned long x) { static volatile unsigned long sink; sink = __builtin_bitreverse64(x); }
static void pin_float(double x) { static volatile long double sink; sink = x; }
#else
#define PIN(x) ((void)(x))
#endif
"""


def with_pinned_result(program: RandomProgram) -> RandomProgram:
    """The program with a function around it that pins its result."""
    kinds = ", ".join(f"{p.kind.name} {p.name}{f'[{p.count}]' if p.count else ''}" for p in program.parameters)
    call = f"{program.function}({', '.join(p.name for p in program.parameters)})"
    name, kind = f"pinned_{program.function}", program.result.name
    around = f"{kind} {name}({kinds})\n{{\n    {kind} result = {call};\n    PIN(result);\n    return result;\n}}\n"
    return replace(program, text=program.text + PIN + around, function=name)


def examine(
    program: RandomProgram,
    folder: Path,
    inputs: Sequence[Input],
    *,
    flips: int = 40,
    compiler: Sequence[str] = (),
    reference: Reference | None = None,
    **options: object,
) -> Tally:
    """Run the inputs, then let a search of so many runs start from the first of them. `reference`: one that is built."""
    reference = reference or Reference(program, folder, compiler)
    with woven(program, folder, **options) as (unit, runner):
        examination = Examination(program, unit, runner)
        others = (0,) * (len(unit.driver.slots) - len(program.slots))
        inputs = [(*values, *others) for values in inputs]
        for values in inputs:
            if not examination.tally.timed_out:
                examination.look(values, runner.trace(values))
        if flips and not examination.tally.timed_out:
            examination.search(inputs[0], flips)
        examination.compare(reference)
    return examination.tally


class Examination:
    """The runs of one program, what they recorded and what came out."""

    def __init__(self, program: RandomProgram, unit: PreparedUnit, runner: Runner) -> None:
        self.program, self.unit, self.runner = program, unit, runner
        self.table = TermTable()
        self.decoder = Decoder(self.table, runner.node_bytes)
        self.tally = Tally(programs=1)
        self.results: dict[Input, int | None] = {}
        self.ways: dict[int, Input] = {}  # what the runs hit, and one of them each

    def look(self, values: Input, trace: Trace) -> RunWorth:
        """Evaluate what the trace recorded; keep what came out."""
        self.tally.runs += 1
        self.tally.approximate += bool(trace.flags & FLAG_APPROXIMATE)
        steps = [step for step in self.decoder.steps(trace) if step[2] is not None]
        memo = meanings([step[2] for step in steps if step[2] is not None], values)
        for step in steps:
            self.tally.conditions += 1
            if not self._is_true(step, memo):
                self._complain(f"on {values}: {describe(step)} evaluates to {memo[step[2]]}")
                break
        self.ways.setdefault(trace.points, values)
        self._keep(values)
        return RunWorth.COVERS

    def _is_true(self, step: Step, memo: dict[Term, int]) -> bool:
        kind, site, term, side = step
        assert term is not None
        if kind == EventKind.SWITCH:
            cases = self.unit.woven.switches[site]
            return (cases.index(memo[term]) + 1 if memo[term] in cases else 0) == side
        return memo[term] == (1 if kind == EventKind.PIN else side)  # a pin's side says whether it is late

    def _keep(self, values: Input) -> None:
        ending, (result, *_) = self.runner.ending(), self.runner.outputs()
        if ending.outcome is Outcome.RETURNED:
            assert result is not None
            self.results[values] = result & ((1 << self.program.result.bits) - 1)
        elif ending.outcome is Outcome.CRASHED and ending.reason in DIVISIONS:
            self.results[values] = TRAP
        elif ending.outcome is Outcome.TIMED_OUT or ending.reason.startswith(WITHOUT_RESULT):
            self.tally.timed_out += 1
        else:
            self._complain(f"on {values}: the run ended as {ending}")

    def search(self, seed: Input, runs: int) -> None:
        """Explore from one input; every run is looked at."""
        tree = PathTree(Decoder(self.table, self.runner.node_bytes), Constraints(self.table, self.unit.woven.switches))
        parts = SearchParts(
            self.runner, build_chain(time_limit=2.0, validates=True), STRATEGIES["bfs"](), tree,
            Ledger(self.unit.objectives), budget=Budget(20.0, runs), is_exhaustive=True, on_run=self.look,
        )  # fmt: skip
        search = Search(parts)
        known, self.ways = self.ways, {}
        search.explore([seed])
        self.tally.flips += search.progress.runs - 1
        self.tally.unknown += search.progress.unknown
        self.tally.divergences += search.progress.divergences
        self.tally.exhausted += search.is_complete
        if search.is_complete:  # then no input goes where it has not been
            for points in known.keys() - self.ways.keys():
                self._complain(f"a complete search from {seed} never went the way of {known[points]}")
        if search.progress.divergences and not search.progress.approximate:
            self._complain(f"{search.progress.divergences} divergences in a search from {seed}")

    def compare(self, reference: Reference) -> None:
        expected = reference.results(list(self.results))
        for (values, result), plain in zip(self.results.items(), expected, strict=True):
            if not is_same(self.program.result, result, plain):
                self._complain(f"on {values}: woven {shown(result)}, plain {shown(plain)}")

    def _complain(self, sentence: str) -> None:
        self.tally.problems.append(f"program {self.program.seed}: {sentence}")


def meanings(terms: Sequence[Term], values: Input) -> dict[Term, int]:
    """What the terms and all their parts are on an input."""
    memo: dict[Term, int] = {}
    for term in walk(*terms):
        if term.op is Op.INPUT:
            memo[term] = values[term.number] & ((1 << term.bits) - 1)
        else:
            memo[term] = MEANINGS[term.op](term, *[memo[arg] for arg in term.args])
    return memo


def describe(step: Step) -> str:
    kind, site, term, side = step
    assert term is not None
    return f"{EventKind(kind).name} {site} side {side}, {show(term)[:400]}"


def is_same(kind: Kind, left: int | None, right: int | None) -> bool:
    if left is None or right is None:
        return left is right
    return left == right or (kind.is_float and is_nan(kind, left) and is_nan(kind, right))


def is_nan(kind: Kind, bits: int) -> bool:
    infinity = 0x7F800000 if kind.bits == 32 else 0x7FF << 52
    return bits & ((1 << (kind.bits - 1)) - 1) > infinity


def shown(result: int | None) -> str:
    return "traps" if result is None else f"returns {result:#x}"
