"""Units decided by each engine, one process for each unit and criterion; what is found is kept as it comes.

folder/encoding/rows.jsonl       a line for each: {"name", "criterion", "problem", "decided": [one for each engine]}
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

from bench.parts.engines import ENGINES, Decided, decide, thriftiest
from bench.parts.explore_unit import prepare
from tightrope.errors import InternalError, TightropeError

PATIENCE = 180.0  # seconds for all that is not search
SHORT, REPETITIONS = 2.0, 3  # what all engines end within so many seconds is measured again, in turns


@dataclass(frozen=True, slots=True)
class Question:
    """One function under one criterion."""

    name: str
    criterion: str
    file: Path
    function: str
    time_limit: float
    build_dir: Path | None = None
    flags: tuple[str, ...] = ()
    whole_program: bool = False
    engines: tuple[str, ...] = ENGINES

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.criterion


@dataclass(frozen=True, slots=True)
class Row:
    """What became of it."""

    name: str
    criterion: str
    decided: dict[str, Decided]  # by engine
    problem: str = ""


def answer_all(questions: Sequence[Question], place: Path, *, again: bool = False) -> list[Row]:
    """In the order given; those that `place` has are not asked again."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if again:
        place.unlink(missing_ok=True)
    known = read_rows(place)
    waiting = [each for each in questions if each.key not in known]
    for number, question in enumerate(waiting, 1):
        _answer_apart(question, place)
        known = read_rows(place)
        print(f"{number}/{len(waiting)} {_say(known[question.key])}", file=sys.stderr, flush=True)
    return [known[each.key] for each in questions]


def read_rows(place: Path) -> dict[tuple[str, str], Row]:
    lines = place.read_text(encoding="utf-8").splitlines() if place.is_file() else []
    rows = [json.loads(line) for line in lines]
    return {
        (row["name"], row["criterion"]): Row(
            row["name"],
            row["criterion"],
            {each["engine"]: Decided(**each) for each in row["decided"]},
            row["problem"],
        )
        for row in rows
    }


def _answer_apart(question: Question, place: Path) -> None:
    """A process that dies, or grows, takes nobody with it."""
    process = get_context("spawn").Process(target=work, args=(question, place))
    process.start()
    process.join(PATIENCE + 2 * question.time_limit * len(question.engines))
    if process.is_alive():
        process.kill()
        process.join()
    if question.key not in read_rows(place):
        _write(place, question, {}, f"unexpected: the process ended with {process.exitcode}")


def work(question: Question, place: Path) -> None:
    """The process."""
    try:
        decided, problem = _answer(question), ""
    except Exception as error:
        is_refused = isinstance(error, TightropeError) and not isinstance(error, InternalError)
        if not is_refused:
            traceback.print_exc()
        decided, problem = {}, str(error) if is_refused else f"unexpected: {type(error).__name__}: {error}"
    _write(place, question, decided, problem.splitlines()[0] if problem else "")


def _answer(question: Question) -> dict[str, Decided]:
    ready = prepare(
        question.file,
        question.function,
        (question.criterion,),
        question.build_dir,
        flags=question.flags,
        whole_program=question.whole_program,
        time_limit=question.time_limit,
    )
    turns = [{engine: decide(ready, engine) for engine in question.engines}]
    if len(question.engines) > 1 and sum(each.seconds for each in turns[0].values()) < SHORT:
        turns += [{engine: decide(ready, engine) for engine in question.engines} for _ in range(REPETITIONS - 1)]
    return {engine: thriftiest([turn[engine] for turn in turns]) for engine in question.engines}


def _write(place: Path, question: Question, decided: dict[str, Decided], problem: str) -> None:
    row = {"name": question.name, "criterion": question.criterion, "problem": problem}
    with place.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**row, "decided": [asdict(each) for each in decided.values()]}) + "\n")


def _say(row: Row) -> str:
    words = [f"{name} {each.decided}/{each.objectives} {each.seconds:.2f} s" for name, each in row.decided.items()]
    return f"{row.name} {row.criterion}: {row.problem or ', '.join(words)}"
