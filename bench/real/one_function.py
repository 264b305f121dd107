"""One function of the list: run the command, read its report, keep the result."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

OVERTIME = 240.0  # seconds for all that is not search: compiling, shrinking, confirming
RESULT = "result.json"


@dataclass(frozen=True, slots=True)
class Job:
    name: str  # package/file:function
    file: Path
    function: str
    folder: Path  # for everything about it
    time_limit: float
    options: tuple[str, ...]
    criteria: str = "branch"
    builds_with_sanitizers: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one function. `status`: tested, refused (with the message) or failed (a bug of Tightrope)."""

    name: str
    status: str
    message: str = ""
    objectives: int = 0
    covered: int = 0
    infeasible: int = 0
    unknown: dict[str, int] = field(default_factory=dict)  # reason -> objectives
    tests: int = 0
    seconds: float = 0.0  # the whole command
    search_seconds: float = 0.0
    runs: int = 0
    divergences: int = 0
    compiled: bool = False  # the written suite
    confirmed: bool = False  # it has tests, and all of them behave alike without probes
    different: tuple[str, ...] = ()  # what was different, in tests that were then thrown away
    left_out: tuple[str, ...] = ()  # tests whose crash does not show without probes (undefined behaviour)
    disagreements: tuple[str, ...] = ()  # with gcov
    concretised: dict[str, int] = field(default_factory=dict)  # what and where -> how often
    crashes: dict[str, int] = field(default_factory=dict)  # of the code under test: how it ended -> places
    stop_reason: str = ""
    sanitized: str = ""  # what a build with sanitizers said of the suite: clean, or its first complaint

    @property
    def decided(self) -> int:
        return self.covered + self.infeasible

    def __str__(self) -> str:
        share = f"{self.decided}/{self.objectives} decided, {self.tests} tests" if self.status == "tested" else ""
        doubt = "" if self.confirmed or self.status != "tested" else ", NOT CONFIRMED"
        lost = f", {self.divergences} DIVERGENCES" if self.divergences else ""
        first = self.message.splitlines()[0] if self.message else ""
        return f"{self.name}: {self.status} {share}{doubt}{lost} {first} ({self.seconds:.0f} s)"


def run_job(job: Job) -> Result:
    shutil.rmtree(job.folder, ignore_errors=True)
    job.folder.mkdir(parents=True)
    try:
        result = _without_place(job, _run(job))
    except Exception as problem:  # one bad report must not end a run of hours
        result = Result(job.name, "failed", f"the bench could not read its result: {problem!r}")
    (job.folder / RESULT).write_text(json.dumps(asdict(result), indent=1), encoding="utf-8")
    return result


def _without_place(job: Job, result: Result) -> Result:
    """What was said, without the folder of the sources, which is another one on each machine."""
    inside = job.name.partition("/")[2].rpartition(":")[0]
    place = str(job.file).removesuffix(inside)
    return replace(
        result,
        message=result.message.replace(place, ""),
        different=tuple(each.replace(place, "") for each in result.different),
        disagreements=tuple(each.replace(place, "") for each in result.disagreements),
        sanitized=result.sanitized.replace(place, ""),
    )


