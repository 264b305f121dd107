"""Verdicts on decisions against brute force: random functions of two 8-bit numbers, every input run natively.

The twin (twin.py) and the truth tables know nothing of ours: neither how decisions are found, nor how they are followed
in the compiled code, nor what masks what. `covered` must be coverable, `infeasible` must not, and nothing may stay unknown
that could be covered. TIGHTROPE_SEEDS=100:200 tries other functions than the few that are tried always.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from odd_decisions import ODD
from one_solver import without_a_second_solver  # noqa: F401
from random_decisions import DecisionWriter
from twin import Marked, Table, reachable_vectors
from wanted_words import ABOUT_DECISIONS, wanted_words

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Covered, Infeasible, Verdict
from tightrope.engines.explore import Exploration, explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc, which did not come from us")

EVERY_INPUT = "for (int a = -128; a < 128; a++) for (int b = -128; b < 128; b++) f(a, b);"
SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "0:4").split(":")))


def explore_text(
    text: str, folder: Path, form: str, criteria: Sequence[str] = ABOUT_DECISIONS, **further: str
) -> tuple[PreparedUnit, Exploration]:
    """`further`: other options."""
    path = folder / "unit.c"
    path.write_text(text)
    options = Options((Target(path, "f"),), criteria=tuple(criteria), mcdc_form=form, time_limit=600.0, **further)
    unit = prepare_unit(prepare_file(find_compiler(), path, options, lambda warning: None), "f", options)
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            return unit, explore(unit, runner, options, lambda ledger, progress: None)
    finally:
        worker.close()


# Evaluations that are left in the middle, on which clang 19 itself crashes when it is to measure MC/DC.
LEFT = Marked(
    """int f(signed char a, signed char b) {
    int r = 0;
    for (int i = 0; «0:«0.0:i < 3»»; i++)
        if («1:«1.0:b > i» && «1.1:({ if («2:«2.0:a == i»») continue; «6:«6.0:a > 1»»; })» && «1.2:a != b»»)
            r++;
    while («3:«3.0:a > 0» && «3.1:({ if («4:«4.0:b-- < 0»») goto out; «7:«7.0:r < 7»»; })»»)
        a = «5:«5.0:a > 5»» ? 5 : a - 1;
out:
    return r;
}
""",
    {0: "c0", 1: "c0 and c1 and c2", 2: "c0", 3: "c0 and c1", 4: "c0", 5: "c0", 6: "c0", 7: "c0"},
    {},
)
# A value that is tested twice, conditions that depend on each other, and a decision that comes from two macros.
COUPLED = Marked(
    """#define IN(x, low, high) ‹((x) >= (low) && (x) <= (high))|0›
#define OUT(x) ‹(!IN(x, -3, 9))|0›
int f(signed char a, signed char b) {
    int r = «0:‹IN(a, 3, 9)|(«0.0:a >= 3» && «0.1:a <= 9»)› && «0.2:a != 4»»;
    if («1:‹OUT(b)|!(«1.0:b >= -3» && «1.1:b <= 9»)› || «1.2:r»») r += 2;
    if («2:(«2.0:a > 0» && «2.1:b») || («2.2:a <= 0» && !«2.3:b»)») r += 4;
    if («3:«3.0:a > 5» && «3.1:b» && «3.2:a > 3»») r += 8;
    if («4:(«4.0:a > 5» == «4.1:b > 5») ^ «4.2:a == b»») r += 16;
    return («5:«5.0:r» ? «5.1:a > 1» : «5.2:b > 1»») ? r : -r;
}
""",
    {
        0: "c0 and c1 and c2",
        1: "(not (c0 and c1)) or c2",
        2: "(c0 and c1) or (c2 and not c3)",
        3: "c0 and c1 and c2",
        4: "(c0 == c1) != c2",
        5: "c1 if c0 else c2",
    },
    {},
)

# Constants whose values the compiler knows, most of them where it makes no code; two inner functions use one name.
CONSTANTS = Marked(
    """struct pair { char first; int second; };
