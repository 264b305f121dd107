"""Are verdicts right? Random programs, hour after hour, each verdict checked against native runs.

    python -m bench.soundness --hours N [--jobs J] [--seed S] [--time-limit SECONDS] [--folder DIR] [--again]

Programs that look like people's C (tests/semantics/everyday_functions.py) and programs of csmith take turns, and so do
the engines and the criteria. A program that fails, hangs or does not compile is counted and left. Each result is kept
in the folder at once: a run that was stopped goes on where it was, as long as the code is the same. Every wrong verdict
keeps its program, and a reduced one. The page in bench/results says what was checked.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from itertools import count
from pathlib import Path

from bench.parts.judged_program import (
    CSMITH,
    EVERYDAY,
    ROOT,
    Everyday,
    Judged,
    csmith_programs,
    everyday_file,
    judge_csmith,
    judge_everyday,
    judge_program,
)
from bench.parts.reduced import reduce_text
from bench.parts.results import BENCH, add_options, head, keep
from bench.parts.tables import markdown, number

FOLDER = Path("~/.cache/tightrope-bench/soundness").expanduser()
RESULTS, WRONG = "results.jsonl", "wrong"
CSMITH_EVERY = 8  # one program in so many is csmith's
FEW = 12  # problems and disagreements that the page shows in full
REDUCING = 900.0  # seconds for one program
MOST_REDUCED = 20  # wrong programs that are reduced: of more, one learns nothing


def main() -> None:
    wanted = read_arguments()
    if wanted.check:
        sys.exit(0 if is_still_wrong(Path(wanted.check), wanted.time_limit) else 1)
    folder = Path(wanted.folder) / fingerprint()
    if wanted.again:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    try:
        run_programs(folder, wanted)
    except KeyboardInterrupt:
        print("interrupted: the page has what is finished", file=sys.stderr)
    add_seconds(folder, time.monotonic() - started)
    keep("soundness", page(folder, wanted.note), {}, wanted, BENCH)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check verdicts on random programs natively.")
    parser.add_argument("--hours", type=float, default=0.1, metavar="N", help="how long (default: 0.1)")
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="programs at a time (default: 2)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program (default: 0)")
    parser.add_argument("--time-limit", type=float, default=5.0, metavar="SECONDS", help="per function (default: 5)")
    parser.add_argument("--folder", default=str(FOLDER), metavar="DIR", help=f"of the results (default: {FOLDER})")
    parser.add_argument("--again", action="store_true", help="forget what is in the folder")
    parser.add_argument("--check", metavar="FILE", help="exit code 0 if a verdict on this text with marks is wrong")
    add_options(parser)
    return parser.parse_args()


def fingerprint() -> str:
    """Of the code that is checked and of the programs: results of other code are not counted."""
    files = [
        *(ROOT / "src").rglob("*.py"),
        *(ROOT / "src").rglob("*.[ch]"),
        *(ROOT / "tests/semantics").glob("everyday*"),
    ]
    texts = (path.read_bytes() for path in sorted(files))
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:12]


# --- running -------------------------------------------------------------------------------------


def run_programs(folder: Path, wanted: argparse.Namespace) -> None:
    """Programs until the time is over; as many at a time as there are jobs."""
    end = time.monotonic() + wanted.hours * 3600
    done = {(each.kind, each.seed) for each in read_results(folder)}
    waiting = (each for each in programs(wanted.seed) if each not in done)
    running: set[Future[Judged]] = set()
    with ThreadPoolExecutor(wanted.jobs) as pool:
        while running or time.monotonic() < end:
            while len(running) < wanted.jobs and time.monotonic() < end:
                running.add(pool.submit(run_one, *next(waiting), folder, wanted.time_limit))
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                keep_result(folder, future.result())


def programs(seed: int) -> Iterator[tuple[str, int]]:
    has_csmith = csmith_programs.is_installed()
    for at in count(seed):
        yield (CSMITH, at) if has_csmith and at % CSMITH_EVERY == CSMITH_EVERY - 1 else (EVERYDAY, at)


def run_one(kind: str, seed: int, folder: Path, time_limit: float) -> Judged:
    with tempfile.TemporaryDirectory(prefix="soundness-") as place:
        judged = judge_program(kind, seed, Path(place), time_limit)
        if judged.wrong:
            kept = folder / WRONG / f"{kind}-{seed}"
            shutil.copytree(place, kept, dirs_exist_ok=True)
            (kept / "wrong.txt").write_text("\n".join(judged.wrong) + "\n", encoding="utf-8")
            print(f"{kind} {seed}: WRONG, being reduced: {judged.wrong[0]}", flush=True)  # that may outlast the run
            if len(list((folder / WRONG).iterdir())) <= MOST_REDUCED:
                try:
                    reduce_wrong(judged, kept, time_limit)
                except Exception as problem:  # the verdict is wrong all the same, and the next program waits
                    judged.problem = f"not reduced: {problem}"
    return judged


def keep_result(folder: Path, judged: Judged) -> None:
    with (folder / RESULTS).open("a", encoding="utf-8") as file:
        file.write(judged.as_line() + "\n")
    said = ", ".join(f"{count} {word}" for word, count in sorted(judged.counts.items()))
    print(f"{judged.kind} {judged.seed} {judged.engine} {judged.criteria}: {said} {judged.problem}", flush=True)
    for text in judged.wrong:
        print(f"    WRONG {text}", flush=True)


def read_results(folder: Path) -> list[Judged]:
    path = folder / RESULTS
    return [Judged.from_line(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def add_seconds(folder: Path, seconds: float) -> None:
    path = folder / "seconds.txt"
    before = float(path.read_text(encoding="utf-8")) if path.exists() else 0.0
    path.write_text(f"{before + seconds:.0f}\n", encoding="utf-8")


# --- reducing ------------------------------------------------------------------------------------


def reduce_wrong(judged: Judged, kept: Path, time_limit: float) -> None:
    """The text with marks, smaller, in `reduced.c`: by cvise or creduce where there is one, otherwise by our own."""
    text = whole_text(judged)
    file = kept / "reduced.c"
    file.write_text(text, encoding="utf-8")
    (kept / "judged.json").write_text(judged.as_line(), encoding="utf-8")
    tool = shutil.which("cvise") or shutil.which("creduce")
    if tool:
        script = kept / "check.sh"
        checked = f"{sys.executable} -m bench.soundness --check reduced.c --time-limit {time_limit}"
        copied = f"cp {kept}/judged.json . && PYTHONPATH={ROOT}:{ROOT}/src {checked}"
        script.write_text(f"#!/bin/sh\n{copied}\n", encoding="utf-8")
        script.chmod(0o755)
        words = [tool, "--timeout", "120", str(script), file.name]
        subprocess.run(words, cwd=kept, capture_output=True, timeout=3600, check=False)
        return
    with tempfile.TemporaryDirectory(prefix="reduce-") as place:
        end = time.monotonic() + REDUCING
        shortest = reduce_text(
            text, lambda shorter: time.monotonic() < end and _is_wrong(shorter, judged, Path(place), time_limit)
        )
    file.write_text(shortest, encoding="utf-8")


def whole_text(judged: Judged) -> str:
    if judged.kind == CSMITH:
        return csmith_programs.csmith_program(judged.seed).text
    return everyday_file(judged.seed).marked.text


def is_still_wrong(file: Path, time_limit: float) -> bool:
    judged = Judged.from_line((file.parent / "judged.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="check-") as place:
        return _is_wrong(file.read_text(encoding="utf-8"), judged, Path(place), time_limit)


def _is_wrong(text: str, judged: Judged, folder: Path, time_limit: float) -> bool:
    """True if a verdict of the same kind, for a function that the text still has, is wrong."""
    again = Judged(judged.kind, judged.seed, judged.engine, judged.criteria)
    try:
        if judged.kind == CSMITH:
            judge_csmith(text, again, folder, time_limit)
        else:
            judge_everyday(_cut_down(judged.seed, text), again, folder, time_limit)
    except Exception:
        return False  # not C any more, or not a program that can be judged
    kinds = {each.split(":")[0] for each in judged.wrong}
    return any(each.split(":")[0] in kinds for each in again.wrong)


def _cut_down(seed: int, text: str) -> Everyday:
    """The file with this text, and calls of the functions that it still has."""
    whole = everyday_file(seed)
    functions = tuple(name for name in whole.functions if re.search(rf"\bint {name}\(", text))
    calls = "\n".join(line for line in whole.calls.splitlines() if any(f" {name}(" in line for name in functions))
    return replace(whole, marked=replace(whole.marked, text=text), functions=functions, calls=calls)


# --- the page ------------------------------------------------------------------------------------


def page(folder: Path, note: str = "") -> Iterator[str]:
    results = read_results(folder)
    seconds = float((folder / "seconds.txt").read_text(encoding="utf-8"))
    yield from head("Soundness", note)
    yield f"`python -m bench.soundness`, {seconds / 3600:.1f} hours; code and programs: `{folder.name}`."
    yield "Everyday programs: all inputs of small domains are run by builds of two compilers that record each"
    yield "evaluation of a decision. csmith: random inputs, counted by llvm-cov. *Wrong*: a native run does what is"
    yield "called infeasible, or no written test does what is called covered."
    yield ""
    yield from markdown(
        ("", "programs", "not judged", *_HEADS, "of these counted differently", "wrong"), list(_rows(results))
    )
    yield ""
    yield from _problems(results)
    yield from _disagreements(results, folder)
    counted = [f"{each.kind} {each.seed}, {text}" for each in results for text in each.by_gcov]
    if counted:
        yield from (
            "",
            "## Counted differently by gcov",
            "",
            "gcc makes other branches of some statements, of the same number:",
        )
        yield from (f"- {text}" for text in counted[:FEW])


_HEADS = ("objectives", "infeasible", "covered", "unknown", "covered, judged by llvm-cov", "lines judged by gcov")


def _rows(results: Sequence[Judged]) -> Iterator[list[str]]:
    groups: dict[str, list[Judged]] = {"all": list(results)}
    for each in results:
        groups.setdefault(f"{each.kind}, {each.engine}", []).append(each)
    for name, members in groups.items():
        counts = sum((each.counts for each in members), Counter())
        wrong = sum(len(each.wrong) for each in members)
        open_ones, by_gcov = sum(bool(each.problem) for each in members), sum(len(each.by_gcov) for each in members)
        yield [name, *map(number, (len(members), open_ones, *(counts[head] for head in _HEADS), by_gcov, wrong))]


def _problems(results: Sequence[Judged]) -> Iterator[str]:
    found: Mapping[str, int] = Counter(each.problem for each in results if each.problem)
    if not found:
        return
    yield from ("## Not judged", "")
    for text, times in sorted(found.items(), key=lambda row: -row[1])[:FEW]:
        said = re.sub(r"\s+", " ", text).replace("`", "'")[:200]
        yield f"- {times}: `{said}`"
    yield ""


def _disagreements(results: Sequence[Judged], folder: Path) -> Iterator[str]:
    wrong = [each for each in results if each.wrong]
    yield from ("## Disagreements", "")
    if not wrong:
        yield "None."
    for each in wrong[:FEW]:
        yield f"- {each.kind}, seed {each.seed}, `--engine {each.engine} -c {each.criteria}`:"
        yield from (f"    - {text}" for text in each.wrong[:5])
        reduced = folder / WRONG / f"{each.kind}-{each.seed}" / "reduced.c"
        if reduced.exists():
            yield from ("", "```c", *reduced.read_text(encoding="utf-8").splitlines()[-30:], "```", "")
    if len(wrong) > FEW:
        yield f"- and {len(wrong) - FEW} more programs"


if __name__ == "__main__":
    main()