def load_result(job: Job) -> Result | None:
    try:
        return Result(**json.loads((job.folder / RESULT).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _run(job: Job) -> Result:
    report = job.folder / "report.json"
    words = ["generate", f"{job.file}:{job.function}", "-c", job.criteria, "--time-limit", str(job.time_limit)]
    words += ["--json", str(report), "-o", str(job.folder / "tests"), *job.options]
    start = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tightrope", *words],
            cwd=job.folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=job.time_limit + OVERTIME,
            check=False,
        )
    except subprocess.TimeoutExpired:
        seconds = time.monotonic() - start
        return Result(job.name, "failed", f"did not end within {seconds:.0f} s", seconds=seconds)
    seconds = time.monotonic() - start
    (job.folder / "stdout").write_text(done.stdout)
    (job.folder / "stderr").write_text(done.stderr)
    if done.returncode != 0 or not report.is_file():
        status = "refused" if done.returncode in (2, 4, 5) else "failed"
        return Result(job.name, status, _problem(done.stderr, done.returncode), seconds=seconds)
    return _read(job, json.loads(report.read_text(encoding="utf-8"))["units"][0], seconds)


def _problem(text: str, status: int) -> str:
    """The message of the tool; of a traceback its last line."""
    at = text.find("tightrope: error:")
    if at >= 0:
        return text[at:].strip()[:2000]
    lines = [line for line in text.splitlines() if line.strip() and "internal error" not in line]
    return (lines[-1] if lines else f"exit status {status}")[:2000]


def _read(job: Job, unit: dict[str, Any], seconds: float) -> Result:
    verdicts = Counter(each["verdict"] for each in unit["objectives"])
    confirmation = unit["confirmation"] or {}
    different = tuple(confirmation.get("details", ()) or confirmation.get("different", ()))
    problem = confirmation.get("problem", "")
    return Result(
        job.name,
        "tested",
        problem,
        objectives=len(unit["objectives"]),
        covered=verdicts["covered"],
        infeasible=verdicts["infeasible"],
        unknown=dict(Counter(each["reason"] for each in unit["objectives"] if each["verdict"] == "unknown")),
        tests=len(unit["tests"]),
        seconds=seconds,
        search_seconds=unit["statistics"]["seconds"],
        runs=unit["statistics"]["runs"],
        divergences=unit["statistics"]["divergences"],
        compiled=bool(confirmation) and not problem,
        confirmed=bool(confirmation) and not problem and not different and bool(unit["tests"]),
        different=different,
        left_out=tuple(confirmation.get("not_run", ())),
        disagreements=tuple(confirmation.get("disagreements", ())),
        concretised={
            f"{each['reason']} at {Path(each['file']).name}:{each['line']} ({each['kind']})": each["count"]
            for each in unit["concretisations"]
        },
        crashes=dict(Counter(each["reason"] for each in unit["crashes"])),
        stop_reason=unit["stop_reason"],
        sanitized=_run_with_sanitizers(job) if job.builds_with_sanitizers else "",
    )


def _run_with_sanitizers(job: Job) -> str:
    """Build the suite by the commands in its head, with sanitizers, and run it."""
    for suite in sorted((job.folder / "tests").glob("*.c")):
        text = suite.read_text(encoding="utf-8", errors="replace")
        last = re.search(r"^ +cc .* && (\./\S+)", text, re.MULTILINE)
        if last is None:
            return "no command in its head"
        commands = re.findall(r"^ +(cc .*?)(?: && \./.*)?$", text[: last.end()], re.MULTILINE)
        builds = [each.replace("cc ", f"cc {_SANITIZERS} ", 1) for each in commands]
        for words, name in (*((each, "does not build") for each in builds), (last[1], "")):
            try:
                done = subprocess.run(
                    words, shell=True, cwd=suite.parent, capture_output=True, text=True, errors="replace",
                    timeout=300, env={**os.environ, "ASAN_OPTIONS": _OPTIONS}, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return name or "does not end"
            if done.returncode:
                complaint = _COMPLAINT.search(done.stdout + done.stderr)
                said = f": {complaint[0].strip()[:200]}" if complaint else ""
                return f"{name}{said}" if name else f"run, exit status {done.returncode}{said}"
    return "clean"


_SANITIZERS = "-g -w -fsanitize=address,undefined -fno-sanitize-recover=undefined"
# To have no memory is an answer of malloc as any other, which tests may ask for by a size.
_OPTIONS = "detect_leaks=0:allocator_may_return_null=1"
_COMPLAINT = re.compile(r"^.*(?:runtime error:|ERROR: AddressSanitizer:|^not ok|\berror:).*$", re.MULTILINE)
