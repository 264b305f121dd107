"""Functions with few inputs, all of which are run: what can be covered is then known, and every verdict can be judged.

    // assume: a < 4 && b < 4            said to `--assume`
    // input: text=string 2              said to `--input`
    // domain: a=0..3 b=0..3 *p=-1..2    the numbers of a slot that are run; without a word: all that it has
    // unknown: shape                    why open objectives may stay so: the reasons' words

Two judges. `run_all` has the runner run every input and knows what each hits: it judges every kind of objective and every
input by itself, but shares the weaver with what it judges. `twin_verdicts` knows nothing of ours (agreement/twin.py): it
judges what is said about decisions of functions that have marks.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from twin import Marked, Table, reachable_vectors
from wanted_words import ABOUT_DECISIONS, wanted_words

from tightrope.command_line.arguments import read_command
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Covered, Infeasible, Reason, Unknown, Verdict
from tightrope.coverage.witnesses import is_covered
from tightrope.engines.explore import Exploration, explore
from tightrope.inputs.scalars import Input, Slot
from tightrope.options.options import Options
from tightrope.program.decisions.boolean_tree import ConditionRef
from tightrope.running.runner import Runner, Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

MOST_INPUTS = 1 << 16
MASKING = ("branch", "statement", *ABOUT_DECISIONS)
LABELS = ("branch", "wm", "limit", "rte", "def-use", "all-defs")
UNIQUE_CAUSE = ("mcdc",)
HAND_WRITTEN = Path(__file__).parent / "small"


@dataclass(frozen=True)
class Small:
    """A function `f` with few inputs."""

    name: str
    text: str
    assumptions: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    domain: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # by path of a slot
    may_be_unknown: tuple[str, ...] = ()  # words of reasons
    marked: Marked | None = None  # the same text with marks at its decisions,
    calls: str = ""  # and C that calls it with every input


def read_small(path: Path) -> Small:
    """A hand-written one."""
    text = path.read_text(encoding="utf-8")
    said = {
        word: tuple(re.findall(rf"^// {word}: (.*)$", text, re.M)) for word in ("assume", "input", "domain", "unknown")
    }
    domain = dict(_read_values(word) for line in said["domain"] for word in line.split())
    return Small(path.stem, text, said["assume"], said["input"], domain, tuple(" ".join(said["unknown"]).split()))


def _read_values(word: str) -> tuple[str, tuple[int, ...]]:
    """`a=0..3`, `c=1,5,-1`"""
    path, values = word.rsplit("=", 1)
    if ".." in values:
        low, high = map(int, values.split(".."))
        return path, tuple(range(low, high + 1))
    return path, tuple(map(int, values.split(",")))


def hand_written() -> list[Small]:
    return [read_small(path) for path in sorted(HAND_WRITTEN.glob("*.c"))]


# --- preparing -----------------------------------------------------------------------------------


def options_for(small: Small, folder: Path, criteria: Sequence[str], *words: str) -> Options:
    path = folder / f"{small.name}.c"
    path.write_text(small.text, encoding="utf-8")
    said = ["generate", f"{path}:f", "-q", "-c", ",".join(criteria), "--time-limit", "60", *words]
    said += [word for text in small.assumptions for word in ("--assume", text)]
    said += [word for text in small.wishes for word in ("--input", text)]
    return read_command(said)[1]


def prepare(options: Options) -> PreparedUnit:
    (target,) = options.targets
    return prepare_unit(prepare_file(find_compiler(), target.file, options, lambda warning: None), "f", options)


def every_input(small: Small, slots: Sequence[Slot]) -> Iterator[Input]:
    values = [_values(small, slot) for slot in slots]
    assert math.prod(map(len, values)) <= MOST_INPUTS, {slot.path: len(_values(small, slot)) for slot in slots}
    return itertools.product(*values)


def _values(small: Small, slot: Slot) -> Sequence[int]:
    """Raw numbers: a negative one is taken modulo its width."""
    scalar = slot.scalar
    if slot.path in small.domain:
        return [value & scalar.mask for value in small.domain[slot.path]]
    if scalar.members:
        return [value & scalar.mask for _, value in scalar.members]
    assert scalar.bits <= 8, f"{small.name}: no domain for {slot.path}"
    return range(1 << scalar.bits)


# --- what can be covered -------------------------------------------------------------------------


@dataclass(frozen=True)
class Runs:
    """Every input with the points that it hits."""

    inputs: tuple[Input, ...]
    points: tuple[int, ...]  # bit masks
    endings: Counter[str]

    @property
    def union(self) -> int:
        found = 0
        for points in self.points:
            found |= points
        return found


def run_all(small: Small, unit: PreparedUnit, runner: Runner) -> Runs:
    inputs, points, endings = tuple(every_input(small, unit.driver.slots)), [], Counter[str]()
    for values in inputs:
        points.append(runner.trace(values).points)
        endings[runner.ending().outcome.name] += 1
    return Runs(inputs, tuple(points), endings)


ONLY_DYING = (
    Reason.ONLY_CRASHING.word,
    Reason.ONLY_ENDLESS.word,
    Reason.ONLY_STUCK.word,
)  # then all inputs together do hit its points


@dataclass
class Tally:
    """What became of the objectives of some functions."""

    functions: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)  # 'covered', 'infeasible', 'unknown: shape'
    wrong: list[str] = field(default_factory=list)
    needless: list[str] = field(default_factory=list)  # unknown, for no reason that the function gives

    def judge(self, small: Small, ledger: Ledger, possible: int) -> None:
        self.functions += 1
        for objective, verdict in ledger:
            if not objective.problem:
                self.add(small, objective, verdict, not objective.is_constant and is_covered(objective, possible))

    def add(self, small: Small, objective: Objective, verdict: Verdict, can_be: bool) -> None:
        reason = verdict.reason.word if isinstance(verdict, Unknown) else ""
        self.verdicts[f"unknown: {reason}" if reason else verdict.word] += 1
        line = f"{small.name}: {objective.id} ({objective.text}): {verdict}, brute force: {can_be}"
        if reason:
            if reason in ONLY_DYING:
                (self.wrong if not can_be else []).append(line)
            elif reason not in small.may_be_unknown or can_be:
                self.needless.append(line)
        elif not isinstance(verdict, Covered if can_be else Infeasible):
            self.wrong.append(line)

    def join(self, other: Tally) -> None:
        self.functions += other.functions
        self.verdicts.update(other.verdicts)
        self.wrong += other.wrong
        self.needless += other.needless

    def __str__(self) -> str:
        rows = [f"{self.functions} functions, {sum(self.verdicts.values())} objectives"]
        rows += [f"  {word:24}{count:8}" for word, count in sorted(self.verdicts.items())]
        rows += [f"  {'wrong':24}{len(self.wrong):8}", f"  {'unknown needlessly':24}{len(self.needless):8}"]
        return "\n".join(rows)


def decide(small: Small, options: Options, tally: Tally) -> tuple[PreparedUnit, Exploration]:
    """Have every objective decided as the options say, and judge that."""
    unit, worker = prepare(options), Worker()
    try:
        with start(unit, worker, options) as runner:
            found = explore(unit, runner, options, lambda ledger, progress: None)
            runner.close_aims(0)
            tally.judge(small, found.ledger, run_all(small, unit, runner).union)
    finally:
        worker.close()
    if found.progress.divergences:
        tally.wrong.append(f"{small.name}: {found.progress.divergences} runs did not do what was solved for")
    return unit, found


# --- the other judge -----------------------------------------------------------------------------


def twin_verdicts(
    small: Small, unit: PreparedUnit, found: Exploration, form: str, folder: Path
) -> Iterator[tuple[Objective, Verdict, bool]]:
    """Each objective about decisions, its verdict, and whether the twin can do it. Comparisons that are only values have
    no marks in the twin; all inputs are run for them, as for everything."""
    assert small.marked is not None
    seen = reachable_vectors(small.marked, small.calls, folder)
    decisions = [each for each in unit.marks.decisions if each.function == unit.function.name]
    with_marks = [
        at for at, each in enumerate(decisions) if not (each.role == "value" and each.tree == ConditionRef(0))
    ]
    assert len(with_marks) == len(small.marked.order), small.text
    order = dict(zip(with_marks, small.marked.order, strict=True))
    for name in {objective.criterion for objective, _ in found.ledger} & set(ABOUT_DECISIONS):
        rows = iter([each for each in found.ledger if each[0].criterion == name])
        for number, word in wanted_words(name, decisions, form):
            objective, verdict = next(rows)
            assert objective.id.split("#")[0].endswith(f":{word}")
            if number in order:
                table = Table(small.marked, order[number], seen[order[number]])
                yield objective, verdict, is_coverable(table, name, word, form)


def is_coverable(table: Table, criterion: str, word: str, form: str) -> bool:
    """What the objective means, said by truth tables."""
    words = word.split(":")
    if criterion == "mcc":
        return table.vector({index: {"T": True, "F": False, "-": None}[letter] for index, letter in enumerate(word)})
    if words[0] in ("true", "false"):
        return table.outcome(words[0] == "true")
    if criterion == "ncc":
        pairs = zip(words[::2], words[1::2], strict=True)
        return table.vector({int(name[1:]) - 1: value == "true" for name, value in pairs})
    index, value = int(words[0][1:]) - 1, words[1]
    if criterion in ("condition", "decision-condition"):
        return table.vector({index: value == "true"})
    if value != "pair":
        return table.masking(index, value == "true")
    is_masking = criterion == "cacc" or (criterion == "mcdc" and form == "masking")
    return table.masking_pair(index) if is_masking else table.unique_cause(index)
