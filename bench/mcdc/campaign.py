"""Every tool on every subject with every limit: the rows behind the page. What has a row is not run again."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.mcdc.debian_subjects import resolve
from bench.mcdc.judge import Judge, JudgedTests, NoJudgeError
from bench.mcdc.runners.contract import NOT_INSTALLED
from bench.mcdc.subjects import ROOT, FunctionUnderTest
from bench.mcdc.tests_file import BadTestsError, GivenTests, read_tests
from bench.real.debian import NotHere

MOMENTS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 60.0)  # of the curves
AFTERWARDS = 1000.0  # tests that came later than the limit, from a tool that did not stop in time
KINDS = ("mcdc", "branches", "gcov")
_PATIENCE = 25  # seconds of the clock for each of the processor, until a runner is stopped


@dataclass(frozen=True, slots=True)
class ToolScore:
    """A tool on a subject with a limit. Objectives are names that the judge gives."""

    subject: str
    tool: str
    limit: float
    seconds: float = 0.0  # processor time that it used
    clock: float = 0.0
    tests: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    known: Mapping[str, int] = field(default_factory=dict)  # by kind
    covered: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by kind
    curve: Sequence[tuple[float, int, int]] = ()  # seconds, MC/DC, branches
    version: str = ""
    problem: str = ""  # why there is nothing


def run_campaign(
    subjects: Sequence[FunctionUnderTest],
    tools: Mapping[str, Sequence[str]],
    limits: Sequence[float],
    store: Path,
    jobs: int,
) -> Iterator[ToolScore]:
    """Subjects in parallel, the tools of one subject one after the other: they meet the same load."""
    store.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool:
        for rows in pool.map(lambda subject: list(_of_subject(subject, tools, limits, store)), subjects):
            yield from rows


def kept_rows(store: Path) -> list[ToolScore]:
    return [ToolScore(**json.loads(file.read_text(encoding="utf-8"))) for file in sorted(store.glob("*.json"))]


def _of_subject(
    subject: FunctionUnderTest, tools: Mapping[str, Sequence[str]], limits: Sequence[float], store: Path
) -> Iterator[ToolScore]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        judge: Judge | None = None
        for tool, command in tools.items():
            files = {limit: store / f"{subject.name}-{tool}-{limit:g}.json" for limit in limits}
            if not all(file.exists() for file in files.values()):
                try:
                    judge = judge or Judge(resolve(subject), folder / "judge")
                    rows = _of_tool(judge, tool, command, limits, folder)
                except (NotHere, NoJudgeError) as problem:
                    rows = [ToolScore(subject.name, tool, limit, problem=str(problem)) for limit in limits]
                for row in rows:
                    files[row.limit].write_text(json.dumps(asdict(row)), encoding="utf-8")
            yield from (ToolScore(**json.loads(file.read_text(encoding="utf-8"))) for file in files.values())


def _of_tool(judge: Judge, tool: str, command: Sequence[str], limits: Sequence[float], folder: Path) -> list[ToolScore]:
    """The largest limit first: a tool that ended before a smaller one would have done the same there, and one that says
    when it found each test is only cut."""
    rows: list[ToolScore] = []
    done: _Done | None = None
    for limit in sorted(limits, reverse=True):
        if done is None or not (done.is_anytime or done.problem or done.seconds <= limit):
            done = _run(judge.subject, tool, command, limit, folder)
        rows.append(_row(judge, tool, limit, done))
    return rows


@dataclass(frozen=True, slots=True)
class _Done:
    seconds: float
    clock: float
    given: GivenTests | None
    problem: str = ""

    @property
    def is_anytime(self) -> bool:
        return self.given is not None and self.given.is_anytime


def _run(subject: FunctionUnderTest, tool: str, command: Sequence[str], limit: float, folder: Path) -> _Done:
    """One process of a runner, by the contract."""
    description, tests = folder / "description.json", folder / f"{tool}-{limit:g}.json"
    description.write_text(subject.as_json(), encoding="utf-8")
    words = [*command, str(description), f"{limit:g}", str(tests)]
    start = time.monotonic()
    said = folder / "said"
    with said.open("wb") as errors:
        process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
        used, status = _wait(process, _PATIENCE * limit + 120)
    clock = time.monotonic() - start
    last = said.read_text(encoding="utf-8", errors="replace").strip()[-300:]
    if status == NOT_INSTALLED:
        return _Done(used, clock, None, f"not installed: {last}")
    if status:
        return _Done(used, clock, None, f"exit status {status}: {last}")
    try:
        return _Done(used, clock, read_tests(tests, subject, used))
    except BadTestsError as problem:
        return _Done(used, clock, None, str(problem))


def _wait(process: subprocess.Popen[bytes], patience: float) -> tuple[float, int]:
    """Processor time, of it and of all its children, and the exit status."""
    end = time.monotonic() + patience
    while True:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return used.ru_utime + used.ru_stime, process.returncode
        if time.monotonic() > end:
            process.kill()
        time.sleep(0.02)


def _row(judge: Judge, tool: str, limit: float, done: _Done) -> ToolScore:
    subject = judge.subject.name
    if done.given is None:
        return ToolScore(subject, tool, limit, done.seconds, done.clock, problem=done.problem)
    moments = [each for each in MOMENTS if each < limit]
    # a tool that cannot say when it found a test has them when it ends, even if that is late; others are cut
    moments += [limit] if done.is_anytime else [limit, max(AFTERWARDS, done.seconds)]
    judged = list(judge.judge(done.given.tests, moments))
    last = judged[-1]
    curve = [(moment, *_counts(each)) for moment, each in zip(moments, judged, strict=True) if moment < AFTERWARDS]
    return ToolScore(
        subject,
        tool,
        limit,
        min(done.seconds, limit) if done.is_anytime else done.seconds,
        done.clock,
        last.tests,
        dict(last.outcomes),
        {kind: len(getattr(last, kind).known) for kind in KINDS},
        {kind: sorted(getattr(last, kind).covered) for kind in KINDS},
        curve,
        done.given.tool,
    )


def _counts(judged: JudgedTests) -> tuple[int, int]:
    return len(judged.mcdc.covered), len(judged.branches.covered)


def read_tool(text: str) -> tuple[str, tuple[str, ...]]:
    """`NAME=COMMAND`"""
    name, separator, command = text.partition("=")
    if not separator or not name.isidentifier() or not command:
        raise ValueError(f"NAME=COMMAND is expected, not {text}")
    return name, tuple(shlex.split(command))
