"""MC/DC as clang measures it, with `-fcoverage-mcdc` and llvm-cov, read into plain data. It is independent of Tightrope.

The test file is preprocessed first, so that every decision and condition has a place of its own: in the coverage of a
text with macros, all uses of one macro share the places of its definition. Each test runs in a process of its own; one
that crashes or does not end still leaves its counts.

    tests.c ──clang -E -P──▶ flat.c ──clang -fcoverage-mcdc──▶ flat ──a run per test──▶ *.profraw ──llvm-profdata──▶
    flat.profdata ──llvm-cov show, llvm-cov export──▶ Judged
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = "19"  # the first in which -fcoverage-mcdc has settled; Debian's packages carry the number
NOT_HERE = "needs clang-19, llvm-19 and libclang-rt-19-dev"
COVERED, NOT_COVERED, FOLDED = "covered", "not covered", "constant folded"

Place = tuple[int, int]  # line, column of the flat text

# Counts are written when a process exits: here also when a signal ends it.
_KEEP_COUNTS = """
#include <signal.h>
#include <unistd.h>
int __llvm_profile_write_file(void);
static void keep_counts(int number) { __llvm_profile_write_file(); _exit(128 + number); }
__attribute__((constructor)) static void keep_counts_at_signals(void)
{
    static char stack[1 << 16];
    stack_t place = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = keep_counts, .sa_flags = SA_ONSTACK};
    int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};
    sigaltstack(&place, 0);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, 0);
    alarm(SECONDS);
}
"""


@dataclass(frozen=True, slots=True)
class Tools:
    clang: str
    profdata: str
    cov: str


@dataclass(frozen=True, slots=True)
class JudgedCondition:
    start: Place
    end: Place | None  # llvm-cov does not tell where a constant ends
    verdict: str  # COVERED, NOT_COVERED or FOLDED


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """What llvm-cov says of one decision. Its conditions are in the order of the text."""

    start: Place
    end: Place
    conditions: tuple[JudgedCondition, ...]
    vectors: tuple[tuple[str, str], ...]  # what was evaluated: ('TF-', 'F'), by condition and outcome; C: constant


@dataclass(frozen=True, slots=True)
class Judged:
    """What llvm-cov says of one function."""

    text: str  # flat
    decisions: tuple[JudgedDecision, ...]
    refused: tuple[Place, ...]  # decisions that clang says it does not follow
    body: tuple[Place, Place]


class JudgeError(Exception):
    """llvm-cov could not be asked."""


def find_tools() -> Tools | None:
    """clang and llvm-cov of the version wanted, and the library that the counts need."""
    found = [shutil.which(f"{name}-{VERSION}") for name in ("clang", "llvm-profdata", "llvm-cov")]
    if not all(found):
        return None
    tools = Tools(*map(str, found))
    said = subprocess.run(
        [tools.clang, "-print-runtime-dir"], capture_output=True, text=True, check=False
    ).stdout.strip()
    places = (Path(said), Path(said).parent / "linux")
    return tools if any(list(each.glob("*clang_rt.profile*")) for each in places) else None


def judge(
    tools: Tools,
    tests: Path,
    function: str,
    folder: Path,
    flags: Sequence[str] = (),
    count: int | None = None,
    preprocessor: Sequence[str] = (),
) -> Judged:
    """Build the test file, run its tests (each by its number, or the whole program when there is no count).

    Another preprocessor than clang's own may be named, because `assert` and others are not the same text everywhere.
    """
    folder.mkdir(parents=True, exist_ok=True)
    flat = folder / "flat.c"
    _ask([*(preprocessor or (tools.clang,)), "-E", "-P", "-w", *flags, str(tests), "-o", str(flat)])
    refused = _build(tools, flat, folder, flags)
    _run(folder, [[]] if count is None else [[str(number)] for number in range(1, count + 1)])
    raw = sorted(map(str, folder.glob("*.profraw")))
    _ask([tools.profdata, "merge", *raw, "-o", str(folder / "flat.profdata")])
    return _read(tools, flat, function, folder, refused)


def _build(tools: Tools, flat: Path, folder: Path, flags: Sequence[str]) -> list[Place]:
    (folder / "keep_counts.c").write_text(_KEEP_COUNTS)
    _ask([tools.clang, "-DSECONDS=2", "-c", str(folder / "keep_counts.c"), "-o", str(folder / "keep_counts.o")])
    wanted = ["-O0", "-fwrapv", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"]
    own = [each for each in flags if not each.startswith(("-I", "-D", "-U", "-include"))]
    words = [tools.clang, *wanted, *own, str(flat), str(folder / "keep_counts.o"), "-lm", "-o", str(folder / "flat")]
    said = _ask(words)
    return [
        (int(line), int(column))
        for line, column in re.findall(r"flat\.c:(\d+):(\d+): warning: unsupported MC/DC", said)
    ]


def _run(folder: Path, arguments: Sequence[Sequence[str]]) -> None:
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(folder / "%p.profraw")}
    for words in arguments:
        subprocess.run(
            [str(folder / "flat"), *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=60,
        )


def _ask(words: Sequence[str]) -> str:
    """What it said on standard error."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise JudgeError(f"{' '.join(words)}\n{done.stderr}")
    return done.stderr