enum size { NARROW = sizeof(struct pair), WIDE };
static const int fixed = 5, table[3] = {1, 2, 3};
static int g;
static int other(int x) { enum { OWN = 1 }; return x + OWN; }
int f(signed char a, signed char b) {
    enum { OWN = sizeof(int) + 2 };
    const int local = 6;
    int r = other(a);
    if («0:«0.0:a > 3» || («0.1:0» && «0.2:sizeof(struct pair) == 3»)») r += 1;
    if («1:«1.0:a» && «1.1:sizeof(long) == 4» && «1.2:b»») r += 2;
    if («2:«2.0:b > 3» || («2.1:0» && «2.2:__builtin_offsetof(struct pair, second) == 3»)») r += 4;
    r += «3:«3.0:b < 3» && («3.1:1» || «3.2:_Alignof(int) == 4»)»;
    r += «4:«4.0:b < 4» || («4.1:0» && «4.2:__builtin_types_compatible_p(int, long)»)»;
    r += «5:«5.0:b < 5» || («5.1:0» && «5.2:__builtin_constant_p(a)»)»;
    if («6:«6.0:b < 6» || («6.1:0» && «6.2:OWN == 1»)») r += 3;
    if («7:«7.0:b < 7» || («7.1:0» && «7.2:WIDE == 8»)») r += 3;
    if («8:«8.0:b < 8» || («8.1:0» && «8.2:(signed char)300 == 45»)») r += 3;
    if («9:«9.0:b < 9» || («9.1:0» && «9.2:sizeof "abc" == 5»)») r += 3;
    if («10:«10.0:b < 10» || («10.1:0» && «10.2:"abc"[1] == 'c'»)») r += 3;
    if («11:«11.0:b < 11» || («11.1:0» && «11.2:3.5f < 2»)») r += 3;
    while («12:«12.0:r > 90» || («12.1:0» && «12.2:__builtin_strlen("abc") == 4»)») r -= 50;
    for (int i = 0; «13:«13.0:i < 2» || («13.1:0» && «13.2:fixed == 6»)»; i++) r++;
    r += («14:«14.0:a > 9» || («14.1:0» && «14.2:table[1] == 3»)») ? 3 : 4;
    r -= «15:«15.0:a > 8» || («15.1:0» && «15.2:local == 5»)»;
    r -= «16:«16.0:a < 8» || («16.1:0» && «16.2:&g == 0»)»;
    r -= «17:«17.0:a < 7» && («17.1:1» || «17.2:sizeof(struct pair *) == sizeof(long)»)»;
    if («18:(«18.0:1» || «18.1:(int)sizeof(short) - 2») && «18.2:a == b»») r ^= 1;
    if («19:!(«19.0:0» && «19.1:_Generic(a, signed char: 0, default: 1)») && «19.2:a < b»») r ^= 2;
    if («20:(«20.0:0» && «20.1:a > 1») || «20.2:b > 1»») r ^= 4;
    if («21:«21.0:a > 2» && («21.1:1» || «21.2:({ 0; })»)») r ^= 8;
    return r + («22:«22.0:a == 5» || («22.1:0» && «22.2:(«23:«23.0:1»» ? 0 : a)»)»);
}
""",
    {
        **dict.fromkeys((0, 2, *range(4, 17), 22), "c0 or (c1 and c2)"),
        1: "c0 and c1 and c2",
        **dict.fromkeys((3, 17, 21), "c0 and (c1 or c2)"),
        18: "(c0 or c1) and c2",
        19: "(not (c0 and c1)) and c2",
        20: "(c0 and c1) or c2",
        23: "c0",
    },
    {
        (1, 1): False,
        **{(number, 1): number in (3, 17, 21) for number in (0, *range(2, 18), 21, 22)},
        **{(number, 2): number in (3, 17) for number in (0, 2, 3, 4, *range(6, 18), 21, 22)},
        (18, 0): True,
        (18, 1): False,
        (19, 0): False,
        (19, 1): False,
        (20, 0): False,
        (23, 0): True,
    },
)

# Booleans that nothing branches on: compared, converted, passed on, in a loop, inside of conditions.
VALUES = Marked(
    """static int calls;
