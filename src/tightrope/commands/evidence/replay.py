#!/usr/bin/env python3
"""Written by Tightrope: checks an evidence pack again, without Tightrope.

    python replay.py                 in the folder of the pack
    CC=clang SOLVER='cvc5 --lang=smt2' python replay.py
    python replay.py --sources ~/door      also compares the files there with those of the pack

CC, CXX: compilers for the suites, default cc and c++. UNITY: folder of unity.c, for suites of Unity.
SOLVER: a command that reads an SMT-LIB file, default z3. Nothing is written into the pack.

Exit status: 0 everything that can be checked holds; 1 something does not; 3 nothing failed, but a tool was missing or
gave no answer. Needs Python 3.9 and its standard library.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]
SUMS = "SHA256SUMS"
FAILED, UNCHECKED = 1, 3


class Account:
    """What was found, in words, and the exit status."""

    def __init__(self) -> None:
        self.held, self.failures, self.unchecked, self.unsupported = 0, 0, 0, 0

    def holds(self, text: str) -> None:
        self.held += 1
        print(f"ok           {text}")

    def fails(self, text: str) -> None:
        self.failures += 1
        print(f"FAILED       {text}")

    def cannot_say(self, text: str) -> None:
        self.unchecked += 1
        print(f"not checked  {text}")

    def has_nothing(self, text: str) -> None:
        """Nothing outside of Tightrope can be asked."""
        self.unsupported += 1
        print(f"no formula   {text}")

    def close(self) -> int:
        print(f"\n{self.held} held, {self.failures} failed, {self.unchecked} not checked", end="")
        print(f", {self.unsupported} proofs without a formula, which rest on Tightrope" if self.unsupported else "")
        return FAILED if self.failures else UNCHECKED if self.unchecked else 0


def hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


# -- 1. files


def check_files(pack: Path, account: Account) -> None:
    sums = pack / SUMS
    if not sums.is_file():
        account.fails(f"{SUMS} is not there: this is not a whole pack")
        return
    lines = [line.split("  ", 1) for line in sums.read_text(encoding="utf-8").splitlines()]
    listed = {words[-1]: words[0] for words in lines}
    wrong = 0
    for name, wanted in sorted(listed.items()):
        file = pack / name
        if not file.is_file() or hash_of(file) != wanted:
            wrong += 1
            account.fails(f"{name} {'is not what it was' if file.is_file() else 'is not there'}")
    for file in sorted(pack.rglob("*")):
        name = file.relative_to(pack).as_posix()
        if not file.is_dir() and name not in listed and name != SUMS:
            wrong += 1
            account.fails(f"{name} does not belong to the pack")
    if not wrong:
        account.holds(f"{len(listed)} files are as they were; seal {hash_of(sums)}")


def check_sources(manifest: Json, folder: Path, account: Account) -> None:
    """The user's own files against those of the pack."""
    for each in manifest["files"]:
        name = each["path"].partition("/")[2]
        file = folder / name
        if not file.is_file():
            account.fails(f"{file} is not there")
        elif hash_of(file) != each["sha256"]:
            account.fails(f"{file} differs from the {each['kind']} in the pack")
        else:
            account.holds(f"{file} is the {each['kind']} in the pack")


# -- 2. suites


def check_suites(pack: Path, manifest: Json, report: Json, account: Account, seconds: float) -> None:
    known = {(unit["file"], unit["function"]): unit for unit in report["units"]}
    with tempfile.TemporaryDirectory(prefix="replay-") as name:
        copy = Path(name) / "pack"
        if (pack / "tree").is_dir():
            shutil.copytree(pack / "tree", copy / "tree")
        for suite in manifest["suites"]:
            unit = known.get((suite["file"], suite["function"]))
            if unit is None:
                account.fails(f"{suite['program']}: the report has no function {suite['function']}")
                continue
            tests = [test["id"] for test in unit["tests"] if is_in_pack(unit, test)]
            replay_suite(copy / suite["folder"], suite, tests, account, seconds)
    check_witnesses(report, account)


def is_in_pack(unit: Json, test: Json) -> bool:
    """False for tests that somebody else wrote, or that are in a file that was left alone."""
    return not test.get("suite") or test["suite"] in unit["written"]


def replay_suite(folder: Path, suite: Json, tests: list[str], account: Account, seconds: float) -> None:
    program = suite["program"]
    for command in suite["commands"]:
        missing = missing_framework(command)
        if missing:
            account.cannot_say(f"{program}: {missing}")
            return
        done = run(["sh", "-c", with_compiler(command)], folder, seconds)
        if done[0] != 0:
            account.fails(f"{program} is not built: {first_line(done[1])}\n             {with_compiler(command)}")
            return
    status, output = run([f"./{program}"], folder, seconds)
    passed = re.findall(r"^ok \d+ - (\w+)", output, re.MULTILINE)
    if re.search(r"^1\.\.\d+$", output, re.MULTILINE) and sorted(passed) != sorted(tests):
        names = [name for name in tests if name not in passed]
        account.fails(
            f"{program}: {len(names)} of {len(tests)} tests of the report do not pass: {', '.join(names[:3])}"
        )
    elif status != 0:
        account.fails(f"{program} ends with status {status}: {first_line(output)}")
    else:
        account.holds(f"{program}: {len(tests)} {'test passes' if len(tests) == 1 else 'tests pass'}")


