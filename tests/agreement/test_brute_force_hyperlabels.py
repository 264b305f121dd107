"""Verdicts on hyperlabels and loops against brute force: every input is run natively by gcc, with macros that print what
happens; Python then says whether a formula holds for that list of events. Nothing of our weaver takes part."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import tightrope
from tightrope.coverage.verdict import Covered, Infeasible
from tightrope.engines.explore import explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc, which did not come from us")

INCLUDE = Path(tightrope.__file__).parent / "include"
PRINTING = """\
#include <stdio.h>
#define TIGHTROPE_HYPERLABEL(text) ((void)0)
#define pc_label(e, id, tag) ((e) ? (void)printf(" %d", id) : (void)0)
#define pc_label_bindings(e, id, tag, b, n, name, value) ((e) ? (void)printf(" %d:%s=%d", id, name, value) : (void)0)
#define pc_label_sequence(e, id, at, of, tag, n) ((e) ? (void)printf(" q%d.%d", id, at) : (void)0)
#define pc_label_sequence_condition(e, tag) ((e) ? (void)0 : (void)printf(" x%s", tag))
"""
MAIN = """
int main(void)
{
    for (int a = -128; a < 128; a++)
        for (int b = -128; b < 128; b++)
            f(a, b), printf("\\n");
    return 0;
}
"""
UNIT = """
int f(signed char a, signed char b)
{
    int r = 0;
    %s
    pc_label_bindings(a > 3 && b != 7, 1, "A", 1, 1, "s", b + 0);
    for (int i = 0; i < (b & 3); i++) {
        pc_label(a == 5 || b > 100, 2, "B");
        pc_label_sequence(i == 1, 9, 1, 2, "seq", 0);
        r += a;
        pc_label(r > 40, 3, "C");
        pc_label_sequence_condition(!(r < 0), "seq");
    }
    if (b == a) {
        pc_label_bindings(1, 1, "D", 1, 1, "s", 77);
    } else if (b == 11)
        r = 0;
    pc_label_sequence(b < 0, 9, 2, 2, "seq", 0);
    pc_label_bindings(r > 10, 4, "E", 1, 1, "t", a * 1);
    return r;
}
"""
FORMULAS = (
    "1 then 2", "2 then 1", "1 then 2 without 3", "2 then 2", "2 then 2 then 2", "2 then 2 then 2 then 2",
    "2 then 4 without 3", "3 then 4 without 2", "1 then 1", "1 then 4 where s == t", "1 then 4 where s == 77 && t < 0",
    "1 and 4 where s + t == 9", "4 and 1 where s > 200", "2 and 3 and 4", "4 then 3", "4 then 3 or 3 then 4 where t == 30",
    "3 then 3 without 2", "2 then 2 without 3 then 4", "3",
)  # fmt: skip


def happens(formula: str, events: list[tuple[str, dict[str, int]]]) -> bool:
    return any(_term_happens(term.strip(), events) for term in formula.split(" or "))


def _term_happens(term: str, events: list[tuple[str, dict[str, int]]]) -> bool:
    chain, _, guard = term.partition(" where ")
    known: dict[str, int] = {}
    for at, (label, bound) in enumerate(events):
        known |= bound
        is_done = _is_ordered_at(chain, events, at) if " and " not in chain else _is_all_at(chain, events, at, label)
        values = {"s": 0, "t": 0, **known}
        if is_done and (not guard or eval(guard.replace("&&", "and"), {}, values)):
            return True
    return False


def _is_all_at(chain: str, events: list[tuple[str, dict[str, int]]], at: int, label: str) -> bool:
    wanted = chain.split(" and ")
    return label in wanted and set(wanted) <= {each for each, _ in events[: at + 1]}


def _is_ordered_at(chain: str, events: list[tuple[str, dict[str, int]]], end: int) -> bool:
    """Some earlier events are the earlier members, and none between two of them is what must not be."""
    steps = [re.fullmatch(r"(\S+)(?: without (\S+))?", each) for each in chain.split(" then ")]
    last = steps[-1]
    if not last or events[end][0] != last[1]:
        return False
    if len(steps) == 1:
        return True
    rest = chain.rpartition(" then ")[0]
    return any(
        _is_ordered_at(rest, events, before)
        for before in range(end)
        if last[2] not in {each for each, _ in events[before + 1 : end]}
    )


def run_every_input(text: str, folder: Path) -> list[list[str]]:
    (folder / "printing.c").write_text(PRINTING + text + MAIN)
    subprocess.run(["gcc", "-w", str(folder / "printing.c"), "-o", str(folder / "printing")], check=True)
    output = subprocess.run([str(folder / "printing")], capture_output=True, text=True, check=True).stdout
    return [line.split() for line in output.split("\n")]


def explore_unit(text: str, folder: Path, *criteria: str, path_length: int = 2) -> dict[str, object]:
    path = folder / "unit.c"
    path.write_text(text)
    options = Options((Target(path, "f"),), criteria=criteria, time_limit=60.0, path_length=path_length)
    unit = prepare_unit(prepare_file(find_compiler(), path, options, lambda warning: None), "f", options)
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            found = explore(unit, runner, options, lambda ledger, progress: None)
    finally:
        worker.close()
    assert found.progress.divergences == 0
    return {f"{objective.kind} {objective.text}": verdict for objective, verdict in found.ledger}


def test_hyperlabels_agree_with_brute_force(tmp_path: Path) -> None:
    asked = " ".join(f'TIGHTROPE_HYPERLABEL("{each}");' for each in FORMULAS)
    rows = {tuple(each) for each in run_every_input(UNIT % "", tmp_path)}
    traces = [
        [(word.partition(":")[0], dict([_binding(word)] if ":" in word else [])) for word in row if word[0].isdigit()]
        for row in rows
    ]
    verdicts = explore_unit("#include <tightrope.h>\n" + UNIT % asked, tmp_path, "label")
    wrong = []
    for formula in FORMULAS:
        is_coverable = any(happens(formula, trace) for trace in traces)
        if not isinstance(verdicts[f"hyperlabel {formula}"], Covered if is_coverable else Infeasible):
            wrong.append(f"{formula}: {verdicts[f'hyperlabel {formula}']}, brute force: {is_coverable}")
    assert wrong == []
    sequences = [[word for word in row if word[0] in "qx"] for row in rows]
    is_coverable = any("q9.1 q9.2" in " ".join(each) for each in sequences)
    assert is_coverable
    assert isinstance(verdicts["sequence sequence 9 (seq)"], Covered)
    assert 3 < sum(isinstance(each, Infeasible) for each in verdicts.values()) < len(FORMULAS) - 4


def _binding(word: str) -> tuple[str, int]:
    name, _, value = word.partition(":")[2].partition("=")
    return name, int(value)


LOOPS = """
int f(signed char a, signed char b)
{
    int r = 0;
    IN(1);
    for (int i = 0; i < (a & 7); i += 3) {
        AT(1);
        IN(2);
        while (r < b) {
            AT(2);
            if (r == 100) { OUT(2); OUT(1); return 1; }
            if (r + a == 9) break;
            r += 40;
        }
        OUT(2);
    }
    OUT(1);
    IN(3);
    do { AT(3); r++; } while (r < 2 && b > 200);
    OUT(3);
    IN(4);
    for (;;) { AT(4); if (r++ > a) { OUT(4); goto end; } if (r > 3) { OUT(4); return 4; } }
end:
    IN(5);
    while (r > 2 && r < 5) { AT(5); r++; if (r == 4) continue; }
    OUT(5);
    return r;
}
"""


def test_loops_agree_with_counting(tmp_path: Path) -> None:
    printing = "".join(f'#define {word}(n) printf(" {word[0]}%d", n)\n' for word in ("IN", "AT", "OUT"))
    rows = run_every_input(printing + LOOPS, tmp_path)
    counted = {number: set[str]() for number in "12345"}
    for row in {tuple(each) for each in rows}:
        now: Counter[str] = Counter()
        for event, number in row_events(row):
            now[number] = 0 if event == "I" else now[number] + (event == "A")
            if event == "O":
                counted[number].add(("zero", "one", "many")[min(now[number], 2)])
    silent = "".join(f"#define {word}(n) ((void)0)\n" for word in ("IN", "AT", "OUT"))
    verdicts = explore_unit(silent + LOOPS, tmp_path, "loop")
    texts = {"1": "i < (a", "2": "r < b", "3": "do ...", "4": "for (...; ; ...)", "5": "r > 2"}
    for number, text in texts.items():
        own = {name.split()[0]: verdict for name, verdict in verdicts.items() if text in name}
        assert len(own) == (2 if number in "34" else 3)
        wrong = [
            (number, kind, verdict)
            for kind, verdict in own.items()
            if not isinstance(verdict, Covered if kind in counted[number] else Infeasible)
        ]
        assert wrong == []


def row_events(row: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(word[0], word[1:]) for word in row]


PATHS = """
int f(signed char a, signed char b)
{
    int r = 0;
    if ([a > 3] && [b != a])
        r = 1;
    for (int i = 0; [i < (b & 3)]; i++) {
        if ([a == i])
            r++;
        else if ([r > 1])
            break;
    }
    while ([r > 3])
        r -= 2;
    if ([r + b > 100])
        return a;
    return b + r;
}
"""
CONDITION = re.compile(r"\[([^]]*)\]")


@pytest.mark.parametrize("length", [1, 2, 3])
def test_paths_agree_with_what_runs_do(tmp_path: Path, length: int) -> None:
    """Each run notes its branches; a path is covered by the runs in which its branches follow each other."""
    texts = CONDITION.findall(PATHS)
    note = "static int note(int n, int e) { printf(\" %d%c\", n, e ? 'T' : 'F'); return e; }\n"
    printing = CONDITION.sub(lambda found: f"note({texts.index(found[1])}, {found[1]})", PATHS)
    runs = {tuple(each) for each in run_every_input(note + printing, tmp_path)}
    taken = {run[at : at + length] for run in runs for at in range(len(run) - length + 1)}
    verdicts = explore_unit(CONDITION.sub(r"\1", PATHS), tmp_path, "k-path", path_length=length)
    asked = {}
    for name, verdict in verdicts.items():
        sides = [re.fullmatch(r"(?:path )?(.*) is (true|false)", each) for each in name.split(", then ")]
        path = tuple(f"{texts.index(side[1])}{side[2][0].upper()}" for side in sides if side)
        asked[path] = verdict
        is_taken = path in taken or (len(path) < length and path in runs)
        assert isinstance(verdict, Covered if is_taken else Infeasible), name
    once = {path for path in taken if len({each[:-1] for each in path}) == length}
    assert once <= set(asked)
    assert sum(isinstance(each, Infeasible) for each in verdicts.values()) < len(verdicts) / 2