static int is_odd(int value) { calls++; return value & 1; }
int f(signed char a, signed char b) {
    _Bool ready = «0:«0.0:a & 4»», other = ready;
    int t[2] = {1, 2}, r = «1:«1.0:a == b»»;
    r += t[«2:«2.0:a > 120»»] + is_odd(«3:«3.0:b < -90»»);
    for (int i = 0; «4:«4.0:i < 3»»; i++)
        r += «5:«5.0:i == (a & 7)»»;
    if («6:«6.0:is_odd(«7:«7.0:a > b»»)» && «6.1:t[«8:«8.0:b > 3»»] == 2»») r++;
    double d = a / 2.0;
    other |= «9:«9.0:d > 70.0»»;
    if («10:«10.0:(a > 7) == 1»») r--;
    if («11:«11.0:b == («12:«12.0:a > 9»»)»») r -= 2;
    r += «13:«13.0:other»» ? «14:«14.0:a != 5»» : «15:«15.0:b >= 100»»;
    return «16:«16.0:r > 1»» + («17:!«17.0:ready»»);
}
""",
    {0: "c0", **dict.fromkeys([*range(1, 6), *range(7, 17)], "c0"), 6: "c0 and c1", 17: "not c0"},
    {},
)

HARD = {"left": LEFT, "coupled": COUPLED, "values": VALUES, "constants": CONSTANTS}


@pytest.mark.parametrize("form", ["masking", "unique-cause"])
@pytest.mark.parametrize("marked", HARD.values(), ids=HARD)
def test_hard_decisions(tmp_path: Path, marked: Marked, form: str) -> None:
    check(marked, form, tmp_path)


@pytest.mark.parametrize("marked", ODD.values(), ids=ODD)
def test_odd_decisions(tmp_path: Path, marked: Marked) -> None:
    check(marked, "masking", tmp_path)


@pytest.mark.parametrize("form", ["masking", "unique-cause"])
@pytest.mark.parametrize("seed", SEEDS)
def test_random_decisions(tmp_path: Path, seed: int, form: str) -> None:
    """Comparisons that are only values have no marks in these."""
    check(DecisionWriter(seed).function(3), form, tmp_path, decisions="branching")


# What follows <condition, value> in place of vectors, as if no decision had few enough of them.
LINEAR = ("decision", "condition", "decision-condition", "mcdc", "gacc", "cacc")


@pytest.fixture
def few_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tightrope.program.decisions.condition_values.MAX_VECTORS", 1)


@pytest.mark.usefixtures("few_vectors")
@pytest.mark.parametrize("engine", ["search", "encoding", "auto"])
@pytest.mark.parametrize("marked", HARD.values(), ids=HARD)
def test_hard_decisions_without_vectors(tmp_path: Path, marked: Marked, engine: str) -> None:
    check(marked, "masking", tmp_path, LINEAR, engine=engine)


@pytest.mark.usefixtures("few_vectors")
@pytest.mark.parametrize("seed", [seed + 50 for seed in SEEDS])
def test_random_decisions_without_vectors(tmp_path: Path, seed: int) -> None:
    check(DecisionWriter(seed).function(3), "masking", tmp_path, LINEAR, decisions="branching")


def check(marked: Marked, form: str, tmp_path: Path, criteria: Sequence[str] = ABOUT_DECISIONS, **further: str) -> None:
    seen = reachable_vectors(marked, EVERY_INPUT, tmp_path)
    unit, found = explore_text(marked.plain, tmp_path, form, criteria, **further)
    assert found.progress.divergences == 0
    assert len(unit.marks.decisions) == len(marked.order), marked.plain
    assert [each.text for each in unit.marks.decisions if each.problem] == []
    wrong = []
    for number, objective, word, verdict in verdicts(unit, found, marked, form, criteria):
        can_be = is_coverable(Table(marked, number, seen[number]), objective.criterion, word, form)
        if not isinstance(verdict, Covered if can_be else Infeasible):
            wrong.append(f"{objective.id} ({objective.text}): {verdict}, brute force: {can_be}")
    assert not wrong, "\n".join([*wrong, marked.plain])


def verdicts(
    unit: PreparedUnit, found: Exploration, marked: Marked, form: str, criteria: Sequence[str]
) -> Iterator[tuple[int, Objective, str, Verdict]]:
    """Each objective with the number of its decision in the marked text."""
    for name in criteria:
        own = [(each, verdict) for each, verdict in found.ledger if each.criterion == name]
        objectives = iter([(each, verdict) for each, verdict in own if each.kind not in ("entry", "exit")])
        for number, word in wanted_words(name, unit.marks.decisions, form):
            objective, verdict = next(objectives)
            assert objective.id.split("#")[0].endswith(f":{word}")
            yield marked.order[number], objective, word, verdict
        assert not list(objectives)


def is_coverable(table: Table, criterion: str, word: str, form: str) -> bool:
    """What the objective means, said once more."""
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