def with_compiler(command: str) -> str:
    compiler, _, rest = command.partition(" ")
    return f"{os.environ.get({'cc': 'CC', 'c++': 'CXX'}.get(compiler, ''), compiler)} {rest}"


def missing_framework(command: str) -> str:
    """Why a suite of a test framework cannot be built here; '' if nothing is known to be missing."""
    if "$UNITY" in command and not Path(os.environ.get("UNITY", ""), "unity.c").is_file():
        return "UNITY does not name the folder of unity.c"
    for names in re.findall(r"\$\(pkg-config((?: --[\w-]+)*(?: [\w.+-]+)+)\)", command):
        for name in (word for word in names.split() if not word.startswith("--")):
            if not shutil.which("pkg-config") or run(["pkg-config", "--exists", name], None, 60)[0] != 0:
                return f"pkg-config does not find {name}"
    return ""


def check_witnesses(report: Json, account: Account) -> None:
    """What is called covered names tests that are there."""
    wrong = 0
    others = {test["suite"] for unit in report["units"] for test in unit["tests"] if not is_in_pack(unit, test)}
    for name in sorted(others):
        account.cannot_say(f"{name}: these tests were there before, and are not in the pack")
    for unit in report["units"]:
        tests = {test["id"] for test in unit["tests"]}
        for each in unit["objectives"]:
            if each["verdict"] == "covered" and not (each["tests"] and tests.issuperset(each["tests"])):
                wrong += 1
                account.fails(f"{each['id']}: covered, but not by tests of the suite")
    if not wrong:
        covered = sum(each["verdict"] == "covered" for unit in report["units"] for each in unit["objectives"])
        account.holds(f"{covered} covered objectives name tests of these suites")


# -- 3. proofs


def check_proofs(pack: Path, manifest: Json, report: Json, account: Account, seconds: float) -> None:
    kept = {(each["file"], each["objective"]): each for each in manifest["proofs"]}
    solver = find_solver()
    if any(each["smt2"] for each in manifest["proofs"]):
        now = solver[1] if solver else "no solver"
        print(f"             formulas: refuted by {manifest['solver']} when they were written; now given to {now}")
    for unit, each in infeasible(report):
        row = kept.get((unit["file"], each["id"]), {})
        if not each.get("formula"):
            account.has_nothing(f"{each['id']}: proof `{each['proof']}`, {each.get('why') or each['text']}")
        elif not row.get("smt2") or not (pack / row["smt2"]).is_file():
            account.fails(f"{each['id']}: its formula {each['formula'][:16]} is not in the pack")
        elif hash_of(pack / row["smt2"]) != each["formula"]:
            account.fails(f"{each['id']}: {row['smt2']} is not the formula of the report")
        elif solver is None:
            account.cannot_say(f"{each['id']}: no solver; SOLVER can name one that reads SMT-LIB")
        else:
            ask(solver[0], pack / row["smt2"], each["id"], account, seconds)


def infeasible(report: Json) -> Iterator[tuple[Json, Json]]:
    for unit in report["units"]:
        for each in unit["objectives"]:
            if each["verdict"] == "infeasible":
                yield unit, each


def find_solver() -> tuple[list[str], str] | None:
    """The command, and what it says of its version."""
    words = shlex.split(os.environ.get("SOLVER", "z3"))
    if not words or not shutil.which(words[0]):
        return None
    status, said = run([words[0], "--version"], None, 60)
    return words, first_line(said) if status == 0 else words[0]


def ask(solver: list[str], file: Path, name: str, account: Account, seconds: float) -> None:
    status, output = run([*solver, str(file)], None, seconds)
    answers = [line.strip() for line in output.splitlines() if line.strip() in ("sat", "unsat", "unknown")]
    answer = answers[0] if len(answers) == 1 else ""
    if answer == "unsat" and status == 0:
        account.holds(f"{name}: the formula has no solution")
    elif answer == "sat":
        account.fails(f"{name}: the formula HAS a solution: the objective is not proved infeasible")
    else:
        account.cannot_say(f"{name}: the solver gave no answer: {answer or first_line(output)}")


# -- running


def run(words: list[str], folder: Path | None, seconds: float) -> tuple[int, str]:
    """The exit status and everything that was printed."""
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -1, f"not finished after {seconds:g} s"
    except OSError as problem:
        return -1, str(problem)
    return done.returncode, done.stdout.decode(errors="replace")


def first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "it says nothing")


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks this evidence pack again, without Tightrope.")
    parser.add_argument("--sources", metavar="DIR", type=Path, help="also compare the files of this folder")
    parser.add_argument("--seconds", type=float, default=600, help="time for each build, suite and formula")
    given = parser.parse_args()
    pack = Path(__file__).resolve().parent
    account = Account()
    check_files(pack, account)
    try:
        manifest, report = (json.loads((pack / name).read_bytes()) for name in ("manifest.json", "report.json"))
    except (OSError, ValueError) as problem:
        account.fails(f"the pack cannot be read: {problem}")
        return account.close()
    if given.sources:
        check_sources(manifest, given.sources, account)
    check_suites(pack, manifest, report, account, given.seconds)
    check_proofs(pack, manifest, report, account, given.seconds)
    return account.close()


if __name__ == "__main__":
    sys.exit(main())