def _read(tools: Tools, flat: Path, function: str, folder: Path, refused: Sequence[Place]) -> Judged:
    words = [
        f"-instr-profile={folder / 'flat.profdata'}",
        f"-name-regex=(^|:){re.escape(function)}$",
        str(folder / "flat"),
    ]
    shown = subprocess.run(
        [tools.cov, "show", "--show-mcdc", *words], capture_output=True, text=True, check=True
    ).stdout
    told = subprocess.run(
        [tools.cov, "export", "-format=text", *words], capture_output=True, text=True, check=True
    ).stdout
    exported = _exported_function(json.loads(told), function)
    ends = {(row[0], row[1]): (row[2], row[3]) for row in exported["branches"] if row[8] == _MCDC_BRANCH}
    decisions = tuple(sorted(read_shown(shown, ends), key=lambda each: (each.start, each.end)))
    _compare_with_export(decisions, exported)
    first = exported["regions"][0]
    body = ((first[0], first[1]), (first[2], first[3]))
    inside = tuple(place for place in refused if body[0] <= place < body[1])
    return Judged(flat.read_text(), decisions, inside, body)


_MCDC_BRANCH = 6  # the kind of a region in llvm-cov's JSON


def _exported_function(told: dict[str, Any], name: str) -> dict[str, Any]:
    """A static function has its file's name in front."""
    (data,) = told["data"]
    (found,) = (each for each in data["functions"] if each["name"].split(":")[-1] == name)
    return dict(found)


def _compare_with_export(decisions: Sequence[JudgedDecision], exported: dict[str, Any]) -> None:
    """The two ways in which llvm-cov tells must tell the same, or this module reads it wrongly."""
    told = sorted(((row[0], row[1]), (row[2], row[3]), sum(row[6]), len(row[6])) for row in exported["mcdc_records"])
    read = [(each.start, each.end, _covered(each), len(each.conditions)) for each in decisions]
    if told != read:
        raise JudgeError(f"llvm-cov export says {told}\nllvm-cov show says {read}")


def _covered(decision: JudgedDecision) -> int:
    return sum(each.verdict == COVERED for each in decision.conditions)


# --- reading `llvm-cov show --show-mcdc` -------------------------------------------------------

_REGION = re.compile(r"MC/DC Decision Region \((\d+):(\d+)\) to \((\d+):(\d+)\)")
_CONDITION = re.compile(r"Condition C(\d+) --> \((\d+):(\d+)\)")
_VECTOR = re.compile(r"\d+ \{ ([TFC,\s-]+?)\s+= ([TF]) ")
_PAIR = re.compile(r"C(\d+)-Pair: (covered|not covered|constant folded)")


def read_shown(text: str, ends: dict[Place, Place]) -> Iterator[JudgedDecision]:
    for part in re.split(r"(?=\|---> MC/DC Decision Region)", text)[1:]:
        region = _REGION.search(part)
        assert region
        line, column, end_line, end_column = map(int, region.groups())
        places = {int(number): (int(row), int(at)) for number, row, at in _CONDITION.findall(part)}
        verdicts = {int(number): said for number, said in _PAIR.findall(part)}
        assert set(places) == set(verdicts)
        order = sorted(places, key=lambda number: places[number])
        vectors = [(re.sub(r"[,\s]", "", values), outcome) for values, outcome in _VECTOR.findall(part)]
        yield JudgedDecision(
            (line, column),
            (end_line, end_column),
            tuple(JudgedCondition(places[each], ends.get(places[each]), verdicts[each]) for each in order),
            tuple(("".join(values[each - 1] for each in order), outcome) for values, outcome in vectors),
        )


# --- places in a text ---------------------------------------------------------------------------


def offset(text: str, place: Place) -> int:
    """The position of a line and column, which count bytes from 1."""
    line, column = place
    lines = text.split("\n")
    before = sum(len(each) + 1 for each in lines[: line - 1])
    return before + len(lines[line - 1].encode()[: column - 1].decode(errors="replace"))


def slice_of(text: str, start: Place, end: Place) -> str:
    return text[offset(text, start) : offset(text, end)]
