"""One random program with the verdicts on it, judged natively: what bench/soundness.py does again and again.

everyday   tests/semantics/everyday_functions.py; all inputs are run by two compilers, and the written tests
csmith     random inputs, counted by llvm-cov; the branches alone are judged
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "semantics"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "agreement"))

import csmith_programs
from everyday_functions import Everyday, everyday_file
from everyday_judge import NotJudged, Seen, find_compilers, judge, run_everything, run_tests

from bench.parts.llvm_branches import count_branches, taken_sides

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ("auto", "search", "encoding")
CRITERIA = ("branch,mcdc,mcc", "branch,decision,condition,mcc", "mcdc,ncc,cacc", "branch,mcc,gacc,racc")
EVERYDAY, CSMITH = "everyday", "csmith"
_SECONDS = 400  # for one program, whatever the engines do
_RANDOM_INPUTS = 400


@dataclass
class Judged:
    """What became of one program."""

    kind: str
    seed: int
    engine: str = ""
    criteria: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    by_gcov: list[str] = field(default_factory=list)  # statements in which gcov counts other sides than we do
    problem: str = ""  # why it was not judged

    def as_line(self) -> str:
        return json.dumps(vars(self))

    @classmethod
    def from_line(cls, line: str) -> Judged:
        read = json.loads(line)
        return cls(**{**read, "counts": Counter(read["counts"])})


def judge_program(kind: str, seed: int, folder: Path, time_limit: float) -> Judged:
    """Never raises: whatever happens is a result."""
    engine, criteria = ENGINES[seed % 3], CRITERIA[seed // 3 % len(CRITERIA)]
    judged = Judged(kind, seed, engine, criteria if kind == EVERYDAY else "branch")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if kind == EVERYDAY:
            judge_everyday(everyday_file(seed), judged, folder, time_limit)
        else:
            judge_csmith(csmith_programs.csmith_program(seed).text, judged, folder, time_limit)
    except (
        NotJudged,
        subprocess.SubprocessError,
        OSError,
        RuntimeError,
        ValueError,
        KeyError,
        AssertionError,
    ) as problem:
        judged.problem = f"{type(problem).__name__}: {problem}"[:500]
    return judged


def judge_everyday(everyday: Everyday, judged: Judged, folder: Path, time_limit: float) -> None:
    unit = folder / "unit.c"
    unit.write_text(everyday.marked.plain, encoding="utf-8")
    everything = _run_alike(everyday, folder)
    report = _generate(unit, everyday.functions, judged, folder, time_limit)
    written = [folder / name for one in report["units"] for name in one["written"]]
    tested = run_tests(everyday, written, unit, folder, find_compilers()[0])
    found = judge(everyday, report["units"], everything, tested, "masking")
    judged.counts.update(found.counts)
    judged.wrong += found.wrong
    _judge_covered(report, written, unit, judged, folder)


def _run_alike(everyday: Everyday, folder: Path) -> Seen:
    """What the compilers agree on; where they do not, the program is no C."""
    first, *others = [run_everything(everyday, folder, compiler) for compiler in find_compilers()]
    if any(other != first for other in others):
        raise NotJudged("the compilers do not agree")
    return first


def _generate(
    unit: Path, functions: Sequence[str], judged: Judged, folder: Path, time_limit: float, flags: Sequence[str] = ()
) -> dict[str, Any]:
    """The report of the command, in a process of its own."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    targets = [f"{unit.name}:{name}" for name in functions] or [unit.name]
    said = ["-q", "-c", judged.criteria, "--engine", judged.engine, "--time-limit", str(time_limit)]
    said += ["--seed", str(judged.seed), "--jobs", "1", "-o", "tests", "--json", report.name]
    words = [sys.executable, "-m", "tightrope", "generate", *targets, *said, *(["--", *flags] if flags else [])]
    with subprocess.Popen(
        words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            _, said_wrong = process.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise NotJudged(f"it took more than {_SECONDS} s") from None
    if not report.exists():
        raise NotJudged(f"exit code {process.returncode}: {said_wrong[-300:]}")
    read: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return read


def _judge_covered(
    report: dict[str, Any], written: Sequence[Path], unit: Path, judged: Judged, folder: Path, flags: Sequence[str] = ()
) -> None:
    """By gcov, which the command asks itself, and by llvm-cov: what the written tests take."""
    for one in report["units"]:
        confirmation = one["confirmation"] or {}
        judged.counts["lines judged by gcov"] += confirmation.get("judged_lines", 0)
        judged.by_gcov += [f"{one['function']}: {text}" for text in confirmation.get("disagreements", ())]
    counts = count_branches(written, unit, folder, flags)
    for one in report["units"]:
        returned = {
            each["id"] for each in one["tests"] if each["outcome"] == "returned"
        }  # others do not run by default
        for objective, was_taken in taken_sides(one["objectives"], counts, unit.read_text(encoding="utf-8")):
            if objective["verdict"] == "covered" and returned.issuperset(objective["tests"]):
                judged.counts["covered, judged by llvm-cov"] += 1
                if not was_taken:
                    judged.wrong.append(f"llvm-cov: covered: {objective['id']} ({objective['text']})")


def judge_csmith(text: str, judged: Judged, folder: Path, time_limit: float) -> None:
    """All functions of the file. Calls of `target` reach the others with some of their inputs."""
    flags = (csmith_programs.FLAGS,)
    unit = folder / "unit.c"
    unit.write_text(text, encoding="utf-8")
    report = _generate(unit, (), judged, folder, time_limit, flags)
    random = folder / "random_inputs.c"
    random.write_text(f'#include "{unit}"\n{_random_calls("target", judged.seed)}', encoding="utf-8")
    taken = count_branches([random], unit, folder, flags)
    objectives = [objective for one in report["units"] for objective in one["objectives"]]
    for objective, was_taken in taken_sides(objectives, taken, text):
        judged.counts["objectives"] += 1
        judged.counts[objective["verdict"]] += 1
        if was_taken and objective["verdict"] == "infeasible":
            judged.wrong.append(f"infeasible ({objective['proof']}): {objective['id']} ({objective['text']})")
    written = [folder / name for one in report["units"] for name in one["written"]]
    _judge_covered(report, written, unit, judged, folder, flags)


def _random_calls(function: str, seed: int) -> str:
    """A main function with calls: small numbers, and any. A call that ends the program, or does not return in time, is
    left out: llvm-cov computes some counts from others, as if every call had returned."""
    random = Random(seed)
    rows = []
    for _ in range(_RANDOM_INPUTS):
        bits = random.choice((2, 8, 16, 64))
        rows.append("{" + ", ".join(f"{random.getrandbits(bits)}u" for _ in csmith_programs.NAMES) + "}")
    count = len(csmith_programs.NAMES)
    arguments = ", ".join(f"inputs[i][{at}]" for at in range(count))
    return _CALLS.format(
        count=count, rows=", ".join(rows), call=f"{function}({arguments})", inputs=_RANDOM_INPUTS, most=_MOST_ENDLESS
    )


_MOST_ENDLESS = 5  # calls that do not return, before the rest is left out
_CALLS = """\
#include <sys/wait.h>
#include <unistd.h>
static const unsigned long inputs[][{count}] = {{{rows}}};
static int returns(int i) /* in a process of its own, from the present state */
{{
    int status = 1, child = fork();
    if (child == 0) {{
        alarm(2);
        {call};
        _exit(0);
    }}
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}}
int main(void)
{{
    int endless = 0;
    for (int i = 0; i < {inputs} && endless < {most}; i++) {{
        if (returns(i)) {call};
        else endless++;
    }}
    return 0;
}}
"""
